/* The step of a memo: checks are kept, a memo that passes brings another case, and whoever leaves
 * finds the same one again. */
#include "lesson/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LESSON                                                                                     \
    "{\"v\":1,\"id\":\"9.9\",\"title\":\"Memo\",\"steps\":["                                       \
    "{\"kind\":\"memo\",\"id\":\"capstone\",\"text\":\"Write it.\"},"                              \
    "{\"kind\":\"recap\",\"id\":\"end\",\"text\":\"That was it.\"}]}"

struct taken {
    struct fake_source source;
    struct fake_journal journal;
    struct lesson *lesson;
    struct lesson_dialogue *d;
    /* all texts since the last action */
    struct base_text said;
};

static void hear(struct taken *t) {
    const struct lesson_event *e;
    base_text_free(&t->said);
    while ((e = lesson_event(t->d)) != NULL)
        base_text_printf(&t->said, "%s\n", e->text ? e->text : "");
}

static void sit(struct taken *t) {
    struct base_message m = {0};
    lesson_dialogue_free(t->d);
    t->d =
        lesson_dialogue_open(t->lesson, fake_source(&t->source), fake_journal(&t->journal), 7, &m);
    assert_non_null(t->d);
    hear(t);
}

static void act(struct taken *t, enum lesson_action_kind kind, const char *text) {
    lesson_do(t->d, &(struct lesson_action){.kind = kind, .text = text});
    hear(t);
}

static int open_lesson(void **state) {
    struct taken *t = base_alloc(sizeof *t);
    struct base_message m = {0};
    json_t *json = fake_json(LESSON);
    t->lesson = lesson_read(json, "fake.lua", &m);
    json_decref(json);
    *state = t;
    if (t->lesson == NULL) return -1;
    sit(t);
    return 0;
}

static int close_lesson(void **state) {
    struct taken *t = *state;
    lesson_dialogue_free(t->d);
    lesson_free(t->lesson);
    fake_journal_free(&t->journal);
    fake_source_free(&t->source);
    base_text_free(&t->said);
    free(t);
    return 0;
}

static const struct lesson_ask *asked(const struct taken *t) {
    return lesson_asked(t->d);
}

static void assert_said(const struct taken *t, const char *words) {
    if (strstr(t->said.s, words) == NULL) fail_msg("\"%s\" is not in:\n%s", words, t->said.s);
}

static char *good_memo(void) {
    struct base_message m = {0};
    char *text = base_file_read("tests/memo/good-13b.md", 1 << 20, NULL, &m);
    if (text == NULL) fail_msg("%s", m.what);
    return text;
}

static void pass(struct taken *t) {
    char *memo = good_memo();
    act(t, LESSON_DO_ANSWER, memo);
    free(memo);
}

/* Past the questions, without an answer to them. */
static void skip_questions(struct taken *t) {
    for (int i = 0; i < MEMO_QUESTIONS; i++) {
        assert_int_equal(asked(t)->form, LESSON_NUMBER);
        act(t, LESSON_DO_NEXT, NULL);
    }
    assert_int_equal(asked(t)->form, LESSON_NEXT);
}

static void first_comes_the_courses_case(void **state) {
    struct taken *t = *state;
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    assert_string_equal(asked(t)->memo, "capstone");
    assert_said(t, "Write it.");
    assert_said(t, "13e9 parameters, 8 × A100 80 GB");
    assert_non_null(strstr(asked(t)->memo_begins, "Scenario: 13e9 parameters"));
}

static void one_that_does_not_pass_stays(void **state) {
    struct taken *t = *state;
    char *empty = base_dup(asked(t)->memo_begins);
    act(t, LESSON_DO_ANSWER, empty);
    free(empty);
    assert_said(t, "Does not pass");
    assert_null(strstr(t->said.s, "trap"));
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    assert_string_equal(asked(t)->memo, "capstone");
    act(t, LESSON_DO_FRESH, NULL);
    assert_said(t, "once a memo on this one passes");
    act(t, LESSON_DO_ANSWER, "");
    assert_said(t, "Does not pass");
    assert_int_equal(t->journal.rows, 2);
    assert_false(base_json_bool(t->journal.row[1].problem, "passes", true));
}

