/* A figure that compares two configurations: what memo_sides.c and memo_compare.c share. */
#ifndef STUDY_MEMO_COMPARE_H
#define STUDY_MEMO_COMPARE_H

#include "memo.h"

struct memo_side {
    double value; /* on the axis */
    struct account_training training;
    double amount; /* of what is compared, by the engine */
};
struct memo_comparison {
    struct memo *m;
    const struct memo_figure *f;
    const struct memo_options *o;
    struct memo_range clause, sentence;
    int direction; /* of a difference: +1 more, −1 less, 0 not said */
    enum memo_says axis;
    struct memo_side side[2]; /* what it is said of, and what that is held against */
    bool ordered;             /* the sentence says which is which */
    bool implied;             /* one of them was not named */
    enum memo_what what[4];
    size_t whats;
    bool named; /* the sentence says what is compared */
    bool speed; /* "8 % faster": of the time of a step, or of throughput */
    enum memo_match match;
    enum memo_what best;
};

/* Along what two sides differ. */
struct memo_axis {
    enum memo_says says;
    void (*set)(struct account_training *t, double v);
    const char *name; /* of a value; NULL: it has a name of its own */
};
/* The clause and the sentence of the figure. */
void memo_sides_around(struct memo_comparison *c);
/* The two sides, and which is held against which; false if there are none, or more than two. */
bool memo_sides_find(struct memo_comparison *c);
const struct memo_axis *memo_sides_axis(const struct memo_comparison *c);

#endif
