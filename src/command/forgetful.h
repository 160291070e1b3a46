/* A journal that keeps nothing. */
#ifndef COMMAND_FORGETFUL_H
#define COMMAND_FORGETFUL_H

#include "study/study.h"

extern const struct study_journal forgetful_journal;

#endif
