/* review/record.h: the answers of a learner's record, folded one after the other into a memory of
 * each thing that was asked, and into a streak. */
#ifndef REVIEW_RECORD_H
#define REVIEW_RECORD_H

#include "review/fsrs.h"

#include <stdbool.h>
#include <stddef.h>

/* The lines under which answers of reviews are kept. A problem's verdict has the line "". */
#define REVIEW_CARD    "card"    /* whether the back of a card was known: "right" or "wrong" */
#define REVIEW_UNDO    "undo"    /* the answer of this try does not count */
#define REVIEW_SUSPEND "suspend" /* the thing does not come back; once more: it does again */

/* A row of the record. Strings are borrowed. */
struct review_answer {
    /* "1.1/ddp-7b", or of a check "1c/1.1-ddp-7b" */
    const char *item;
    const char *line;
    const char *verdict, *mistake;
    int try, hints;
    double seconds;
    /* something was */
    bool typed;
    int64_t day;
};
/* The grade of an answer: Good if it was right. At most Hard after a hint, and Again after the last
 * hint, since that is a worked line. `again`: it was asked on an earlier day. Then a quick answer
 * to a problem is Easy; a slow one is never graded lower. False if it is no answer to grade. */
bool review_grade(const struct review_answer *a, bool again, enum review_grade *out);

/* The item that an answer is about. A check asks the problems of lessons under names of its own,
 * "1c/1.3-one-stage": what it shows is shown of 1.3/one-stage. False for an item that belongs to
 * none of these lessons. */
bool review_item(const char *const *lesson, size_t lessons, const char *item, char *out,
                 size_t size);

enum { REVIEW_SLIPS = 4 };
/* One thing that was asked. */
struct review_memory {
    char *item;
    struct review_fsrs now;
    /* days of the first and the last review */
    int64_t first, last;
    int64_t due;
    int reviews, lapses;
    /* the last review was no lapse */
    bool known;
    /* the last answer was right, also one after the review on the same day, wherever it was asked
     */
    bool right;
    /* since which day; 0: it is not */
    int64_t suspended;
    /* of the last review, -1 if that was undone */
    int try;
    struct review_before {
        struct review_fsrs now;
        int64_t last, due;
        int reviews, lapses;
        bool known;
    } before; /* the last review */
};
/* The day on which it comes, if it is answered with this grade today. */
int64_t review_memory_due(const struct review_memory *m, int64_t today, enum review_grade g);
/* The probability that it is recalled on a day. */
double review_memory_recall(const struct review_memory *m, int64_t day);
/* Whether it comes on a day. What has its last review in the future was answered under a wrong
 * clock, and comes now. */
bool review_memory_is_due(const struct review_memory *m, int64_t day);

struct review_record;
/* `lessons`: the ids of the lessons whose items count, borrowed; others are passed over. */
struct review_record *review_record_new(const char *const *lessons, size_t count);
void review_record_free(struct review_record *r);
/* Adds the next answer. Only the first answer to a thing on a day is a review of it: tries after it
 * are practice. An earlier day than the last one, by a clock that was set back or another time
 * zone, is as the same day. */
void review_record_add(struct review_record *r, const struct review_answer *a);
/* What it remembers, in the order of the items. */
size_t review_record_count(const struct review_record *r);
const struct review_memory *review_record_at(const struct review_record *r, size_t i);
/* NULL if the item was never reviewed, nor suspended. */
const struct review_memory *review_record_find(const struct review_record *r, const char *item);

/* How many days in a row were kept, today included if it was: with an answer, or with nothing due.
 * What was never asked is not due: it waits without fading, and whoever leaves it for tomorrow
 * keeps the day. One missed day in seven is forgiven, and not counted. */
int64_t review_record_streak(const struct review_record *r, int64_t today);
/* The same in weeks: one answer keeps a week, and none is forgiven. */
int64_t review_record_weeks(const struct review_record *r, int64_t today);

/* The record as text, the caller's, from which it can be read again without its answers. */
char *review_record_write(const struct review_record *r);
/* False, and the record is empty, if the text is none that was written by this version. */
bool review_record_read(struct review_record *r, const char *text);

#endif
