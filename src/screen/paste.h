/* paste: pasted text, which terminals put between two marks when they are asked to. Its characters are typed and never act.
 * Where a terminal has no marks, several lines that come at once are a paste too. Private to the room. */
#ifndef SCREEN_PASTE_H
#define SCREEN_PASTE_H

#include "screen/keys.h"

#define PASTE_ON     "\033[?2004h"
#define PASTE_OFF    "\033[?2004l"
#define PASTE_BEGINS "\033[200~"
#define PASTE_ENDS   "\033[201~"
/* So much text that waits behind an Enter was not typed: people look at what an answer brought. */
enum { PASTE_AHEAD = 16 };

struct paste {
    bool going_on;
    bool bare;     /* no marks: it ends with the first pause, or with a key that is no text */
    bool returned; /* the last character was a carriage return */
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
