/* lab: labs listed, runs of a stand-in for zerolab told as they go, compared and kept; recordings;
 * what is refused. */
#include "base/golden.h"
#include "base/scratch.h"
#include "command/page.h"
#include "command/run.h"
#include "tty/tty.h"

#define STAND_IN "tests/experiment/zerolab.sh"

static int setup(void **state) {
    setenv("ZEROLAB", STAND_IN, 1);
    unsetenv("FAKE");
    return scratch_make(state);
}

static int teardown(void **state) {
    unsetenv("FAKE");
    unsetenv("ZEROTUTOR_SHARE");
    return scratch_remove(state);
}

static void pages_read_as_before(void **state) {
    static const char *const cases[][2] = {
        {"lab-list", "lab list"},
        {"lab-replicas", "lab run replicas"},
        {"lab-one", "lab run first-weighing --ascii -- --steps 30"},
        {"lab-free", "lab run -- --ranks 2 --stage 3 --precision bf16"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_is(cases[i][0], cases[i][1]);
}

/* The last part: the runs beside each other, and what was to be seen. */
static void the_ladder_is_compared(void **state) {
    (void)state;
    struct run r = run_line("lab run stage-ladder", NULL);
    const char *table = strstr(r.out, "stage 0     stage 1");
    assert_int_equal(r.status, 0);
    assert_non_null(table);
    while (table[-1] != '\n') table--;
    golden_is("command", "lab-ladder", table);
    run_free(&r);
}

/* One of several runs has nothing beside it. */
static void a_picture_needs_all_runs(void **state) {
    (void)state;
    struct run r = run_line("lab run stage-ladder --variant 3", NULL);
    assert_int_equal(r.status, 0);
    assert_null(strstr(r.out, "rank 0 at its peak"));
    run_free(&r);
}

static bool has_drawings(const char *text) {
    static const char *const signs[] = {"█", "▓", "░", "╱", "◫", "◪", "▇", "─", "│", "┆", "⠤"};
    for (size_t i = 0; i < BASE_COUNT(signs); i++)
        if (strstr(text, signs[i])) return true;
    return false;
}

/* With --words, or if the learner switched drawings off, figures are sentences; also of what runs
 * out of memory, and of recordings. */
static void figures_are_said_in_words(void **state) {
    static const char *const lines[] = {"lab run stage-ladder --words",
                                        "lab run out-of-memory --words",
                                        "lab run -- --ranks 2 --stage 3 --precision bf16",
                                        "lab run stage-ladder",
                                        "lab replay stage-ladder",
                                        "lab replay measure-collectives"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run off = {0};
        if (i == 2) off = run_line("learn 1.1 --linear", ":drawings off\n:quit\n");
        run_free(&off);
        struct run r = run_line(lines[i], NULL);
        if (has_drawings(r.out)) fail_msg("%s: there are drawings in\n%s", lines[i], r.out);
        if (i != 5) assert_non_null(strstr(r.out, "keeps"));
        run_free(&r);
    }
    struct run on = run_line("learn 1.1 --linear", ":drawings on\n:quit\n");
    run_free(&on);
    page_is("lab-words", "lab run replicas --words");
}

static void a_variant_and_flags_are_passed_on(void **state) {
    (void)state;
    struct base_message m;
    struct run r = run_line("lab run stage-ladder --variant 3 --json -- --steps 5 --clip 1", NULL);
    json_t *json = base_json_read(r.out, strlen(r.out), "lab run", &m);
    run_free(&r);
    const json_t *run = page_item(json, "runs", 0);
    assert_int_equal(json_array_size(json_object_get(json, "runs")), 1);
    assert_string_equal(base_json_text(run, "label", ""), "stage 2");
    assert_string_equal(base_json_text(run, "command", ""),
                        "zerolab --ranks 4 --stage 2 --model tiny --batch 2 --steps 30 --seed 1 "
                        "--steps 5 --clip 1");
    assert_int_equal(json_array_size(json_object_get(run, "steps")), 5);
    json_decref(json);
}

static void json_has_what_was_measured_and_predicted(void **state) {
    (void)state;
    json_t *json = page_json("lab run count-the-bytes", 0);
    assert_string_equal(base_json_text(json, "lab", ""), "count-the-bytes");
    for (size_t i = 0; i < 4; i++) {
        const json_t *run = page_item(json, "runs", i), *rank = page_item(run, "ranks", 3);
        page_has(run, "label command recorded well trouble start steps ranks loss weights_hash");
        page_has(rank, "rank persistent peak peak_total peak_where sent control state_hash");
        const json_t *predicted = json_object_get(rank, "predicted");
        assert_true(json_equal(json_object_get(rank, "persistent"),
                               json_object_get(predicted, "persistent")));
        assert_true(json_equal(json_object_get(rank, "sent"), json_object_get(predicted, "sent")));
        int64_t total = base_json_int(json_object_get(rank, "sent"), "total", 0);
        assert_int_equal(total, (i == 3 ? 3 : 2) * 3 * 4 * 834304 / 4); /* × Ψ·(N−1)/N × 4 B */
    }
    json_decref(json);
}

static void a_failed_run_fails(void **state) {
    static const char *const cases[][2] = {
        {"cap", "zerotutor: stage 0: rank 0, backward block 1: out of memory"},
        {"killed", "zerotutor: stage 0: zerolab was killed by signal 9 (Killed)"},
        {"words", "zerotutor: stage 0: zerolab: --stage cannot be '9'"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        setenv("FAKE", cases[i][0], 1);
        struct run r = run_line("lab run stage-ladder", NULL);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, cases[i][1]) != r.err) fail_msg("%s", r.err);
        assert_null(strstr(r.out, "Not by a bit")); /* nothing was seen, so nothing is revealed */
        assert_null(strstr(r.out, "stage 1\n"));
        run_free(&r);
    }
}

static void a_full_disk_is_told(void **state) {
    (void)state;
    char *line = base_format("%s lab run replicas 2>&1 >/dev/full | grep -q 'could not be written'",
                             getenv("ZEROTUTOR"));
    assert_int_equal(system(line), 0);
    free(line);
}

/* Of a run that did not come to its end only what it sent is known. */
static void what_is_not_known_is_said_so(void **state) {
    (void)state;
    setenv("FAKE", "cap", 1);
    struct run r = run_line("lab run stage-ladder --json", NULL);
    struct base_message m;
    json_t *json = base_json_read(r.out, strlen(r.out), "lab run", &m);
    const json_t *rank = page_item(page_item(json, "runs", 0), "ranks", 3);
    static const char *const unknown[] = {"persistent", "peak", "peak_total", "peak_where",
                                          "state_hash"};
    for (size_t i = 0; i < BASE_COUNT(unknown); i++)
        assert_true(json_is_null(json_object_get(rank, unknown[i])));
    assert_true(json_is_false(json_object_get(rank, "ended")));
    assert_true(base_json_int(json_object_get(rank, "now"), "total", 0) > 0);
    assert_true(base_json_int(json_object_get(rank, "sent"), "total", 0) > 0);
    json_decref(json);
    run_free(&r);
}

/* One run of two fails: its column says what it does not know. */
static void a_failed_run_is_compared_without_a_peak(void **state) {
    (void)state;
    setenv("FAKE", "rung", 1);
    struct run r = run_line("lab run stage-ladder", NULL);
    assert_int_equal(r.status, 1);
    const char *compared = strstr(r.out, "stage 0    stage 1");
    assert_non_null(compared);
    while (compared[-1] != '\n') compared--;
    golden_is("command", "lab-rung", compared);
    run_free(&r);
}

static void recordings_are_kept_and_played(void **state) {
    char *file = scratch_path(state, "ladder.jsonl");
    char *line = base_format("lab run stage-ladder --record %s -- --steps 4", file);
    struct run r = run_line(line, NULL);
    assert_int_equal(r.status, 0);
    run_free(&r);
    free(line);
    for (int i = 1; i <= 4; i++) {
        char *name = base_format("ladder-%d.jsonl", i), *path = scratch_path(state, name);
        line = base_format("lab replay %s", path);
        json_t *json = page_json(line, 0);
        const json_t *run = page_item(json, "runs", 0);
        assert_true(base_json_bool(run, "recorded", false));
        assert_int_equal(base_json_int(json_object_get(run, "start"), "stage", -1), i - 1);
        assert_int_equal(json_array_size(json_object_get(run, "steps")), 4);
        json_decref(json);
        free(line);
        line = base_format("lab replay %s --speed max", path);
        r = run_line(line, NULL);
        assert_non_null(strstr(r.out, "A recording: 834.3K parameters"));
        assert_int_equal(r.status, 0);
        run_free(&r);
        free(line);
        free(path);
        free(name);
    }
    free(file);
}

/* The recordings that come with labs go by their names. */
static void a_lab_s_recording_is_replayed(void **state) {
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    struct run r = run_line("lab replay first-weighing", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "zerotutor lab replay ./data/runs/first-weighing.jsonl"));
    assert_non_null(strstr(r.out, "step 30 "));
    run_free(&r);
    unsetenv("ZEROTUTOR_SHARE");
}

