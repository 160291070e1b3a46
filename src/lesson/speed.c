/* speed.c: a round of the speed challenge: which family is asked next, the clock, what counts, and
 * what comes back after it. */
#include "lesson/speed_draw.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct family {
    int level;
    /* gives no question that may be asked */
    bool barren;
    size_t asked;
    /* the question, counted from 1, for which it gave only the kind that was asked before it */
    size_t passed;
};
struct kept {
    struct lesson_speed_result result;
    struct lesson_speed_drawn drawn;
};
struct lesson_speed {
    const struct lesson *pool;
    struct lesson_source source;
    struct lesson_speed_options options;
    uint64_t random;
    /* of the pool, in its order */
    struct family *family;
    size_t last;
    int level, least, most;
    /* right answers in a row, and since the level changed */
    size_t row, climbed;
    /* the open question, if `open` */
    struct lesson_speed_drawn drawn;
    bool open, over;
    /* the option that was picked last */
    size_t picked;
    /* the clock: -1 while it is stopped; and what was used before, of the question and the round */
    int64_t since, used, spent;
    struct kept *kept;
    size_t count;
    /* afterwards: how many came back, and the one that is asked, NULL before */
    size_t returned;
    const struct kept *again;
    char *solution;
    char unread[200];
};

/* ── families ──────────────────────────────────────────────────────────────────────────────────*/
static void probe(struct lesson_speed *s, size_t i) {
    struct account_problem p;
    struct family *f = &s->family[i];
    f->barren = !lesson_speed_probe(s->pool, i, s->source, &s->random, s->options.subject, &p);
    if (f->barren) return;
    f->level = lesson_speed_level_of(&p);
    if (s->least == 0 || f->level < s->least) s->least = f->level;
    if (f->level > s->most) s->most = f->level;
}

struct lesson_speed *lesson_speed_open(const struct lesson *pool, struct lesson_source source,
                                       const struct lesson_speed_options *o) {
    struct lesson_speed *s = base_alloc(sizeof *s);
    *s = (struct lesson_speed){
        .pool = pool, .source = source, .options = *o, .random = o->seed, .since = -1};
    s->family = base_alloc(pool->count * sizeof *s->family);
    s->last = pool->count;
    for (size_t i = 0; i < pool->count; i++) probe(s, i);
    s->level = s->least;
    return s;
}

static void forget(struct kept *k) {
    free(k->result.about);
    free(k->result.typed);
    free(k->result.truth);
    free(k->result.said);
    free(k->result.remark);
    lesson_speed_drawn_free(&k->drawn);
}

void lesson_speed_close(struct lesson_speed *s) {
    if (s == NULL) return;
    for (size_t i = 0; i < s->count; i++) forget(&s->kept[i]);
    if (s->again == NULL) lesson_speed_drawn_free(&s->drawn);
    free(s->kept);
    free(s->family);
    free(s->solution);
    free(s);
}

const struct lesson_speed_options *lesson_speed_options(const struct lesson_speed *s) {
    return &s->options;
}

/* One level off counts as much as so many times asked before. */
enum { LEVEL = 2 };

/* Of the level that is wanted, and not asked lately. A draw decides between equals. */
static size_t choose_family(struct lesson_speed *s) {
    size_t best = s->pool->count, equals = 0, least = SIZE_MAX;
    for (size_t i = 0; i < s->pool->count; i++) {
        const struct family *f = &s->family[i];
        if (f->barren || f->passed == s->count + 1) continue;
        size_t off = LEVEL * (size_t)abs(f->level - s->level) + f->asked + (i == s->last);
        if (off > least) continue;
        if (off < least) equals = 0;
        least = off;
        if (base_random(&s->random) % ++equals == 0) best = i;
    }
    return best;
}

static bool is_spent(const struct lesson_speed *s, int64_t now) {
    if (s->options.ms > 0) return lesson_speed_spent(s, now) >= s->options.ms;
    return s->count >= LESSON_SPEED_UNTIMED;
}

