/* classroom/overview.h: what the teacher sees of the room: who wants help, who is quiet, where the
 * room is, which mistakes it makes, the labs and the plan's clock. A pure function of what the
 * files of a class say. Mistakes are as the learners' own programs judged them: a picture for the
 * discussion, not a grade. */
#ifndef CLASSROOM_OVERVIEW_H
#define CLASSROOM_OVERVIEW_H

#include "classroom/handin.h"
#include "classroom/presence.h"
#include "classroom/turns.h"

/* ── one learner's answers ─────────────────────────────────────────────────────────────────────*/
/* A wrong answer that no known mistake explains. */
#define CLASSROOM_UNNAMED "-"
enum { CLASSROOM_TRIED = 1024, CLASSROOM_SLIPS = 4096, CLASSROOM_STEPS = 64 };
struct classroom_tally {
    /* each item that was tried, and each mistake made at it, once; the mistake is "" for a try */
    size_t count;
    struct classroom_tried {
        char item[CLASSROOM_TITLE], mistake[CLASSROOM_WORD];
    } * tried;
};
/* Counts a hand-in. Cards and what was not graded are left out, and what is more than
 * CLASSROOM_TRIED. The caller frees `tried`. */
void classroom_tally(const struct classroom_handin *h, struct classroom_tally *out);

/* ── the room ──────────────────────────────────────────────────────────────────────────────────*/
struct classroom_seat {
    char account[CLASSROOM_WORD], name[CLASSROOM_TITLE];
    /* the name of who shares the keyboard; "" if the roster has none */
    char partner[CLASSROOM_TITLE];
    /* the name of the hand-in that is in use, or of one of several; "" before there is one */
    char handin[CLASSROOM_NAME];
    /* has a hand-in or was seen */
    bool joined;
    /* the learner's program runs; then `now` says where */
    bool here;
    struct classroom_presence now;
    /* since when the hand is up, by the file server's clock; 0: it is down */
    int64_t hand;
    struct classroom_tally tally;
};
/* What the overview is made of; all borrowed. */
struct classroom_sight {
    const struct classroom_settings *settings;
    size_t seats;
    const struct classroom_seat *seat;
    const struct classroom_tickets *tickets;
    /* one for each ticket */
    const struct classroom_turn *turn;
    /* the file server's clock; seconds without a sign of life after which somebody is quiet */
    int64_t now, patience;
};

struct classroom_slip {
    char item[CLASSROOM_TITLE], mistake[CLASSROOM_WORD];
    /* so many learners made it, of those who tried the item */
    int made, of;
    /* in another lesson than the one where the room is */
    bool elsewhere;
};
struct classroom_help {
    /* of the seats */
    size_t seat;
    /* seconds since the hand was raised, or since the last sign of life */
    int64_t waits;
};
enum classroom_part { CLASSROOM_PART_OVER, CLASSROOM_PART_NOW, CLASSROOM_PART_AHEAD };
struct classroom_overview {
    /* learners whose program runs, and those of the roster or the class without */
    int here, away;
    /* minutes since the class began, and until it ends by the plan; 0 minutes: it has no end */
    int minute, minutes;
    /* minutes until it begins, rounded up; 0: it has begun */
    int ahead;
    /* it was closed, or its end is past */
    bool over;
    /* a part of the plan for each lesson of the settings, with the minute at which it ends */
    enum classroom_part part[CLASSROOM_LESSONS];
    int until[CLASSROOM_LESSONS];
    /* who wants help, the longest waiting first, and who is quiet and did not ask */
    size_t hands, quiet;
    struct classroom_help *hand, *silent;
    /* The lesson with most learners, "" if there is none; how many are at each of its steps, and
     * in another lesson or beyond the steps that are counted. */
    char lesson[CLASSROOM_WORD];
    int steps, at[CLASSROOM_STEPS], elsewhere;
    /* the mistakes of this lesson, then those of other lessons; of the class if there is no lesson
     * or it asks items of several. Those of most learners come first. */
    bool mixed;
    size_t slips;
    struct classroom_slip *slip;
    /* labs by kind: programs that run and wait, slots in use and those that there are, seconds
     * until the last in line has its turn */
    struct classroom_labs {
        int running, waiting, used, slots;
        int64_t last;
    } labs[CLASSROOM_KINDS];
};
/* Makes the overview; classroom_overview_free() frees it. */
void classroom_overview(const struct classroom_sight *s, struct classroom_overview *out);
void classroom_overview_free(struct classroom_overview *o);

#endif
