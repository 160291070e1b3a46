/* lesson_lint_source.c: whether what a `read` step shows is still there: its marker, its lines, and in them the words that each note is about. */
#include "lesson/lint.h"

#include <string.h>

enum { LINES_MOST = 40 };

static bool says(const json_t *lines, const struct source_note *n) {
    for (int line = n->from; line <= n->to; line++) {
        const char *text = json_string_value(json_array_get(lines, (size_t)line - 1));
        if (text != NULL && strstr(text, n->has) != NULL) return true;
    }
    return false;
}

static void lint_note(struct lint *t, size_t i, const json_t *lines, const struct source_note *n,
                      size_t k) {
    const char *file = base_json_text(t->l->step[i].json, "file", "");
    if (n->from == 0)
        lesson_lint_find_at(
            t, i, "note %zu: no line of what %s shows says '%.60s', in the order of notes", k, file,
            n->has);
    else if ((size_t)n->to > json_array_size(lines))
        lesson_lint_find_at(t, i, "note %zu is about lines %d to %d, and %s shows %zu", k, n->from,
                            n->to, file, json_array_size(lines));
    else if (n->has == NULL)
        lesson_lint_find_at(
            t, i,
            "note %zu needs `has`: some words of its lines, so that it is noticed when they move",
            k);
    else if (!says(lines, n))
        lesson_lint_find_at(t, i,
                            "note %zu: lines %d to %d of what %s shows do not say '%.60s' any more",
                            k, n->from, n->to, file, n->has);
}

void lesson_lint_source(struct lint *t, size_t i) {
    const json_t *json = t->l->step[i].json, *source = json_object_get(json, "source");
    const json_t *lines = json_object_get(source, "lines");
    struct source_note note[NOTES_MOST];
    if (lines == NULL) {
        lesson_lint_find_at(t, i, "%s",
                            base_json_text(source, "missing", "its source was not read"));
        return;
    }
    if (json_array_size(lines) > LINES_MOST)
        lesson_lint_find_at(t, i, "%zu lines are too many to read at a time; mark %d at most",
                            json_array_size(lines), LINES_MOST);
    size_t n = lesson_source_notes(json, note);
    for (size_t k = 0; k < n; k++) lint_note(t, i, lines, &note[k], k + 1);
}
