/* check.c: what each kind of step must have, as a table. What is missing here would break the
 * dialogue; what a good lesson should have beyond that is lint's matter. */
#include "lesson/parsed.h"

#include <string.h>

enum shape { TEXT, TEXTS, OBJECT, LIST, TRUTH, INTEGER, FUNCTION };
static const char *const SHAPE[] = {
    [TEXT] = "a text",
    [TEXTS] = "a list of texts",
    [OBJECT] = "a table",
    [LIST] = "a list",
    [TRUTH] = "true or false",
    [FUNCTION] = "a function",
    [INTEGER] = "a whole number",
};
enum { ALL = LESSON_STEP_KINDS, NOTE_CELLS = 78 };
static const struct need {
    int kind;
    const char *field;
    enum shape shape;
    bool must;
} NEEDS[] = {
    {ALL, "title", TEXT, false},
    {ALL, "sources", TEXTS, false},
    {ALL, "wall", TEXT, false},
    {ALL, "figure", OBJECT, false},
    {ALL, "after", OBJECT, false},
    {LESSON_SAY, "text", TEXT, true},
    {LESSON_SAY, "briefly", TEXT, false},
    {LESSON_SAY, "slowly", TEXT, false},
    {LESSON_RECAP, "text", TEXT, true},
    {LESSON_RECAP, "further", TEXTS, false},
    {LESSON_FIGURE, "text", TEXT, false},
    {LESSON_FIGURE, "figure", OBJECT, true},
    {LESSON_PREDICT, "ask", TEXT, true},
    {LESSON_PREDICT, "reveal", TEXT, true},
    {LESSON_PREDICT, "choices", TEXTS, false},
    {LESSON_PREDICT, "problem", OBJECT, false},
    {LESSON_PREDICT, "notes", OBJECT, false},
    {LESSON_PREDICT, "limit", TEXT, false},
    {LESSON_PREDICT, "needs", TEXT, false},
    {LESSON_EXPLORE, "text", TEXT, true},
    {LESSON_EXPLORE, "training", OBJECT, true},
    {LESSON_EXPLORE, "sliders", LIST, true},
    {LESSON_EXPLORE, "figure", OBJECT, true},
    {LESSON_EXPLORE, "try", TEXTS, false},
    {LESSON_WORKED, "text", TEXT, true},
    {LESSON_WORKED, "problem", OBJECT, true},
    {LESSON_WORKED, "notes", OBJECT, false},
    {LESSON_PROBLEM, "form", TEXT, true},
    {LESSON_PROBLEM, "vary", FUNCTION, true},
    {LESSON_PROBLEM, "hints", TEXTS, false},
    {LESSON_PROBLEM, "about", TEXTS, false},
    {LESSON_PROBLEM, "blank", TEXTS, false},
    {LESSON_PROBLEM, "skill", TEXT, false},
    {LESSON_MYTH, "claim", TEXT, true},
    {LESSON_MYTH, "truth", TRUTH, true},
    {LESSON_MYTH, "because", TEXT, true},
    {LESSON_SAY_ALOUD, "ask", TEXT, true},
    {LESSON_SAY_ALOUD, "points", TEXTS, true},
    {LESSON_SAY_ALOUD, "model", TEXT, false},
    {LESSON_CARDS, "cards", LIST, true},
    {LESSON_ANIMATE, "text", TEXT, true},
    {LESSON_ANIMATE, "play", TEXT, true},
    {LESSON_ANIMATE, "options", OBJECT, false},
    {LESSON_ANIMATE, "training", OBJECT, false},
    {LESSON_ANIMATE, "ask", TEXT, false},
    {LESSON_ANIMATE, "reveal", TEXT, false},
    {LESSON_ANIMATE, "notes", OBJECT, false},
    {LESSON_LAB, "text", TEXT, true},
    {LESSON_LAB, "lab", TEXT, true},
    {LESSON_LAB, "ask", TEXT, false},
    {LESSON_LAB, "choices", TEXTS, false},
    {LESSON_LAB, "reveal", TEXT, false},
    {LESSON_LAB, "question", TEXT, false},
    {LESSON_LAB, "problem", OBJECT, false},
    {LESSON_LAB, "amount", OBJECT, false},
    {LESSON_LAB, "after", OBJECT, false},
    {LESSON_MEMO, "text", TEXT, true},
    {LESSON_READ, "text", TEXT, true},
    {LESSON_READ, "file", TEXT, true},
    {LESSON_READ, "mark", TEXT, false},
    {LESSON_READ, "source", OBJECT, false},
    {LESSON_READ, "notes", LIST, true},
    {LESSON_READ, "ask", TEXT, false},
    {LESSON_READ, "choices", TEXTS, false},
    {LESSON_READ, "reveal", TEXT, false},
};

