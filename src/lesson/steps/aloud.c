/* aloud.c: explain it in your own words, then tick what you covered, then see one way to say it.
 * Nothing is graded. */
#include "lesson/handler.h"

enum { SAYING, TICKING }; /* state.phase */

static const json_t *points(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "points");
}

static void ask_ticks(struct lesson_dialogue *d) {
    size_t n = json_array_size(points(d));
    d->state.phase = TICKING;
    lesson_ask_begin(d, LESSON_TICKS, base_dup("Which of these did you cover?"));
    const char **option = lesson_ask_options(d, n);
    for (size_t i = 0; i < n; i++)
        option[i] = lesson_ask_text(d, json_string_value(json_array_get(points(d), i)));
    lesson_ask_pose(d);
}

/* One that was said and not yet ticked goes on with the ticks, but for a queue, which asks it
 * whole. */
static void enter(struct lesson_dialogue *d) {
    struct past past = lesson_record_past(d);
    bool said = !lesson_in_queue(d) && past.verdict[0] != '\0' && past.lines == 0;
    lesson_attempt_plain(d, said ? past.try : past.try + 1);
    lesson_show_figure(d, LESSON_ASKING, lesson_step_text(d, "ask"),
                       json_object_get(lesson_step_json(d), "figure"));
    if (said) {
        if (past.typed[0] != '\0')
            lesson_show_owned(d, LESSON_QUIET,
                              base_format("> You said: %s", lesson_show_literally(d, past.typed)));
        ask_ticks(d);
    } else {
        lesson_ask_begin(d, LESSON_TEXT, base_dup("Say it aloud, or type it."));
        lesson_ask_pose(d);
    }
    lesson_past_free(&past);
}

static void show_model(struct lesson_dialogue *d) {
    const char *model = lesson_step_text(d, "model");
    if (model != NULL)
        lesson_show_owned(d, LESSON_PLAIN, base_format("One way to say it:\n\n%s", model));
    lesson_ask_next(d);
}

static void say(struct lesson_dialogue *d, const char *text) {
    double took = (double)(base_ticks() - d->asked_at) / 1000.0;
    if (!lesson_record_answer(d, (struct record){"", text, VERDICT_NOTED, "", 0})) return;
    const char *compare = "Now compare it with these points.";
    lesson_show_verdict(d, VERDICT_NOTED,
                        d->outcome != NULL ? base_format("You took %.0f s. %s", took, compare)
                                           : base_dup(compare));
    ask_ticks(d);
}

/* The points that were not ticked as a list; NULL if all were. */
static char *left_out(const struct lesson_dialogue *d, const bool *ticked) {
    size_t i;
    const json_t *point;
    struct base_text t = {0};
    json_array_foreach(points(d), i, point) {
        if (!ticked[i]) base_text_printf(&t, "- %s\n", json_string_value(point));
    }
    return t.s != NULL ? base_text_take(&t) : NULL;
}

static char *words(size_t covered, size_t n, const char *missing) {
    if (missing == NULL) return base_format("All %zu points covered.", n);
    if (covered == 0) return base_format("You covered none of the %zu points.", n);
    return base_format("%zu of %zu points covered. Still missing:\n\n%s", covered, n, missing);
}

static void tick(struct lesson_dialogue *d, const char *text) {
    size_t n = json_array_size(points(d)), got, out[OPTIONS_MOST], covered = 0;
    char bad[32];
    bool ticked[OPTIONS_MOST] = {false};
    if (!lesson_pick_many(text, n, out, OPTIONS_MOST, &got, bad)) {
        lesson_problem_unreadable(
            d, "points", text,
            base_format("'%s' is not one of the points. Type their numbers, such as 1 3, or "
                        "nothing.",
                        lesson_show_typed(d, bad)));
        return;
    }
    for (size_t i = 0; i < got; i++) ticked[out[i]] = true;
    for (size_t i = 0; i < n; i++) covered += ticked[i];
    if (!lesson_record_answer(d,
                              (struct record){"points", text, VERDICT_NOTED, "", (double)covered}))
        return;
    char *missing = left_out(d, ticked);
    lesson_show_verdict(d, VERDICT_NOTED, words(covered, n, missing));
    lesson_drilled(d, covered, n, missing);
    show_model(d);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    (d->state.phase == SAYING ? say : tick)(d, text);
}

/* Said aloud and nothing typed: the points and the model answer still come. */
static bool next(struct lesson_dialogue *d) {
    if (d->state.settled) return false;
    if (d->state.phase == SAYING) {
        ask_ticks(d);
        return true;
    }
    if (lesson_step_text(d, "model") == NULL) return false;
    show_model(d);
    return true;
}

const struct step_ops lesson_step_aloud = {.enter = enter, .answer = answer, .next = next};
