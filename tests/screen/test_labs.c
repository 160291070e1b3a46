/* Labs in a real terminal: from the guess to the question after, live screens as golden text, runs
 * that are watched and compared. What goes wrong is in test_labs_failing.c. */
#include "base/golden.h"
#include "place.h"
#include "stand_in.h"

#include <stdlib.h>
#include <unistd.h>

static void from_the_guess_to_the_question_after(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_wait_row(t, -1, "⏎ run");
    tty_type(t, "<Enter>");
    stand_in_catch_up(t);
    tty_wait(t, "The run has ended.");
    tty_wait(t, "your guess    ✗ wrong: the weights");
    tty_wait(t, "measured      ✓ ");
    tty_wait_row(t, -1, "⏎ next");
    tty_settle(t);
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps); /* nothing wakes it any more */
    tty_type(t, "<Enter>");
    tty_settle(t); /* it begins with what was weighed */
    tty_wait(t, "The engine predicted");
    tty_wait(t, "6.674 MB");
    tty_type(t, "<PgDn>");
    tty_wait(t, "You said: the weights");
    tty_wait(t, "And in mixed precision?");
    tty_type(t, "12*0.834304<Enter>");
    tty_wait(t, "master copy's 4 are missing");
    tty_wait_row(t, -1, "a again");
    tty_type(t, "<F6>");
    tty_wait(t, "Run the lab");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void it_is_there_again_next_time(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_type(t, "<Enter>");
    stand_in_catch_up(t);
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Enter>");
    tty_wait(t, "And in mixed precision?");
    tty_kill(t);
    t = stand_in_start(LESSON, "FAKE=", 80, 24, false);
    tty_wait(t, "6.674 MB");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* A run that says nothing more after two steps: the screen stands still. */
static const struct live {
    const char *name, *keys;
    int columns, rows;
    bool ascii;
} lives[] = {
    {"lab-live", "", 80, 24, false},       {"lab-live-wide", "", 120, 40, false},
    {"lab-live-narrow", "", 40, 12, true}, {"lab-curve", "2", 80, 24, false},
    {"lab-timeline", "4", 80, 24, false},  {"lab-log-ascii", "6", 80, 24, true},
    {"lab-help", "?", 80, 24, false},      {"lab-scrolled", "jjjjjj", 80, 24, false},
};

static void lives_are_drawn_as_before(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lives); i++) {
        const struct live *l = &lives[i];
        struct tty *t = stand_in_start("", "FAKE=hang", l->columns, l->rows, l->ascii);
        tty_wait(t, "zerotutor");
        tty_settle(t);
        tty_type(t, "ljjjjj");
        tty_wait(t, "Labs");
        stand_in_take(t, l->rows < 24 ? "" : "2");
        tty_wait(t, "step 2");
        tty_type(t, l->keys);
        tty_settle(t);
        golden_is("screen", l->name, tty_text(t));
        tty_type(t, *l->keys == '?' ? "<Esc><C-c>" : "<C-c>");
        tty_wait(t, "Stopped.");
        tty_type(t, "<Esc><Esc><Esc>q");
        assert_int_equal(tty_end(t), 0);
        char *record = base_format("%s/learner.db", place_home()); /* with the guess */
        unlink(record);
        free(record);
    }
}

static void runs_stand_side_by_side(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 120, 40, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    stand_in_catch_up(t);
    tty_wait(t, "All runs have ended. Losses and weights are equal, bit for bit.");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "D");
    tty_wait(t, "● stage 0 16.6 MB  ● stage 1");
    tty_wait_row(t, 0, "stage 3");
    tty_settle(t);
    golden_is("screen", "lab-beside", tty_text(t));
    tty_type(t, "DD");
    tty_settle(t);
    int row, column;
    assert_true(tty_find(t, "stage 2", &row, &column));
    assert_true(tty_at(t, row, column).underline);
    tty_type(t, "D<Left><Left>");
    tty_wait_row(t, 0, "stage 1");
    tty_click(t, "stage 2");
    tty_wait_row(t, 0, "stage 2");
    tty_click(t, "2 curve");
    tty_wait_row(t, 5, "2 curve");
    tty_type(t, "<Enter>");
    tty_wait(t, "You said: it does not change at");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Of a run that stands still. */
