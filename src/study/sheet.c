/* sheet.c: worksheets as data: which lines are blank, and which mistakes can be made on one. */
#include "study/lesson.h"

#include <string.h>

static bool is_named(const json_t *names, const char *id) {
    size_t i;
    const json_t *name;
    json_array_foreach(names, i, name) {
        if (strcmp(json_string_value(name), id) == 0) return true;
    }
    return false;
}

static bool names_any(const json_t *names, const struct account_solution *s) {
    for (size_t i = 0; i < s->lines; i++)
        if (is_named(names, s->line[i].id)) return true;
    return false;
}

bool sheet_is_blank(const json_t *step, const struct account_solution *s, size_t i) {
    const json_t *names = json_object_get(step, "blank");
    return i < s->lines && (!names_any(names, s) || is_named(names, s->line[i].id));
}

/* The problem that a line is by itself; false if it is no problem of its own. */
static bool line_problem(const struct account_problem *p, const struct account_solution *s,
                         size_t i, struct account_problem *out) {
    struct account_error e;
    *out = *p;
    out->unit = s->line[i].unit;
    if (i + 1 == s->lines) return true;
    out->cluster = false;
    return account_problem_set(out, "quantity", s->line[i].id, &e);
}

bool sheet_tells(const struct account_problem *p, const struct account_solution *s, size_t i,
                 const char *mistake, struct account_match *out) {
    struct account_problem own;
    struct account_separation apart;
    if (!line_problem(p, s, i, &own)) return false;
    account_separate(&own, &mistake, 1, &apart);
    return apart.legal && account_mistake_value(&own, mistake, out);
}
