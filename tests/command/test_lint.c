/* lint: what it finds, how it says so, and how it ends. */
#include "session/school.h"

#include "command/run.h"

static void lint_ends(const char *what, const char *line, int status, const char *says) {
    struct run r = run_line(line, NULL);
    if (r.status != status || !strstr(r.out, says) || *r.err)
        fail_msg("%s: status %d, \"%s\" instead of \"%s\"; %s", what, r.status, r.out, says, r.err);
    run_free(&r);
}

static void a_lesson_is_fine_or_it_is_told_where_not(void **state) {
    static const struct {
        const char *file;
        int status;
        const char *says;
    } cases[] = {
        {"lessons/1-where-memory-goes/1.1.lua", 0, "1.1.lua: lesson 1.1, "},
        {"tests/session/lessons/second.lua", 1, "second.lua: a lesson has a worked step\n"},
        {"tests/session/lessons/broken.lua", 1, "broken.lua:3: "},
        {"tests/session/lessons/bad-figure.lua", 1, "bad-figure.lua:4: guess: "},
        {"tests/session/lessons/endless.lua", 1, "endless.lua:5: "},
        {"nowhere.lua", 1, "nowhere.lua"},
        {"tests/session/lessons", 1, "tests/session/lessons: this is a folder"},
        {"/dev/zero", 1, "/dev/zero: this is a pipe or a device"},
        {"tests/session/lessons/counting.lua", 1,
         "counting.lua:8: step 'count': vary gives other numbers"},
        {"tests/session/lessons/remembering.lua", 1,
         "remembering.lua:7: step 'memory': vary gives other numbers"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *line = base_format("lint %s", cases[i].file);
        lint_ends(cases[i].file, line, cases[i].status, cases[i].says);
        free(line);
    }
}

/* The lesson of the screen's tests, the name of its lab spelt wrong. */
static void a_lab_there_is_not_is_told(void **state) {
    struct base_message m = {0};
    char *path = scratch_path(state, "lab.lua"), *line = base_format("lint %s", path);
    char *text = base_file_read("tests/screen/lessons/labs.lua", 1 << 20, NULL, &m);
    char *name = strstr(text, "\"first-weighing\"");
    assert_non_null(name);
    name[1] = 'p';
    assert_true(base_file_write(path, text, strlen(text), &m));
    lint_ends("lab.lua", line, 1, "unknown lab 'pirst-weighing': use first-weighing");
    free(text);
    free(line);
    free(path);
}

/* A pipe that nobody writes to, and a file whose name would clear the screen. */
static void a_file_may_be_anything_and_be_called_anything(void **state) {
    char *pipe = scratch_path(state, "pipe.lua"), *odd = scratch_path(state, "\033[2Jodd.lua");
    char *line = base_format("lint %s %s", pipe, odd);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    school_put(state, "second.lua", "../\033[2Jodd.lua");
    struct run r = run_line(line, NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.out, "pipe.lua: this is a pipe or a device: name a file\n"));
    assert_non_null(strstr(r.out, "/[2Jodd.lua: a lesson has a worked step\n"));
    assert_null(strchr(r.out, '\033'));
    run_free(&r);
    free(line);
    free(odd);
    free(pipe);
}

/* Twenty rows of a list beneath a title are two more than fit; eighteen fit. */
static void a_page_that_must_be_scrolled_is_told(void **state) {
    static const struct {
        int rows;
        bool fits;
    } cases[] = {
        {20, false},
        {18, true},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        struct base_text t = {0};
        char *path = scratch_path(state, "page.lua"), *line = base_format("lint %s", path);
        base_text_puts(&t, "return lesson { id = 'p', title = 'p', "
                           "say { id = 'long', title = 't', [[\n");
        for (int row = 0; row < cases[i].rows; row++) base_text_puts(&t, "- a row\n");
        base_text_puts(&t, "]] }, recap { id = 'end', 'done' } }\n");
        assert_true(base_file_write(path, t.s, t.length, &m));
        struct run r = run_line(line, NULL);
        assert_true(cases[i].fits == !strstr(r.out, "long: 2 rows too long for a screen"));
        run_free(&r);
        base_text_free(&t);
        free(line);
        free(path);
    }
}

/* Of 78 columns a line's number takes one, what stands between it and the code three. */
static void code_that_would_wrap_is_told(void **state) {
    static const struct {
        int columns;
        bool fits;
    } cases[] = {{74, true}, {76, false}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        char *path = scratch_path(state, "read.lua"), *code = scratch_path(state, "lessons/wide.c");
        char *line = base_format("lint %s", path),
             *wide = base_format("%0*d;", cases[i].columns - 1, 0);
        static const char lesson[] =
            "return lesson { id = 'r', title = 'r', read { id = 'code', title = 't', "
            "file = 'lessons/wide.c', 'Look.', notes = { { '0;', 'Here.' } } }, recap { id = "
            "'end', 'done' } }\n";
        assert_true(base_file_write(code, wide, strlen(wide), &m));
        assert_true(base_file_write(path, lesson, strlen(lesson), &m));
        struct run r = run_line(line, NULL);
        assert_true(cases[i].fits == !strstr(r.out, "2 columns too long for a screen of 80×24"));
        run_free(&r);
        free(wide);
        free(line);
        free(code);
        free(path);
    }
}

