/* export_problem: a problem as it is printed: its question with fresh numbers, space to write, and
 * the engine's solution among the answers. Hints and the names of mistakes stay in the tutor. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>

enum { LETTERS = 26, CALCULATION_LINES = 4, OPTIONS = 32 };

struct export_question command_export_ask(struct export_book *b, const char *title,
                                          const char *of) {
    struct export_question q = {command_export_whole(b->body), command_export_whole(b->answers)};
    char *head =
        *title ? base_format("%zu · %s", ++b->asked, title) : base_format("%zu", ++b->asked);
    char *told = of ? base_format("%zu · %s", b->asked, of) : base_dup(head);
    command_export_heading(q.body, head);
    command_export_heading(q.answer, told);
    free(told);
    free(head);
    return q;
}

static char letter(size_t i) {
    return (char)('a' + (int)(i % LETTERS));
}

/* ── the forms ─────────────────────────────────────────────────────────────────────────────────*/
struct posed {
    const json_t *step, *variant;
    /* where the variant has a problem */
    struct account_solution solution;
    uint64_t seed;
};

static void pose_number(struct export_question q, const struct posed *p) {
    command_export_space(q.body, CALCULATION_LINES,
                         command_export_unit(&p->solution, p->solution.unit));
    command_export_working(q.answer, &p->solution, NULL, NULL);
}

static void pose_sheet(struct export_question q, const struct posed *p) {
    json_t *none = json_array();
    const json_t *blank = json_object_get(p->step, "blank");
    command_export_working(q.body, &p->solution, NULL, blank ? blank : none);
    command_export_working(q.answer, &p->solution, NULL, NULL);
    json_decref(none);
}

static void pose_choice(struct export_question q, const struct posed *p) {
    json_t *items = json_array(), *choice;
    size_t i;
    json_array_foreach(json_object_get(p->variant, "choices"), i, choice) {
        json_array_append(items, json_object_get(choice, "text"));
        if (base_json_bool(choice, "right", false))
            command_export_format(q.answer, "**%c**: %s\n\n%s", letter(i),
                                  base_json_text(choice, "text", ""),
                                  base_json_text(choice, "because", ""));
    }
    command_export_choices(q.body, items);
}

/* The places of n things in chance's order, and never in their own. */
static void shuffle(size_t *place, size_t n, uint64_t seed) {
    bool sorted = true;
    for (size_t i = 0; i < n; i++) place[i] = i;
    for (size_t left = n; left > 1; left--) {
        size_t k = (size_t)(base_random(&seed) % left), was = place[left - 1];
        place[left - 1] = place[k];
        place[k] = was;
    }
    for (size_t i = 0; i < n; i++) sorted = sorted && place[i] == i;
    for (size_t i = 0; sorted && i < n; i++) place[i] = (i + 1) % n;
}

static void pose_order(struct export_question q, const struct posed *p) {
    const json_t *right = json_object_get(p->variant, "items");
    size_t n = json_array_size(right), place[OPTIONS];
    struct base_text told = {0};
    json_t *items = json_array();
    if (n > OPTIONS) n = OPTIONS;
    shuffle(place, n, p->seed);
    for (size_t i = 0; i < n; i++) {
        json_array_append(items, json_array_get(right, place[i]));
        base_text_printf(&told, "%zu. %s\n", i + 1, json_string_value(json_array_get(right, i)));
    }
    base_text_printf(&told, "\n%s", base_json_text(p->variant, "because", ""));
    command_export_order(q.body, items);
    command_export_text(q.answer, told.s);
    base_text_free(&told);
}

static void pose_sort(struct export_question q, const struct posed *p) {
    const json_t *bins = json_object_get(p->variant, "bins");
    struct base_text told = {0};
    json_t *items = json_array(), *item;
    size_t i;
    json_array_foreach(json_object_get(p->variant, "items"), i, item) {
        size_t bin = (size_t)base_json_int(item, "bin", 1) - 1;
        json_array_append(items, json_object_get(item, "text"));
        base_text_printf(&told, "- %s → **%s** (%s)\n", base_json_text(item, "text", ""),
                         json_string_value(json_array_get(bins, bin)),
                         base_json_text(item, "because", ""));
    }
    command_export_sort(q.body, items, bins);
    command_export_text(q.answer, told.s);
    base_text_free(&told);
}

static const struct {
    const char *form;
    void (*pose)(struct export_question q, const struct posed *p);
} forms[] = {
    {"number", pose_number}, {"sheet", pose_sheet}, {"choice", pose_choice},
    {"order", pose_order},   {"sort", pose_sort},
};

static bool solve(const json_t *problem, struct account_solution *out) {
    struct account_problem p;
    struct account_error e;
    return problem && lesson_problem_read(problem, &p, NULL) && account_solve(&p, out, &e);
}

bool command_export_problem(struct export_book *b, const struct export_lesson *l, size_t step,
                            uint64_t seed, int try, const char *of, struct base_message *m) {
    struct posed p = {.step = lesson_step(l->lesson, step)};
    json_t *variant = lesson_try(l->lesson, step, script_source(l->script), seed, try, &p.seed, m);
    if (!variant) return false;
    struct export_question q =
        command_export_ask(b, of ? "" : base_json_text(p.step, "title", ""), of);
    const char *form = base_json_text(p.step, "form", "");
    p.variant = variant;
    solve(json_object_get(variant, "problem"), &p.solution);
    command_export_text(q.body, base_json_text(variant, "ask", NULL));
    command_export_figure(q.body, json_object_get(variant, "figure"));
    for (size_t i = 0; i < BASE_COUNT(forms); i++)
        if (strcmp(forms[i].form, form) == 0) forms[i].pose(q, &p);
    json_decref(variant);
    return true;
}

/* ── guesses ───────────────────────────────────────────────────────────────────────────────────*/
void command_export_guess(struct export_question q, const json_t *step) {
    json_t *choices = json_object_get(step, "choices");
    size_t right = (size_t)base_json_int(step, "answer", 1) - 1;
    struct account_solution s;
    command_export_text(q.body, base_json_text(step, "ask", NULL));
    if (json_array_size(choices) > 0) {
        command_export_choices(q.body, json_incref(choices));
        command_export_format(q.answer, "**%c**: %s", letter(right),
                              json_string_value(json_array_get(choices, right)));
    } else if (solve(json_object_get(step, "problem"), &s)) {
        command_export_space(q.body, 1, command_export_unit(&s, s.unit));
        command_export_working(q.answer, &s, NULL, NULL);
    } else {
        command_export_space(q.body, 2, NULL);
    }
    command_export_text(q.answer, base_json_text(step, "reveal", NULL));
}
