/* explore.c: sliders over a training, and a figure that follows them. */
#include "lesson/handler.h"
#include "voice/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const json_t *sliders(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "sliders");
}

static const json_t *values(const struct lesson_dialogue *d, size_t i) {
    return json_object_get(json_array_get(sliders(d), i), "values");
}

static const char *field(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(json_array_get(sliders(d), i), "field", "");
}

/* What people call it. */
static const char *slider_name(const struct lesson_dialogue *d, size_t i) {
    return base_json_text(json_array_get(sliders(d), i), "label", field(d, i));
}

/* What the learner's own training has in this field: its "value" and its "name"; NULL if nothing.
 */
static const json_t *own(const struct lesson_dialogue *d, size_t i) {
    return json_object_get(d->source.own, field(d, i));
}

/* Where that stands among the listed values; behind them if it is none of these. */
static size_t own_place(const struct lesson_dialogue *d, size_t i) {
    const char *value = base_json_text(own(d, i), "value", "");
    size_t k = 0;
    while (k < json_array_size(values(d, i)) &&
           strcasecmp(base_json_text(json_array_get(values(d, i), k), "value", ""), value) != 0)
        k++;
    return k;
}

/* The values that the slider takes: those listed, and the learner's own behind them. */
static size_t value_count(const struct lesson_dialogue *d, size_t i) {
    size_t listed = json_array_size(values(d, i));
    return listed + (own(d, i) && own_place(d, i) == listed);
}

static const json_t *value_at(const struct lesson_dialogue *d, size_t i, size_t k) {
    return k < json_array_size(values(d, i)) ? json_array_get(values(d, i), k) : own(d, i);
}

static const char *value_text(const struct lesson_dialogue *d, size_t i, size_t k) {
    return base_json_text(value_at(d, i, k), "value", "");
}

static const char *value_name(const struct lesson_dialogue *d, size_t i, size_t k) {
    return base_json_text(value_at(d, i, k), "name", value_text(d, i, k));
}