static void next_step(struct tty *t, const char *key) {
    char next[24];
    int step = 0;
    const char *at = strstr(tty_text(t), "stage 2 · step ");
    assert_true(at && sscanf(at, "stage 2 · step %d of 30", &step) == 1);
    snprintf(next, sizeof next, "step %d of 30", step + 1);
    tty_type(t, key);
    tty_wait_row(t, 0, next);
}

/* A run that was over too soon to be watched goes by once more: paused, step by step, to its end,
 * and then it stands as before. */
static void a_run_goes_by_once_more(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    stand_in_catch_up(t);
    tty_wait(t, "All runs have ended. Losses and weights are equal, bit for bit.");
    tty_wait_row(t, -1, "a again");
    tty_wait_row(t, -1, "o its lesson");
    tty_type(t, "<Left>a ");
    tty_wait(t, "paused · replaying the measured run, step ");
    tty_wait(t, " of 30, 10 times slower");
    tty_wait_row(t, 0, "stage 2");
    tty_type(t, "a.4");
    tty_wait(t, " took the slowest rank 40.0 ms.");
    tty_wait_row(t, 0, " of 30");
    next_step(t, ".");
    next_step(t, "<Right>");
    tty_settle(t);
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps); /* it stands still */
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "<Right>");
    tty_wait_row(t, 0, "stage 3 · 30 steps");
    tty_wait(t, "All runs have ended.");
    tty_type(t, "a<Left><Enter><Enter>");
    tty_wait(t, "You said: it does not change at all. That is right.");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* The number that stands after a text. */
static int number_after(struct tty *t, const char *text) {
    const char *at = strstr(tty_text(t), text);
    int n = -1;
    assert_true(at && sscanf(at + strlen(text), "%d", &n) == 1);
    return n;
}

/* A run is over before anybody has seen it: what it measured is watched at a pace, and the screen
 * says so; it stands still, goes a step on and a step back, faster, and is skipped. */
static void live_runs_are_watched(void **state) {
    static const char says[] = "replaying the measured run, step ";
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    tty_wait(t, says);
    tty_wait_row(t, -1, "⏎ catch up");
    tty_type(t, " ");
    tty_wait(t, "paused · replaying");
    tty_wait_row(t, -1, "a again"); /* all have ended, and one is watched */
    tty_settle(t);
    assert_false(tty_has(t, "● stage 1")); /* what was not watched yet is not told */
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps);
    int step = number_after(t, says);
    char next[80];
    snprintf(next, sizeof next, "%s%d of 30, 10 times slower", says, step + 1);
    tty_type(t, ".");
    tty_wait(t, next);
    snprintf(next, sizeof next, "%s%d of 30, 10 times slower", says, step);
    tty_type(t, ",");
    tty_wait(t, next);
    tty_type(t, "-");
    tty_wait(t, "20 times slower");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "<Enter>");
    tty_wait(t, "You said: it does not change at all. That is right.");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* All runs of a lab in one picture, whatever the terminal; a wrong guess is in it. */
static void a_lab_ends_in_one_picture(void **state) {
    static const struct {
        const char *name, *keys;
        int columns, rows;
        bool ascii;
    } cases[] = {
        {"lab-end", "2", 80, 24, false},       {"lab-end-ascii", "1", 80, 24, true},
        {"lab-end-wide", "2", 120, 40, false}, {"lab-end-widest", "2", 200, 60, false},
        {"lab-end-narrow", "", 40, 12, false}, {"lab-end-no-word", "", 80, 24, false},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct tty *t =
            stand_in_start("", "FAKE=", cases[i].columns, cases[i].rows, cases[i].ascii);
        tty_wait(t, "zerotutor");
        tty_settle(t);
        tty_type(t, "ljjjjj");
        tty_wait(t, "Labs");
        stand_in_take(t, cases[i].keys);
        stand_in_catch_up(t);
        tty_wait_row(t, 0, "4 runs");
        tty_settle(t);
        golden_is("screen", cases[i].name, tty_text(t));
        tty_type(t, "3");
        tty_wait_row(t, 0, "30 steps");
        tty_type(t, "0");
        tty_wait_row(t, 0, "4 runs");
        tty_type(t, "<Esc><Esc><Esc>q");
        assert_int_equal(tty_end(t), 0);
    }
}

