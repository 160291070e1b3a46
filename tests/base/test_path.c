/* Where the program's files and the learner's are, by what the environment says. */
#include "base/base.h"

#include "base/scratch.h"

#include <string.h>

static void put(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static const struct home {
    /* ZEROTUTOR_HOME, XDG_DATA_HOME, HOME */
    const char *told, *data, *home;
    const char *expected;
} homes[] = {
    {"/t/tutor", "/d", "/h", "/t/tutor"},
    {"", "/d", "/h", "/d/zerotutor"},
    {NULL, "/d", "/h", "/d/zerotutor"},
    {NULL, "relative", "/h", "/h/.local/share/zerotutor"},
    {NULL, "", "/h", "/h/.local/share/zerotutor"},
    {NULL, NULL, "/h", "/h/.local/share/zerotutor"},
};

static void home_follows_the_environment(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(homes); i++) {
        put("ZEROTUTOR_HOME", homes[i].told);
        put("XDG_DATA_HOME", homes[i].data);
        put("HOME", homes[i].home);
        assert_string_equal(base_home(), homes[i].expected);
    }
    put("HOME", NULL); /* the system's list of users knows where */
    assert_non_null(strstr(base_home(), "/.local/share/zerotutor"));
}

static void a_home_that_is_nowhere_is_refused(void **state) {
    static const struct {
        const char *told, *data, *home;
        bool fine;
    } cases[] = {
        {NULL, NULL, "/h", true},          {NULL, NULL, NULL, true}, {"relative", NULL, "", true},
        {NULL, "/d", "h", true},           {NULL, NULL, "", false},  {NULL, NULL, "h", false},
        {"", "relative", "../h/i", false},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        put("ZEROTUTOR_HOME", cases[i].told);
        put("XDG_DATA_HOME", cases[i].data);
        put("HOME", cases[i].home);
        assert_int_equal(base_home_check(&m), cases[i].fine);
        if (!cases[i].fine) assert_non_null(strstr(m.what, "HOME is '"));
    }
    put("HOME", "/h");
}

static void home_stays_the_same_string(void **state) {
    (void)state;
    put("ZEROTUTOR_HOME", "/t/one");
    const char *first = base_home();
    assert_ptr_equal(base_home(), first);
}

static void share_is_what_the_environment_says_if_it_has_a_course(void **state) {
    char *lessons = scratch_path(state, "lessons"),
         *course = scratch_path(state, "lessons/course.json");
    put("ZEROTUTOR_SHARE", *state);
    assert_null(base_share()); /* a wrong setting is not passed over in silence */
    assert_true(base_make_dirs(lessons, NULL) && base_file_write(course, "{}", 2, NULL));
    assert_string_equal(base_share(), *state);
    char *joined = base_share_path("lua/lesson.lua"),
         *expected = scratch_path(state, "lua/lesson.lua");
    assert_string_equal(joined, expected);
    assert_string_equal(base_share_below(joined), "lua/lesson.lua");
    assert_string_equal(base_share_below("/elsewhere/1.1.lua"), "/elsewhere/1.1.lua");
    free(joined);
    free(expected);
    free(lessons);
    free(course);
    put("ZEROTUTOR_SHARE", NULL);
}

/* ── beside the executable: this very program is copied into trees, and asked there ────────────*/

static const struct tree {
    /* below the scratch folder */
    const char *executable, *course;
    /* what it says, below the scratch folder; NULL for none */
    const char *share;
} trees[] = {
    {"usr/bin/tutor", "usr/share/zerotutor/lessons/course.json", "usr/share/zerotutor"},
    {"co/build/zerotutor", "co/lessons/course.json", "co"},
    {"co2/build/tests/base/test", "co2/lessons/course.json", "co2"},
    {"co3/build/asan/tests/a/t", "co3/lessons/course.json", "co3"},
    {"usr2/bin/tutor", "elsewhere/lessons/course.json", NULL},
};

static void put_file(void **state, const char *name, const char *data, size_t n) {
    char *path = scratch_path(state, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    assert_true(base_make_dirs(path, NULL));
    *slash = '/';
    assert_true(base_file_write(path, data, n, NULL));
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

static char *ask(void **state, const char *executable) {
    char *command = base_format("%s/%s --share", (const char *)*state, executable);
    FILE *answer = popen(command, "r");
    assert_non_null(answer);
    char line[1000] = "";
    assert_non_null(fgets(line, sizeof line, answer));
    assert_int_equal(pclose(answer), 0);
    free(command);
    line[strcspn(line, "\n")] = '\0';
    return base_dup(line);
}

static void share_is_found_from_the_executable(void **state) {
    size_t n;
    char *self = base_file_read("/proc/self/exe", 100 << 20, &n, NULL);
    if (!self) skip();
    for (size_t i = 0; i < BASE_COUNT(trees); i++) {
        put_file(state, trees[i].executable, self, n);
        put_file(state, trees[i].course, "{}", 2);
        char *found = ask(state, trees[i].executable);
        char *expected = trees[i].share ? scratch_path(state, trees[i].share) : base_dup("none");
        assert_string_equal(found, expected);
        free(expected);
        free(found);
    }
    free(self);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--share") == 0) {
        const char *share = base_share();
        puts(share ? share : "none");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(home_follows_the_environment),
        cmocka_unit_test(a_home_that_is_nowhere_is_refused),
        cmocka_unit_test(home_stays_the_same_string),
        cmocka_unit_test_setup_teardown(share_is_what_the_environment_says_if_it_has_a_course,
                                        scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(share_is_found_from_the_executable, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
