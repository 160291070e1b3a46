/* problem.c: a problem is read from its JSON, field by field (account knows the fields), and drawn
 * with fresh numbers. A step's function is called with seeds derived from the try's until what it
 * gives is legal: well formed, solvable, and with every mistake that the step is about told apart
 * from the truth and from the others. */
#include "lesson/parsed.h"

#include <string.h>

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool set_problem(void *self, const char *name, const char *text, struct base_message *m) {
    struct account_error e = {0};
    if (strcmp(name, "v") == 0) {
        if (strcmp(text, "1") == 0) return true;
        return base_fail(m, "problem: version %s is unknown; this program reads version 1", text);
    }
    if (account_problem_set(self, name, text, &e)) return true;
    return base_fail(m, "problem: %s: %s", name, e.what);
}

static bool set_training(void *self, const char *name, const char *text, struct base_message *m) {
    struct account_error e = {0};
    if (account_set(self, name, text, &e)) return true;
    return base_fail(m, "training: %s: %s", name, e.what);
}

/* The model goes first, since it also sets the number of parameters, which the training may then
 * override. */
static bool read_training(const json_t *training, struct account_training *out,
                          struct base_message *m) {
    const char *model = base_json_text(training, "model", NULL);
    if (model != NULL && !set_training(out, "model", model, m)) return false;
    json_t *rest = json_copy((json_t *)training);
    json_object_del(rest, "model");
    bool ok = base_json_fields(rest, set_training, out, m);
    json_decref(rest);
    return ok;
}

bool lesson_problem_read(const json_t *json, struct account_problem *out, struct base_message *m) {
    if (!json_is_object(json)) return base_fail(m, "a problem must be an object");
    *out = account_problem_default();
    const json_t *training = json_object_get(json, "training");
    if (training != NULL && !json_is_object(training))
        return base_fail(m, "problem: training must be an object");
    json_t *flat = json_copy((json_t *)json);
    json_object_del(flat, "training");
    bool ok = (training == NULL || read_training(training, &out->training, m)) &&
              base_json_fields(flat, set_problem, out, m);
    json_decref(flat);
    return ok;
}

/* ── plays ─────────────────────────────────────────────────────────────────────────────────────*/
static bool set_options(const json_t *options, struct account_playing *at, struct base_message *m) {
    const char *option;
    json_t *value;
    struct account_error e;
    json_object_foreach((json_t *)options, option, value) {
        double number = json_number_value(value);
        if (!account_play_set(at, option, number > 0 && number < 1e9 ? (uint32_t)number : 0, &e))
            return base_fail(m, "%s", e.what);
    }
    return true;
}

bool lesson_playing_read(const json_t *step, struct account_playing *out, struct base_message *m) {
    const char *name = base_json_text(step, "play", "");
    const json_t *training = json_object_get(step, "training");
    struct account_error e;
    if (account_play_find(name) == NULL) return base_fail(m, "unknown play '%.40s'", name);
    *out = account_play_begin(account_play_find(name));
    out->bytes = base_json_number(step, "bytes", 0);
    if (training != NULL) out->training = account_training_default();
    if (training != NULL && !read_training(training, &out->training, m)) return false;
    if (!set_options(json_object_get(step, "options"), out, m)) return false;
    return out->play->check == NULL || out->play->check(out, &e) || base_fail(m, "%s", e.what);
}

/* ── whether a variant is legal ────────────────────────────────────────────────────────────────*/
static bool check_ask(const struct lesson *l, size_t i, const json_t *variant,
                      struct base_message *m) {
    if (!json_is_object(variant))
        return lesson_blame(l, i, m, "vary must return a table with 'ask' and the question");
    if (base_json_text(variant, "ask", NULL) != NULL) return true;
    return lesson_blame(l, i, m, "vary must return an 'ask', the question as text");
}

/* On a worksheet it is enough that each mistake shows on one of the blank lines. */
static bool check_sheet(const struct lesson *l, size_t i, const struct account_problem *p,
                        const struct account_solution *s, struct base_message *m) {
    const char *about[ABOUT_MOST];
    size_t n = lesson_about(l, i, about, ABOUT_MOST);
    struct account_match match;
    for (size_t k = 0; k < n; k++) {
        bool shows = false;
        for (size_t line = 0; line < s->lines; line++)
            shows = shows || (lesson_sheet_is_blank(l->step[i].json, s, line) &&
                              account_line_mistake(p, s, line, about[k], &match));
        if (!shows)
            return lesson_blame(l, i, m, "the mistake '%s' shows on no blank line", about[k]);
    }
    return true;
}

static bool check_apart(const struct lesson *l, size_t i, const struct account_problem *p,
                        struct base_message *m) {
    const char *about[ABOUT_MOST];
    struct account_separation apart;
    account_separate(p, about, lesson_about(l, i, about, ABOUT_MOST), &apart);
    if (apart.legal) return true;
    return lesson_blame(l, i, m, "the mistake '%s' cannot be told apart with these numbers",
                        apart.missing);
}

