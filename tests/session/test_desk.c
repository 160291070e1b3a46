/* The desk: progress, what comes next, finding and searching. */
#include "session/school.h"
#include "session/session.h"

/* The course of these tests, in its order. */
enum { FIRST, UNWRITTEN, REVIEW_1, CHECK_1, SECOND, REVIEW_2, CHECK_2, ALL };

static struct desk *open_desk(void) {
    struct base_message m = {0};
    struct desk *d = session_desk_open(NULL, &m);
    if (!d) fail_msg("%s", m.what);
    return d;
}

static struct session *sit(struct desk *d, const char *lesson) {
    struct base_message m = {0};
    struct session *s = session_open(d, lesson, &m);
    if (!s) fail_msg("%s", m.what);
    return s;
}

static void act(struct session *s, enum lesson_action_kind kind, const char *text) {
    while (session_event(s)) continue;
    session_do(s, &(struct lesson_action){.kind = kind, .text = text});
    while (session_event(s)) continue;
}

static void finish(struct desk *d, const char *lesson) {
    struct session *s = sit(d, lesson);
    while (lesson_asked(session_dialogue(s))) act(s, LESSON_DO_NEXT, NULL);
    session_close(s);
}

static void looking_something_up_changes_no_progress(void **state) {
    (void)state;
    struct desk *d = open_desk();
    struct session *s = sit(d, "2.1");
    act(s, LESSON_DO_GOTO, "end");
    act(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    assert_false(session_desk_progress(d, SECOND).opened);
    s = sit(d, "1.1");
    act(s, LESSON_DO_NEXT, NULL);
    act(s, LESSON_DO_GOTO, "end");
    session_close(s);
    struct desk_progress p = session_desk_progress(d, FIRST);
    assert_string_equal(p.step, "ddp-7b");
    assert_int_equal(p.standing, DESK_BEGUN);
    session_desk_close(d);
}

/* As the home screen does it: to the first step, and on from there. What was answered before stays
 * answered. */
static void a_finished_lesson_can_be_begun_anew(void **state) {
    (void)state;
    struct desk *d = open_desk();
    struct session *s = sit(d, "1.1");
    act(s, LESSON_DO_NEXT, NULL);
    act(s, LESSON_DO_ANSWER, "112");
    session_close(s);
    finish(d, "1.1");
    struct desk_progress before = session_desk_progress(d, FIRST);
    assert_int_equal(before.standing, DESK_SKIPPED); /* the two that were passed over */
    assert_int_equal(before.skipped, 2);
    assert_string_equal(before.step, "end");
    s = sit(d, "1.1");
    act(s, LESSON_DO_GOTO, "two-bytes");
    assert_string_equal(session_desk_progress(d, FIRST).step, "end");
    act(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    struct desk_progress after = session_desk_progress(d, FIRST);
    assert_int_equal(after.standing, DESK_SKIPPED);
    assert_string_equal(after.step, "ddp-7b");
    assert_int_equal(after.right, 1);
    assert_int_equal(after.graded, before.graded);
    session_desk_close(d);
}

/* ── skipping is not doing ─────────────────────────────────────────────────────────────────────*/
static void answer_at(struct desk *d, const char *step, const char *answer, const char *more) {
    struct session *s = sit(d, "1.1");
    act(s, LESSON_DO_GOTO, step);
    act(s, LESSON_DO_ANSWER, answer);
    if (more) act(s, LESSON_DO_ANSWER, more);
    session_close(s);
}

static void assert_skipped(struct desk *d, size_t skipped, const char *first) {
    struct desk_progress p = session_desk_progress(d, FIRST);
    assert_true(p.through);
    assert_int_equal(p.skipped, skipped);
    assert_string_equal(p.skip, first);
    assert_int_equal(p.standing, skipped ? DESK_SKIPPED : DESK_DONE);
}

/* Whatever it came to: an answer that is wrong is an answer, a working that was shown is none, nor
 * is a sheet of which a line is missing. */
static void a_lesson_is_done_once_all_it_asks_is_answered(void **state) {
    (void)state;
    struct desk *d = open_desk();
    finish(d, "1.1");
    assert_skipped(d, 3, "ddp-7b");
    struct session *s = sit(d, "1.1");
    act(s, LESSON_DO_GOTO, "ddp-7b");
    act(s, LESSON_DO_WORKED, NULL);
    session_close(s);
    assert_skipped(d, 3, "ddp-7b");
    answer_at(d, "ddp-7b", "1 GB", NULL);
    answer_at(d, "which", "2", NULL);
    assert_skipped(d, 1, "sheet-7b");
    answer_at(d, "sheet-7b", "56 GB", NULL);
    assert_skipped(d, 1, "sheet-7b");
    answer_at(d, "sheet-7b", "112 GB", NULL);
    assert_skipped(d, 0, "");
    assert_int_equal(session_desk_progress(d, FIRST).graded, 3);
    session_desk_close(d);
}

/* Its verdict is points, and it is asked all the same. */
static void a_memo_that_was_not_written_is_skipped(void **state) {
    school_put(state, "memo.lua", "second.lua");
    struct desk *d = open_desk();
    finish(d, "2.1");
    struct desk_progress p = session_desk_progress(d, SECOND);
    assert_int_equal(p.standing, DESK_SKIPPED);
    assert_string_equal(p.skip, "capstone");
    struct session *s = sit(d, "2.1");
    act(s, LESSON_DO_GOTO, "capstone");
    act(s, LESSON_DO_ANSWER, "# Decision\n\nZeRO-3, because nothing else fits.\n");
    session_close(s);
    assert_int_equal(session_desk_progress(d, SECOND).standing, DESK_DONE);
    session_desk_close(d);
}

/* A record of an older program says that the lesson was finished, and nothing of what it asks. */
static void an_older_finished_row_is_judged_by_its_answers(void **state) {
    static const char *const kept[] = {"asked/1.1", "graded/1.1"};
    (void)state;
    for (int answers = 0; answers < 2; answers++) {
        struct desk *d = open_desk();
        finish(d, "1.1");
        if (answers) {
            answer_at(d, "ddp-7b", "112 GB", NULL);
            answer_at(d, "sheet-7b", "56 GB", "112 GB");
            answer_at(d, "which", "1", NULL);
        }
        for (size_t i = 0; i < BASE_COUNT(kept); i++)
            assert_true(store_set(session_desk_store(d), kept[i], NULL, NULL));
        session_desk_close(d);
        d = open_desk();
        assert_skipped(d, answers ? 0 : 3, answers ? "" : "ddp-7b");
        session_desk_close(d);
    }
}

/* Item number `i` of a lesson that was crafted, answered right. */
static void answer_word(struct desk *d, int i) {
    struct lesson_journal j = store_journal(session_desk_store(d));
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
    struct desk *d = open_desk();
    finish(d, "1.1");
    for (int i = 0; i < WORDS; i++) base_text_printf(&words, "%sw%d", i ? " " : "", i);
    for (size_t i = 0; i < BASE_COUNT(kept); i++)
        assert_true(store_set(session_desk_store(d), kept[i], words.s, NULL));
    answer_word(d, 0);
    answer_word(d, 199);
    answer_word(d, 200);
    answer_word(d, WORDS - 1);
    struct desk_progress p = session_desk_progress(d, FIRST);
    assert_int_equal(p.right, 2);
    assert_int_equal(p.skipped, 198);
    assert_string_equal(p.skip, "w1");
    session_desk_close(d);
    base_text_free(&words);
}

static void a_fresh_desk_has_nothing_done(void **state) {
    (void)state;
    struct desk *d = open_desk();
    assert_int_equal(session_desk_course(d)->lessons, ALL);
    for (size_t i = 0; i < ALL; i++) {
        struct desk_progress p = session_desk_progress(d, i);
        assert_int_equal(p.exists, i != UNWRITTEN);
        assert_false(p.opened || p.through);
        assert_int_equal(p.standing, DESK_UNTOUCHED);
        assert_int_equal(p.step_number, 0);
        assert_int_equal(p.graded, 0);
    }
    assert_int_equal(session_desk_next(d), FIRST);
    session_desk_close(d);
}

static void progress_tells_the_step_and_what_was_right(void **state) {
    (void)state;
    struct desk *d = open_desk();
    struct session *s = sit(d, "1.1");
    act(s, LESSON_DO_NEXT, NULL);
    act(s, LESSON_DO_ANSWER, "112 GB");
    act(s, LESSON_DO_GOTO, "which");
    act(s, LESSON_DO_ANSWER, "2");
    session_close(s);
    struct desk_progress p = session_desk_progress(d, FIRST);
    assert_true(p.opened);
    assert_int_equal(p.standing, DESK_BEGUN);
    assert_string_equal(p.step, "which");
    assert_int_equal(p.step_number, 4); /* the cards between are passed over and not counted */
    assert_int_equal(p.graded, 3);      /* the sheet is still open */
    assert_int_equal(p.right, 1);
    session_desk_close(d);
}

static void the_next_lesson_is_the_unfinished_one_opened_last(void **state) {
    (void)state;
    struct desk *d = open_desk();
    struct session *s = sit(d, "2.1");
    act(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    /* it was only one step from its end, which is its recap, and asks nothing: done */
    assert_int_equal(session_desk_progress(d, SECOND).standing, DESK_DONE);
    assert_int_equal(session_desk_next(d), FIRST);
    finish(d, "1.1");
    /* whoever went on is not called back to those of phase 1 */
    assert_int_equal(session_desk_next(d), REVIEW_2);
    session_desk_close(d);
}

static void an_opened_lesson_comes_before_an_earlier_one(void **state) {
    (void)state;
    struct desk *d = open_desk();
    struct session *s = sit(d, "2.1");
    act(s, LESSON_DO_LEAVE, NULL);
    session_close(s);
    assert_int_equal(session_desk_next(d), SECOND);
    session_desk_close(d);
}

static void lessons_are_found_by_id_and_by_file(void **state) {
    struct desk *d = open_desk();
    char *path = base_format("%s/lessons/../lessons/second.lua", (const char *)*state);
    static const struct {
        const char *name;
        size_t found;
    } cases[] = {
        {"1.1",        FIRST    },
        {"1.2",        UNWRITTEN},
        {"1r",         REVIEW_1 },
        {"2c",         CHECK_2  },
        {"2.1",        SECOND   },
        {"second.lua", SECOND   },
        {"7.7",        ALL      },
        {"",           ALL      },
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        assert_int_equal(session_desk_find(d, cases[i].name), cases[i].found);
    assert_int_equal(session_desk_find(d, path), SECOND);
    free(path);
    session_desk_close(d);
}

/* ── search ────────────────────────────────────────────────────────────────────────────────────*/
static void note_hit(void *to, const struct desk_hit *h) {
    base_text_printf(to, "%s/%s: %s\n", h->lesson, h->step, h->excerpt);
}

static void search_finds_every_place_with_all_words(void **state) {
    static const struct {
        const char *words, *found;
    } cases[] = {
        {"elephant",
         "1.1/two-bytes: Two bytes A parameter in bf16 takes two bytes. An elephant takes more.\n"
         "2.1/hello: Hello. Elephants never forget.\n"                                             },
        {"ELEPHANTS forget",  "2.1/hello: Hello. Elephants never forget.\n"                        },
        {"optimizer updates",
         "1.1/two-bytes: master weights: the fp32 copy that the optimizer updates\n"               },
 /* a hint */
        {"count copies",      ""                                                                   },
 /* a card */
        {"2 B?",              ""                                                                   },
        {"overflows",
         "1.1/end: … the counter in the corner overflows, as counters do, and that a recap …\n"},
        {"short one",         "2.1/hello: 2.1 A short one\n"                                       },
        {"elephant bicycle",  ""                                                                   },
        {"  ",                ""                                                                   },
    };
    (void)state;
    struct desk *d = open_desk();
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_text found = {0};
        session_desk_search(d, cases[i].words, note_hit, &found);
        assert_string_equal(found.s ? found.s : "", cases[i].found);
        base_text_free(&found);
    }
    session_desk_close(d);
}

/* What the search says, the caller's. */
static char *found_by(struct desk *d, const char *words) {
    struct base_text found = {0};
    session_desk_search(d, words, note_hit, &found);
    return base_text_take(&found);
}

static void check_search(struct desk *d, const char *words, const char *says) {
    char *found = found_by(d, words);
    assert_string_equal(found, says);
    free(found);
}

static void a_term_leads_to_the_step_that_uses_it_first(void **state) {
    school_put(state, "terms.lua", "second.lua");
    struct desk *d = open_desk();
    check_search(d, "travel together", "2.1/sizes: bucket: gradients that travel together\n");
    check_search(d, "25 MB", "2.1/sizes: what size a bucket 25 MB\n");
    session_desk_close(d);
}

/* The language is put out of reach, so no lesson can be run any more. */
static void search_runs_a_lesson_once_until_it_is_edited(void **state) {
    static const char forget[] = "2.1/hello: Hello. Elephants never forget.\n";
    char *lua = scratch_path(state, "lua"), *away = scratch_path(state, "away");
    struct desk *d = open_desk();
    check_search(d, "never forget", forget);
    assert_int_equal(rename(lua, away), 0);
    check_search(d, "never forget", forget);
    school_put(state, "terms.lua", "second.lua");
    check_search(d, "never forget", "");
    assert_int_equal(rename(away, lua), 0);
    school_put(state, "second.lua", "second.lua");
    check_search(d, "never forget", forget);
    session_desk_close(d);
    free(away);
    free(lua);
}

static void search_passes_over_a_lesson_that_fails(void **state) {
    school_put(state, "broken.lua", "first.lua");
    struct desk *d = open_desk();
    struct base_text found = {0};
    session_desk_search(d, "elephant", note_hit, &found);
    assert_string_equal(found.s, "2.1/hello: Hello. Elephants never forget.\n");
    base_text_free(&found);
    session_desk_close(d);
}

static void a_missing_course_is_said(void **state) {
    struct base_message m = {0};
    school_put(state, "broken.lua", "course.json");
    assert_null(session_desk_open(NULL, &m));
    assert_non_null(strstr(m.file, "course.json"));
    assert_int_not_equal(m.what[0], '\0');
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_fresh_desk_has_nothing_done),
        IN_SCHOOL(a_lesson_is_done_once_all_it_asks_is_answered),
        IN_SCHOOL(a_memo_that_was_not_written_is_skipped),
        IN_SCHOOL(an_older_finished_row_is_judged_by_its_answers),
        IN_SCHOOL(no_more_words_are_read_than_a_lesson_has_steps),
        IN_SCHOOL(looking_something_up_changes_no_progress),
        IN_SCHOOL(progress_tells_the_step_and_what_was_right),
        IN_SCHOOL(the_next_lesson_is_the_unfinished_one_opened_last),
        IN_SCHOOL(an_opened_lesson_comes_before_an_earlier_one),
        IN_SCHOOL(lessons_are_found_by_id_and_by_file),
        IN_SCHOOL(search_finds_every_place_with_all_words),
        IN_SCHOOL(a_finished_lesson_can_be_begun_anew),
        IN_SCHOOL(a_term_leads_to_the_step_that_uses_it_first),
        IN_SCHOOL(search_runs_a_lesson_once_until_it_is_edited),
        IN_SCHOOL(search_passes_over_a_lesson_that_fails),
        IN_SCHOOL(a_missing_course_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
