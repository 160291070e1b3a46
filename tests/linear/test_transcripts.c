/* Whole conversations in the linear skin, as golden text: what is typed is in the table, what comes
 * of it in tests/linear/golden. GENERATE=1 in the environment writes them anew; read the difference
 * before committing it. */
#include "linear/linear.h"
#include "base/golden.h"
#include "session/school.h"
#include "store/store.h"
#include "experiment/tapes.h"

#include <limits.h>

static const struct talk {
    const char *name, *lesson;
    int width, colours;
    bool ascii;
    int status;
    const char *typed;
} talks[] = {
    {"through", "1.1", 0, 0, false, 0, "\n112 GB\n\n56\n112\n\n1\n\nmodel=13B\n\n\n"},
    {"wrong", "1.1", 0, 0, false, 0,
     "\n84 GB\n:hint\n:hint\n:hint\nabout 3 apples\n112GB\n:quit\n"},
    {"worked", "1.1", 0, 0, false, 0, "\n:worked\n\n:back\n:where\n:fresh\n:quit\n"},
    {"skipping", "1.1", 0, 0, false, 0, "\n\n\n\n\n\n\n"},
    {"sources", "1.1", 0, 0, false, 0, ":sources\n\n:sources\n:quit\n"},
    {"progress", "1.1", 0, 0, false, 0, ":progress\n\n84 GB\n:progress\n:quit\n"},
    {"words", "2.1", 0, 0, false, 0, "hello\n:hint\n:elp\n:help\n:fresh\n:quit\n"},
    {"narrow", "1.1", 40, 0, true, 0, "\n\n\n1\n\nparams=13B\n:quit\n"},
    {"colours", "2.1", 0, 256, false, 0, "\n\n"},
    {"cut-short", "1.1", 0, 0, false, 1, "\n"},
    {"choosing", NULL, 0, 0, false, 0, "7.7\n:repeat\nreview\n1.2\n\n:quit\n"},
    {"choosing-a-lab", NULL, 0, 0, false, 0,
     "labs\nfirst-weighing\n:quit\nl\nlab no-such\nlab first-weighing\n:quit\n:quit\n"},
    {"lab-without-gpu", NULL, 0, 0, false, 0,
     "drawings off\ngpt2-ladder\n:where\n:help\n\n\n:quit\n:quit\n"},
    {"choosing-none", NULL, 0, 0, false, 0, ":quit\n"},
    {"nothing-typed", NULL, 0, 0, false, 1, ""},
    {"lab", "tests/session/lessons/lab.lua", 0, 0, false, 0,
     "next\nranks=2\n3\nback\n\n\n2\nmany\n882 KB\nnow\nrun\n:fresh\n\n:quit\n"},
    {"lab-narrow", "tests/session/lessons/lab.lua", 40, 0, true, 0, "last\n\n1\n\nrun\n:quit\n"},
    {"lab-one", "tests/screen/lessons/labs.lua", 0, 0, false, 0, "\n\n\n1\nrun\n:quit\n"},
    {"guess-missed", "tests/session/lessons/guess.lua", 0, 0, false, 0, "1\n:quit\n"},
    {"guess-right", "tests/session/lessons/guess.lua", 0, 0, false, 0, "3\n:quit\n"},
    {"literally", "1.1", 0, 0, false, 0,
     "\n2*7 *GB*\n\n\n\n*1* _2_\nmo*d*el=13B\nmodel=*7*\n:quit\n"},
    {"in-words", "1.1", 0, 0, false, 0,
     "\n:drawings off\n112 GB\n\n56\n112\n\n1\n\nmodel=13B\nmodel=13B\n:repeat\n:drawings "
     "on\n:quit\n"},
    {"home-in-words", NULL, 0, 0, false, 0,
     "drawings off\nhelp\nwhere\n:glossary\n:glossary m\n:open "
     "1\nplacement\n\n\n\n\n\n\n\n\n:quit\n"},
    {"sheet-in-words", "1.1", 0, 0, false, 0,
     ":drawings off\n\n\nsome\n5\n:repeat\n:where\n61\n56\n:quit\n"},
    {"said-again", "1.1", 0, 0, false, 0, "\n112 GB\n:repeat\n:note\nrepeat\n:quit\n"},
    {"lab-said-again", "tests/screen/lessons/labs.lua", 0, 0, false, 0,
     ":drawings off\nlast\nlast\n\n1\nperhaps\n:repeat\nrun\n:repeat\n:quit\n"},
    {"lab-words-changed", "tests/session/lessons/lab.lua", 0, 0, false, 0,
     "last\n\n2\n:drawings off\n:repeat\n:drawings on\n:repeat\n:quit\n"},
    {"looking-up", "1.1", 0, 0, false, 0,
     ":glossary\n:glossary box of gradients\n:glossary bicycle\n:search elephant\n:open 9\n"
     ":questions\n:questions 1\n:note\n:note mine, and short\n:bookmark\n:notes\n:bookmark\n"
     ":note none\n:notes\n:search forget\n:open 1\n:quit\n"},
    {"looking-up-first", NULL, 0, 0, false, 0, ":search elephant\n:note\n:open 2\n:quit\n"},
    {"looking-up-asked", "1.1", 0, 0, false, 0,
     "\n:search elephant\n:glossary master weights\n:questions 1\n:quit\n"},
    {"play-asks", "tests/screen/lessons/plays.lua", 0, 0, false, 0,
     "next\nnext\n:repeat\n3\nnext\nstages=2\nschedule=zero-bubble\nschedule=zb-h2\n"
     "schedule=none\n\n\nnext\n\n\nseven\nback\n\n\nquit\n"},
    {"play-in-words", "tests/screen/lessons/plays.lua", 0, 0, false, 0,
     ":drawings off\nnext\n6\nnext\n6\nnext\n\n\n\n\nnext\n7\nnext\noptimizer=NVMe\n10\n:drawings "
     "on\n:quit\n"},
    {"repeated", "tests/screen/lessons/labs.lua", 0, 0, false, 0,
     "ranks=3\nnext\nnext\n:repeat\n:drawings off\n:where\n:quit\n"},
    {"unknown", "9.9", 0, 0, false, 2, ""},
};

