/* events.c: what a step says and what it asks: the queue of events, the question that is being
 * made, and the memory in which the texts of both live. */
#include "lesson/handler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/
struct kept {
    struct kept *next;
    void *memory;
    json_t *json;
};

static void add(struct keep *k, void *memory, json_t *json) {
    struct kept *one = base_alloc(sizeof *one);
    *one = (struct kept){k->first, memory, json};
    k->first = one;
}

void *lesson_keep_alloc(struct keep *k, size_t size) {
    void *memory = base_alloc(size);
    add(k, memory, NULL);
    return memory;
}

char *lesson_keep_owned(struct keep *k, char *owned) {
    if (owned != NULL) add(k, owned, NULL);
    return owned;
}

char *lesson_keep_text(struct keep *k, const char *s) {
    return s != NULL ? lesson_keep_owned(k, base_dup(s)) : NULL;
}

json_t *lesson_keep_json(struct keep *k, json_t *owned) {
    if (owned != NULL) add(k, NULL, owned);
    return owned;
}

static void keep_move(struct keep *to, struct keep *from) {
    struct kept **end = &from->first;
    while (*end != NULL) end = &(*end)->next;
    *end = to->first;
    to->first = from->first;
    from->first = NULL;
}

void lesson_keep_free(struct keep *k) {
    while (k->first != NULL) {
        struct kept *one = k->first;
        k->first = one->next;
        free(one->memory);
        json_decref(one->json);
        free(one);
    }
}

/* ── the step ──────────────────────────────────────────────────────────────────────────────────*/
const json_t *lesson_step_json(const struct lesson_dialogue *d) {
    return d->lesson->step[d->at].json;
}

const char *lesson_step_text(const struct lesson_dialogue *d, const char *name) {
    return base_json_text(lesson_step_json(d), name, NULL);
}

bool lesson_is_alone(const struct lesson_dialogue *d) {
    enum lesson_kind k = d->lesson->kind;
    return lesson_in_queue(d) || k == LESSON_CASE || k == LESSON_SINGLE;
}

bool lesson_in_queue(const struct lesson_dialogue *d) {
    return d->lesson->kind == LESSON_QUEUE || d->lesson->kind == LESSON_DRILL;
}

void lesson_drilled(struct lesson_dialogue *d, size_t got, size_t of, char *missed) {
    if (d->outcome == NULL) {
        free(missed);
        return;
    }
    struct outcome *o = &d->outcome[d->at];
    free(o->missed);
    *o = (struct outcome){true, got, of, o->seconds, missed};
}

/* ── the queue ─────────────────────────────────────────────────────────────────────────────────*/
const char *lesson_stop_after(const char *words) {
    size_t n = strlen(words);
    n -= n > 1 && words[n - 1] == '"'; /* a quoted sentence has its own */
    return n == 0 || strchr(".?!", words[n - 1]) != NULL ? "" : ".";
}

char *lesson_literally(const char *words) {
    struct base_text t = {0};
    for (; *words != '\0'; words++)
        base_text_printf(&t, "%s%c", strchr("\\`*_[]<>&~|#+-", *words) != NULL ? "\\" : "", *words);
    return t.s != NULL ? base_text_take(&t) : base_dup("");
}

const char *lesson_show_literally(struct lesson_dialogue *d, const char *words) {
    return lesson_keep_owned(&d->events, lesson_literally(words));
}

/* A span of code begins and ends with more backticks in a row than are in it. */
const char *lesson_show_typed(struct lesson_dialogue *d, const char *line) {
    size_t longest = 0, n;
    for (const char *at = line; *at != '\0'; at += n > 0 ? n : 1) {
        n = strspn(at, "`");
        longest = n > longest ? n : longest;
    }
    struct base_text t = {0};
    for (size_t i = 0; i <= longest; i++) base_text_puts(&t, "`");
    const char *gap = longest > 0 ? " " : "";
    char *span = *line != '\0' ? base_format("%s%s%s%s%s", t.s, gap, line, gap, t.s) : base_dup("");
    base_text_free(&t);
    return lesson_keep_owned(&d->events, span);
}