/* One after the other, and then beside each other, as they were run. */
static void all_recordings_of_a_lab_are_replayed(void **state) {
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    struct run r = run_line("lab replay activations", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "kept   selective        full"));
    assert_non_null(strstr(r.out, "Losses and weights are equal, bit for bit."));
    assert_non_null(strstr(r.out, "rank 0 at its peak"));
    run_free(&r);
    r = run_line("lab replay activations --json", NULL);
    json_t *j = json_loads(r.out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(j, "runs")), 3);
    json_decref(j);
    run_free(&r);
    unsetenv("ZEROTUTOR_SHARE");
}

/* Nothing was run, so nothing can be quoted. */
static void a_recording_is_no_run_of_ones_own(void **state) {
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    const char *const argv[] = {getenv("ZEROTUTOR"), "lab", "replay", "first-weighing", NULL};
    struct tty *t = tty_open(80, 40, argv, NULL);
    tty_wait_row(t, 0, "1 run, measured");
    tty_wait(t, "The run has ended.");
    tty_wait_row(t, 0, "recording  first-weighing");
    tty_type(t, "<Enter>");
    assert_int_equal(tty_end(t), 0);
    struct run r = run_line("lab runs", NULL);
    assert_int_equal(r.status, 0);
    assert_null(strstr(r.out, "[run 1"));
    run_free(&r);
    unsetenv("ZEROTUTOR_SHARE");
}

