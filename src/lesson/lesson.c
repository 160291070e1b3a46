/* lesson.c: what is asked about a lesson and its steps once it was read. */
#include "lesson/parsed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const KINDS[LESSON_STEP_KINDS] = {
    [LESSON_SAY] = "say",         [LESSON_PREDICT] = "predict",     [LESSON_FIGURE] = "figure",
    [LESSON_EXPLORE] = "explore", [LESSON_WORKED] = "worked",       [LESSON_PROBLEM] = "problem",
    [LESSON_MYTH] = "myth",       [LESSON_SAY_ALOUD] = "say_aloud", [LESSON_CARDS] = "cards",
    [LESSON_RECAP] = "recap",     [LESSON_ANIMATE] = "animate",     [LESSON_LAB] = "lab",
    [LESSON_READ] = "read",       [LESSON_MEMO] = "memo",           [LESSON_CARD] = "card",
};

const char *lesson_step_kind_name(enum lesson_step_kind k) {
    return (unsigned)k < LESSON_STEP_KINDS ? KINDS[k] : "";
}

const json_t *lesson_origin(const struct lesson *l, size_t i) {
    return json_object_get(l->step[i].json, "of");
}

bool lesson_blame(const struct lesson *l, size_t i, struct base_message *m, const char *format,
                  ...) {
    char words[300];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    const struct lesson_step *s = &l->step[i];
    const char *name = base_json_text(lesson_origin(l, i), "file", l->name);
    if (s->id == NULL || *s->id == '\0')
        return base_fail_at(m, name, s->line, "step %zu: %s", i + 1, words);
    return base_fail_at(m, name, s->line, "step '%s': %s", s->id, words);
}

void lesson_free(struct lesson *l) {
    if (l == NULL) return;
    for (size_t i = 0; i < l->count; i++) free(l->step[i].item);
    free(l->step);
    free(l->id);
    free(l->name);
    json_decref(l->json);
    free(l);
}

const char *lesson_id(const struct lesson *l) {
    return l->id;
}

const char *lesson_title(const struct lesson *l) {
    return base_json_text(l->json, "title", "");
}

const char *lesson_stop(const struct lesson *l) {
    return base_json_text(l->json, "stop", "");
}

int lesson_revision(const struct lesson *l, size_t i) {
    int64_t own = base_json_int(l->json, "revision", 1);
    return (int)base_json_int(lesson_origin(l, i), "revision", own);
}

const char *lesson_goal(const struct lesson *l) {
    return base_json_text(l->json, "goal", "");
}

/* A guess hides a part of its figure, and sliders make theirs. */
const json_t *lesson_step_figure(const struct lesson *l, size_t i) {
    enum lesson_step_kind k = l->step[i].kind;
    return k == LESSON_SAY || k == LESSON_FIGURE ? json_object_get(l->step[i].json, "figure")
                                                 : NULL;
}

size_t lesson_face(const struct lesson *l) {
    return lesson_find(l, base_json_text(l->json, "shows", ""));
}

size_t lesson_steps(const struct lesson *l) {
    return l->count;
}

const json_t *lesson_step(const struct lesson *l, size_t i) {
    return i < l->count ? l->step[i].json : NULL;
}

enum lesson_step_kind lesson_step_kind(const struct lesson *l, size_t i) {
    return i < l->count ? l->step[i].kind : LESSON_STEP_KINDS;
}

bool lesson_graded(const struct lesson *l, size_t i) {
    return l->step[i].kind == LESSON_PROBLEM || l->step[i].kind == LESSON_MYTH;
}

bool lesson_step_asks(const struct lesson *l, size_t i) {
    enum lesson_step_kind k = l->step[i].kind;
    return lesson_graded(l, i) || k == LESSON_PREDICT || k == LESSON_SAY_ALOUD || k == LESSON_LAB ||
           k == LESSON_MEMO;
}

const char *lesson_skill(const struct lesson *l, size_t i) {
    return base_json_text(l->step[i].json, "skill", l->step[i].id);
}

bool lesson_aside(const struct lesson *l, size_t i) {
    return base_json_bool(l->step[i].json, "review", false);
}

bool lesson_step_passed(const struct lesson *l, size_t i) {
    return l->step[i].kind != LESSON_CARDS && !lesson_aside(l, i);
}

bool lesson_step_counts(const struct lesson *l, size_t i) {
    return (lesson_graded(l, i) || l->step[i].kind == LESSON_MEMO) && !lesson_aside(l, i);
}

size_t lesson_find(const struct lesson *l, const char *id) {
    for (size_t i = 0; i < l->count; i++)
        if (l->step[i].id != NULL && strcmp(l->step[i].id, id) == 0) return i;
    return l->count;
}

const char *lesson_form(const struct lesson *l, size_t i) {
    return l->step[i].kind == LESSON_PROBLEM ? base_json_text(l->step[i].json, "form", "") : "";
}

size_t lesson_about(const struct lesson *l, size_t i, const char **out, size_t capacity) {
    const json_t *about = json_object_get(l->step[i].json, "about");
    size_t n = json_array_size(about);
    for (size_t k = 0; k < n && k < capacity; k++)
        out[k] = json_string_value(json_array_get(about, k));
    return n;
}

/* ── worksheets ────────────────────────────────────────────────────────────────────────────────*/
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

/* ── notes on a source ─────────────────────────────────────────────────────────────────────────*/
bool lesson_source_lines(const char *text, int *from, int *to) {
    int used = 0;
    if (sscanf(text, "%4d%n", from, &used) != 1) return false;
    *to = *from;
    text += used;
    if (*text == '-') {
        if (sscanf(text + 1, "%4d%n", to, &used) != 1) return false;
        text += used + 1;
    }
    return *text == '\0' && *from >= 1 && *to >= *from;
}

/* The first line from `line` on that has the words; 0 if none does. */
static int find_line(const json_t *lines, int line, const char *words) {
    for (; line <= (int)json_array_size(lines); line++) {
        const char *text = json_string_value(json_array_get(lines, (size_t)line - 1));
        if (text != NULL && strstr(text, words) != NULL) return line;
    }
    return 0;
}

size_t lesson_source_notes(const json_t *step, struct source_note out[NOTES_MOST]) {
    const json_t *lines = json_object_get(json_object_get(step, "source"), "lines"), *note;
    int line = 1;
    size_t i;
    json_array_foreach(json_object_get(step, "notes"), i, note) {
        if (i == NOTES_MOST) break;
        struct source_note *n = &out[i];
        *n = (struct source_note){.text = base_json_text(note, "text", ""),
                                  .has = base_json_text(note, "has", NULL)};
        if (lesson_source_lines(base_json_text(note, "lines", ""), &n->from, &n->to)) continue;
        n->from = n->has != NULL ? find_line(lines, line, n->has) : 0;
        n->to = n->from > 0 ? n->from + (int)base_json_int(note, "span", 1) - 1 : 0;
        if (n->from > 0) line = n->from;
    }
    return i;
}
