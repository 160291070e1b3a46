/* Recordings of labs in a real terminal: no panel hops while they play, Enter skips to their end,
 * without motion they stand still, and their end leads to the lesson that explains it. */
#include "base/base.h"
#include "base/golden.h"
#include "experiment/experiment.h"
#include "place.h"
#include "stand_in.h"

#include <stdlib.h>
#include <string.h>

static struct tty *at_recording(const char *name, int columns, int rows) {
    struct tty *t = stand_in_start("", "FAKE=", columns, rows, false);
    tty_wait(t, "l labs");
    tty_type(t, "l");
    tty_wait_row(t, 0, "Labs");
    char *here = base_format("▸      %s", name);
    while (!tty_has(t, here)) {
        tty_type(t, "j");
        tty_settle(t);
    }
    free(here);
    tty_type(t, " ");
    tty_wait_row(t, -1, "end");
    return t;
}

/* Where the headings of the panels are, in one number each; the caller's. */
static char *headings(struct tty *t) {
    struct base_text found = {0};
    int row, column;
    for (int p = 0; p < EXPERIMENT_PANELS; p++) {
        char *heading =
            base_format("%d %s", p + 1, experiment_panel_name((enum experiment_panel)p));
        if (tty_find(t, heading, &row, &column))
            base_text_printf(&found, "%s in row %d, column %d\n", heading, row, column);
        free(heading);
    }
    return base_text_take(&found);
}

static void no_panel_hops(void **state) {
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct tty *t = at_recording("replicas", sizes[i][0], sizes[i][1]);
        tty_type(t, " ");
        tty_wait(t, "paused");
        char *first = headings(t);
        assert_non_null(strstr(first, "1 memory"));
        while (!tty_has(t, "1 run, measured")) {
            char *now = headings(t);
            assert_string_equal(now, first);
            free(now);
            tty_type(t, ".");
            tty_settle(t);
        }
        free(first);
        tty_hang_up(t);
        tty_end(t);
    }
}

/* A run that ends before its first step is shown, too, and then the next one. */
static void a_run_out_of_memory_is_watched_and_left(void **state) {
    (void)state;
    struct tty *t = at_recording("gpt2-xl", 80, 24);
    tty_type(t, " ");
    tty_wait(t, "paused");
    tty_wait_row(t, 0, "stage 0 · begins");
    assert_false(tty_has(t, "times slower")); /* nothing says how long that took */
    tty_type(t, " ++++");
    tty_wait_row(t, 0, "stage 1");
    tty_wait(t, "✗ stage 0");
    tty_hang_up(t);
    tty_end(t);
}

/* Collectives are counted as they are timed. */
static void collectives_are_watched_one_by_one(void **state) {
    (void)state;
    struct tty *t = at_recording("measure-collectives", 80, 24);
    tty_type(t, " ");
    tty_wait(t, "paused");
    tty_type(t, "<Right>");
    tty_wait_row(t, 0, " time");
    tty_wait_row(t, 0, "recording  measure-collectives  ");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "1 run, measured");
    tty_type(t, "a ");
    tty_wait(t, "paused · replaying the measured run");
    tty_hang_up(t);
    tty_end(t);
}

/* A click on a heading chooses its panel, which stays where it is; all stand in their order, and
 * together where there is room. */
static void panels_keep_their_order(void **state) {
    (void)state;
    struct tty *t = at_recording("count-the-bytes", 200, 60);
    tty_type(t, " ");
    tty_wait(t, "paused");
    char *first = headings(t);
    int last = 0, row, column;
    for (int p = 0; p <= EXPERIMENT_LEDGER; p++) {
        char *heading =
            base_format("%d %s", p + 1, experiment_panel_name((enum experiment_panel)p));
        if (!tty_find(t, heading, &row, &column)) fail_msg("%s is not shown:\n%s", heading, first);
        assert_true(row > last || p == EXPERIMENT_TIMELINE);
        last = row;
        tty_click(t, heading);
        tty_settle(t);
        free(heading);
    }
    char *now = headings(t);
    assert_string_equal(now, first);
    free(now);
    free(first);
    tty_hang_up(t);
    tty_end(t);
}

/* A note's Esc is a key for the mouse, too. */
static void a_click_on_esc_leaves(void **state) {
    (void)state;
    struct tty *t = at_recording("replicas", 80, 24);
    tty_type(t, " ");
    tty_wait(t, "paused");
    tty_type(t, "<Esc>");
    tty_wait(t, "It is not over");
    tty_click(t, "It is not over");
    tty_wait(t, "paused · a recording");
    tty_type(t, "<Esc>");
    tty_wait(t, "Press Esc again");
    tty_click(t, "Esc again");
    tty_wait_row(t, 0, "Labs");
    tty_hang_up(t);
    tty_end(t);
}

static void its_end_leads_to_the_lesson_that_explains_it(void **state) {
    (void)state;
    struct tty *t = at_recording("stage-ladder", 80, 24);
    tty_wait(t, "times slower");
    tty_type(t, "<F5>");
    tty_wait(t, "does nothing");
    assert_true(tty_has(t, "times slower")); /* a hint hides no word of how it is shown */
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_wait(t, "Lesson 2.4 explains it.");
    tty_wait_row(t, -1, "o its lesson");
    tty_type(t, "o");
    tty_wait_row(t, 0, "2.4  Activations");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_click(t, "Lesson 2.4");
    tty_wait_row(t, 0, "2.4  Activations");
    tty_hang_up(t);
    tty_end(t);
}

/* If the columns have no room for all that bars show, the whole picture has room for both. */
static void an_end_of_many_numbers_fits(void **state) {
    (void)state;
    struct tty *t = at_recording("sparse", 80, 24);
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_wait(t, "sent per step  messages     step");
    tty_wait(t, "Lesson 2.2 explains it.");
    tty_hang_up(t);
    tty_end(t);
}

/* The steps of a later run take longer, and are over: the axis of the one that is watched does not
 * reach for them yet. */
static void a_paused_picture_knows_no_later_step(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=late", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    tty_wait(t, "replaying the measured run, step ");
    tty_type(t, " 4");
    tty_wait(t, "paused · replaying");
    tty_wait_row(t, -1, "a again"); /* all have ended */
    tty_type(t, ".");
    tty_wait(t, " took the slowest rank 40.0 ms.");
    assert_false(tty_has(t, "00 ms"));
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "<Left>4");
    tty_wait(t, "00 ms");
    tty_hang_up(t);
    tty_end(t);
}

/* It shows its end, and again it is stepped through. */
static void without_motion_it_stands_still(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "NO_MOTION=1", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "l ");
    tty_wait_row(t, 0, "1 run, measured");
    tty_type(t, "a");
    tty_wait(t, "paused · replaying the measured run, step 0 of 30");
    tty_type(t, "<Right><Right>");
    tty_wait(t, "step 2 of 30");
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps);
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "1 run, measured");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static int open_course(void **state) {
    if (stand_in_open(state) != 0) return -1;
    place_course();
    return 0;
}

#define IN_COURSE(test) cmocka_unit_test_setup_teardown(test, open_course, place_close)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_COURSE(panels_keep_their_order),
        IN_COURSE(a_click_on_esc_leaves),
        IN_COURSE(no_panel_hops),
        IN_COURSE(a_run_out_of_memory_is_watched_and_left),
        IN_COURSE(collectives_are_watched_one_by_one),
        IN_COURSE(its_end_leads_to_the_lesson_that_explains_it),
        IN_COURSE(an_end_of_many_numbers_fits),
        IN_COURSE(a_paused_picture_knows_no_later_step),
        IN_COURSE(without_motion_it_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
