/* Words that say what figures are of, and what stands between those words and the figures. */
#ifndef STUDY_MEMO_BESIDE_H
#define STUDY_MEMO_BESIDE_H

#include "memo_around.h"

struct memo_sought {
    const struct memo *m;
    enum memo_dimension dimension;
    size_t after; /* mentions from here on may belong to the figure that follows them */
    const struct memo_around *around;
};

/* What a mention is of, for a figure of this dimension. */
enum memo_what memo_what_of(const struct memo_mention *x, enum memo_dimension d);
/* For memo_wanted, with a struct memo_sought: any word of the dimension; one that is more than "with activations"; one that stands beside no
 * other figure; both of these. */
bool memo_is_what(const struct memo_mention *x, const void *to);
bool memo_is_subject(const struct memo_mention *x, const void *to);
bool memo_is_unowned(const struct memo_mention *x, const void *to);
bool memo_is_free(const struct memo_mention *x, const void *to);
/* "208 GB, 2.4 times the card" is not of the card. */
bool memo_is_far_card(const struct memo_around *a, const struct memo_mention *x);
/* The word directly beside the figure, or NULL. */
const struct memo_mention *memo_directly(const struct memo_around *a, const struct memo_sought *s);
const struct memo_mention *memo_directly_after(const struct memo_around *a,
                                               const struct memo_sought *s);

/* memo_group.c */
struct memo_group {
    const struct memo_mention *first;
    size_t count;
    int mask;
};

/* The word and those joined to it. */
struct memo_group memo_group_of(const struct memo_around *a, const struct memo_mention *x);
/* What a group is together; nothing if one stands alone. */
enum memo_what memo_together(struct memo_group g);

#endif