static FILE *input(const char *typed) {
    FILE *f = tmpfile();
    fputs(typed, f);
    rewind(f);
    return f;
}

/* Labs are run by the stand-in. */
static void use_stand_in(void) {
    char path[PATH_MAX];
    assert_non_null(realpath("tests/experiment/zerolab.sh", path));
    setenv("ZEROLAB", path, 1);
}

/* What the talk prints, the caller's. */
static char *run(const struct talk *t, int *status) {
    struct linear_options o = {
        .lesson = t->lesson, .width = t->width, .colours = t->colours, .ascii = t->ascii};
    char *text = NULL;
    size_t n = 0;
    use_stand_in();
    FILE *in = input(t->typed), *out = open_memstream(&text, &n);
    *status = linear_run(&o, in, out);
    fclose(out);
    fclose(in);
    return text;
}

static void talks_read_as_before(void **state) {
    for (size_t i = 0; i < BASE_COUNT(talks); i++) {
        void *school = NULL;
        int status;
        (void)state;
        assert_int_equal(school_open(&school), 0);
        char *text = run(&talks[i], &status);
        golden_is("linear", talks[i].name, text);
        if (status != talks[i].status)
            fail_msg("%s: exit status %d, not %d", talks[i].name, status, talks[i].status);
        free(text);
        assert_int_equal(school_close(&school), 0);
    }
}

/* No talk moves the cursor, whatever it prints: the only escape sequences are colours, and only
 * where they were asked for. */
static void nothing_moves_the_cursor(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(talks); i++) {
        void *school = NULL;
        int status;
        assert_int_equal(school_open(&school), 0);
        char *text = run(&talks[i], &status);
        for (const char *s = text; (s = strchr(s, '\033')); s++) {
            assert_true(talks[i].colours > 0);
            size_t n = 2 + strspn(s + 2, "0123456789;");
            assert_int_equal(s[1], '[');
            assert_int_equal(s[n], 'm');
        }
        assert_null(strpbrk(text, "\r\b\f\v"));
        free(text);
        assert_int_equal(school_close(&school), 0);
    }
}

