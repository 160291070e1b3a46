/* lint_tools.c: what every part of lint needs: a finding is reported, time is kept, and problems
 * that were met already are known. */
#include "lesson/lint.h"

#include <stdarg.h>
#include <stdlib.h>

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
static void report(struct lint *t, const char *file, int line, const char *words) {
    struct base_message m = {0};
    base_fail_at(&m, file, line, "%s", words);
    t->report(t->to, &m);
    t->findings++;
}

void lesson_lint_find(struct lint *t, const char *format, ...) {
    char words[380];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    report(t, t->l->name, 0, words);
}

void lesson_lint_find_at(struct lint *t, size_t step, const char *format, ...) {
    char words[300], all[380];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(all, sizeof all, "step '%s': %s", t->l->step[step].id, words);
    report(t, t->l->name, t->l->step[step].line, all);
}

/* ── time ────────────────────────────────────────────────────────────────────────────────────────
 * The lesson's own source is wrapped in one that calls no more once a step's time, or the lesson's,
 * is spent. */
/* A vary takes a fraction of a millisecond. Slow ones, and many of them, must not keep an author
 * waiting. */
enum { STEP_MS = 2000, MS_A_SEED = 2, STEPS_A_LESSON = 4 };

static json_t *call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct lint_pace *p = self;
    p->over = p->over || base_ticks() >= p->step_until;
    if (p->over) {
        base_fail(m, "the time is spent");
        return NULL;
    }
    return p->source.call(p->source.self, fn, seed, m);
}

static void restart(void *self) {
    struct lint_pace *p = self;
    if (p->source.restart != NULL) p->source.restart(p->source.self);
}

struct lesson_source lesson_lint_pace(struct lint_pace *p, struct lesson_source source, int seeds) {
    int64_t wanted = (int64_t)MS_A_SEED * seeds;
    *p = (struct lint_pace){.source = source, .step_ms = wanted > STEP_MS ? wanted : STEP_MS};
    p->lesson_until = base_ticks() + STEPS_A_LESSON * p->step_ms;
    return (struct lesson_source){.self = p, .call = call, .restart = restart};
}

void lesson_lint_pace_step(struct lint_pace *p) {
    p->over = false;
    p->step_from = base_ticks();
    p->step_until = p->step_from + p->step_ms;
    if (p->step_until > p->lesson_until) p->step_until = p->lesson_until;
}

bool lesson_lint_pace_done(const struct lint_pace *p) {
    return base_ticks() >= p->lesson_until;
}

int64_t lesson_lint_pace_spent(const struct lint_pace *p) {
    return base_ticks() - p->step_from;
}

/* ── problems met already ────────────────────────────────────────────────────────────────────────
 * A family draws from lists, so that many seeds give the same problem: it is weighed once. */
bool lesson_lint_seen(struct lint_seen *s, const json_t *problem) {
    char *text = json_dumps(problem, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    uint64_t key = base_hash(0, text != NULL ? text : "") | 1; /* 0 is an empty slot */
    free(text);
    size_t at = (size_t)(key % s->capacity);
    while (s->slot[at] != 0 && s->slot[at] != key) at = (at + 1) % s->capacity;
    bool seen = s->slot[at] == key;
    s->slot[at] = key;
    return seen;
}

struct lint_seen lesson_lint_seen_begin(int seeds) {
    size_t capacity = (size_t)seeds * 2 + 1;
    return (struct lint_seen){base_alloc(capacity * sizeof(uint64_t)), capacity};
}

void lesson_lint_seen_end(struct lint_seen *s) {
    free(s->slot);
}
