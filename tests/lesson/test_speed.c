/* Rounds of the speed challenge: what is asked, what counts, the clock, and what comes back. The
 * questions of these tests are their own answers: "128". */
#include "lesson/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

/* Problems by family. Those of the second row are too close to their mistakes: without the
 * gradients, 12 of 14 bytes are left. */
enum { FAMILIES = 4, VARIANTS = 4 };
static const char *const PROBLEMS[FAMILIES][VARIANTS] = {
    {"{'kind':'bytes','quantity':'model_state','unit':'GB','training':{'params':7e9,'precision':"
     "'fp32','gpus':8}}",
     "{'kind':'bytes','quantity':'model_state','unit':'GB','training':{'params':13e9,'precision':"
     "'fp32','gpus':8}}",
     "{'kind':'bytes','quantity':'model_state','unit':'GB','training':{'params':20e9,'precision':"
     "'mixed-bf16','gpus':8}}"},
    {"{'kind':'bytes','quantity':'model_state','unit':'GB','training':{'params':13e9,'precision':"
     "'mixed-bf16','gpus':8}}",
     "{'kind':'bytes','quantity':'model_state','unit':'GiB','training':{'params':13e9,'precision':"
     "'fp32','gpus':8}}"},
    {"{'kind':'traffic','quantity':'all_reduce','unit':'GB','training':{'params':34e9,'precision':"
     "'mixed-bf16','gpus':4}}",
     "{'kind':'traffic','quantity':'all_reduce','unit':'GB','training':{'params':7e9,'precision':"
     "'mixed-bf16','gpus':4}}"},
    {"{'kind':'shard','quantity':'real','rank':7,'unit':'parameters','training':{'params':85,"
     "'gpus':8}}"},
};

/* The variant of a problem, its answer in its unit as the question. */
static json_t *variant_of(const char *text) {
    struct account_problem p;
    struct account_solution s;
    struct base_message m = {0};
    char *json = base_dup(text), ask[40];
    for (char *c = json; *c; c++)
        if (*c == '\'') *c = '"';
    json_t *problem = fake_json(json);
    free(json);
    if (!lesson_problem_read(problem, &p, &m)) fail_msg("%s", m.what);
    assert_true(account_solve(&p, &s, NULL));
    snprintf(ask, sizeof ask, "%.10g", s.value / account_unit_scale(s.unit));
    return json_pack("{ss so}", "ask", ask, "problem", problem);
}

struct place {
    struct fake_source fake;
    struct lesson *pool;
};

/* A pool of the families whose bits are set. */
static struct place place_open(unsigned families) {
    struct place x = {0};
    struct base_message m = {0};
    json_t *steps = json_array();
    for (unsigned f = 0; f < FAMILIES; f++) {
        char id[] = {'p', (char)('a' + f), '\0'};
        x.fake.variants[f] = json_array();
        for (int v = 0; v < VARIANTS && PROBLEMS[f][v]; v++)
            json_array_append_new(x.fake.variants[f], variant_of(PROBLEMS[f][v]));
        if (families >> f & 1)
            json_array_append_new(steps, json_pack("{ss ss ss s{si}}", "kind", "problem", "id", id,
                                                   "form", "number", "vary", "fn", (int)f));
    }
    json_t *json =
        json_pack("{si ss ss so}", "v", 1, "id", "1.1", "title", "A lesson", "steps", steps);
    const struct lesson *l = lesson_read(json, "fake.lua", &m);
    if (!l) fail_msg("%s", m.what);
    x.pool = lesson_speed_pool(&l, 1, &m);
    lesson_free((struct lesson *)l);
    json_decref(json);
    return x;
}

static void place_close(struct place *x) {
    lesson_free(x->pool);
    for (int f = 0; f < FAMILIES; f++) json_decref(x->fake.variants[f]);
}

enum { STATES = 1, CLOSE = 2, TRAFFIC = 4, SHARDS = 8, EVERY = 15 };

static struct lesson_speed *begin(struct place *x, int64_t ms, uint64_t seed, bool choose) {
    const struct lesson_speed_options o = {.ms = ms, .seed = seed, .choose = choose};
    return lesson_speed_open(x->pool, fake_source(&x->fake), &o);
}

/* So many times the truth, or an answer that is none. */
static enum lesson_speed_came answer(struct lesson_speed *s, double times, int64_t now) {
    char text[40];
    snprintf(text, sizeof text, "%.10g", times * strtod(lesson_speed_asked(s)->ask, NULL));
    return lesson_speed_answer(s, text, now);
}

static void next(struct lesson_speed *s, int64_t now) {
    struct base_message m = {0};
    if (!lesson_speed_next(s, &m)) fail_msg("nothing is asked: %s", m.what);
    lesson_speed_run(s, now);
}

