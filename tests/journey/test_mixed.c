/* Reviews, checks and placement in both skins, in the course of tests/session/lessons/mixed.json,
 * whose first choice is always right; and kill -9 in the middle of a check. */
#include "session/school.h"

#include "session/session.h"
#include "tty/tty.h"

#include <sys/wait.h>

static int school(void **state) {
    static const char *const lessons[] = {"mixed-a.lua", "mixed-b.lua", "mixed-c.lua",
                                          "mixed-d.lua"};
    if (school_open(state) != 0) return -1;
    school_put(state, "mixed.json", "course.json");
    for (size_t i = 0; i < BASE_COUNT(lessons); i++) school_put(state, lessons[i], lessons[i]);
    return 0;
}

/* What a command prints that reads `lines`; the caller's. */
static char *linear(void **state, const char *lines, const char *command, int *status) {
    char *out = scratch_path(state, "out");
    char *line = base_format("printf '%s' | '%s' %s --linear >'%s' 2>&1", lines,
                             getenv("ZEROTUTOR"), command, out);
    size_t n;
    *status = WEXITSTATUS(system(line));
    char *text = base_file_read(out, 1 << 20, &n, NULL);
    free(line);
    free(out);
    return text;
}

static void prints(void **state, const char *lines, const char *command, const char *says) {
    int status;
    char *text = linear(state, lines, command, &status);
    if (!strstr(text, says)) fail_msg("%s: no \"%s\" in:\n%s", command, says, text);
    assert_int_equal(status, 0);
    free(text);
}

#define SIX_RIGHT "1\\n\\n1\\n\\n1\\n\\n1\\n\\n1\\n\\n1\\n\\n"
static void in_lines(void **state) {
    prints(state, ":quit\\n", "", "2  Middles  opens with 1c");
    prints(state, "2.1\\n:quit\\n", "", "Phase 2 opens with the check of phase 1");
    prints(state, "2.1\\n2.1\\n:quit\\n", "", "── step 1 of 9");
    prints(state, ":hint\\n" SIX_RIGHT "\\n", "learn 1c", "Passed: 6 of 6 right.");
    prints(state, SIX_RIGHT "1\\n\\n1\\n\\n\\n", "learn 1r", "8 of 8 problems right");
}

static void placed_in_lines(void **state) {
    prints(state, "placement\\n" SIX_RIGHT "\\n2\\n\\n2\\n\\n\\n\\n\\n\\n\\n", "",
           "Start with phase 2, Middles.");
}

static struct tty *start(const char *lesson) {
    return tty_open(80, 24, (const char *const[]){getenv("ZEROTUTOR"), "learn", lesson, NULL},
                    (const char *const[]){NULL});
}

static void answer(struct tty *t, int step, const char *key) {
    char *here = base_format("problem %d of 6", step);
    tty_wait_row(t, 0, here);
    tty_type(t, key);
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "<Enter>");
    free(here);
}

/* From home: a lesson of a closed phase, its check, killed in the middle, taken to its end, and the
 * phase is open. */
static void on_the_screen(void **state) {
    (void)state;
    struct tty *t = start(NULL);
    tty_wait(t, "opens with the check of phase 1");
    tty_type(t, "jjjj<Enter>");
    tty_wait(t, "Take the check now (1c)");
    tty_type(t, "<Enter>");
    answer(t, 1, "1<Enter>");
    answer(t, 2, "2<Enter>");
    tty_wait_row(t, 0, "problem 3 of 6");
    tty_kill(t);
    t = start(NULL);
    tty_wait(t, "continues at problem 3");
    tty_type(t, "<Enter>"); /* the cursor is on what comes next */
    for (int step = 3; step <= 6; step++) answer(t, step, "1<Enter>");
    tty_wait(t, "Passed: 5 of 6 right.");
    tty_wait(t, "Phase 2, Middles, is open.");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "result");
    tty_wait(t, "That was the last problem.");
    tty_type(t, "<Esc>");
    tty_wait(t, "▸ 2.1  Gamma");
    assert_true(tty_has(t, "████████   passed")); /* though none of its lessons was taken */
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void placed_on_the_screen(void **state) {
    (void)state;
    struct tty *t = start(NULL);
    tty_wait(t, "A few problems place you");
    tty_type(t, "p");
    tty_wait_row(t, 0, "Placement  Beginnings");
    for (int step = 1; step <= 6; step++) answer(t, step, "1<Enter>");
    tty_wait(t, "Continue with its problems");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "Placement  Middles");
    tty_type(t, "<Esc>");
    tty_wait(t, "Placement continues with the check of phase 2");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* Gone through with F5 and Enter, a lesson of a closed phase is neither done nor opens its phase;
 * it opens at what was skipped. */
