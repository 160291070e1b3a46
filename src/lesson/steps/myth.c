/* myth.c: true or false, and why. */
#include "lesson/handler.h"

#include <strings.h>

static void enter(struct lesson_dialogue *d) {
    struct past past = lesson_record_past(d);
    lesson_attempt_plain(d, past.try + 1);
    if (lesson_verdict_right(past.verdict)) lesson_show(d, LESSON_QUIET, "Answered right before.");
    lesson_past_free(&past);
    lesson_show_figure(d, LESSON_ASKING, lesson_step_text(d, "claim"),
                       json_object_get(lesson_step_json(d), "figure"));
    lesson_ask_begin(d, LESSON_CHOICE, base_dup("True or false?"))->graded = true;
    const char **option = lesson_ask_options(d, 2);
    option[0] = "true";
    option[1] = "false";
    lesson_ask_pose(d);
}

/* What it is called, and what it is. */
static char *in_short(struct lesson_dialogue *d, bool truth) {
    const char *title = base_json_text(lesson_step_json(d), "title", lesson_step_text(d, "claim"));
    return base_format("%s (%s)", title, truth ? "true" : "false");
}

/* "true", "t", "1", "a" say true; "false", "f", "2", "b" false. */
static bool read_truth(const char *text, bool *out) {
    static const char *const words[] = {"true", "t", "yes", "false", "f", "no"};
    char word[16], more[16];
    const char *s = text;
    size_t chosen;
    if (!lesson_pick_word(&s, word, sizeof word) || lesson_pick_word(&s, more, sizeof more))
        return false;
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        if (strcasecmp(words[i], word) != 0) continue;
        *out = i < 3;
        return true;
    }
    if (!lesson_pick_one(word, 2, &chosen)) return false;
    *out = chosen == 0;
    return true;
}

static void answer(struct lesson_dialogue *d, const char *text) {
    bool truth = base_json_bool(lesson_step_json(d), "truth", false), said;
    if (!read_truth(text, &said)) {
        lesson_problem_unreadable(d, "", text, base_dup("Type true or false (t or f will do)."));
        return;
    }
    const char *verdict = said == truth ? VERDICT_RIGHT : VERDICT_WRONG;
    if (!lesson_record_answer(d, (struct record){"", text, verdict, "", said ? 1 : 2})) return;
    lesson_drilled(d, said == truth, 1, said == truth ? NULL : in_short(d, truth));
    char *words = base_format("%s is %s. %s", said == truth ? "Right, it" : "No, it",
                              truth ? "true" : "false", lesson_step_text(d, "because"));
    lesson_show_picked(d, lesson_show_verdict(d, verdict, words), said ? 1 : 2, truth ? 1 : 2);
    lesson_show_figure(d, LESSON_PLAIN, NULL, json_object_get(lesson_step_json(d), "after"));
    lesson_ask_next(d);
}

const struct step_ops lesson_step_myth = {.enter = enter, .answer = answer};
