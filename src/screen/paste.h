/* paste: pasted text, which terminals put between two marks when they are asked to. Its characters are typed and never act.
 * Private to the room. */
#ifndef SCREEN_PASTE_H
#define SCREEN_PASTE_H

#include "screen/keys.h"

#define PASTE_ON     "\033[?2004h"
#define PASTE_OFF    "\033[?2004l"
#define PASTE_BEGINS "\033[200~"
#define PASTE_ENDS   "\033[201~"
enum { PASTE_MS = 1000 }; /* so long nothing came: its end was lost */

struct paste {
    bool going_on;
    bool returned; /* the last character was a carriage return */
};
void paste_begin(struct paste *p);
void paste_end(struct paste *p);
/* The key that a pasted character is; `code` 0 for what is no character. */
struct key paste_key(struct paste *p, uint32_t code);

#endif