static bool has_own(const struct lesson_dialogue *d) {
    for (size_t i = 0; i < json_array_size(sliders(d)); i++)
        if (own(d, i)) return true;
    return false;
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
/* Later fields win over earlier ones, so what is set goes last. */
static void set_last(json_t *training, const char *name, json_t *value) {
    json_object_del(training, name);
    json_object_set_new(training, name, value);
}

static json_t *training_at(const struct lesson_dialogue *d, const size_t *position) {
    json_t *t = json_deep_copy(json_object_get(lesson_step_json(d), "training"));
    for (size_t i = 0; i < json_array_size(sliders(d)); i++)
        set_last(t, field(d, i), json_string(value_text(d, i, position[i])));
    return t;
}

static json_t *training_now(const struct lesson_dialogue *d) {
    return training_at(d, d->state.position);
}

/* Where a slider stands at first. */
static size_t start_of(const struct lesson_dialogue *d, size_t i) {
    return (size_t)base_json_int(json_array_get(sliders(d), i), "start", 1) - 1;
}

static json_t *training_at_start(const struct lesson_dialogue *d) {
    size_t position[BASE_COUNT(d->state.position)] = {0};
    for (size_t i = 0; i < json_array_size(sliders(d)); i++) position[i] = start_of(d, i);
    return training_at(d, position);
}

/* All values of each slider, by its field. */
static json_t *range_of(const struct lesson_dialogue *d) {
    json_t *range = json_object();
    for (size_t i = 0; i < json_array_size(sliders(d)); i++) {
        json_t *all = json_array();
        for (size_t k = 0; k < value_count(d, i); k++)
            json_array_append_new(all, json_string(value_text(d, i, k)));
        json_object_set_new(range, field(d, i), all);
    }
    return range;
}

static bool is_explore(const json_t *v) {
    const char *text = json_string_value(v);
    return text != NULL && strcmp(text, "explore") == 0;
}

/* The training now, with the fields of the holder's "with" over it. */
static json_t *training_in(json_t *holder, const json_t *training) {
    json_t *own = json_deep_copy(training), *value;
    const char *name;
    json_object_foreach(json_object_get(holder, "with"), name, value)
        set_last(own, name, json_incref(value));
    return own;
}

/* What a figure that follows the sliders may know: the training now, the one before the last move
 * (NULL: none was made), and what its scale rests on: the one that the sliders began with, and
 * all values of the sliders that change it. */
struct moves {
    json_t *now, *before, *start, *range;
};

static void follow(json_t *holder, const struct moves *to) {
    json_t *range = json_copy(to->range), *value;
    const char *name;
    json_object_foreach(json_object_get(holder, "with"), name, value) json_object_del(range, name);
    json_object_set_new(holder, "range", range);
    json_object_set_new(holder, "still", training_in(holder, to->start));
    if (to->before) json_object_set_new(holder, "before", training_in(holder, to->before));
    json_object_set_new(holder, "training", training_in(holder, to->now));
    json_object_del(holder, "with");
}

/* Wherever the spec says "explore". */
static void substitute(json_t *v, const struct moves *to) {
    size_t i;
    const char *name;
    void *next;
    json_t *each;
    json_array_foreach(v, i, each) {
        if (is_explore(each))
            json_array_set_new(v, i, json_deep_copy(to->now));
        else
            substitute(each, to);
    }
    if (!json_is_object(v)) return;
    if (is_explore(json_object_get(v, "training"))) {
        follow(v, to);
        return;
    }
    json_object_foreach_safe(v, next, name, each) {
        if (strcmp(name, "training") != 0) substitute(each, to);
    }
}

/* The figure of a training, which it takes over, as it does `before`: the training that it was, or
 * NULL. */
static json_t *figure_of(const struct lesson_dialogue *d, json_t *now, json_t *before) {
    json_t *figure = json_deep_copy(json_object_get(lesson_step_json(d), "figure"));
    struct moves to = {now, before, training_at_start(d), range_of(d)};
    substitute(figure, &to);
    json_decref(to.range);
    json_decref(to.now);
    json_decref(to.before);
    json_decref(to.start);
    return figure;
}

/* ── asking ────────────────────────────────────────────────────────────────────────────────────*/
static char *list_values(const struct lesson_dialogue *d, size_t i) {
    struct base_text t = {0};
    for (size_t k = 0; k < json_array_size(values(d, i)); k++)
        base_text_printf(&t, "%s%s", k > 0 ? ", " : "", value_name(d, i, k));
    return base_text_take(&t);
}

static void ask_sliders(struct lesson_dialogue *d) {
    size_t n = json_array_size(sliders(d));
    char *prompt =
        base_format("Type a slider's name and its value, such as `%s=%s`.%s", slider_name(d, 0),
                    value_name(d, 0, json_array_size(values(d, 0)) - 1),
                    has_own(d) ? " Type `my job` to start from yours." : "");
    struct lesson_ask *ask = lesson_ask_begin(d, LESSON_SLIDERS, prompt);
    struct lesson_slider *s = lesson_keep_alloc(&d->asking, n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        size_t at = d->state.position[i];
        char *list = list_values(d, i);
        s[i] = (struct lesson_slider){lesson_ask_text(d, slider_name(d, i)),
                                      lesson_ask_text(d, value_name(d, i, at)), at,
                                      value_count(d, i), lesson_ask_text(d, list)};
        free(list);
    }
    ask->sliders = n;
    ask->slider = s;
    ask->own = has_own(d);
}

static void repeat(struct lesson_dialogue *d) {
    const json_t *tries = json_object_get(lesson_step_json(d), "try"), *line;
    size_t i;
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "text"));
    if (json_array_size(tries) > 0) {
        struct base_text t = {0};
        json_array_foreach(tries, i, line) base_text_printf(&t, "- %s\n", json_string_value(line));
        lesson_show_owned(d, LESSON_ASKING, base_text_take(&t));
    }
    struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
    e->figure = lesson_keep_json(&d->events, figure_of(d, training_now(d), NULL));
    ask_sliders(d);
    lesson_ask_pose(d);
}

