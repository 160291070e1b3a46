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

static char *working(struct lesson_dialogue *d) {
    const json_t *c = choice(d, right_one(d));
    return base_format("Right is choice %zu: %s\n\n%s", right_one(d) + 1,
                       base_json_text(c, "text", ""), base_json_text(c, "because", ""));
}

static void answer(struct lesson_dialogue *d, const char *text) {
    size_t chosen, right = right_one(d);
    if (!lesson_pick_asked(d->ask, text, &chosen)) {
        lesson_problem_unreadable(
            d, "", text,
            base_format("That is none of the choices. Type one number from 1 to "
                        "%zu, or a letter from a to %c.",
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
    const json_t *c = choice(d, right);
    lesson_problem_verdict(d, r,
                           base_format("Not choice %zu. %s\n\nRight is choice %zu. %s", chosen + 1,
                                       because, right + 1, base_json_text(c, "because", "")));
}

/* One wrong choice less. */
static char *last_hint(struct lesson_dialogue *d) {
    size_t i = right_one(d) == 0 ? 1 : 0;
    return base_format("It is not choice %zu. %s", i + 1,
                       base_json_text(choice(d, i), "because", ""));
}

const struct form_ops lesson_form_choice = {.name = "choice",
                                            .again = "The same idea again:",
                                            .pose = pose,
                                            .answer = answer,
                                            .last_hint = last_hint,
                                            .working = working};