/* What --new writes has nothing that lint finds; and it is never written over a file. */
static void a_new_lesson_is_fine_as_it_is(void **state) {
    char *path = scratch_path(state, "mine.lua");
    char *line = base_format("lint --new 5.1 %s", path), *lint = base_format("lint %s", path);
    struct run printed = run_line("lint --new 5.1", NULL), written = run_line(line, NULL);
    struct base_message m = {0};
    char *text = base_file_read(path, 1 << 20, NULL, &m);
    assert_int_equal(printed.status, 0);
    assert_int_equal(written.status, 0);
    assert_string_equal(text, printed.out);
    assert_non_null(strstr(text, "id = \"5.1\""));
    lint_ends("a new lesson", lint, 0, "mine.lua: lesson 5.1, 14 steps: fine");
    run_free(&written);
    written = run_line(line, NULL);
    assert_int_equal(written.status, 2);
    assert_non_null(strstr(written.err, "mine.lua' exists already: name a file that does not"));
    run_free(&written);
    run_free(&printed);
    free(text);
    free(lint);
    free(line);
    free(path);
}

static void an_id_that_none_can_be_is_refused(void **state) {
    static const char *const lines[] = {"lint --new A", "lint --new 5/1", "lint --new 5_1"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run r = run_line(lines[i], NULL);
        if (r.status != 2 || *r.out || !strstr(r.err, "--new cannot be '"))
            fail_msg("%s: status %d, %s%s", lines[i], r.status, r.out, r.err);
        run_free(&r);
    }
}

static void an_endless_lesson_is_told(void **state) {
    (void)state;
    struct run r = run_line("lint tests/session/lessons/endless.lua", NULL);
    assert_int_equal(r.status, 1);
    run_free(&r);
}

static void the_course_and_its_lessons_must_agree(void **state) {
    school_put(state, "first.lua", "second.lua");
    lint_ends("course", "lint", 1, "id is \"1.1\" here and \"2.1\" in course.json");
    lint_ends("course", "lint", 1,
              "title is \"Bytes of a parameter\" here and \"A short one\" in course.json");
    lint_ends("course", "lint", 1, "minutes is 2 in course.json, and it takes 4 to read and do");
    lint_ends("course", "lint", 1, "2 lessons, ");
}

/* The glossary and the questions are checked like lessons, and with the course. */
static void books_are_checked_too(void **state) {
    static const char wrong[] =
        "return questions { { id = \"a\", ask = \"How?\", lesson = \"7.7\", step = \"b\",\n"
        "  answer = \"It keeps 31.4 GB.\", figure = { kind = \"none\" } } }\n";
    static const char *const found[] = {"'a': its lesson is not in the course", "'a': ", "31.4 GB"};
    lint_ends("terms", "lint lessons/glossary.lua", 1, "'prefetch': its lesson is not in");
    lint_ends("own", "lint tests/session/lessons/glossary.lua", 0, "glossary.lua: 2 entries: fine");
    char *path = base_format("%s/lessons/questions.lua", (const char *)*state);
    assert_true(base_file_write(path, wrong, strlen(wrong), NULL));
    for (size_t i = 0; i < BASE_COUNT(found); i++) lint_ends("questions", "lint", 1, found[i]);
    free(path);
}

static void findings_come_as_json(void **state) {
    (void)state;
    struct run r = run_line("lint --json --seeds 5 tests/session/lessons/broken.lua "
                            "lessons/1-where-memory-goes/1.1.lua",
                            NULL);
    struct base_message m = {0};
    json_t *json = base_json_read(r.out, strlen(r.out), "lint", &m);
    if (!json) fail_msg("%s: %s", m.what, r.out);
    json_t *lessons = json_object_get(json, "lessons"), *broken = json_array_get(lessons, 0);
    json_t *finding = json_array_get(json_object_get(broken, "findings"), 0);
    assert_int_equal(r.status, 1);
    assert_int_equal(base_json_int(json, "findings", 0), 1);
    assert_int_equal(json_array_size(lessons), 2);
    assert_int_equal(base_json_int(finding, "line", 0), 3);
    assert_true(base_json_int(json_array_get(lessons, 1), "steps", 0) > 10);
    json_decref(json);
    run_free(&r);
}

