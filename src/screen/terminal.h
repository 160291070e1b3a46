/* terminal: where frames go and keys come from. Two of them: curses (terminal.c, the only file that
 * knows it) and one without a terminal that reads its keys from a text (picture.c). Private to the
 * module. */
#ifndef SCREEN_TERMINAL_H
#define SCREEN_TERMINAL_H

#include "screen/frame.h"
#include "screen/keys.h"

struct terminal;
struct terminal_operations {
    /* Shows a frame; only cells that differ are sent. */
    void (*show)(struct terminal *t, const struct frame *f, enum page_theme theme, int colours);
    /* Waits for a key, for `watch` (-1: none) to be readable, or for `timeout` milliseconds (-1:
     * for ever). */
    struct key (*read)(struct terminal *t, int watch, int timeout);
    /* Whether a key waits already. */
    bool (*pending)(struct terminal *t);
    /* Takes the mouse, or leaves it to the terminal, whose own selection then works. */
    void (*mouse)(struct terminal *t, bool on);
    /* Repaints everything with the next show. */
    void (*repaint)(struct terminal *t);
    /* Hands the terminal over while `use` runs, as it was before the program came. NULL where there
     * is none. */
    void (*lend)(struct terminal *t, void (*use)(void *to), void *to);
    /* Gives the terminal back and frees it. */
    void (*close)(struct terminal *t);
};
struct terminal {
    const struct terminal_operations *does;
    /* now */
    int columns, rows;
    /* the most it can: 256, 8 or 0 */
    int colours;
    bool unicode;
    /* what the program is to end with: 0, or 128 and the signal that asked it to */
    int status;
    /* Called before the program stops for the shell (^Z), and with false when it goes on; may be
     * NULL. */
    void (*rest)(void *of, bool rests);
    void *of;
};

/* The real one. NULL with the message filled if standard input and output are no terminal, or of an
 * unknown kind. */
struct terminal *screen_terminal_open(struct base_message *m);

/* One without a terminal: keys from a text that names them (see keys.h); the last frame shown can
 * be had. */
struct terminal *screen_terminal_of_keys(const char *keys, int columns, int rows, bool unicode,
                                         int colours);
/* Then it presses these, each when nothing moves any more, and keeps all frames with their times.
 * The text is the caller's. */
void screen_terminal_film(struct terminal *t, const char *keys);
/* The last frame, or the film, as text or SVG (the caller's). NULL with the message filled if a key
 * could not be read. */
char *screen_terminal_last(struct terminal *t, bool svg, struct base_message *m);

#endif
