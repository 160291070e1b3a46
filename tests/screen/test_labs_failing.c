/* Labs in a real terminal when something goes wrong: runs that fail or are stopped, no zerolab at
 * all, windows of any size, and a tutor that is killed. */
#include "base/golden.h"
#include "place.h"
#include "stand_in.h"
#include "experiment/tapes.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* What a run did not show is not told; the question stays until one ended well. */
static void only_a_run_that_ended_is_answered(void **state) {
    (void)state;
    static const struct {
        const char *fake, *says, *keys;
    } fails[] = {
        {"FAKE=hang", "step 2", "x"},
        {"FAKE=killed", "signal", ""},
        {"FAKE=cap", "would fit", ""},
    };
    for (size_t i = 0; i < BASE_COUNT(fails); i++) {
        struct tty *t = stand_in_start("", fails[i].fake, 80, 24, false);
        tty_wait(t, "l labs");
        tty_type(t, "ljjjjj");
        stand_in_take(t, "2");
        tty_wait(t, fails[i].says);
        tty_type(t, fails[i].keys);
        tty_wait_row(t, -1, "⏎ next");
        tty_type(t, "<Enter>");
        tty_wait(t, *fails[i].keys ? "The run did not finish" : "You can run it again.");
        assert_false(tty_has(t, "That is right"));
        assert_false(tty_has(t, "agree in every digit"));
        tty_wait(t, "Run the lab");
        tty_type(t, "<Esc><Esc>q");
        assert_int_equal(tty_end(t), 0);
    }
}

/* The capstone that was stopped came to no end that anybody foretold. */
static void a_stopped_capstone_is_stopped(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=hang", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "l<End>");
    tty_wait(t, "The cap is the GPU");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "<F5>"); /* past both guesses */
    tty_wait_row(t, -1, "run");
    assert_true(tty_has(t, "You can run it without a guess."));
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 2");
    tty_type(t, "x");
    tty_wait(t, "Stopped.");
    assert_false(tty_has(t, "foretold"));
    tty_type(t, "<Enter><Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void esc_asks_and_x_stops(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=hang");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 2");
    tty_type(t, "<Esc>");
    tty_wait(t, "It still runs.");
    tty_type(t, "<Tab>");
    tty_wait_gone(t, "It still runs.");
    tty_type(t, "<Esc>");
    tty_wait(t, "It still runs.");
    tty_type(t, "<Down>x");
    tty_wait(t, "Stopped.");
    assert_false(tty_has(t, "All runs have ended"));
    tty_type(t, "<Enter>");
    tty_wait(t, "The run did not finish");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 2");
    tty_type(t, "<Esc><Esc>");
    tty_wait(t, "The run did not finish");
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "<F5>");
    tty_wait(t, "You did not run it");
    tty_type(t, "<Enter>");
    tty_wait(t, "That was it.");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void what_fails_is_said_and_the_lesson_goes_on(void **state) {
    (void)state;
    static const struct {
        const char *lab, *fake, *says;
        bool begins;
    } fails[] = {
        {"ZEROLAB=/nowhere/zerolab", "FAKE=", "cannot be run", false},
        {NULL, "FAKE=cap", "stage 3 would fit", true},
        {NULL, "FAKE=killed", "signal", true},
        {NULL, "FAKE=words", "--stage cannot be", true},
    };
    for (size_t i = 0; i < BASE_COUNT(fails); i++) {
        stand_in_use(fails[i].lab);
        place_close(NULL);
        place_open(NULL);
        struct tty *t = stand_in_at_lab(fails[i].fake);
        tty_type(t, "<Enter>");
        if (fails[i].begins) {
            tty_wait_row(t, -1, "⏎ next");
            tty_type(t, "<Enter>");
        }
        tty_wait(t, fails[i].says);
        tty_wait(t, "The lesson continues");
        tty_type(t, "<F5><Enter>");
        tty_wait(t, "That was it.");
        tty_type(t, "<Esc>q");
        assert_int_equal(tty_end(t), 0);
    }
    stand_in_use(NULL);
}

