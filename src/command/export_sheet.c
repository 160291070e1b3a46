/* command_export_sheet: problems of several lessons on one sheet. Chance, from the seed, picks the families and mixes them: in class one has to see
 * first what kind of problem it is. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>

enum { LESSONS_NAMED = 3, PROBLEMS_USUAL = 10 };

struct family {
    size_t lesson, step;
};
struct sheet {
    struct export_book *book;
    const struct export_wanted *wanted;
    struct export_lesson *lesson;
    size_t lessons;
    struct family *family;
    size_t families;
};

/* ── which problems ──────────────────────────────────────────────────────────────────────────────*/
static bool open_lesson(struct sheet *s, const struct lesson_course *c, const char *name,
                        struct base_message *m) {
    s->lesson = base_grow(s->lesson, s->lessons + 1, sizeof *s->lesson);
    if (!command_export_open(c, name, &s->lesson[s->lessons], m)) return false;
    const struct lesson *l = s->lesson[s->lessons++].lesson;
    for (size_t i = 0; i < lesson_steps(l); i++) {
        if (lesson_step_kind(l, i) != LESSON_PROBLEM) continue;
        s->family = base_grow(s->family, s->families + 1, sizeof *s->family);
        s->family[s->families++] = (struct family){s->lessons - 1, i};
    }
    return true;
}

static bool open_named(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    for (size_t i = 0; i < s->wanted->lessons; i++)
        if (!open_lesson(s, c, s->wanted->lesson[i], m)) return false;
    return true;
}

static bool open_phase(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    for (size_t i = 0; i < c->lessons; i++) {
        bool wanted = s->wanted->phase == 0 || c->lesson[i].phase == s->wanted->phase - 1;
        if (wanted && c->lesson[i].file && !open_lesson(s, c, c->lesson[i].id, m)) return false;
    }
    return true;
}

static bool open_all(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    bool named = s->wanted->lessons > 0;
    if (!(named ? open_named(s, c, m) : open_phase(s, c, m))) return false;
    if (s->families == 0) base_fail(m, "there are no problems in it: name another lesson");
    return s->families > 0;
}

/* ── the sheet ───────────────────────────────────────────────────────────────────────────────────*/
static void mix(struct sheet *s, uint64_t *chance) {
    for (size_t left = s->families; left > 1; left--) {
        size_t k = (size_t)(base_random(chance) % left);
        struct family was = s->family[left - 1];
        s->family[left - 1] = s->family[k];
        s->family[k] = was;
    }
}

static size_t count(const struct sheet *s) {
    if (s->wanted->count > 0) return s->wanted->count;
    return s->families < PROBLEMS_USUAL ? s->families : PROBLEMS_USUAL;
}

/* Each family once before any comes again, then with the numbers of its next try. */
static bool write_problems(struct sheet *s, struct base_message *m) {
    uint64_t chance = s->wanted->seed;
    for (size_t i = 0; i < count(s); i++) {
        if (i % s->families == 0) mix(s, &chance);
        struct family f = s->family[i % s->families];
        const struct export_lesson *l = &s->lesson[f.lesson];
        const json_t *step = lesson_step(l->lesson, f.step);
        char *of = base_format("%s %s", lesson_id(l->lesson), base_json_text(step, "title", ""));
        bool written = command_export_problem(s->book, l, f.step, s->wanted->seed,
                                              (int)(i / s->families) + 1, of, m);
        free(of);
        if (!written) return false;
    }
    return true;
}

static char *name_lessons(const struct sheet *s) {
    struct base_text t = {0};
    for (size_t i = 0; i < s->lessons; i++)
        base_text_printf(&t, "%s%s %s", i ? " · " : "", lesson_id(s->lesson[i].lesson),
                         lesson_title(s->lesson[i].lesson));
    return base_text_take(&t);
}

static char *describe(const struct sheet *s, const struct lesson_course *c) {
    if (s->lessons <= LESSONS_NAMED) return name_lessons(s);
    if (s->wanted->phase) return base_dup(c->phase_title[s->wanted->phase - 1]);
    return base_format("from %zu lessons", s->lessons);
}

bool command_export_sheet(struct export_book *b, const struct lesson_course *c,
                          const struct export_wanted *w, struct base_message *m) {
    struct sheet s = {.book = b, .wanted = w};
    bool written = open_all(&s, c, m) && write_problems(&s, m);
    b->title = base_dup("Worksheet");
    b->about = describe(&s, c);
    b->named = true;
    for (size_t i = 0; i < s.lessons; i++) command_export_close(&s.lesson[i]);
    free(s.lesson);
    free(s.family);
    return written;
}