/* Whether this round asked the same before: the numbers may come again, where a family has few. */
static bool is_repeated(const struct lesson_speed *s) {
    const struct lesson_speed_drawn *d = &s->drawn;
    for (size_t i = 0; i < s->count; i++)
        if (s->kept[i].drawn.family == d->family &&
            strcmp(s->kept[i].drawn.question.brief, d->question.brief) == 0)
            return true;
    return false;
}

static bool is_as_before(const struct lesson_speed *s) {
    return s->count > 0 && strcmp(s->kept[s->count - 1].drawn.kind, s->drawn.kind) == 0;
}

enum { REDRAWS = 8 };

/* Not what this round asked before, if the family has other numbers. If the family gives nothing it
 * is barren; if it gives only the kind of the last question, it is passed over this time, unless
 * `any` kind will do. */
static bool draw(struct lesson_speed *s, size_t i, bool any) {
    const struct lesson_speed_options *o = &s->options;
    for (int k = 0; k <= REDRAWS; k++) {
        if (!lesson_speed_draw(s->pool, i, s->source, &s->random, o->subject, o->choose,
                               &s->drawn)) {
            s->family[i].barren = true;
            return false;
        }
        bool other = any || !is_as_before(s);
        if (other && (k == REDRAWS || !is_repeated(s))) return true;
        lesson_speed_drawn_free(&s->drawn);
    }
    s->family[i].passed = s->count + 1;
    return false;
}

/* The next question, of another kind than the last unless `any` will do. */
static bool draw_next(struct lesson_speed *s, bool any) {
    for (size_t i; (i = choose_family(s)) < s->pool->count;) {
        if (!draw(s, i, any)) continue;
        s->family[i].asked++;
        s->last = i;
        return true;
    }
    return false;
}

/* If the pool has one kind only, it comes again. */
static bool draw_again(struct lesson_speed *s) {
    for (size_t i = 0; i < s->pool->count; i++) s->family[i].passed = 0;
    return draw_next(s, true);
}

bool lesson_speed_next(struct lesson_speed *s, struct base_message *m) {
    assert(!s->open && s->again == NULL);
    s->over = s->over || is_spent(s, 0);
    if (s->over) return false;
    s->open = draw_next(s, false) || draw_again(s);
    if (s->open) return true;
    s->over = true;
    return base_fail(m,
                     "%s: no lesson that this round draws from has a question that suits "
                     "an estimate: choose another subject",
                     lesson_speed_subject_title(s->options.subject));
}

const struct lesson_speed_question *lesson_speed_asked(const struct lesson_speed *s) {
    return s->open || s->again != NULL ? &s->drawn.question : NULL;
}

/* ── the clock ─────────────────────────────────────────────────────────────────────────────────*/
bool lesson_speed_runs(const struct lesson_speed *s) {
    return s->since >= 0;
}

void lesson_speed_run(struct lesson_speed *s, int64_t now) {
    if (s->open && s->again == NULL && s->since < 0) s->since = now;
}

void lesson_speed_hold(struct lesson_speed *s, int64_t now) {
    if (s->since < 0) return;
    s->used += now - s->since;
    s->spent += now - s->since;
    s->since = -1;
}

int64_t lesson_speed_spent(const struct lesson_speed *s, int64_t now) {
    return s->spent + (s->since < 0 ? 0 : now - s->since);
}

int64_t lesson_speed_left(const struct lesson_speed *s, int64_t now) {
    if (s->options.ms == 0) return -1;
    int64_t left = s->options.ms - lesson_speed_spent(s, now);
    return left > 0 ? left : 0;
}

/* ── what an answer counts ─────────────────────────────────────────────────────────────────────*/
/* Two right answers in a row lead one level up, a wrong one leads one down. */
enum { CLIMB = 2 };

