/* What stands around a figure: its list, its part of the sentence, its sentence, and the words that are looked for there. */
#ifndef STUDY_MEMO_AROUND_H
#define STUDY_MEMO_AROUND_H

#include "memo.h"

struct memo_around {
    const struct memo *m;
    const struct memo_figure *f;
    const struct memo_block *b;
    struct memo_range list; /* the figure, the list it is in, or it and the same in another unit */
    struct memo_range part; /* between commas and brackets */
    struct memo_range sentence;
    bool twin; /* "85.9 GB = 80 GiB": the same twice */
};
struct memo_around memo_look_around(const struct memo *m, const struct memo_figure *f);

typedef bool memo_wanted(const struct memo_mention *x, const void *to);
/* For memo_wanted: whether it says *(const enum memo_says *)to. */
bool memo_mention_says(const struct memo_mention *x, const void *to);
const struct memo_mention *memo_last_before(const struct memo *m, struct memo_range r, size_t at,
                                            memo_wanted *want, const void *to);
const struct memo_mention *memo_first_after(const struct memo *m, struct memo_range r, size_t at,
                                            memo_wanted *want, const void *to);
const struct memo_mention *memo_within(const struct memo *m, struct memo_range r, memo_wanted *want,
                                       const void *to);
/* Of a cell: its own words, its row's, its column's, its heading's. */
const struct memo_mention *memo_over_cell(const struct memo_around *a, memo_wanted *want,
                                          const void *to);
/* Of an item that is indented under others: theirs, the nearest first. */
const struct memo_mention *memo_in_parents(const struct memo *m, const struct memo_block *b,
                                           memo_wanted *want, const void *to);
/* What stands over a block: the items over it, then its heading. */
const struct memo_mention *memo_over(const struct memo *m, const struct memo_block *b,
                                     memo_wanted *want, const void *to);
/* In the part, then in the sentence; before, then after. */
const struct memo_mention *memo_nearest(const struct memo_around *a, memo_wanted *want,
                                        const void *to);
/* Whether another figure stands between, whose word it then is. */
bool memo_is_parted(const struct memo_around *a, const struct memo_mention *x);
/* Whether one of the words, a list that NULL ends, stands at most `reach` tokens before token `i` of the sentence. */
bool memo_is_after(const struct memo_around *a, size_t i, const char *const *words, size_t reach);
/* "instead of 45.5 GB", "down from 16.1 GB": of something else than the sentence is about. */
bool memo_is_contrasted(const struct memo_around *a);
/* memo_about.c: what it may be of. */
void memo_seek_about(const struct memo_around *a, struct memo_options *o);

/* "40 GB cards": the card whose name the figure is part of, or NULL. */
const struct memo_mention *memo_own_card(const struct memo_around *a);

#endif