static void enter(struct lesson_dialogue *d) {
    for (size_t i = 0; i < json_array_size(sliders(d)); i++) d->state.position[i] = start_of(d, i);
    repeat(d);
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
/* Why the training as it is now cannot be computed, or NULL. */
static char *refused(const struct lesson_dialogue *d) {
    json_t *problem = json_pack("{s:o}", "training", training_now(d));
    struct account_problem p;
    struct base_message m = {0};
    struct account_error e = {0};
    bool ok = lesson_problem_read(problem, &p, &m);
    json_decref(problem);
    if (!ok) return base_dup(m.what);
    return account_check(&p.training, &e) ? NULL : base_dup(e.what);
}

/* Positions that the engine cannot compute together are not taken: then all stay at those of
 * `was`. Takes over `before`, the training that it was. */
static void take(struct lesson_dialogue *d, const size_t *was, json_t *before) {
    char *why = refused(d);
    if (why != NULL) {
        memcpy(d->state.position, was, sizeof d->state.position);
        lesson_show_owned(d, LESSON_QUIET, base_format("Not possible together: %s.", why));
        free(why);
        json_decref(before);
        return;
    }
    ask_sliders(d);
    struct lesson_event *e = lesson_show_event(d, LESSON_LEDGER);
    e->figure_was = lesson_keep_json(&d->events, figure_of(d, json_incref(before), NULL));
    e->figure = lesson_keep_json(&d->events, figure_of(d, training_now(d), before));
    e->ask = d->ask;
}

static void set(struct lesson_dialogue *d, size_t i, size_t to) {
    size_t was[BASE_COUNT(d->state.position)];
    json_t *before = training_now(d);
    memcpy(was, d->state.position, sizeof was);
    d->state.position[i] = to;
    take(d, was, before);
}

/* All sliders that the learner's job says something of. */
static void set_own(struct lesson_dialogue *d) {
    size_t was[BASE_COUNT(d->state.position)];
    json_t *before = training_now(d);
    memcpy(was, d->state.position, sizeof was);
    for (size_t i = 0; i < json_array_size(sliders(d)); i++)
        if (own(d, i)) d->state.position[i] = own_place(d, i);
    take(d, was, before);
}

static void move(struct lesson_dialogue *d, size_t index, int by) {
    if (index >= json_array_size(sliders(d))) {
        lesson_show(d, LESSON_QUIET, "No such slider.");
        return;
    }
    long last = (long)value_count(d, index) - 1;
    long to = (long)d->state.position[index] + by;
    to = to < 0 ? 0 : to > last ? last : to;
    if ((size_t)to != d->state.position[index]) set(d, index, (size_t)to);
}

/* ── typing ────────────────────────────────────────────────────────────────────────────────────*/
/* A name as it is heard: signs in words, a hyphen as a blank. The caller's. */
static char *heard(const char *name) {
    char *words = voice_words(name);
    for (char *c = words; *c != '\0'; c++)
        if (*c == '-') *c = ' ';
    return words;
}

/* Whether one who types what was heard of `name` may have typed `text`; with `begins`, its first
 * words. */
static bool is_called(const char *text, const char *name, bool begins) {
    char *typed = heard(text), *said = heard(name);
    size_t n = strlen(typed);
    bool same = n > 0 && strncasecmp(typed, said, n) == 0 &&
                (said[n] == '\0' || (begins && said[n] == ' '));
    free(said);
    free(typed);
    return same;
}

static bool find_slider(const struct lesson_dialogue *d, const char *name, size_t *out) {
    for (*out = 0; *out < json_array_size(sliders(d)); ++*out)
        if (is_called(name, field(d, *out), false) || is_called(name, slider_name(d, *out), false))
            return true;
    return false;
}

/* Whether `word` is one of the words of `name`: "SGD" of "SGD with momentum". */
static bool has_word(const char *name, const char *word) {
    size_t n = strlen(word);
    for (const char *at = name; n > 0 && (at = strcasestr(at, word)); at += n)
        if ((at == name || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return true;
    return false;
}

/* A whole name, the beginning of only one, or a word that only one has: "bf16" is "bf16 with fp32
 * master" rather than "pure bf16". Then what a lesson writes for the value, unless it is a word of
 * several names. */
static bool find_named(const struct lesson_dialogue *d, size_t i, const char *text, size_t *out) {
    size_t count = json_array_size(values(d, i)), found = 0;
    for (*out = 0; *out < count; ++*out)
        if (is_called(text, value_name(d, i, *out), false)) return true;
    for (size_t k = 0; k < count; k++)
        if (is_called(text, value_name(d, i, k), true) && ++found) *out = k;
    if (found == 1) return true;
    found = 0;
    for (size_t k = 0; k < count; k++)
        if (has_word(value_name(d, i, k), text) && ++found) *out = k;
    if (found > 0) return found == 1;
    for (*out = 0; *out < count; ++*out)
        if (strcasecmp(text, value_text(d, i, *out)) == 0) return true;
    return false;
}

/* "70" picks the one value called "70B": what a bare number names before it counts anything. */
static bool find_bare(const struct lesson_dialogue *d, size_t i, const char *text, size_t *out) {
    size_t n = strlen(text), found = 0;
    if (n == 0 || strspn(text, "0123456789.") != n) return false;
    for (size_t k = 0; k < json_array_size(values(d, i)); k++) {
        const char *name = value_name(d, i, k);
        if (strncmp(name, text, n) != 0 || strspn(name + n, "0123456789.") > 0) continue;
        *out = k;
        found++;
    }
    return found == 1;
}

/* Counts compare by their ratio, so that 3 lies nearer to 4 than to 1; a zero (stage 0) is still
 * near to 1. */
static double distance(uint64_t a, uint64_t b) {
    return fabs(log((double)a + 0.5) - log((double)b + 0.5));
}

static bool find_nearest(const struct lesson_dialogue *d, size_t i, const char *text, size_t *out) {
    struct account_error e;
    uint64_t wanted, listed;
    double best = INFINITY;
    if (!account_read_count(text, &wanted, &e)) return false;
    for (size_t k = 0; k < json_array_size(values(d, i)); k++) {
        if (!account_read_count(value_text(d, i, k), &listed, &e)) continue;
        if (distance(wanted, listed) >= best) continue;
        best = distance(wanted, listed);
        *out = k;
    }
    return best < INFINITY;
}

static void refuse_value(struct lesson_dialogue *d, size_t i, const char *text) {
    char *list = list_values(d, i), *words;
    if (*text)
        words = base_format("No single value of %s is called '%s'. It can be %s.",
                            slider_name(d, i), lesson_show_typed(d, text), list);
    else
        words = base_format("Type a value of %s. It can be %s.", slider_name(d, i), list);
    lesson_show_verdict(d, VERDICT_UNREADABLE, words);
    free(list);
}

static void refuse_slider(struct lesson_dialogue *d, const char *name) {
    struct base_text t = {0};
    for (size_t i = 0; i < json_array_size(sliders(d)); i++)
        base_text_printf(&t, "%s%s", i > 0 ? ", " : "", slider_name(d, i));
    char *list = base_text_take(&t);
    lesson_show_verdict(d, VERDICT_UNREADABLE,
                        base_format("No slider '%s'. The sliders are: %s. Type `%s=` and a value.",
                                    lesson_show_typed(d, name), list, slider_name(d, 0)));
    free(list);
}

static char *trimmed(struct lesson_dialogue *d, const char *s, size_t n) {
    while (n > 0 && strchr(" \t\n", *s) != NULL) s++, n--;
    while (n > 0 && strchr(" \t\n", s[n - 1]) != NULL) n--;
    return lesson_keep_owned(&d->events, base_format("%.*s", (int)n, s));
}

/* "gpus=16", "ZeRO stage = 3", "micro batches 4": what is before the sign names the slider, or
 * without one, what is before the first blank that follows a slider's name, or else the first of
 * all. Returns the name's length. */
static size_t name_length(struct lesson_dialogue *d, const char *text) {
    size_t n = strcspn(text, "="), i;
    if (text[n] != '\0') return n;
    for (n = strcspn(text, " \t"); text[n] != '\0'; n += 1 + strcspn(text + n + 1, " \t"))
        if (find_slider(d, trimmed(d, text, n), &i)) return n;
    return strcspn(text, " \t");
}

static void answer(struct lesson_dialogue *d, const char *text) {
    text += strspn(text, " \t\n");
    if (strcasecmp(text, LESSON_MY_JOB) == 0 && has_own(d)) {
        set_own(d);
        return;
    }
    size_t i, to, n = name_length(d, text);
    const char *name = trimmed(d, text, n);
    const char *value =
        trimmed(d, text + n + (text[n] == '='), strlen(text + n + (text[n] == '=')));
    if (!find_slider(d, name, &i)) {
        refuse_slider(d, name);
        return;
    }
    if (strchr(value, '=') != NULL) {
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            base_format("Move one slider at a time, such as `%s=%s`.",
                                        slider_name(d, i),
                                        value_name(d, i, json_array_size(values(d, i)) - 1)));
        return;
    }
    bool named = find_named(d, i, value, &to) || find_bare(d, i, value, &to);
    if (!named && !find_nearest(d, i, value, &to)) {
        refuse_value(d, i, value);
        return;
    }
    if (!named)
        lesson_show_owned(d, LESSON_QUIET,
                          base_format("%s is not listed; the nearest is %s.",
                                      lesson_show_typed(d, value), value_name(d, i, to)));
    set(d, i, to);
}

const struct step_ops lesson_step_explore = {
    .enter = enter, .repeat = repeat, .answer = answer, .move = move};
