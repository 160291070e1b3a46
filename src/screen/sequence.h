/* sequence: what follows an Esc and is no key: replies, mouse reports and keys of other terminals.
 * It is passed over to its end, lest its letters are taken for keys. Private to the module. */
#ifndef SCREEN_SEQUENCE_H
#define SCREEN_SEQUENCE_H

#include "screen/keys.h"

enum sequence_kind { SEQUENCE_BEGINS, SEQUENCE_CONTROL, SEQUENCE_STRING, SEQUENCE_COUNTED };
struct sequence {
    enum sequence_kind kind;
    /* characters so far */
    int length;
    /* SEQUENCE_COUNTED: that many more */
    int left;
    bool escaped;
};
enum sequence_step {
    SEQUENCE_GOES_ON,
    SEQUENCE_ENDS,
    /* the character is none of it */
    SEQUENCE_BROKEN
};
/* Takes the next character after the Esc; `s` is zeroed before the first. */
enum sequence_step screen_sequence_take(struct sequence *s, uint32_t code);

/* ── pasted text ───────────────────────────────────────────────────────────────────────────────*/
/* Terminals put it between two marks when they are asked to. Its characters are typed and never
 * act. Where a terminal has no marks, several lines that arrive together are a paste too. */
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
/* the mouse tells where it is moved while a button is held */
#define DRAGS_ON     "\033[?1002h"
#define DRAGS_OFF    "\033[?1002l"
#define PASTE_BEGINS "\033[200~"
#define PASTE_ENDS   "\033[201~"
/* So much text that waits behind an Enter was not typed: people look at what an answer brought. */
enum { PASTE_AHEAD = 16 };

struct paste {
    bool going_on;
    /* no marks: it ends with the first pause, or with a key that is no text */
    bool bare;
    /* the last character was a carriage return */
    bool returned;
};
void screen_paste_begin(struct paste *p);
/* The same, without marks, at the end of its first line. */
void screen_paste_begin_bare(struct paste *p);
/* So many milliseconds without anything end it. */
int screen_paste_patience(const struct paste *p);
/* Whether a character is text, an end of a line or a tab. */
bool screen_paste_takes(uint32_t code);
void screen_paste_end(struct paste *p);
/* The key that a pasted character is; `code` 0 for what is no character. */
struct key screen_paste_key(struct paste *p, uint32_t code);

#endif