static bool check_solvable(const struct lesson *l, size_t i, const json_t *variant, bool *again,
                           struct base_message *m) {
    const json_t *json = json_object_get(variant, "problem");
    struct account_problem p;
    struct account_solution s;
    struct account_error e = {0};
    struct base_message why = {0};
    if (json == NULL) return lesson_blame(l, i, m, "vary must return a 'problem'");
    if (!lesson_problem_read(json, &p, &why)) return lesson_blame(l, i, m, "%s", why.what);
    *again = true; /* from here on other numbers may do better */
    if (!account_solve(&p, &s, &e)) return lesson_blame(l, i, m, "no solution: %s", e.what);
    if (strcmp(lesson_form(l, i), "sheet") == 0) return check_sheet(l, i, &p, &s, m);
    return check_apart(l, i, &p, m);
}

/* A list of 2 to OPTIONS_MOST members. */
static bool check_list(const struct lesson *l, size_t i, const json_t *variant, const char *name,
                       struct base_message *m) {
    size_t n = json_array_size(json_object_get(variant, name));
    if (n >= 2 && n <= OPTIONS_MOST) return true;
    return lesson_blame(l, i, m, "vary must return '%s', a list of 2 to %d", name, OPTIONS_MOST);
}

static bool check_choice(const struct lesson *l, size_t i, const json_t *variant,
                         struct base_message *m) {
    if (!check_list(l, i, variant, "choices", m)) return false;
    size_t k, right = 0;
    const json_t *c;
    json_array_foreach(json_object_get(variant, "choices"), k, c) {
        if (base_json_text(c, "text", NULL) == NULL || base_json_text(c, "because", NULL) == NULL)
            return lesson_blame(l, i, m, "choice %zu needs a 'text' and a 'because'", k + 1);
        right += base_json_bool(c, "right", false);
    }
    return right == 1 || lesson_blame(l, i, m, "exactly one choice must be right, not %zu", right);
}

static bool check_order(const struct lesson *l, size_t i, const json_t *variant,
                        struct base_message *m) {
    if (!check_list(l, i, variant, "items", m)) return false;
    size_t k;
    const json_t *item;
    json_array_foreach(json_object_get(variant, "items"), k, item) {
        if (!json_is_string(item)) return lesson_blame(l, i, m, "item %zu must be a text", k + 1);
    }
    return base_json_text(variant, "because", NULL) != NULL ||
           lesson_blame(l, i, m, "an order needs a 'because'");
}

static bool check_sort(const struct lesson *l, size_t i, const json_t *variant,
                       struct base_message *m) {
    if (!check_list(l, i, variant, "bins", m) || !check_list(l, i, variant, "items", m))
        return false;
    size_t k;
    const json_t *v;
    const json_t *bins = json_object_get(variant, "bins");
    json_array_foreach(bins, k, v) {
        if (!json_is_string(v)) return lesson_blame(l, i, m, "bin %zu must be a text", k + 1);
    }
    json_array_foreach(json_object_get(variant, "items"), k, v) {
        int64_t bin = base_json_int(v, "bin", 0);
        if (base_json_text(v, "text", NULL) == NULL || base_json_text(v, "because", NULL) == NULL)
            return lesson_blame(l, i, m, "item %zu needs a 'text' and a 'because'", k + 1);
        if (bin < 1 || bin > (int64_t)json_array_size(bins))
            return lesson_blame(l, i, m, "item %zu: 'bin' must be 1 to %zu", k + 1,
                                json_array_size(bins));
    }
    return true;
}

/* Whether a variant has what the step's form needs and can be solved. `again` says that other
 * numbers may do better. */
static bool check_variant(const struct lesson *l, size_t i, const json_t *variant, bool *again,
                          struct base_message *m) {
    static const struct {
        const char *form;
        bool (*check)(const struct lesson *, size_t, const json_t *, struct base_message *);
    } checks[] = {{"choice", check_choice}, {"order", check_order}, {"sort", check_sort}};
    *again = false;
    if (!check_ask(l, i, variant, m)) return false;
    for (size_t k = 0; k < BASE_COUNT(checks); k++)
        if (strcmp(checks[k].form, lesson_form(l, i)) == 0)
            return checks[k].check(l, i, variant, m);
    return check_solvable(l, i, variant, again, m);
}

/* A message of the source's own names file and line; else the step is blamed. */
static void blame_source(const struct lesson *l, size_t i, const struct base_message *why,
                         struct base_message *m) {
    if (why->file[0] == '\0')
        lesson_blame(l, i, m, "%s", why->what[0] != '\0' ? why->what : "vary gave nothing");
    else if (m != NULL)
        *m = *why;
}

