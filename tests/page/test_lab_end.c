/* What a lab ends in: its runs beside each other, as pages (golden) and in words. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 4, RANKS = 4 };

/* As measured of the lab stage-ladder: bytes of rank 0, and at its peak. */
static const struct told {
    const char *label;
    uint64_t kept[3], guests[4], sent;
} told[RUNS] = {
    {"stage 0", {882176, 882176, 1764352}, {2818048, 0, 882176, 790528}, 1323264},
    {"stage 1", {882176, 882176, 441088}, {2818048, 0, 882176, 135168}, 1323264},
    {"stage 2", {882176, 220544, 441088}, {2818048, 0, 1161216, 135168}, 1323264},
    {"stage 3", {220544, 220544, 441088}, {2818048, 311808, 1161216, 135168}, 1984896},
};

static struct experiment_weights weights(const struct told *t, bool peak) {
    static const enum account_category kept[] = {ACCOUNT_PARAMS, ACCOUNT_GRADS, ACCOUNT_MOMENTS};
    struct experiment_weights w = {0};
    for (int i = 0; i < 3; i++) w.bytes[kept[i]] = t->kept[i];
    for (int i = 0; peak && i < 4; i++) w.bytes[ACCOUNT_ACTIVATIONS + i] = t->guests[i];
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) w.total += w.bytes[c];
    return w;
}

static struct experiment_state *run_of(const struct told *t) {
    struct experiment_state *s = base_alloc(sizeof *s);
    *s = (struct experiment_state){.started = true,
                                   .ended = true,
                                   .over = true,
                                   .label = t->label,
                                   .ranks = RANKS,
                                   .seen = RANKS,
                                   .told = 30,
                                   .setup = {.params = 220544, .precision = "fp32"},
                                   .loss = "3.94670091"};
    for (int i = 0; i < RANKS; i++) {
        struct experiment_rank *r = &s->rank[i];
        r->ended = true;
        r->persistent = weights(t, false);
        r->at_peak = weights(t, true);
        r->peak_total = r->at_peak.total;
        r->sent_total = t->sent;
        r->predicted.known = true;
        r->predicted.persistent = r->persistent;
        r->predicted.peak_total = r->peak_total;
        r->predicted.sent_total = r->sent_total;
    }
    return s;
}

struct ladder {
    struct experiment_state *run[RUNS];
    struct experiment_compared compared;
    struct page_lab_end end;
};

static const struct experiment_lab about = {.watch = "memory"};

static struct ladder *ladder(size_t runs) {
    struct ladder *l = base_alloc(sizeof *l);
    for (size_t i = 0; i < runs; i++) l->end.run[i] = l->run[i] = run_of(&told[i]);
    l->end.runs = runs;
    l->compared = experiment_compare(l->end.run, runs, &about);
    l->end.compared = &l->compared;
    l->end.guess = l->end.right = "it does not change at all";
    return l;
}

static void drop(struct ladder *l) {
    for (size_t i = 0; i < RUNS; i++) free(l->run[i]);
    free(l);
}

static struct page *draw(const struct ladder *l, int width, bool ascii, int colours) {
    struct page *p = page_new(width, ascii);
    page_set_colours(p, colours);
    page_lab_end(p, (struct page_flow){.indent = width < 8 ? 0 : 1, .width = width - 2}, &l->end);
    return p;
}

static void draws_pages(void **state) {
    static const struct {
        const char *name;
        size_t runs;
        int width, rows;
        bool ascii, wrong;
    } pages[] = {
        {"lab-end-80", RUNS, 80, 20, false, false},
        {"lab-end-80-ascii", RUNS, 80, 20, true, true},
        {"lab-end-40", RUNS, 40, 8, false, false},
        {"lab-end-120", RUNS, 120, 36, false, false},
        {"lab-end-200", RUNS, 126, 56, false, false},
        {"lab-end-one-run", 1, 80, 20, false, false},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        struct ladder *l = ladder(pages[i].runs);
        l->end.rows = pages[i].rows;
        if (pages[i].wrong) l->end.guess = "it differs in the last digits";
        struct page *p = draw(l, pages[i].width, pages[i].ascii, 0);
        sheet_is(p, pages[i].name);
        assert_true(pages[i].width < 80 || page_height(p) <= pages[i].rows);
        page_free(p);
        drop(l);
    }
}

static void fits_any_width(void **state) {
    (void)state;
    struct ladder *l = ladder(RUNS);
    for (int width = 10; width < 210; width++) {
        l->end.rows = width / 3;
        struct page *p = draw(l, width, width % 2, width % 3 ? 256 : 0);
        assert_int_equal(page_width(p), width);
        page_free(p);
    }
    drop(l);
}

