/* mix.c: a review or a check as a lesson: the chosen problems of several lessons, and a page at the
 * end. */
#include "lesson/parsed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* of one lesson, at most: those of the next are numbered on from there */
    FUNCTIONS = 1 << 16
};
#define RESULT "result"

/* in lesson_mix.lesson */
struct mix_pick {
    size_t lesson, step;
};

int lesson_mix_function(int fn, size_t *lesson) {
    *lesson = (size_t)fn / FUNCTIONS;
    return fn % FUNCTIONS;
}

int lesson_mix_own(size_t nth) {
    return (int)nth * FUNCTIONS;
}

int lesson_mix_round(const char *place, bool *over) {
    char *end;
    long round = strtol(place, &end, 10);
    *over = strcmp(end, "/" RESULT) == 0;
    return *end == '/' && round > 0 && round < INT32_MAX ? (int)round : 0;
}

static char *step_id(const struct lesson_mix *mix, struct mix_pick p) {
    return base_format("%d/%s", mix->round, mix->lesson[p.lesson]->step[p.step].item);
}

static char *item_of(const struct lesson_mix *mix, struct mix_pick p) {
    const struct lesson *l = mix->lesson[p.lesson];
    if (mix->kind == LESSON_REVIEW) return base_dup(l->step[p.step].item);
    return base_format("%s/%s-%s", mix->id, l->id, l->step[p.step].id);
}

bool lesson_check_passes(size_t right, size_t asked) {
    return asked > 0 && right + (asked > 1) >= asked;
}

/* ── choosing ────────────────────────────────────────────────────────────────────────────────────
 * Which problems a review or a check asks, and in which order. A draw made of the learner's seed,
 * the item and the round decides between equals, so that one round always chooses alike. Mixed
 * rather than blocked: Rohrer, Dedrick and Stershic 2015, doi 10.1037/edu0000001. */
enum { REVIEW_LEAST = 8, SHEETS_MOST = 1 };
enum rank { MISSED, UNMET, KNOWN };    /* what a review prefers */
enum weight { NUMBER, OPTIONS, LONG }; /* what a check prefers */

struct candidate {
    struct mix_pick pick;
    const struct lesson_step *step;
    int rank;
    uint64_t draw;
    bool sheet, taken;
};
struct pool {
    struct candidate *candidate;
    size_t count, wanted;
};

/* ── who may be asked ──────────────────────────────────────────────────────────────────────────*/
static void weigh(void *to, const struct lesson_answer *a) {
    int *rank = to;
    if (*a->line == '\0' && lesson_verdict_graded(a->verdict))
        *rank = lesson_verdict_right(a->verdict) ? KNOWN : MISSED;
}

static bool asks_number(const struct lesson *l) {
    bool asks = false;
    for (size_t i = 0; i < l->count; i++)
        asks |= l->step[i].kind == LESSON_PROBLEM && strcmp(lesson_form(l, i), "number") == 0;
    return asks;
}

/* A phase is there to be able to count: a check asks for numbers first. A sheet has too many lines
 * for one, where its lesson asks for a number more briefly. */
static int weight_of(const struct lesson *l, struct mix_pick pick) {
    const char *form = lesson_form(l, pick.step);
    if (strcmp(form, "sheet") == 0) return asks_number(l) ? LONG : NUMBER;
    return strcmp(form, "number") == 0 ? NUMBER : OPTIONS;
}

static int rank_of(const struct lesson_mix *mix, struct lesson_journal journal,
                   const struct candidate *c) {
    int rank = UNMET;
    if (mix->kind == LESSON_CHECK) return weight_of(mix->lesson[c->pick.lesson], c->pick);
    journal.answers(journal.self, c->step->item, weigh, &rank, NULL);
    return rank;
}

static void add_candidate(struct pool *p, const struct lesson_mix *mix,
                          struct lesson_journal journal, struct mix_pick pick) {
    const struct lesson *l = mix->lesson[pick.lesson];
    struct candidate c = {.pick = pick, .step = &l->step[pick.step]};
    c.sheet = strcmp(lesson_form(l, pick.step), "sheet") == 0;
    c.rank = rank_of(mix, journal, &c);
    char *item = item_of(mix, pick); /* a check's own, lest it draw as the review did */
    c.draw = lesson_seed(mix->seed, item, mix->round);
    free(item);
    p->candidate = base_grow(p->candidate, p->count + 1, sizeof c);
    p->candidate[p->count++] = c;
}

static int by_rank_and_draw(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->draw < y->draw ? -1 : x->draw > y->draw;
}

