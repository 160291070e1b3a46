/* Inside paper: a timeline and its lanes. */
#ifndef PAGE_TIMELINE_H
#define PAGE_TIMELINE_H

#include "page/lab.h"

enum { TIMELINE_RUNS = 3, TIMELINE_CELLS = 200 };
/* What a cell of a lane can show. */
enum sign { NOTHING, COMPUTES, UPDATES, WAITS, HOST, BUBBLE, GATHERS, REDUCES, PASSES, SIGNS };
enum part { STEP, FORWARD, BACKWARD, PARTS };
struct run {
    struct account_training training;
    struct account_traffic traffic;
    struct account_clock clock;
    struct account_memory memory;
    struct account_span *span;
    size_t spans;
    uint32_t blocks; /* on the rank */
    double from, to; /* seconds that are shown */
};
struct timeline {
    enum part part;
    size_t runs;
    struct run run[TIMELINE_RUNS];
    uint32_t blocks; /* shown of a pass */
    int left;
    double unit; /* seconds of the axis's unit */
    struct page_scale scale;
    struct page_axis axis;
};

/* Whether the part shows this span, of a pass only some blocks. */
bool page_timeline_shows(const struct timeline *t, const struct run *r,
                         const struct account_span *s);
/* Three rows: names over the stretches, computation, communication. Marks the signs that are there. */
void page_timeline_lanes(struct page *p, const struct timeline *t, const struct run *r,
                         bool seen[SIGNS], struct page_flow f);
/* What the signs mean. */
void page_timeline_legend(struct page *p, const bool seen[SIGNS], struct page_flow f);

#endif
