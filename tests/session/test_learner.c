/* The learner: progress, what comes next, finding and searching. */
#include "session/school.h"
#include "session/pupil.h"

/* The course of these tests, in its order. */
enum { FIRST, UNWRITTEN, REVIEW_1, CHECK_1, SECOND, REVIEW_2, CHECK_2, ALL };

static void finish(struct learner *who, const char *lesson) {
    struct session *s = sit(who, lesson);
    while (lesson_asked(session_dialogue(s))) pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
}

static void looking_something_up_changes_no_progress(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, "end");
    pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    assert_false(session_learner_progress(who, FIRST).opened);
    s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_GOTO, "end");
    session_close(s);
    struct learner_progress p = session_learner_progress(who, FIRST);
    assert_string_equal(p.step, "ddp-7b");
    assert_int_equal(p.standing, LEARNER_BEGUN);
    session_learner_close(who);
}

/* Which steps of 1.1 a session, and a list without one, take for open once: "+-" in their order. */
static void see_opened(void *to, const struct learner_step *s) {
    base_text_puts(to, s->opened ? "+" : "-");
}

static void assert_opened(struct learner *who, const char *expected) {
    struct base_text t = {0};
    session_learner_steps(who, FIRST, see_opened, &t);
    assert_string_equal(t.s, expected);
    base_text_free(&t);
}

static void a_jump_leaves_steps_unopened(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_opened(who, "++++++"); /* of those that were passed, none */
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_opened(who, "++----");
    pass(s, LESSON_DO_GOTO, "which");
    pass(s, LESSON_DO_ANSWER, "2");
    assert_opened(who, "++-+--");
    assert_false(session_step_is_opened(s, "sheet-7b"));
    session_close(s);
    /* a record from before this was kept: all that was passed was open */
    assert_true(store_set(session_learner_store(who), "opened/1.1", NULL, NULL));
    s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_opened(who, "+++++-");
    session_close(s);
    session_learner_close(who);
}

/* As the home screen does it: to the first step, and on from there. What was answered before stays
 * answered. */
static void a_finished_lesson_can_be_begun_anew(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "112");
    session_close(s);
    finish(who, "1.1");
    struct learner_progress before = session_learner_progress(who, FIRST);
    assert_int_equal(before.standing, LEARNER_SKIPPED); /* the two that were passed over */
    assert_int_equal(before.skipped, 2);
    assert_string_equal(before.step, "end");
    s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, "two-bytes");
    assert_string_equal(session_learner_progress(who, FIRST).step, "end");
    pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    struct learner_progress after = session_learner_progress(who, FIRST);
    assert_int_equal(after.standing, LEARNER_SKIPPED);
    assert_string_equal(after.step, "ddp-7b");
    assert_int_equal(after.right, 1);
    assert_int_equal(after.graded, before.graded);
    session_learner_close(who);
}

/* ── skipping is not doing ─────────────────────────────────────────────────────────────────────*/
static void answer_at(struct learner *who, const char *step, const char *answer, const char *more) {
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, step);
    pass(s, LESSON_DO_ANSWER, answer);
    if (more) pass(s, LESSON_DO_ANSWER, more);
    session_close(s);
}

static void assert_skipped(struct learner *who, size_t skipped, const char *first) {
    struct learner_progress p = session_learner_progress(who, FIRST);
    assert_true(p.through);
    assert_int_equal(p.skipped, skipped);
    assert_string_equal(p.skip, first);
    assert_int_equal(p.standing, skipped ? LEARNER_SKIPPED : LEARNER_DONE);
}

/* Whatever it came to: an answer that is wrong is an answer, a working that was shown is none, nor
 * is a sheet of which a line is missing. */
