/* Linear mode at a terminal waits after a wrong answer, so that what was wrong can be heard before
 * the fresh problem begins. Through a pipe nothing waits (tests/linear). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/rehearsal.h"
#include "tty/tty.h"

#include <stdlib.h>
#include <string.h>

static struct home home;

static int open_home(void **state) {
    (void)state;
    home = home_new("pauses");
    return 0;
}

static int close_home(void **state) {
    (void)state;
    home_remove(&home);
    return 0;
}

/* Answers the first problem wrong. */
static struct tty *after_a_wrong_answer(void) {
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", "1.1", "--words", NULL};
    const char *const environment[] = {home.variable, NULL};
    struct tty *t = tty_open(80, 90, program, environment);
    tty_wait(t, "guess, in gigabytes>");
    tty_type(t, "<Enter><Enter>");
    tty_wait(t, "step 2 of");
    tty_type(t, "5<Enter>");
    tty_wait(t, "Enter to continue>");
    assert_true(tty_has(t, "5 gigabytes is not it"));
    assert_false(tty_has(t, "fresh numbers"));
    return t;
}

static size_t times(struct tty *t, const char *text) {
    size_t n = 0;
    for (int i = 0; i < tty_rows(t); i++) n += strstr(tty_row(t, i), text) != NULL;
    return n;
}

static void the_fresh_problem_waits_for_enter(void **state) {
    (void)state;
    struct tty *t = after_a_wrong_answer();
    tty_type(t, "<Enter>");
    tty_wait(t, "The same idea with fresh numbers:");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

static void what_was_wrong_is_repeated(void **state) {
    (void)state;
    struct tty *t = after_a_wrong_answer();
    tty_type(t, "208 GB<Enter>"); /* not judged: the learner has not heard the fresh numbers */
    tty_wait(t, "Press Enter for fresh numbers");
    tty_type(t, "repeat<Enter>");
    tty_settle(t);
    assert_int_equal(times(t, "5 gigabytes is not it"), 2);
    assert_int_equal(times(t, "Press Enter for fresh numbers"), 1);
    tty_type(t, ":hint<Enter>");
    tty_settle(t);
    assert_int_equal(times(t, "Press Enter for fresh numbers"), 2);
    tty_type(t, ":glossary shard<Enter>");
    tty_wait(t, "The part of an array that one rank keeps");
    tty_type(t, ":quit<Enter>");
    tty_wait(t, "You left 1.1 at step 2");
    assert_int_equal(tty_end(t), 0);
}

/* The next line is asked with the verdict, so that its answer is taken. */
static void the_next_line_of_a_sheet_does_not_wait(void **state) {
    (void)state;
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", "1.1", "--words", NULL};
    const char *const environment[] = {home.variable, NULL};
    struct tty *t = tty_open(80, 90, program, environment);
    tty_wait(t, "guess, in gigabytes>");
    for (int i = 0; i < 10; i++) tty_type(t, "<Enter>");
    tty_wait(t, "optimizer moments, in gigabytes>");
    tty_type(t, "5<Enter>");
    tty_wait(t, "5 gigabytes is not it");
    tty_wait(t, "in total, in gigabytes>");
    tty_type(t, "repeat<Enter>");
    tty_settle(t);
    assert_int_equal(times(t, "5 gigabytes is not it"), 2);
    assert_int_equal(times(t, "The first lines are done"), 1);
    tty_type(t, "1<Enter>");
    tty_wait(t, "0 of 2 lines are right. The whole sheet:");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_fresh_problem_waits_for_enter, open_home, close_home),
        cmocka_unit_test_setup_teardown(what_was_wrong_is_repeated, open_home, close_home),
        cmocka_unit_test_setup_teardown(the_next_line_of_a_sheet_does_not_wait, open_home,
                                        close_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
