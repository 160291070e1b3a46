/* worked.c: a solution that is followed line by line. */
#include "lesson/handler.h"

static const struct account_solution *solution(const struct lesson_dialogue *d) {
    return &d->state.attempt.solution;
}

static size_t shown(const struct lesson_dialogue *d) {
    return (size_t)d->state.phase;
}

static const char *note(const struct lesson_dialogue *d, size_t line) {
    const json_t *notes = json_object_get(lesson_step_json(d), "notes");
    return base_json_text(notes, solution(d)->line[line].id, "");
}

/* All lines, for drawing them whole, and how many are known. */
static void put_lines(struct lesson_dialogue *d, struct lesson_ask *ask) {
    size_t count = solution(d)->lines;
    struct lesson_sheet_line *sheet = lesson_keep_alloc(&d->asking, (count + 1) * sizeof *sheet);
    for (size_t i = 0; i < count; i++) {
        const struct account_line *l = &solution(d)->line[i];
        sheet[i] = (struct lesson_sheet_line){
            .id = lesson_ask_text(d, l->id),
            .label = lesson_ask_text(d, l->label),
            .formula = lesson_ask_text(d, l->formula),
            .must = "",
            .value = lesson_keep_owned(&d->asking, lesson_working_value(l->value, l->unit)),
            .note = lesson_ask_text(d, note(d, i)),
            .amount = lesson_working_bytes(l),
            .state = i >= shown(d)};
    }
    ask->sheet = sheet;
    ask->lines = count;
    ask->line = shown(d);
}

static void ask_line(struct lesson_dialogue *d) {
    if (shown(d) == solution(d)->lines) {
        lesson_ask_next(d);
        put_lines(d, d->ask);
        return;
    }
    lesson_ask_begin(d, LESSON_NEXT,
                     base_format("line %zu of %zu", shown(d) + 1, solution(d)->lines));
    d->ask->worked = true;
    put_lines(d, d->ask);
    lesson_ask_pose(d);
}

static void show_line(struct lesson_dialogue *d) {
    size_t i = shown(d);
    const char *said = note(d, i);
    lesson_show_owned(d, LESSON_PLAIN, lesson_working_lines(solution(d), i, i + 1))->in_sheet =
        true;
    if (*said) lesson_show_owned(d, LESSON_QUIET, base_dup(said))->in_sheet = true;
    d->state.phase++;
}

static void enter(struct lesson_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    struct account_error e;
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "text"),
                       json_object_get(lesson_step_json(d), "figure"));
    if (lesson_problem_read(json_object_get(lesson_step_json(d), "problem"), &a->problem, NULL))
        account_solve(&a->problem, &a->solution, &e);
    if (solution(d)->lines > 0) show_line(d);
    ask_line(d);
}

static bool next(struct lesson_dialogue *d) {
    if (shown(d) == solution(d)->lines) return false;
    show_line(d);
    ask_line(d);
    return true;
}

static void worked(struct lesson_dialogue *d) {
    if (shown(d) == solution(d)->lines) {
        lesson_show(d, LESSON_QUIET, "All its lines are here.");
        return;
    }
    while (shown(d) < solution(d)->lines) show_line(d);
    ask_line(d);
}

const struct step_ops lesson_step_worked = {.enter = enter, .next = next, .worked = worked};
