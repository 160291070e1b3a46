/* The walk through the capstone: lesson 4.1 runs the scenario scaled down; a memo is typed beside
 * its live check, quotes the run by its number, is checked in the lesson and by the command, and is
 * printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/rehearsal.h"
#include "store/store.h"
#include "tty/tty.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { TEXT_MOST = 1 << 22 };
static struct home home;

/* The learner left the lesson at this step. */
static bool stand_at(const char *step) {
    struct base_message m = {0};
    struct store *s = store_open(home.store, &m);
    if (!s) return false;
    struct lesson_journal j = store_journal(s);
    struct lesson_place place = {0};
    snprintf(place.step, sizeof place.step, "%s", step);
    bool placed = j.place_set(j.self, "4.1", &place, &m);
    store_close(s);
    return placed;
}

static struct tty *learn(int columns, int rows) {
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", "4.1", NULL};
    const char *const still[] = {home.variable, "NO_MOTION=1", NULL}; /* its runs are not slowed */
    return tty_open(columns, rows, program, still);
}

static void leave(struct tty *t) {
    tty_type(t, "<Esc>");
    tty_wait(t, "zerotutor");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static int open_home(void **state) {
    (void)state;
    char share[PATH_MAX];
    if (!realpath(".", share)) return -1;
    setenv("ZEROTUTOR_SHARE", share, 1);
    home = home_new("capstone");
    return stand_at("scaled-down") ? 0 : -1;
}

static int close_home(void **state) {
    (void)state;
    home_remove(&home);
    return 0;
}

/* ── the lab, on the screen ────────────────────────────────────────────────────────────────────*/
/* What the screen says a memo quotes the run by, "[run 3: peak 15.8 MB]". */
static void read_quote(struct tty *t, const char *what, char out[static 80]) {
    tty_wait(t, "In a memo: [run ");
    const char *s = strstr(tty_text(t), "[run ");
    size_t n = strcspn(s, "]") + 1;
    assert_true(n < 80);
    snprintf(out, 80, "%.*s", (int)n, s);
    if (!strstr(out, what)) tty_fail(t, "'%s' has no %s", out, what);
}

/* Runs the lab of the lesson: two stages fit, the third runs out of memory. Notes how two of them
 * are quoted. */
static void run_lab(char fits[static 80], char dies[static 80]) {
    struct tty *t = learn(80, 24);
    tty_wait(t, "fit under the cap?");
    tty_type(t, "2<Enter>");
    tty_wait(t, "keep under stage 1?");
    tty_type(t, "71.5<Enter>");
    tty_wait(t, "Now run it");
    tty_type(t, "<Enter>");
    tty_wait(t, "All runs ended as the engine predicted.");
    tty_wait(t, "none, because it ran");
    tty_type(t, "1");
    tty_wait(t, "does not fit");
    tty_wait(t, "wanted");
    tty_type(t, "c");
    read_quote(t, "needed", dies);
    tty_type(t, "<Left>");
    tty_wait(t, "fits");
    tty_type(t, "c");
    tty_wait(t, "peak");
    tty_wait_gone(t, dies);
    read_quote(t, "peak", fits);
    tty_type(t, "<Enter>");
    tty_wait(t, "You said: stages 3 and 2. That is right.");
    leave(t);
}

/* ── the memo, typed ───────────────────────────────────────────────────────────────────────────*/
/* What stands under a heading of the course's good memo; the caller's. */
static char *section_of(const char *memo, const char *heading) {
    const char *from = strstr(memo, heading);
    if (!from) fail_msg("there is no %s", heading);
    from = strchr(from, '\n') + 1;
    const char *to = strstr(from, "\n## ");
    from += strspn(from, "\n");
    return base_format("%.*s", (int)(to ? to - from : (long)strlen(from)), from);
}

/* The next line, once it is seen that the cursor is there: on a busy machine quiet may mean that
 * the program has not had its turn. */
static void go_down(struct tty *t) {
    enum { TURNS = 1000 };
    struct tty_cursor was = tty_cursor(t);
    char *before = base_dup(tty_text(t));
    tty_type(t, "<Down>");
    for (int i = 0; i < TURNS; i++) {
        struct tty_cursor is = tty_cursor(t);
        if (is.row != was.row || is.column != was.column || strcmp(tty_text(t), before) != 0) break;
        tty_settle(t);
    }
    tty_settle(t);
    free(before);
}

/* The cursor goes down to the end of the line with these words. */
static void go_to(struct tty *t, const char *heading) {
    enum { ROWS_MOST = 80 };
    int rows = 0;
    while (!strstr(tty_row(t, tty_cursor(t).row), heading) && rows++ < ROWS_MOST) go_down(t);
    if (rows > ROWS_MOST) tty_fail(t, "the cursor came by no '%s'", heading);
    tty_type(t, "<C-e>");
}

/* And a line is opened under it. */
static void go_under(struct tty *t, const char *heading) {
    go_to(t, heading);
    tty_type(t, "<Enter>");
}

/* A line at a time, as keys. */
static void type_lines(struct tty *t, const char *text) {
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        tty_send(t, s, n);
        if (s[n]) tty_send(t, "\r", 1);
        tty_settle(t);
        s += n + (s[n] != '\0');
    }
}

/* In the lesson: opens the empty memo, fills in its sections, has it checked. Returns the file's
 * path. */
