/* ask.c: the question under construction. */
#include "lesson/dialogue.h"

struct lesson_ask *lesson_ask_begin(struct lesson_dialogue *d, enum lesson_form form,
                                    char *prompt) {
    lesson_keep_move(&d->events, &d->asking);
    d->ask = lesson_keep_alloc(&d->asking, sizeof *d->ask);
    d->ask->form = form;
    d->ask->prompt = lesson_keep_owned(&d->asking, prompt);
    d->ask->unit = "";
    d->ask->try = d->state.attempt.number > 0 ? d->state.attempt.number : 1;
    return d->ask;
}

const char **lesson_ask_options(struct lesson_dialogue *d, size_t count) {
    const char **option = lesson_keep_alloc(&d->asking, count * sizeof *option);
    d->ask->options = count;
    d->ask->option = option;
    return option;
}

const char **lesson_ask_bins(struct lesson_dialogue *d, size_t count) {
    const char **bin = lesson_keep_alloc(&d->asking, count * sizeof *bin);
    d->ask->bins = count;
    d->ask->bin = bin;
    return bin;
}

const char *lesson_ask_text(struct lesson_dialogue *d, const char *text) {
    return lesson_keep_text(&d->asking, text);
}

void lesson_ask_pose(struct lesson_dialogue *d) {
    struct lesson_event *e = lesson_show_event(d, LESSON_ASK);
    e->tone = LESSON_ASKING;
    e->ask = d->ask;
    d->asked_at = base_ticks();
}

void lesson_ask_next(struct lesson_dialogue *d) {
    d->state.settled = true;
    lesson_ask_begin(d, LESSON_NEXT, base_dup(""));
    lesson_ask_pose(d);
}

/* Elements of a flat buffer are counted like parameters, and are not called so. */
static bool in_elements(const struct lesson_dialogue *d, enum account_unit unit) {
    return unit == ACCOUNT_UNIT_PARAMS && d->state.attempt.problem.kind == ACCOUNT_ASK_SHARD;
}

/* Which element is no count of them. */
static bool is_place(const struct lesson_dialogue *d) {
    return d->state.attempt.problem.piece == ACCOUNT_PIECE_FIRST;
}

const char *lesson_ask_unit(const struct lesson_dialogue *d, enum account_unit unit) {
    return in_elements(d, unit) ? "elements" : account_unit_name(unit);
}

char *lesson_ask_prompt(const struct lesson_dialogue *d, const char *what, enum account_unit unit) {
    if (in_elements(d, unit))
        return base_format("%s, %s", what,
                           is_place(d) ? "an element's number" : "a number of elements");
    switch (unit) {
    case ACCOUNT_UNIT_NONE: return base_dup(what);
    case ACCOUNT_UNIT_PARAMS: return base_format("%s, a number of parameters such as 13B", what);
    case ACCOUNT_UNIT_BILLION: return base_format("%s, in billions of parameters", what);
    case ACCOUNT_UNIT_GPUS: return base_format("%s, a number of GPUs", what);
    case ACCOUNT_UNIT_B_PER_PARAM: return base_format("%s, in bytes per parameter", what);
    default: return base_format("%s, in %s", what, account_unit_name(unit));
    }
}