static void a_lesson_is_done_once_all_it_asks_is_answered(void **state) {
    (void)state;
    struct learner *who = open_learner();
    finish(who, "1.1");
    assert_skipped(who, 3, "ddp-7b");
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, "ddp-7b");
    pass(s, LESSON_DO_WORKED, NULL);
    session_close(s);
    assert_skipped(who, 3, "ddp-7b");
    answer_at(who, "ddp-7b", "1 GB", NULL);
    answer_at(who, "which", "2", NULL);
    assert_skipped(who, 1, "sheet-7b");
    answer_at(who, "sheet-7b", "56 GB", NULL);
    assert_skipped(who, 1, "sheet-7b");
    answer_at(who, "sheet-7b", "112 GB", NULL);
    assert_skipped(who, 0, "");
    assert_int_equal(session_learner_progress(who, FIRST).graded, 3);
    session_learner_close(who);
}

/* Its verdict is points, and it is asked all the same. */
static void a_memo_that_was_not_written_is_skipped(void **state) {
    school_put(state, "memo.lua", "second.lua");
    struct learner *who = open_learner();
    finish(who, "2.1");
    struct learner_progress p = session_learner_progress(who, SECOND);
    assert_int_equal(p.standing, LEARNER_SKIPPED);
    assert_string_equal(p.skip, "capstone");
    struct session *s = sit(who, "2.1");
    pass(s, LESSON_DO_GOTO, "capstone");
    pass(s, LESSON_DO_ANSWER, "# Decision\n\nZeRO-3, because nothing else fits.\n");
    session_close(s);
    assert_int_equal(session_learner_progress(who, SECOND).standing, LEARNER_DONE);
    session_learner_close(who);
}

/* A record of an older program says that the lesson was finished, and nothing of what it asks. */
static void an_older_finished_row_is_judged_by_its_answers(void **state) {
    static const char *const kept[] = {"asked/1.1", "graded/1.1"};
    (void)state;
    for (int answers = 0; answers < 2; answers++) {
        struct learner *who = open_learner();
        finish(who, "1.1");
        if (answers) {
            answer_at(who, "ddp-7b", "112 GB", NULL);
            answer_at(who, "sheet-7b", "56 GB", "112 GB");
            answer_at(who, "which", "1", NULL);
        }
        for (size_t i = 0; i < BASE_COUNT(kept); i++)
            assert_true(store_set(session_learner_store(who), kept[i], NULL, NULL));
        session_learner_close(who);
        who = open_learner();
        assert_skipped(who, answers ? 0 : 3, answers ? "" : "ddp-7b");
        session_learner_close(who);
    }
}

/* Item number `i` of a lesson that was crafted, answered right. */
static void answer_word(struct learner *who, int i) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    char *item = base_format("1.1/w%d", i);
    struct lesson_answer a = {
        .item = item, .line = "", .try = 1, .typed = "1", .verdict = "right", .mistake = ""};
    assert_true(j.answer(j.self, &a, NULL));
    free(item);
}

/* No lesson has more than 200 steps: a record that says so is not gone through to its last word for
 * every row. */
static void no_more_words_are_read_than_a_lesson_has_steps(void **state) {
    enum { WORDS = 9000 };
    static const char *const kept[] = {"outline/1.1", "asked/1.1"};
    struct base_text words = {0};
    (void)state;
    struct learner *who = open_learner();
    finish(who, "1.1");
    for (int i = 0; i < WORDS; i++) base_text_printf(&words, "%sw%d", i ? " " : "", i);
    for (size_t i = 0; i < BASE_COUNT(kept); i++)
        assert_true(store_set(session_learner_store(who), kept[i], words.s, NULL));
    answer_word(who, 0);
    answer_word(who, 199);
    answer_word(who, 200);
    answer_word(who, WORDS - 1);
    struct learner_progress p = session_learner_progress(who, FIRST);
    assert_int_equal(p.right, 2);
    assert_int_equal(p.skipped, 198);
    assert_string_equal(p.skip, "w1");
    session_learner_close(who);
    base_text_free(&words);
}

