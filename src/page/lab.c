/* What the figures of the lab share: rows, differences, verdicts, names. */
#include "page/lab.h"

#include <stdlib.h>
#include <string.h>

size_t page_lab_runs(const struct page_lab *l) {
    size_t n = 0;
    while (n < PAGE_LAB_RUNS && l->run[n]) n++;
    return n;
}

void page_lab_name(struct page *p, struct page_flow f, const struct page_lab *l, size_t run) {
    const char *label = l->run[run]->label;
    if (page_lab_runs(l) > 1 && label && *label)
        page_put(p, p->height, f.indent, PAGE_STRONG, 0, label);
}

int page_lab_rows(const struct page_lab *l, int otherwise, int least, int most) {
    int rows = l->rows ? l->rows : otherwise;
    return rows < least ? least : rows > most ? most : rows;
}

bool page_lab_well(const struct experiment_state *s) {
    return s->ended && !s->failed;
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