static void fill_pool(struct pool *p, const struct lesson_mix *mix, struct lesson_journal journal) {
    size_t missed = 0;
    for (size_t l = 0; l < mix->lessons; l++)
        for (size_t i = 0; i < mix->lesson[l]->count; i++)
            if (mix->lesson[l]->step[i].kind == LESSON_PROBLEM)
                add_candidate(p, mix, journal, (struct mix_pick){l, i});
    if (p->count > 0) qsort(p->candidate, p->count, sizeof *p->candidate, by_rank_and_draw);
    for (size_t i = 0; i < p->count; i++) missed += p->candidate[i].rank == MISSED;
    p->wanted = missed < REVIEW_LEAST ? REVIEW_LEAST : missed > MIX_MOST ? MIX_MOST : missed;
    if (mix->kind == LESSON_CHECK) p->wanted = LESSON_CHECK_ASKS;
    if (p->wanted > p->count) p->wanted = p->count;
    assert(p->wanted <= MIX_MOST); /* choose() fills as many */
}

/* ── taking ────────────────────────────────────────────────────────────────────────────────────*/
static const char *skill(const struct candidate *c) {
    return base_json_text(c->step->json, "skill", c->step->item);
}

struct taken {
    size_t all, of_lesson, sheets;
    bool skill;
};

static struct taken count_taken(const struct pool *p, const struct candidate *like) {
    struct taken t = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *c = &p->candidate[i];
        if (!c->taken) continue;
        t.all++;
        t.of_lesson += c->pick.lesson == like->pick.lesson;
        t.sheets += c->sheet;
        t.skill |= strcmp(skill(c), skill(like)) == 0;
    }
    return t;
}

/* Takes the best, at most `most` of each lesson; `strict`: of each skill one. */
static void take(struct pool *p, size_t most, bool strict) {
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->candidate[i];
        struct taken t = count_taken(p, c);
        bool crowded = t.of_lesson >= most || (c->sheet && t.sheets >= SHEETS_MOST) || t.skill;
        if (t.all < p->wanted && !c->taken && !(strict && crowded)) c->taken = true;
    }
}

/* How many of one lesson, to begin with. A check goes through the lessons evenly; a review lets
 * what was missed weigh, up to half of it: of more than half, two would stand in a row. */
static size_t share(const struct pool *p, const struct lesson_mix *mix) {
    size_t even = (p->wanted + mix->lessons - 1) / mix->lessons, half = (p->wanted + 1) / 2;
    if (mix->kind == LESSON_CHECK) return 1;
    return even + 1 < half ? even + 1 : half;
}

static void take_all(struct pool *p, const struct lesson_mix *mix) {
    for (size_t most = share(p, mix); most <= p->wanted; most++) take(p, most, true);
    take(p, p->wanted, false);
}

/* ── the order ─────────────────────────────────────────────────────────────────────────────────*/
static size_t left_of(const struct pool *p, size_t lesson) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        n += p->candidate[i].taken && p->candidate[i].pick.lesson == lesson;
    return n;
}

/* Of the lesson that has most left, and not of the one just asked, so that none is left over in a
 * row at the end. */
static struct candidate *follower(const struct pool *p, size_t last) {
    struct candidate *best = NULL;
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->candidate[i];
        if (!c->taken || c->pick.lesson == last) continue;
        if (best == NULL || left_of(p, c->pick.lesson) > left_of(p, best->pick.lesson)) best = c;
    }
    for (size_t i = 0; best == NULL && i < p->count; i++)
        if (p->candidate[i].taken) best = &p->candidate[i];
    return best;
}

/* ── what was chosen before ────────────────────────────────────────────────────────────────────*/
static bool find_pick(const struct pool *p, const struct lesson_mix *mix, const char *id, size_t n,
                      struct mix_pick *out) {
    bool found = false;
    for (size_t i = 0; i < p->count && !found; i++) {
        char *own = step_id(mix, p->candidate[i].pick);
        found = strlen(own) == n && memcmp(own, id, n) == 0;
        if (found) *out = p->candidate[i].pick;
        free(own);
    }
    return found;
}

/* All ids but the last, the result. 0 if it was another round, or a problem is gone. */
static size_t choose_again(const struct pool *p, const struct lesson_mix *mix,
                           struct mix_pick out[MIX_MOST]) {
    size_t n = 0;
    const char *id = mix->chosen;
    for (size_t length; id != NULL && id[length = strcspn(id, " ")] != '\0'; id += length + 1)
        if (n == MIX_MOST || !find_pick(p, mix, id, length, &out[n++])) return 0;
    return n;
}