static void rise(struct lesson_speed *s, bool right) {
    s->row = right ? s->row + 1 : 0;
    s->climbed = right ? s->climbed + 1 : 0;
    if (!right && s->level > s->least) s->level--;
    if (s->climbed < CLIMB) return;
    s->climbed = 0;
    if (s->level < s->most) s->level++;
}

bool lesson_speed_is_right(const struct account_solution *s, const struct account_judgement *j) {
    return j->verdict <= ACCOUNT_ROUNDED ||
           fabs(j->value - s->value) <= (LESSON_SPEED_TOLERANCE + 1e-9) * s->value;
}

static bool is_right(const struct lesson_speed *s, const struct account_judgement *j) {
    return lesson_speed_is_right(&s->drawn.solution, j);
}

/* What the option is as an answer would be typed; false if there is no such option. */
static bool pick(struct lesson_speed *s, const char *text, char *out, size_t size) {
    const struct lesson_speed_drawn *d = &s->drawn;
    if (!lesson_pick_one(text, LESSON_SPEED_OPTIONS, &s->picked)) return false;
    snprintf(out, size, "%.15g", d->option[s->picked] / account_unit_scale(d->solution.unit));
    return true;
}

/* False if it is no answer; then `unread` says why. */
static bool judge(struct lesson_speed *s, const char *text, struct account_judgement *j) {
    char typed[40];
    s->unread[0] = '\0';
    if (s->options.choose && !pick(s, text, typed, sizeof typed)) {
        snprintf(s->unread, sizeof s->unread, "type a number from 1 to %d", LESSON_SPEED_OPTIONS);
        return false;
    }
    account_judge(&s->drawn.problem, s->options.choose ? typed : text, j);
    if (j->verdict != ACCOUNT_UNREADABLE) return true;
    snprintf(s->unread, sizeof s->unread, "%s",
             j->note[0] != '\0' ? j->note : "type a number or an expression");
    return false;
}

/* The numbers in which questions of a kind differ, and the kind. The unit is next to the value. */
static char *about_of(const struct account_problem *p) {
    struct base_text t = {0};
    struct account_skill skill;
    char words[ACCOUNT_SKILL_MOST], count[32];
    if (!account_skill_of(p, &skill)) return base_dup("");
    skill.unit = ACCOUNT_UNIT_NONE;
    if (p->kind != ACCOUNT_ASK_LARGEST_PARAMS && p->kind != ACCOUNT_ASK_CONVERT)
        base_text_puts(&t, account_print_count(count, sizeof count, (double)p->training.params));
    if (p->kind != ACCOUNT_ASK_FEWEST_GPUS && p->training.gpus > 1)
        base_text_printf(&t, "%s%u GPUs", t.length ? " on " : "", p->training.gpus);
    base_text_printf(&t, "%s%s", t.length ? ", " : "", account_skill_words(&skill, words));
    return base_text_take(&t);
}

static void keep(struct lesson_speed *s, const struct account_judgement *j, const char *typed) {
    s->kept = base_grow(s->kept, s->count + 1, sizeof *s->kept);
    struct kept *k = &s->kept[s->count++];
    k->drawn = s->drawn;
    bool right = j != NULL && is_right(s, j);
    /* GB and GiB are closer than the tolerance: what counts as right is no mistake here */
    const struct account_diagnosis *g = j != NULL && !right ? &j->diagnosis : NULL;
    char names[512];
    k->result = (struct lesson_speed_result){
        .item = s->drawn.question.item,
        .lesson = s->drawn.question.lesson,
        .subject = s->drawn.question.subject,
        .seed = s->drawn.seed,
        .ms = s->used,
        .right = right,
        .about = about_of(&s->drawn.problem),
        .typed = base_dup(j == NULL           ? ""
                          : s->options.choose ? s->drawn.question.option[s->picked]
                                              : typed),
        .truth = lesson_working_value(s->drawn.solution.value, s->drawn.solution.unit),
        .said = j == NULL || s->options.choose
                    ? NULL
                    : lesson_working_value(j->value, s->drawn.solution.unit),
        .remark = base_dup(g != NULL ? account_diagnosis_names(g, names, sizeof names) : ""),
    };
    rise(s, k->result.right);
    s->drawn = (struct lesson_speed_drawn){0};
    s->open = false;
    s->used = 0;
}

