/* export: handouts and worksheets. What is on them, that HTML stands by itself, that a key is the
 * engine's, and every way it refuses. */
#include "command/page.h"
#include "command/run.h"

#include "base/golden.h"
#include "base/scratch.h"
#include "script/script.h"
#include "session/session.h"
#include "tty/tty.h"

#include <ctype.h>
#include <sys/stat.h>

static const char *const LESSONS[] = {"1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3",
                                      "2.4", "2.5", "3.1", "3.2", "3.3", "3.4", "4.1"};
#define HANDOUT "export lesson tests/command/export/handout.lua --seed 7"

static char *file_text(const char *path) {
    struct base_message m = {0};
    char *text = base_file_read(path, 1 << 24, NULL, &m);
    if (!text) fail_msg("%s: %s", path, m.what);
    return text;
}

static void has(const char *text, const char *words) {
    if (!strstr(text, words)) fail_msg("\"%s\" is not in\n%s", words, text);
}

static void lacks(const char *text, const char *words) {
    if (strstr(text, words)) fail_msg("\"%s\" is in\n%s", words, text);
}

/* ── handouts ──────────────────────────────────────────────────────────────────────────────────*/
static void every_kind_of_step_is_printed(void **state) {
    (void)state;
    page_is("export-lesson", HANDOUT);
}

/* Nothing that tells an answer stands before the answers. */
static void answers_come_last(void **state) {
    static const char *const answers[] = {
        "Much, since", "it is rounded up", "It is heavy.", "A good answer has",
        "Back.",       "it is even",       "So it goes.",  "Sources: the scales"};
    char *text = run_printed(HANDOUT), *end = strstr(text, "# Answers\n");
    (void)state;
    assert_non_null(end);
    for (size_t i = 0; i < BASE_COUNT(answers); i++) has(end, answers[i]);
    *end = '\0';
    for (size_t i = 0; i < BASE_COUNT(answers); i++) lacks(text, answers[i]);
    free(text);
}

/* ── HTML ──────────────────────────────────────────────────────────────────────────────────────*/
enum { DEPTH = 64, NAME = 24 };
struct reader {
    const char *s;
    char open[DEPTH][NAME];
    int depth;
};

static void read_name(struct reader *r, char out[static NAME]) {
    size_t n = 0;
    while (isalnum((unsigned char)*r->s) && n + 1 < NAME) out[n++] = *r->s++;
    out[n] = '\0';
    if (n == 0) fail_msg("no name at %.40s", r->s);
}

