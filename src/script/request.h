/* request: what the tutor asks of a worker, as JSON: to load a lesson, with the language it is
 * written in; to call a function of it.
 *
 * Ownership: the text of script_request_load() is the caller's. */
#ifndef SCRIPT_REQUEST_H
#define SCRIPT_REQUEST_H

#include "base/base.h"

#define REQUEST_LESSON (256u << 10) /* bytes of a lesson's file, at most */
#define REQUEST_CALL   96

/* NULL with the message if the text is no lesson at all (too long, compiled, not UTF-8), or the
 * language's files are missing. */
char *script_request_load(const char *name, const char *text, size_t n, struct base_message *m);
void script_request_call(char out[REQUEST_CALL], int fn, uint64_t seed);

#endif
