/* Inside page: what the drawings of plays share. */
#ifndef PAGE_PLAY_H
#define PAGE_PLAY_H

#include "page/figure.h"

/* Where a spec stands in its play; false, with the message filled, if it is wrong. */
bool page_play_read(const json_t *spec, struct account_playing *at, struct base_message *m);

/* Draws what is in the frame, below what is on the page; its sentence and the note are drawn
 * around it. `f.rows`: those that it should fit in; 0: as many as read best. */
typedef void page_play_drawing(struct page *p, struct page_flow f,
                               const struct account_playing *at);
page_play_drawing page_play_ring, page_play_tree, page_play_flat, page_play_buckets,
    page_play_gather, page_play_pipeline, page_play_tiers, page_play_layer, page_play_experts;
/* Says what is in the frame, in sentences, below what is on the page. */
typedef void page_play_saying(struct page *p, struct page_flow f, const struct account_playing *at);
page_play_saying page_play_say_moves, page_play_say_buckets, page_play_say_gather,
    page_play_say_pipeline, page_play_say_layer, page_play_say_experts, page_play_say_flat,
    page_play_say_tiers;

/* How large a chunk's cells are drawn: columns and rows of each, columns between them, and rows
 * between chunks. */
struct page_play_size {
    int wide, high, apart, gap;
};
/* From the largest to the one that is drawn where nothing says how many rows there are. */
enum { PAGE_PLAY_SIZES = 6 };
extern const struct page_play_size page_play_sizes[PAGE_PLAY_SIZES];
/* The first of them that may be tried in this flow. */
int page_play_largest(struct page_flow f);
/* Columns of a chunk of so many ranks; rows of so many chunks, one below the other. */
int page_play_columns(const struct page_play_size *size, uint32_t ranks);
int page_play_rows(const struct page_play_size *size, uint32_t chunks);

/* A chunk: a cell for each rank, filled if its share is in it. Returns the column after it. */
int page_play_cells(struct page *p, int row, int column, const struct page_play_size *size,
                    const struct account_scene *s, const struct account_cell *cell);
/* The fill of what is there and is not used, paler than others also where nothing has a colour. */
const char *page_play_idle(const struct page *p);
/* Rows that a strip may be thick, 1 to `most`, if `count` of them share the rows that are left
 * after `others`; 1 if nothing says how many rows there are. */
int page_play_thick(struct page_flow f, int others, int count, int most);
/* The letter of a chunk: "a". */
const char *page_play_letter(uint32_t chunk);
/* "■■□□": `full` of `count`. Returns the column after it. */
int page_play_meter(struct page *p, int row, int column, uint32_t full, uint32_t count);

#endif
