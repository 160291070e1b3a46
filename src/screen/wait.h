/* wait: for what comes first: a key, a signal, an edited file, or the end of a time. Private to the room. */
#ifndef SCREEN_WAIT_H
#define SCREEN_WAIT_H

#include "base/base.h"

enum wait_result {
    WAIT_PASSED, /* the time */
    WAIT_KEY,
    WAIT_SIGNAL,
    WAIT_WATCHED,
    WAIT_GONE /* there is no keyboard any more */
};
/* `watch`: a descriptor that may become readable, -1 for none; `timeout` in milliseconds, -1 for ever. */
enum wait_result screen_wait_any(int watch, int timeout);
/* Whether a key waits already. */
bool screen_wait_has_key(void);

#endif