static void a_recording_is_offered_and_played(void **state) {
    static const struct talk talk = {"replay", "tests/session/lessons/lab.lua", 0, 0, false,
                                     0,        "last\n\n2\n\nreplay\n:quit\n"};
    void *school = NULL;
    int status;
    (void)state;
    assert_int_equal(school_open(&school), 0);
    tapes_make(school, "stage-ladder", 4);
    char *text = run(&talk, &status);
    assert_int_equal(status, 0);
    const char *offer = strstr(text, "Type replay to see a recording made on 2 cores instead.");
    assert_non_null(offer);
    assert_non_null(strstr(offer, "This is a recording made on 2 cores. Nothing was run here."));
    free(text);
    assert_int_equal(school_close(&school), 0);
}

/* The panels of a run that ended early are told too: no end of all runs does it. */
static void a_run_that_was_killed_is_told(void **state) {
    static const struct talk talk = {"killed", "tests/session/lessons/lab.lua", 0, 0, false,
                                     0,        "last\n\n2\n\nrun\n:quit\n"};
    void *school = NULL;
    int status;
    (void)state;
    assert_int_equal(school_open(&school), 0);
    setenv("FAKE", "killed", 1);
    char *text = run(&talk, &status), *told = strstr(text, "\nstage 0, rank 0: did not finish");
    unsetenv("FAKE");
    assert_int_equal(status, 0);
    if (!told) fail_msg("%s", text);
    assert_non_null(strstr(told, " MB.\n\nRun the lab?"));
    free(text);
    assert_int_equal(school_close(&school), 0);
}

/* The recording that the course has of timed collectives, without the line that names its file. It
 * trained nothing, so no memory and no step is shown. */
static void timed_collectives_are_played(void **state) {
    static const struct talk talk = {"", "tests/session/lessons/collectives.lua", 0, 0, false,
                                     0,  "2\n30\nreplay\n160\n\n:quit\n"};
    void *school = NULL;
    int status;
    (void)state;
    assert_int_equal(school_open(&school), 0);
    char *copy = base_format("mkdir -p %s/data/runs && cp data/runs/measure-collectives.jsonl "
                             "%s/data/runs",
                             (char *)school, (char *)school);
    assert_int_equal(system(copy), 0);
    free(copy);
    char *text = run(&talk, &status), *from = strstr(text, "\nYou said");
    assert_int_equal(status, 0);
    if (!from) fail_msg("%s", text);
    golden_is("linear", "collectives", from);
    free(text);
    assert_int_equal(school_close(&school), 0);
}

static void no_line_is_wider_than_the_page(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(talks); i++) {
        void *school = NULL;
        int status, width = talks[i].width ? talks[i].width : 80;
        if (talks[i].colours) continue;
        assert_int_equal(school_open(&school), 0);
        char *text = run(&talks[i], &status), *rest = text, *line;
        while ((line = strsep(&rest, "\n")))
            if (base_width(line) > width) fail_msg("%s: %s", talks[i].name, line);
        free(text);
        assert_int_equal(school_close(&school), 0);
    }
}

/* The settings of the full screen count here too: ASCII and no colours, whatever the output could
 * show. */
static void settings_narrow_the_output(void **state) {
    struct linear_options o = {.lesson = "2.1", .colours = 256};
    struct store *s = store_open(NULL, NULL);
    (void)state;
    assert_true(store_set(s, "characters", "ascii", NULL));
    assert_true(store_set(s, "colour", "none", NULL));
    store_close(s);
    char *text = NULL;
    size_t n = 0;
    FILE *in = input(":quit\n"), *out = open_memstream(&text, &n);
    assert_int_equal(linear_run(&o, in, out), 0);
    fclose(out);
    fclose(in);
    for (size_t i = 0; i < n; i++)
        assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(talks_read_as_before),
        cmocka_unit_test(nothing_moves_the_cursor),
        cmocka_unit_test(a_recording_is_offered_and_played),
        cmocka_unit_test(a_run_that_was_killed_is_told),
        cmocka_unit_test(timed_collectives_are_played),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test_setup_teardown(settings_narrow_the_output, school_open, school_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
