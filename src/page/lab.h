/* Inside page: what the figures of the lab share. They are drawn from what was heard of one run, or
 * of two to be compared. */
#ifndef PAGE_LAB_H
#define PAGE_LAB_H

#include "page/figure.h"

/* LAB_FACTS: columns of the names of facts. */
enum { LAB_GAP = 2, LAB_NARROW = 64, LAB_FACTS = 14 };

typedef void page_lab_panel(struct page *p, struct page_flow f, const struct page_lab *l);
page_lab_panel page_lab_memory, page_lab_curve, page_lab_traffic, page_lab_timeline, page_lab_loss,
    page_lab_log, page_lab_ledger, page_lab_collectives;

/* lab_facts.c: a row of a name and a value, which it takes. */
void page_lab_fact(struct page *p, struct page_flow f, const char *name, char *value,
                   unsigned role);
/* The same text, the caller's, in which no line breaks within the name of a run. Takes `text`. */
char *page_lab_whole_names(const struct page_lab_end *e, char *text);
/* What is said under the picture of a lab's end, as rows; and in a paragraph. */
void page_lab_facts(struct page *p, struct page_flow f, const struct page_lab_end *e);
void page_lab_facts_words(struct page *p, struct page_flow f, const struct page_lab_end *e);

/* Says which bytes were predicted, and whether the run confirmed them. The caller's. lab_facts.c */
char *page_lab_predictions(const struct experiment_compared *c);
/* What each rank of a run kept and held at its peak, ranks that are alike in one sentence, and
 * whether that was predicted. lab_words.c */
void page_lab_memory_words(struct page *p, struct page_flow f, const struct experiment_state *s);

/* lab_words.c: what a rank held, at its peak if it ended, else last; and their sum. */
const struct experiment_weights *page_lab_held(const struct experiment_rank *r);
uint64_t page_lab_peak(const struct experiment_rank *r);

/* lab_ahead.c: the state that a run is likely to reach, from its start and its predictions: while
 * it runs, or at its end, with the longest numbers that are likely. Borrows from `s`. The caller
 * frees it. */
struct page_lab_ahead;
struct page_lab_ahead *page_lab_ahead(const struct experiment_state *s, bool ended);
const struct experiment_state *page_lab_ahead_state(const struct page_lab_ahead *a);
void page_lab_ahead_free(struct page_lab_ahead *a);

/* How many runs there are. */
size_t page_lab_runs(const struct page_lab *l);
/* Puts the run's name above what follows, if there are two. */
void page_lab_name(struct page *p, struct page_flow f, const struct page_lab *l, size_t run);
/* l->rows within what the figure can have. */
int page_lab_rows(const struct page_lab *l, int otherwise, int least, int most);
/* Whether the run ended as it should. */
bool page_lab_well(const struct experiment_state *s);
/* "0 B", "+18.4 KB", "−3 B": the difference between what was measured and what was predicted.
 * Returns `out`. */
const char *page_lab_difference(char out[static 32], uint64_t measured, uint64_t predicted);
/* The role of a difference: none is good, one of more than 2 % is bad. */
unsigned page_lab_verdict(uint64_t measured, uint64_t predicted);
/* "rank 3", "ranks 4–63". Returns `out`. */
const char *page_lab_ranks(char out[static 32], uint32_t first, uint32_t last);

#endif