/* Collectives timed alone end in their plot, which has the rows that a window has for it. It is the
 * recording that comes with the course. */
static void collectives_end_in_their_plot(void **state) {
    static const struct {
        const char *name;
        int columns, rows;
        bool ascii;
    } cases[] = {{"lab-times", 80, 24, false},
                 {"lab-times-ascii", 80, 24, true},
                 {"lab-times-wide", 120, 40, false},
                 {"lab-times-narrow", 40, 12, false}};
    (void)state;
    place_course();
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct tty *t =
            stand_in_start("", "FAKE=", cases[i].columns, cases[i].rows, cases[i].ascii);
        tty_wait(t, "zerotutor");
        tty_settle(t);
        tty_type(t, "l<End><Up><Up><Up><Up><Up>");
        tty_wait(t, "measure-collectives");
        tty_type(t, " ");
        tty_wait_row(t, -1, " end");
        tty_type(t, "<Enter>");
        tty_wait_row(t, 0, "1 run");
        tty_settle(t);
        golden_is("screen", cases[i].name, tty_text(t));
        tty_type(t, "g"); /* a word of this screen */
        tty_wait_row(t, -1, "its lesson");
        tty_type(t, "<Enter>");
        tty_wait_row(t, -1, "next");
        tty_type(t, "<Esc><Esc>q");
        assert_int_equal(tty_end(t), 0);
    }
}

/* Runs that were to run out of memory have no loss to compare. */
static void runs_out_of_memory_are_counted(void **state) {
    (void)state;
    place_course();
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "zerotutor");
    tty_settle(t);
    tty_type(t, "l<End><Up><Up><Up><Up><Up><Up>");
    tty_wait(t, "gpt2-xl");
    tty_type(t, " ");
    tty_wait_row(t, -1, "⏎ end");
    tty_type(t, "<Enter>");
    tty_wait(t, "All runs have ended, 1 of 4 out of memory.");
    tty_type(t, "<Left><Left><Left>");
    tty_wait_row(t, 0, "stage 0 · out of memory");
    tty_type(t, "2");
    tty_wait(t, "No step has finished.");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* The list of a small window begins with a lab or with the question above it. */
static void a_list_begins_with_a_whole_lab(void **state) {
    static const char *const begins[] = {"    1.1  Where does the memory of",
                                         "  ▸      mixed-precision",
                                         "  ▸      loss-scaling",
                                         "    1.2  What do more GPUs bring?",
                                         "  ▸      straggler",
                                         "    1.3  What does each",
                                         "  ▸      gpt2-ladder",
                                         "    1.4  What does a",
                                         "  ▸      fused"};
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 40, 12, false);
    tty_wait(t, "zerotutor");
    tty_settle(t);
    tty_type(t, "l");
    tty_wait(t, "Labs");
    for (size_t i = 0; i < BASE_COUNT(begins); i++) {
        tty_wait_row(t, 1, begins[i]);
        tty_type(t, "j");
    }
    tty_settle(t);
    struct tty_cursor c = tty_cursor(t); /* a screen reader finds the name there */
    assert_true(*tty_at(t, c.row, c.column).text > ' ');
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Without motion nothing is replayed: the runs are shown as they are. */
static void without_motion_nothing_is_replayed(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "S");
    tty_wait(t, "Motion");
    tty_type(t, "<Down><Down><Down><Right>");
    tty_wait(t, "nothing moves");
    tty_type(t, "<Esc>ljjjjj");
    stand_in_take(t, "2");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "<Esc><Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* In a window of another width the panel that was on top stays there. */