/* Without zerolab a recording is watched: paused, step by step, to its end, and asked about like a
 * run. */
static void a_recording_is_watched_instead(void **state) {
    (void)state;
    stand_in_use("ZEROLAB=/nowhere/zerolab");
    tapes_make(place_share(), "first-weighing", 1);
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_wait(t, "Watch its recording instead");
    tty_wait(t, "recorded on 2 cores; nothing runs on this machine");
    tty_type(t, "<Down><Enter>");
    tty_wait_row(t, 0, "recording  first-weighing");
    tty_type(t, ".");
    tty_wait(t, "paused · a recording made on 2 cores, 10 times slower");
    tty_wait_row(t, -1, "space play");
    tty_settle(t);
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps); /* it stands still */
    tty_type(t, "<Esc>");
    tty_wait(t, "It is not over.");
    tty_type(t, " ");
    tty_wait_row(t, -1, "⏎ end");
    tty_type(t, "<Enter>");
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Enter>");
    tty_wait(t, "And in mixed precision?");
    tty_type(t, "<PgUp>");
    tty_wait(t, "This is a recording made on 2 cores");
    tty_type(t, "<Esc>");
    tty_wait(t, "l labs");
    tty_type(t, "l");
    tty_wait_row(t, -1, "space recording");
    tty_type(t, "j");
    tty_wait(t, "fp32 master copy");
    assert_false(tty_has(t, "space recording"));
    tty_type(t, "k ");
    tty_wait_row(t, -1, "⏎ end");
    tty_type(t, "<Enter>");
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
    stand_in_use(NULL);
}

static void it_survives_any_size(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=hang");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 2");
    static const int sizes[][2] = {{40, 12}, {30, 5}, {200, 50}, {57, 13}, {80, 24}};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        tty_resize(t, sizes[i][0], sizes[i][1]);
        tty_settle(t);
    }
    tty_wait(t, "1 memory");
    tty_hang_up(t);
    tty_end(t);
}

/* The stand-in writes its process id into a file. */
static pid_t pid_in(const char *path) {
    FILE *f = fopen(path, "r");
    int pid = 0;
    if (f && fscanf(f, "%d", &pid) != 1) pid = 0;
    if (f) fclose(f);
    return pid;
}

static bool ends(pid_t pid) {
    for (int i = 0; i < 400; i++) {
        if (kill(pid, 0) != 0 && errno == ESRCH) return true;
        poll(NULL, 0, 25);
    }
    return false;
}

static void a_killed_tutor_leaves_no_lab_behind(void **state) {
    (void)state;
    static const char *const fakes[] = {"FAKE=hang", "FAKE=slow"};
    char file[PATH_MAX], variable[PATH_MAX + 16];
    for (size_t i = 0; i < BASE_COUNT(fakes); i++) {
        snprintf(file, sizeof file, "%s/../lab-%zu.pid", place_home(), i);
        snprintf(variable, sizeof variable, "FAKE_PID=%s", file);
        struct tty *t = launch((struct launch_options){
            .environment = {stand_in_variable(), fakes[i], variable, NULL}});
        tty_wait(t, "l labs");
        tty_type(t, "ljjjjj");
        stand_in_take(t, "2");
        tty_wait(t, "step 2");
        pid_t pid = pid_in(file);
        assert_true(pid > 0);
        tty_kill(t);
        assert_true(ends(pid));
    }
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, stand_in_open, place_close)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_PLACE(only_a_run_that_ended_is_answered),
        IN_PLACE(a_stopped_capstone_is_stopped),
        IN_PLACE(esc_asks_and_x_stops),
        IN_PLACE(what_fails_is_said_and_the_lesson_goes_on),
        IN_PLACE(a_recording_is_watched_instead),
        IN_PLACE(it_survives_any_size),
        IN_PLACE(a_killed_tutor_leaves_no_lab_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
