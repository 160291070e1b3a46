/* graded.h: a class in a folder of a test's own, what its pupils hand in, and what grading says of
 * it. */
#ifndef TESTS_SESSION_GRADED_H
#define TESTS_SESSION_GRADED_H

#include "session/pupils.h"

#include "base/scratch.h"

#include <limits.h>
#include <string.h>

enum { ANSWERS = 24, HOUR = 3600 };

struct room {
    struct classroom_folder *f;
    struct classroom_settings s;
};

static inline void empty(void **state) {
    assert_true(scratch_remove(state) == 0 && scratch_make(state) == 0);
}

/* A class of two lessons, in which all files may be one account's. */
static inline struct room open_room(void **state, bool synchronised) {
    struct base_message m = {0};
    struct room r;
    char *path = scratch_path(state, "class");
    r.f = classroom_make(path, &m);
    assert_non_null(r.f);
    classroom_settings_new(&r.s, "sys-26");
    memcpy(r.s.id, "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e", CLASSROOM_NAME); /* the same numbers */
    r.s.begins = base_now() - 2 * HOUR;
    r.s.synchronised = synchronised;
    r.s.lesson[r.s.lessons++] = (struct classroom_lesson){.id = "1.1"};
    r.s.lesson[r.s.lessons++] = (struct classroom_lesson){.id = "1.2"};
    assert_true(classroom_settings_write(r.f, &r.s, &m));
    free(path);
    return r;
}

static inline char *hex_of(const char *account) {
    static const char *const all[] = {"ada", "bob", "eve", "mal"};
    size_t i = 0;
    while (i < BASE_COUNT(all) && strcmp(all[i], account) != 0) i++;
    return base_format("%032zx", i + 1);
}

static inline void put(struct room *r, const char *hex, const char *text, size_t n) {
    struct base_message m = {0};
    char *name = base_format("%s.handin", hex);
    if (!classroom_write(r->f, CLASSROOM_HANDINS, name, 0644, text, n, &m)) fail_msg("%s", m.what);
    free(name);
}

static inline void hand_in(struct room *r, const char *account, const struct pupils_row *row,
                           size_t n) {
    size_t length;
    char *text = pupils_text(pupils, &r->s, account, row, n, 1, &length), *hex = hex_of(account);
    put(r, hex, text, length);
    free(hex);
    free(text);
}

static inline void hand_in_well(struct room *r, const char *account) {
    struct pupils_row *row = pupils_answers(pupils, &r->s, account, ANSWERS);
    hand_in(r, account, row, ANSWERS);
    pupils_free(row, ANSWERS);
}

static inline json_t *collect(struct room *r) {
    struct base_message m = {0};
    json_t *got = classroom_collect(r->f, &r->s, &m);
    if (!got) fail_msg("%s", m.what);
    return got;
}

static inline json_t *grade_within(struct room *r, const struct session_grading_limits *limits) {
    struct base_message m = {0};
    json_decref(collect(r));
    json_t *grades = session_class_grade(r->f, &r->s, limits, &m);
    if (!grades) fail_msg("%s", m.what);
    return grades;
}

static inline json_t *learner(const json_t *grades, const char *account) {
    char *hex = hex_of(account);
    json_t *one, *found = NULL;
    size_t i;
    json_array_foreach(json_object_get(grades, "learners"), i, one) {
        if (strcmp(base_json_text(one, "handin", ""), hex) == 0) found = one;
    }
    free(hex);
    assert_non_null(found);
    return found;
}

static inline double points(const json_t *learner) {
    double sum = 0;
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(learner, "items"), i, one) sum +=
        base_json_number(one, "points", 0);
    return sum;
}

/* What is listed of a learner, as "kind: says" lines. */
static inline char *listed(const json_t *learner) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(learner, "listed"), i, one) {
        base_text_printf(&t, "%s: %s\n", base_json_text(one, "kind", ""),
                         base_json_text(one, "says", ""));
    }
    return base_text_take(&t);
}

static inline void lists(const json_t *grades, const char *account, const char *says) {
    char *all = listed(learner(grades, account));
    if (*says ? !strstr(all, says) : *all) fail_msg("\"%s\" is not what is listed: %s", says, all);
    free(all);
}

static inline double right_firsts(const struct pupils_row *row, size_t n) {
    double right = 0;
    for (size_t i = 0; i < n; i++) right += row[i].try == 1 && row[i].right;
    return right;
}

static inline char *replace(char *text, const char *what, const char *with, size_t *n) {
    char *at = strstr(text, what);
    assert_non_null(at);
    struct base_text t = {0};
    base_text_add(&t, text, (size_t)(at - text));
    base_text_puts(&t, with);
    base_text_puts(&t, at + strlen(what));
    free(text);
    *n = t.length;
    return base_text_take(&t);
}

#endif
