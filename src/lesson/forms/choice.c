/* choice.c: a problem answered by choosing one of several. */
#include "lesson/handler.h"

static const json_t *choice(const struct lesson_dialogue *d, size_t i) {
    return json_array_get(json_object_get(d->state.attempt.variant, "choices"), i);
}

static size_t count(const struct lesson_dialogue *d) {
    return json_array_size(json_object_get(d->state.attempt.variant, "choices"));
}

static size_t right_one(const struct lesson_dialogue *d) {
    size_t i = 0;
    while (i + 1 < count(d) && !base_json_bool(choice(d, i), "right", false)) i++;
    return i;
}

static void pose(struct lesson_dialogue *d) {
    lesson_problem_ask(d, LESSON_CHOICE, base_dup("Which is right?"));
    const char **option = lesson_ask_options(d, count(d));
    for (size_t i = 0; i < count(d); i++)
        option[i] = lesson_ask_text(d, base_json_text(choice(d, i), "text", ""));
    lesson_ask_pose(d);
}

/* Its words, not its number: options may be numbers themselves. */
static char *right_words(const json_t *c) {
    const char *text = base_json_text(c, "text", "");
    return base_format(LESSON_TRUTH "%s%s %s", text, lesson_stop_after(text),
                       base_json_text(c, "because", ""));
}

static char *working(struct lesson_dialogue *d) {
    return right_words(choice(d, right_one(d)));
}

static void answer(struct lesson_dialogue *d, const char *text) {
    size_t chosen, right = right_one(d);
    if (!lesson_pick_asked(d->ask, text, &chosen)) {
        lesson_problem_unreadable(
            d, "", text,
            base_format("That is not one of the choices. Type a number from 1 to %zu, or a "
                        "letter from a to %c.",
                        count(d), lesson_pick_letter(count(d) - 1)));
        return;
    }
    d->state.said = chosen + 1;
    d->state.truth = right + 1;
    const char *because = base_json_text(choice(d, chosen), "because", "");
    struct record r = {"", text, chosen == right ? VERDICT_RIGHT : VERDICT_WRONG, "",
                       (double)(chosen + 1)};
    if (chosen == right) {
        lesson_problem_verdict(d, r, base_format("Right. %s", because));
        return;
    }
    char *truth = right_words(choice(d, right));
    lesson_problem_verdict(d, r, base_format("No. %s\n\n%s", because, truth));
    free(truth);
}

/* One wrong choice less. */
static char *last_hint(struct lesson_dialogue *d) {
    size_t i = right_one(d) == 0 ? 1 : 0;
    const char *wrong = base_json_text(choice(d, i), "text", "");
    return base_format("Not this one: %s%s %s", wrong, lesson_stop_after(wrong),
                       base_json_text(choice(d, i), "because", ""));
}

const struct form_ops lesson_form_choice = {.name = "choice",
                                            .again = "The same idea again:",
                                            .pose = pose,
                                            .answer = answer,
                                            .last_hint = last_hint,
                                            .working = working};
