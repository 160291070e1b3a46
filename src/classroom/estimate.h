/* classroom/estimate.h: how long a day takes a class: its lessons, and its labs, for which learners
 * take turns. Pure arithmetic.
 *
 * The labs are counted as the slowest case: everybody asks for the same lab at the same moment, and
 * does nothing else until the last one has had a turn. */
#ifndef CLASSROOM_ESTIMATE_H
#define CLASSROOM_ESTIMATE_H

#include "classroom/settings.h"

struct classroom_lab {
    char name[CLASSROOM_WORD];
    /* "1.1" if a lesson has it, "" if the plan names it */
    char lesson[CLASSROOM_WORD];
    /* of one turn, with all its runs; `known` false: the longest that a turn may take */
    double seconds;
    bool known;
    /* it takes one GPU, if the class has any; else a core for each rank */
    bool gpu;
    int ranks;
};
struct classroom_day {
    int people;
    /* two share a keyboard */
    bool pairs;
    int gpus, cores;
    /* of the lessons; and from the beginning, or from now, to the end; < 0: the class has no end */
    double lesson_minutes, minutes;
    size_t labs;
    struct classroom_lab lab[CLASSROOM_LESSONS];
    /* each lab runs once, and all watch */
    bool front;
};
/* How many take a turn with a lab, and how many of them at the same time (0: all). */
int classroom_day_turns(const struct classroom_day *d);
int classroom_lab_places(const struct classroom_day *d, const struct classroom_lab *l);
/* Minutes until the last one has had a turn with it. */
double classroom_lab_minutes(const struct classroom_day *d, const struct classroom_lab *l);
/* Minutes of all labs. */
double classroom_labs_minutes(const struct classroom_day *d);
double classroom_day_minutes(const struct classroom_day *d);
/* Always if the class has no end. */
bool classroom_day_fits(const struct classroom_day *d);

/* ── what helps ────────────────────────────────────────────────────────────────────────────────*/
struct classroom_way {
    /* "pairs", and what one does for it */
    const char *name, *how;
};
/* Way `i` to make the day shorter; NULL past the last. */
const struct classroom_way *classroom_way_at(size_t i);
/* The day on that way. False if it is no other day: without GPUs nothing moves to the cores. */
bool classroom_way_take(size_t i, const struct classroom_day *d, struct classroom_day *out);

#endif
