/* Recordings: kept unedited, played at their own pace, refused with a reason. */
#include "experiment/lab.h"

#include "base/scratch.h"
#include "experiment/tapes.h"
#include "page/page.h"

#include <poll.h>

/* A panel as text; the caller's. */
static char *panel_of(const struct experiment *t, enum experiment_panel panel) {
    struct page *p = page_new(100, false);
    const struct page_lab l = {.run = {experiment_state(t)}};
    page_lab(p, (struct page_flow){0}, panel, &l);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

static void looks_the_same(const struct experiment *a, const struct experiment *b) {
    for (int p = 0; p < EXPERIMENT_PANELS; p++) {
        char *x = panel_of(a, (enum experiment_panel)p), *y = panel_of(b, (enum experiment_panel)p);
        assert_string_equal(x, y);
        free(x);
        free(y);
    }
}

static void a_recording_tells_what_the_run_told(void **state) {
    char *path = scratch_path(state, "run.jsonl");
    struct base_message m = {0};
    struct experiment *live = lab_start("--ranks 3 --stage 3 --steps 4", NULL);
    assert_true(experiment_record(live, path, &m));
    lab_finish(live);
    assert_true(experiment_record_end(live, &m));
    struct experiment *again = lab_replay(path, 0);
    assert_int_equal(experiment_fd(again), -1);
    lab_finish(again);
    assert_true(experiment_state(again)->recorded && experiment_state(again)->ended);
    looks_the_same(live, again);
    char *kept = base_file_read(path, 1 << 24, NULL, &m);
    assert_string_equal(kept, experiment_events(live));
    free(kept);
    experiment_free(live);
    experiment_free(again);
    free(path);
}

/* Ten steps of 40 ms each. */
static void it_is_played_at_its_own_pace(void **state) {
    static const struct {
        double speed;
        int least, most;
    } cases[] = {
        {1, 390, 9000},
        {4, 95, 385},
        {0, 0, 385},
    };
    char *path = scratch_path(state, "run.jsonl");
    lab_record("--ranks 2 --stage 1 --steps 10", NULL, path);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        int64_t begun = base_ticks();
        struct experiment *t = lab_replay(path, cases[i].speed);
        lab_finish(t);
        assert_in_range(base_ticks() - begun, cases[i].least, cases[i].most);
        assert_int_equal(experiment_state(t)->steps, 10);
        experiment_free(t);
    }
    free(path);
}

/* Collectives come during their step, not all at its end, whichever clock they were told on. */
static void a_step_goes_by_in_parts(void **state) {
    static const char *const clocks[] = {NULL, "clock"};
    char *path = scratch_path(state, "run.jsonl");
    for (size_t i = 0; i < BASE_COUNT(clocks); i++) {
        lab_record("--ranks 2 --stage 3 --steps 2", clocks[i], path);
        struct experiment *t = lab_replay(path, 0.5);
        size_t parts = 0;
        while (experiment_state(t)->steps < 2) {
            if (experiment_read(t))
                parts++;
            else
                poll(NULL, 0, experiment_due(t));
        }
        assert_in_range(parts, 10, 200);
        experiment_free(t);
    }
    free(path);
}

static void it_stops_and_goes_on_step_by_step(void **state) {
    char *path = scratch_path(state, "run.jsonl");
    lab_record("--ranks 2 --stage 1 --steps 3", NULL, path);
    struct experiment *t = lab_replay(path, 1);
    assert_true(experiment_pause(t, true));
    experiment_read(t);
    assert_int_equal(experiment_due(t), -1);
    for (size_t i = 1; i <= 3; i++) {
        assert_true(experiment_advance(t));
        assert_int_equal(experiment_due(t), 0);
        assert_true(experiment_read(t));
        assert_int_equal(experiment_state(t)->steps, i);
        assert_int_equal(experiment_state(t)->step[i - 1].step, i);
    }
    assert_true(experiment_pause(t, false));
    lab_finish(t);
    assert_true(experiment_state(t)->ended);
    experiment_free(t);
    t = lab_start("--steps 1", NULL);
    assert_false(experiment_pause(t, true) || experiment_advance(t)); /* a run cannot be stopped */
    experiment_free(t);
    free(path);
}

/* Between two of its events, and while it stands still: whoever waits as it says comes to its
 * end. */
static void it_is_stopped_for_good(void **state) {
    char *path = scratch_path(state, "run.jsonl");
    lab_record("--ranks 2 --stage 1 --steps 10", NULL, path);
    for (int paused = 0; paused < 2; paused++) {
        struct experiment *t = lab_replay(path, 0.001);
        experiment_read(t);
        experiment_pause(t, paused);
        experiment_cancel(t);
        assert_int_equal(experiment_due(t), 0);
        assert_true(experiment_read(t) && experiment_is_over(t));
        lab_trouble(t, "stopped after 0 steps");
        assert_int_equal(experiment_due(t), -1);
        experiment_free(t);
    }
    free(path);
}