static bool all_texts(const json_t *list) {
    size_t i;
    const json_t *v;
    json_array_foreach(list, i, v) {
        if (!json_is_string(v)) return false;
    }
    return json_is_array(list) && json_array_size(list) > 0;
}

static bool has_shape(const json_t *v, enum shape shape) {
    switch (shape) {
    case TEXT: return json_is_string(v) && json_string_length(v) > 0;
    case TEXTS: return all_texts(v);
    case OBJECT: return json_is_object(v);
    case LIST: return json_is_array(v) && json_array_size(v) > 0;
    case TRUTH: return json_is_boolean(v);
    case INTEGER: return json_is_integer(v);
    case FUNCTION: return json_is_integer(json_object_get(v, "fn"));
    }
    return false;
}

static bool check_need(const struct lesson *l, size_t i, const struct need *n,
                       struct base_message *m) {
    const json_t *v = json_object_get(l->step[i].json, n->field);
    if (v == NULL || json_is_null(v)) {
        if (!n->must) return true;
        return lesson_blame(l, i, m, "a %s step needs '%s', %s",
                            lesson_step_kind_name(l->step[i].kind), n->field, SHAPE[n->shape]);
    }
    if (has_shape(v, n->shape)) return true;
    return lesson_blame(l, i, m, "'%s' must be %s", n->field, SHAPE[n->shape]);
}

/* A problem written in the step itself (not varied) must be readable and have a solution. */
static bool check_problem(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *json = json_object_get(l->step[i].json, "problem");
    struct account_problem p;
    struct account_solution s;
    struct account_error e = {0};
    struct base_message why = {0};
    if (!lesson_problem_read(json, &p, &why)) return lesson_blame(l, i, m, "%s", why.what);
    if (!account_solve(&p, &s, &e)) return lesson_blame(l, i, m, "problem: %s", e.what);
    return true;
}

static bool check_predict(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *json = l->step[i].json;
    size_t choices = json_array_size(json_object_get(json, "choices"));
    if (choices == 0) {
        if (json_object_get(json, "problem") != NULL) return check_problem(l, i, m);
        return lesson_blame(l, i, m, "a predict step needs 'choices' and 'answer', or a 'problem'");
    }
    int64_t answer = base_json_int(json, "answer", 0);
    if (choices > OPTIONS_MOST)
        return lesson_blame(l, i, m, "at most %d choices fit", OPTIONS_MOST);
    if (answer < 1 || answer > (int64_t)choices)
        return lesson_blame(l, i, m, "'answer' must be a choice's number, 1 to %zu", choices);
    return true;
}

static bool check_slider(const struct lesson *l, size_t i, size_t k, const json_t *slider,
                         struct base_message *m) {
    struct account_training t = account_training_default();
    struct account_error e = {0};
    const json_t *values = json_object_get(slider, "values");
    const char *field = base_json_text(slider, "field", NULL);
    if (field == NULL || json_array_size(values) == 0)
        return lesson_blame(l, i, m, "slider %zu needs a 'field' and a list of 'values'", k + 1);
    size_t j;
    const json_t *value;
    json_array_foreach(values, j, value) {
        const char *text = base_json_text(value, "value", NULL);
        if (text == NULL)
            return lesson_blame(l, i, m, "slider '%.40s': value %zu needs a 'value', a text", field,
                                j + 1);
        if (!account_set(&t, field, text, &e))
            return lesson_blame(l, i, m, "slider '%.40s': %s", field, e.what);
    }
    int64_t start = base_json_int(slider, "start", 1);
    if (start >= 1 && start <= (int64_t)json_array_size(values)) return true;
    return lesson_blame(l, i, m, "slider '%.40s': 'start' must be a value's number", field);
}

/* The training with every slider at its start must be one that the engine can compute. */
static bool check_start(const struct lesson *l, size_t i, struct base_message *m) {
    json_t *problem = json_pack("{s:O}", "training", json_object_get(l->step[i].json, "training"));
    struct account_problem p;
    struct account_error e = {0};
    struct base_message why = {0};
    bool ok = lesson_problem_read(problem, &p, &why);
    json_decref(problem);
    if (!ok) return lesson_blame(l, i, m, "%s", why.what);
    size_t k;
    const json_t *slider;
    json_array_foreach(json_object_get(l->step[i].json, "sliders"), k, slider) {
        size_t start = (size_t)base_json_int(slider, "start", 1) - 1;
        const json_t *value = json_array_get(json_object_get(slider, "values"), start);
        account_set(&p.training, base_json_text(slider, "field", ""),
                    base_json_text(value, "value", ""), &e);
    }
    if (account_check(&p.training, &e)) return true;
    return lesson_blame(l, i, m, "with the sliders at their start: %s", e.what);
}

