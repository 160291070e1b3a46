/* paste: pasted text. */
#include "screen/paste.h"

void paste_begin(struct paste *p) {
    *p = (struct paste){.going_on = true};
}

void paste_end(struct paste *p) {
    p->going_on = false;
}

/* Ends of lines are blanks in a field, and everything else that is no text is dropped. */
struct key paste_key(struct paste *p, uint32_t code) {
    struct key k = {.target = KEY_PASTED};
    bool line = code == '\r' || code == '\n' || code == '\t';
    bool second = code == '\n' && p->returned;
    p->returned = code == '\r';
    if (line && !second) k.code = ' ';
    if (code >= ' ' && code != 0x7f) k.code = code;
    return k;
}
