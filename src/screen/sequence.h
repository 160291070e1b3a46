/* sequence: what follows an Esc and is no key: replies, mouse reports and keys of other terminals. It is passed over to its end,
 * lest its letters are taken for keys. Private to the room. */
#ifndef SCREEN_SEQUENCE_H
#define SCREEN_SEQUENCE_H

#include "base/base.h"

enum sequence_kind { SEQUENCE_BEGINS, SEQUENCE_CONTROL, SEQUENCE_STRING, SEQUENCE_COUNTED };
struct sequence {
    enum sequence_kind kind;
    int length; /* characters so far */
    int left;   /* SEQUENCE_COUNTED: that many more */
    bool escaped;
};
enum sequence_step {
    SEQUENCE_GOES_ON,
    SEQUENCE_ENDS,
    SEQUENCE_BROKEN /* the character is none of it */
};
/* Takes the next character after the Esc; `s` is zeroed before the first. */
enum sequence_step screen_sequence_take(struct sequence *s, uint32_t code);

#endif