static void a_resize_keeps_the_place(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=hang", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    tty_wait(t, "running, step 2");
    int row, column, below;
    for (int i = 0; i < 60; i++) {
        tty_settle(t);
        if (tty_find(t, "2 curve", &row, &column) && row <= 5) break;
        tty_type(t, "j");
    }
    assert_true(tty_find(t, "2 curve", &row, &column));
    static const int sizes[][2] = {{50, 24}, {80, 24}, {44, 20}};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        tty_resize(t, sizes[i][0], sizes[i][1]);
        tty_settle(t);
        assert_true(tty_find(t, "2 curve", &below, &column));
        assert_int_equal(below, row);
    }
    tty_hang_up(t);
    tty_end(t);
}

/* When the next run begins, its panels are short at first: the one on top stays there. */
static void a_run_that_begins_keeps_the_place(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    tty_wait(t, "replaying the measured run, step ");
    tty_type(t, " ");
    tty_wait(t, "paused · replaying");
    int row, column, below;
    for (int i = 0; i < 60; i++) {
        tty_settle(t);
        if (tty_find(t, "2 curve", &row, &column) && row <= 5) break;
        tty_type(t, "j");
    }
    assert_true(tty_find(t, "2 curve", &row, &column));
    tty_type(t, "++++ ");
    tty_wait_row(t, 0, "stage 1");
    tty_type(t, " ");
    tty_wait(t, "paused · replaying");
    tty_settle(t);
    assert_true(tty_find(t, "2 curve", &below, &column));
    assert_int_equal(below, row);
    tty_hang_up(t);
    tty_end(t);
}

/* That ranks share cores is said once: under the timeline. */
static void that_cores_are_shared_is_said_once(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=hang", 120, 60, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    stand_in_take(t, "2");
    tty_wait(t, "running, step 2");
    tty_type(t, "4");
    tty_settle(t);
    const char *said = strstr(tty_text(t), "anks share cores");
    assert_non_null(said);
    assert_null(strstr(said + 1, "anks share cores"));
    tty_hang_up(t);
    tty_end(t);
}