/* Calls the step's function once with one seed, and checks what it gives. */
static json_t *draw_once(const struct lesson *l, size_t i, struct lesson_source source,
                         uint64_t seed, bool *again, struct base_message *m) {
    struct base_message why = {0};
    const json_t *vary = json_object_get(l->step[i].json, "vary");
    *again = false;
    json_t *variant = source.call(source.self, (int)base_json_int(vary, "fn", 0), seed, &why);
    if (variant == NULL) {
        blame_source(l, i, &why, m);
        return NULL;
    }
    if (check_variant(l, i, variant, again, m)) return variant;
    json_decref(variant);
    return NULL;
}

json_t *lesson_variant(const struct lesson *l, size_t step, struct lesson_source source,
                       uint64_t seed, struct base_message *m) {
    uint64_t state = seed;
    struct base_message last = {0};
    for (int k = 0; k < VARIANT_SEEDS; k++) {
        bool again = false;
        json_t *variant = draw_once(l, step, source, base_random(&state), &again, &last);
        if (variant != NULL) return variant;
        if (again) continue;
        if (m != NULL) *m = last;
        return NULL;
    }
    lesson_blame(l, step, m, "none of %d draws gave a legal variant; the last one: %.200s",
                 VARIANT_SEEDS, last.what);
    return NULL;
}

uint64_t lesson_variant_seed(uint64_t seed) {
    return base_random(&seed);
}

/* ── tries ─────────────────────────────────────────────────────────────────────────────────────*/

enum { REDRAWS = 16 };

uint64_t lesson_seed(uint64_t learner, const char *item, int try) {
    uint64_t state = base_hash(learner, item) + (uint64_t)(unsigned)try * 0x9e3779b97f4a7c15U;
    return base_random(&state);
}

bool lesson_seed_fits(uint64_t seed, uint64_t learner, const char *item, int try) {
    uint64_t state = lesson_seed(learner, item, try);
    bool fits = seed == state;
    for (int k = 0; !fits && try % 2 == 0 && k < REDRAWS; k++) fits = base_random(&state) == seed;
    return fits;
}

static bool solve(const json_t *variant, struct account_solution *out) {
    struct account_problem p;
    struct account_error e;
    return lesson_problem_read(json_object_get(variant, "problem"), &p, NULL) &&
           account_solve(&p, out, &e);
}

/* Whether they have one answer. Without a number to compare, the whole of what is asked is
 * compared. */
static bool same_answer(const json_t *a, const json_t *b) {
    struct account_solution s, t;
    if (a == NULL || b == NULL) return false;
    if (solve(a, &s) && solve(b, &t)) return s.value == t.value && s.unit == t.unit;
    return json_equal(a, b);
}

/* Draws again until it differs from both; NULL if no draw does. */
static json_t *differ(const struct lesson *l, size_t step, struct lesson_source source,
                      uint64_t *seed, const json_t *before, const json_t *after) {
    uint64_t state = *seed;
    for (int k = 0; k < REDRAWS; k++) {
        uint64_t next = base_random(&state);
        json_t *variant = lesson_variant(l, step, source, next, NULL);
        if (variant != NULL && !same_answer(variant, before) && !same_answer(variant, after)) {
            *seed = next;
            return variant;
        }
        json_decref(variant);
    }
    return NULL;
}

json_t *lesson_try(const struct lesson *l, size_t step, struct lesson_source source,
                   uint64_t learner, int try, uint64_t *seed, struct base_message *m) {
    const char *item = l->step[step].item;
    *seed = lesson_seed(learner, item, try);
    json_t *variant = lesson_variant(l, step, source, *seed, m), *other = NULL;
    /* Odd tries keep their first draw, and even ones give way to both neighbours: so no try hangs
     * on all those before it. */
    if (variant == NULL || try % 2 != 0) return variant;
    json_t *before = lesson_variant(l, step, source, lesson_seed(learner, item, try - 1), NULL);
    json_t *after = lesson_variant(l, step, source, lesson_seed(learner, item, try + 1), NULL);
    if (same_answer(variant, before) || same_answer(variant, after))
        other = differ(l, step, source, seed, before, after);
    json_decref(before);
    json_decref(after);
    if (other == NULL) return variant;
    json_decref(variant);
    return other;
}

bool lesson_repeats(const struct lesson *l, size_t step, struct lesson_source source,
                    uint64_t learner, int try) {
    uint64_t seed;
    json_t *this = lesson_try(l, step, source, learner, try, &seed, NULL);
    bool repeats = false;
    for (int k = 1; k < try && !repeats; k++) {
        json_t *earlier = lesson_try(l, step, source, learner, k, &seed, NULL);
        repeats = same_answer(this, earlier);
        json_decref(earlier);
    }
    json_decref(this);
    return repeats;
}