struct lesson_event *lesson_show_event(struct lesson_dialogue *d, enum lesson_event_kind kind) {
    if (d->queued == d->capacity) {
        d->capacity = d->capacity > 0 ? 2 * d->capacity : 16;
        d->queue = base_grow(d->queue, d->capacity, sizeof *d->queue);
    }
    assert(!d->over); /* nothing follows the end */
    struct lesson_event *e = &d->queue[d->queued++];
    const struct lesson_step *s = &d->lesson->step[d->at];
    *e = (struct lesson_event){.kind = kind, .step_kind = s->kind};
    e->item = lesson_keep_text(&d->events, s->item);
    e->step = lesson_keep_text(&d->events, s->id);
    e->title = lesson_keep_text(&d->events, base_json_text(s->json, "title", ""));
    return e;
}

struct lesson_event *lesson_show_owned(struct lesson_dialogue *d, enum lesson_tone tone,
                                       char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
    e->tone = tone;
    e->text = lesson_keep_owned(&d->events, text);
    return e;
}

void lesson_show(struct lesson_dialogue *d, enum lesson_tone tone, const char *text) {
    if (text != NULL) lesson_show_owned(d, tone, base_dup(text));
}

/* The figure is kept alive by a reference of its own, so that a reload does not pull it away. */
void lesson_show_figure(struct lesson_dialogue *d, enum lesson_tone tone, const char *text,
                        const json_t *figure) {
    if (text == NULL && figure == NULL) return;
    struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
    e->tone = tone;
    e->text = lesson_keep_text(&d->events, text);
    e->figure = lesson_keep_json(&d->events, json_incref((json_t *)figure));
}

struct lesson_event *lesson_show_turn(struct lesson_dialogue *d) {
    return lesson_show_event(d, LESSON_TURN);
}

void lesson_show_picked(struct lesson_dialogue *d, struct lesson_event *e, size_t said,
                        size_t truth) {
    e->options = d->ask->options;
    e->option = d->ask->option;
    e->said = said;
    e->truth = truth;
}

void lesson_show_trouble(struct lesson_dialogue *d, const char *before,
                         const struct base_message *m) {
    char where[700];
    struct lesson_event *e = lesson_show_event(d, LESSON_TROUBLE);
    e->tone = LESSON_BAD;
    e->text = lesson_keep_owned(
        &d->events, base_format("%s%s", before, base_message_text(m, where, sizeof where)));
}

void lesson_show_hint(struct lesson_dialogue *d, int level, char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_HINT);
    e->tone = LESSON_HINT_TONE;
    e->level = level;
    e->text = lesson_keep_owned(&d->events, text);
}

struct lesson_event *lesson_show_verdict(struct lesson_dialogue *d, const char *verdict,
                                         char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_VERDICT);
    e->verdict = lesson_keep_text(&d->events, verdict);
    e->right = lesson_verdict_right(verdict);
    e->tone = e->right ? LESSON_GOOD : lesson_verdict_graded(verdict) ? LESSON_BAD : LESSON_QUIET;
    e->text = lesson_keep_owned(&d->events, text);
    return e;
}

struct lesson_event *lesson_show_end(struct lesson_dialogue *d, char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_END);
    e->text = lesson_keep_owned(&d->events, text);
    keep_move(&d->events, &d->asking);
    if (d->ask) e->leads = d->ask->leads;
    if (d->ask) e->lead = d->ask->lead;
    d->ask = NULL;
    d->over = true;
    return e;
}

/* ── the question ──────────────────────────────────────────────────────────────────────────────*/
struct lesson_ask *lesson_ask_begin(struct lesson_dialogue *d, enum lesson_form form,
                                    char *prompt) {
    keep_move(&d->events, &d->asking);
    d->ask = lesson_keep_alloc(&d->asking, sizeof *d->ask);
    d->ask->form = form;
    d->ask->prompt = lesson_keep_owned(&d->asking, prompt);
    d->ask->unit = "";
    d->ask->try = d->state.attempt.number > 0 ? d->state.attempt.number : 1;
    d->ask->counted = d->ask->try - d->state.attempt.passed;
    return d->ask;
}

