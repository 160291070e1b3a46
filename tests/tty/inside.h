/* What tty.c, keys.c and look.c share. */
#ifndef TTY_INSIDE_H
#define TTY_INSIDE_H

#include "tty/tty.h"

#include <stdint.h>
#include <vterm.h>

struct tty {
    pid_t pid;
    /* -1 once it was hung up */
    int master;
    int columns, rows;
    VTerm *vt;
    VTermScreen *screen;
    bool cursor_visible, alternate;
    /* VTERM_PROP_MOUSE_… that it was asked for */
    int mouse;
    size_t damage;
    /* seen so far */
    uint64_t bytes;
    /* of a character that the next read completes: some versions of libvterm draw its halves */
    char begun[4];
    size_t begun_bytes;
    /* what tty_row() and tty_text() return */
    char *text;
};

int64_t tty_now(void);
/* Reads what there is, waiting at most `ms` for it. False if nothing came. */
bool tty_pump(struct tty *t, int ms);
/* Sends what the emulator answers: keys, mouse reports. */
void tty_flush(struct tty *t);
void tty_check(bool well, const char *what);

#endif
