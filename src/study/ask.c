/* ask.c: the question under construction. */
#include "study/dialogue.h"

struct study_ask *ask_begin(struct study_dialogue *d, enum study_form form, char *prompt) {
    keep_move(&d->events, &d->asking);
    d->ask = keep_alloc(&d->asking, sizeof *d->ask);
    d->ask->form = form;
    d->ask->prompt = keep_owned(&d->asking, prompt);
    d->ask->unit = "";
    d->ask->try = d->state.attempt.number > 0 ? d->state.attempt.number : 1;
    return d->ask;
}

const char **ask_options(struct study_dialogue *d, size_t count) {
    const char **option = keep_alloc(&d->asking, count * sizeof *option);
    d->ask->options = count;
    d->ask->option = option;
    return option;
}

const char **ask_bins(struct study_dialogue *d, size_t count) {
    const char **bin = keep_alloc(&d->asking, count * sizeof *bin);
    d->ask->bins = count;
    d->ask->bin = bin;
    return bin;
}

const char *ask_text(struct study_dialogue *d, const char *text) {
    return keep_text(&d->asking, text);
}

void ask_pose(struct study_dialogue *d) {
    struct study_event *e = show_event(d, STUDY_ASK);
    e->tone = STUDY_ASKING;
    e->ask = d->ask;
    d->asked_at = base_ticks();
}

void ask_next(struct study_dialogue *d) {
    d->state.settled = true;
    ask_begin(d, STUDY_NEXT, base_dup(""));
    ask_pose(d);
}

/* Elements of a flat buffer are counted like parameters, and are not called so. */
static bool in_elements(const struct study_dialogue *d, enum account_unit unit) {
    return unit == ACCOUNT_UNIT_PARAMS && d->state.attempt.problem.kind == ACCOUNT_ASK_SHARD;
}

/* Which element is no count of them. */
static bool is_place(const struct study_dialogue *d) {
    return d->state.attempt.problem.piece == ACCOUNT_PIECE_FIRST;
}

const char *ask_unit(const struct study_dialogue *d, enum account_unit unit) {
    return in_elements(d, unit) ? "elements" : account_unit_name(unit);
}

char *ask_prompt(const struct study_dialogue *d, const char *what, enum account_unit unit) {
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
