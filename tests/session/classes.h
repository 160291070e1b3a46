/* classes.h: a class for the learner of a test, who goes to a school (school.h). */
#ifndef TESTS_SESSION_CLASSES_H
#define TESTS_SESSION_CLASSES_H

#include "session/school.h"
#include "session/session.h"

enum { CLASSES_NOON = 1795430000 };

/* Sets the time that the program sees. */
static inline void classes_clock(int64_t now) {
    char *text = base_format("%lld", (long long)now);
    setenv("ZEROTUTOR_NOW", text, 1);
    free(text);
}

/* Changes its settings. */
static inline void classes_write(const char *path, const struct classroom_settings *s) {
    struct base_message m = {0};
    struct classroom_folder *f = classroom_open(path, &m);
    assert_non_null(f);
    assert_true(classroom_settings_write(f, s, &m));
    classroom_close(f);
}

/* A new class in this folder, from now on. */
static inline void classes_found(const char *path, const char *name, struct classroom_settings *s) {
    struct base_message m = {0};
    char *file = base_format("%s/class.json", path);
    struct classroom_folder *made = classroom_make(path, &m);
    if (!made) fail_msg("%s", m.what);
    classroom_close(made);
    assert_true(base_file_write(file, "{}", 2, &m));
    assert_true(session_class_settings(name, s, &m));
    classes_write(path, s);
    free(file);
}

/* The same from an hour before CLASSES_NOON to an hour after, in the scratch folder; its path, the
 * caller's. */
static inline char *classes_make(void **state, const char *name, struct classroom_settings *s) {
    char *path = scratch_path(state, name);
    classes_found(path, name, s);
    s->begins = CLASSES_NOON - 3600;
    s->ends = CLASSES_NOON + 3600;
    classes_write(path, s);
    return path;
}

/* Makes such a class at noon, which the learner joins; its path, the caller's. */
static inline char *classes_join(void **state, const char *name, struct classroom_settings *s,
                                 struct session_class *in) {
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, name, s);
    if (!session_class_join(path, NULL, in, &m)) fail_msg("%s", m.what);
    return path;
}

#endif