/* ── what is asked ─────────────────────────────────────────────────────────────────────────────*/
static void nothing_close_to_its_mistakes_is_asked(void **state) {
    struct place x = place_open(EVERY);
    bool seen[LESSON_SPEED_SUBJECTS] = {false};
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct lesson_speed *s = begin(&x, 0, seed, false);
        while (lesson_speed_next(s, NULL)) {
            const struct lesson_speed_question *q = lesson_speed_asked(s);
            assert_string_not_equal(q->item, "1.1/pb");
            assert_string_equal(q->lesson, "1.1");
            assert_string_not_equal(q->ask, "320");
            seen[q->subject] = true;
            answer(s, seed % 2 ? 1 : 3, 0);
        }
        lesson_speed_close(s);
    }
    assert_true(seen[LESSON_SPEED_STATES] && seen[LESSON_SPEED_TRAFFIC] &&
                seen[LESSON_SPEED_SHARDS]);
    place_close(&x);
}

static void a_subject_without_questions_says_so(void **state) {
    struct place x = place_open(EVERY);
    struct base_message m = {0};
    const struct lesson_speed_options o = {.subject = LESSON_SPEED_SECONDS};
    struct lesson_speed *s = lesson_speed_open(x.pool, fake_source(&x.fake), &o);
    (void)state;
    assert_false(lesson_speed_next(s, &m));
    assert_non_null(strstr(m.what, "choose another subject"));
    assert_true(lesson_speed_over(s));
    lesson_speed_close(s);
    place_close(&x);
    x = place_open(CLOSE);
    s = begin(&x, 60000, 1, false);
    assert_false(lesson_speed_next(s, &m));
    lesson_speed_close(s);
    x.fake.broken = -1;
    s = begin(&x, 60000, 1, false);
    assert_false(lesson_speed_next(s, &m));
    lesson_speed_close(s);
    place_close(&x);
}

static void the_same_seed_asks_the_same(void **state) {
    struct place x = place_open(EVERY);
    struct lesson_speed *a = begin(&x, 0, 7, true), *b = begin(&x, 0, 7, true);
    (void)state;
    while (lesson_speed_next(a, NULL)) {
        assert_true(lesson_speed_next(b, NULL));
        assert_string_equal(lesson_speed_asked(a)->ask, lesson_speed_asked(b)->ask);
        for (int i = 0; i < LESSON_SPEED_OPTIONS; i++)
            assert_string_equal(lesson_speed_asked(a)->option[i], lesson_speed_asked(b)->option[i]);
        assert_int_equal(lesson_speed_answer(a, "2", 0), lesson_speed_answer(b, "2", 0));
    }
    assert_false(lesson_speed_next(b, NULL));
    lesson_speed_close(a);
    lesson_speed_close(b);
    place_close(&x);
}

/* ── what counts ───────────────────────────────────────────────────────────────────────────────*/
static void within_a_tenth_is_right(void **state) {
    static const struct {
        double times;
        enum lesson_speed_came came;
    } rows[] = {{1, LESSON_SPEED_RIGHT},     {0.901, LESSON_SPEED_RIGHT},
                {1.099, LESSON_SPEED_RIGHT}, {0.899, LESSON_SPEED_WRONG},
                {1.101, LESSON_SPEED_WRONG}, {1 / 1.073741824, LESSON_SPEED_RIGHT}};
    struct place x = place_open(STATES);
    struct lesson_speed *s = begin(&x, 0, 3, false);
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        next(s, 0);
        if (answer(s, rows[i].times, 0) != rows[i].came) fail_msg("%g", rows[i].times);
        assert_int_equal(lesson_speed_result(s, i)->right, rows[i].came == LESSON_SPEED_RIGHT);
    }
    assert_null(lesson_speed_result(s, BASE_COUNT(rows)));
    /* what is right in GiB is within a tenth: it counts, and no mistake is named */
    assert_string_equal(lesson_speed_result(s, 5)->remark, "");
    assert_string_equal(lesson_speed_result(s, 0)->remark, "");
    lesson_speed_close(s);
    place_close(&x);
}

static void a_mistake_is_named(void **state) {
    struct place x = place_open(TRAFFIC);
    struct lesson_speed *s = begin(&x, 0, 3, false);
    (void)state;
    next(s, 0);
    assert_int_equal(answer(s, 4, 0), LESSON_SPEED_WRONG);
    assert_non_null(strstr(lesson_speed_result(s, 0)->remark, "added up"));
    lesson_speed_close(s);
    place_close(&x);
}

