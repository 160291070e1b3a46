/* rejudge: an answer judged again by the engine, with numbers that the lesson draws again from the
 * learner's seed. What cannot be judged, such as a card, counts for nothing. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* The question and the answer, and what the engine said of it. Learners are asked some hundred
 * numbers, and give the same few answers to each: a class some ten thousand in all. One stands
 * where its hash says or in one of the places after that, so that two do not take turns in one. */
enum { REMEMBERED = 1 << 15, PLACES = 8 };
struct remembered {
    uint64_t hash;
    char *key;
    struct lesson_again again;
};
struct session_judge {
    struct learner *who;
    const struct session_proof *proof;
    /* the lessons here are those of the certificate, and so draw the same numbers */
    bool same_course;
    char course[HASH_HEX];
    uint64_t seed;
    const char *lesson[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    size_t lessons;
    struct loaded live[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    bool tried[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    /* verdicts of numbers that were typed before */
    struct remembered remembered[REMEMBERED];
};

/* ── the lessons that ask ──────────────────────────────────────────────────────────────────────*/
static const struct loaded *live(struct session_judge *j, size_t i) {
    char *path = j->tried[i] ? NULL : session_learner_path(j->who, i);
    j->tried[i] = true;
    if (path) session_loaded_open(&j->live[i], NULL, path, NULL);
    free(path);
    return j->live[i].lesson ? &j->live[i] : NULL;
}

/* The lesson that asked it, NULL if it cannot be run here; and the step, or the count of steps. */
static const struct loaded *asked_by(struct session_judge *j, const struct proof_answer *a,
                                     size_t *step) {
    char item[256];
    if (!review_item(j->lesson, j->lessons, a->is.item, item, sizeof item)) return NULL;
    const char *slash = strchr(item, '/');
    size_t i = session_learner_find_id(j->who, item, (size_t)(slash - item));
    const struct loaded *l = live(j, i);
    *step = l ? lesson_find(l->lesson, slash + 1) : 0;
    return l;
}

/* Whether the lesson asks this learner at this try what was answered. It is unknown if the lesson
 * cannot be run here. */
static enum session_asked is_asked(struct session_judge *j, const struct proof_answer *a) {
    size_t step;
    const struct loaded *l = asked_by(j, a, &step);
    if (!l) return SESSION_ASK_UNKNOWN;
    if (step == lesson_steps(l->lesson) || !lesson_graded(l->lesson, step))
        return SESSION_ASKED_NOT;
    if (lesson_step_kind(l->lesson, step) == LESSON_MYTH) {
        const json_t *truth = json_object_get(lesson_step(l->lesson, step), "truth");
        return json_equal(truth, json_object_get(a->problem, "truth")) ? SESSION_ASKED
                                                                       : SESSION_ASKED_NOT;
    }
    if (!lesson_seed_fits(a->is.seed, j->seed, a->is.item, a->is.try)) return SESSION_ASKED_NOT;
    json_t *variant = lesson_variant(l->lesson, step, script_source(l->script), a->is.seed, NULL);
    enum session_asked asked = !variant                                    ? SESSION_ASK_UNKNOWN
                               : lesson_same_question(variant, a->problem) ? SESSION_ASKED
                                                                           : SESSION_ASKED_NOT;
    json_decref(variant);
    return asked;
}

/* ── the verdict ───────────────────────────────────────────────────────────────────────────────*/
/* the lines of a worksheet that were answered before */
struct sheet {
    struct lesson_answer line[ACCOUNT_LINES];
    size_t lines, wrong;
    const struct proof_answer *first;
};

bool session_verdict_is_graded(const char *verdict) {
    return strcmp(verdict, "noted") != 0 && strcmp(verdict, "unreadable") != 0;
}

bool session_verdict_is_right(const char *verdict) {
    return strcmp(verdict, "right") == 0 || strcmp(verdict, "rounded") == 0;
}

/* A worksheet is right if its lines are. */
static bool judge_sheet(const struct sheet *s, struct lesson_again *out) {
    *out = (struct lesson_again){0};
    snprintf(out->verdict, sizeof out->verdict, "%s", s->wrong ? "wrong" : "right");
    for (size_t i = 0; i < s->lines && !*out->mistake; i++)
        if (!session_verdict_is_right(s->line[i].verdict))
            snprintf(out->mistake, sizeof out->mistake, "%s", s->line[i].mistake);
    out->value = s->line[s->lines - 1].value;
    return true;
}

static void add_line(struct sheet *s, const struct proof_answer *a) {
    if (!a->judged || !*a->is.line || !session_verdict_is_graded(a->again.verdict) ||
        s->lines == ACCOUNT_LINES)
        return;
    if (!s->first) s->first = a;
    s->line[s->lines] = a->is;
    s->line[s->lines].value = a->again.value;
    s->line[s->lines].verdict = a->again.verdict;
    s->line[s->lines++].mistake = a->again.mistake;
    s->wrong += !session_verdict_is_right(a->again.verdict);
}

/* A worksheet that was left longer ago begins anew. */
enum { BACK_MOST = 20000 };

/* What was answered of the same worksheet before. Nothing is typed for it as a whole. */
static struct sheet sheet_before(const struct session_proof *p, size_t i) {
    const struct proof_answer *a = &p->answer[i];
    struct sheet s = {0};
    size_t from = i > BACK_MOST ? i - BACK_MOST : 0;
    for (size_t k = from; (*a->is.line || !*a->is.typed) && k < i; k++)
        if (p->answer[k].is.try == a->is.try && strcmp(p->answer[k].is.item, a->is.item) == 0)
            add_line(&s, &p->answer[k]);
    return s;
}

/* Whether it is judged at all: an answer to a problem or a myth of a lesson. */
static bool is_to_judge(struct session_judge *j, const struct proof_answer *a) {
    char item[256];
    bool shown = strcmp(a->is.verdict, "noted") == 0; /* its working was, so it is no answer */
    return !shown && review_item(j->lesson, j->lessons, a->is.item, item, sizeof item) &&
           strcmp(a->is.line, LESSON_CARD_LINE) != 0;
}

size_t session_judge_lesson(struct session_judge *j, size_t i) {
    const struct proof_answer *a = &j->proof->answer[i];
    char item[256];
    bool judged =
        is_to_judge(j, a) && review_item(j->lesson, j->lessons, a->is.item, item, sizeof item);
    return judged ? session_learner_find_id(j->who, item, strcspn(item, "/"))
                  : session_learner_course(j->who)->lessons;
}

const struct proof_answer *session_judge_first(const struct session_proof *p, size_t i) {
    return sheet_before(p, i).first;
}

/* ── verdicts that are remembered ──────────────────────────────────────────────────────────────*/
static bool is_it(const struct remembered *r, uint64_t hash, const struct proof_answer *a) {
    size_t n = strlen(a->is.typed);
    return r->key && r->hash == hash && strncmp(r->key, a->is.typed, n) == 0 && r->key[n] == '\n' &&
           strcmp(r->key + n + 1, a->asked) == 0;
}

/* Where it is; else a place that is free, or the one to give it. */
static struct remembered *place_of(struct session_judge *j, uint64_t hash,
                                   const struct proof_answer *a) {
    for (size_t i = 0; i < PLACES; i++) {
        struct remembered *r = &j->remembered[(hash + i) % REMEMBERED];
        if (!r->key || is_it(r, hash, a)) return r;
    }
    return &j->remembered[hash % REMEMBERED];
}

/* What is put in order was shuffled for this try. */
static bool is_shuffled(const json_t *problem) {
    return json_object_get(problem, "items") && !json_object_get(problem, "bins");
}

static bool judge_typed(struct session_judge *j, const struct proof_answer *a,
                        struct lesson_again *out) {
    if (is_shuffled(a->problem)) return lesson_judge_again(&a->is, NULL, 0, out);
    uint64_t hash = base_hash(base_hash(0, a->is.typed), a->asked);
    struct remembered *r = place_of(j, hash, a);
    if (is_it(r, hash, a)) {
        *out = r->again;
        return true;
    }
    if (!lesson_judge_again(&a->is, NULL, 0, out)) return false;
    free(r->key);
    *r = (struct remembered){hash, base_format("%s\n%s", a->is.typed, a->asked), *out};
    return true;
}

bool session_judge_answer(struct session_judge *j, size_t i, struct lesson_again *out) {
    const struct proof_answer *a = &j->proof->answer[i];
    if (!is_to_judge(j, a)) return false;
    struct sheet s = sheet_before(j->proof, i);
    if (!*a->is.line && s.lines > 0) return judge_sheet(&s, out);
    return *a->is.line ? lesson_judge_again(&a->is, s.line, s.lines, out) : judge_typed(j, a, out);
}

static enum session_asked judge_asked(struct session_judge *j, size_t i) {
    const struct proof_answer *a = &j->proof->answer[i];
    struct sheet s = sheet_before(j->proof, i);
    if (s.first && !json_equal(a->problem, s.first->problem)) return SESSION_ASKED_NOT;
    return is_asked(j, a);
}

/* ── many at a time ────────────────────────────────────────────────────────────────────────────*/
enum { DRAWS = 32 };
struct draws {
    const struct loaded *from;
    struct script_call call[DRAWS];
    size_t answer[DRAWS], count;
};

/* What the lesson draws first from a seed is nearly always what was asked. Whatever does not fit is
 * looked at alone. */
static void draw(struct session_judge *j, struct draws *d, enum session_asked *asked) {
    json_t *drawn[DRAWS] = {NULL};
    size_t got = d->count ? script_calls(d->from->script, d->call, d->count, drawn) : 0;
    for (size_t k = 0; k < d->count; k++) {
        const struct proof_answer *a = &j->proof->answer[d->answer[k]];
        bool same = k < got && drawn[k] && lesson_same_question(drawn[k], a->problem);
        asked[d->answer[k]] = same ? SESSION_ASKED : judge_asked(j, d->answer[k]);
        json_decref(drawn[k]);
    }
    d->count = 0;
}

/* Whether its numbers can be drawn together with others'. */
static bool is_drawn(struct session_judge *j, size_t i, const struct loaded **from, int *fn) {
    const struct proof_answer *a = &j->proof->answer[i];
    struct sheet s = sheet_before(j->proof, i);
    size_t step;
    *from = asked_by(j, a, &step);
    if (s.first || !*from || step == lesson_steps((*from)->lesson) ||
        !lesson_graded((*from)->lesson, step) ||
        !lesson_seed_fits(a->is.seed, j->seed, a->is.item, a->is.try))
        return false;
    *fn = (int)base_json_int(json_object_get(lesson_step((*from)->lesson, step), "vary"), "fn", 0);
    return *fn > 0;
}

void session_judge_asked_all(struct session_judge *j, const size_t *answer, size_t n,
                             enum session_asked *asked) {
    struct draws d = {.count = 0};
    for (size_t k = 0; k < n; k++) {
        const struct loaded *from;
        int fn;
        if (!is_drawn(j, answer[k], &from, &fn)) {
            asked[answer[k]] = judge_asked(j, answer[k]);
            continue;
        }
        if (d.count == DRAWS || (d.count && d.from != from)) draw(j, &d, asked);
        d.from = from;
        d.answer[d.count] = answer[k];
        d.call[d.count++] =
            (struct script_call){fn, lesson_variant_seed(j->proof->answer[answer[k]].is.seed)};
    }
    draw(j, &d, asked);
}

/* ── a judge ───────────────────────────────────────────────────────────────────────────────────*/
struct session_judge *session_judge_open(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    struct session_judge *j = base_alloc(sizeof *j);
    j->who = who;
    session_course_hash(who, j->course);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) j->lesson[j->lessons++] = c->lesson[i].id;
    return j;
}

void session_judge_close(struct session_judge *j) {
    for (size_t i = 0; i < BASE_COUNT(j->live); i++) session_loaded_close(&j->live[i]);
    for (size_t i = 0; i < BASE_COUNT(j->remembered); i++) free(j->remembered[i].key);
    free(j);
}

bool session_judge_begin(struct session_judge *j, const struct session_proof *p) {
    j->proof = p;
    j->same_course = strcmp(j->course, base_json_text(p->head, "course", "")) == 0;
    j->seed = (uint64_t)base_json_int(p->head, "seed", 0);
    return j->same_course;
}
