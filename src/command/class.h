/* What the files of `zerotutor class` share. */
#ifndef COMMAND_CLASS_H
#define COMMAND_CLASS_H

#include "command/internal.h"

#include "classroom/classroom.h"

/* Opens the class's folder that operand `i` names and reads its settings. False after the message
 * was printed. The caller closes *f. */
bool command_class_open(const struct arguments *a, size_t i, struct classroom_folder **f,
                        struct classroom_settings *s);
/* The same, for its teacher alone. */
bool command_class_open_as_teacher(const struct arguments *a, size_t i, struct classroom_folder **f,
                                   struct classroom_settings *s);

/* verbs */
int command_class_new(const struct arguments *a);
int command_class_set(const struct arguments *a);
int command_class_close(const struct arguments *a);

#endif
