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

/* When the class begins, ends or ended, as a sentence; the caller's. `ends`: for whom one asks. */
char *command_class_state(const struct classroom_settings *s, int64_t ends);
/* A time for a table, the caller's: "–" for 0. */
char *command_class_time(int64_t when);
/* The name of an account's files, the caller's: what cannot be in one is a '-', and if `taken` has
 * it, a number follows. Adds it to `taken`. */
char *command_class_file(const char *account, json_t *taken);
/* `class status FOLDER`: who is in the class, for the teacher. */
int command_class_room(const struct arguments *a);

/* verbs */
int command_class_new(const struct arguments *a);
int command_class_set(const struct arguments *a);
int command_class_close(const struct arguments *a);
int command_class_roster(const struct arguments *a);
int command_class_join(const struct arguments *a);
int command_class_leave(const struct arguments *a);
int command_class_nickname(const struct arguments *a);
int command_class_status(const struct arguments *a);
int command_class_doctor(const struct arguments *a);
int command_class_plan(const struct arguments *a);
int command_class_rehearse(const struct arguments *a);
int command_class_watch(const struct arguments *a);
int command_class_queue(const struct arguments *a);
int command_class_collect(const struct arguments *a);
int command_class_grade(const struct arguments *a);
int command_class_reports(const struct arguments *a);
int command_class_remark(const struct arguments *a);
int command_class_export(const struct arguments *a);

#endif
