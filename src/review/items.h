/* review/items.h: item statistics for authors and teachers, from the records of several learners.
 *
 * Only a learner's first answer to an item counts. The difficulty of an item is the share that was
 * right. Its discrimination is the corrected item-total correlation: the Pearson correlation, over
 * the learners who answered it, of the item (1 right, 0 wrong) with the share that each of them had
 * right of all other items. It is corrected because the item itself is left out of the total
 * (Henrysson 1963, "Correction of item-total correlations in item analysis", Psychometrika 28(2),
 * 211–218, doi 10.1007/BF02289618; the share stands for the sum because learners answer different
 * numbers of items, and among those who answered all items it gives the same). */
#ifndef REVIEW_ITEMS_H
#define REVIEW_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

struct review_item_statistics {
    const char *item;
    /* learners who answered it, and whose first answer was right */
    size_t learners, right;
    /* -1 to 1. NaN if fewer than REVIEW_ITEM_LEARNERS answered it and another item, or if all of
     * them did equally well in one of the two. */
    double correlation;
    /* the commonest mistake in first answers, "" if none was named, and how often it was made */
    const char *mistake;
    size_t times;
};
enum { REVIEW_ITEM_LEARNERS = 3 };

struct review_items;
struct review_items *review_items_new(void);
void review_items_free(struct review_items *s);
/* The answers added from now on are those of another learner. */
void review_items_learner(struct review_items *s);
/* Adds the learner's first answer to an item; the texts are copied. `mistake`: ids joined by '|',
 * the likeliest first, or "". */
void review_items_add(struct review_items *s, const char *item, bool right, const char *mistake);
/* The statistics of each item, sorted by its id. The array and its texts belong to `s` and live
 * until the next call. */
const struct review_item_statistics *review_items_statistics(struct review_items *s, size_t *count);

#endif
