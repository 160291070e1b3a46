/* mastery: the learner's answers folded into skills. Which skill an answer is about, the engine
 * says of the problem that the answer was kept with. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* So many new answers are read faster than the skills of all before them. */
enum { KEEP_EVERY = 50 };
#define KEPT "cache/mastery"
/* The skill of what is asked by choosing: the lesson's ideas. */
#define IDEAS "ideas:"

/* ── the skill of an answer ──────────────────────────────────────────────────────────────────────
 * A record asks the same problem with the same numbers many times, so each is solved once. */
enum { SLOTS = 1 << 10 }; /* at first; a power of two, as always */
struct known {
    uint64_t hash;
    char *key;
};
struct session_solved {
    struct known *slot;
    size_t slots, used;
};

static struct known *slot_of(const struct session_solved *memo, uint64_t hash) {
    size_t i = (size_t)hash & (memo->slots - 1);
    while (memo->slot[i].key && memo->slot[i].hash != hash) i = (i + 1) & (memo->slots - 1);
    return &memo->slot[i];
}

/* Never more than half full, however many problems a record has. */
static void make_room(struct session_solved *memo) {
    struct session_solved wider = {.slots = memo->slots ? 2 * memo->slots : SLOTS,
                                   .used = memo->used};
    if (2 * memo->used < memo->slots) return;
    wider.slot = base_alloc(wider.slots * sizeof *wider.slot);
    for (size_t i = 0; i < memo->slots; i++)
        if (memo->slot[i].key) *slot_of(&wider, memo->slot[i].hash) = memo->slot[i];
    free(memo->slot);
    *memo = wider;
}

/* What the engine says of a problem, or of a line of its worksheet; "" if it cannot solve it. */
static const char *solve(const json_t *problem, const char *line, char key[ACCOUNT_SKILL_MOST]) {
    struct account_problem p;
    struct account_skill skill;
    bool known = lesson_problem_read(problem, &p, NULL) &&
                 (*line ? account_skill_of_line(&p, line, &skill) : account_skill_of(&p, &skill));
    return known ? account_skill_key(&skill, key) : "";
}

/* What is asked without a problem, by choosing, is about the ideas of its lesson. The caller's; ""
 * if it is about no skill. */
static char *make_key(const char *lesson, const char *line, const char *asked) {
    char key[ACCOUNT_SKILL_MOST];
    json_t *json = base_json_parse(asked, strlen(asked));
    const json_t *problem = json_object_get(json, "problem");
    char *made =
        problem || *line ? base_dup(solve(problem, line, key)) : base_format(IDEAS "%s", lesson);
    json_decref(json);
    return made;
}

/* Lives as long as the memo; NULL if the answer is about no skill. */
static const char *key_of(struct session_solved *memo, const char *lesson, const char *line,
                          const char *problem) {
    uint64_t hash = base_hash(base_hash(base_hash(0, lesson), line), problem);
    make_room(memo);
    struct known *k = slot_of(memo, hash);
    if (!k->key) {
        *k = (struct known){hash, make_key(lesson, line, problem)};
        memo->used++;
    }
    return *k->key ? k->key : NULL;
}

/* ── the fold ──────────────────────────────────────────────────────────────────────────────────*/
struct session_solved *session_solved_new(void) {
    return base_alloc(sizeof(struct session_solved));
}

void session_solved_free(struct session_solved *s) {
    for (size_t i = 0; i < s->slots; i++) free(s->slot[i].key);
    free(s->slot);
    free(s);
}

void session_mastery_add(const struct learner_mastery *m, struct session_solved *s,
                         const struct review_answer *a, const char *problem) {
    const char *key = NULL;
    char item[256];
    if (review_mastery_asks(m->fold, a) &&
        review_item(m->lesson, m->lessons, a->item, item, sizeof item)) {
        item[strcspn(item, "/")] = '\0';
        key = key_of(s, item, a->line, problem);
    }
    review_mastery_add(m->fold, a, key);
}

struct reading {
    struct learner_mastery *mastery;
    struct session_solved *memo;
};

static void add_answer(void *to, int64_t number, const struct review_answer *a,
                       const char *problem) {
    struct reading *r = to;
    r->mastery->through = number;
    session_mastery_add(r->mastery, r->memo, a, problem);
}

/* Of which lessons the fold is, by days that begin at which hour; and what it is, so that a part of
 * it is not taken for the whole. */
static uint64_t stamp_of(const struct learner_mastery *m, const char *fold) {
    uint64_t hash = base_hash((uint64_t)m->rollover, fold);
    for (size_t i = 0; i < m->lessons; i++) hash = base_hash(hash, m->lesson[i]);
    return hash;
}