static void a_fresh_learner_has_nothing_done(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_int_equal(session_learner_course(who)->lessons, ALL);
    for (size_t i = 0; i < ALL; i++) {
        struct learner_progress p = session_learner_progress(who, i);
        assert_int_equal(p.exists, i != UNWRITTEN);
        assert_false(p.opened || p.through);
        assert_int_equal(p.standing, LEARNER_UNTOUCHED);
        assert_int_equal(p.step_number, 0);
        assert_int_equal(p.graded, 0);
    }
    assert_int_equal(session_learner_next(who), FIRST);
    session_learner_close(who);
}

static void progress_tells_the_step_and_what_was_right(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "112 GB");
    pass(s, LESSON_DO_GOTO, "which");
    pass(s, LESSON_DO_ANSWER, "2");
    session_close(s);
    struct learner_progress p = session_learner_progress(who, FIRST);
    assert_true(p.opened);
    assert_int_equal(p.standing, LEARNER_BEGUN);
    assert_string_equal(p.step, "which");
    assert_int_equal(p.step_number, 4); /* the cards between are passed over and not counted */
    assert_int_equal(p.graded, 3);      /* the sheet is still open */
    assert_int_equal(p.right, 1);
    session_learner_close(who);
}

static void the_next_lesson_is_the_unfinished_one_opened_last(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "2.1");
    pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    /* it was only one step from its end, which is its recap, and asks nothing: done */
    assert_int_equal(session_learner_progress(who, SECOND).standing, LEARNER_DONE);
    assert_int_equal(session_learner_next(who), REVIEW_2);
    finish(who, "1.1");
    /* whoever went on is not called back to those of phase 1 */
    assert_int_equal(session_learner_next(who), REVIEW_2);
    session_learner_close(who);
}

/* What follows a lesson leads on from there, whichever other one is under way. */
static void after_a_lesson_comes_the_next_that_is_left(void **state) {
    (void)state;
    struct learner *who = open_learner();
    size_t all = session_learner_course(who)->lessons;
    finish(who, "1.1");
    assert_int_equal(session_learner_after(who, "1.1"), REVIEW_1);
    finish(who, "2.1");
    struct session *s = sit(who, "1.1"); /* taken again, and left */
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_int_equal(session_learner_after(who, "1.1"), REVIEW_2);
    assert_int_equal(session_learner_after(who, "no such lesson"), session_learner_next(who));
    for (size_t i = 0; i < all; i++)
        assert_int_not_equal(session_learner_after(who, session_learner_course(who)->lesson[i].id),
                             i);
    session_learner_close(who);
}

/* Opened to look at it, also at a step that something leads to, a lesson is not begun. */
static void a_lesson_that_was_only_opened_is_not_next(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "2.1");
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    s = sit(who, "2.1");
    pass(s, LESSON_DO_VISIT, base_json_text(lesson_step(session_lesson(s), 1), "id", ""));
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_false(session_learner_progress(who, SECOND).opened);
    assert_int_equal(session_learner_next(who), FIRST);
    finish(who, "1.1"); /* nor does it call off the review and the check of the phase before */
    assert_int_equal(session_learner_after(who, "1.1"), REVIEW_1);
    session_learner_close(who);
}

/* A look at a review is no reason to be sent there before the phase's lessons. */
static void a_review_left_at_its_first_problem_is_not_next(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session *s = sit(who, "1r");
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_int_equal(session_learner_next(who), FIRST);
    s = sit(who, "1r");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_int_equal(session_learner_next(who), REVIEW_1);
    session_learner_close(who);
}

