/* scratch: paper to calculate on next to a lesson: lines that were worked out, and a field for the
 * next. Private to the module. Freed by screen_scratch_free(). */
#ifndef SCREEN_SCRATCH_H
#define SCREEN_SCRATCH_H

#include "screen/editor.h"

/* What a calculator makes of what is typed into it: "26 GB = 24.214 GiB"; the caller's, NULL if it
 * cannot be read. Numbers as large as 2*13e9 are bytes here. */
char *screen_scratch_sum(const char *text);

/* A click on line i has target SCRATCH_TARGET + i, one on the field SCRATCH_FIELD. */
enum { SCRATCH_LINES = 8, SCRATCH_TARGET = 250000, SCRATCH_FIELD = SCRATCH_TARGET + SCRATCH_LINES };
struct scratch {
    /* the field has the cursor */
    bool open;
    struct editor field;
    struct editor_history history;
    /* "2*13e9 = 26 GB", the latest last */
    char *line[SCRATCH_LINES];
    size_t lines;
    /* where they were drawn: each line's first row, then the field's */
    int row[SCRATCH_LINES + 1];
};
void screen_scratch_begin(struct scratch *s);
void screen_scratch_free(struct scratch *s);
/* A key for the field: Enter works out what is in it. True if the key was one. */
bool screen_scratch_key(struct scratch *s, const struct key *k);
/* A click in the open paper, on a column of its page: a line's sum is in the field again, and in
 * the field the cursor goes there. */
void screen_scratch_click(struct scratch *s, int target, int column);
/* Adds the lines and the field below what is on the page; says where the cursor is, with row -1
 * where it is not there. */
struct editor_spot screen_scratch_draw(struct scratch *s, struct page *p);

#endif