/* Whether the row ends within the name of a run. */
static bool breaks_name(const struct page *p, int row) {
    static const char first[] = "4,096";
    int end = page_width(p), at;
    while (end > 0 && strcmp(page_cell(p, row, end - 1)->text, " ") == 0) end--;
    at = end - (int)strlen(first);
    return at >= 0 && page_says(p, row, at, first) >= 0;
}

static void no_line_ends_within_a_name(void **state) {
    struct ladder *l = ladder(RUNS);
    (void)state;
    l->compared.same_loss = false;
    l->run[2]->label = "4,096 table";
    l->run[3]->label = "4,096 rows";
    for (int width = 40; width <= 120; width++) {
        struct page *p = draw(l, width, false, 0);
        for (int row = 0; row < page_height(p); row++)
            if (breaks_name(p, row)) fail_msg("at width %d row %d ends within a name", width, row);
        page_free(p);
    }
    drop(l);
}

static const char *text_of(const struct ladder *l) {
    static char text[8000];
    struct page *p = draw(l, 80, false, 0);
    char *all = page_to_text(p);
    snprintf(text, sizeof text, "%s", all);
    free(all);
    page_free(p);
    return text;
}

/* Runs that end in the same values are named together. Hashes are shown if they differ and
 * the losses do not tell. */
static void runs_with_the_same_end_are_named_together(void **state) {
    (void)state;
    struct ladder *l = ladder(RUNS);
    assert_null(strstr(text_of(l), "weights"));
    for (size_t i = 0; i < RUNS; i++)
        snprintf(l->run[i]->weights_hash, sizeof l->run[i]->weights_hash, "%s",
                 i == 1 ? "bbbbbbbbbbbbbbbb" : "aaaaaaaaaaaaaaaa");
    snprintf(l->run[1]->loss, sizeof l->run[1]->loss, "3.95");
    l->run[2]->ended = false;
    l->compared = experiment_compare(l->end.run, RUNS, &about);
    assert_non_null(
        strstr(text_of(l), "3.94670091: 'stage 0', 'stage 3'; 3.95: 'stage 1'; none, "));
    assert_non_null(strstr(text_of(l), "did not end"));
    assert_null(strstr(text_of(l), "weights"));
    snprintf(l->run[1]->loss, sizeof l->run[1]->loss, "%s", l->run[0]->loss);
    assert_non_null(strstr(text_of(l), "aaaaaaaa: 'stage 0', 'stage 3'; bbbbbbbb: 'stage 1'\n"));
    l->run[2]->refused = l->run[3]->refused = 1;
    l->run[3]->ended = false;
    assert_non_null(strstr(text_of(l), "because they ran out of"));
    drop(l);
}

/* How many times as long a run took is known once it is over. */
static void an_estimated_factor_is_told(void **state) {
    static const struct experiment_lab timed = {
        .watch = "timeline",
        .amount = {.ask = "How many times?", .of = EXPERIMENT_STEP_TIME, .run = 1, .to = 0}};
    struct experiment_step step[2] = {{.ms = 10}, {.ms = 25}};
    (void)state;
    struct ladder *l = ladder(2);
    l->end.estimate = "2";
    l->compared = experiment_compare(l->end.run, 2, &timed);
    assert_null(strstr(text_of(l), "It was"));
    for (size_t i = 0; i < 2; i++) l->run[i]->step = &step[i], l->run[i]->steps = 1;
    assert_non_null(strstr(text_of(l), "2. It was 2.5×"));
    assert_non_null(strstr(text_of(l), "the ranks' mean step"));
    drop(l);
}

/* Equal bytes have equal lengths, run by run, in every colour. */
static void the_same_is_as_long_in_every_run(void **state) {
    static const int colours[] = {0, 8, 256};
    (void)state;
    struct ladder *l = ladder(2);
    for (size_t k = 0; k < BASE_COUNT(colours); k++) {
        struct page *p = draw(l, 80, false, colours[k]);
        int rows[2] = {-1, -1}, cells[2] = {0};
        for (int row = 0, n = 0; row < page_height(p) && n < 2; row++)
            if (!strcmp(page_cell(p, row, 1)->text, "s")) rows[n++] = row;
        for (int n = 0; n < 2; n++)
            for (int c = 0; c < 80; c++)
                cells[n] += page_cell(p, rows[n], c)->role == PAGE_CATEGORY + ACCOUNT_PARAMS;
        assert_true(cells[0] > 2 && cells[0] == cells[1]);
        page_free(p);
    }
    drop(l);
}