static void the_worst_pair_is_shown_when_asked_for(void **state) {
    (void)state;
    struct run quiet = run_line("lint tests/session/lessons/first.lua", NULL);
    struct run wordy = run_line("lint --verbose tests/session/lessons/first.lua", NULL);
    assert_null(strstr(quiet.out, "1.1/ddp-7b: "));
    assert_non_null(strstr(wordy.out, "1.1/ddp-7b: "));
    run_free(&quiet);
    run_free(&wordy);
}

/* Numbers of bytes, and of billions of parameters, in prose. What the file gives to the engine,
 * names as given, or cites is fair. */
static void numbers_written_by_hand_are_found(void **state) {
    static const struct {
        /* NULL: nothing */
        const char *body, *found;
    } cases[] = {
        {"say { id = 'a', 'It keeps 31.4 GB on each of them.' }",
         "2: '31.4 GB' is written by hand"},
        {"say { id = 'a', [[One line,\nand on the next 7.5B of them.]] }",
         "3: '7.5B' is written by hand"},
        {"say { id = 'a', 'A link of 300 GB/s is a fast one.' }", "2: '300 GB' is written by hand"},
        {"say { id = 'a', 'It is 7.4 % of all that there is.' }", "2: '7.4 %' is written by hand"},
        {"say { id = 'a', 'It waits for 12 ms in each step.' }", "2: '12 ms' is written by hand"},
        {"say { id = 'a', 'It waits for 0.8 s in each step.' }", "2: '0.8 s' is written by hand"},
        {"say { id = 'a', 'It makes 5589 tokens/s on each of them.' }",
         "2: '5589 tokens/s' is written by hand"},
        {"say { id = 'a', 'That is 1.5× what it was before.' }", "2: '1.5×' is written by hand"},
        {"say { id = 'a', 'That is 12 times what it was, with ranks = 12.', figure = { kind = "
         "'flat', elements = 12, ranks = 12 } }",
         "2: '12 times' is written by hand"},
        {"say { id = 'a', 'It is 7.4 % of all that there is.', given = { '7.4 %' } }", NULL},
        {"say { id = 'a', 'It is 75 percent of all there is.', sources = { 'somebody: 75 % of it' "
         "} }",
         NULL},
        {"say { id = 'a', 'Two terms, 2 × Ψ and 3 × 4, in the 1990s, are as they are.' }", NULL},
        {"say { id = 'a', fill('It waits ${x} in each of them.', { x = engine.seconds(0.012) }) }",
         NULL},
        {"say { id = 'a', 'A card of 80 GB is what we have.', given = { '80 GB' } }", NULL},
        {"say { id = 'a', 'A card of 80 GB is what we have.', figure = { kind = 'stack', limit = "
         "'80GB', bars = {"
         " { label = 'x', training = { params = 7e9 } } } } }",
         NULL},
        {"say { id = 'a', 'A 13B model, as they say of it.', figure = { kind = 'ledger', training "
         "= { model ="
         " 'llama-2-13b' } } }",
         NULL},
        {"say { id = 'a', 'They saw 8.9 GB in their run.', sources = { 'somebody, somewhere: 8.9 "
         "GB in a run' } }",
         NULL},
        {"say { id = 'a', fill('It keeps ${x} on each of them.', { x = engine.gb(31e9) }) } -- 5 "
         "GB a comment",
         NULL},
        {"say { id = 'a', 'The A100-80GB card, 4 B a value, 1 GiB is 2^30 B.' }", NULL},
    };
    char *path = scratch_path(state, "hand.lua"), *line = base_format("lint %s", path);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        char *text = base_format("return lesson { id = '0.1', title = 't',\n%s,\n"
                                 "recap { 'That was it.' } }",
                                 cases[i].body);
        assert_true(base_file_write(path, text, strlen(text), &m));
        struct run r = run_line(line, NULL);
        bool any = strstr(r.out, "by hand") != NULL;
        if (any != (cases[i].found != NULL) || (any && !strstr(r.out, cases[i].found)))
            fail_msg("%s: %s", cases[i].body, r.out);
        run_free(&r);
        free(text);
    }
    free(line);
    free(path);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_lesson_is_fine_or_it_is_told_where_not),
        IN_SCHOOL(a_lab_there_is_not_is_told),
        IN_SCHOOL(numbers_written_by_hand_are_found),
        IN_SCHOOL(a_file_may_be_anything_and_be_called_anything),
        IN_SCHOOL(a_page_that_must_be_scrolled_is_told),
        IN_SCHOOL(an_endless_lesson_is_told),
        IN_SCHOOL(code_that_would_wrap_is_told),
        IN_SCHOOL(a_new_lesson_is_fine_as_it_is),
        IN_SCHOOL(an_id_that_none_can_be_is_refused),
        IN_SCHOOL(the_course_and_its_lessons_must_agree),
        IN_SCHOOL(books_are_checked_too),
        IN_SCHOOL(findings_come_as_json),
        IN_SCHOOL(the_worst_pair_is_shown_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
