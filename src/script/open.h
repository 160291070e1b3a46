/* open: what script_open() and script_guards() do, for tests that put another worker behind it: one
 * that answers garbage, or has no filter. */
#ifndef SCRIPT_OPEN_H
#define SCRIPT_OPEN_H

#include "script/process.h"
#include "script/script.h"

/* script_guards() for workers with the filter, or without it as where there is none. */
const char *script_guards_of(bool unlocked);
struct script *script_open_with(process_main *run, const char *name, const char *text, size_t n,
                                const struct script_limits *limits, struct base_message *m);

#endif