/* name="value" again and again; each value is quoted, and has no < in it. */
static void read_attributes(struct reader *r) {
    while (isspace((unsigned char)*r->s)) {
        r->s += strspn(r->s, " \n");
        size_t name = strspn(r->s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:-");
        if (name == 0) return;
        if (strncmp(r->s + name, "=\"", 2) != 0) fail_msg("no value at %.40s", r->s);
        const char *value = r->s + name + 2, *end = strchr(value, '"');
        if (!end || memchr(value, '<', (size_t)(end - value))) fail_msg("open at %.40s", r->s);
        r->s = end + 1;
    }
}

static void read_end(struct reader *r) {
    char name[NAME];
    r->s++;
    read_name(r, name);
    if (r->depth == 0 || strcmp(r->open[--r->depth], name) != 0)
        fail_msg("</%s> ends <%s> at %.60s", name, r->open[r->depth], r->s);
}

static void read_start(struct reader *r) {
    assert_true(r->depth < DEPTH);
    read_name(r, r->open[r->depth++]);
    read_attributes(r);
    if (*r->s == '/') r->depth--, r->s++;
}

static void read_entity(struct reader *r) {
    size_t n = strcspn(r->s, ";< \n");
    if (n < 2 || n > 8 || r->s[n] != ';') fail_msg("a bare & at %.40s", r->s);
}

/* Strict as XML: what is opened is closed, attributes are quoted, & begins an entity. */
static void is_well_formed(const char *html) {
    struct reader r = {.s = html};
    assert_memory_equal(html, "<!DOCTYPE html>\n", 16);
    for (r.s += 16; *r.s;) {
        if (*r.s == '&') read_entity(&r);
        if (*r.s++ != '<') continue;
        if (*r.s == '/')
            read_end(&r);
        else
            read_start(&r);
        if (*r.s++ != '>') fail_msg("a tag is open at %.40s", r.s - 1);
    }
    assert_int_equal(r.depth, 0);
}

static void stands_alone(const char *html) {
    static const char *const reaching[] = {"<script", "<link", "<img",    "<iframe",
                                           " src=",   "href=", "@import", "url("};
    for (size_t i = 0; i < BASE_COUNT(reaching); i++) lacks(html, reaching[i]);
}

static void html_is_well_formed_and_needs_nothing(void **state) {
    char *html = run_printed(HANDOUT " --format html --paper letter");
    (void)state;
    is_well_formed(html);
    stands_alone(html);
    has(html, "<h1>All kinds &amp; &lt;more&gt;</h1>");
    has(html, "@page{size:letter;");
    has(html, "<svg xmlns=");
    has(html, "<main class=\"answers\">");
    has(html,
        "<td class=\"digits\">38</td><td class=\"fraction\">.5</td><td class=\"unit\">GB</td>");
    free(html);
}

static void lesson_is_printed(const char *id, bool asks) {
    char *line = base_format("export lesson %s --seed 3", id);
    char *html_line = base_format("%s --format html", line);
    char *text = run_printed(line), *html = run_printed(html_line);
    (asks ? has : lacks)(text, "# Answers\n");
    lacks(text, "could not be read here");
    is_well_formed(html);
    stands_alone(html);
    free(html);
    free(text);
    free(html_line);
    free(line);
}

static void every_lesson_is_printed(void **state) {
    static const char *const extras[] = {"timeline", "onwards",  "voices-1",
                                         "voices-2", "voices-3", "voices-4"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(LESSONS); i++) lesson_is_printed(LESSONS[i], true);
    for (size_t i = 0; i < BASE_COUNT(extras); i++) lesson_is_printed(extras[i], false);
}

/* ── the cheat sheet ───────────────────────────────────────────────────────────────────────────*/
/* Its figures are the engine's, with no answers, nothing drawn by chance and one page to print. */
static void the_course_on_one_page(void **state) {
    (void)state;
    page_is("export-cheat-sheet", "export cheat-sheet");
    char *text = run_printed("export cheat-sheet"),
         *html = run_printed("export cheat-sheet --format html");
    struct account_training t = account_training_default();
    struct account_error e;
    assert_true(account_set(&t, "params", "13e9", &e));
    assert_true(account_set(&t, "gpus", "8", &e));
    assert_true(account_set(&t, "stage", "2", &e));
    struct account_ledger l;
    assert_true(account_ledger(&t, &l, &e));
    char *share = base_format("%.2f GB", (double)l.total / 1e9);
    has(text, share);
    lacks(text, "Answers");
    lacks(text, "seed");
    is_well_formed(html);
    stands_alone(html);
    has(html, "class=\"dense\"");
    free(share);
    free(html);
    free(text);
}

/* Text is as a terminal of 80 columns shows it: no marks of Markdown, nothing wider. */
static void text_is_laid_out(void **state) {
    static const char *const lines[] = {"export cheat-sheet --format txt",
                                        "export lesson 1.3 --format txt"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        char *text = run_printed(lines[i]), *row = NULL, *rest = NULL;
        lacks(text, "**");
        lacks(text, "\n#");
        lacks(text, "|:--");
        has(text, "────");
        for (row = strtok_r(text, "\n", &rest); row; row = strtok_r(NULL, "\n", &rest))
            if (base_width(row) > 80) fail_msg("%s: \"%s\" is too wide", lines[i], row);
        free(text);
    }
}

/* ── worksheets ────────────────────────────────────────────────────────────────────────────────*/
/* Columns are of no interest: each run of blanks is one. */
static char *squeezed(const char *text) {
    struct base_text t = {0};
    for (; *text; text++)
        if (*text != ' ' || text[1] != ' ') base_text_add(&t, text, 1);
    return base_text_take(&t);
}

/* The problem of this step as its first try poses it from this seed, solved here, stands on the
 * sheet and in its key. */
static size_t check_key(const struct lesson *l, struct lesson_source source, size_t step,
                        uint64_t seed, const char *sheet) {
    const json_t *json = lesson_step(l, step);
    struct account_problem p;
    struct account_solution s;
    struct account_error e;
    char value[64];
    uint64_t own;
    json_t *variant = lesson_try(l, step, source, seed, 1, &own, NULL);
    bool solved = lesson_problem_read(json_object_get(variant, "problem"), &p, NULL) &&
                  account_solve(&p, &s, &e);
    has(sheet, base_json_text(variant, "ask", "?"));
    char *head = base_format("· %s %s\n", lesson_id(l), base_json_text(json, "title", "?"));
    const char *key = strstr(sheet, head);
    if (!key) fail_msg("the key lacks %s", head);
    for (size_t i = 0; solved && i < s.lines; i++) {
        char *line = base_format(
            "= %s\n", account_print(value, sizeof value, s.line[i].value, s.line[i].unit, 4));
        const char *found = strstr(key, line), *next = strstr(key + 3, "\n## ");
        if (!found || (next && found > next)) fail_msg("%s lacks %s", head, line);
        free(line);
    }
    free(head);
    json_decref(variant);
    return solved;
}

/* A shard's places stand for parameters or only pad: neither the space nor the key calls them
 * parameters. */
static void shards_are_cut_in_elements(void **state) {
    char *text = run_printed("export lesson 2.1 --seed 7");
    (void)state;
    has(text, "Answer: …………………… elements");
    has(text, "rounded up =  3 elements");
    lacks(text, "…… parameters");
    free(text);
}

static void a_key_is_the_engines_solution(void **state) {
    static const char path[] = "lessons/1-where-memory-goes/1.3.lua";
    struct base_message m = {0};
    char *text = run_printed("export sheet 1.3 --seed 11"), *sheet = squeezed(text);
    struct script *script = script_open(path, NULL, &m);
    size_t solved = 0, problems = 0;
    (void)state;
    if (!script) fail_msg("%s", m.what);
    json_t *json = json_deep_copy(script_lesson(script));
    assert_true(session_complete(json, path, &m));
    struct lesson *l = lesson_read(json, path, &m);
    for (size_t i = 0; i < lesson_steps(l); i++) {
        if (lesson_step_kind(l, i) != LESSON_PROBLEM) continue;
        solved += check_key(l, script_source(script), i, 11, sheet);
        problems++;
    }
    assert_true(solved >= 3 && problems > solved);
    lesson_free(l);
    json_decref(json);
    script_close(script);
    free(sheet);
    free(text);
}

static void a_seed_is_a_sheet(void **state) {
    static const char *const lines[] = {"export sheet 1.1 2.1 --count 5 --seed %d",
                                        "export sheet --phase 3 --seed %d --format html",
                                        "export lesson 1.2 --seed %d"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        char *text[3];
        for (int k = 0; k < 3; k++) {
            char *head = base_format("%.*s", (int)(strstr(lines[i], "%d") - lines[i]), lines[i]);
            char *line = base_format("%s%d%s", head, k < 2 ? 5 : 6, strstr(lines[i], "%d") + 2);
            text[k] = run_printed(line);
            free(line);
            free(head);
        }
        assert_string_equal(text[0], text[1]);
        assert_string_not_equal(text[0], text[2]);
        for (int k = 0; k < 3; k++) free(text[k]);
    }
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    while ((text = strstr(text, words))) text += strlen(words), n++;
    return n;
}

/* More problems than families: they come again, with other numbers. */
static void a_count_is_kept(void **state) {
    char *text = run_printed("export sheet 1.3 --seed 4 --count 20");
    (void)state;
    has(text, "\n## 20\n");
    lacks(text, "\n## 21\n");
    assert_int_equal(count(text, " · 1.3 A stage in one number\n") >= 2, 1);
    free(text);
}

static void a_whole_course_is_mixed(void **state) {
    char *text = run_printed("export sheet --seed 4");
    size_t lessons = 0;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(LESSONS); i++) {
        char *of = base_format(" · %s ", LESSONS[i]);
        lessons += count(text, of) > 0;
        free(of);
    }
    assert_true(lessons >= 3);
    has(text, "from 14 lessons");
    has(text, "\n## 10\n");
    lacks(text, "\n## 11\n");
    free(text);
}

