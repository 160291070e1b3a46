/* queue.c: the choice of a day. */
#include "review/queue.h"

#include "base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct choice {
    struct review_pick pick;
    const struct review_thing *thing;
    /* it was missed the last time, and its learner told that it comes next */
    bool promised;
    /* it has waited longest of those that were not promised */
    bool eldest;
    bool taken;
};
struct day {
    struct choice *choice;
    size_t count;
    /* what was answered today already, and what was taken since, with the seconds that it takes */
    size_t asked, fresh;
    int64_t seconds;
};

/* ── who may come ──────────────────────────────────────────────────────────────────────────────*/
static bool may_come(const struct review_thing *t, const struct review_memory *m, int64_t today,
                     struct review_pick *out) {
    if (m && m->suspended) return false;
    out->fresh = !m || m->reviews == 0;
    out->recall = out->fresh ? 0 : review_memory_recall(m, today);
    return out->fresh ? t->read < today : review_memory_is_due(m, today);
}

/* Whether today's review is done with it: it was answered there, as a repetition or as something
 * new of a lesson that was read before, or it was suspended. Nothing else comes in its place. */
static bool was_reviewed(const struct review_thing *t, const struct review_memory *m,
                         int64_t today) {
    if (m && m->suspended == today) return true;
    return m && m->reviews > 0 && m->last == today && (m->first < today || t->read < today);
}

/* How a thing stood as the day began: what was answered today, as it was before. */
struct morning {
    bool known;
    /* the day of its last review, INT64_MIN if it had none, and the one from which on it comes */
    int64_t last, since;
};
static struct morning morning(const struct review_thing *t, const struct review_memory *m,
                              int64_t today) {
    bool today_too = m && m->last == today;
    int reviews = !m ? 0 : today_too ? m->before.reviews : m->reviews;
    if (reviews == 0) return (struct morning){.last = INT64_MIN, .since = t->read};
    return today_too ? (struct morning){m->before.known, m->before.last, m->before.due}
                     : (struct morning){m->known, m->last, m->due};
}

/* The last day before today on which something of the deck was reviewed. */
static int64_t last_day(const struct review_record *r, const struct review_thing *deck,
                        size_t count, int64_t today) {
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        int64_t day = morning(&deck[i], review_record_find(r, deck[i].item), today).last;
        if (day < today && day > last) last = day;
    }
    return last;
}

/* What was promised first, then what has waited longest; due before new; of those likeliest known
 * first; of new ones cards first, since the problems were met in their lesson, and in the order of
 * the deck. */
static int by_worth(const void *a, const void *b) {
    const struct choice *x = a, *y = b;
    if (x->promised != y->promised) return x->promised ? -1 : 1;
    if (x->eldest != y->eldest) return x->eldest ? -1 : 1;
    if (x->pick.fresh != y->pick.fresh) return x->pick.fresh ? 1 : -1;
    if (x->pick.recall != y->pick.recall) return x->pick.recall > y->pick.recall ? -1 : 1;
    if (x->thing->card != y->thing->card) return x->thing->card ? -1 : 1;
    return x->pick.thing < y->pick.thing ? -1 : x->pick.thing > y->pick.thing;
}

static void count_in(struct day *d, const struct review_thing *t, bool fresh) {
    d->asked++;
    d->fresh += fresh;
    d->seconds += t->seconds;
}

/* What has waited longest as the day began. */
struct eldest {
    const struct review_thing *thing;
    int64_t since;
    /* its choice; `count` of the deck if it was answered today, so that none is left */
    size_t at;
};
static bool is_elder(const struct review_thing *t, int64_t since, const struct eldest *than) {
    return !than->thing || since < than->since ||
           (since == than->since && t->card && !than->thing->card);
}

static struct day gather(const struct review_record *r, const struct review_thing *deck,
                         size_t count, int64_t today) {
    struct day d = {.choice = base_alloc((count + 1) * sizeof *d.choice)};
    int64_t last = last_day(r, deck, count, today);
    struct eldest eldest = {.at = count};
    for (size_t i = 0; i < count; i++) {
        const struct review_memory *m = review_record_find(r, deck[i].item);
        struct morning then = morning(&deck[i], m, today);
        bool promised = then.last == last && last > INT64_MIN && !then.known;
        struct choice *c = &d.choice[d.count];
        *c = (struct choice){.thing = &deck[i], .pick = {.thing = i}, .promised = promised};
        bool comes = may_come(&deck[i], m, today, &c->pick);
        bool reviewed = was_reviewed(&deck[i], m, today);
        if (!promised && (comes || reviewed) && is_elder(&deck[i], then.since, &eldest))
            eldest = (struct eldest){&deck[i], then.since, comes ? d.count : count};
        d.count += comes;
        if (reviewed) count_in(&d, &deck[i], m->first == today || m->reviews == 0);
    }
    if (eldest.at < count) d.choice[eldest.at].eldest = true;
    if (d.count > 0) qsort(d.choice, d.count, sizeof *d.choice, by_worth);
    return d;
}