static void one_that_passes_brings_another(void **state) {
    struct taken *t = *state;
    pass(t);
    assert_said(t, "The trap you avoided: Stage 1 fits on paper, with 71.5 GB");
    skip_questions(t);
    assert_true(asked(t)->fresh);
    const struct fake_row *r = &t->journal.row[0];
    assert_string_equal(r->verdict, "noted");
    assert_true(base_json_bool(r->problem, "passes", false));
    assert_true(r->value > 0);
    sit(t);
    assert_said(t, "passed.");
    skip_questions(t);
    act(t, LESSON_DO_FRESH, NULL);
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    assert_string_equal(asked(t)->memo, "capstone-2");
    char *begins = base_dup(asked(t)->memo_begins);
    assert_null(strstr(begins, "Scenario: 13e9 parameters, 8 × A100 80 GB"));
    sit(t);
    assert_string_equal(asked(t)->memo, "capstone-2");
    assert_string_equal(asked(t)->memo_begins, begins);
    free(begins);
}

static char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    return base_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* What it says may all hold: it is not what was asked. */
static void one_on_another_case_is_checked_and_does_not_pass(void **state) {
    struct taken *t = *state;
    char *memo = good_memo(), *other = replaced(memo, "8 × A100 80 GB", "8 × H100 80 GB");
    act(t, LESSON_DO_ANSWER, other);
    assert_said(t, "another case");
    assert_said(t, "*8 × H100 80 GB");
    assert_said(t, "*8 × A100 80 GB");
    assert_said(t, "Does not pass");
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    assert_false(base_json_bool(t->journal.row[0].problem, "passes", true));
    free(other);
    free(memo);
}

static void the_line_as_it_was_set_is_the_case(void **state) {
    struct taken *t = *state;
    pass(t);
    act(t, LESSON_DO_FRESH, NULL);
    char *begins = base_dup(asked(t)->memo_begins);
    act(t, LESSON_DO_ANSWER, begins);
    assert_said(t, "Does not pass");
    assert_null(strstr(t->said.s, "another case"));
    free(begins);
}

static void what_passes_is_marked_so(void **state) {
    struct taken *t = *state;
    const struct lesson_event *e;
    char *memo = good_memo();
    bool right = false;
    lesson_do(t->d, &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = memo});
    while ((e = lesson_event(t->d)) != NULL)
        if (e->kind == LESSON_VERDICT) right = e->right;
    assert_true(right);
    free(memo);
}

static void a_long_memo_is_checked_whole(void **state) {
    struct taken *t = *state;
    char *memo = good_memo();
    struct base_text all = {0};
    for (int i = 0; i < 1000; i++)
        base_text_puts(&all, "Words that say nothing of figures, and go on for a while.\n");
    base_text_puts(&all, "\n");
    base_text_puts(&all, memo);
    act(t, LESSON_DO_ANSWER, all.s);
    assert_said(t, "Passes");
    skip_questions(t);
    base_text_free(&all);
    free(memo);
}

static void what_cannot_be_kept_does_not_count(void **state) {
    struct taken *t = *state;
    t->journal.full = true;
    pass(t);
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    assert_said(t, "could not be saved");
}

/* The engine's answer to a question on the good memo, times a factor; the caller's. */
static char *answer_to(size_t i, double by) {
    struct memo_report r;
    struct account_solution s;
    char out[64], *memo = good_memo();
    assert_true(memo_read(memo, strlen(memo), NULL, &r, NULL));
    assert_int_equal(r.questions, MEMO_QUESTIONS);
    assert_true(account_solve(&r.question[i].problem, &s, NULL));
    const struct account_training *own = &r.config[MEMO_THE_DECISION].is.training;
    assert_memory_not_equal(&r.question[i].problem.training, own, sizeof *own);
    memo_free(&r);
    free(memo);
    return base_dup(account_print(out, sizeof out, by * s.value, s.unit, 4));
}

