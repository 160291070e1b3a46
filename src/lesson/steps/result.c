/* result.c: the last page of a review or a check: how it went, and what to look at again. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

/* ── the page ──────────────────────────────────────────────────────────────────────────────────*/
static const char *lesson_of(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(lesson_origin(d->lesson, i), "id", "");
}

/* The lessons of the problems that were missed, in the order of the course. */
struct missed {
    size_t count;
    struct lesson_lead lead[MIX_MOST];
    /* the first one of each */
    size_t step[MIX_MOST];
};

static void add_missed(const struct lesson_dialogue *d, size_t i, struct missed *m) {
    const char *id = lesson_of(d, i), *step = strrchr(d->lesson->step[i].id, '/');
    size_t at = 0;
    while (at < m->count && strcmp(m->lead[at].lesson, id) < 0) at++;
    if (at < m->count && strcmp(m->lead[at].lesson, id) == 0) return;
    memmove(&m->lead[at + 1], &m->lead[at], (m->count - at) * sizeof *m->lead);
    memmove(&m->step[at + 1], &m->step[at], (m->count - at) * sizeof *m->step);
    m->lead[at] = (struct lesson_lead){id, step != NULL ? step + 1 : ""};
    m->step[at] = i;
    m->count++;
}

/* "1. **1.3** Three things are replicated", and on a line of their own the titles of its problems
 * that were missed. */
static void list_lesson(const struct lesson_dialogue *d, size_t number, size_t from,
                        const bool *right, struct base_text *t) {
    const char *id = lesson_of(d, from), *before = "\\\n   ";
    base_text_printf(t, "%zu. **%s** %s", number, id,
                     base_json_text(lesson_origin(d->lesson, from), "title", ""));
    for (size_t i = 0; i < d->lesson->count - 1; i++) {
        if (right[i] || strcmp(lesson_of(d, i), id) != 0) continue;
        base_text_printf(t, "%s%s", before, base_json_text(d->lesson->step[i].json, "title", ""));
        before = " · ";
    }
    base_text_puts(t, "\n");
}

static void list_missed(struct lesson_dialogue *d, const bool *right, struct missed *m) {
    struct base_text t = {0};
    for (size_t i = 0; i < d->lesson->count - 1; i++)
        if (!right[i]) add_missed(d, i, m);
    base_text_puts(&t, "Worth another look:\n\n");
    for (size_t i = 0; i < m->count; i++) list_lesson(d, i + 1, m->step[i], right, &t);
    lesson_show_owned(d, LESSON_PLAIN, base_text_take(&t));
}

/* What can be opened from this page. */
static void ask_leads(struct lesson_dialogue *d, const struct missed *m) {
    lesson_ask_next(d);
    struct lesson_lead *lead = lesson_keep_alloc(&d->asking, (m->count + 1) * sizeof *lead);
    for (size_t i = 0; i < m->count; i++)
        lead[i] = (struct lesson_lead){lesson_ask_text(d, m->lead[i].lesson),
                                       lesson_ask_text(d, m->lead[i].step)};
    d->ask->leads = m->count;
    d->ask->lead = lead;
}

static void headline(struct lesson_dialogue *d, size_t right, size_t asked, bool passes) {
    if (d->lesson->kind == LESSON_REVIEW)
        lesson_show_owned(
            d, right == asked ? LESSON_GOOD : LESSON_PLAIN,
            base_format("%zu of %zu problems right, as last answered.", right, asked));
    else if (passes)
        lesson_show_owned(d, LESSON_GOOD, base_format("Passed: %zu of %zu right.", right, asked));
    else
        lesson_show_owned(
            d, LESSON_BAD,
            base_format("%zu of %zu right. You pass with %zu.", right, asked, asked - (asked > 1)));
}

static void enter(struct lesson_dialogue *d) {
    if (lesson_in_queue(d)) {
        lesson_ask_next(d);
        return;
    }
    size_t asked = d->lesson->count - 1, n = 0;
    bool right[MIX_MOST] = {false};
    struct missed missed = {0};
    for (size_t i = 0; i < asked; i++) {
        right[i] = lesson_came(d->lesson, i, d->journal) == LESSON_CAME_RIGHT;
        n += right[i];
    }
    bool passes = lesson_check_passes(n, asked);
    headline(d, n, asked, passes);
    if (n < asked) list_missed(d, right, &missed);
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, passes ? "passed" : "failed"));
    ask_leads(d, &missed);
}

const struct step_ops lesson_step_result = {.enter = enter};
