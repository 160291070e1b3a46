/* mix_result.c: the last page of a review or a check: how it went, and what to look at again. */
#include "study/dialogue.h"

#include <stdlib.h>
#include <string.h>

bool study_check_passes(size_t right, size_t asked) {
    return asked > 0 && right + (asked > 1) >= asked;
}

/* ── the page ────────────────────────────────────────────────────────────────────────────────────*/
static const char *lesson_of(const struct study_dialogue *d, size_t i) {
    return base_json_text(lesson_origin(d->lesson, i), "id", "");
}

/* "- **1.3** Three things are replicated", and on a line of their own the titles of the problems missed. `right` of what is told becomes true. */
static void list_lesson(const struct study_dialogue *d, size_t from, bool *right,
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

static void list_missed(struct study_dialogue *d, bool *right) {
    struct base_text t = {0};
    base_text_puts(&t, "Worth another look:\n\n");
    for (size_t i = 0; i < d->lesson->count - 1; i++)
        if (!right[i]) list_lesson(d, i, right, &t);
    show_owned(d, STUDY_PLAIN, base_text_take(&t));
}

static void headline(struct study_dialogue *d, size_t right, size_t asked, bool passes) {
    if (d->lesson->kind == STUDY_REVIEW)
        show_owned(d, right == asked ? STUDY_GOOD : STUDY_PLAIN,
                   base_format("%zu of %zu problems right, as last answered.", right, asked));
    else if (passes)
        show_owned(d, STUDY_GOOD, base_format("Passed: %zu of %zu right.", right, asked));
    else
        show_owned(d, STUDY_BAD,
                   base_format("%zu of %zu right; %zu pass.", right, asked, asked - (asked > 1)));
}

static void enter(struct study_dialogue *d) {
    size_t asked = d->lesson->count - 1, n = 0;
    bool right[MIX_MOST] = {false};
    for (size_t i = 0; i < asked; i++) {
        right[i] = study_came(d->lesson, i, d->journal) == STUDY_CAME_RIGHT;
        n += right[i];
    }
    bool passes = study_check_passes(n, asked);
    headline(d, n, asked, passes);
    if (n < asked) list_missed(d, right);
    show(d, STUDY_PLAIN, step_text(d, passes ? "passed" : "failed"));
    ask_next(d);
}

const struct step_ops step_result = {.enter = enter};
