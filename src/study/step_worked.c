/* step_worked.c: a solution that is followed line by line. */
#include "study/dialogue.h"

static const struct account_solution *solution(const struct study_dialogue *d) {
    return &d->state.attempt.solution;
}

static size_t shown(const struct study_dialogue *d) {
    return (size_t)d->state.phase;
}

static void ask_line(struct study_dialogue *d) {
    if (shown(d) == solution(d)->lines) {
        ask_next(d);
        return;
    }
    ask_begin(d, STUDY_NEXT, base_format("line %zu of %zu", shown(d) + 1, solution(d)->lines));
    d->ask->worked = true;
    ask_pose(d);
}

static void enter(struct study_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    struct account_error e;
    show_figure(d, STUDY_PLAIN, step_text(d, "text"), json_object_get(step_json(d), "figure"));
    if (study_problem_read(json_object_get(step_json(d), "problem"), &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
    ask_line(d);
}

static void show_line(struct study_dialogue *d) {
    size_t i = shown(d);
    const json_t *notes = json_object_get(step_json(d), "notes");
    show_owned(d, STUDY_PLAIN, working_lines(solution(d), i, i + 1));
    show(d, STUDY_QUIET, base_json_text(notes, solution(d)->line[i].id, NULL));
    d->state.phase++;
}

static bool next(struct study_dialogue *d) {
    if (shown(d) == solution(d)->lines) return false;
    show_line(d);
    ask_line(d);
    return true;
}

static void worked(struct study_dialogue *d) {
    if (shown(d) == solution(d)->lines) {
        show(d, STUDY_QUIET, "All its lines are here.");
        return;
    }
    while (shown(d) < solution(d)->lines) show_line(d);
    ask_line(d);
}

const struct step_ops step_worked = {.enter = enter, .next = next, .worked = worked};