/* The fold as it was kept: a shortcut, which nothing hangs on. One of other lessons, or after later
 * answers than there are, belongs to another course or record. */
static void read_kept(struct learner *who, struct learner_mastery *m) {
    char *text = store_setting(session_learner_store(who), KEPT), *end = text;
    int64_t through = text ? strtoll(text, &end, 10) : 0;
    uint64_t stamp = text && *end == ' ' ? strtoull(end, &end, 16) : 0;
    bool fits = text && *end == '\n' && stamp == stamp_of(m, end + 1) && through > 0 &&
                through <= store_last_answer(session_learner_store(who)) &&
                review_mastery_read(m->fold, end + 1);
    m->through = m->kept = fits ? through : 0;
    free(text);
}

static void keep(struct learner *who, struct learner_mastery *m) {
    if (m->through - m->kept < KEEP_EVERY) return;
    char *fold = review_mastery_write(m->fold);
    char *text = base_format("%lld %llx\n%s", (long long)m->through,
                             (unsigned long long)stamp_of(m, fold), fold);
    store_set_derived(session_learner_store(who), KEPT, text);
    m->kept = m->through;
    free(text);
    free(fold);
}

void session_mastery_begin(struct learner *who, struct learner_mastery *m) {
    const struct lesson_course *c = session_learner_course(who);
    m->lessons = 0;
    review_mastery_free(m->fold);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) m->lesson[m->lessons++] = c->lesson[i].id;
    m->fold = review_mastery_new(m->lesson, m->lessons);
}

static void begin(struct learner *who, struct learner_mastery *m, int rollover) {
    session_mastery_begin(who, m);
    m->rollover = rollover;
    read_kept(who, m);
}

const struct review_mastery *session_mastery(struct learner *who) {
    struct learner_mastery *m = session_learner_mastery(who);
    int rollover = session_learner_rollover(who);
    if (!m->fold || m->rollover != rollover) begin(who, m, rollover);
    struct session_solved *memo = session_solved_new();
    struct reading r = {m, memo};
    store_answers(session_learner_store(who), m->through, rollover, add_answer, &r, NULL);
    session_solved_free(memo);
    keep(who, m);
    return m->fold;
}

/* ── skills in words ───────────────────────────────────────────────────────────────────────────*/
static bool name_ideas(struct learner *who, const char *key, struct learner_skill *out) {
    size_t n = sizeof IDEAS - 1;
    if (strncmp(key, IDEAS, n) != 0) return false;
    const struct lesson_course *c = session_learner_course(who);
    size_t i = session_learner_find_id(who, key + n, strlen(key + n));
    if (i == c->lessons) return false;
    snprintf(out->name, sizeof out->name, "%s  %s", c->lesson[i].id, c->lesson[i].title);
    out->area = "Ideas";
    out->order = ACCOUNT_KINDS;
    return true;
}

static bool name_skill(struct learner *who, const char *key, struct learner_skill *out) {
    struct account_skill skill;
    char words[ACCOUNT_SKILL_MOST];
    if (!account_skill_read(key, &skill)) return name_ideas(who, key, out);
    snprintf(out->name, sizeof out->name, "%s", account_skill_words(&skill, words));
    out->area = account_skill_area(&skill);
    out->order = (int)skill.kind;
    return true;
}

/* Kinds of one area follow each other, and so do the stages of a quantity. */
static int by_order(const void *a, const void *b) {
    const struct learner_skill *x = a, *y = b;
    return x->order != y->order ? x->order - y->order : strcmp(x->name, y->name);
}

size_t session_skills(struct learner *who, const struct review_mastery *m, int64_t today,
                      struct learner_skill **out) {
    size_t count = 0, most = review_mastery_skills(m);
    struct learner_skill *skill = *out = base_alloc((most + 1) * sizeof *skill);
    for (size_t i = 0; i < most; i++) {
        const struct review_skill *s = review_mastery_skill(m, i);
        struct learner_skill *to = &skill[count];
        if (s->tries == 0 || !name_skill(who, s->key, to)) continue;
        to->tries = s->tries;
        to->right = s->right;
        to->helped = s->helped;
        to->days_ago = today > s->last ? today - s->last : 0;
        for (int ahead = 0; ahead <= LEARNER_AHEAD; ahead++)
            to->likely[ahead] = review_skill_likely(s, today + ahead);
        to->on_monday = review_skill_on_monday(s, today);
        count++;
    }
    if (count > 0) qsort(skill, count, sizeof *skill, by_order);
    return count;
}

size_t session_learner_skills(struct learner *who, struct learner_skill **out) {
    return session_skills(who, session_mastery(who), session_today(who), out);
}
