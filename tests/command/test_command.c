/* The command line as people meet it: what is typed, what is answered, and how it ends. */
#include "session/school.h"

#include "command/run.h"
#include "page/page.h"
#include "store/store.h"
#include "tty/tty.h"

#include <fcntl.h>
#include <sys/resource.h>

/* ── errors ────────────────────────────────────────────────────────────────────────────────────*/
static void errors_say_what_is_wrong_and_what_to_do(void **state) {
    static const struct {
        const char *line, *err;
    } cases[] = {
        {"quux", "unknown command 'quux': run `zerotutor help` for a list"},
        {"meme", "unknown command 'meme': did you mean 'mem'?"},
        {"lern 1.1", "unknown command 'lern': did you mean 'learn'?"},
        {"help quux", "unknown command 'quux': run `zerotutor help` for a list"},
        {"--linaer", "unknown option '--linaer': did you mean '--linear'?"},
        {"--frobnicate", "unknown option '--frobnicate': run `zerotutor --help` for a list"},
        {"-x", "unknown option '-x': run `zerotutor --help` for a list"},
        {"mem --gpu-per-node 8",
         "unknown option '--gpu-per-node': did you mean '--gpus-per-node'?"},
        {"mem --parms 7e9", "unknown option '--parms': did you mean '--params'?"},
        {"mem --whatever", "unknown option '--whatever': run `zerotutor mem --help` for a list"},
        {"mem --params", "--params needs a value: --params VALUE"},
        {"mem --params 7e9 --json=on", "--json takes no value: write it without one"},
        {"mem --params 7e9 --json --csv", "--json and --csv exclude each other: use one of them"},
        {"mem --params 7e9 --json --words",
         "--words is for a page that people read: use it without --json and --csv"},
        {"mem 7e9", "'7e9' is unexpected: `zerotutor mem` takes options only"},
        {"--linear learn 1.1",
         "'learn' is unexpected: write the command first, as in `zerotutor learn 1.1 --linear`"},
        {"fr\033[2Job", "unknown command 'fr[2Job': run `zerotutor help` for a list"},
        {"mem --params 7e9 --csv --explain",
         "--csv has only numbers: use --explain with --json or without either"},
        {"learn 1.1 1.2", "'1.2' is unexpected: `zerotutor learn [LESSON]`"},
        {"learn 1.1", "this is not a terminal: `--linear` reads lines and prints lines"},
        {"learn --json", "a lesson cannot be taken as JSON: `--list --json` lists them"},
        {"lint --seeds many", "--seeds cannot be 'many': it is a number from 1 to 100000"},
        {"mem --gpu qqq",
         "--gpu cannot be 'qqq': it is not in the catalogue: choose one like a100-80g or "
         "h100-80g; `zerotutor gpus` lists the names"},
        {"mem --model 7B", "--model cannot be '7B': did you mean --params 7B?"},
        {"mem --model qqq",
         "--model cannot be 'qqq': it is not in the catalogue: choose a name like "
         "llama-2-13b, or set params to a count; `zerotutor models` lists the "
         "names"},
        {"lint --seeds 0", "--seeds cannot be '0': it is a number from 1 to 100000"},
        {"completion", "more is needed: `zerotutor completion bash|zsh|fish`"},
        {"export essay", "unknown export 'essay': it is lesson, sheet or cheat-sheet, as in "
                         "`zerotutor export lesson 2.3`"},
        {"present 9.9", "unknown lesson '9.9': run `zerotutor learn --list` for a list"},
        {"code -o x.c", "-o writes only the program: `zerotutor code accounting -o FILE.c`"},
        {"lab run capstone --scenario 99999999999999999999",
         "--scenario cannot be '99999999999999999999': a seed is a number from 0 to 1000000000"},
        {"job --gpus 99999999999999999999",
         "--gpus: write a whole number of GPUs from 1 to 10000000"},
        {"job --precision fp17", "--precision: \"fp17\" cannot be used: choose one of "
                                 "mixed-bf16|mixed-fp16|bf16|fp32"},
        {"completion csh", "unknown shell 'csh': use bash, zsh or fish"},
        {"picture --size 8x2",
         "--size cannot be '8x2': it is columns x rows from 40x12 to 400x400, such as 80x24"},
        {"learn 9.9", "unknown lesson '9.9': run `zerotutor learn --list` for a list"},
        {"learn 9.9 --linear", "unknown lesson '9.9': run `zerotutor learn --list` for a list"},
        {"learn 1.2 --linear", "lesson 1.2 is not written yet: take one that is"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct run r = run_line(cases[i].line, NULL);
        char *expected = base_format("zerotutor: %s\n", cases[i].err);
        if (r.status != 2 || strcmp(r.err, expected) != 0 || *r.out)
            fail_msg("zerotutor %s: status %d, error \"%s\", not \"%s\"; output \"%s\"",
                     cases[i].line, r.status, r.err, expected, r.out);
        free(expected);
        run_free(&r);
    }
}

/* What the engine and other modules say is their own; here only that it is said in one line, with
 * status 2. */
static void what_other_modules_refuse_is_one_line(void **state) {
    static const char *const lines[] = {
        "mem",
        "mem --params lots",
        "mem --params 7e9 --gpus 0",
        "mem --params 7e9 --stage 4",
        "mem --params 7e9 --precision fp17",
        "mem --model gpt-99",
        "mem --params 7e9 --gpu abacus",
        "learn nowhere.lua --linear",
        "learn 1.1 --linear --store /dev/null/learner.db",
        "picture 9.9",
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run r = run_line(lines[i], "");
        bool one_line = strncmp(r.err, "zerotutor: ", 11) == 0 &&
                        strchr(r.err, '\n') == r.err + strlen(r.err) - 1;
        if (r.status != 2 || !one_line || *r.out)
            fail_msg("zerotutor %s: status %d, \"%s\", \"%s\"", lines[i], r.status, r.err, r.out);
        run_free(&r);
    }
}

/* ── help ──────────────────────────────────────────────────────────────────────────────────────*/
static json_t *run_json(const char *line, int status) {
    struct run r = run_line(line, NULL);
    struct base_message m = {0};
    json_t *json = base_json_read(r.out, strlen(r.out), line, &m);
    if (!json || r.status != status)
        fail_msg("zerotutor %s: status %d, %s\n%s%s", line, r.status, m.what, r.out, r.err);
    run_free(&r);
    return json;
}

static void every_command_says_what_it_does(void **state) {
    json_t *json = run_json("help --json", 0), *command;
    struct run all = run_line("help", NULL), brief = run_line("--help", NULL);
    size_t i;
    (void)state;
    assert_int_equal(all.status, 0);
    assert_true(json_array_size(json_object_get(json, "commands")) >= 8);
    json_array_foreach(json_object_get(json, "commands"), i, command) {
        const char *name = base_json_text(command, "name", "");
        char *line = base_format("%s --help", name), *head = base_format("zerotutor %s", name);
        struct run r = run_line(line, NULL);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.err, "");
        assert_ptr_equal(strstr(r.out, head), r.out);
        assert_non_null(strstr(r.out, "--help"));
        assert_non_null(strstr(all.out, base_json_text(command, "summary", "?")));
        assert_non_null(strstr(brief.out, base_json_text(command, "name", "?")));
        run_free(&r);
        free(head);
        free(line);
    }
    assert_non_null(strstr(brief.out, "-v --version"));
    assert_non_null(strstr(brief.out, "--no-color "));
    run_free(&brief);
    run_free(&all);
    json_decref(json);
}