static void levels_rise_with_right_answers(void **state) {
    struct place x = place_open(STATES | TRAFFIC);
    struct lesson_speed *s = begin(&x, 0, 3, false);
    static const struct {
        double times;
        int level;
        size_t row;
    } rows[] = {{1, 1, 1}, {1, 2, 2}, {1, 2, 3}, {1, 3, 4}, {1, 3, 5}, {1, 3, 6},
                {9, 2, 0}, {9, 1, 0}, {9, 1, 0}, {1, 1, 1}, {1, 2, 2}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        next(s, 0);
        answer(s, rows[i].times, 0);
        assert_int_equal(lesson_speed_level(s), rows[i].level);
        assert_int_equal(lesson_speed_row(s), rows[i].row);
    }
    lesson_speed_close(s);
    place_close(&x);
}

static void what_is_no_answer_leaves_the_question(void **state) {
    struct place x = place_open(STATES);
    struct lesson_speed *s = begin(&x, 0, 3, false), *c = begin(&x, 0, 3, true);
    (void)state;
    next(s, 0);
    assert_int_equal(lesson_speed_answer(s, "apples", 0), LESSON_SPEED_UNREAD);
    assert_non_null(strstr(lesson_speed_unread(s), "apples"));
    assert_non_null(lesson_speed_asked(s));
    assert_int_equal(answer(s, 1, 0), LESSON_SPEED_RIGHT);
    assert_string_equal(lesson_speed_unread(s), "");
    next(c, 0);
    assert_int_equal(lesson_speed_answer(c, "5", 0), LESSON_SPEED_UNREAD);
    assert_int_equal(lesson_speed_answer(c, "112 GB", 0), LESSON_SPEED_UNREAD);
    assert_null(lesson_speed_result(c, 0));
    lesson_speed_close(s);
    lesson_speed_close(c);
    place_close(&x);
}

/* ── the clock ─────────────────────────────────────────────────────────────────────────────────*/
static void only_an_open_question_takes_time(void **state) {
    struct place x = place_open(STATES);
    struct lesson_speed *s = begin(&x, 60000, 3, false);
    (void)state;
    assert_int_equal(lesson_speed_left(s, 5000), 60000);
    next(s, 5000);
    assert_int_equal(lesson_speed_left(s, 15000), 50000);
    lesson_speed_hold(s, 15000);
    assert_false(lesson_speed_runs(s));
    assert_int_equal(lesson_speed_left(s, 900000), 50000);
    lesson_speed_run(s, 900000);
    answer(s, 1, 905000);
    assert_int_equal(lesson_speed_result(s, 0)->ms, 15000);
    assert_int_equal(lesson_speed_left(s, 990000), 45000);
    next(s, 1000000);
    assert_int_equal(answer(s, 1, 1044999), LESSON_SPEED_RIGHT);
    next(s, 2000000);
    assert_int_equal(answer(s, 1, 2000001), LESSON_SPEED_LATE);
    assert_true(lesson_speed_over(s));
    assert_false(lesson_speed_next(s, NULL));
    assert_int_equal(lesson_speed_tally(s, LESSON_SPEED_ALL).asked, 2);
    assert_int_equal(lesson_speed_left(s, 3000000), 0);
    lesson_speed_close(s);
    place_close(&x);
}

static void without_a_clock_a_dozen_are_asked(void **state) {
    struct place x = place_open(STATES);
    struct lesson_speed *s = begin(&x, 0, 3, false);
    size_t asked = 0;
    (void)state;
    assert_int_equal(lesson_speed_left(s, 0), -1);
    for (; lesson_speed_next(s, NULL); asked++) {
        lesson_speed_run(s, (int64_t)asked * 1000000);
        assert_int_equal(answer(s, 1, (int64_t)asked * 1000000 + 500000), LESSON_SPEED_RIGHT);
    }
    assert_int_equal(asked, LESSON_SPEED_UNTIMED);
    lesson_speed_close(s);
    place_close(&x);
}

static void the_slowest_subject_is_told(void **state) {
    struct place x = place_open(STATES | TRAFFIC);
    struct lesson_speed *s = begin(&x, 0, 3, false);
    int64_t now = 0;
    (void)state;
    while (lesson_speed_next(s, NULL)) {
        bool traffic = lesson_speed_asked(s)->subject == LESSON_SPEED_TRAFFIC;
        lesson_speed_run(s, now);
        now += traffic ? 9000 : 4000;
        answer(s, 1, now);
    }
    assert_int_equal(lesson_speed_slowest(s), LESSON_SPEED_TRAFFIC);
    struct lesson_speed_tally t = lesson_speed_tally(s, LESSON_SPEED_TRAFFIC);
    assert_true(t.asked >= 2 && t.right == t.asked && t.ms == 9000 * (int64_t)t.asked);
    lesson_speed_close(s);
    place_close(&x);
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/
static void the_truth_is_at_any_of_four_places(void **state) {
    struct place x = place_open(STATES | TRAFFIC);
    size_t at[LESSON_SPEED_OPTIONS] = {0}, all = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct lesson_speed *s = begin(&x, 0, seed, true);
        for (size_t i = 0; lesson_speed_next(s, NULL); i++) {
            size_t picked = i % LESSON_SPEED_OPTIONS;
            char text[] = {(char)('1' + picked), '\0'};
            lesson_speed_answer(s, text, 0);
            at[picked] += lesson_speed_result(s, i)->right;
            all++;
        }
        lesson_speed_close(s);
    }
    for (size_t i = 0; i < LESSON_SPEED_OPTIONS; i++) assert_in_range(at[i], all / 24, all / 10);
    place_close(&x);
}