/* ── taking ────────────────────────────────────────────────────────────────────────────────────*/
static bool same_about(const struct review_thing *a, const struct review_thing *b) {
    return strcmp(a->lesson, b->lesson) == 0 && strcmp(a->about, b->about) == 0;
}

/* Whether something about the same was asked today, or was taken before. */
static bool has_sibling(const struct review_record *r, const struct review_thing *deck,
                        size_t count, int64_t today, const struct day *d, const struct choice *c) {
    for (size_t i = 0; i < count; i++) {
        const struct review_memory *m = same_about(&deck[i], c->thing) && &deck[i] != c->thing
                                            ? review_record_find(r, deck[i].item)
                                            : NULL;
        if (m && ((m->reviews > 0 && m->last == today) || m->suspended == today)) return true;
    }
    for (size_t i = 0; i < d->count; i++)
        if (d->choice[i].taken && same_about(d->choice[i].thing, c->thing)) return true;
    return false;
}

static bool fits(const struct day *d, const struct choice *c, int64_t seconds) {
    return d->asked < REVIEW_DAY_MOST && (!c->pick.fresh || d->fresh < REVIEW_NEW_MOST) &&
           (d->asked == 0 || d->seconds + c->thing->seconds <= seconds);
}

static size_t take(const struct review_record *r, const struct review_thing *deck, size_t count,
                   int64_t today, int64_t seconds, struct day *d) {
    size_t taken = 0;
    for (size_t i = 0; i < d->count; i++) {
        struct choice *c = &d->choice[i];
        if (!fits(d, c, seconds) || has_sibling(r, deck, count, today, d, c)) continue;
        c->taken = true;
        count_in(d, c->thing, c->pick.fresh);
        taken++;
    }
    return taken;
}

/* ── the order ─────────────────────────────────────────────────────────────────────────────────*/
/* How ill it follows: the same lesson is worse than the same kind. */
static int repeats(const struct review_thing *t, const struct review_thing *last) {
    if (!last) return !t->card; /* it begins with something short */
    return 2 * (strcmp(t->lesson, last->lesson) == 0) + (t->card == last->card);
}

static size_t left_of(const struct day *d, const char *lesson) {
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++)
        n += d->choice[i].taken && strcmp(d->choice[i].thing->lesson, lesson) == 0;
    return n;
}

/* The one that repeats least; of those, one of the lesson that has most left, so that none is left
 * over in a row at the end. */
static struct choice *follower(const struct day *d, const struct review_thing *last) {
    struct choice *best = NULL;
    for (size_t i = 0; i < d->count; i++) {
        struct choice *c = &d->choice[i];
        if (!c->taken) continue;
        int here = repeats(c->thing, last), there = best ? repeats(best->thing, last) : 4;
        if (here < there ||
            (here == there && left_of(d, c->thing->lesson) > left_of(d, best->thing->lesson)))
            best = c;
    }
    return best;
}

size_t review_queue(const struct review_record *r, const struct review_thing *deck, size_t count,
                    int64_t today, int64_t seconds, struct review_pick *out) {
    struct day d = gather(r, deck, count, today);
    size_t taken = take(r, deck, count, today, seconds, &d);
    assert(taken <= REVIEW_DAY_MOST); /* `out` holds no more */
    const struct review_thing *last = NULL;
    for (size_t i = 0; i < taken; i++) {
        struct choice *c = follower(&d, last);
        assert(c && c->taken); /* as many are left as were taken, minus those of before */
        c->taken = false;
        out[i] = c->pick;
        last = c->thing;
    }
    free(d.choice);
    return taken;
}

int64_t review_queue_seconds(const struct review_thing *deck, const struct review_pick *pick,
                             size_t count) {
    int64_t seconds = 0;
    for (size_t i = 0; i < count; i++) seconds += deck[pick[i].thing].seconds;
    return seconds;
}

int64_t review_queue_next(const struct review_record *r, const struct review_thing *deck,
                          size_t count, int64_t today) {
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct review_memory *m = review_record_find(r, deck[i].item);
        int64_t day = INT64_MAX;
        if (m && m->suspended) continue;
        if (m && m->reviews > 0)
            day = review_memory_is_due(m, today + 1) ? today + 1 : m->due;
        else if (deck[i].read < INT64_MAX)
            day = deck[i].read >= today ? deck[i].read + 1 : today + 1;
        if (day < next) next = day;
    }
    return next;
}
