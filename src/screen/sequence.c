/* sequence: what a terminal sends besides keys: escape sequences (ECMA-48 with what xterm and the
 * Linux console add) and pasted text. */
#include "screen/sequence.h"

enum { LONGEST = 4096, BELL = 7, ESCAPE = 0x1b, STRING_END = 0x9c, MOUSE_BYTES = 3 };

static enum sequence_step begin(struct sequence *s, uint32_t code) {
    switch (code) {
    case '[': s->kind = SEQUENCE_CONTROL; return SEQUENCE_GOES_ON;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': s->kind = SEQUENCE_STRING; return SEQUENCE_GOES_ON;
    case 'O':
        s->kind = SEQUENCE_COUNTED;
        s->left = 1;
        return SEQUENCE_GOES_ON;
    default: return code < ' ' || code == 0x7f ? SEQUENCE_BROKEN : SEQUENCE_ENDS; /* Alt */
    }
}

/* Some begin like all others and then have a fixed number of characters: X10's mouse, the console's
 * function keys. */
static enum sequence_step count(struct sequence *s, int left) {
    s->kind = SEQUENCE_COUNTED;
    s->left = left;
    return SEQUENCE_GOES_ON;
}

static enum sequence_step take_control(struct sequence *s, uint32_t code) {
    bool first = s->length == 2;
    if (first && code == 'M') return count(s, MOUSE_BYTES);
    if (first && code == '[') return count(s, 1);
    if (code < ' ' || code > '~') return SEQUENCE_BROKEN;
    return code >= '@' ? SEQUENCE_ENDS : SEQUENCE_GOES_ON;
}

static enum sequence_step take_string(struct sequence *s, uint32_t code) {
    bool ends = code == BELL || code == STRING_END || (s->escaped && code == '\\');
    s->escaped = code == ESCAPE;
    return ends || s->length > LONGEST ? SEQUENCE_ENDS : SEQUENCE_GOES_ON;
}

/* Control characters are keys that follow a sequence which has not ended; within strings they have
 * a meaning. */
enum sequence_step screen_sequence_take(struct sequence *s, uint32_t code) {
    s->length++;
    if (code < ' ' && s->kind != SEQUENCE_STRING) return SEQUENCE_BROKEN;
    switch (s->kind) {
    case SEQUENCE_CONTROL: return take_control(s, code);
    case SEQUENCE_STRING: return take_string(s, code);
    case SEQUENCE_COUNTED: return --s->left > 0 ? SEQUENCE_GOES_ON : SEQUENCE_ENDS;
    default: return begin(s, code);
    }
}

/* ── pasted text ───────────────────────────────────────────────────────────────────────────────*/
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
