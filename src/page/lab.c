/* What the figures of the lab share: reading runs, differences, signs with their names. */
#include "page/lab.h"

#include <stdlib.h>
#include <string.h>

bool page_lab_runs(const json_t *spec, const json_t *run[LAB_RUNS], size_t *count,
                   struct base_message *m) {
    const json_t *runs = json_object_get(spec, "runs");
    *count = json_array_size(runs);
    if (*count == 0 || *count > LAB_RUNS)
        return base_fail(m, "a figure of the lab has one run or two: {\"runs\":[{…}]}");
    for (size_t i = 0; i < *count; i++) {
        run[i] = json_array_get(runs, i);
        if (!json_is_object(run[i])) return base_fail(m, "run %zu is no object", i + 1);
    }
    return true;
}

uint64_t page_lab_bytes(const json_t *object, const char *key) {
    int64_t value = base_json_int(object, key, 0);
    return value > 0 ? (uint64_t)value : 0;
}

uint64_t page_lab_weights(const json_t *object, uint64_t bytes[ACCOUNT_CATEGORIES]) {
    uint64_t total = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        bytes[c] = page_lab_bytes(object, account_category_name((enum account_category)c));
        total += bytes[c];
    }
    return total;
}

const char *page_lab_difference(char out[static 32], uint64_t measured, uint64_t predicted) {
    char bytes[24];
    uint64_t apart = measured > predicted ? measured - predicted : predicted - measured;
    account_print_bytes(bytes, sizeof bytes, (double)apart);
    snprintf(out, 32, "%s%s", !apart ? "" : measured > predicted ? "+" : "−", bytes);
    return out;
}

unsigned page_lab_verdict(uint64_t measured, uint64_t predicted) {
    double apart = (double)(measured > predicted ? measured - predicted : predicted - measured);
    if (measured == predicted) return PAGE_GOOD;
    return apart > 0.02 * (double)predicted ? PAGE_BAD : PAGE_PLAIN;
}

const char *page_lab_ranks(char out[static 32], uint32_t first, uint32_t last) {
    if (first == last)
        snprintf(out, 32, "rank %u", first);
    else
        snprintf(out, 32, "ranks %u–%u", first, last);
    return out;
}
