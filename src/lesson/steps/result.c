/* result.c: the last page of a review or a check: how it went, and what to look at again. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

/* ── the page ──────────────────────────────────────────────────────────────────────────────────*/
static const char *lesson_of(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(lesson_origin(d->lesson, i), "id", "");
}

/* "- **1.3** Three things are replicated", and on a line of their own the titles of the problems
 * missed. `right` of what is told becomes true. */
static void list_lesson(const struct lesson_dialogue *d, size_t from, bool *right,
                        struct base_text *t) {
    const char *id = lesson_of(d, from), *before = "\\\n  ";
    base_text_printf(t, "- **%s** %s", id,
                     base_json_text(lesson_origin(d->lesson, from), "title", ""));
    for (size_t i = from; i < d->lesson->count - 1; i++) {
        if (right[i] || strcmp(lesson_of(d, i), id) != 0) continue;
        base_text_printf(t, "%s%s", before, base_json_text(d->lesson->step[i].json, "title", ""));
        before = " · ";
        right[i] = true;
    }
    base_text_puts(t, "\n");
}

static void list_missed(struct lesson_dialogue *d, bool *right) {
    struct base_text t = {0};
    base_text_puts(&t, "Worth another look:\n\n");
    for (size_t i = 0; i < d->lesson->count - 1; i++)
        if (!right[i]) list_lesson(d, i, right, &t);
    lesson_show_owned(d, LESSON_PLAIN, base_text_take(&t));
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
            base_format("%zu of %zu right; %zu pass.", right, asked, asked - (asked > 1)));
}

static void enter(struct lesson_dialogue *d) {
    size_t asked = d->lesson->count - 1, n = 0;
    bool right[MIX_MOST] = {false};
    for (size_t i = 0; i < asked; i++) {
        right[i] = lesson_came(d->lesson, i, d->journal) == LESSON_CAME_RIGHT;
        n += right[i];
    }
    bool passes = lesson_check_passes(n, asked);
    headline(d, n, asked, passes);
    if (n < asked) list_missed(d, right);
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, passes ? "passed" : "failed"));
    lesson_ask_next(d);
}

const struct step_ops lesson_step_result = {.enter = enter};