#define START(ranks) "{\"event\":\"start\",\"v\":1,\"ranks\":" ranks "}\n"

static void what_is_no_recording_is_refused(void **state) {
    static const char *const cases[][2] = {
        {"", "the recording is empty"},
        {"Hello\n", "its first line is not an event of zerolab"},
        {"[]\n", "its first line is not an event"},
        {"{\"event\":\"step\",\"step\":3}\n",
         "its first line is a \"step\" event, and must be a start"},
        {"{\"v\":1}\n", "its first line is no event"},
        {"{\"event\":\"start\",\"v\":2}\n{\"event\":\"end\"}\n", "version 2 of the events"},
        {START("1000000000"), "1000000000 ranks are impossible"},
        {START("0"), "0 ranks are impossible"},
        {START("2") "{\"event\":\"memory\",\"rank\":4000000000}\n",
         "rank 4000000000 is impossible: the recording has 2 ranks"},
        {START("1") "{\"event\":\"comm\",\"rank\":1}\n", "the recording has 1 rank,"},
        {START("1") "{\"event\":\"end\",\"ranks\":[{\"rank\":0},{\"rank\":-1}]}\n",
         "rank -1 is impossible"},
        {START("1") "{\"event\":\"end\"}\n" START("1"), "a second start"},
    };
    char *path = scratch_path(state, "run.jsonl");
    struct base_message m = {0};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        assert_true(base_file_write(path, cases[i][0], strlen(cases[i][0]), &m));
        assert_null(experiment_replay(path, 1, &m));
        if (!strstr(m.what, cases[i][1])) fail_msg("%s: %s", cases[i][0], m.what);
        assert_string_equal(m.file, path);
    }
    assert_null(experiment_replay("/nowhere.jsonl", 1, &m));
    assert_non_null(strstr(m.what, "file not found"));
    free(path);
}

static void one_that_was_cut_says_so(void **state) {
    char *path = scratch_path(state, "run.jsonl");
    struct base_message m = {0};
    lab_record("--ranks 2 --steps 3", NULL, path);
    char *text = base_file_read(path, 1 << 24, NULL, &m), *end = strstr(text, "\"event\":\"end\"");
    assert_true(base_file_write(path, text, (size_t)(end - text) - 1, &m));
    struct experiment *t = lab_replay(path, 0);
    lab_finish(t);
    assert_true(experiment_state(t)->failed);
    assert_int_equal(experiment_state(t)->steps, 3);
    lab_trouble(t, "the recording ends before the run did");
    experiment_free(t);
    free(text);
    free(path);
}

/* Those that come with a course: all runs of a lab, or none of it. */
static void a_lab_is_recorded_whole_or_not(void **state) {
    const struct experiment_lab *ladder = experiment_lab_find("stage-ladder");
    char *lessons = scratch_path(state, "lessons"),
         *course = scratch_path(state, "lessons/course.json");
    mkdir(lessons, 0755);
    assert_true(base_file_write(course, "{}", 2, NULL)); /* a share is known by it */
    setenv("ZEROTUTOR_SHARE", *state, 1);
    assert_null(experiment_recorded_on(ladder));
    tapes_make(*state, "stage-ladder", 3);
    assert_null(experiment_recorded_on(ladder));
    assert_null(experiment_recording(ladder, 3));
    tapes_make(*state, "stage-ladder", 4);
    char *machine = experiment_recorded_on(ladder), *path = experiment_recording(ladder, 3);
    assert_string_equal(machine, "2 cores");
    assert_non_null(strstr(path, "/data/runs/stage-ladder-4.jsonl"));
    assert_int_equal(truncate(path, 40), 0);
    assert_null(experiment_recorded_on(ladder));
    unsetenv("ZEROTUTOR_SHARE");
    free(lessons);
    free(course);
    free(machine);
    free(path);
}

/* Ten steps of 40 ms each are 400 ms; what takes longer is not slowed down. */
static void it_goes_by_slowly_enough_to_be_seen(void **state) {
    static const struct {
        int ms;
        double slower;
    } cases[] = {{800, 2}, {400, 1}, {0, 1}};
    char *path = scratch_path(state, "run.jsonl");
    lab_record("--ranks 2 --stage 1 --steps 10", NULL, path);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        int64_t begun = base_ticks();
        struct experiment *t = lab_replay(path, 1);
        experiment_slow_down(t, cases[i].ms);
        assert_true(experiment_slowness(t) == cases[i].slower);
        lab_finish(t);
        assert_in_range(base_ticks() - begun, 400 * cases[i].slower - 10, 9000);
        experiment_free(t);
    }
    free(path);
}