static void lessons_are_found_by_id_and_by_file(void **state) {
    struct learner *who = open_learner();
    char *path = base_format("%s/lessons/../lessons/second.lua", (const char *)*state);
    static const struct {
        const char *name;
        size_t found;
    } cases[] = {
        {"1.1", FIRST},  {"1.2", UNWRITTEN},     {"1r", REVIEW_1}, {"2c", CHECK_2},
        {"2.1", SECOND}, {"second.lua", SECOND}, {"7.7", ALL},     {"", ALL},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        assert_int_equal(session_learner_find(who, cases[i].name), cases[i].found);
    assert_int_equal(session_learner_find(who, path), SECOND);
    free(path);
    session_learner_close(who);
}

/* ── search ────────────────────────────────────────────────────────────────────────────────────*/
static void note_hit(void *to, const struct session_hit *h) {
    base_text_printf(to, "%s %s (%s): %s\n", session_kind_name(h->kind), h->title, h->place,
                     h->excerpt);
}

/* What the search says, the caller's. */
static char *found_by(struct learner *who, const struct session_query *q) {
    struct base_text found = {0};
    session_search(who, q, note_hit, &found);
    return base_text_take(&found);
}

static void check_search(struct learner *who, const char *words, const char *says) {
    char *found = found_by(who, &(struct session_query){.words = words});
    assert_string_equal(found, says);
    free(found);
}

static void search_finds_every_place_with_all_words(void **state) {
    static const struct {
        const char *words, *found;
    } cases[] = {
        {"elephant",
         "step Two bytes (1.1 step 1): A parameter in bf16 takes two bytes. An elephant takes "
         "more.\n"
         "step A short one (2.1 step 1): Hello. Elephants never forget.\n"},
        {"ELEPHANTS forget", "step A short one (2.1 step 1): Hello. Elephants never forget.\n"},
        {"optimizer updates",
         "term master weights (1.1): the fp32 copy that the optimizer updates\n"},
        /* another word for it */
        {"box of gradients",
         "term bucket (2.1): gradients that travel together (box of gradients)\n"},
        {"how weight", "question How many bytes? (1.1): Two for each weight: 2 GB for 1B.\n"},
        /* a lesson's id, with how it begins if it has no goal */
        {"2.1", "lesson A short one (2.1): Hello. Elephants never forget.\n"},
        {"1R", "lesson Review: Beginnings (1r): Problems from the whole phase. First those you "
               "missed, then new ones.\n"},
        /* a lab by its name */
        {"stage-ladder",
         "lab The ladder: stages 0, 1, 2, 3 (stage-ladder): The same model trains on the same data "
         "four times, under stages 0 to 3 …\n"},
        /* a hint */
        {"count copies", ""},
        /* a card of a lesson that was not gone through */
        {"2 B?", ""},
        {"elephant bicycle", ""},
        {"  ", ""},
    };
    (void)state;
    struct learner *who = open_learner();
    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        check_search(who, cases[i].words, cases[i].found);
    session_learner_close(who);
}

static void entries_whose_title_has_the_words_come_first(void **state) {
    (void)state;
    struct learner *who = open_learner();
    char *found = found_by(who, &(struct session_query){.words = "short"});
    if (strncmp(found, "lesson A short one (2.1)", strlen("lesson A short one (2.1)")) != 0)
        fail_msg("%s", found);
    free(found);
    session_learner_close(who);
}

static void a_list_of_one_kind_needs_no_words(void **state) {
    (void)state;
    struct learner *who = open_learner();
    char *found = found_by(who, &(struct session_query){.words = "", .kinds = 1u << SESSION_TERM});
    assert_string_equal(found,
                        "term bucket (2.1): gradients that travel together (box of gradients)\n"
                        "term master weights (1.1): the fp32 copy that the optimizer "
                        "updates\n");
    free(found);
    session_learner_close(who);
}

static void cards_are_found_once_their_lesson_was_gone_through(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct lesson_journal j = store_journal(session_learner_store(who));
    assert_true(
        j.place_set(j.self, "1.1", &(struct lesson_place){.step = "end", .finished = true}, NULL));
    check_search(who, "2 B?", "card 2 B? (1.1): bf16\n");
    struct session_entry *e = session_entry_open(who, SESSION_CARD, "1.1/card-1", false, NULL);
    assert_non_null(e);
    assert_string_equal(e->text, "bf16");
    session_entry_close(e);
    session_learner_close(who);
}

static void a_lesson_is_read_by_its_number(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session_entry *e = session_entry_open(who, SESSION_LESSON, "1r", false, NULL);
    assert_string_equal(e->title, "Review: Beginnings");
    assert_string_equal(e->text, lesson_kind_says(LESSON_REVIEW));
    session_entry_close(e);
    e = session_entry_open(who, SESSION_LESSON, "2.1", false, NULL);
    assert_string_equal(e->title, "A short one");
    assert_string_equal(e->text, ""); /* it has no goal */
    session_entry_close(e);
    assert_null(session_entry_open(who, SESSION_LESSON, "9.9", false, NULL));
    session_learner_close(who);
}

static void commands_are_found_as_the_program_tells_them(void **state) {
    static const struct session_command told[] = {
        {.name = "mem", .summary = "what one GPU keeps", .about = "It *keeps*. A history."},
        {.name = "settings",
         .summary = "changes colours",
         .about = "Press S.",
         .title = "Settings"},
    };
    (void)state;
    struct learner *who = open_learner();
    session_learner_set_commands(who, told, BASE_COUNT(told));
    check_search(who, "zerotutor gpu keeps",
                 "command zerotutor mem (command): what one GPU keeps. It keeps. A history.\n");
    check_search(who, "history",
                 "command zerotutor mem (command): what one GPU keeps. It keeps. A history.\n");
    check_search(who, "settings", "command Settings (command): changes colours. Press S.\n");
    struct session_entry *e = session_entry_open(who, SESSION_COMMAND, "mem", false, NULL);
    assert_string_equal(e->text, "It *keeps*. A history.");
    session_entry_close(e);
    e = session_entry_open(who, SESSION_COMMAND, "settings", false, NULL);
    assert_string_equal(e->title, "Settings");
    session_entry_close(e);
    session_learner_close(who);
}

/* Reading a lesson takes some milliseconds, for which who types does not wait. */
static void search_can_leave_out_what_was_not_read(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct session_query q = {.words = "elephant", .at_once = true};
    char *before = found_by(who, &q);
    assert_string_equal(before, "");
    int read = 0;
    for (; session_search_waits(who); read++) session_search_read(who);
    assert_int_equal(read, 2);
    char *after = found_by(who, &q);
    assert_non_null(strstr(after, "Elephants never forget"));
    free(after);
    free(before);
    session_learner_close(who);
}

static void a_term_has_its_formula_unless_a_question_is_open(void **state) {
    struct base_message m = {0};
    (void)state;
    struct learner *who = open_learner();
    struct session_entry *e = session_entry_open(who, SESSION_TERM, "Master Weights", false, &m);
    if (!e) fail_msg("%s", m.what);
    assert_string_equal(e->text, "the fp32 copy that the optimizer updates\n\n`2Ψ`\n\n"
                                 "1B weights take 2 GB.");
    assert_string_equal(e->lesson, "1.1");
    assert_string_equal(json_string_value(json_array_get(e->related, 0)), "bucket");
    session_entry_close(e);
    e = session_entry_open(who, SESSION_TERM, "master weights", true, &m);
    assert_string_equal(e->text, "the fp32 copy that the optimizer updates");
    session_entry_close(e);
    e = session_entry_open(who, SESSION_TERM, "box of gradients", false, &m);
    assert_string_equal(e->title, "bucket");
    session_entry_close(e);
    assert_null(session_entry_open(who, SESSION_TERM, "bicycle", false, &m));
    assert_string_equal(m.what, "unknown term 'bicycle'");
    session_learner_close(who);
}

static void a_question_is_opened_by_its_number_or_id(void **state) {
    static const char *const names[] = {"1", "how-many"};
    struct base_message m = {0};
    (void)state;
    struct learner *who = open_learner();
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        struct session_entry *e = session_entry_open(who, SESSION_QUESTION, names[i], false, &m);
        if (!e) fail_msg("%s", m.what);
        assert_string_equal(e->text, "Two for each weight: 2 GB for 1B.");
        assert_string_equal(e->step, "two-bytes");
        assert_non_null(e->figure);
        session_entry_close(e);
    }
    assert_null(session_entry_open(who, SESSION_QUESTION, "0", false, &m));
    assert_null(session_entry_open(who, SESSION_QUESTION, "2", false, &m));
    session_learner_close(who);
}

