/* signals: what the system tells the program while it owns a terminal. Handlers only write a letter
 * into a pipe that is waited on as well as the keyboard, so nothing happens between two
 * instructions of a view. Where there is no time for that (a crash) the terminal is given back by
 * writing what was prepared. Signals that stand for a failed write (SIGPIPE, SIGXFSZ) are not
 * touched here: `command` ignores them for the whole program, and the write says what is wrong.
 * Private to the module; there is one terminal in a program. */
#ifndef SCREEN_SIGNALS_H
#define SCREEN_SIGNALS_H

#include "base/base.h"

enum signals_letter {
    SIGNALS_NONE = 0,
    SIGNALS_END = 'q',
    /* the same, and the status says so */
    SIGNALS_TERMINATE = 't',
    SIGNALS_RESIZE = 'w',
    SIGNALS_STOP = 'z'
};

/* Catches them, and keeps the terminal's modes as they are now. */
bool screen_signals_open(struct base_message *m);
/* The next one. */
enum signals_letter screen_signals_take(void);
/* While another program has the terminal, ^Z stops this one with it. */
void screen_signals_lend(bool lent);
/* Stops the process as ^Z does if no program catches it, and returns when it goes on. */
void screen_signals_stop(void);
/* What a crash writes to standard output before it sets the modes back; "" once there is nothing to
 * give back. */
void screen_signals_prepare(const char *reset);

/* ── waiting: for a key, a signal, an edited file, or the end of a time ────────────────────────*/
enum wait_result {
    /* the time */
    WAIT_PASSED,
    WAIT_KEY,
    WAIT_SIGNAL,
    WAIT_WATCHED,
    /* there is no keyboard any more */
    WAIT_GONE
};
/* `watch`: a descriptor that may become readable, -1 for none; `timeout` in milliseconds, -1 for
 * ever. */
enum wait_result screen_wait_any(int watch, int timeout);
/* Whether a key waits already. */
bool screen_wait_has_key(void);

#endif
