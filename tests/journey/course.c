#include "journey/course.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const struct lesson_entry *lessons(struct lesson_course *c) {
    struct base_message m = {0};
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, &m);
    if (!json || !lesson_course_read(c, json, &m)) fatal("%s", m.what);
    json_decref(json);
    free(path);
    return c->lesson;
}

int course_run(const struct course_test *tests, size_t count) {
    struct lesson_course course = {0};
    const struct lesson_entry *lesson = lessons(&course);
    struct CMUnitTest *all = base_grow(NULL, count * course.lessons, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < course.lessons; i++)
        for (size_t k = 0; k < count && lesson[i].file; k++)
            all[n++] = (struct CMUnitTest){base_format("%s, %s", lesson[i].id, tests[k].name),
                                           tests[k].run, NULL, NULL, base_dup(lesson[i].id)};
    int failed = _cmocka_run_group_tests("course", all, n, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        free((char *)(uintptr_t)all[i].name);
        free(all[i].initial_state);
    }
    free(all);
    lesson_course_free(&course);
    return failed;
}

bool course_all(void) {
    const char *all = getenv("TEST_ALL");
    return all && *all;
}

struct course_homes course_homes(const char *lesson) {
    struct base_message m = {0};
    struct course_homes h = {.rehearsed = home_new(lesson),
                             .seed = course_all() ? (uint64_t)base_ticks() : 1};
    struct store *s = store_open(h.rehearsed.store, &m);
    if (!s || !store_set(s, "motion", "off", &m)) fail_msg("%s", m.what);
    store_close(s);
    home_seed(&h.rehearsed, h.seed);
    h.skin = home_copy(&h.rehearsed, lesson);
    return h;
}

void course_homes_remove(struct course_homes *h) {
    home_remove(&h->rehearsed);
    home_remove(&h->skin);
}

void course_rehearse(const struct course_homes *h, const char *lesson, struct rehearsal_way way,
                     struct rehearsal *out) {
    struct base_message m = {0};
    if (!rehearse(h->rehearsed.store, lesson, way, out, &m))
        fail_msg("%s, seed %llu: %s", lesson, (unsigned long long)h->seed, m.what);
    if (*out->complaints)
        fail_msg("%s, seed %llu:\n%s", lesson, (unsigned long long)h->seed, out->complaints);
}

/* The first line in which two texts differ. */
static size_t first_difference(const char *a, const char *b) {
    size_t line = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') line = i + 1;
    return line;
}

void course_same_record(const struct course_homes *h, const char *lesson) {
    char *expected = home_answers(&h->rehearsed), *got = home_answers(&h->skin);
    if (strcmp(expected, got) != 0) {
        size_t at = first_difference(expected, got);
        fail_msg("%s: the record has\n%.200s\nand should have\n%.200s", lesson, got + at,
                 expected + at);
    }
    free(expected);
    free(got);
}

char *course_words(const char *text) {
    struct base_text t = {0};
    for (const char *s = text; *s;) {
        size_t blank = strspn(s, " \n"), word = strcspn(s + blank, " \n");
        if (word > 0 && t.length > 0) base_text_puts(&t, " ");
        base_text_add(&t, s + blank, word);
        s += blank + word;
    }
    return base_text_take(&t);
}