/* Drops the open question. */
static void drop(struct lesson_speed *s) {
    if (s->open && s->again == NULL) lesson_speed_drawn_free(&s->drawn);
    s->open = false;
    s->used = 0;
}

void lesson_speed_end(struct lesson_speed *s, int64_t now) {
    lesson_speed_hold(s, now);
    drop(s);
    s->over = true;
}

/* ── afterwards ────────────────────────────────────────────────────────────────────────────────*/
size_t lesson_speed_missed(const struct lesson_speed *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) n += !s->kept[i].result.right;
    return n;
}

bool lesson_speed_again(struct lesson_speed *s) {
    assert(s->over);
    size_t nth = 0;
    s->open = false;
    for (size_t i = 0; i < s->count && !s->open; i++) {
        if (s->kept[i].result.right || nth++ < s->returned) continue;
        s->again = &s->kept[i];
        s->drawn = s->kept[i].drawn;
        s->open = true;
    }
    s->returned += s->open;
    return s->open;
}

size_t lesson_speed_nth(const struct lesson_speed *s) {
    return s->returned;
}

static char *solve(const struct lesson_speed *s, const struct account_judgement *j) {
    struct base_text t = {0};
    const struct account_solution *solution = &s->drawn.solution;
    char *lines = lesson_working_all(solution),
         *truth = lesson_working_value(solution->value, solution->unit);
    if (j == NULL)
        base_text_printf(&t, "It is **%s**.", truth);
    else if (j->verdict <= ACCOUNT_ROUNDED)
        base_text_printf(&t, "Right: **%s**.", truth);
    else if (is_right(s, j))
        base_text_printf(&t, "Right, within 10%%: you have %s, and it is **%s**.", j->read_as,
                         truth);
    else if (j->diagnosis.count > 0)
        lesson_feedback_diagnosis(&t, j);
    else
        base_text_printf(&t, "**%s** is not within 10%%. It is **%s**.", j->read_as, truth);
    base_text_printf(&t, "\n\n%s", lines);
    free(truth);
    free(lines);
    return base_text_take(&t);
}

char *lesson_speed_solution(const struct lesson_speed *s) {
    return base_dup(s->solution != NULL ? s->solution : "");
}

static enum lesson_speed_came answer_again(struct lesson_speed *s,
                                           const struct account_judgement *j) {
    free(s->solution);
    s->solution = solve(s, j);
    s->open = false;
    return j != NULL && is_right(s, j) ? LESSON_SPEED_RIGHT : LESSON_SPEED_WRONG;
}

enum lesson_speed_came lesson_speed_answer(struct lesson_speed *s, const char *text, int64_t now) {
    struct account_judgement j = {0};
    assert(s->open);
    if (s->again == NULL && s->options.ms > 0 && is_spent(s, now)) {
        lesson_speed_end(s, now);
        return LESSON_SPEED_LATE;
    }
    if (text != NULL && !judge(s, text, &j)) return LESSON_SPEED_UNREAD;
    if (s->again != NULL) return answer_again(s, text != NULL ? &j : NULL);
    lesson_speed_hold(s, now);
    keep(s, text != NULL ? &j : NULL, text);
    return s->kept[s->count - 1].result.right ? LESSON_SPEED_RIGHT : LESSON_SPEED_WRONG;
}

const char *lesson_speed_unread(const struct lesson_speed *s) {
    return s->unread;
}

/* ── how it went ───────────────────────────────────────────────────────────────────────────────*/
bool lesson_speed_over(const struct lesson_speed *s) {
    return s->over;
}

const struct lesson_speed_result *lesson_speed_result(const struct lesson_speed *s, size_t i) {
    return i < s->count ? &s->kept[i].result : NULL;
}

