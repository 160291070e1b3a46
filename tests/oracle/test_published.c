/* Every case of published.json goes to its adapter, and none may be left over. Prints how many of
 * each kind the engine reproduces, explains, or leaves out. */
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>

static const struct adapter *const tables[] = {
    oracle_states,     oracle_zero,    oracle_korthikanti, oracle_deepspeed,
    oracle_estimators, oracle_pytorch, oracle_trainers,    oracle_cookbook,
    oracle_offload,    oracle_links,   oracle_measured};
#define TABLES (sizeof tables / sizeof *tables)

const struct adapter *oracle_find(const char *id) {
    const struct adapter *best = NULL;
    for (size_t i = 0; i < TABLES; i++)
        for (const struct adapter *a = tables[i]; a->prefix; a++) {
            size_t size = strlen(a->prefix);
            if (strncmp(id, a->prefix, size) != 0) continue;
            if (!best || size > strlen(best->prefix)) best = a;
        }
    return best;
}

/* ── counts by kind ────────────────────────────────────────────────────────────────────────────*/

static const char *const kinds[] = {"published",  "formula",      "derived",
                                    "definition", "code_formula", "code_constant",
                                    "run_peer",   "measured",     "published_erratum"};
#define KINDS (sizeof kinds / sizeof *kinds)

static unsigned counts[KINDS][OUTCOMES];

static void count(const json_t *row, enum outcome outcome) {
    const char *kind = json_string_value(json_object_get(row, "kind"));
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kind, kinds[i]) == 0) {
            counts[i][outcome]++;
            return;
        }
    fail_msg("%s: its kind, %s, is not known", id_of(row), kind);
}

static void print_counts(void) {
    printf("%-20s %10s %10s %10s\n", "kind", "reproduced", "explained", "left out");
    for (size_t i = 0; i < KINDS; i++)
        printf("%-20s %10u %10u %10u\n", kinds[i], counts[i][REPRODUCED], counts[i][EXPLAINED],
               counts[i][LEFT_OUT]);
}

/* ── a case, a test ────────────────────────────────────────────────────────────────────────────*/

static void check(void **state) {
    const json_t *row = *state;
    const struct adapter *a = oracle_find(id_of(row));
    if (!a) fail_msg("%s: no adapter knows this case", id_of(row));
    if (a->check) a->check(row);
    if (a->outcome != REPRODUCED && !(a->reason && *a->reason))
        fail_msg("%s: a reason is wanted", id_of(row));
    if (!a->check) printf("left out: %s: %s\n", id_of(row), a->reason);
    count(row, a->outcome);
}

static json_t *read_cases(const char *name, size_t least) {
    json_error_t e;
    json_t *rows = json_load_file(name, JSON_REJECT_DUPLICATES, &e);
    if (!rows || json_array_size(rows) < least) {
        fprintf(stderr, "%s: %s, or fewer than %zu cases\n", name, rows ? "read" : e.text, least);
        exit(1);
    }
    return rows;
}

#define MOST 400
static size_t gather(struct CMUnitTest *tests, size_t used, json_t *rows) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (used < MOST) tests[used++] =
        (struct CMUnitTest){.name = id_of(row), .test_func = check, .initial_state = row};
    return used;
}

static void adapters_are_sound(void **state) {
    (void)state;
    for (size_t i = 0; i < TABLES; i++)
        for (const struct adapter *a = tables[i]; a->prefix; a++) {
            assert_ptr_equal(oracle_find(a->prefix), a);
            assert_true((a->check == NULL) == (a->outcome == LEFT_OUT));
        }
}

/* published.json, and more.json: numbers of the same sources for other models, other N, other
 * recipes. */
int main(void) {
    static struct CMUnitTest tests[MOST + 1] = {cmocka_unit_test(adapters_are_sound)};
    json_t *published = read_cases("tests/oracle/published.json", 160);
    json_t *more = read_cases("tests/oracle/more.json", 50);
    size_t used = gather(tests, gather(tests, 1, published), more);
    int failed = _cmocka_run_group_tests("published numbers", tests, used, NULL, NULL);
    print_counts();
    json_decref(published);
    json_decref(more);
    return failed;
}
