/* pane: cards next to a lesson on wide terminals, in a fixed order.
 *
 *     This case            what the engine says of the step's training, by category
 *     It rests on          after a review's question, the ideas below its own
 *     Your note            the learner's, on this step
 *     Words on this screen the terms of the glossary that the page uses
 *     1.3, 12 steps        the outline
 *
 * While a question is open it has scratch paper and words instead, but not those of the question's
 * own lesson: nothing here answers the question. It is laid out again when the step says something,
 * but not while the learner types. Private to the module; freed by screen_pane_free(). */
#ifndef SCREEN_PANE_H
#define SCREEN_PANE_H

#include "screen/outline.h"
#include "screen/scratch.h"

struct look;
struct page;
enum pane_shows { PANE_CARDS, PANE_OUTLINE, PANE_NOTHING, PANE_WAYS };
enum { PANE_WORDS = 12, PANE_COLUMNS = 2 };
struct pane {
    enum pane_shows shows;
    struct session *session;
    /* whose glossary it is */
    const struct lesson *lesson;
    struct session_glossary *glossary;
    /* not the pane's */
    struct scratch *scratch;
    /* a question is open; and it is on the page, not the answer to the last try */
    bool asked, posed;
    /* of the figure or the problem that the step is about, or NULL */
    json_t *spec;
    /* what the page says */
    char *text;
    /* the learner's, on the step; or NULL */
    char *note;
    struct session_word word[PANE_WORDS];
    size_t words;
    /* As it was last laid out; NULL: it must be laid out again. */
    struct pane_column {
        struct page *page;
        /* rows 0: it is not there */
        int outline_row, outline_rows;
        size_t outline_first;
    } column[PANE_COLUMNS];
    int width, rows, left;
    /* how far the outline was scrolled from where the learner is */
    int by;
    /* of the scratch paper, on the first column */
    struct editor_spot cursor;
    /* of the card of scratch paper; 0: there is none */
    int scratch_rows;
};

void screen_pane_begin(struct pane *p, struct session *s, struct scratch *paper);
void screen_pane_free(struct pane *p);
/* The step said something: `text` is what the page says now, which it takes; `figure` is the last
 * figure on it, or NULL; `ask` is what it asks, or NULL. */
void screen_pane_take(struct pane *p, char *text, const json_t *figure,
                      const struct lesson_ask *ask);
/* A click in the open scratch paper. */
unsigned screen_pane_click_sum(struct pane *p, const struct key *k);
/* The learner's note on the step, or NULL. Copied. */
void screen_pane_note(struct pane *p, const char *note);
/* From the cards to the outline alone, to nothing, and back: a key's result, VIEW_REDRAW. */
unsigned screen_pane_turn(struct pane *p);
/* Scrolls the outline by rows, until the step says something: a key's result, VIEW_REDRAW. */
unsigned screen_pane_scroll(struct pane *p, int by);
/* Lays it out again with the next drawing. */
void screen_pane_change(struct pane *p);
/* Reads the terms that are still to be read; then makes ready what draws numbers. */
void screen_pane_read(struct pane *p);
/* Whether there are such. */
bool screen_pane_waits(const struct pane *p);
/* Puts a figure, NULL for none, at the end of a page for a pane, as thick as a page of so many rows
 * has room for. False, and nothing is put, if it cannot be drawn in them, or would cut words. */
bool screen_pane_figure(struct page *p, const json_t *figure, int rows, const struct look *look);
/* Draws it into the frame's pane. */
void screen_pane_draw(struct pane *p, struct frame *f, const struct outline *o, const char *here,
                      const struct look *look);

#endif
