/* watch: what the teacher's screen draws. Private to the module, but for screen_watch_page(), which
 * screen.h declares. */
#ifndef SCREEN_WATCH_H
#define SCREEN_WATCH_H

#include "page/page.h"
#include "session/session.h"

struct watch_drawing {
    struct session_watch *watch;
    bool names;
    /* that is selected of the part's things; none if it is their count */
    size_t at;
    /* how many mistakes the room shows at most; rows for those who are longest at their step, and
     * for labs in line */
    size_t mistakes;
    int longest, labs;
    /* the row of each thing that can be selected; may be NULL */
    int *row;
};

/* The parts of the screen, in the order of Tab. */
enum watch_part { WATCH_ROOM, WATCH_LEARNERS, WATCH_STEPS, WATCH_LABS, WATCH_SPEED, WATCH_PARTS };
/* How many things of a part can be selected. */
size_t screen_watch_things(const struct watch_drawing *d, enum watch_part part);
/* Draws a part below what is on the page. */
void screen_watch_part(struct page *p, const struct watch_drawing *d, enum watch_part part);
/* Draws what to say about a mistake. */
void screen_watch_slip(struct page *p, const struct session_slip *s,
                       const struct classroom_slip *c);
/* "sys-26   minute 34 of 90" and "28 here, 2 not", the caller's. */
char *screen_watch_clock(const struct watch_drawing *d);
char *screen_watch_count(const struct watch_drawing *d);
/* The lesson whose steps are listed: the one with most learners, else the plan's first; "" if there
 * is none. */
const char *screen_watch_lesson(const struct watch_drawing *d);

/* ── watch_put.c ───────────────────────────────────────────────────────────────────────────────*/
enum { WATCH_LEFT = 1, WATCH_WORDS = 3 };
/* Text in a column of so many cells: wrapped, or cut. */
void screen_watch_put_words(struct page *p, int row, int column, int cells, unsigned role,
                            const char *text);
void screen_watch_put_cut(struct page *p, int row, int column, int cells, unsigned role,
                          const char *text);
/* At the right edge; in the next row if it would touch what the row has. */
void screen_watch_put_right(struct page *p, int row, unsigned role, const char *text);
/* Notes the row of a thing, and marks it if it is selected. */
void screen_watch_put_cursor(struct page *p, const struct watch_drawing *d, size_t thing, int row);
/* The title of a learner's step, or its id as words where it has none; the caller's. */
char *screen_watch_title(const struct classroom_presence *now);
/* "4 min", "under 1 min"; the caller's. */
char *screen_watch_minutes(int64_t seconds);
/* The number of tries at the step, and the mistake of the last one, on a row by itself; nothing if
 * there is none. */
void screen_watch_put_tried(struct page *p, const struct classroom_presence *now, int column);
/* A bar of so many cells, `made` of `of` full. */
void screen_watch_put_bar(struct page *p, int row, int column, int cells, int made, int of,
                          unsigned role);
/* What labs use, a row for each kind. */
void screen_watch_put_labs(struct page *p, const struct watch_drawing *d);

/* The parts that are lists: watch_lists.c; and as many rows of two of them, for the room: those who
 * are longest at their step, and the labs. */
void screen_watch_longest(struct page *p, const struct watch_drawing *d, int rows);
void screen_watch_first_labs(struct page *p, const struct watch_drawing *d, int rows);
size_t screen_watch_listed(const struct watch_drawing *d, enum watch_part part);
void screen_watch_list(struct page *p, const struct watch_drawing *d, enum watch_part part);

#endif
