/* The linear form at a real terminal: edits while it waits, interrupts, and what is kept of it
 * all. */
#include "session/school.h"

#include "tty/tty.h"

#include <signal.h>

static struct tty *learn(const char *lesson) {
    return tty_open(80, 24,
                    (const char *const[]){getenv("ZEROTUTOR"), "learn", lesson, "--linear", NULL},
                    NULL);
}

static void an_edit_shows_while_it_waits_for_a_line(void **state) {
    struct tty *t = learn("1.1");
    tty_wait(t, "An elephant takes more");
    school_put(state, "first-edited.lua", "first.lua");
    tty_wait(t, "A mouse takes less");
    tty_type(t, "<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

static void a_broken_edit_is_told_while_it_waits(void **state) {
    struct tty *t = learn("1.1");
    tty_wait(t, "An elephant takes more");
    school_put(state, "broken.lua", "first.lua");
    tty_wait(t, "first.lua:3");
    tty_type(t, "<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

static void an_interrupt_loses_no_answer(void **state) {
    (void)state;
    struct tty *t = learn("1.1");
    tty_wait(t, "An elephant takes more");
    tty_type(t, "<Enter>112 GB<Enter>");
    tty_wait(t, "Right: 112 GB");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 3 of 6");
    tty_signal(t, SIGKILL);
    assert_int_equal(tty_end(t), 128 + SIGKILL);
    t = learn("1.1");
    tty_wait(t, "step 3 of 6");
    tty_type(t, ":back<Enter>");
    tty_wait(t, "step 2 of 6");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

static void the_end_of_input_ends_it(void **state) {
    (void)state;
    struct tty *t = learn("1.1");
    tty_wait(t, "An elephant takes more");
    tty_type(t, "<C-d>");
    tty_wait(t, "the input ended");
    assert_int_equal(tty_end(t), 1);
}

static void it_waits_without_waking(void **state) {
    (void)state;
    struct tty *t = learn("1.1");
    tty_wait(t, "An elephant takes more");
    tty_settle(t);
    unsigned long before = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), before);
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

/* The steps that the end numbers are opened by their numbers. */
static void what_is_left_is_opened_by_its_number(void **state) {
    struct tty *t = learn("1.1");
    (void)state;
    tty_wait(t, "An elephant takes more");
    for (int i = 0; i < 7; i++) tty_type(t, "<Enter>");
    tty_wait(t, "Type :open and a number to go back to one of these.");
    tty_wait(t, "Which lesson?");
    tty_type(t, ":open 2<Enter>");
    tty_wait(t, "step 3 of 6");
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(an_edit_shows_while_it_waits_for_a_line),
        IN_SCHOOL(a_broken_edit_is_told_while_it_waits),
        IN_SCHOOL(an_interrupt_loses_no_answer),
        IN_SCHOOL(the_end_of_input_ends_it),
        IN_SCHOOL(it_waits_without_waking),
        IN_SCHOOL(what_is_left_is_opened_by_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
