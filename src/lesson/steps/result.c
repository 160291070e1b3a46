/* result.c: the last page of a review, a check or a drill: how it went, and what to look at
 * again. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

/* ── the page ──────────────────────────────────────────────────────────────────────────────────*/
static const char *lesson_of(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(lesson_origin(d->lesson, i), "id", "");
}

/* In the order of the course: the lessons of a review with missed problems, each once, or the
 * missed problems of a check, which show the right answer there. */
struct missed {
    size_t count;
    struct lesson_lead lead[MIX_MOST];
    /* the first one of each */
    size_t step[MIX_MOST];
};

static bool in_review(const struct lesson_dialogue *d) {
    return d->lesson->kind == LESSON_REVIEW;
}

static struct lesson_lead lead_to(const struct lesson_dialogue *d, size_t i) {
    const char *id = d->lesson->step[i].id, *step = strrchr(id, '/');
    if (!in_review(d)) return (struct lesson_lead){d->lesson->id, id};
    return (struct lesson_lead){lesson_of(d, i), step != NULL ? step + 1 : ""};
}

static void add_missed(const struct lesson_dialogue *d, size_t i, struct missed *m) {
    const char *lesson = lesson_of(d, i);
    size_t at = 0;
    while (at < m->count && strcmp(lesson_of(d, m->step[at]), lesson) <= 0) at++;
    bool listed = at > 0 && strcmp(lesson_of(d, m->step[at - 1]), lesson) == 0;
    if (listed && in_review(d)) return;
    memmove(&m->lead[at + 1], &m->lead[at], (m->count - at) * sizeof *m->lead);
    memmove(&m->step[at + 1], &m->step[at], (m->count - at) * sizeof *m->step);
    m->lead[at] = lead_to(d, i);
    m->step[at] = i;
    m->count++;
}

static const char *title_of(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(d->lesson->step[i].json, "title", "");
}

/* "**1.3** Three things are replicated", and on another line the titles of its missed problems. */
static void list_lesson(const struct lesson_dialogue *d, size_t from, const bool *right,
                        struct base_text *t) {
    const char *id = lesson_of(d, from), *before = "\\\n   ";
    base_text_printf(t, "**%s** %s", id,
                     base_json_text(lesson_origin(d->lesson, from), "title", ""));
    for (size_t i = 0; i < d->lesson->count - 1; i++) {
        if (right[i] || strcmp(lesson_of(d, i), id) != 0) continue;
        base_text_printf(t, "%s%s", before, title_of(d, i));
        before = " · ";
    }
}

static void list_missed(struct lesson_dialogue *d, const bool *right, struct missed *m) {
    struct base_text t = {0};
    for (size_t i = 0; i < d->lesson->count - 1; i++)
        if (!right[i]) add_missed(d, i, m);
    base_text_puts(&t, "Worth another look:\n\n");
    for (size_t i = 0; i < m->count; i++) {
        base_text_printf(&t, "%zu. ", i + 1);
        if (in_review(d))
            list_lesson(d, m->step[i], right, &t);
        else
            base_text_printf(&t, "**%s** %s", lesson_of(d, m->step[i]), title_of(d, m->step[i]));
        base_text_puts(&t, "\n");
    }
    lesson_show_owned(d, LESSON_PLAIN, base_text_take(&t));
}

/* What can be opened from this page. */
static void ask_leads(struct lesson_dialogue *d, const struct lesson_lead *to, size_t count) {
    lesson_ask_next(d);
    struct lesson_lead *lead = lesson_keep_alloc(&d->asking, (count + 1) * sizeof *lead);
    for (size_t i = 0; i < count; i++)
        lead[i] =
            (struct lesson_lead){lesson_ask_text(d, to[i].lesson), lesson_ask_text(d, to[i].step)};
    d->ask->leads = count;
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

/* ── of a drill ────────────────────────────────────────────────────────────────────────────────*/
/* "1. **1.3** The three cuts are … (false)"; a list follows the lesson's title. */
static void list_drilled(struct lesson_dialogue *d, struct base_text *t, size_t number, size_t i) {
    const char *missed = d->outcome[i].missed;
    bool lists = *missed == '-';
    base_text_printf(t, "%zu. **%s** %s\n", number, lesson_of(d, i),
                     lists ? base_json_text(lesson_origin(d->lesson, i), "title", "") : missed);
    for (const char *s = missed; lists && *s != '\0'; s += strcspn(s, "\n") + 1)
        base_text_printf(t, "    %.*s\n", (int)strcspn(s, "\n"), s);
}

static void drill_headline(struct lesson_dialogue *d, size_t steps) {
    size_t got = 0, of = 0, answered = 0;
    double seconds = 0;
    for (size_t i = 0; i < steps; i++) {
        got += d->outcome[i].got;
        of += d->outcome[i].of;
        answered += d->outcome[i].answered;
        seconds += d->outcome[i].seconds;
    }
    struct base_text t = {0};
    if (answered == 0)
        base_text_puts(&t, "You answered nothing.");
    else
        base_text_printf(&t, "**%zu of %zu %s**", got, of, lesson_step_text(d, "counts"));
    if (answered > 0 && seconds >= 90) base_text_printf(&t, ", in %.0f minutes", seconds / 60);
    if (answered > 0) base_text_puts(&t, ".");
    if (answered > 0 && answered < steps)
        base_text_printf(&t, " You skipped %zu.", steps - answered);
    lesson_show_owned(d, answered > 0 && got == of ? LESSON_GOOD : LESSON_PLAIN,
                      base_text_take(&t));
}

static void enter_drill(struct lesson_dialogue *d) {
    size_t steps = d->lesson->count - 1, missed = 0;
    struct base_text t = {0};
    struct lesson_lead *lead = lesson_keep_alloc(&d->events, (steps + 1) * sizeof *lead);
    drill_headline(d, steps);
    for (size_t i = 0; i < steps; i++) {
        if (d->outcome[i].missed == NULL) continue;
        const char *step = strrchr(d->lesson->step[i].id, '/');
        lead[missed++] = (struct lesson_lead){lesson_of(d, i), step + 1};
        list_drilled(d, &t, missed, i);
    }
    if (missed > 0) {
        lesson_show(d, LESSON_PLAIN, "Worth another look:");
        lesson_show_owned(d, LESSON_PLAIN, base_text_take(&t));
    }
    ask_leads(d, lead, missed);
}

static void enter(struct lesson_dialogue *d) {
    if (d->lesson->kind == LESSON_DRILL) {
        enter_drill(d);
        return;
    }
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
    ask_leads(d, missed.lead, missed.count);
    d->ask->fresh = !in_review(d);
}

/* Begins the next round: its place has no step, so the check opens at its first problem. */
static void fresh(struct lesson_dialogue *d) {
    struct lesson_place next = {.finished = d->finished};
    struct base_message m = {0};
    if (d->ask == NULL || !d->ask->fresh) {
        lesson_show(d, LESSON_QUIET, "This is not asked again.");
        return;
    }
    snprintf(next.step, sizeof next.step, "%d/", d->lesson->round + 1);
    if (d->journal.place_set(d->journal.self, d->lesson->id, &next, &m))
        lesson_show_end(d, NULL);
    else
        lesson_show_trouble(d, "It could not be begun again. ", &m);
}

const struct step_ops lesson_step_result = {.enter = enter, .fresh = fresh};