/* What was heard is enough to see it once more: slower, still where it is stopped, the same in the
 * end. */
static void a_run_goes_by_once_more(void **state) {
    (void)state;
    struct experiment *live = lab_start("--ranks 2 --stage 1 --steps 5", NULL);
    lab_finish(live);
    struct experiment *again = experiment_watch(live, 1000);
    assert_non_null(again);
    assert_false(experiment_state(again)->recorded);
    assert_true(experiment_slowness(again) == 5);
    assert_string_equal(experiment_command(again), experiment_command(live));
    assert_true(experiment_pause(again, true));
    assert_true(experiment_advance(again));
    experiment_read(again);
    assert_int_equal(experiment_state(again)->steps, 1);
    assert_false(experiment_is_live(again));
    experiment_pause(again, false);
    lab_finish(again);
    looks_the_same(live, again);
    experiment_free(again);
    experiment_free(live);
}

/* While it goes a run is watched at the learner's pace: paused it stands still whatever comes, step
 * by step it comes to what was heard so far, and only there it is seen as it happens. */
static void a_run_is_watched_while_it_goes(void **state) {
    (void)state;
    struct experiment *live = lab_start("--ranks 2 --stage 1 --steps 5", "hang");
    struct experiment *watch = experiment_watch(live, 1000);
    assert_true(experiment_pause(watch, true));
    lab_steps(live, 2);
    experiment_read(watch);
    assert_int_equal(experiment_due(watch), -1);
    assert_int_equal(experiment_state(watch)->steps, 0);
    for (size_t i = 1; i <= 2; i++) {
        assert_true(experiment_advance(watch));
        experiment_read(watch);
        assert_int_equal(experiment_state(watch)->steps, i);
        assert_false(experiment_is_live(watch));
    }
    assert_true(experiment_slowness(watch) == 5); /* five steps of 40 ms are planned */
    experiment_pause(watch, false);
    experiment_read(watch);
    assert_true(experiment_is_live(watch) && !experiment_is_over(watch));
    assert_int_equal(experiment_due(watch), -1); /* the run wakes it */
    looks_the_same(live, watch);
    experiment_cancel(live);
    lab_finish(live);
    lab_finish(watch);
    assert_string_equal(experiment_state(watch)->trouble, experiment_state(live)->trouble);
    experiment_free(watch);
    experiment_free(live);
}

/* One that takes its time is shown as it happens. */
static void a_slow_run_is_seen_as_it_happens(void **state) {
    (void)state;
    struct experiment *live = lab_start("--ranks 2 --stage 1 --steps 5", "hang");
    struct experiment *watch = experiment_watch(live, 0);
    for (size_t i = 1; i <= 2; i++) {
        lab_steps(live, i);
        experiment_read(watch);
        assert_true(experiment_is_live(watch));
        assert_int_equal(experiment_state(watch)->steps, experiment_state(live)->steps);
    }
    experiment_free(watch);
    experiment_free(live);
}

static void it_goes_back_and_at_another_pace(void **state) {
    (void)state;
    struct experiment *live = lab_start("--ranks 2 --stage 3 --steps 5", NULL);
    lab_finish(live);
    struct experiment *watch = experiment_watch(live, 0), *two = experiment_watch(live, 0);
    experiment_pause(watch, true);
    experiment_pause(two, true);
    for (size_t i = 1; i <= 3; i++) {
        experiment_advance(watch);
        experiment_read(watch);
        if (i > 2) continue;
        experiment_advance(two);
        experiment_read(two);
    }
    assert_true(experiment_back(watch));
    experiment_read(watch);
    assert_int_equal(experiment_state(watch)->steps, 2);
    looks_the_same(watch, two);
    assert_true(experiment_pace(watch, true) && experiment_slowness(watch) == 0.5);
    assert_true(experiment_pace(watch, false) && experiment_pace(watch, false));
    assert_true(experiment_slowness(watch) == 2);
    for (int i = 0; i < 20; i++) experiment_pace(watch, false);
    assert_true(experiment_slowness(watch) == 16);
    assert_false(experiment_pace(live, true) || experiment_back(live));
    experiment_free(two);
    experiment_free(watch);
    experiment_free(live);
}