static size_t choose(const struct lesson_mix *mix, struct lesson_journal journal,
                     struct mix_pick out[MIX_MOST]) {
    struct pool p = {0};
    fill_pool(&p, mix, journal);
    size_t n = choose_again(&p, mix, out), last = mix->lessons;
    if (n == 0) take_all(&p, mix);
    for (struct candidate *c; n < p.wanted && (c = follower(&p, last)) != NULL; n++) {
        c->taken = false;
        out[n] = c->pick;
        last = c->pick.lesson;
    }
    free(p.candidate);
    return n;
}

/* ── the lesson that is made of them ───────────────────────────────────────────────────────────*/
/* "whole-or-shard" as a title: whole or shard; the caller's. */
static char *words(const char *id) {
    char *out = base_dup(id);
    for (char *s = out; *s != '\0'; s++)
        if (*s == '-') *s = ' ';
    return out;
}

/* The problem as it was written, but for its name, its function's number and where it is from. Of
 * that a record says nothing about the machine: a lesson's file is named below share. */
json_t *lesson_mix_step(const struct lesson *l, size_t i, size_t nth, const char *id) {
    const struct lesson_step *from = &l->step[i];
    json_t *step = json_copy((json_t *)from->json);
    char *title = words(from->id);
    int64_t fn = base_json_int(json_object_get(from->json, "vary"), "fn", 0);
    json_object_set_new(step, "id", json_string(id));
    json_object_set_new(step, "title", json_string(base_json_text(step, "title", title)));
    json_object_set_new(step, "vary",
                        json_pack("{sI}", "fn", (json_int_t)(fn + (int64_t)nth * FUNCTIONS)));
    json_object_set_new(step, "of",
                        json_pack("{ss ss ss si}", "id", l->id, "title", lesson_title(l), "file",
                                  base_share_below(l->name), "revision", lesson_revision(l, i)));
    json_object_del(step, "review");
    free(title);
    return step;
}

static json_t *problem_step(const struct lesson_mix *mix, struct mix_pick p) {
    char *id = step_id(mix, p);
    json_t *step = lesson_mix_step(mix->lesson[p.lesson], p.step, p.lesson, id);
    free(id);
    return step;
}

static json_t *result_step(const struct lesson_mix *mix) {
    char *id = base_format("%d/" RESULT, mix->round);
    json_t *step = json_pack("{ss ss ss s:s? s:s?}", "kind", "recap", "id", id, "title",
                             "How it went", "passed", mix->passed, "failed", mix->failed);
    free(id);
    return step;
}

void lesson_mix_add(struct lesson *l, enum lesson_step_kind kind, json_t *json, char *item) {
    json_array_append_new(json_object_get(l->json, "steps"), json);
    l->step[l->count++] = (struct lesson_step){.json = json,
                                               .kind = kind,
                                               .id = base_json_text(json, "id", ""),
                                               .item = item,
                                               .line = (int)base_json_int(json, "line", 0)};
}

struct lesson *lesson_mix_new(enum lesson_kind kind, const char *id, const char *title,
                              size_t steps) {
    struct lesson *l = base_alloc(sizeof *l);
    *l = (struct lesson){.kind = kind};
    l->json = json_pack("{ss ss s[]}", "id", id, "title", title, "steps");
    l->name = base_dup(id);
    l->id = base_dup(id);
    l->step = base_alloc(steps * sizeof *l->step);
    return l;
}

struct lesson *lesson_mix(const struct lesson_mix *mix, struct lesson_journal journal,
                          struct base_message *m) {
    struct mix_pick pick[MIX_MOST];
    size_t n = choose(mix, journal, pick);
    if (n == 0) {
        base_fail(m, "%s: the lessons of this phase have no problems to ask", mix->id);
        return NULL;
    }
    struct lesson *l = lesson_mix_new(mix->kind, mix->id, mix->title, n + 1);
    l->round = mix->round;
    for (size_t i = 0; i < n; i++)
        lesson_mix_add(l, LESSON_PROBLEM, problem_step(mix, pick[i]), item_of(mix, pick[i]));
    json_t *first = json_array_get(json_object_get(l->json, "steps"), 0);
    if (mix->opening) json_object_set_new(first, "opening", json_string(mix->opening));
    lesson_mix_add(l, LESSON_RECAP, result_step(mix), base_format("%s/" RESULT, mix->id));
    return l;
}
