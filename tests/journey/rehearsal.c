/* rehearsal: see rehearsal.h. Right answers are worked out from the variants themselves, never read from a screen. */
#include "journey/rehearsal.h"

#include "script/script.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 400 };

struct learner {
    struct sitting *sitting;
    struct script *script;
    struct study_lesson *lesson;
    uint64_t seed;
    size_t step;
    char item[96];
};

static const json_t *step_of(const struct learner *l) {
    return study_lesson_step(l->lesson, l->step);
}

static json_t *variant_of(const struct learner *l, const struct study_ask *ask) {
    uint64_t seed;
    return study_try(l->lesson, l->step, script_source(l->script), l->seed, ask->try, &seed, NULL);
}

static void write_number(char *out, size_t size, double base_value, const char *unit_name) {
    enum account_unit unit = ACCOUNT_UNIT_NONE;
    account_unit_find(unit_name, &unit);
    snprintf(out, size, "%.6g", base_value / account_unit_scale(unit));
}

/* The first mistake that the step is about and that applies to this variant. */
static bool wrong_value(const json_t *step, const struct account_problem *p, double *value) {
    const json_t *id;
    size_t i;
    json_array_foreach(json_object_get(step, "about"), i, id) {
        struct account_match match;
        if (!account_mistake_value(p, json_string_value(id), &match)) continue;
        *value = match.value;
        return true;
    }
    return false;
}

enum { STAND_IN_PARAMS = 834304 }; /* what tests/trial/zerolab.sh trains */

/* The question after a lab: what was measured is known here. */
static bool after_text(const struct learner *l, const struct study_ask *ask, char *out,
                       size_t size) {
    json_t *problem = json_deep_copy(json_object_get(step_of(l), "problem"));
    struct account_problem p;
    struct account_solution s = {0};
    json_object_set_new(json_object_get(problem, "training"), "params",
                        json_integer(STAND_IN_PARAMS));
    bool good = study_problem_read(problem, &p, NULL) && account_solve(&p, &s, NULL);
    write_number(out, size, s.value, ask->unit);
    json_decref(problem);
    return good;
}

static bool number_text(const struct learner *l, const struct study_ask *ask, bool right, char *out,
                        size_t size) {
    json_t *variant = variant_of(l, ask);
    struct account_problem p;
    struct account_solution s;
    bool good = variant && study_problem_read(json_object_get(variant, "problem"), &p, NULL) &&
                account_solve(&p, &s, NULL);
    double value = good ? s.value : 0;
    if (good && ask->form == STUDY_LINE)
        value = s.line[ask->line].value * (right ? 1 : 1.37);
    else if (good && !right && !wrong_value(step_of(l), &p, &value))
        value *= 1.37;
    write_number(out, size, value, ask->unit);
    json_decref(variant);
    return good;
}

static bool choice_text(const struct learner *l, const struct study_ask *ask, bool right, char *out,
                        size_t size) {
    size_t pick = 1;
    if (study_lesson_step_kind(l->lesson, l->step) == STUDY_MYTH) {
        bool truth = json_is_true(json_object_get(step_of(l), "truth"));
        pick = truth == right ? 1 : 2;
    } else if (study_lesson_step_kind(l->lesson, l->step) == STUDY_PROBLEM) {
        json_t *variant = variant_of(l, ask);
        const json_t *choices = json_object_get(variant, "choices");
        while (pick < ask->options &&
               json_is_true(json_object_get(json_array_get(choices, pick - 1), "right")) != right)
            pick++;
        json_decref(variant);
    }
    snprintf(out, size, "%zu", pick);
    return true;
}

static bool sort_text(const struct learner *l, const struct study_ask *ask, bool right, char *out,
                      size_t size) {
    json_t *variant = variant_of(l, ask), *item;
    size_t i, used = 0;
    json_array_foreach(json_object_get(variant, "items"), i, item) {
        int bin = (int)base_json_int(item, "bin", 1) - 1;
        if (!right && i == 0) bin = (bin + 1) % (int)ask->bins;
        used +=
            (size_t)snprintf(out + used, size - used, "%s%zu=%c", i ? " " : "", i + 1, 'a' + bin);
    }
    json_decref(variant);
    return used > 0;
}

static bool order_text(const struct learner *l, const struct study_ask *ask, bool right, char *out,
                       size_t size) {
    json_t *variant = variant_of(l, ask), *item;
    size_t i, used = 0, count = json_array_size(json_object_get(variant, "items"));
    for (size_t place = 0; place < count; place++) {
        size_t from = right ? place : count - 1 - place;
        item = json_array_get(json_object_get(variant, "items"), from);
        for (i = 0; i < ask->options && strcmp(ask->option[i], json_string_value(item)) != 0; i++) {
        }
        used += (size_t)snprintf(out + used, size - used, "%s%zu", place ? " " : "", i + 1);
    }
    json_decref(variant);
    return used > 0;
}

