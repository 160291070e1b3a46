/* What `read` steps show: a part of a file between its markers, or the reason why it is not
 * there. */
#include "session/school.h"
#include "session/session.h"

#include <sys/stat.h>

static const char source[] = "int before;\n"
                             "/* read: part */\n"
                             "int a;\n"
                             "\tint b;\n"
                             "/* read: end */\n"
                             "// read: open\n"
                             "int c;\n";

static void write_source(void **state) {
    struct base_message m = {0};
    char *folder = base_format("%s/src", (const char *)*state),
         *path = base_format("%s/x.c", folder);
    mkdir(folder, 0700);
    if (!base_file_write(path, source, sizeof source - 1, &m)) fail_msg("%s", m.what);
    free(path);
    free(folder);
}

/* The "source" that a step with this file and marker is given. */
static json_t *completed(const char *file, const char *mark) {
    struct base_message m = {0};
    json_t *step =
        json_pack("{ss ss ss ss}", "kind", "read", "id", "code", "file", file, "text", "t");
    if (mark) json_object_set_new(step, "mark", json_string(mark));
    json_t *lesson = json_pack("{s[o]}", "steps", step);
    assert_true(session_complete(lesson, "x.lua", &m));
    json_t *found = json_incref(json_object_get(step, "source"));
    json_decref(lesson);
    return found;
}

static const struct {
    const char *file, *mark, *source;
} CASES[] = {
    {"src/x.c", "part", "{\"first\":3,\"lines\":[\"int a;\",\"    int b;\"]}"},
    {"src/x.c", NULL,
     "{\"first\":1,\"lines\":[\"int before;\",\"/* read: part */\",\"int a;\",\"    int b;\","
     "\"/* read: end */\",\"// read: open\",\"int c;\"]}"},
    {"src/x.c", "par", "{\"missing\":\"src/x.c has no marker `read: par`, or nothing in it\"}"},
    {"src/x.c", "open", "{\"missing\":\"src/x.c: nothing ends `read: open`\"}"},
};

/* A lesson may be anybody's: it shows what is installed, and nothing else that a learner can
 * read. */
static void other_files_are_not_shown(void **state) {
    static const char *const files[] = {"",
                                        "../x.c",
                                        "/etc/hostname",
                                        "src/../../x.c",
                                        "src/../secret.txt",
                                        "secret.txt",
                                        ".git/config",
                                        "src/.git/config",
                                        "src/.hidden",
                                        "src/link.c",
                                        "src/away/passwd",
                                        "src/hidden.c",
                                        "build/x.o"};
    const char *share = *state;
    write_source(state);
    char *make = base_format("cd '%s' && mkdir -p .git src/.git build && echo s >secret.txt && cp "
                             "secret.txt .git/config && cp "
                             "secret.txt src/.git/config && cp secret.txt src/.hidden && cp "
                             "secret.txt build/x.o && ln -s "
                             "/etc/hostname src/link.c && ln -s /etc src/away && ln -s .hidden "
                             "src/hidden.c && ln -s x.c "
                             "src/other.c",
                             share);
    assert_int_equal(system(make), 0); /* NOLINT(cert-env33-c): the words are this file's */
    free(make);
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        json_t *found = completed(files[i], NULL);
        if (json_object_get(found, "lines")) fail_msg("%s is shown", files[i]);
        assert_non_null(
            strstr(base_json_text(found, "missing", ""), "is not shown: name a file in"));
        json_decref(found);
    }
    json_t *found = completed("src/other.c", "part"); /* a link to one that is shown */
    assert_int_equal(json_array_size(json_object_get(found, "lines")), 2);
    json_decref(found);
}

static void parts_are_found(void **state) {
    write_source(state);
    for (size_t i = 0; i < BASE_COUNT(CASES); i++) {
        json_t *found = completed(CASES[i].file, CASES[i].mark);
        char *text = json_dumps(found, JSON_COMPACT);
        assert_string_equal(text, CASES[i].source);
        free(text);
        json_decref(found);
    }
}

static void a_file_that_is_not_there_is_told(void **state) {
    (void)state;
    json_t *found = completed("src/none.c", NULL);
    assert_non_null(strstr(base_json_text(found, "missing", ""), "none.c"));
    json_decref(found);
}

/* Opened as a learner does: the lines are there. */
static void a_sitting_shows_it(void **state) {
    struct base_message m = {0};
    struct base_text seen = {0};
    const struct lesson_event *e;
    write_source(state);
    school_put(state, "read.lua", "read.lua");
    char *path = base_format("%s/lessons/read.lua", (const char *)*state);
    struct learner *learner = session_learner_open(NULL, &m);
    struct session *s = session_open(learner, path, &m);
    if (!s) fail_msg("%s", m.what);
    while ((e = session_event(s))) {
        char *figure = e->figure ? json_dumps(e->figure, JSON_COMPACT) : NULL;
        base_text_puts(&seen, figure ? figure : "");
        free(figure);
    }
    assert_non_null(
        strstr(seen.s, "\"first\":3,\"lines\":[\"int a;\",\"    int b;\"],\"notes\":[{\"from\":2,"
                       "\"to\":2,\"text\":\"The second.\"}]"));
    base_text_free(&seen);
    session_close(s);
    session_learner_close(learner);
    free(path);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(parts_are_found), IN_SCHOOL(a_file_that_is_not_there_is_told),
        IN_SCHOOL(other_files_are_not_shown), IN_SCHOOL(a_sitting_shows_it)};
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
