/* A journal that keeps nothing. */
#ifndef COMMAND_FORGETFUL_H
#define COMMAND_FORGETFUL_H

#include "lesson/lesson.h"

extern const struct lesson_journal command_forgetful_journal;

#endif