static void half_a_recording_fails(void **state) {
    struct base_message m;
    char *file = scratch_path(state, "half.jsonl"), *line = base_format("lab replay %s", file);
    const char *text = "{\"event\":\"start\",\"v\":1,\"ranks\":2}\n";
    assert_true(base_file_write(file, text, strlen(text), &m));
    struct run r = run_line(line, NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "the recording ends before the run did"));
    run_free(&r);
    free(line);
    free(file);
}

static void bad_words_are_refused(void **state) {
    static const char *const cases[][2] = {
        {"lab",
         "more is needed: `zerotutor lab list | run [NAME] [-- FLAGS] | runs | replay FILE`"},
        {"lab rums", "unknown lab command 'rums': did you mean 'runs'?"},
        {"lab stage-ladder",
         "unknown lab command 'stage-ladder': did you mean `zerotutor lab run stage-ladder`?"},
        {"lab bukets", "unknown lab command 'bukets': did you mean `zerotutor lab run buckets`?"},
        {"lab run buckets --stage 2",
         "--scenario and --stage are for `zerotutor lab run capstone`"},
        {"lab run capstone --stage 4", "--stage cannot be '4': it is a number from 0 to 3"},
        {"lab run capstone --scenario tests/memo/no-such.md",
         "tests/memo/no-such.md: file not found: check its name"},
        {"lab runs away", "'away' is unexpected: `zerotutor lab runs`"},
        {"lab frobnicate", "unknown lab command 'frobnicate': it is list, run, runs or replay"},
        {"lab run", "`lab run` needs a lab or flags: run `zerotutor lab list` for the labs, or try "
                    "`zerotutor lab run -- --ranks 2 --stage 3`"},
        {"lab run bukets", "unknown lab 'bukets': did you mean 'buckets'?"},
        {"lab run zzz", "unknown lab 'zzz': run `zerotutor lab list` for a list"},
        {"lab run buckets --variant 3", "--variant cannot be '3': it is a number from 1 to 2"},
        {"lab run --variant 1 -- --ranks 2",
         "--variant is for a named lab: name one, or leave it out"},
        {"lab run buckets --speed 2",
         "`lab run` does not take --speed: run `zerotutor lab --help` for its options"},
        {"lab list buckets", "'buckets' is unexpected: `zerotutor lab list`"},
        {"lab replay", "`lab replay` needs one recording: `zerotutor lab replay FILE`"},
        {"lab replay overlap",
         "no recording of 'overlap' in data/runs: `zerotutor lab run overlap` runs it"},
        {"lab run gpt2-xl",
         "the lab 'gpt2-xl' needs a GPU, and this machine has none that zerolab-cuda can use "
         "(`zerotutor doctor` says more): `zerotutor lab replay gpt2-xl` plays its recording, made "
         "on NVIDIA H200"},
        {"lab replay x --speed fast",
         "--speed cannot be 'fast': it is a number such as 2 or 0.5, or max"},
        {"lab replay /nowhere.jsonl --speed two", "/nowhere.jsonl: file not found: check its name"},
        {"lab replay /nowhere.jsonl", "/nowhere.jsonl: file not found: check its name"},
        {"lab replay tests/README.md",
         "tests/README.md:1: this is not a recording: its first line is not an event of zerolab "
         "(JSON Lines, a start event first)"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_refused(cases[i][0], cases[i][1]);
}

static void a_lab_that_is_not_built_says_so(void **state) {
    (void)state;
    setenv("ZEROLAB", "/nowhere/zerolab", 1);
    page_refused("lab run -- --ranks 2",
                 "ZEROLAB is '/nowhere/zerolab', which cannot be run (No such file or directory): "
                 "set it to the path of zerolab");
}

static struct tty *open_lab(const char *lab) {
    const char *const argv[] = {getenv("ZEROTUTOR"), "lab", "run", lab, "--linear", NULL};
    return tty_open(80, 80, argv, NULL);
}

/* Nothing runs before what is asked is answered, and then one question is about what was measured.
 */
static void a_prediction_is_asked_for(void **state) {
    static const struct {
        const char *guess, *amount, *judges, *says;
    } cases[] = {
        {"9<Enter>3<Enter>", "3.53<Enter>", "That is right: it is 3.529 MB.",
         "You said: the optimizer's moments. That is right."},
        {"1<Enter>", "2.65 MB<Enter>", "the gradients were forgotten",
         "✓ right, as the run shows: the optimizer's moments."},
        {"<Enter>", "<Enter>", "The amount is 3.529 MB.",
         "The right choice is: the optimizer's moments."},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct tty *t = open_lab("first-weighing");
        tty_wait(t, "3  the optimizer's moments");
        tty_wait(t, "Press Enter to skip this");
        tty_type(t, cases[i].guess);
        tty_wait(t, "How many MB of model states");
        assert_false(tty_has(t, "zerolab"));
        tty_type(t, cases[i].amount);
        tty_wait(t, "Which part of the peak is gone");
        assert_true(tty_has(t, cases[i].judges));
        assert_true(tty_has(t, cases[i].says));
        tty_type(t, "2<Enter>");
        tty_wait(t, "✓ 2  the activations");
        assert_int_equal(tty_end(t), 0);
    }
}

/* In a pipe the same is asked; what was answered stands in what is printed. Who says nothing is not
 * waited for. */
static void a_pipe_is_asked_as_well(void **state) {
    (void)state;
    struct run r = run_line("lab run first-weighing", "3\n7 MB\n1\n");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "> 7 MB\n"));
    assert_non_null(strstr(r.out, "Your guess: 7 MB. The answer is 3.529 MB."));
    assert_non_null(strstr(r.out, "✗ 1  the gradients"));
    run_free(&r);
    r = run_line("lab run first-weighing", ":help\n:repeat\n\n:repeat\n?\n:quit\n");
    assert_int_equal(r.status, 0);
    const char *first = strstr(r.out, "3  the optimizer's moments"),
               *amount = strstr(r.out, "How many MB of model states");
    assert_true(first && strstr(first + 1, "3  the optimizer's moments"));
    assert_true(amount && strstr(amount + 1, "How many MB of model states"));
    assert_non_null(strstr(r.out, ":quit leaves"));
    assert_null(strstr(r.out, "zerolab"));
    run_free(&r);
    r = run_line("lab run first-weighing", "");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "You can run it without a guess."));
    assert_non_null(strstr(r.out, "The right choice is: the optimizer's moments."));
    run_free(&r);
    r = run_line("lab run first-weighing -- --steps 4", "3\n");
    assert_null(strstr(r.out, "How many MB")); /* its question is about other flags */
    run_free(&r);
}

