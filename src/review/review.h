/* review: what comes back and when, derived from the answers of the record. Pure: no files, no
 * clock; it knows only base. This is its one public header; it includes the others in reading
 * order:
 *
 *     fsrs      how well one thing is remembered, and for how long
 *     day       which day it is for the learner
 *     record    the answers, folded into a memory of each thing and a streak
 *     queue     which of the things come today, in which order
 *     mastery   what the learner can do, by skill; mistakes; time spent
 *     items     what many learners' first answers say of the items
 *
 * Nothing here is a schedule that is stored: the same answers always give the same memories.
 *
 * Ownership: a record is freed by review_record_free(); what is reached through it is borrowed. */
#ifndef REVIEW_H
#define REVIEW_H

#include "review/fsrs.h"

#include "review/day.h"

#include "review/record.h"

#include "review/queue.h"

#include "review/mastery.h"

#include "review/items.h"

#endif
