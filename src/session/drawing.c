/* drawing: the figure that represents a lesson, or one of its ideas. */
#include "session/inside.h"

#include <limits.h>
#include <string.h>

/* no number of a figure is drawn */
enum { STILL_SEED = 1 };

/* A table is words, which a narrow page breaks into syllables. */
static bool is_drawing(const json_t *figure) {
    return figure && strcmp(base_json_text(figure, "kind", ""), "table") != 0;
}

/* Without sliders next to it a figure has no need for a scale that holds all their places. */
static void forget_range(json_t *v) {
    size_t i;
    const char *name;
    json_t *each;
    json_array_foreach(v, i, each) forget_range(each);
    json_object_foreach(v, name, each) forget_range(each);
    if (!json_is_object(v)) return;
    json_object_del(v, "range");
    json_object_del(v, "still");
}

/* Which frame of a play is drawn for it. */
enum frame { FIRST, LAST };

/* The figure of a step with sliders, where they begin, or a frame of a play, without the words that
 * go by. The caller's; NULL of other steps. */
static json_t *stilled(struct lesson_dialogue *d, const struct lesson *l, size_t i,
                       enum frame frame) {
    const char *id = base_json_text(lesson_step(l, i), "id", "");
    enum lesson_step_kind kind = lesson_step_kind(l, i);
    if (kind != LESSON_EXPLORE && kind != LESSON_ANIMATE) return NULL;
    json_t *figure =
        lesson_figure_after(d, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = id}, NULL);
    if (kind == LESSON_EXPLORE) {
        forget_range(figure);
        return figure;
    }
    for (int stops = 2; frame == LAST && stops > 0; stops--) { /* at its question, then its end */
        json_decref(figure);
        figure =
            lesson_figure_after(d, (struct lesson_action){LESSON_DO_MOVE, .by = INT_MAX}, NULL);
    }
    json_object_del(figure, "note");
    json_object_del(figure, "longest_note");
    return figure;
}

/* The first still drawing of steps [from, to), and the first of a play or of sliders. */
static json_t *standing(const struct lesson *l, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (is_drawing(lesson_step_figure(l, i)))
            return json_incref((json_t *)lesson_step_figure(l, i));
    return NULL;
}

static json_t *moving(struct lesson_dialogue *d, const struct lesson *l, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        json_t *figure = stilled(d, l, i, LAST);
        if (is_drawing(figure)) return figure;
        json_decref(figure);
    }
    return NULL;
}

/* Where the next idea of the same lesson begins, or the lesson's end. */
static size_t end_of(const struct lesson_ideas *all, const struct lesson_idea *idea,
                     const struct lesson *l) {
    size_t from = lesson_find(l, idea->step), end = lesson_steps(l);
    for (const struct lesson_idea *i = all->idea; i < all->idea + all->count; i++) {
        size_t at = strcmp(i->lesson, idea->lesson) == 0 ? lesson_find(l, i->step) : end;
        if (at > from && at < end) end = at;
    }
    return end;
}

/* Of steps [from, end), before the lesson asks anything; else the lesson's first still
 * drawing; else one of those steps, whatever was asked before. */
static json_t *find_drawing(struct lesson_dialogue *d, const struct lesson *l, size_t from,
                            size_t end) {
    size_t asks = from, all = lesson_steps(l);
    while (asks < end && !lesson_graded(l, asks)) asks++;
    json_t *figure = standing(l, from, asks);
    if (!figure) figure = moving(d, l, from, asks);
    if (!figure) figure = standing(l, 0, all);
    if (!figure) figure = moving(d, l, from, end);
    return figure ? figure : moving(d, l, 0, all);
}

/* Sliders and plays run in a dialogue of their own, whose journal keeps nothing. NULL if it cannot
 * open. */
static struct lesson_dialogue *run(const struct loaded *own) {
    struct lesson_source source = {0};
    if (own->script) source = script_source(own->script);
    return lesson_dialogue_open(own->lesson, source, lesson_forgetful_journal, STILL_SEED, NULL);
}

/* That of the step that the lesson names, also if a guess hides a part of it there. */
static json_t *named(struct lesson_dialogue *d, const struct lesson *l) {
    size_t i = lesson_face(l);
    json_t *moves = i < lesson_steps(l) ? stilled(d, l, i, LAST) : NULL;
    return moves ? moves : json_incref(json_object_get(lesson_step(l, i), "figure"));
}

/* Whether the learner has still to answer the question that opens the lesson. */
static bool is_ahead(struct learner *who, size_t i, const struct lesson *l) {
    struct learner_progress p = session_learner_progress(who, i);
    bool here = !p.opened || (p.under_way && lesson_find(l, p.step) == 0);
    return here && lesson_step_kind(l, 0) == LESSON_PREDICT &&
           lesson_came(l, 0, store_journal(session_learner_store(who))) == LESSON_CAME_NOT;
}

/* The first step of this kind as it begins. */
static json_t *begun(struct lesson_dialogue *d, const struct lesson *l,
                     enum lesson_step_kind kind) {
    size_t i = 0, all = lesson_steps(l);
    while (i < all && lesson_step_kind(l, i) != kind) i++;
    return i < all ? stilled(d, l, i, FIRST) : NULL;
}

/* The first of its bars, and the others open; of another figure NULL. */
static json_t *left_open(const json_t *figure) {
    if (strcmp(base_json_text(figure, "kind", ""), "stack") != 0) return NULL;
    json_t *open = json_deep_copy(figure), *bar;
    size_t i;
    json_array_foreach(json_object_get(open, "bars"), i, bar) if (i > 0)
        json_object_set_new(bar, "unknown", json_true());
    return open;
}

/* What leaves open what the lesson asks first: the figure of that question, a play before it moves,
 * bars of which one is drawn, sliders where they begin. */
static json_t *unanswered(struct lesson_dialogue *d, const struct lesson *l) {
    json_t *figure = json_incref(json_object_get(lesson_step(l, 0), "figure"));
    json_t *still = standing(l, 0, lesson_steps(l));
    if (!figure) figure = begun(d, l, LESSON_ANIMATE);
    if (!figure) figure = left_open(still);
    json_decref(still);
    return figure ? figure : begun(d, l, LESSON_EXPLORE);
}

json_t *session_learner_face(struct learner *who, size_t i) {
    const struct loaded *own = session_learner_lesson(who, i);
    struct lesson_dialogue *d = own ? run(own) : NULL;
    if (!d) return NULL;
    json_t *figure = is_ahead(who, i, own->lesson) ? unanswered(d, own->lesson) : NULL;
    if (!figure) figure = named(d, own->lesson);
    if (!figure) figure = find_drawing(d, own->lesson, 0, lesson_steps(own->lesson));
    lesson_dialogue_free(d);
    return figure;
}

json_t *session_idea_figure(struct learner *who, const struct lesson_ideas *all, size_t i) {
    const struct lesson_idea *idea = &all->idea[i];
    size_t at = session_learner_find_id(who, idea->lesson, strlen(idea->lesson));
    const struct loaded *own = session_learner_lesson(who, at);
    struct lesson_dialogue *d = own ? run(own) : NULL;
    if (!d) return NULL;
    const struct lesson *l = own->lesson;
    json_t *figure = find_drawing(d, l, lesson_find(l, idea->step), end_of(all, idea, l));
    lesson_dialogue_free(d);
    return figure;
}