/* The memo is out of sight, and each of its questions has other values than it. */
static void questions_follow_and_are_judged(void **state) {
    struct taken *t = *state;
    pass(t);
    assert_said(t, "with the memo closed");
    for (size_t i = 0; i < MEMO_QUESTIONS; i++) {
        char *words = base_format("Question %zu of 3", i + 1), *said = answer_to(i, i ? 1 : 1.3);
        assert_said(t, words);
        assert_null(asked(t)->memo);
        assert_int_equal(asked(t)->form, LESSON_NUMBER);
        act(t, LESSON_DO_ANSWER, "no idea");
        assert_said(t, "cannot be read");
        act(t, LESSON_DO_ANSWER, said);
        assert_said(t, i ? "Right:" : "```"); /* with the arithmetic */
        assert_said(t, "```");
        const struct fake_row *r = &t->journal.row[t->journal.rows - 1];
        assert_string_equal(r->verdict, "noted");
        assert_string_equal(r->typed, said);
        assert_non_null(base_json_text(r->problem, "ask", NULL));
        free(said);
        free(words);
    }
    assert_int_equal(asked(t)->form, LESSON_NEXT);
    assert_true(asked(t)->fresh);
    assert_said(t, "That was the last question, and this memo is done. Press Enter");
    sit(t);
    assert_said(t, "passed.");
    assert_int_equal(asked(t)->form, LESSON_NEXT);
}

static void questions_left_open_come_again(void **state) {
    struct taken *t = *state;
    pass(t);
    char *said = answer_to(0, 1);
    act(t, LESSON_DO_ANSWER, said);
    sit(t);
    assert_said(t, "Question 2 of 3");
    assert_int_equal(asked(t)->form, LESSON_NUMBER);
    act(t, LESSON_DO_NEXT, NULL);
    assert_said(t, "Here it is, line by line");
    assert_said(t, "Question 3 of 3");
    free(said);
}

static void what_a_myth_says_is_noted(void **state) {
    struct taken *t = *state;
    static const struct memo_myth myth = {"stage 3 costs nothing", "2.3", "Stage 3 is free."};
    struct memo_context checks = {.myth = &myth, .myths = 1};
    char *memo = good_memo(); /* a line may end within it */
    char *with = base_format("%s\n\nSome say that stage 3\ncosts nothing.\n", memo);
    lesson_do(t->d,
              &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = with, .memo = &checks});
    hear(t);
    assert_said(t, "**note**, stage 3 costs nothing: lesson 2.3 answers that");
    free(with);
    free(memo);
}

static void next_goes_on_without(void **state) {
    struct taken *t = *state;
    act(t, LESSON_DO_NEXT, NULL);
    assert_said(t, "That was it.");
}

static enum memo_quoted quoted(void *self, long run, const char *what, double *value,
                               struct base_message *m) {
    (void)what, (void)value;
    *(long *)self = run;
    base_fail(m, "no such run");
    return MEMO_REFUTED;
}

static void quotations_are_looked_up(void **state) {
    struct taken *t = *state;
    long run = 0;
    struct memo_evidence runs = {&run, quoted};
    char *memo = good_memo(), *with = base_format("%s\n\nThe lab: [run 12: peak 1.83 GB].\n", memo);
    struct memo_context checks = {.runs = &runs};
    lesson_do(t->d,
              &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = with, .memo = &checks});
    assert_int_equal(run, 12);
    assert_int_equal(asked(t)->form, LESSON_WRITE);
    free(with);
    free(memo);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_lesson, close_lesson)
    const struct CMUnitTest tests[] = {
        TEST(first_comes_the_courses_case),
        TEST(one_that_does_not_pass_stays),
        TEST(one_that_passes_brings_another),
        TEST(a_long_memo_is_checked_whole),
        TEST(one_on_another_case_is_checked_and_does_not_pass),
        TEST(the_line_as_it_was_set_is_the_case),
        TEST(what_passes_is_marked_so),
        TEST(what_cannot_be_kept_does_not_count),
        TEST(questions_follow_and_are_judged),
        TEST(questions_left_open_come_again),
        TEST(what_a_myth_says_is_noted),
        TEST(next_goes_on_without),
        TEST(quotations_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
