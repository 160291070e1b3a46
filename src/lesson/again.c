/* again.c: an answer that was kept, judged once more as it was typed. The form that asked it judges
 * it: its step is asked alone, with the numbers that the answer was kept with, and what the form
 * would keep is caught before it reaches any record. */
#include "lesson/handler.h"
#include "lesson/judging.h"

#include <math.h>
#include <string.h>

/* ── a source that has one variant, and a journal that catches one answer ──────────────────────*/
static json_t *give(void *self, int fn, uint64_t seed, struct base_message *m) {
    (void)fn, (void)seed, (void)m;
    return json_deep_copy(self);
}

struct caught {
    struct lesson_again *out;
    bool any;
};

static bool take(void *self, const struct lesson_answer *a, struct base_message *m) {
    struct caught *c = self;
    (void)m;
    if (c->any) return true;
    c->any = true;
    snprintf(c->out->verdict, sizeof c->out->verdict, "%s", a->verdict);
    snprintf(c->out->mistake, sizeof c->out->mistake, "%s", a->mistake);
    c->out->value = a->value;
    return true;
}

static bool place_get(void *self, const char *lesson, struct lesson_place *out,
                      struct base_message *m) {
    (void)self, (void)lesson, (void)m;
    *out = (struct lesson_place){0};
    return true;
}

static bool place_set(void *self, const char *lesson, const struct lesson_place *p,
                      struct base_message *m) {
    (void)self, (void)lesson, (void)p, (void)m;
    return true;
}

static bool answers(void *self, const char *item,
                    void (*each)(void *to, const struct lesson_answer *a), void *to,
                    struct base_message *m) {
    (void)self, (void)item, (void)each, (void)to, (void)m;
    return true;
}

/* ── a step that asks it ───────────────────────────────────────────────────────────────────────*/
/* The members that only a variant of this form has, the most telling first. */
static const struct {
    const char *member, *form;
} forms[] = {{"problem", "number"}, {"choices", "choice"}, {"bins", "sort"}, {"items", "order"}};

static const char *form_of(const json_t *variant) {
    for (size_t i = 0; i < BASE_COUNT(forms); i++)
        if (json_object_get(variant, forms[i].member)) return forms[i].form;
    return NULL;
}

static bool is_myth(const json_t *step) {
    return strcmp(base_json_text(step, "kind", ""), "myth") == 0 &&
           json_is_boolean(json_object_get(step, "truth")) && base_json_text(step, "claim", NULL) &&
           base_json_text(step, "because", NULL);
}

/* The caller's; NULL if no step asks such a thing. */
static struct lesson *alone(const struct lesson_answer *a) {
    const char *form = form_of(a->problem);
    bool myth = is_myth(a->problem);
    if (!form && !myth) return NULL;
    json_t *step =
        myth ? json_pack("{ss}", "kind", "myth")
             : json_pack("{ss ss s{si}}", "kind", "problem", "form", form, "vary", "fn", 1);
    if (myth)
        for (size_t i = 0; i < 3; i++) {
            static const char *const names[] = {"truth", "claim", "because"};
            json_object_set(step, names[i], json_object_get(a->problem, names[i]));
        }
    json_object_set_new(step, "id", json_string("again"));
    struct lesson *l = lesson_mix_new(LESSON_CHECK, "again", "", 1);
    l->round = 1; /* an odd try, which is drawn once */
    lesson_mix_add(l, myth ? LESSON_MYTH : LESSON_PROBLEM, step, base_dup(a->item));
    return l;
}

/* Things to put in order were shuffled by the answer's own seed. */
static void set_seed(struct lesson_dialogue *d, uint64_t seed) {
    d->state.attempt.seed = seed;
    if (d->state.form && d->state.form->ready) d->state.form->ready(d, NULL);
}

static bool ask_alone(const struct lesson_answer *a, struct lesson_again *out) {
    struct caught c = {.out = out};
    struct lesson_source source = {.self = (void *)a->problem, .call = give};
    struct lesson_journal journal = {&c, take, place_get, place_set, answers, NULL};
    struct lesson *l = alone(a);
    struct lesson_dialogue *d = l ? lesson_dialogue_open(l, source, journal, 0, NULL) : NULL;
    if (d && d->ask && d->ask->form != LESSON_NEXT) {
        set_seed(d, a->seed);
        lesson_do(d, &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = a->typed});
    }
    if (d) lesson_dialogue_free(d);
    if (l) lesson_free(l);
    return c.any;
}

/* ── a line of a worksheet ─────────────────────────────────────────────────────────────────────*/
static size_t find_line(const struct account_solution *s, const char *id) {
    size_t i = 0;
    while (i < s->lines && strcmp(s->line[i].id, id) != 0) i++;
    return i;
}

static bool judge_line(const struct lesson_answer *a, const struct lesson_answer *line,
                       size_t lines, struct lesson_again *out) {
    struct account_problem p;
    struct account_solution s;
    struct account_judgement j;
    double given[ACCOUNT_LINES];
    if (!lesson_problem_read(json_object_get(a->problem, "problem"), &p, NULL) ||
        !account_solve(&p, &s, NULL))
        return false;
    size_t at = find_line(&s, a->line);
    if (at == s.lines) return false;
    for (size_t i = 0; i < ACCOUNT_LINES; i++) given[i] = NAN;
    for (size_t i = 0; i < lines; i++)
        if (find_line(&s, line[i].line) < s.lines)
            given[find_line(&s, line[i].line)] = line[i].value;
    account_judge_line(&p, &s, at, given, a->typed, &j);
    snprintf(out->verdict, sizeof out->verdict, "%s", account_verdict_name(j.verdict));
    lesson_feedback_ids(&j, out->mistake, sizeof out->mistake);
    out->value = j.value;
    return true;
}

bool lesson_judge_again(const struct lesson_answer *a, const struct lesson_answer *line,
                        size_t lines, struct lesson_again *out) {
    *out = (struct lesson_again){0};
    if (!json_is_object(a->problem)) return false;
    return *a->line ? judge_line(a, line, lines, out) : ask_alone(a, out);
}

/* ── the same question ─────────────────────────────────────────────────────────────────────────*/
/* Authors may reword the lists, as long as the right options keep their places. */
static bool same_list(const json_t *a, const json_t *b, const char *list, const char *truth) {
    const json_t *x = json_object_get(a, list), *y = json_object_get(b, list), *member;
    size_t i;
    bool same = json_array_size(x) == json_array_size(y);
    json_array_foreach(x, i, member) {
        const json_t *one = json_object_get(member, truth),
                     *other = json_object_get(json_array_get(y, i), truth);
        same = same && (json_is_true(one) == json_is_true(other)) &&
               json_integer_value(one) == json_integer_value(other);
    }
    return same;
}

bool lesson_same_question(const json_t *a, const json_t *b) {
    const json_t *x = json_object_get(a, "problem"), *y = json_object_get(b, "problem");
    bool alike = x && y ? json_equal(x, y) : x == y;
    return alike && same_list(a, b, "choices", "right") && same_list(a, b, "items", "bin") &&
           same_list(a, b, "bins", "");
}