static void no_help_line_is_wider_than_eighty(void **state) {
    json_t *json = run_json("help --json", 0), *command;
    size_t i;
    (void)state;
    json_array_foreach(json_object_get(json, "commands"), i, command) {
        char *line = base_format("help %s", base_json_text(command, "name", "")), *row;
        struct run r = run_line(line, NULL);
        for (char *rest = r.out; (row = strsep(&rest, "\n"));)
            if (base_width(row) > 80) fail_msg("%s: %s", line, row);
        run_free(&r);
        free(line);
    }
    json_decref(json);
}

/* In 80x24 with a row for what was typed and one for the prompt, whatever the command. */
static void help_fits_a_screen(void **state) {
    json_t *json = run_json("help --json", 0), *command;
    size_t i;
    (void)state;
    json_array_append_new(json_object_get(json, "commands"), json_pack("{ss}", "name", ""));
    json_array_foreach(json_object_get(json, "commands"), i, command) {
        char *line = base_format("%s --help", base_json_text(command, "name", "")), *row;
        struct run r = run_line(line, NULL);
        int rows = 0;
        for (char *rest = r.out; (row = strsep(&rest, "\n")); rows += rest != NULL)
            if (base_width(row) > 80) fail_msg("%s: %s", line, row);
        if (rows > 22) fail_msg("%s takes %d rows", line, rows);
        run_free(&r);
        free(line);
    }
    json_decref(json);
}

/* What is too long for a line goes on in the next one, so that a shell reads the same words. */
static void no_example_is_cut(void **state) {
    static const char *const wanted[][2] = {
        {"help mem", "--recipe fsdp2 --batch 1 --seq 4096\n"},
        {"help plan", "--seq 4096 --global-batch 64\n"},
        {"help completion", "> ~/.local/share/bash-completion/completions/zerotutor\n"},
        {"completion -h", "> ~/.local/share/bash-completion/completions/zerotutor\n"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wanted); i++) {
        struct run r = run_line(wanted[i][0], NULL);
        for (char *at; (at = strstr(r.out, "\\\n        "));)
            memmove(at, at + 10, strlen(at + 10) + 1);
        if (!strstr(r.out, wanted[i][1]))
            fail_msg("%s lacks %s:\n%s", wanted[i][0], wanted[i][1], r.out);
        run_free(&r);
    }
}

