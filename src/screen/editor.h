/* editor: what is typed into: a text of many lines, or a field of one line. UTF-8; the cursor moves
 * by graphemes, lines wrap at words, every change can be undone. Private to the module. Freed by
 * screen_editor_free(); text given in is copied.
 *
 *     text      editor.c          places in the text, change and undo
 *     rows      editor_draw.c     what wrapping makes of lines, and a window of rows
 *     keys      editor_keys.c     what keys do in a text and in a field; a field's history
 *
 * A field takes fewer bytes, has no line ends, and looks like a place to type into. In a window of
 * one row it scrolls sideways; in more rows it wraps like a text. */
#ifndef SCREEN_EDITOR_H
#define SCREEN_EDITOR_H

#include "page/page.h"
#include "screen/keys.h"

enum { EDITOR_MOST = 1 << 20, EDITOR_CHANGES = 4000 };
enum { EDITOR_LINE = 300, EDITOR_LONG = 4000 }; /* bytes that fields take */

/* At one place some bytes were replaced by others. */
struct editor_change {
    /* where; and where the cursor stood */
    size_t at, before;
    struct base_text gone, came;
};
/* The lines that were answered in fields, the latest last. */
struct editor_history {
    char **line;
    size_t count;
};
struct editor {
    struct base_text text;
    /* the byte before which the cursor stands */
    size_t at;
    /* the column that up and down keep to; -1: the cursor's own */
    int wanted;
    /* the byte at which the first row shown begins, or what is shown of it */
    size_t top;
    /* Of the window, when last drawn; wrapped text has a column less, for the cursor. */
    int columns, rows;
    /* as drawn: some characters are wider there */
    bool ascii;
    /* the window was scrolled: it need not show the cursor */
    bool held;
    /* another one after each change */
    unsigned revision;
    struct editor_change *change;
    /* those that were not taken back come first */
    size_t changes, done;
    /* what is typed next belongs to the last change */
    bool joins;
    /* the last key had no room */
    bool full;
    /* so many bytes from there on are highlighted; 0: none */
    size_t mark, marked;
    /* Of a field. */
    /* bytes that it takes; 0: this is a text */
    size_t most;
    /* up and down walk it; NULL: they move by rows */
    const struct editor_history *history;
    /* how far back in it; 0 is what is being typed */
    size_t back;
    /* what was being typed when the walk began */
    char *typing;
};

/* A text stays a text, and a field a field, without its text and its changes. */
void screen_editor_free(struct editor *e);
/* Makes it an empty field. The history is the caller's (NULL: none). */
void screen_editor_field(struct editor *e, size_t most, const struct editor_history *history);
/* Sets the whole text, and forgets its changes. */
void screen_editor_set(struct editor *e, const char *text, size_t n);
const char *screen_editor_text(const struct editor *e);
/* One change: the bytes [from, to) become `text`, and the cursor stands behind it. False if there
 * is no room for it. */
bool screen_editor_replace(struct editor *e, size_t from, size_t to, const char *text, size_t n);
/* The whole text becomes another, as one change; the cursor stays with its words as far as they are
 * still there. */
bool screen_editor_become(struct editor *e, const char *text, size_t n);
bool screen_editor_undo(struct editor *e);
bool screen_editor_redo(struct editor *e);
/* True if the key was one for an editor (and was done). */
bool screen_editor_key(struct editor *e, const struct key *k);
/* Keeps a line that was answered; if it equals the one before, only once. */
void screen_editor_remember(struct editor_history *h, const char *line);
void screen_editor_forget(struct editor_history *h);

/* ── places: bytes at which a grapheme begins, or the text's end ───────────────────────────────*/
size_t screen_editor_next(const struct editor *e, size_t at);
size_t screen_editor_previous(const struct editor *e, size_t at);
size_t screen_editor_word_left(const struct editor *e, size_t at);
size_t screen_editor_word_right(const struct editor *e, size_t at);
size_t screen_editor_line_start(const struct editor *e, size_t at);
size_t screen_editor_line_end(const struct editor *e, size_t at);
/* Lines count from 1. */
int screen_editor_line_of(const struct editor *e, size_t at);
size_t screen_editor_line_at(const struct editor *e, int line);
/* The cursor goes there, and into view. */
void screen_editor_go(struct editor *e, size_t at);

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
struct editor_row {
    /* its text */
    size_t from, to;
    /* Where the next row begins; the text's end for the last row, which may also be empty. */
    size_t next;
};
/* The row in which a place lies. */
struct editor_row screen_editor_row_of(const struct editor *e, size_t at);
/* The row after, or before, another; false if there is none. */
bool screen_editor_row_after(const struct editor *e, struct editor_row *r);
bool screen_editor_row_before(const struct editor *e, struct editor_row *r);
/* The cells from the row's beginning to a place in it; and the place that is nearest to a
 * column. */
int screen_editor_column(const struct editor *e, const struct editor_row *r, size_t at);
size_t screen_editor_place(const struct editor *e, const struct editor_row *r, int column);

/* ── the window ────────────────────────────────────────────────────────────────────────────────*/
struct editor_spot {
    /* of the cursor, on the page; -1 out of view */
    int row, column;
    /* there is more */
    bool above, below;
};
/* What a row of the window begins with: `line` is the number of the line that begins there, 0 where
 * one goes on or there is none. */
typedef void editor_margin(void *to, int row, int line);
/* Draws it in a window of `p` and tells each row's margin (may be NULL). Brings the cursor into
 * view. */
struct editor_spot screen_editor_draw(struct editor *e, struct page *p, int row, int column,
                                      int columns, int rows, editor_margin *margin, void *to);
/* The rows that the text takes, wrapped in so many columns; no more than `most` are counted. */
int screen_editor_rows(struct editor *e, int columns, int most);
/* Puts the cursor at a cell of the window as it was drawn, counted from its first. */
void screen_editor_point(struct editor *e, int row, int column);
/* Moves the window, and not the cursor. */
void screen_editor_scroll(struct editor *e, int by);

#endif
