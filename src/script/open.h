/* open: the door's script_open_text() with another worker behind it: tests put one there that answers garbage. */
#ifndef SCRIPT_OPEN_H
#define SCRIPT_OPEN_H

#include "script/process.h"
#include "script/script.h"
#include "script/worker.h"

struct script *script_open_with(process_main *run, const char *name, const char *text, size_t n,
                                const struct script_limits *limits, struct base_message *m);

#endif