/* What the learner says to this question; an empty text goes on. */
static bool answer_text(const struct learner *l, const struct study_ask *ask, bool right, char *out,
                        size_t size) {
    *out = '\0';
    bool lab = study_lesson_step_kind(l->lesson, l->step) == STUDY_LAB;
    switch (ask->form) {
    case STUDY_RUN: return snprintf(out, size, "run") > 0;
    case STUDY_NUMBER:
        if (lab) return after_text(l, ask, out, size);
        return number_text(l, ask, right, out, size);
    case STUDY_LINE: return number_text(l, ask, right, out, size);
    case STUDY_CHOICE: return choice_text(l, ask, right, out, size);
    case STUDY_SORT: return sort_text(l, ask, right, out, size);
    case STUDY_ORDER: return order_text(l, ask, right, out, size);
    case STUDY_TICKS: return snprintf(out, size, "1 2") > 0;
    case STUDY_TEXT: return snprintf(out, size, "sixteen bytes a parameter") > 0;
    default: return true;
    }
}

static void say(struct rehearsal *r, const struct study_ask *ask, const char *text) {
    r->said = base_grow(r->said, r->count + 1, sizeof *r->said);
    struct rehearsed *one = &r->said[r->count++];
    *one = (struct rehearsed){.form = ask->form, .graded = ask->graded};
    snprintf(one->text, sizeof one->text, "%s", text);
}

/* Reads events until something is awaited; false at the end of the lesson. */
static bool listen(struct learner *l, struct base_message *m, bool *trouble) {
    const struct study_event *e;
    while ((e = sitting_event(l->sitting))) {
        if (e->kind == STUDY_STEP) {
            l->step = e->index;
            snprintf(l->item, sizeof l->item, "%s", e->item);
        }
        if (e->kind == STUDY_TROUBLE) {
            *trouble = true;
            return base_fail(m, "trouble at %s: %s", l->item, e->text);
        }
        if (e->kind == STUDY_END) return false;
    }
    return sitting_asked(l->sitting) != NULL;
}

static bool run_lab(struct learner *l, const char *name, struct base_message *m) {
    struct sitting_lab *lab = sitting_lab_open(l->sitting, name, m);
    while (lab && !sitting_lab_over(lab)) {
        struct pollfd on = {.fd = sitting_lab_fd(lab), .events = POLLIN};
        poll(&on, 1, sitting_lab_due(lab));
        sitting_lab_read(lab);
    }
    sitting_lab_close(lab);
    return lab != NULL;
}

static void give(struct learner *l, const char *text) {
    struct study_action a = {.kind = *text ? STUDY_DO_ANSWER : STUDY_DO_NEXT, .text = text};
    sitting_do(l->sitting, &a);
}

static bool take(struct learner *l, struct rehearsal *r, struct base_message *m) {
    bool trouble = false;
    while (listen(l, m, &trouble)) {
        const struct study_ask *ask = sitting_asked(l->sitting);
        char text[96];
        bool right = !ask->graded || ask->try > 1;
        if (!answer_text(l, ask, right, text, sizeof text))
            return base_fail(m, "no answer is known for %s", l->item);
        if (r->count == MOST_INPUTS)
            return base_fail(m, "the lesson does not end: it stands at %s", l->item);
        say(r, ask, text);
        if (ask->form != STUDY_RUN)
            give(l, text);
        else if (!run_lab(l, ask->lab, m))
            return false;
    }
    return !trouble;
}

static bool lesson_file(struct desk *d, const char *lesson, char *out, size_t size) {
    size_t i = desk_find(d, lesson);
    const struct study_course *c = desk_course(d);
    if (i < c->lessons) snprintf(out, size, "%s/lessons/%s", base_share(), c->lesson[i].file);
    return i < c->lessons;
}

/* Labs are run by the stand-in, here and in the programs that are started from here. */
static void use_stand_in(void) {
    char path[PATH_MAX];
    if (realpath("tests/trial/zerolab.sh", path)) setenv("ZEROLAB", path, 1);
}

bool rehearse(const char *store, const char *lesson, struct rehearsal *out,
              struct base_message *m) {
    struct learner l = {0};
    char file[512] = "";
    *out = (struct rehearsal){0};
    use_stand_in();
    struct desk *d = desk_open(store, m);
    bool good = d && lesson_file(d, lesson, file, sizeof file);
    good = good && (l.script = script_open(file, NULL, m));
    good = good && (l.lesson = study_lesson_read(script_lesson(l.script), file, m));
    good = good && (l.sitting = sitting_open(d, lesson, m));
    if (good) l.seed = store_seed(desk_store(d));
    good = good && take(&l, out, m);
    if (l.sitting) sitting_close(l.sitting);
    if (l.lesson) study_lesson_free(l.lesson);
    if (l.script) script_close(l.script);
    if (d) desk_close(d);
    return good;
}

void rehearsal_free(struct rehearsal *r) {
    free(r->said);
    *r = (struct rehearsal){0};
}