/* ^C ends the run, not the telling: what was weighed by then is printed. */
static void an_interrupt_ends_the_run(void **state) {
    (void)state;
    setenv("FAKE", "hang", 1);
    struct tty *t = open_lab("stage-ladder");
    tty_wait(t, "Press Enter to skip this");
    tty_type(t, "<Enter>");
    tty_wait(t, "How many KB");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 2");
    tty_type(t, "<C-c>");
    tty_wait(t, "stage 0: cancelled after 2 steps");
    assert_true(tty_has(t, "last, by category"));
    assert_int_equal(tty_end(t), 1);
}

/* On a terminal a named lab is watched; how it went is the exit status. */
static void a_terminal_shows_it_live(void **state) {
    static const struct {
        const char *fake, *says;
        int status;
    } cases[] = {
        {"", "You said: it does not change at all. That is right.", 0},
        {"killed", "You can run it again.", 1},
    };
    const char *const argv[] = {getenv("ZEROTUTOR"), "lab", "run", "stage-ladder", NULL};
    setenv("ZEROTUTOR_SHARE", ".", 1);
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        setenv("FAKE", cases[i].fake, 1);
        struct tty *t = tty_open(80, 24, argv, NULL);
        tty_wait(t, "does the last loss");
        tty_type(t, "2<Enter>");
        tty_wait(t, "How many KB");
        tty_type(t, "<F5>");
        tty_wait(t, "Run the lab");
        tty_type(t, "<Enter>");
        tty_wait_row(t, -1, "⏎ next");
        tty_wait_row(t, 0, "lab  stage-ladder");
        tty_type(t, "<Enter>");
        tty_wait(t, cases[i].says);
        tty_type(t, "<Esc><Esc>");
        assert_int_equal(tty_end(t), cases[i].status);
    }
}