static void every_command_may_be_without_colours(void **state) {
    static const char *const lines[] = {"mem --params 7e9 --no-color", "lab list --no-colour",
                                        "doctor --no-color", "gpus --no-colour"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run r = run_line(lines[i], NULL);
        if (*r.err) fail_msg("%s: %s", lines[i], r.err);
        run_free(&r);
    }
}

static void a_short_h_is_help(void **state) {
    static const char *const lines[][2] = {
        {"-h", "--help"},
        {"mem -h", "mem --help"},
        {"-v", "--version"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run small = run_line(lines[i][0], NULL), whole = run_line(lines[i][1], NULL);
        assert_int_equal(small.status, 0);
        assert_string_equal(small.out, whole.out);
        run_free(&small);
        run_free(&whole);
    }
}

static void the_version_is_told(void **state) {
    (void)state;
    struct run r = run_line("--version", NULL);
    assert_int_equal(r.status, 0);
    assert_int_equal(strncmp(r.out, "zerotutor ", 10), 0);
    run_free(&r);
}

/* ── learn ─────────────────────────────────────────────────────────────────────────────────────*/
static void a_lesson_is_taken_from_a_pipe(void **state) {
    (void)state;
    struct run r = run_line("learn 2.1 --linear", "\n\n");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "Elephants never forget"));
    run_free(&r);
    r = run_line("learn 1.1 --linear", "\n");
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "resumes where it stopped"));
    run_free(&r);
}

/* With --words nothing is drawn, the welcome's figure neither. */
static void words_draw_nothing(void **state) {
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    struct run r = run_line("--words", "quit\n");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "13B, 8 GPUs: 208 gigabytes, of which params 26"));
    assert_null(strstr(r.out, "█"));
    run_free(&r);
}

/* On the course itself. */
static void a_round_is_taken_from_a_pipe(void **state) {
    (void)state;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    struct run r = run_line("speed --linear --seconds none --choose --seed 5", "1\n:quit\n:quit\n");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "12 questions without a clock"));
    run_free(&r);
    r = run_line("speed --linear --about traffic", "1\n");
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.out, "Speed challenge: Traffic, 60 seconds"));
    run_free(&r);
    r = run_line("speed --linear --seconds ninety", "1\n");
    assert_non_null(strstr(r.out, "Speed challenge: All subjects, 90 seconds"));
    run_free(&r);
    r = run_line("learn --linear", "speed\n:quit\n:quit\n");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "Speed challenge: All subjects, 60 seconds"));
    run_free(&r);
    r = run_line("speed --linear --about seconds", "");
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "choose another subject"));
    run_free(&r);
    r = run_line("speed --seconds 61", NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "60, 90, 180, none"));
    run_free(&r);
    r = run_line("speed --seed 0 --linear", NULL);
    assert_int_equal(r.status, 2);
    run_free(&r);
    r = run_line("speed", NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "--linear"));
    run_free(&r);
}

static void a_dumb_terminal_takes_the_linear_form(void **state) {
    (void)state;
    setenv("TERM", "dumb", 1);
    struct run r = run_line("learn 2.1", "\n\n");
    setenv("TERM", "xterm-256color", 1);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "> "));
    run_free(&r);
}

/* Colours are for the ground that the terminal says it has, until the learner chooses a theme. */
static void pages_are_in_the_theme(void **state) {
    static const struct {
        const char *ground, *chosen;
        enum page_theme theme;
    } cases[] = {{"COLORFGBG=15;0", NULL, PAGE_DARK},
                 {"COLORFGBG=0;15", NULL, PAGE_LIGHT},
                 {"COLORFGBG=15;0", "light", PAGE_LIGHT},
                 {"COLORFGBG=0;15", "dark", PAGE_DARK}};
    (void)state;
    const char *const argv[] = {
        getenv("ZEROTUTOR"), "whose", "17.1GB", "--params", "7.5e9", "--gpus", "64", NULL};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        struct store *s = cases[i].chosen ? store_open(NULL, &m) : NULL;
        if (s) assert_true(store_set(s, "theme", cases[i].chosen, &m));
        store_close(s);
        struct tty *t = tty_open(80, 24, argv, (const char *const[]){cases[i].ground, NULL});
        int row, column;
        tty_wait(t, "A match is within");
        assert_true(tty_find(t, "right", &row, &column));
        assert_int_equal(tty_at(t, row, column).colour,
                         page_style(cases[i].theme, PAGE_GOOD).colour);
        assert_int_equal(tty_end(t), 0);
    }
}