static void no_mistake_is_named(void **state) {
    size_t n;
    const struct account_mistake *mistakes = account_mistakes(&n);
    char *text = run_printed("export sheet --seed 9 --count 60");
    (void)state;
    for (size_t i = 0; i < n; i++) {
        lacks(text, mistakes[i].name);
        lacks(text, mistakes[i].explain);
    }
    free(text);
}

static void a_key_may_have_a_file_of_its_own(void **state) {
    char *sheet = scratch_path(state, "sheet.html"), *key = scratch_path(state, "key.html");
    char *line = base_format("export sheet 1.3 --seed 2 -o %s --key %s", sheet, key);
    free(run_printed(line));
    char *sheet_text = file_text(sheet), *key_text = file_text(key);
    is_well_formed(sheet_text);
    is_well_formed(key_text);
    has(sheet_text, "<td>Name</td>");
    lacks(sheet_text, "class=\"answers\"");
    has(key_text, "<h1>Worksheet: answers</h1>");
    lacks(key_text, "<td>Name</td>");
    free(key_text);
    free(sheet_text);
    free(line);
    free(key);
    free(sheet);
}

/* ── PDF ───────────────────────────────────────────────────────────────────────────────────────*/
/* PATH holds this program alone; NULL: none. Returns the old path, the caller's. */
static char *path_with(void **state, const char *name, const char *script) {
    char *old = base_dup(getenv("PATH")), *folder = scratch_path(state, "bin");
    mkdir(folder, 0755);
    if (name) {
        char *file = base_format("%s/%s", folder, name);
        assert_true(base_file_write(file, script, strlen(script), NULL));
        assert_int_equal(chmod(file, 0755), 0);
        free(file);
    }
    setenv("PATH", folder, 1);
    free(folder);
    return old;
}

