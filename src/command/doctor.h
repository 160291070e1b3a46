/* Inside command: what doctor's checks find. */
#ifndef COMMAND_DOCTOR_H
#define COMMAND_DOCTOR_H

#include "base/base.h"

struct arguments;
enum state { FINE, NOTED, BROKEN };
struct finding {
    enum state state;
    struct base_text text;
};
/* Adds to the text, and says how bad it is. */
void command_doctor_find(struct finding *f, enum state state, const char *text);

/* command_doctor_lab.c: the lab's programs, and the GPUs they find or why not. */
void command_doctor_lab(const struct arguments *a, struct finding *f);
void command_doctor_gpus(const struct arguments *a, struct finding *f);

#endif
