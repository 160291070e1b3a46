/* Home once every lesson is done: what is due and until when nothing is, what the learner can do,
 * the mistake that is gone, the memo; with keys and with the mouse, at three sizes, and in lines.
 */
#include "base/scratch.h"

#include "command/graduate.h"
#include "command/run.h"
#include "session/session.h"
#include "store/store.h"
#include "tty/tty.h"

#include <limits.h>
#include <string.h>

static void finish_lessons(const char *record) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(record, &m);
    assert_non_null(who);
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_journal j = store_journal(session_learner_store(who));
    for (size_t i = 0; i < c->lessons; i++)
        assert_true(j.place_set(j.self, c->lesson[i].id,
                                &(struct lesson_place){.step = "end", .finished = true}, &m));
    session_learner_close(who);
}

static int finish(void **state) {
    char share[PATH_MAX];
    if (scratch_make(state) != 0 || !realpath(".", share)) return -1;
    setenv("ZEROTUTOR_SHARE", share, 1);
    setenv("ZEROTUTOR_HOME", *state, 1);
    char *record = base_format("%s/learner.db", (char *)*state);
    graduate(record, true);
    finish_lessons(record);
    free(record);
    return 0;
}

/* ── on the screen ─────────────────────────────────────────────────────────────────────────────*/
static struct tty *start(int columns, int rows, const char *option) {
    return tty_open(columns, rows, (const char *const[]){getenv("ZEROTUTOR"), option, NULL}, NULL);
}

static void on_a_screen(int columns, int rows, const char *option, bool mouse) {
    graduate_day(30);
    struct tty *t = start(columns, rows, option);
    tty_wait(t, "What you can do");
    tty_wait(t, "then nothing until tomorrow");
    tty_wait(t, "Model states");
    tty_settle(t);
    mouse ? tty_click(t, "Tab lessons") : tty_type(t, "<Tab>");
    tty_wait(t, "Where GPU");
    assert_false(tty_has(t, "What you can do"));
    tty_wait_row(t, -1, "Tab overview");
    tty_type(t, "<Tab>");
    tty_wait(t, "What you can do");
    for (int i = 0; i < 30; i++) tty_type(t, mouse ? "<wheel:down>" : "j");
    tty_wait(t, "Memo   passed");
    tty_wait(t, "the fp32 master copy was");
    tty_settle(t);
    mouse ? tty_click(t, "6 fading, 2 new") : tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "Review");
    tty_type(t, "<Esc>");
    tty_wait_row(t, -1, "Tab lessons");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void it_says_what_is_left(void **state) {
    (void)state;
    on_a_screen(80, 24, NULL, false);
    on_a_screen(80, 24, "--ascii", true);
    on_a_screen(120, 40, "--no-color", true);
    on_a_screen(60, 18, NULL, false);
}

/* Beside it, what comes today with what of it is likely recalled; beside a question, once it was
 * answered, what it rests on. */
static void a_wide_screen_names_what_fades(void **state) {
    (void)state;
    graduate_day(30);
    struct tty *t = start(120, 40, NULL);
    tty_wait(t, "Today's review");
    tty_wait(t, "◕ How many GPUs?           1.3   71%");
    tty_wait(t, "○ Bytes per parameter,     1.1   new");
    tty_wait(t, "What fades without practice");
    tty_type(t, "r");
    tty_wait_row(t, 0, "1 of 8");
    tty_type(t, "]");
    tty_wait_row(t, 0, "2 of 8");
    tty_wait(t, "Scratch paper");
    assert_false(tty_has(t, "It rests on"));
    tty_type(t, "9<Enter>");
    tty_wait(t, "It rests on");
    assert_false(tty_has(t, "Scratch paper"));
    tty_kill(t);
}

/* On the day of the last answers most is fresh. */
static void nothing_due_is_said(void **state) {
    (void)state;
    graduate_day(12);
    struct tty *t = start(80, 24, NULL);
    tty_wait(t, "What you can do");
    tty_wait(t, "since Monday");
    tty_wait(t, "▲ from 82%");
    tty_wait(t, "Nothing today: you have finished the course. Nothing until tomorrow.");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* ── for a prompt ──────────────────────────────────────────────────────────────────────────────*/
static void check_due(int day, const char *line, const char *says, int status) {
    graduate_day(day);
    struct run r = run_line(line, NULL);
    bool said = *says ? strstr(r.out, says) != NULL : *r.out == '\0';
    if (!said || r.status != status || *r.err)
        fail_msg("day %d, %s: status %d: %s%s", day, line, r.status, r.out, r.err);
    run_free(&r);
}

static void a_prompt_is_told_by_the_exit_status_too(void **state) {
    (void)state;
    check_due(30, "due", " due, ", 0);
    check_due(30, "due --json", "\"due\"", 0);
    check_due(12, "due", "", 1);
    check_due(12, "due --json", "\"due\"", 1);
}

/* ── in lines ──────────────────────────────────────────────────────────────────────────────────*/
static void it_is_said_in_lines(void **state) {
    static const char *const options[] = {"--linear", "--words"};
    (void)state;
    graduate_day(30);
    for (size_t i = 0; i < BASE_COUNT(options); i++) {
        char *line = base_format("learn %s", options[i]);
        struct run r = run_line(line, ":quit\n");
        static const char *const says[] = {"nothing until tomorrow", "Model states",
                                           "the fp32 master copy was forgotten", "passed, its"};
        for (size_t k = 0; k < BASE_COUNT(says); k++)
            if (!strstr(r.out, says[k])) fail_msg("\"%s\" is not in: %s", says[k], r.out);
        run_free(&r);
        free(line);
    }
}

/* An empty line takes what is due; once that was opened, it takes the next lesson. */
static void in_lines_what_is_due_comes_first(void **state) {
    (void)state;
    graduate_day(30);
    struct run r = run_line("learn --linear", "\n:quit\n:quit\n");
    char *first = strstr(r.out, "Press Enter for the review of today"),
         *asked = first ? strstr(first, "── 1 of ") : NULL;
    if (!asked || strstr(asked, "Press Enter for the review")) fail_msg("%s", r.out);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_is_left),
        cmocka_unit_test(a_wide_screen_names_what_fades),
        cmocka_unit_test(nothing_due_is_said),
        cmocka_unit_test(a_prompt_is_told_by_the_exit_status_too),
        cmocka_unit_test(it_is_said_in_lines),
        cmocka_unit_test(in_lines_what_is_due_comes_first),
    };
    return cmocka_run_group_tests(tests, finish, scratch_remove);
}
