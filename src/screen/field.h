/* field: a line that is typed into: UTF-8, moving and deleting by character and word, and a
 * history. Private to the module. Freed by screen_field_free(); text given in is copied. */
#ifndef SCREEN_FIELD_H
#define SCREEN_FIELD_H

#include "page/page.h"
#include "screen/keys.h"

enum { FIELD_LINE = 300, FIELD_LONG = 4000 };
struct field {
    struct base_text text;
    size_t at;                           /* byte where the next character goes */
    const struct field_history *history; /* up and down walk it; NULL for none */
    size_t back;                         /* how far back in it; 0 is what is being typed */
    char *typing;                        /* what was being typed when the walk began */
    size_t most;                         /* bytes it takes; 0 is FIELD_LINE */
    bool full;                           /* the last key had no room */
};
struct field_history {
    char **line;
    size_t count;
};
void screen_field_free(struct field *f);
const char *screen_field_text(const struct field *f);
void screen_field_set(struct field *f, const char *text);
/* True if the key was one for a line editor (and was done). */
bool screen_field_key(struct field *f, const struct key *k);
/* Draws it in `width` cells of `rows` rows and returns where the cursor stands. One row scrolls
 * sideways, more rows wrap. */
struct field_spot {
    int row, column;
    bool above, below; /* wrapped text goes on where it is not shown */
};
struct field_spot screen_field_draw(const struct field *f, struct page *p, int row, int column,
                                    int width, int rows);
/* Puts the cursor at a cell of the field as it was drawn, counted from its first. */
void screen_field_point(struct field *f, int row, int column, int width, int rows);
/* Rows that the text takes, wrapped in `width` cells; and the cursor one of them up (-1) or down
 * (1). */
int screen_field_rows(const struct field *f, int width);
void screen_field_move_row(struct field *f, int by, int width);
/* Keeps a line that was answered; the same as the one before is kept once. */
void screen_field_remember(struct field_history *h, const char *line);
void screen_field_forget(struct field_history *h);

#endif