static bool check_explore(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *sliders = json_object_get(l->step[i].json, "sliders");
    if (json_array_size(sliders) > OPTIONS_MOST)
        return lesson_blame(l, i, m, "at most %d sliders fit", OPTIONS_MOST);
    size_t k;
    const json_t *slider;
    json_array_foreach(sliders, k, slider) {
        if (!check_slider(l, i, k, slider, m)) return false;
    }
    return check_start(l, i, m);
}

static bool check_form(const struct lesson *l, size_t i, struct base_message *m) {
    static const char *const forms[] = {"number", "sheet", "choice", "order", "sort"};
    const char *form = base_json_text(l->step[i].json, "form", "");
    const json_t *about = json_object_get(l->step[i].json, "about");
    if (json_array_size(about) > ABOUT_MOST)
        return lesson_blame(l, i, m, "'about' names more than %d mistakes", ABOUT_MOST);
    for (size_t k = 0; k < BASE_COUNT(forms); k++)
        if (strcmp(forms[k], form) == 0) return true;
    return lesson_blame(l, i, m, "unknown form '%.40s': use number, sheet, choice, order or sort",
                        form);
}

static bool check_points(const struct lesson *l, size_t i, struct base_message *m) {
    if (json_array_size(json_object_get(l->step[i].json, "points")) <= OPTIONS_MOST) return true;
    return lesson_blame(l, i, m, "at most %d points fit", OPTIONS_MOST);
}

/* Whether a problem or a myth is called so, or is about it. */
static bool asks_about(const struct lesson *l, const char *name) {
    bool asks = false;
    for (size_t i = 0; i < l->count; i++)
        asks |= lesson_graded(l, i) &&
                (strcmp(l->step[i].id, name) == 0 || strcmp(lesson_skill(l, i), name) == 0);
    return asks;
}

static bool check_cards(const struct lesson *l, size_t i, struct base_message *m) {
    size_t k;
    const json_t *card;
    json_array_foreach(json_object_get(l->step[i].json, "cards"), k, card) {
        if (base_json_text(card, "id", NULL) == NULL ||
            base_json_text(card, "front", NULL) == NULL ||
            base_json_text(card, "back", NULL) == NULL)
            return lesson_blame(l, i, m, "card %zu needs an id, a front and a back", k + 1);
        const char *of = base_json_text(card, "of", NULL);
        if (of != NULL && !asks_about(l, of))
            return lesson_blame(l, i, m, "card %zu: no problem or myth is about '%.40s'", k + 1,
                                of);
    }
    return true;
}

/* "a, b or c": names that a NULL ends. */
static void list_names(const char *const *name, char *out, size_t size) {
    size_t used = 0;
    *out = '\0';
    for (size_t k = 0; name[k] != NULL && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 k == 0                ? ""
                                 : name[k + 1] == NULL ? " and "
                                                       : ", ",
                                 name[k]);
}

/* A note has one row below what moves, which would jump if it took two. It names no key, as in
 * "Try `n`": paper and linear mode have none. */
static bool check_note(const struct lesson *l, size_t i, const char *note, struct base_message *m) {
    int marks = 0;
    for (const char *c = note; *c != '\0'; c++) {
        marks += *c == '`' || *c == '*';
        bool names_key = c[0] == '`' && c[1] != '\0' && c[2] == '`';
        if (names_key && c[1] != ' ')
            return lesson_blame(l, i, m, "a note names the key '%c': say what can change", c[1]);
        if (names_key) marks++, c += 2;
    }
    return base_width(note) - marks <= NOTE_CELLS ||
           lesson_blame(l, i, m, "a note takes more than one row of %d cells: '%.40s…'", NOTE_CELLS,
                        note);
}

static bool check_notes(const struct lesson *l, size_t i, const struct account_play *play,
                        struct base_message *m) {
    const char *moment;
    json_t *note;
    char all[200];
    json_object_foreach(json_object_get(l->step[i].json, "notes"), moment, note) {
        size_t k = 0;
        while (play->moments[k] != NULL && strcmp(play->moments[k], moment) != 0) k++;
        if (play->moments[k] != NULL && json_is_string(note)) {
            if (!check_note(l, i, json_string_value(note), m)) return false;
            continue;
        }
        list_names(play->moments, all, sizeof all);
        return lesson_blame(l, i, m, "'notes' of %s are texts for %s, not for '%.40s'", play->name,
                            all, moment);
    }
    return true;
}