/* The language is put out of reach, so no lesson can be run any more. */
static void search_runs_a_lesson_once_until_it_is_edited(void **state) {
    static const char forget[] = "step A short one (2.1 step 1): Hello. Elephants never forget.\n";
    char *lua = scratch_path(state, "lua"), *away = scratch_path(state, "away");
    struct learner *who = open_learner();
    check_search(who, "never forget", forget);
    assert_int_equal(rename(lua, away), 0);
    check_search(who, "never forget", forget);
    school_put(state, "terms.lua", "second.lua");
    check_search(who, "never forget", "");
    assert_int_equal(rename(away, lua), 0);
    school_put(state, "second.lua", "second.lua");
    check_search(who, "never forget", forget);
    session_learner_close(who);
    free(away);
    free(lua);
}

static void search_passes_over_a_lesson_that_fails(void **state) {
    school_put(state, "broken.lua", "first.lua");
    struct learner *who = open_learner();
    check_search(who, "elephant",
                 "step A short one (2.1 step 1): Hello. Elephants never forget.\n");
    session_learner_close(who);
}

static void a_missing_course_is_said(void **state) {
    struct base_message m = {0};
    school_put(state, "broken.lua", "course.json");
    assert_null(session_learner_open(NULL, &m));
    assert_non_null(strstr(m.file, "course.json"));
    assert_int_not_equal(m.what[0], '\0');
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_fresh_learner_has_nothing_done),
        IN_SCHOOL(a_lesson_is_done_once_all_it_asks_is_answered),
        IN_SCHOOL(a_memo_that_was_not_written_is_skipped),
        IN_SCHOOL(an_older_finished_row_is_judged_by_its_answers),
        IN_SCHOOL(no_more_words_are_read_than_a_lesson_has_steps),
        IN_SCHOOL(looking_something_up_changes_no_progress),
        IN_SCHOOL(a_jump_leaves_steps_unopened),
        IN_SCHOOL(progress_tells_the_step_and_what_was_right),
        IN_SCHOOL(the_next_lesson_is_the_unfinished_one_opened_last),
        IN_SCHOOL(after_a_lesson_comes_the_next_that_is_left),
        IN_SCHOOL(a_lesson_that_was_only_opened_is_not_next),
        IN_SCHOOL(a_review_left_at_its_first_problem_is_not_next),
        IN_SCHOOL(lessons_are_found_by_id_and_by_file),
        IN_SCHOOL(search_finds_every_place_with_all_words),
        IN_SCHOOL(a_finished_lesson_can_be_begun_anew),
        IN_SCHOOL(entries_whose_title_has_the_words_come_first),
        IN_SCHOOL(a_list_of_one_kind_needs_no_words),
        IN_SCHOOL(cards_are_found_once_their_lesson_was_gone_through),
        IN_SCHOOL(a_lesson_is_read_by_its_number),
        IN_SCHOOL(commands_are_found_as_the_program_tells_them),
        IN_SCHOOL(search_can_leave_out_what_was_not_read),
        IN_SCHOOL(a_term_has_its_formula_unless_a_question_is_open),
        IN_SCHOOL(a_question_is_opened_by_its_number_or_id),
        IN_SCHOOL(search_runs_a_lesson_once_until_it_is_edited),
        IN_SCHOOL(search_passes_over_a_lesson_that_fails),
        IN_SCHOOL(a_missing_course_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
