/* fake: a source and a journal in memory. */
#include "lesson/fake.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static json_t *call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct fake_source *f = self;
    f->calls++;
    if (f->broken != 0) {
        if (f->broken > 0) f->broken--;
        base_fail_at(m, "fake.lua", 12, "the worker died");
        return NULL;
    }
    json_t *list = fn >= 0 && fn < 8 ? f->variants[fn] : NULL;
    if (json_array_size(list) == 0) {
        base_fail(m, "there is no function %d", fn);
        return NULL;
    }
    json_t *v = json_array_get(list, (size_t)(seed % json_array_size(list)));
    const char *words = base_json_text(v, "fail", NULL);
    if (words == NULL) return json_deep_copy(v);
    base_fail_at(m, "fake.lua", 30, "%s", words);
    return NULL;
}

struct lesson_source fake_source(struct fake_source *f) {
    return (struct lesson_source){.self = f, .call = call};
}

static void copy(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
}

static void add_row(struct fake_journal *f, const struct lesson_answer *a) {
    f->row = base_grow(f->row, f->rows + 1, sizeof *f->row);
    struct fake_row *r = &f->row[f->rows++];
    *r = (struct fake_row){.try = a->try, .hints = a->hints, .revision = a->lesson_revision};
    r->seed = a->seed;
    r->value = a->value;
    r->seconds = a->seconds;
    r->problem = json_deep_copy(a->problem);
    copy(r->item, sizeof r->item, a->item);
    copy(r->line, sizeof r->line, a->line);
    copy(r->verdict, sizeof r->verdict, a->verdict);
    copy(r->mistake, sizeof r->mistake, a->mistake);
    copy(r->typed, sizeof r->typed, a->typed);
    if (a->run) copy(r->outcome, sizeof r->outcome, a->run->outcome);
}

static void add_other(struct fake_journal *f, struct lesson_answer a) {
    a.mistake = "";
    a.typed = "(in another terminal)";
    add_row(f, &a);
}

void fake_other(struct fake_journal *f, const char *item, const char *line, int try,
                const char *verdict) {
    add_other(f,
              (struct lesson_answer){.item = item, .line = line, .try = try, .verdict = verdict});
}

/* As in the store: an answer that could not be read keeps out none. */
static bool was_answered(const struct fake_journal *f, const struct lesson_answer *a) {
    for (size_t i = 0; i < f->rows; i++)
        if (strcmp(f->row[i].item, a->item) == 0 && strcmp(f->row[i].line, a->line) == 0 &&
            f->row[i].try == a->try && strcmp(f->row[i].verdict, "unreadable") != 0)
            return true;
    return false;
}

static bool answer(void *self, const struct lesson_answer *a, struct base_message *m) {
    struct fake_journal *f = self;
    if (f->full && f->left-- <= 0) return base_fail(m, "the disk is full");
    if (f->raced) {
        f->raced = false;
        add_other(f, *a);
        return base_fail(m, "this try was answered before");
    }
    if (was_answered(f, a)) return base_fail(m, "this try was answered before");
    add_row(f, a);
    return true;
}

static bool place_get(void *self, const char *lesson, struct lesson_place *out,
                      struct base_message *m) {
    struct fake_journal *f = self;
    (void)lesson;
    if (f->no_reading) return base_fail(m, "the database is locked");
    *out = f->place;
    return true;
}

static bool place_set(void *self, const char *lesson, const struct lesson_place *p,
                      struct base_message *m) {
    struct fake_journal *f = self;
    (void)lesson;
    if (f->no_place) return base_fail(m, "the disk is full");
    f->place = *p;
    return true;
}

static bool answers(void *self, const char *item,
                    void (*each)(void *to, const struct lesson_answer *a), void *to,
                    struct base_message *m) {
    struct fake_journal *f = self;
    if (f->no_reading) return base_fail(m, "the database is locked");
    for (size_t i = 0; i < f->rows; i++) {
        const struct fake_row *r = &f->row[i];
        if (strcmp(r->item, item) != 0) continue;
        struct lesson_answer a = {r->item,     r->line,    r->try,   r->seed,    r->problem,
                                  r->revision, r->typed,   r->value, r->verdict, r->mistake,
                                  r->hints,    r->seconds, NULL};
        each(to, &a);
    }
    return true;
}

struct lesson_journal fake_journal(struct fake_journal *f) {
    return (struct lesson_journal){f, answer, place_get, place_set, answers, NULL};
}

void fake_journal_free(struct fake_journal *f) {
    for (size_t i = 0; i < f->rows; i++) json_decref(f->row[i].problem);
    free(f->row);
    *f = (struct fake_journal){0};
}

json_t *fake_json(const char *text) {
    struct base_message m = {0};
    json_t *json = base_json_read(text, strlen(text), "a test's lesson", &m);
    if (json == NULL) fatal("%s in:\n%s", m.what, text);
    return json;
}

struct lesson *fake_whole(struct fake_source *f) {
    struct base_message m = {0};
    json_t *whole = base_json_read_file("tests/lesson/whole.json", &m);
    struct lesson *l = NULL;
    if (whole != NULL) l = lesson_read(json_object_get(whole, "lesson"), "whole.lua", &m);
    if (l == NULL) fatal("whole.json: %s", m.what);
    for (size_t i = 0; i < 8; i++)
        f->variants[i] = json_incref(json_array_get(json_object_get(whole, "variants"), i));
    json_decref(whole);
    return l;
}

void fake_source_free(struct fake_source *f) {
    for (size_t i = 0; i < 8; i++) json_decref(f->variants[i]);
    *f = (struct fake_source){0};
}
