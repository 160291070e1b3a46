#include "study/memo_sentences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence "
    "2048, micro-batch 1\n\n## Decision\n\nWe choose stage 2, without checkpointing.\n\n";
enum { LINE = 7 }; /* the first one after it */

static const struct study_memo_finding *find(const struct study_memo_report *r,
                                             const char *figure) {
    for (size_t i = 0; i < r->count; i++)
        if (r->finding[i].line >= LINE && strcmp(r->finding[i].figure, figure) == 0)
            return &r->finding[i];
    return NULL;
}

static bool holds(const struct memo_sentence *s) {
    struct study_memo_report r;
    char *text = base_format("%s%s\n", head, s->sentence);
    assert_true(study_memo_check(text, strlen(text), NULL, &r, NULL));
    const struct study_memo_finding *f = find(&r, s->figure);
    enum study_memo_kind kind = f ? f->kind : STUDY_MEMO_MISSING;
    bool same = kind == s->kind && (!f || strstr(f->what, s->says));
    if (!same)
        print_error("%s\n%s, %s: %s\n", s->sentence, s->figure, study_memo_kind_name(kind),
                    f ? f->what : "");
    study_memo_free(&r);
    free(text);
    return same;
}

static const struct memo_sentence *table;
static size_t rows;

static void each_figure_is_judged_as_an_expert_would(void **state) {
    size_t missed = 0;
    (void)state;
    for (size_t i = 0; i < rows; i++) missed += !holds(&table[i]);
    assert_int_equal(missed, 0);
}

int memo_sentences_run(const char *name, const struct memo_sentence *sentences, size_t count) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_figure_is_judged_as_an_expert_would)};
    table = sentences;
    rows = count;
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}