static char *type_memo(const char *measured) {
    static const char *const headings[] = {"## Decision",
                                           "## Memory",
                                           "## Communication and step time",
                                           "## Alternatives rejected",
                                           "## Risks and fallback",
                                           "## What to measure in the first hour"};
    char *good = base_file_read("tests/memo/good-13b.md", TEXT_MOST, NULL, NULL);
    assert_non_null(good);
    assert_true(stand_at("capstone"));
    struct tty *t = learn(120, 40);
    tty_wait(t, "Write the memo");
    tty_type(t, "<Enter>");
    tty_wait(t, "# Memo");
    go_to(t, "Decision:");
    type_lines(t, "stage 2\nAlternative stage1: stage 1\nAlternative stage3: stage 3");
    for (size_t i = 0; i < BASE_COUNT(headings); i++) {
        char *section = section_of(good, headings[i]);
        go_under(t, headings[i]);
        type_lines(t, section);
        if (strcmp(headings[i], "## Memory") == 0) type_lines(t, measured);
        free(section);
    }
    char *claims = section_of(good, "## Figures");
    go_under(t, "|:--|");
    type_lines(t, strstr(claims, "| model states"));
    free(claims);
    tty_wait_row(t, 0, "passes");
    tty_wait_row(t, 0, "saved");
    tty_wait(t, "Passes. The decision fits");
    tty_type(t, "<Esc>");
    tty_wait(t, "▸ Check it as it is");
    tty_type(t, "<Enter>");
    tty_wait(t, "The trap you avoided: Stage 1 fits on paper");
    leave(t);
    free(good);
    return base_format("%s/memo/capstone.md", home.folder);
}

/* ── the memo ──────────────────────────────────────────────────────────────────────────────────*/
/* Runs the program with these words, output into "out" of the home. */
static int run(const char *words, char **out) {
    struct base_message m = {0};
    char *path = base_format("%s/out", home.folder);
    char *command =
        base_format("%s '%s' %s >%s 2>&1", home.variable, getenv("ZEROTUTOR"), words, path);
    int status = system(command);
    free(command);
    *out = base_file_read(path, TEXT_MOST, NULL, &m);
    if (!*out) fail_msg("%s", m.what);
    free(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The course's good memo, with a sentence on what was measured. */
static char *write_memo(const char *name, const char *measured) {
    struct base_message m = {0};
    size_t length;
    char *good = base_file_read("tests/memo/good-13b.md", TEXT_MOST, &length, &m);
    char *path = base_format("%s/%s.md", home.folder, name);
    if (!good) fail_msg("%s", m.what);
    const char *here = strstr(good, "\n## Communication");
    assert_non_null(here);
    char *memo = base_format("%.*s\n%s\n%s", (int)(here - good), good, measured, here);
    if (!base_file_write(path, memo, strlen(memo), &m)) fail_msg("%s", m.what);
    free(memo);
    free(good);
    return path;
}

/* Checks and drops the memo; returns the exit status, and sees that this is said. */
static int check(char *path, const char *said) {
    char *out, *words = base_format("memo check --all %s", path);
    int status = run(words, &out);
    if (!strstr(out, said)) fail_msg("\"%s\" is not in\n%s", said, out);
    free(words);
    free(out);
    free(path);
    return status;
}

static void export_as(const char *memo, const char *options, const char *name, const char *begins) {
    struct base_message m = {0};
    char *out, *path = base_format("%s/%s", home.folder, name);
    char *words = base_format("memo export %s %s -o %s", memo, options, path);
    int status = run(words, &out);
    if (status == 2 && strstr(out, "no program here makes PDFs")) {
        print_message("no converter is here: %s was not made\n", name);
    } else {
        if (status != 0) fail_msg("%s: %s", words, out);
        char *text = base_file_read(path, TEXT_MOST, NULL, &m);
        if (!text || strncmp(text, begins, strlen(begins)) != 0) fail_msg("%s is none", name);
        free(text);
    }
    free(words);
    free(path);
    free(out);
}

static void from_the_lesson_to_the_printed_memo(void **state) {
    (void)state;
    char fits[80], dies[80];
    run_lab(fits, dies);
    char *measured = base_format("Scaled down, %s; stage 1 was refused: %s.", fits, dies);
    assert_int_equal(check(write_memo("wrong", "Scaled down, [run 9999: peak 1.83 GB]."),
                           "run 9999 is not in your record"),
                     1);
    char *memo = type_memo(measured);
    assert_int_equal(check(base_dup(memo), "measured peak"), 0);
    assert_int_equal(check(base_dup(memo), "Passes"), 0);
    export_as(memo, "", "memo.md", "# Memo\n");
    export_as(memo, "", "memo.html", "<!DOCTYPE html>\n");
    export_as(memo, "", "memo.pdf", "%PDF-");
    export_as(memo, "--executive", "brief.pdf", "%PDF-");
    free(measured);
    free(memo);
}

/* A number that no run measured does not pass, whatever else is right. */
static void a_quotation_is_held_against_the_run(void **state) {
    (void)state;
    char fits[80], dies[80], wrong[100];
    run_lab(fits, dies);
    const char *number = fits + strlen("[run ");
    snprintf(wrong, sizeof wrong, "[run %ld: peak 99.9 MB]", strtol(number, NULL, 10));
    assert_int_equal(check(write_memo("off", wrong), "measured peak"), 1);
    const char *dead = dies + strlen("[run ");
    snprintf(wrong, sizeof wrong, "[run %ld: peak 20 MB]", strtol(dead, NULL, 10));
    assert_int_equal(check(write_memo("dead", wrong), "ran out of memory"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(from_the_lesson_to_the_printed_memo, open_home, close_home),
        cmocka_unit_test_setup_teardown(a_quotation_is_held_against_the_run, open_home, close_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
