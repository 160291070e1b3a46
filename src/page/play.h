/* Inside page: what the drawings of plays share. */
#ifndef PAGE_PLAY_H
#define PAGE_PLAY_H

#include "page/figure.h"

/* Draws what is in the frame, below what is on the page; its sentence and the note are drawn
 * around it. `f.rows`: those that it should fit in; 0: as many as read best. */
typedef void page_play_drawing(struct page *p, struct page_flow f,
                               const struct account_playing *at);
page_play_drawing page_play_ring, page_play_tree, page_play_flat, page_play_buckets,
    page_play_gather, page_play_pipeline, page_play_tiers;

/* A chunk: a cell for each rank, filled if its share is in it. Returns the column after it. */
int page_play_cells(struct page *p, int row, int column, const struct account_scene *s,
                    const struct account_cell *cell, unsigned attributes);
/* The letter of a chunk: "a". */
const char *page_play_letter(uint32_t chunk);
/* "■■□□": `full` of `count`. Returns the column after it. */
int page_play_meter(struct page *p, int row, int column, uint32_t full, uint32_t count);

#endif
