/* A lab in a terminal: in linear mode ^C stops the run and not the lesson; a tutor that is killed
 * leaves no lab behind; a recording that is named on the command line plays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/rehearsal.h"
#include "tty/tty.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct home home;
static char zerolab[PATH_MAX + 16], pid_file[160], pid_variable[180];

static int open_home(void **state) {
    (void)state;
    char path[PATH_MAX];
    if (!realpath("tests/experiment/zerolab.sh", path)) return -1;
    snprintf(zerolab, sizeof zerolab, "ZEROLAB=%s", path);
    home = home_new("labs");
    snprintf(pid_file, sizeof pid_file, "%s/pid", home.folder);
    snprintf(pid_variable, sizeof pid_variable, "FAKE_PID=%s", pid_file);
    return 0;
}

static int close_home(void **state) {
    (void)state;
    home_remove(&home);
    return 0;
}

/* Stands in the middle of a run that says nothing more. */
static struct tty *in_a_run(void) {
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", "tests/screen/lessons/labs.lua",
                                   "--linear", NULL};
    const char *const environment[] = {home.variable, zerolab, "FAKE=hang", pid_variable, NULL};
    struct tty *t = tty_open(80, 50, program, environment);
    tty_wait(t, "Enter>");
    tty_type(t, "last<Enter>last<Enter><Enter>");
    tty_wait(t, "Type its number.");
    tty_type(t, "2<Enter>");
    tty_wait(t, "Type run");
    tty_type(t, "run<Enter>");
    tty_wait(t, "zerolab --ranks 1");
    return t;
}

static pid_t pid_of_lab(void) {
    for (int i = 0; i < 400; i++) {
        FILE *f = fopen(pid_file, "r");
        int pid = 0;
        bool read = f && fscanf(f, "%d", &pid) == 1;
        if (f) fclose(f);
        if (read) return pid;
        poll(NULL, 0, 25);
    }
    fail_msg("the lab did not begin");
    return 0;
}

static bool ends(pid_t pid) {
    for (int i = 0; i < 400; i++) {
        if (kill(pid, 0) != 0 && errno == ESRCH) return true;
        poll(NULL, 0, 25);
    }
    return false;
}

/* From its beginning, unless nothing may move. */
static void a_recording_plays(void **state) {
    (void)state;
    const char *const program[] = {getenv("ZEROTUTOR"), "lab", "replay", "first-weighing", NULL};
    const char *const moves[] = {home.variable, NULL}, *const still[] = {home.variable,
                                                                         "NO_MOTION=1", NULL};
    struct tty *t = tty_open(80, 24, program, moves);
    tty_wait_row(t, -1, "space pause");
    tty_kill(t);
    t = tty_open(80, 24, program, still);
    tty_wait(t, "The run has ended");
    tty_kill(t);
}

static void an_interrupt_stops_the_run_and_not_the_lesson(void **state) {
    (void)state;
    struct tty *t = in_a_run();
    pid_t lab = pid_of_lab();
    tty_type(t, "<C-c>");
    tty_wait(t, "The run did not finish");
    assert_true(ends(lab));
    tty_type(t, ":quit<Enter>");
    assert_int_equal(tty_end(t), 0);
}

static void a_killed_tutor_leaves_no_lab_behind(void **state) {
    (void)state;
    struct tty *t = in_a_run();
    pid_t lab = pid_of_lab();
    assert_int_equal(kill(lab, 0), 0);
    tty_kill(t);
    assert_true(ends(lab));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_recording_plays, open_home, close_home),
        cmocka_unit_test_setup_teardown(an_interrupt_stops_the_run_and_not_the_lesson, open_home,
                                        close_home),
        cmocka_unit_test_setup_teardown(a_killed_tutor_leaves_no_lab_behind, open_home, close_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