static void it_is_said_in_sentences(void **state) {
    (void)state;
    struct ladder *l = ladder(RUNS);
    struct page *p = page_new(80, false);
    l->end.guess = "it differs in the last digits";
    page_lab_end_words(p, (struct page_flow){0}, &l->end);
    sheet_is(p, "lab-end-words");
    page_free(p);
    drop(l);
}

/* An all-reduce is as long as a reduce-scatter and an all-gather, and is told as these: with a star
 * at each number that has half of it, and a line that says whose it is. */
static void an_all_reduce_is_parted(void **state) {
    static const struct {
        const char *name;
        int width, rows;
        bool ascii;
    } pages[] = {{"lab-end-traffic-80", 80, 20, false},
                 {"lab-end-traffic-80-ascii", 80, 20, true},
                 {"lab-end-traffic-40", 40, 8, false},
                 {"lab-end-traffic-120", 120, 36, false}};
    (void)state;
    struct ladder *l = ladder(RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        struct experiment_rank *r = &l->run[i]->rank[0];
        uint64_t half = told[0].sent / 2;
        r->sent[EXPERIMENT_SENT_AR] = i == 0 ? r->sent_total : 0;
        r->sent[EXPERIMENT_SENT_RS] = i == 0 ? 0 : half;
        r->sent[EXPERIMENT_SENT_AG] = i == 0 ? 0 : r->sent_total - half;
    }
    l->compared = experiment_compare(l->end.run, RUNS, experiment_lab_find("count-the-bytes"));
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        l->end.rows = pages[i].rows;
        struct page *p = draw(l, pages[i].width, pages[i].ascii, 0);
        sheet_is(p, pages[i].name);
        page_free(p);
    }
    struct page *p = page_new(80, false);
    page_lab_end_words(p, (struct page_flow){0}, &l->end);
    sheet_is(p, "lab-end-traffic-words");
    page_free(p);
    drop(l);
}

/* What a bar of traffic shows is named in the order in which it is drawn; and a lesson does not
 * send its reader to itself. */
static void the_picture_is_named_as_it_is_drawn(void **state) {
    (void)state;
    static const struct experiment_lab traffic = {.watch = "traffic"};
    struct ladder *l = ladder(RUNS);
    l->run[1]->rank[0].sent[EXPERIMENT_SENT_AG] = l->run[1]->rank[0].sent[EXPERIMENT_SENT_RS] =
        l->run[1]->rank[0].sent_total / 2;
    l->compared = experiment_compare(l->end.run, RUNS, &traffic);
    l->end.here = l->compared.lesson;
    struct page *p = draw(l, 160, false, 0);
    char *text = page_to_text(p);
    const char *bar = strstr(text, "stage 1"), *gathers = strstr(bar, "◫"),
               *sums = strstr(bar, "◪");
    assert_non_null(strstr(text, "reductions, then gathers"));
    assert_true(gathers && sums && sums < gathers);
    assert_non_null(strstr(text, "This lesson explains it."));
    free(text);
    page_free(p);
    drop(l);
}

