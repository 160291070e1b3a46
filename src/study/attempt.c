/* attempt.c: tries at a problem. The try's number and the learner's seed make its numbers, so a try that was left half done
 * comes back with the same ones. */
#include "study/dialogue.h"

#include <string.h>

void attempt_free(struct attempt *a) {
    json_decref(a->variant);
    *a = (struct attempt){0};
}

/* No question can be asked: say why, and let Enter pass and fresh numbers try again. */
static void give_up(struct study_dialogue *d, const struct base_message *m) {
    show_trouble(d, "This problem could not be made. ", m);
    bool fresh = d->lesson->kind != STUDY_CHECK;
    show(d, STUDY_QUIET,
         fresh ? "Go on without it, or ask for fresh numbers to try again." : "Go on without it.");
    ask_next(d);
    d->ask->fresh = fresh;
}

static void read_problem(struct attempt *a) {
    struct account_error e;
    const json_t *json = json_object_get(a->variant, "problem");
    if (json != NULL && study_problem_read(json, &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
}

static bool begin(struct study_dialogue *d, int number) {
    struct attempt *a = &d->state.attempt;
    struct base_message m = {0};
    bool solved_before = a->solved_before;
    attempt_free(a);
    *a = (struct attempt){.number = number, .solved_before = solved_before};
    a->variant = study_try(d->lesson, d->at, d->source, d->seed, number, &a->seed, &m);
    d->state.settled = false;
    if (a->variant == NULL) {
        give_up(d, &m);
        return false;
    }
    read_problem(a);
    return true;
}

bool attempt_number(struct study_dialogue *d, int number) {
    return begin(d, number);
}

bool attempt_next(struct study_dialogue *d) {
    return begin(d, d->state.attempt.number + 1);
}

void attempt_plain(struct study_dialogue *d, int number) {
    d->state.attempt.number = number;
    d->state.settled = false;
}

/* A try is over once it has a whole verdict, "noted" (its working was shown) included. One that is not goes on, unless the
 * lesson was edited since and gives other numbers now. */
bool attempt_resume(struct study_dialogue *d, struct past *past) {
    bool over = past->verdict[0] != '\0';
    d->state.attempt.solved_before = verdict_right(past->verdict);
    if (past->try == 0 || over) {
        past->lines = 0;
        return begin(d, past->try + 1);
    }
    if (!begin(d, past->try)) return false;
    if (!json_equal(d->state.attempt.variant, past->problem)) {
        past->lines = 0;
        return begin(d, past->try + 1);
    }
    d->state.attempt.hints = past->hints;
    return true;
}
