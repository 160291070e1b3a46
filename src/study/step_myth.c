/* step_myth.c: true or false, and why. */
#include "study/dialogue.h"

#include <string.h>
#include <strings.h>

static void enter(struct study_dialogue *d) {
    struct past past = record_past(d);
    attempt_plain(d, past.try + 1);
    if (verdict_right(past.verdict)) show(d, STUDY_QUIET, "Answered right before.");
    past_free(&past);
    show_figure(d, STUDY_ASKING, step_text(d, "claim"), json_object_get(step_json(d), "figure"));
    ask_begin(d, STUDY_CHOICE, base_dup("true or false"))->graded = true;
    const char **option = ask_options(d, 2);
    option[0] = "true";
    option[1] = "false";
    ask_pose(d);
}

/* "true", "t", "1", "a" say true; "false", "f", "2", "b" false. */
static bool read_truth(const char *text, bool *out) {
    static const char *const words[] = {"true", "t", "yes", "false", "f", "no"};
    char word[16], more[16];
    const char *s = text;
    size_t chosen;
    if (!pick_word(&s, word, sizeof word) || pick_word(&s, more, sizeof more)) return false;
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        if (strcasecmp(words[i], word) != 0) continue;
        *out = i < 3;
        return true;
    }
    if (!pick_one(word, 2, &chosen)) return false;
    *out = chosen == 0;
    return true;
}

static void answer(struct study_dialogue *d, const char *text) {
    bool truth = base_json_bool(step_json(d), "truth", false), said;
    if (!read_truth(text, &said)) {
        problem_unreadable(d, "", text, base_dup("Type true or false (t or f will do)."));
        return;
    }
    const char *verdict = said == truth ? VERDICT_RIGHT : VERDICT_WRONG;
    if (!record_answer(d, (struct record){"", text, verdict, "", said ? 1 : 2})) return;
    show_verdict(d, verdict,
                 base_format("%s is %s. %s", said == truth ? "Right, it" : "No, it",
                             truth ? "true" : "false", step_text(d, "because")));
    show_figure(d, STUDY_PLAIN, NULL, json_object_get(step_json(d), "after"));
    ask_next(d);
}

const struct step_ops step_myth = {.enter = enter, .answer = answer};
