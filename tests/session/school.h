/* school.h: a place to learn in for one test: a folder with a small course (tests/session/lessons),
 * the real lesson language, and an empty record; the environment points there. */
#ifndef TESTS_SESSION_SCHOOL_H
#define TESTS_SESSION_SCHOOL_H

#include "base/scratch.h"

#include <string.h>

/* Puts a file of tests/session/lessons into the course under another name, as an editor would. */
static inline void school_put(void **state, const char *from, const char *as) {
    char *source = base_format("tests/session/lessons/%s", from);
    char *target = base_format("%s/lessons/%s", (const char *)*state, as);
    size_t n;
    char *text = base_file_read(source, 1 << 20, &n, NULL);
    assert_non_null(text);
    assert_true(base_file_write(target, text, n, NULL));
    free(text);
    free(target);
    free(source);
}

static inline int school_open(void **state) {
    if (scratch_make(state) != 0) return -1;
    char *folder = *state, *lua = realpath("lua", NULL);
    char *lessons = base_format("%s/lessons", folder), *link = base_format("%s/lua", folder);
    char *home = base_format("%s/home", folder);
    int status = mkdir(lessons, 0755) | symlink(lua, link);
    setenv("ZEROTUTOR_SHARE", folder, 1);
    setenv("ZEROTUTOR_HOME", home, 1);
    school_put(state, "course.json", "course.json");
    school_put(state, "first.lua", "first.lua");
    school_put(state, "second.lua", "second.lua");
    school_put(state, "glossary.lua", "glossary.lua");
    school_put(state, "questions.lua", "questions.lua");
    free(home);
    free(link);
    free(lessons);
    free(lua);
    return status;
}

/* The same with the course of reviews, checks and placement: mixed.json. */
static inline int school_open_mixed(void **state) {
    static const char *const lessons[] = {"mixed-a.lua", "mixed-b.lua", "mixed-c.lua",
                                          "mixed-d.lua"};
    if (school_open(state) != 0) return -1;
    school_put(state, "mixed.json", "course.json");
    for (size_t i = 0; i < BASE_COUNT(lessons); i++) school_put(state, lessons[i], lessons[i]);
    return 0;
}

/* The course itself, with an empty record. */
static inline int school_open_course(void **state) {
    if (school_open(state) != 0) return -1;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    return 0;
}

static inline int school_close(void **state) {
    unsetenv("ZEROTUTOR_SHARE");
    unsetenv("ZEROTUTOR_HOME");
    return scratch_remove(state);
}

#endif