/* A link may be emulated between ranks that share cores: both are said of the times. */
static void times_are_said_as_they_are(void **state) {
    static const struct {
        const char *said;
        bool shares_cores, emulates_link;
    } cases[] = {
        {"\"times\":\"real\"", false, false},
        {"\"times\":\"shared processor\"", true, false},
        {"\"times\":\"emulated link\"", false, true},
        {"\"times\":\"emulated link\",\"shared_processor\":true", true, true},
    };
    struct base_message m = {0};
    char *path = scratch_path(state, "run.jsonl");
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *text = base_format("{\"event\":\"start\",\"v\":1,\"ranks\":2,%s}\n", cases[i].said);
        assert_true(base_file_write(path, text, strlen(text), &m));
        struct experiment *t = lab_replay(path, 0);
        lab_finish(t);
        const struct experiment_setup *setup = &experiment_state(t)->setup;
        assert_int_equal(setup->shares_cores, cases[i].shares_cores);
        assert_int_equal(setup->emulates_link, cases[i].emulates_link);
        experiment_free(t);
        free(text);
    }
    free(path);
}

static void what_was_not_heard_does_not_go_by(void **state) {
    (void)state;
    struct experiment *mute = lab_start("--ranks 2", "mute");
    lab_finish(mute);
    assert_null(experiment_watch(mute, 1000));
    experiment_free(mute);
}

static void a_recording_that_cannot_be_written_is_told(void **state) {
    (void)state;
    struct base_message m = {0};
    struct experiment *t = lab_start("--steps 2", NULL);
    assert_false(experiment_record(t, "/nowhere/run.jsonl", &m));
    assert_non_null(strstr(m.what, "cannot write it: "));
    static const struct {
        const char *path, *what;
    } rows[] = {
        {"link", "cannot write into a symbolic link: name the file itself"},
        {"fifo", "cannot write into a pipe or a socket: name a file"},
    };
    assert_int_equal(symlink("/tmp", "link"), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        assert_false(experiment_record(t, rows[i].path, &m));
        assert_string_equal(m.what, rows[i].what);
    }
    assert_int_equal(unlink("link") | unlink("fifo"), 0);
    experiment_free(t);
    t = lab_start("--steps 2", NULL);
    assert_true(experiment_record(t, "/dev/full", &m));
    lab_finish(t);
    assert_false(experiment_record_end(t, &m));
    assert_non_null(strstr(m.what, "is not whole"));
    experiment_free(t);
}

/* Events with times or lines that cannot be are passed over. */
static void nonsense_of_collectives_is_passed_over(void **state) {
    static const char lines[] =
        "{\"event\":\"start\",\"v\":1,\"ranks\":4,\"collectives\":{\"from\":4,\"to\":8}}\n"
        "{\"event\":\"collective\",\"op\":\"all_reduce\",\"bytes\":4,\"us\":0}\n"
        "{\"event\":\"collective\",\"op\":\"all_reduce\",\"bytes\":-4,\"us\":3}\n"
        "{\"event\":\"collective\",\"op\":\"broadcast\",\"bytes\":4,\"us\":3}\n"
        "{\"event\":\"link\",\"op\":\"all_reduce\",\"latency_us\":-1,\"bytes_per_s\":2}\n"
        "{\"event\":\"link\",\"op\":\"all_to_all\",\"latency_us\":1,\"bytes_per_s\":2}\n"
        "{\"event\":\"end\",\"status\":\"ok\",\"ranks\":[]}\n";
    char *path = scratch_path(state, "run.jsonl");
    struct base_message m = {0};
    assert_true(base_file_write(path, lines, sizeof lines - 1, &m));
    struct experiment *t = lab_replay(path, 0);
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    assert_int_equal(s->timings, 0);
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED; op++) {
        assert_false(s->line[op].known);
        assert_true(experiment_line_seconds(s, op, 4) <= 0);
    }
    experiment_free(t);
    free(path);
}

int main(void) {
#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_recording_tells_what_the_run_told),
        IN_SCRATCH(it_is_played_at_its_own_pace),
        IN_SCRATCH(a_step_goes_by_in_parts),
        IN_SCRATCH(it_stops_and_goes_on_step_by_step),
        IN_SCRATCH(it_is_stopped_for_good),
        IN_SCRATCH(what_is_no_recording_is_refused),
        IN_SCRATCH(one_that_was_cut_says_so),
        IN_SCRATCH(a_lab_is_recorded_whole_or_not),
        IN_SCRATCH(it_goes_by_slowly_enough_to_be_seen),
        cmocka_unit_test(a_run_goes_by_once_more),
        cmocka_unit_test(a_run_is_watched_while_it_goes),
        cmocka_unit_test(a_slow_run_is_seen_as_it_happens),
        cmocka_unit_test(it_goes_back_and_at_another_pace),
        cmocka_unit_test(what_was_not_heard_does_not_go_by),
        IN_SCRATCH(times_are_said_as_they_are),
        cmocka_unit_test(a_recording_that_cannot_be_written_is_told),
        IN_SCRATCH(nonsense_of_collectives_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
