/* review/queue.h: what comes today, and in which order. */
#ifndef REVIEW_QUEUE_H
#define REVIEW_QUEUE_H

#include "review/record.h"

/* Something that can be asked. Strings are borrowed. */
struct review_thing {
    const char *item;
    const char *lesson;
    /* What it is about: of things with the same one only one comes on a day, as of a problem and
     * the card about it. */
    const char *about;
    bool card;
    /* that it takes */
    int seconds;
    /* The day on which its lesson was last open, if it was finished: it is new from the next day
     * on. INT64_MAX: its lesson was not finished, and it comes only if it was answered. */
    int64_t read;
};

enum { REVIEW_NEW_MOST = 10, REVIEW_DAY_MOST = 20 }; /* on a day, however short they are */

struct review_pick {
    /* its place in the deck */
    size_t thing;
    /* it was never asked */
    bool fresh;
    double recall;
};
/* Chooses what is left for today: things that are due, then new ones, as many as fit in `seconds`
 * for the whole day, at most REVIEW_DAY_MOST; one of them comes however long it takes. What was
 * missed on the last day of review comes first, since its learner was told so; then one thing, due
 * or new, that has waited longest, so that nothing waits for ever. If more is due than that, what
 * is likeliest still known comes first, since it would be lost by waiting, and what is forgotten
 * already costs the same later. Cards and problems are mixed, and no two of a lesson
 * follow each other if there are others. Returns how many; `out` holds REVIEW_DAY_MOST. */
size_t review_queue(const struct review_record *r, const struct review_thing *deck, size_t count,
                    int64_t today, int64_t seconds, struct review_pick *out);
/* The seconds that they take. */
int64_t review_queue_seconds(const struct review_thing *deck, const struct review_pick *pick,
                             size_t count);
/* The next day after `today` on which something of the deck comes; INT64_MAX if nothing does. */
int64_t review_queue_next(const struct review_record *r, const struct review_thing *deck,
                          size_t count, int64_t today);

#endif