static void path_back(char *old) {
    setenv("PATH", old, 1);
    free(old);
}

/* Stand-ins that hand back the HTML that they were given: the last word but one, or the last. */
static void a_converter_gets_the_html(void **state) {
    static const char *const known[][2] = {
        {"weasyprint", "#!/bin/sh\n/bin/cp \"$2\" \"$3\"\n"},
        {"google-chrome", "#!/bin/sh\nfor w; do case $w in --print-to-pdf=*) to=${w#*=};; esac; "
                          "page=$w; done\n/bin/cp \"$page\" \"$to\"\n"},
    };
    char *html = run_printed("export sheet 1.1 --seed 2 --format html");
    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        char *bin = scratch_path(state, "bin"), *file = scratch_path(state, "sheet.pdf");
        char *line = base_format("export sheet 1.1 --seed 2 -o %s", file);
        char *old = path_with(state, known[i][0], known[i][1]);
        struct run r = run_line(line, NULL);
        path_back(old);
        if (r.status != 0) fail_msg("%s: %s", known[i][0], r.err);
        char *pdf = file_text(file), *program = base_format("%s/%s", bin, known[i][0]);
        assert_string_equal(pdf, html);
        assert_int_equal(remove(program) | remove(file), 0);
        free(program);
        free(pdf);
        run_free(&r);
        free(line);
        free(file);
        free(bin);
    }
    free(html);
}