/* On a terminal a recording is watched too, where its start says what ran; with --linear, or where
 * it does not, there are tables. */
static void a_terminal_shows_a_recording_live(void **state) {
    static const struct {
        const char *file, *option, *says;
        int status;
        bool live;
    } cases[] = {
        {"data/runs/first-weighing.jsonl", NULL, "stage 0, 1 rank · 30 steps", 0, true},
        {"data/runs/first-weighing.jsonl", "--linear", "kept between steps", 0, false},
        {"half.jsonl", NULL, "the recording ends", 1, false},
        {"sparse", "--linear", "The losses differ, as the models do.", 0, false},
    };
    struct base_message m;
    char *half = scratch_path(state, "half.jsonl");
    const char *text = "{\"event\":\"start\",\"v\":1,\"ranks\":2}\n";
    assert_true(base_file_write(half, text, strlen(text), &m));
    setenv("ZEROTUTOR_SHARE", ".", 1);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const char *const argv[] = {getenv("ZEROTUTOR"),           "lab",           "replay",
                                    i == 2 ? half : cases[i].file, cases[i].option, NULL};
        struct tty *t = tty_open(80, 40, argv, NULL);
        tty_wait(t, cases[i].says);
        assert_int_equal(tty_full_screen(t), cases[i].live);
        if (cases[i].live) {
            tty_wait_row(t, 0, "recording  first-weighing.jsonl");
            tty_type(t, "<Enter>");
        }
        assert_int_equal(tty_end(t), cases[i].status);
    }
    free(half);
}

int main(void) {
#define IN_LAB(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_LAB(pages_read_as_before),
        IN_LAB(the_ladder_is_compared),
        IN_LAB(a_picture_needs_all_runs),
        IN_LAB(figures_are_said_in_words),
        IN_LAB(a_variant_and_flags_are_passed_on),
        IN_LAB(json_has_what_was_measured_and_predicted),
        IN_LAB(a_failed_run_fails),
        IN_LAB(a_full_disk_is_told),
        IN_LAB(what_is_not_known_is_said_so),
        IN_LAB(a_failed_run_is_compared_without_a_peak),
        IN_LAB(recordings_are_kept_and_played),
        IN_LAB(all_recordings_of_a_lab_are_replayed),
        IN_LAB(a_recording_is_no_run_of_ones_own),
        IN_LAB(half_a_recording_fails),
        cmocka_unit_test(a_lab_s_recording_is_replayed),
        IN_LAB(bad_words_are_refused),
        IN_LAB(a_lab_that_is_not_built_says_so),
        IN_LAB(a_prediction_is_asked_for),
        IN_LAB(a_pipe_is_asked_as_well),
        IN_LAB(an_interrupt_ends_the_run),
        IN_LAB(a_terminal_shows_it_live),
        IN_LAB(a_terminal_shows_a_recording_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