/* A key that has nothing to do says why. */
static void where_there_is_no_recording_it_is_said(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj");
    tty_wait(t, "does the last loss");
    assert_false(tty_has(t, "space recording"));
    tty_type(t, " ");
    tty_wait(t, "No recording of 'stage-ladder' exists. Press Enter to run it");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Where the description has no room it is scrolled to. */
static void a_small_window_reaches_the_question(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 40, 12, false);
    tty_wait(t, "zerotutor");
    tty_type(t, "ljjjjj");
    tty_wait_row(t, -1, "open");
    assert_false(tty_has(t, "to stage 3?"));
    tty_type(t, "<PgDn><PgDn><PgDn><PgDn>");
    tty_wait(t, "to stage 3?");
    tty_type(t, "jj");
    tty_wait(t, "count-the-bytes");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* From the list: what was asked before is judged, and one question follows on what was measured. */
static void a_lab_asks_before_and_after(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjj<Enter>");
    tty_wait(t, "does the last loss");
    tty_type(t, "1<Enter>");
    tty_wait(t, "How many KB of model states");
    tty_type(t, "1.76 MB<Enter>");
    tty_wait(t, "Noted: 1.76 MB. Now run it, and see.");
    tty_type(t, "<Enter>");
    stand_in_catch_up(t);
    tty_wait_row(t, 0, "4 runs, measured");
    tty_type(t, "<Enter>");
    tty_wait(t, "Line by line");   /* the guess is answered first */
    tty_wait_row(t, -1, "⏎ down"); /* the question is further down, and its options wait for it */
    tty_type(t, "<Enter>");
    tty_wait(t, "stage 0    13.35 MB");
    tty_type(t, "<Enter>");
    tty_wait(t, "From which stage to the next");
    tty_wait_row(t, -1, "↑ ↓ move");
    tty_settle(t);
    tty_type(t, "1<Enter>");
    tty_wait(t, "✓ 1 from 0 to 1");
    tty_type(t, "<PgUp><PgUp>");
    tty_wait(t, "Your guess: 1760 KB. The answer is 882.2 KB.");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Labs");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Without a GPU the cursor is on the recording, which asks and answers as a run does. */
static void a_lab_for_gpus_plays_its_recording(void **state) {
    (void)state;
    assert_int_equal(system("mkdir -p $ZEROTUTOR_SHARE/data/runs && "
                            "cp data/runs/gpt2-ladder-*.jsonl $ZEROTUTOR_SHARE/data/runs"),
                     0);
    struct tty *t = stand_in_start("", "FAKE=", 80, 24, false);
    tty_wait(t, "l labs");
    tty_type(t, "ljjjjjj<Enter>");
    tty_wait(t, "How far does its");
    tty_type(t, "3<Enter>");
    tty_wait(t, "How many MB of model states");
    tty_type(t, "500<Enter>");
    tty_wait(t, "it needs a GPU, and this machine has none");
    tty_wait(t, "▸ Watch its recording instead");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ end");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "4 runs, measured");
    tty_wait(t, "✓ right: 500 MB. It is 497.8 MB");
    tty_type(t, "<Enter>");
    tty_wait(t, "each rank      kept");
    tty_type(t, "<Enter>");
    tty_wait(t, "Which category is the largest");
    tty_type(t, "<Enter>");
    tty_wait(t, "3 the gather buffers");
    tty_settle(t);
    tty_type(t, "2<Enter>");
    tty_wait(t, "✓ 2 the activations");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Labs");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Where all that a lab told does not fit, its last question is a page further down; left there and
 * opened again, the lesson is at that question. */
static void a_field_waits_for_its_question(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    t = stand_in_start(LESSON, "FAKE=", 80, 17, false);
    tty_wait_row(t, -1, "⏎ run");
    tty_type(t, "<Enter>");
    stand_in_catch_up(t);
    tty_wait_row(t, 0, "measured");
    tty_type(t, "<Enter>");
    tty_wait(t, "more ▼");
    assert_false(tty_has(t, "your answer, in MB"));
    tty_type(t, "<PgDn>");
    tty_wait(t, "your answer, in MB");
    tty_wait(t, "And in mixed precision?");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    t = stand_in_start(LESSON, "FAKE=", 80, 17, false);
    tty_wait(t, "your answer, in MB");
    tty_wait(t, "And in mixed precision?");
    tty_wait_row(t, -1, "⏎ check");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* As in every list. */
static void a_second_click_opens_a_lab(void **state) {
    (void)state;
    struct tty *t = stand_in_start("", "FAKE=", 120, 40, false);
    tty_wait(t, "l labs");
    tty_click(t, "l labs");
    tty_wait_row(t, 0, "Labs");
    tty_click(t, "straggler");
    tty_wait(t, "▸      straggler");
    tty_click(t, "straggler");
    tty_wait_row(t, 0, "Lab  straggler");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, stand_in_open, place_close)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_PLACE(from_the_guess_to_the_question_after),
        IN_PLACE(it_is_there_again_next_time),
        IN_PLACE(lives_are_drawn_as_before),
        IN_PLACE(runs_stand_side_by_side),
        IN_PLACE(a_run_goes_by_once_more),
        IN_PLACE(live_runs_are_watched),
        IN_PLACE(a_lab_ends_in_one_picture),
        IN_PLACE(collectives_end_in_their_plot),
        IN_PLACE(runs_out_of_memory_are_counted),
        IN_PLACE(a_list_begins_with_a_whole_lab),
        IN_PLACE(without_motion_nothing_is_replayed),
        IN_PLACE(a_resize_keeps_the_place),
        IN_PLACE(a_run_that_begins_keeps_the_place),
        IN_PLACE(that_cores_are_shared_is_said_once),
        IN_PLACE(where_there_is_no_recording_it_is_said),
        IN_PLACE(a_small_window_reaches_the_question),
        IN_PLACE(a_lab_asks_before_and_after),
        IN_PLACE(a_lab_for_gpus_plays_its_recording),
        IN_PLACE(a_field_waits_for_its_question),
        IN_PLACE(a_second_click_opens_a_lab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
