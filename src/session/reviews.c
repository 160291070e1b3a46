/* reviews: the learner's answers as memories, and what of them is asked today. */
#include "session/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many new answers are read faster than the memories of all before them. */
enum { KEEP_EVERY = 50 };
#define KEPT "cache/reviews"

/* ── the record ────────────────────────────────────────────────────────────────────────────────*/
static void add_answer(void *to, int64_t number, const struct review_answer *a) {
    struct learner_reviews *r = to;
    review_record_add(r->record, a);
    r->through = number;
}

/* What the memories were made of: the answers of these lessons, by days that begin at this hour;
 * and what they are, so that a part of them is not taken for the whole. */
static uint64_t stamp_of(const struct learner_reviews *r, const char *memories) {
    uint64_t hash = base_hash((uint64_t)r->rollover, memories);
    for (size_t i = 0; i < r->lessons; i++) hash = base_hash(hash, r->lesson[i]);
    return hash;
}

/* The memories as they were kept: a shortcut, which nothing hangs on. Those of other lessons, or
 * after later answers than there are, belong to another course or record. */
static void read_kept(struct learner *who, struct learner_reviews *r) {
    char *text = store_setting(session_learner_store(who), KEPT), *end = text;
    int64_t through = text ? strtoll(text, &end, 10) : 0;
    uint64_t stamp = text && *end == ' ' ? strtoull(end, &end, 16) : 0;
    bool fits = text && *end == '\n' && stamp == stamp_of(r, end + 1) && through > 0 &&
                through <= store_last_answer(session_learner_store(who)) &&
                review_record_read(r->record, end + 1);
    r->through = r->kept = fits ? through : 0;
    free(text);
}

static void keep(struct learner *who, struct learner_reviews *r) {
    if (r->through - r->kept < KEEP_EVERY) return;
    char *memories = review_record_write(r->record);
    char *text = base_format("%lld %llx\n%s", (long long)r->through,
                             (unsigned long long)stamp_of(r, memories), memories);
    r->mastery_waits = store_set_derived(session_learner_store(who), KEPT, text);
    r->kept = r->through;
    free(text);
    free(memories);
}

static void begin(struct learner *who, struct learner_reviews *r, int rollover) {
    const struct lesson_course *c = session_learner_course(who);
    review_record_free(r->record);
    r->rollover = rollover;
    r->lessons = 0;
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) r->lesson[r->lessons++] = c->lesson[i].id;
    assert(r->lessons <= c->lessons);
    r->record = review_record_new(r->lesson, r->lessons);
    read_kept(who, r);
}

struct learner_reviews *session_reviews(struct learner *who) {
    struct learner_reviews *r = session_learner_reviews(who);
    int rollover = session_learner_rollover(who);
    if (!r->record || r->rollover != rollover) begin(who, r, rollover);
    store_reviews(session_learner_store(who), r->through, rollover, add_answer, r, NULL);
    keep(who, r);
    return r;
}

/* ── today ─────────────────────────────────────────────────────────────────────────────────────*/
int64_t session_reviews_room(struct learner *who, int64_t day) {
    enum { MINUTES = 5, MINUTES_MOST = 60 };
    int64_t minutes;
    if (!session_kept_count(session_learner_store(who), SESSION_REVIEW_MINUTES, &minutes) ||
        minutes < 1 || minutes > MINUTES_MOST)
        minutes = MINUTES;
    bool job =
        session_job_is_due(who, day) || (day == session_today(who) && session_job_was_asked(who));
    return 60 * minutes - (job ? SESSION_JOB_SECONDS : 0);
}

size_t session_reviews_choose(struct learner *who, struct review_pick *out) {
    struct learner_reviews *r = session_reviews(who);
    session_deck_read(who, &r->deck);
    r->asked = review_queue(r->record, r->deck.thing, r->deck.count, session_today(who),
                            session_reviews_room(who, session_today(who)), out);
    for (size_t i = 0; i < r->asked; i++) {
        const char *lesson = r->deck.thing[out[i].thing].lesson;
        r->asks[i] = session_learner_find_id(who, lesson, strlen(lesson));
    }
    return r->asked;
}

/* The first lesson that is asked from and was not read yet; the course's count if there is none. */
static size_t unread(struct learner *who) {
    const struct learner_reviews *r = session_learner_reviews(who);
    size_t i = 0;
    while (i < r->asked && session_learner_was_read(who, r->asks[i])) i++;
    return i < r->asked ? r->asks[i] : session_learner_course(who)->lessons;
}

bool session_review_waits(struct learner *who) {
    return session_learner_reviews(who)->mastery_waits ||
           unread(who) < session_learner_course(who)->lessons;
}

/* Mastery last: it never has many answers to read when a screen needs it. */
void session_review_read(struct learner *who) {
    struct learner_reviews *r = session_learner_reviews(who);
    size_t i = unread(who);
    if (i < session_learner_course(who)->lessons) {
        session_learner_lesson(who, i);
    } else if (r->mastery_waits) {
        r->mastery_waits = false;
        session_mastery(who);
    }
}

double session_memory_recall(struct learner *who, const struct review_memory *m) {
    int64_t today = session_today(who), tomorrow = m->last + 1;
    if (m->known) return review_memory_recall(m, today);
    if (!m->right) return 0;
    return review_memory_recall(m, today > tomorrow ? today : tomorrow);
}

double session_learner_recall(struct learner *who, size_t i) {
    const struct learner_reviews *r = session_reviews(who);
    const char *lesson = session_learner_course(who)->lesson[i].id;
    double recall = 0;
    size_t asked = 0;
    if (r->deck.count == 0) session_deck_read(who, &session_learner_reviews(who)->deck);
    for (size_t k = 0; k < r->deck.count; k++) {
        const struct review_thing *t = &r->deck.thing[k];
        const struct review_memory *m = review_record_find(r->record, t->item);
        if (t->card || strcmp(t->lesson, lesson) != 0 || !m || m->reviews == 0) continue;
        recall += session_memory_recall(who, m);
        asked++;
    }
    return asked > 0 ? recall / (double)asked : (double)NAN;
}