static bool check_animate(const struct lesson *l, size_t i, struct base_message *m) {
    struct account_playing at;
    struct base_message why = {0};
    if (!lesson_playing_read(l->step[i].json, &at, &why))
        return lesson_blame(l, i, m, "%s", why.what);
    return check_notes(l, i, at.play, m);
}

/* What is only known once it is measured stands there as a number meanwhile. */
static bool check_after(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *json = l->step[i].json;
    struct account_problem p;
    struct account_solution s;
    struct account_error e = {0};
    struct base_message why = {0};
    if (json_object_get(json, "problem") == NULL) return true;
    if (json_object_get(json, "question") == NULL)
        return lesson_blame(l, i, m, "a 'problem' of a lab needs a 'question' that asks it");
    json_t *problem = json_deep_copy(json_object_get(json, "problem")), *value;
    const char *name;
    void *next;
    json_object_foreach_safe(json_object_get(problem, "training"), next, name, value) {
        if (json_is_string(value) && strcmp(json_string_value(value), "measured") == 0)
            json_object_set_new(json_object_get(problem, "training"), name, json_integer(1000000));
    }
    bool ok = lesson_problem_read(problem, &p, &why);
    json_decref(problem);
    if (!ok) return lesson_blame(l, i, m, "%s", why.what);
    return account_solve(&p, &s, &e) || lesson_blame(l, i, m, "problem: %s", e.what);
}

/* Without a guess of its own a lab asks what stands in the table of labs. */
static bool check_lab(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *json = l->step[i].json;
    size_t choices = json_array_size(json_object_get(json, "choices"));
    int64_t answer = base_json_int(json, "answer", 0);
    bool asks = json_object_get(json, "ask") != NULL;
    if (asks != (choices > 0))
        return lesson_blame(l, i, m, "'ask', 'choices' and 'answer' go together");
    if (choices > OPTIONS_MOST)
        return lesson_blame(l, i, m, "at most %d choices fit", OPTIONS_MOST);
    if (choices > 0 && (answer < 1 || answer > (int64_t)choices))
        return lesson_blame(l, i, m, "'answer' must be a choice's number, 1 to %zu", choices);
    const json_t *amount = json_object_get(json, "amount");
    struct lesson_amount a;
    if (amount != NULL && !lesson_amount_get(amount, &a))
        return lesson_blame(l, i, m, "the amount's problem cannot be solved");
    return check_after(l, i, m);
}

/* The notes are numbered lines; a question after them is whole, or there is none. */
static bool check_source(const struct lesson *l, size_t i, struct base_message *m) {
    const json_t *note, *json = l->step[i].json;
    size_t k;
    json_array_foreach(json_object_get(json, "notes"), k, note) {
        const char *lines = base_json_text(note, "lines", NULL);
        int from, to;
        if (base_json_text(note, "text", NULL) == NULL)
            return lesson_blame(l, i, m, "note %zu needs a 'text'", k + 1);
        if (lines != NULL && !lesson_source_lines(lines, &from, &to))
            return lesson_blame(l, i, m, "note %zu: '%.20s' is not a range of lines such as 2-4",
                                k + 1, lines);
        if (lines == NULL && base_json_text(note, "has", NULL) == NULL)
            return lesson_blame(l, i, m, "note %zu needs its 'lines', or words that one 'has'",
                                k + 1);
    }
    if (k > NOTES_MOST) return lesson_blame(l, i, m, "at most %d notes fit", NOTES_MOST);
    if ((json_object_get(json, "ask") == NULL) != (json_object_get(json, "reveal") == NULL))
        return lesson_blame(l, i, m, "'ask' and 'reveal' go together");
    return json_object_get(json, "choices") == NULL || check_predict(l, i, m);
}

typedef bool (*check_more)(const struct lesson *l, size_t i, struct base_message *m);
static const check_more MORE[LESSON_STEP_KINDS] = {
    [LESSON_PREDICT] = check_predict, [LESSON_EXPLORE] = check_explore,
    [LESSON_WORKED] = check_problem,  [LESSON_PROBLEM] = check_form,
    [LESSON_CARDS] = check_cards,     [LESSON_SAY_ALOUD] = check_points,
    [LESSON_ANIMATE] = check_animate, [LESSON_LAB] = check_lab,
    [LESSON_READ] = check_source,
};

bool lesson_check_step(const struct lesson *l, size_t i, struct base_message *m) {
    enum lesson_step_kind kind = l->step[i].kind;
    for (size_t k = 0; k < BASE_COUNT(NEEDS); k++)
        if ((NEEDS[k].kind == ALL || NEEDS[k].kind == (int)kind) && !check_need(l, i, &NEEDS[k], m))
            return false;
    return MORE[kind] == NULL || MORE[kind](l, i, m);
}
