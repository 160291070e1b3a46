/* sheet.c: worksheets as data: which lines are blank, and which mistakes can be made on one. */
#include "lesson/parsed.h"

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

bool lesson_sheet_is_blank(const json_t *step, const struct account_solution *s, size_t i) {
    const json_t *names = json_object_get(step, "blank");
    return i < s->lines && (!names_any(names, s) || is_named(names, s->line[i].id));
}

bool lesson_sheet_tells(const struct account_problem *p, const struct account_solution *s, size_t i,
                        const char *mistake, struct account_match *out) {
    return account_line_mistake(p, s, i, mistake, out);
}