/* An older file stays as it was. */
static void without_a_converter_nothing_is_written(void **state) {
    static const struct {
        const char *script, *says;
    } cases[] = {
        {NULL, "install weasyprint or chromium"},
        {"#!/bin/sh\nexit 3\n", "weasyprint made no PDF (it ended with 3)"},
        {"#!/bin/sh\nexit 0\n", "weasyprint made no PDF (it ended with 0)"},
    };
    char *file = scratch_path(state, "old.pdf");
    char *line = base_format("export sheet 1.1 -o %s", file);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        assert_true(base_file_write(file, "old", 3, NULL));
        char *old = path_with(state, cases[i].script ? "weasyprint" : NULL, cases[i].script);
        struct run r = run_line(line, NULL);
        path_back(old);
        assert_int_equal(r.status, 2);
        has(r.err, cases[i].says);
        char *text = file_text(file);
        assert_string_equal(text, "old");
        free(text);
        run_free(&r);
    }
    free(line);
    free(file);
}

static void a_terminal_gets_no_pdf(void **state) {
    const char *const argv[] = {getenv("ZEROTUTOR"), "export", "sheet", "--format", "pdf", NULL};
    (void)state;
    struct tty *t = tty_open(100, 10, argv, NULL);
    tty_wait(t, "a PDF cannot go to a terminal: name a file with `-o FILE`");
    assert_int_equal(tty_end(t), 2);
}

/* ── what cannot be ────────────────────────────────────────────────────────────────────────────*/
static void wrong_words_are_told(void **state) {
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"export", "more is needed: `zerotutor export lesson LESSON | sheet [LESSON...] | "
                   "cheat-sheet`"},
        {"export cheat-sheet 1.1", "'1.1' is unexpected: `zerotutor export cheat-sheet`"},
        {"export cheat-sheet --count 2",
         "--phase, --count and --key belong to worksheets: use `zerotutor export sheet`"},
        {"export lessn 2.3", "unknown export 'lessn': did you mean 'lesson'?"},
        {"export lesson",
         "name one lesson, as in `zerotutor export lesson 2.3`: `zerotutor learn --list` names "
         "them all"},
        {"export lesson 9.9", "unknown lesson '9.9': run `zerotutor learn --list` for a list"},
        {"export lesson 2.3 --count 2",
         "--phase and --count belong to worksheets: use `zerotutor export sheet`"},
        {"export sheet 1.1 --phase 1", "name lessons or a --phase, not both"},
        {"export sheet --phase 9", "--phase cannot be '9': it is a number from 1 to 4"},
        {"export sheet --count 0", "--count cannot be '0': it is a number from 1 to 200"},
        {"export lesson 2.3 --format doc",
         "--format cannot be 'doc': choose one of md, txt, html, pdf"},
        {"export sheet nowhere.lua", "nowhere.lua: file not found: check its name"},
        {"export sheet 1.1 -o nowhere/x.md",
         "nowhere/x.md: cannot write: No such file or directory"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_refused(cases[i].line, cases[i].error);
}

int main(void) {
#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_step_is_printed),
        cmocka_unit_test(answers_come_last),
        cmocka_unit_test(html_is_well_formed_and_needs_nothing),
        cmocka_unit_test(every_lesson_is_printed),
        cmocka_unit_test(shards_are_cut_in_elements),
        cmocka_unit_test(a_key_is_the_engines_solution),
        cmocka_unit_test(a_seed_is_a_sheet),
        cmocka_unit_test(a_count_is_kept),
        cmocka_unit_test(a_whole_course_is_mixed),
        cmocka_unit_test(no_mistake_is_named),
        IN_SCRATCH(a_key_may_have_a_file_of_its_own),
        IN_SCRATCH(a_converter_gets_the_html),
        IN_SCRATCH(without_a_converter_nothing_is_written),
        cmocka_unit_test(a_terminal_gets_no_pdf),
        cmocka_unit_test(wrong_words_are_told),
        cmocka_unit_test(the_course_on_one_page),
        cmocka_unit_test(text_is_laid_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