struct lesson_speed_tally lesson_speed_tally(const struct lesson_speed *s,
                                             enum lesson_speed_subject subject) {
    struct lesson_speed_tally t = {0};
    for (size_t i = 0; i < s->count; i++) {
        const struct lesson_speed_result *r = &s->kept[i].result;
        if (subject != LESSON_SPEED_ALL && r->subject != subject) continue;
        t.asked++;
        t.right += r->right;
        t.ms += r->ms;
    }
    return t;
}

enum lesson_speed_subject lesson_speed_slowest(const struct lesson_speed *s) {
    enum lesson_speed_subject slowest = LESSON_SPEED_ALL;
    int64_t most = -1;
    size_t equals = 0, several = 0;
    for (unsigned i = LESSON_SPEED_ALL + 1; i < LESSON_SPEED_SUBJECTS; i++) {
        struct lesson_speed_tally t = lesson_speed_tally(s, (enum lesson_speed_subject)i);
        /* whole seconds, as they are shown */
        int64_t each = t.asked < 2 ? -1 : (t.ms / (int64_t)t.asked + 500) / 1000;
        several += each >= 0;
        equals = each > most ? 1 : equals + (each == most);
        if (each <= most) continue;
        most = each;
        slowest = (enum lesson_speed_subject)i;
    }
    return several > 1 && equals == 1 ? slowest : LESSON_SPEED_ALL;
}

int lesson_speed_level(const struct lesson_speed *s) {
    return s->level;
}

size_t lesson_speed_row(const struct lesson_speed *s) {
    return s->row;
}

json_t *lesson_speed_write(const struct lesson_speed *s) {
    struct lesson_speed_tally all = lesson_speed_tally(s, LESSON_SPEED_ALL);
    json_t *of = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const struct lesson_speed_result *r = &s->kept[i].result;
        char seed[24];
        snprintf(seed, sizeof seed, "%016llx", (unsigned long long)r->seed);
        json_array_append_new(of, json_pack("{ss ss ss sb sI}", "item", r->item, "subject",
                                            lesson_speed_subject_name(r->subject), "seed", seed,
                                            "right", r->right, "ms", (json_int_t)r->ms));
    }
    return json_pack("{si ss sI sb sI sI sI so}", "v", 1, "subject",
                     lesson_speed_subject_name(s->options.subject), "ms", (json_int_t)s->options.ms,
                     "choose", s->options.choose, "asked", (json_int_t)all.asked, "right",
                     (json_int_t)all.right, "spent", (json_int_t)s->spent, "of", of);
}

/* ── reports ───────────────────────────────────────────────────────────────────────────────────*/
/* Of the question asked last, what is kept of it in the round: NULL if it was not answered yet. */
static const struct kept *kept_last(const struct lesson_speed *s) {
    if (s->again != NULL) return s->again;
    return s->open || s->count == 0 ? NULL : &s->kept[s->count - 1];
}

static json_t *answered(const struct kept *k) {
    return k == NULL ? json_null()
                     : json_pack("{ss sb ss}", "typed", k->result.typed, "right", k->result.right,
                                 "remark", k->result.remark);
}

json_t *lesson_speed_report(const struct lesson_speed *s) {
    const struct kept *k = kept_last(s);
    const struct lesson_speed_drawn *d = k != NULL ? &k->drawn : &s->drawn;
    if (k == NULL && !s->open) return NULL;
    char *seed = base_format("%llu", (unsigned long long)d->seed),
         *working = s->open ? NULL : lesson_working_all(&d->solution);
    json_t *out =
        json_pack("{ss si ss ss sO ss* so}", "item", d->question.item, "revision",
                  lesson_revision(s->pool, d->family), "seed", seed, "statement", d->question.ask,
                  "numbers", d->variant, "solution", working, "answered", answered(k));
    free(working);
    free(seed);
    return out;
}
