/* map: how well the learner knows each idea of the course. */
#include "session/inside.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MONTH = 30,
    /* of one item: a worksheet has as many as lines */
    SKILLS = 32,
    /* no number of a figure is drawn */
    STILL_SEED = 1
};

bool session_learner_map(struct learner *who, struct lesson_ideas *out, struct base_message *m) {
    char *path = base_share_path("lessons/map.json");
    json_t *json = base_json_read_file(path, m);
    bool read = json && lesson_ideas_read(out, session_learner_course(who), json, m);
    json_decref(json);
    free(path);
    return read;
}

/* An idea's problems are of skills that other ideas' problems are of too. */
static void add_item(struct learner_idea *to, const struct review_mastery *m, int64_t today,
                     const char *lesson, const char *id) {
    const struct review_skill *tried[SKILLS];
    char *item = base_format("%s/%s", lesson, id);
    size_t n = review_mastery_tried(m, item, tried, SKILLS);
    free(item);
    to->asked += n > 0;
    for (size_t i = 0; i < n; i++) {
        to->today += review_skill_likely(tried[i], today) / (double)n;
        to->month += review_skill_likely(tried[i], today + MONTH) / (double)n;
    }
}

/* What is not asked yet is as its lesson is: begun, skipped or not met. */
static enum learner_strength strength_of(struct learner *who, const struct learner_idea *i,
                                         const char *lesson, size_t items) {
    size_t at = session_learner_find_id(who, lesson, strlen(lesson));
    enum learner_standing standing = session_learner_progress(who, at).standing;
    if (i->asked == 0)
        return standing == LEARNER_UNTOUCHED                             ? LEARNER_NOT_MET
               : standing == LEARNER_SKIPPED || standing == LEARNER_DONE ? LEARNER_PASSED_OVER
                                                                         : LEARNER_MET;
    if (2 * i->asked < items && standing != LEARNER_DONE) return LEARNER_MET;
    return i->today < SESSION_WEAK    ? LEARNER_WEAK
           : i->today < SESSION_SOLID ? LEARNER_FADING
                                      : LEARNER_SOLID;
}

/* The mistake that was made last on any of its problems. */
static void find_slip(struct learner_idea *to, const struct review_mastery *m, int64_t today,
                      const struct lesson_idea *idea) {
    int64_t latest = INT64_MIN, day = 0;
    for (size_t k = 0; k < idea->items; k++) {
        char *item = base_format("%s/%s", idea->lesson, idea->item[k]);
        const char *slip = review_mastery_slip(m, item, &day);
        const char *name = slip ? session_mistake_name(slip) : NULL;
        free(item);
        if (!name || day < latest) continue;
        latest = day;
        snprintf(to->slip, sizeof to->slip, "%s", name);
        to->slip_days = today > day ? today - day : 0;
    }
}

struct learner_idea session_learner_idea(struct learner *who, const struct lesson_idea *idea) {
    struct learner_idea i = {0};
    const struct review_mastery *m = session_mastery(who);
    for (size_t k = 0; k < idea->items; k++)
        add_item(&i, m, session_today(who), idea->lesson, idea->item[k]);
    i.today = i.asked ? i.today / (double)i.asked : (double)NAN;
    i.month = i.asked ? i.month / (double)i.asked : (double)NAN;
    find_slip(&i, m, session_today(who), idea);
    i.strength = strength_of(who, &i, idea->lesson, idea->items);
    return i;
}

/* A table is words, which a narrow page breaks into syllables. */
static bool is_drawing(const json_t *figure) {
    return figure && strcmp(base_json_text(figure, "kind", ""), "table") != 0;
}

/* The figure of a step with sliders, where they begin, or of a play at its end, without the words
 * that go by. The caller's; NULL of other steps. */
static json_t *stilled(struct lesson_dialogue *d, const struct lesson *l, size_t i) {
    const char *id = base_json_text(lesson_step(l, i), "id", "");
    enum lesson_step_kind kind = lesson_step_kind(l, i);
    if (kind != LESSON_EXPLORE && kind != LESSON_ANIMATE) return NULL;
    json_t *figure =
        lesson_figure_after(d, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = id}, NULL);
    if (kind == LESSON_EXPLORE) return figure;
    json_decref(figure);
    figure = lesson_figure_after(d, (struct lesson_action){LESSON_DO_MOVE, .by = INT_MAX}, NULL);
    json_object_del(figure, "note");
    json_object_del(figure, "longest_note");
    return figure;
}

/* The first drawing that stands still among steps [from, to), and the first of those that move. */
static json_t *standing(const struct lesson *l, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (is_drawing(lesson_step_figure(l, i)))
            return json_incref((json_t *)lesson_step_figure(l, i));
    return NULL;
}

static json_t *moving(struct lesson_dialogue *d, const struct lesson *l, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        json_t *figure = stilled(d, l, i);
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

/* From the idea's step on, before the lesson asks anything; else the lesson's own; else the idea's
 * whatever was asked before. */
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

json_t *session_idea_figure(struct learner *who, const struct lesson_ideas *all, size_t i) {
    const struct lesson_idea *idea = &all->idea[i];
    size_t at = session_learner_find_id(who, idea->lesson, strlen(idea->lesson));
    const struct loaded *own = session_learner_lesson(who, at);
    if (!own) return NULL;
    const struct lesson *l = own->lesson;
    struct lesson_source source = {0};
    if (own->script) source = script_source(own->script);
    struct lesson_dialogue *d =
        lesson_dialogue_open(l, source, lesson_forgetful_journal, STILL_SEED, NULL);
    json_t *figure =
        d ? find_drawing(d, l, lesson_find(l, idea->step), end_of(all, idea, l)) : NULL;
    lesson_dialogue_free(d);
    return figure;
}