/* Runs of different models, precisions or numbers of ranks: the head has each value once. */
static void the_head_is_of_all_runs(void **state) {
    static const struct {
        uint64_t params[3];
        const char *precision[3];
        uint32_t ranks[3];
        const char *says;
    } heads[] = {
        {{220544, 220544, 220544},
         {"fp32", "fp32", "fp32"},
         {4, 4, 4},
         "220.5K parameters, fp32, 4 ranks: rank 0"},
        {{236928, 236928, 728448},
         {"fp32", "", "fp32"},
         {4, 4, 4},
         "236.9K or 728.4K parameters, fp32, 4 ranks: rank 0"},
        {{236928, 728448, 236928},
         {"fp32", "bf16", "fp32"},
         {1, 2, 4},
         "236.9K or 728.4K parameters, fp32 or bf16, 1, 2 or 4 ranks: rank 0"},
        {{70000, 70001, 70002},
         {"fp32", "bf16", "fp16"},
         {1, 1, 1},
         "70K parameters, fp32, bf16 or fp16, 1 rank: rank 0"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(heads); i++) {
        struct ladder *l = ladder(3);
        for (size_t k = 0; k < 3; k++) {
            l->run[k]->setup.params = heads[i].params[k];
            snprintf(l->run[k]->setup.precision, sizeof l->run[k]->setup.precision, "%s",
                     heads[i].precision[k]);
            l->run[k]->ranks = heads[i].ranks[k];
        }
        assert_non_null(strstr(text_of(l), heads[i].says));
        drop(l);
    }
}

/* Collectives that were timed alone: the guess, the estimate, the surprise and its lesson stand
 * under their lines, and nothing of a training that there was not. */
static void collectives_end_as_other_labs_do(void **state) {
    static const char *const has[] = {"your guess    ✓ right: about 60 ms", "estimate      50 ms",
                                      "takes 138 times as long", "Lesson 2.5 explains it."};
    (void)state;
    struct experiment_state *run = base_alloc(sizeof *run);
    *run = (struct experiment_state){
        .started = true, .ended = true, .over = true, .label = "4 ranks", .ranks = 4, .seen = 4};
    run->setup.from = 4000;
    run->setup.to = 8000000;
    run->timings = 2;
    run->timing[0] =
        (struct experiment_timing){.op = EXPERIMENT_SENT_AR, .bytes = 4000, .seconds = 0.44e-3};
    run->timing[1] =
        (struct experiment_timing){.op = EXPERIMENT_SENT_AR, .bytes = 8000000, .seconds = 60.6e-3};
    struct page_lab_end end = {
        .runs = 1, .run = {run}, .guess = "about 60 ms", .right = "about 60 ms"};
    end.right = end.guess;
    end.estimate = "50 ms. It is: 30 ms";
    struct experiment_compared compared =
        experiment_compare(end.run, 1, experiment_lab_find("measure-collectives"));
    end.compared = &compared;
    struct page *p = page_new(80, false);
    page_lab_end(p, (struct page_flow){.indent = 1, .width = 78}, &end);
    char *text = page_to_text(p);
    for (size_t i = 0; i < BASE_COUNT(has); i++)
        if (!strstr(text, has[i])) fail_msg("no \"%s\" in:\n%s", has[i], text);
    assert_null(strstr(text, "last loss"));
    free(text);
    page_free(p);
    free(run);
}

/* A screen of 80×24 has all of them, and signs have their colours: what the table's columns are is
 * said where there is room. */
static void collectives_fit_with_a_wrong_guess(void **state) {
    static const struct {
        int rows;
        bool meanings;
    } cases[] = {{20, false}, {36, true}};
    (void)state;
    struct experiment_state *run = base_alloc(sizeof *run);
    *run = (struct experiment_state){
        .started = true, .ended = true, .over = true, .label = "4 ranks", .ranks = 4, .seen = 4};
    run->setup.from = 4000;
    run->setup.to = 8000000;
    for (uint8_t op = 0; op < EXPERIMENT_SENT_TIMED; op++) {
        run->timing[run->timings++] =
            (struct experiment_timing){.op = op, .bytes = 4000, .seconds = 0.44e-3, .fitted = true};
        run->timing[run->timings++] =
            (struct experiment_timing){.op = op, .bytes = 8000000, .seconds = 60.6e-3};
        run->line[op].known = true;
        run->line[op].fit =
            (struct account_link_fit){.latency = 0.07e-3, .rate = 0.2e9, .residual = 0.002};
    }
    struct page_lab_end end = {.runs = 1,
                               .run = {run},
                               .guess = "about 40 ms",
                               .right = "about 60 ms",
                               .estimate = "✗ wrong: 1 ms. It is 30 ms"};
    struct experiment_compared compared =
        experiment_compare(end.run, 1, experiment_lab_find("measure-collectives"));
    end.compared = &compared;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct page *p = page_new(80, false);
        end.rows = cases[i].rows;
        page_lab_end(p, (struct page_flow){.indent = 1, .width = 78}, &end);
        char *text = page_to_text(p);
        if (page_height(p) > end.rows || !strstr(text, "Off: ") == cases[i].meanings)
            fail_msg("%d of %d rows:\n%s", page_height(p), end.rows, text);
        for (int at = 0; at < page_height(p) * 80; at++) { /* of the guess, and of the estimate */
            const struct page_cell *sign = page_cell(p, at / 80, at % 80);
            assert_true(strcmp(sign->text, "✗") != 0 || sign->role == PAGE_BAD);
        }
        free(text);
        page_free(p);
    }
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_is_of_all_runs),
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(no_line_ends_within_a_name),
        cmocka_unit_test(runs_with_the_same_end_are_named_together),
        cmocka_unit_test(an_estimated_factor_is_told),
        cmocka_unit_test(the_same_is_as_long_in_every_run),
        cmocka_unit_test(it_is_said_in_sentences),
        cmocka_unit_test(an_all_reduce_is_parted),
        cmocka_unit_test(the_picture_is_named_as_it_is_drawn),
        cmocka_unit_test(collectives_end_as_other_labs_do),
        cmocka_unit_test(collectives_fit_with_a_wrong_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
