/* step_aloud.c: explain it in your own words, then tick what you covered, then see one way to say it. Nothing is graded. */
#include "study/dialogue.h"

enum { SAYING, TICKING }; /* state.phase */

static const json_t *points(const struct study_dialogue *d) {
    return json_object_get(step_json(d), "points");
}

static void ask_ticks(struct study_dialogue *d) {
    size_t n = json_array_size(points(d));
    d->state.phase = TICKING;
    ask_begin(d, STUDY_TICKS, base_dup("which of these did you cover?"));
    const char **option = ask_options(d, n);
    for (size_t i = 0; i < n; i++)
        option[i] = ask_text(d, json_string_value(json_array_get(points(d), i)));
    ask_pose(d);
}

/* One that was said and not yet ticked goes on with the ticks. */
static void enter(struct study_dialogue *d) {
    struct past past = record_past(d);
    bool said = past.verdict[0] != '\0' && past.lines == 0;
    attempt_plain(d, said ? past.try : past.try + 1);
    show_figure(d, STUDY_ASKING, step_text(d, "ask"), json_object_get(step_json(d), "figure"));
    if (said) {
        if (past.typed[0] != '\0')
            show_owned(d, STUDY_QUIET, base_format("> %s", show_literally(d, past.typed)));
        ask_ticks(d);
    } else {
        ask_begin(d, STUDY_TEXT, base_dup("say it aloud, or type it"));
        ask_pose(d);
    }
    past_free(&past);
}

static void show_model(struct study_dialogue *d) {
    const char *model = step_text(d, "model");
    if (model != NULL) show_owned(d, STUDY_PLAIN, base_format("One way to say it:\n\n%s", model));
    ask_next(d);
}

static void say(struct study_dialogue *d, const char *text) {
    if (!record_answer(d, (struct record){"", text, VERDICT_NOTED, "", 0})) return;
    show_verdict(d, VERDICT_NOTED, base_dup("Now hold it against the points."));
    ask_ticks(d);
}

static char *words(const struct study_dialogue *d, const bool *ticked, size_t covered) {
    size_t i, n = json_array_size(points(d));
    const json_t *point;
    struct base_text t = {0};
    if (covered == n)
        base_text_printf(&t, "All %zu points covered.", n);
    else
        base_text_printf(&t, "%zu of %zu points covered. Still missing:\n\n", covered, n);
    json_array_foreach(points(d), i, point) {
        if (!ticked[i]) base_text_printf(&t, "- %s\n", json_string_value(point));
    }
    return base_text_take(&t);
}

static void tick(struct study_dialogue *d, const char *text) {
    size_t n = json_array_size(points(d)), got, out[OPTIONS_MOST], covered = 0;
    char bad[32];
    bool ticked[OPTIONS_MOST] = {false};
    if (!pick_many(text, n, out, OPTIONS_MOST, &got, bad)) {
        problem_unreadable(d, "points", text,
                           base_format("'%s' is none of the points. Type their numbers, such as "
                                       "1 3, or nothing.",
                                       show_literally(d, bad)));
        return;
    }
    for (size_t i = 0; i < got; i++) ticked[out[i]] = true;
    for (size_t i = 0; i < n; i++) covered += ticked[i];
    if (!record_answer(d, (struct record){"points", text, VERDICT_NOTED, "", (double)covered}))
        return;
    show_verdict(d, VERDICT_NOTED, words(d, ticked, covered));
    show_model(d);
}

static void answer(struct study_dialogue *d, const char *text) {
    (d->state.phase == SAYING ? say : tick)(d, text);
}

/* Said aloud and nothing typed: the points and the model answer still come. */
static bool next(struct study_dialogue *d) {
    if (d->state.settled) return false;
    if (d->state.phase == SAYING) {
        ask_ticks(d);
        return true;
    }
    if (step_text(d, "model") == NULL) return false;
    show_model(d);
    return true;
}

const struct step_ops step_aloud = {.enter = enter, .answer = answer, .next = next};
