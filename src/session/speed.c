/* speed: the speed challenge on what a learner has learned, and the rounds that the record keeps.
 */
#include "session/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson) };

struct session_speed {
    struct learner *learner;
    struct mixed *mixed;
    struct lesson *pool;
    struct lesson_speed *round;
    bool kept;
};

/* ── the record ────────────────────────────────────────────────────────────────────────────────*/
static char *item_of(const struct lesson_speed_options *o) {
    return base_format("speed/%s", lesson_speed_subject_name(o->subject));
}

struct past {
    const struct lesson_speed_options *like;
    struct session_speed_past found;
    int try;
};

static void add_latest(struct session_speed_past *p, size_t right) {
    if (p->count == SESSION_SPEED_LATEST)
        memmove(p->latest, p->latest + 1, --p->count * sizeof *p->latest);
    p->latest[p->count++] = right;
}

/* Whatever the record holds: a number that no round can have is none. */
static void add_round(void *to, const struct lesson_answer *a) {
    struct past *p = to;
    int64_t right = base_json_int(a->problem, "right", -1);
    p->try = a->try > p->try ? a->try : p
        ->try;
    if (right < 0 || right > base_json_int(a->problem, "asked", -1) ||
        base_json_int(a->problem, "ms", -1) != p->like->ms ||
        base_json_bool(a->problem, "choose", false) != p->like->choose)
        return;
    if (p->found.rounds++ == 0) p->found.first = (size_t)right;
    if ((size_t)right > p->found.best) p->found.best = (size_t)right;
    add_latest(&p->found, (size_t)right);
}

static struct past read_past(struct learner *who, const struct lesson_speed_options *o) {
    struct past p = {.like = o};
    struct lesson_journal j = store_journal(session_learner_store(who));
    char *item = item_of(o);
    j.answers(j.self, item, add_round, &p, NULL);
    free(item);
    return p;
}

struct session_speed_past session_speed_past(struct learner *who,
                                             const struct lesson_speed_options *o) {
    return read_past(who, o).found;
}

/* ── what was chosen last ──────────────────────────────────────────────────────────────────────*/
#define CHOSEN "speed"

static const int64_t CLOCKS[] = {60000, 90000, 180000, 0};

struct lesson_speed_options session_speed_chosen(struct learner *who) {
    struct lesson_speed_options o = {.ms = CLOCKS[0]};
    char *kept = store_setting(session_learner_store(who), CHOSEN), subject[16], way[16];
    long long ms;
    if (kept && sscanf(kept, "%15s %15s %lld", subject, way, &ms) == 3) {
        o.subject = lesson_speed_subject_find(subject);
        if (o.subject == LESSON_SPEED_SUBJECTS) o.subject = LESSON_SPEED_ALL;
        o.choose = strcmp(way, "choice") == 0;
        for (size_t i = 0; i < BASE_COUNT(CLOCKS); i++)
            if (CLOCKS[i] == ms) o.ms = ms;
    }
    free(kept);
    return o;
}

/* A choice that cannot be kept is only not there the next time. */
void session_speed_choose(struct learner *who, const struct lesson_speed_options *o) {
    char *kept = base_format("%s %s %lld", lesson_speed_subject_name(o->subject),
                             o->choose ? "choice" : "number", (long long)o->ms);
    store_set(session_learner_store(who), CHOSEN, kept, NULL);
    free(kept);
}

/* ── a round ───────────────────────────────────────────────────────────────────────────────────*/
/* The lessons of one phase, or those that were gone through. */
static size_t collect(struct learner *who, bool through, size_t index[LESSONS]) {
    const struct lesson_course *c = session_learner_course(who);
    size_t count = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        if (c->lesson[i].kind != LESSON_ORDINARY || !session_learner_exists(who, i)) continue;
        if (through ? session_learner_progress(who, i).through : c->lesson[i].phase == 0)
            index[count++] = i;
    }
    return count;
}

/* Each round of a learner has numbers of its own. */
static uint64_t next_seed(struct learner *who, const struct lesson_speed_options *o) {
    char *item = item_of(o);
    uint64_t seed =
        lesson_seed(store_seed(session_learner_store(who)), item, read_past(who, o).try + 1);
    free(item);
    return seed;
}

static bool open_round(struct session_speed *s, const struct lesson_speed_options *o,
                       struct base_message *m) {
    const struct lesson *lesson[LESSONS];
    size_t index[LESSONS], count = collect(s->learner, true, index);
    if (count == 0) count = collect(s->learner, false, index);
    s->mixed = session_mixed_of(s->learner, index, count, lesson, m);
    if (!s->mixed) return false;
    s->pool = lesson_speed_pool(lesson, count, m);
    if (!s->pool) return false;
    struct lesson_speed_options own = *o;
    if (own.seed == 0) own.seed = next_seed(s->learner, o);
    s->round = lesson_speed_open(s->pool, session_mixed_source(s->mixed), &own);
    return true;
}

struct session_speed *session_speed_open(struct learner *who, const struct lesson_speed_options *o,
                                         struct base_message *m) {
    struct session_speed *s = base_alloc(sizeof *s);
    s->learner = who;
    if (open_round(s, o, m)) return s;
    session_speed_close(s);
    return NULL;
}

void session_speed_close(struct session_speed *s) {
    if (!s) return;
    lesson_speed_close(s->round);
    lesson_free(s->pool);
    session_mixed_close(s->mixed);
    free(s);
}

struct learner *session_speed_learner(const struct session_speed *s) {
    return s->learner;
}

struct lesson_speed *session_speed_round(const struct session_speed *s) {
    return s->round;
}

void session_speed_hand_in(struct learner *who) {
    struct learner_class *c = session_learner_classwork(who);
    if (!c->in) return;
    if (!*c->course) session_course_hash(who, c->course);
    c->rollover = session_learner_rollover(who);
    session_classwork_hand_in(c, session_learner_store(who), NULL);
}

bool session_speed_keep(struct session_speed *s, struct base_message *m) {
    struct lesson_speed_tally all = lesson_speed_tally(s->round, LESSON_SPEED_ALL);
    if (s->kept || all.asked == 0) return true;
    const struct lesson_speed_options *o = lesson_speed_options(s->round);
    struct lesson_journal j = store_journal(session_learner_store(s->learner));
    json_t *how = lesson_speed_write(s->round);
    char *item = item_of(o), *typed = base_format("%zu of %zu", all.right, all.asked);
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = read_past(s->learner, o).try + 1,
                              .seed = o->seed,
                              .problem = how,
                              .typed = typed,
                              .value = (double)all.right,
                              .verdict = "noted",
                              .mistake = "",
                              .seconds = (double)all.ms / 1000};
    s->kept = j.answer(j.self, &a, m);
    if (s->kept) session_speed_hand_in(s->learner);
    free(typed);
    free(item);
    json_decref(how);
    return s->kept;
}