/* ── afterwards ────────────────────────────────────────────────────────────────────────────────*/
static void what_was_missed_comes_back(void **state) {
    struct place x = place_open(STATES | TRAFFIC);
    struct lesson_speed *s = begin(&x, 60000, 3, false);
    char missed[3][40];
    (void)state;
    for (int i = 0; i < 6; i++) {
        next(s, 0);
        if (i % 2 == 0) snprintf(missed[i / 2], 40, "%s", lesson_speed_asked(s)->ask);
        if (i == 4)
            lesson_speed_answer(s, NULL, 1000);
        else
            answer(s, i % 2 == 0 ? 3 : 1, 1000);
    }
    next(s, 5000);
    lesson_speed_end(s, 6000);
    assert_null(lesson_speed_asked(s));
    assert_int_equal(lesson_speed_missed(s), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(lesson_speed_again(s));
        assert_int_equal(lesson_speed_nth(s), i + 1);
        assert_string_equal(lesson_speed_asked(s)->ask, missed[i]);
        assert_int_equal(answer(s, i == 1 ? 3 : 1, 9000000),
                         i == 1 ? LESSON_SPEED_WRONG : LESSON_SPEED_RIGHT);
        char *solution = lesson_speed_solution(s);
        assert_non_null(strstr(solution, missed[i]));
        assert_non_null(strstr(solution, "```"));
        free(solution);
    }
    assert_false(lesson_speed_again(s));
    /* what came back changes no result */
    assert_int_equal(lesson_speed_tally(s, LESSON_SPEED_ALL).right, 3);
    assert_int_equal(lesson_speed_missed(s), 3);
    lesson_speed_close(s);
    place_close(&x);
}

static void it_writes_how_it_went(void **state) {
    struct place x = place_open(STATES);
    struct lesson_speed *s = begin(&x, 60000, 3, false);
    (void)state;
    next(s, 0);
    answer(s, 1, 2500);
    next(s, 0);
    answer(s, 5, 1500);
    lesson_speed_end(s, 2000);
    json_t *how = lesson_speed_write(s);
    assert_string_equal(base_json_text(how, "subject", ""), "all");
    assert_int_equal(base_json_int(how, "ms", 0), 60000);
    assert_int_equal(base_json_int(how, "asked", 0), 2);
    assert_int_equal(base_json_int(how, "right", 0), 1);
    assert_int_equal(base_json_int(how, "spent", 0), 4000);
    assert_int_equal(json_array_size(json_object_get(how, "of")), 2);
    assert_string_equal(base_json_text(json_array_get(json_object_get(how, "of"), 1), "item", ""),
                        "1.1/pa");
    json_decref(how);
    lesson_speed_close(s);
    place_close(&x);
}

static void subjects_have_names(void **state) {
    (void)state;
    for (unsigned i = 0; i < LESSON_SPEED_SUBJECTS; i++) {
        enum lesson_speed_subject s = (enum lesson_speed_subject)i;
        assert_int_equal(lesson_speed_subject_find(lesson_speed_subject_name(s)), s);
        assert_true(*lesson_speed_subject_title(s));
    }
    assert_int_equal(lesson_speed_subject_find("cooking"), LESSON_SPEED_SUBJECTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_close_to_its_mistakes_is_asked),
        cmocka_unit_test(a_subject_without_questions_says_so),
        cmocka_unit_test(the_same_seed_asks_the_same),
        cmocka_unit_test(within_a_tenth_is_right),
        cmocka_unit_test(a_mistake_is_named),
        cmocka_unit_test(levels_rise_with_right_answers),
        cmocka_unit_test(what_is_no_answer_leaves_the_question),
        cmocka_unit_test(only_an_open_question_takes_time),
        cmocka_unit_test(without_a_clock_a_dozen_are_asked),
        cmocka_unit_test(the_slowest_subject_is_told),
        cmocka_unit_test(the_truth_is_at_any_of_four_places),
        cmocka_unit_test(what_was_missed_comes_back),
        cmocka_unit_test(it_writes_how_it_went),
        cmocka_unit_test(subjects_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