static void the_list_tells_what_was_done(void **state) {
    (void)state;
    struct run r = run_line("learn 2.1 --linear", "\n\n");
    run_free(&r);
    json_t *json = run_json("learn --list --json", 0);
    json_t *lesson = json_array_get(json_object_get(json, "lessons"), 4);
    assert_string_equal(base_json_text(json, "next", ""), "2r");
    assert_string_equal(base_json_text(lesson, "id", ""), "2.1");
    assert_string_equal(base_json_text(lesson, "kind", ""), "lesson");
    assert_true(base_json_bool(lesson, "finished", false));
    json_decref(json);
}

static void the_record_can_be_elsewhere(void **state) {
    char *path = scratch_path(state, "elsewhere.db");
    char *line = base_format("learn 2.1 --linear --store %s", path);
    struct run r = run_line(line, "\n\n");
    assert_int_equal(r.status, 0);
    assert_int_equal(access(path, R_OK), 0);
    run_free(&r);
    json_t *json = run_json("learn --list --json", 0);
    assert_false(
        base_json_bool(json_array_get(json_object_get(json, "lessons"), 2), "opened", true));
    json_decref(json);
    free(line);
    free(path);
}

/* ── output that goes nowhere ──────────────────────────────────────────────────────────────────*/
static void a_reader_that_closes_early_is_no_crash(void **state) {
    static const char *const lines[] = {"manual", "help",   "mem --params 7e9",
                                        "lint",   "doctor", "learn 2.1 --linear"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        int fd[2];
        assert_int_equal(pipe(fd), 0);
        close(fd[0]);
        struct run r = run_line_to(lines[i], fd[1]);
        close(fd[1]);
        if (r.status > 1) fail_msg("%s: status %d: %s", lines[i], r.status, r.err);
        run_free(&r);
    }
}

static void a_full_disk_is_said(void **state) {
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    if (full < 0) skip();
    struct run r = run_line_to("mem --params 7e9 --json", full);
    close(full);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "could not be written"));
    run_free(&r);
}

/* A limit on the size of files (ulimit -f) ends programs that do not say otherwise. */
static void a_record_that_may_not_grow_is_said(void **state) {
    struct rlimit before, small;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 8192, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct run r = run_line("learn 2.1 --linear", "\n\n");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(r.status, 2);
    if (!strstr(r.err, "cannot prepare the learner's record")) fail_msg("%s", r.err);
    run_free(&r);
}

/* A HOME that is nowhere would scatter records over the folders the program is started in. */
static void a_home_that_is_nowhere_is_said(void **state) {
    static const char *const homes[] = {"", "here"};
    char *home = base_dup(getenv("HOME"));
    unsetenv("ZEROTUTOR_HOME");
    unsetenv("XDG_DATA_HOME");
    for (size_t i = 0; i < BASE_COUNT(homes); i++) {
        setenv("HOME", homes[i], 1);
        struct run r = run_line("learn 2.1 --linear", "\n\n"), d = run_line("doctor", NULL);
        assert_int_equal(r.status, 2);
        assert_non_null(strstr(r.err, "does not begin with /: set HOME or ZEROTUTOR_HOME"));
        assert_int_equal(d.status, 1);
        assert_non_null(strstr(d.out, "HOME is '"));
        run_free(&r);
        run_free(&d);
    }
    setenv("HOME", home, 1);
    free(home);
    (void)state;
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(errors_say_what_is_wrong_and_what_to_do),
        IN_SCHOOL(what_other_modules_refuse_is_one_line),
        IN_SCHOOL(every_command_says_what_it_does),
        IN_SCHOOL(no_help_line_is_wider_than_eighty),
        IN_SCHOOL(help_fits_a_screen),
        IN_SCHOOL(no_example_is_cut),
        IN_SCHOOL(every_command_may_be_without_colours),
        IN_SCHOOL(a_short_h_is_help),
        IN_SCHOOL(the_version_is_told),
        IN_SCHOOL(a_lesson_is_taken_from_a_pipe),
        IN_SCHOOL(words_draw_nothing),
        IN_SCHOOL(a_round_is_taken_from_a_pipe),
        IN_SCHOOL(a_dumb_terminal_takes_the_linear_form),
        IN_SCHOOL(pages_are_in_the_theme),
        IN_SCHOOL(the_list_tells_what_was_done),
        IN_SCHOOL(the_record_can_be_elsewhere),
        IN_SCHOOL(a_reader_that_closes_early_is_no_crash),
        IN_SCHOOL(a_full_disk_is_said),
        IN_SCHOOL(a_record_that_may_not_grow_is_said),
        IN_SCHOOL(a_home_that_is_nowhere_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