const char **lesson_ask_options(struct lesson_dialogue *d, size_t count) {
    const char **option = lesson_keep_alloc(&d->asking, count * sizeof *option);
    d->ask->options = count;
    d->ask->option = option;
    return option;
}

const char **lesson_ask_bins(struct lesson_dialogue *d, size_t count) {
    const char **bin = lesson_keep_alloc(&d->asking, count * sizeof *bin);
    d->ask->bins = count;
    d->ask->bin = bin;
    return bin;
}

const char *lesson_ask_text(struct lesson_dialogue *d, const char *text) {
    return lesson_keep_text(&d->asking, text);
}

void lesson_ask_pose(struct lesson_dialogue *d) {
    assert(d->ask); /* lesson_ask_begin() made it */
    struct lesson_event *e = lesson_show_event(d, LESSON_ASK);
    e->tone = LESSON_ASKING;
    e->ask = d->ask;
    d->asked_at = base_ticks();
}

/* Leads to the lesson's step that asks the same: in a queue after an answer, in a check when the
 * learner looks the problem up again. */
static void lead_back(struct lesson_dialogue *d) {
    bool leads = lesson_in_queue(d) || (d->state.recalled && d->visiting);
    const json_t *of = leads ? lesson_origin(d->lesson, d->at) : NULL;
    const char *id = base_json_text(of, "id", NULL);
    if (id == NULL) return;
    bool card = d->lesson->step[d->at].kind == LESSON_CARD; /* not a step of the lesson */
    struct lesson_lead *lead = lesson_keep_alloc(&d->asking, sizeof *lead);
    *lead = (struct lesson_lead){
        lesson_ask_text(d, id),
        card ? NULL : lesson_ask_text(d, strrchr(d->lesson->step[d->at].id, '/') + 1)};
    d->ask->leads = 1;
    d->ask->lead = lead;
    lesson_show_owned(d, LESSON_QUIET,
                      base_format("Taught in **%s** %s.", id, base_json_text(of, "title", "")));
}

void lesson_ask_next(struct lesson_dialogue *d) {
    d->state.settled = true;
    lesson_ask_begin(d, LESSON_NEXT, base_dup(""));
    lead_back(d);
    lesson_ask_pose(d);
}

/* Elements of a flat buffer are counted like parameters, and are not called so. */
static bool in_elements(const struct lesson_dialogue *d, enum account_unit unit) {
    return unit == ACCOUNT_UNIT_PARAMS && d->state.attempt.problem.kind == ACCOUNT_ASK_SHARD;
}

/* Which element is no count of them. */
static bool is_place(const struct lesson_dialogue *d) {
    return d->state.attempt.problem.piece == ACCOUNT_PIECE_FIRST;
}

const char *lesson_ask_unit(const struct lesson_dialogue *d, enum account_unit unit) {
    return in_elements(d, unit) ? "elements" : account_unit_name(unit);
}

char *lesson_ask_prompt(const struct lesson_dialogue *d, const char *what, enum account_unit unit) {
    if (in_elements(d, unit))
        return base_format("%s, %s", what,
                           is_place(d) ? "an element's number" : "a number of elements");
    switch (unit) {
    case ACCOUNT_UNIT_NONE: return base_dup(what);
    case ACCOUNT_UNIT_PARAMS: return base_format("%s, a number of parameters such as 13B", what);
    case ACCOUNT_UNIT_BILLION: return base_format("%s, in billions of parameters", what);
    case ACCOUNT_UNIT_GPUS: return base_format("%s, a number of GPUs", what);
    case ACCOUNT_UNIT_B_PER_PARAM: return base_format("%s, in bytes per parameter", what);
    default: return base_format("%s, in %s", what, account_unit_name(unit));
    }
}
