/* tty: a program in a real pseudo-terminal, seen through a terminal emulator (libvterm), for tests.
 *
 *     struct tty *t = tty_open(80, 24, (const char *const[]){"build/zerotutor", "learn", "1.1",
 *     NULL}, NULL);
 *     tty_wait(t, "Memory runs out"); // until some row has it; else fails
 *     // with a dump of the screen
 *     tty_type(t, "<Enter><Enter>112 GB<Enter>");
 *     tty_wait(t, "right");
 *     assert_int_equal(tty_at(t, 0, 1).colour, TTY_DEFAULT);
 *     tty_type(t, "<Esc>q");
 *     assert_int_equal(tty_end(t), 0);
 *
 * Nothing sleeps: things are waited for by condition, then by quiet. A condition that does not come
 * fails the running cmocka test and prints the screen. Rows and columns count from 0.
 *
 * Ownership: tty_end() and tty_kill() free `t`. Texts returned are the tty's own and live until the
 * next call. */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tty;
/* Starts argv in a terminal of that size, with TERM=xterm-256color and LC_ALL=C.UTF-8;
 * `environment` is a list of NAME=VALUE (NAME= unsets), ended by NULL, that comes on top; may be
 * NULL. */
struct tty *tty_open(int columns, int rows, const char *const *argv,
                     const char *const *environment);

/* ── what the learner does ─────────────────────────────────────────────────────────────────────*/
/* Presses keys one after another and lets the screen settle after each: plain characters, and
 * <Enter> <Esc> <Tab> <S-Tab> <BS> <Space> <Up> <Down> <Left> <Right> <PgUp> <PgDn> <Home> <End>
 * <Del> <F1> … <F12> <C-x> <lt> <click:COLUMN,ROW> <wheel:up> <wheel:down>
 * <wheel-up:COLUMN,ROW> <wheel-down:…> <drag:COLUMN,ROW,COLUMN,ROW> <resize:COLUMNSxROWS>.
 * Clicks count from 1, as terminals do. Named keys are sent as the program asked for them (cursor
 * mode, mouse mode). */
void tty_type(struct tty *t, const char *keys);
void tty_send(struct tty *t, const void *bytes, size_t n);
void tty_resize(struct tty *t, int columns, int rows);
/* Waits for the text and clicks on the first place where it stands. */
void tty_click(struct tty *t, const char *text);
void tty_signal(struct tty *t, int signal_number);

/* ── what is waited for ────────────────────────────────────────────────────────────────────────*/
void tty_wait(struct tty *t, const char *text); /* some row contains it */
/* that row contains it; row -1 is the last */
void tty_wait_row(struct tty *t, int row, const char *text);
void tty_wait_gone(struct tty *t, const char *text); /* no row contains it */
void tty_settle(struct tty *t);                      /* no output for 30 ms */

/* ── what is seen ──────────────────────────────────────────────────────────────────────────────*/
enum { TTY_DEFAULT = -1 };
struct tty_cell {
    /* UTF-8; "" for the right half of a wide character */
    char text[28];
    /* 256-colour index, or TTY_DEFAULT */
    int colour, background;
    bool bold, underline, reverse;
};
int tty_columns(const struct tty *t);
int tty_rows(const struct tty *t);
struct tty_cell tty_at(struct tty *t, int row, int column);
const char *tty_row(struct tty *t, int row); /* without trailing blanks */
const char *tty_text(struct tty *t);         /* the whole screen, a row a line */
bool tty_has(struct tty *t, const char *text);
/* The first place where a text stands. False if it is nowhere. */
bool tty_find(struct tty *t, const char *text, int *row, int *column);
struct tty_cursor {
    int row, column;
    bool visible;
};
struct tty_cursor tty_cursor(struct tty *t);
bool tty_full_screen(struct tty *t); /* the alternate screen is on */
bool tty_has_mouse(struct tty *t);   /* it tells clicks */
bool tty_has_drags(struct tty *t);   /* it tells where the mouse is moved with a button held */
/* Cells that were drawn since the last call: counts the emulator's damage, to catch needless
 * repainting. */
size_t tty_damage(struct tty *t);
pid_t tty_pid(const struct tty *t);
/* How often the process went to sleep of its own will so far: the same number twice means it did
 * not wake in between. */
unsigned long tty_sleeps(const struct tty *t);
/* Prints the screen on standard error and fails the running test. */
_Noreturn void tty_fail(struct tty *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ── how it ends ───────────────────────────────────────────────────────────────────────────────*/
/* Waits for the program's own end, and frees. Its exit status, or 128 + the signal that ended
 * it. */
int tty_end(struct tty *t);
/* Takes the terminal away (as a closed window does); tty_end() afterwards tells how the program
 * took it. */
void tty_hang_up(struct tty *t);
/* Ends it with SIGKILL, and frees. */
void tty_kill(struct tty *t);

#endif
