/* record.c: answers into the journal before anything is said of them, and what it remembers of a
 * step. */
#include "lesson/handler.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* an answer that would be given twice */
struct rival {
    const char *line;
    int try;
    bool there;
};

static void meet(void *to, const struct lesson_answer *a) {
    struct rival *r = to;
    bool counts = strcmp(a->verdict, VERDICT_UNREADABLE) != 0;
    bool same = a->try == r->try && strcmp(a->line, r->line) == 0;
    r->there = r->there || (counts && same);
}

/* Asked only once the journal has refused: whether this try has its answer already. Here none is
 * kept twice, so another program on the same record gave it. */
static bool answered_elsewhere(struct lesson_dialogue *d, const struct lesson_answer *a) {
    struct rival r = {.line = a->line, .try = a->try};
    d->journal.answers(d->journal.self, a->item, meet, &r, NULL);
    return r.there;
}

bool lesson_gone_through(const struct lesson_dialogue *d) {
    size_t at = lesson_find(d->lesson, d->place), after = at + 1;
    while (after < d->lesson->count &&
           (d->lesson->step[after].kind == LESSON_CARDS || !lesson_step_passed(d->lesson, after)))
        after++;
    return d->finished && at < d->lesson->count && after == d->lesson->count;
}

/* An answer is where the learner is, also on a visit, and also in a lesson that was only just
 * opened. On a visit to a finished lesson it moves nothing. */
static bool kept(struct lesson_dialogue *d, double seconds) {
    if (d->outcome != NULL) d->outcome[d->at].seconds += seconds;
    if (d->visiting && lesson_gone_through(d)) return true;
    d->visiting = false;
    if (strcmp(d->place, d->lesson->step[d->at].id) != 0) lesson_record_place(d);
    return true;
}

/* The journal takes nothing more for a try that has its answer. If it refuses, another program may
 * have answered, and only then is the history read. */
bool lesson_record_answer(struct lesson_dialogue *d, struct record r) {
    const struct attempt *t = &d->state.attempt;
    struct base_message m = {0};
    if (d->state.recalled) return true; /* it is kept already */
    struct lesson_answer a = {
        .item = d->lesson->step[d->at].item,
        .line = r.line != NULL ? r.line : "",
        .try = t->number,
        .seed = t->seed,
        .problem = t->variant != NULL ? t->variant : lesson_step_json(d),
        .lesson_revision = lesson_revision(d->lesson, d->at),
        .typed = r.typed != NULL ? r.typed : "",
        .value = r.value,
        .verdict = r.verdict,
        .mistake = r.mistake != NULL ? r.mistake : "",
        .hints = t->hints,
        .seconds = (double)(base_ticks() - d->asked_at) / 1000.0,
    };
    assert(a.try > 0); /* tries are counted from 1, and the journal by their numbers */
    d->overtaken = false;
    if (d->journal.answer(d->journal.self, &a, &m)) return kept(d, a.seconds);
    d->overtaken = answered_elsewhere(d, &a);
    if (d->overtaken) return false;
    lesson_show_trouble(d, "This could not be saved, so it does not count yet. Try it again. ", &m);
    return false;
}

void lesson_record_place(struct lesson_dialogue *d) {
    struct lesson_place p = {.finished = d->finished};
    struct base_message m = {0};
    snprintf(p.step, sizeof p.step, "%s", d->lesson->step[d->at].id);
    d->visiting = false;
    if (lesson_is_alone(d) || d->journal.place_set(d->journal.self, d->lesson->id, &p, &m))
        memcpy(d->place, p.step, sizeof d->place);
    else
        lesson_show_trouble(d, "Your place could not be saved. ", &m);
}

static void copy(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
}

static struct past_line *line_of(struct past *p, const char *id) {
    for (size_t i = 0; i < p->lines; i++)
        if (strcmp(p->line[i].id, id) == 0) return &p->line[i];
    if (p->lines == ACCOUNT_LINES) return NULL;
    copy(p->line[p->lines].id, sizeof p->line[0].id, id);
    return &p->line[p->lines++];
}

static void newer_try(struct past *p, const struct lesson_answer *a) {
    lesson_past_free(p);
    *p = (struct past){.try = a->try, .seed = a->seed, .value = NAN, .passed = p->passed};
    p->problem = json_incref((json_t *)a->problem);
}

/* Answers come oldest first; of the latest try the latest word counts. */
static void remember(void *to, const struct lesson_answer *a) {
    struct past *p = to;
    if (a->try > p->try) newer_try(p, a);
    if (a->try < p->try) return;
    if (a->hints > p->hints) p->hints = a->hints;
    if (strcmp(a->verdict, VERDICT_UNREADABLE) == 0) return;
    if (strcmp(a->line, LESSON_FRESH_LINE) == 0) {
        p->fresh = true;
        return;
    }
    bool passed = strcmp(a->line, LESSON_PASSED_LINE) == 0;
    p->passed += passed;
    if (*a->line != '\0' && !passed) {
        struct past_line *line = line_of(p, a->line);
        if (line == NULL) return;
        copy(line->verdict, sizeof line->verdict, a->verdict);
        copy(line->mistake, sizeof line->mistake, a->mistake);
        copy(line->typed, sizeof line->typed, a->typed);
        line->value = a->value;
        return;
    }
    copy(p->verdict, sizeof p->verdict, a->verdict);
    copy(p->typed, sizeof p->typed, a->typed);
    p->value = a->value;
}

struct past lesson_record_past(struct lesson_dialogue *d) {
    struct past p = {.value = NAN};
    struct base_message m = {0};
    const char *item = d->lesson->step[d->at].item;
    if (!d->journal.answers(d->journal.self, item, remember, &p, &m))
        lesson_show_trouble(d, "Your earlier answers could not be read, so this starts again. ",
                            &m);
    return p;
}

void lesson_past_free(struct past *p) {
    json_decref(p->problem);
    p->problem = NULL;
}
