/* paste: pasted text. */
#include "screen/paste.h"

enum { MARK_LOST_MS = 1000, PAUSE_MS = 100 };

void screen_paste_begin(struct paste *p) {
    *p = (struct paste){.going_on = true};
}

void screen_paste_begin_bare(struct paste *p) {
    *p = (struct paste){.going_on = true, .bare = true};
}

int screen_paste_patience(const struct paste *p) {
    return p->bare ? PAUSE_MS : MARK_LOST_MS;
}

bool screen_paste_takes(uint32_t code) {
    return code == '\r' || code == '\n' || code == '\t' || (code >= ' ' && code != 0x7f);
}

void screen_paste_end(struct paste *p) {
    p->going_on = p->bare = false;
}

/* Everything that is no text is dropped, and so is the second half of an end of line. */
struct key screen_paste_key(struct paste *p, uint32_t code) {
    struct key k = {.target = KEY_PASTED};
    bool second = code == '\n' && p->returned;
    p->returned = code == '\r';
    if (code == '\r' || (code == '\n' && !second)) k.code = '\n';
    if (code == '\t') k.code = '\t';
    if (code >= ' ' && code != 0x7f) k.code = code;
    return k;
}