static void skipped_is_skipped(void **state) {
    struct tty *t = start("2.1");
    for (int step = 1; step <= 9; step++) { /* its first and its last ask nothing */
        char *here = base_format("step %d / 9", step);
        tty_wait_row(t, 0, here);
        tty_type(t, step == 1 || step == 9 ? "<Enter>" : "<F5>");
        free(here);
    }
    tty_wait(t, "0 of 7 problems right");
    tty_type(t, "<Esc>q");
    tty_end(t);
    t = start(NULL);
    tty_wait(t, "opens with the check of phase 1");
    tty_type(t, "k"); /* from the review, which is next */
    tty_wait(t, "2.1  Gamma");
    tty_wait(t, "– skipped");
    assert_false(tty_has(t, "done") || tty_has(t, "1/1"));
    tty_type(t, "<Enter>"); /* it was opened before, so its check is not offered first */
    tty_wait_row(t, 0, "step 2 ");
    tty_type(t, "<Esc>");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    prints(state, ":quit\\n", "", "7 skipped");
}

/* The result lists what was missed, and a number opens it with its correction, also once the check
 * is over; from there its lesson is one key away. */
static void a_result_leads_to_what_was_missed(void **state) {
    (void)state;
    struct tty *t = start("1c");
    for (int step = 1; step <= 6; step++) answer(t, step, "2<Enter>");
    tty_wait(t, "0 of 6 right");
    tty_wait(t, "6. 1.");
    tty_wait_row(t, -1, "1–6 open one");
    tty_type(t, "2");
    tty_wait_row(t, 0, "problem ");
    tty_wait(t, "The right answer: this.");
    tty_type(t, "1");
    tty_wait_row(t, 0, "1.1  Alpha"); /* the first are its own, in the course's order */
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "problem ");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "result");
    /* What ends the check adds to the page, and takes nothing from it. */
    tty_type(t, "<Enter>");
    tty_wait(t, "That was the last problem.");
    tty_wait_row(t, -1, "1–6 open one");
    tty_type(t, "6");
    tty_wait_row(t, 0, "problem ");
    tty_wait(t, "The right answer: this.");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "result");
    tty_type(t, "<Enter>");
    tty_wait(t, "That was the last problem.");
    tty_type(t, "<Esc>q");
    tty_end(t);
    /* In lines, too, and on to its lesson, at the step that was missed: which ones were asked is
     * drawn, but the first step asks nothing. */
    int status;
    char *text =
        linear(state, ":fresh\\n2\\n\\n2\\n\\n2\\n\\n2\\n\\n2\\n\\n2\\n\\n6\\n1.2\\n:quit\\n",
               "learn 1c", &status);
    const char *opened = strstr(text, "Type 1.2 to open that lesson there.");
    assert_non_null(opened);
    opened = strstr(opened, "1.2  Beta\n");
    assert_non_null(opened);
    assert_non_null(strstr(opened, " of 7 ──"));
    assert_null(strstr(opened, "step 1 of 7 ──"));
    assert_int_equal(status, 0);
    free(text);
}

#define MIXED(f) cmocka_unit_test_setup_teardown(f, school, school_close)
int main(void) {
    const struct CMUnitTest tests[] = {
        MIXED(in_lines),      MIXED(placed_in_lines),      MIXED(a_result_leads_to_what_was_missed),
        MIXED(on_the_screen), MIXED(placed_on_the_screen), MIXED(skipped_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
