/* room: a class's folder made for a test, below the test's scratch folder. */
#ifndef TEST_CLASSROOM_ROOM_H
#define TEST_CLASSROOM_ROOM_H

#include "classroom/classroom.h"

#include "base/scratch.h"

/* A new class called "sys-26", opened; its folder is scratch_path(state, "class"). */
struct classroom_folder *room_open(void **state, struct classroom_settings *s);

#endif
