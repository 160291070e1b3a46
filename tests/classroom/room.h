/* room: a class's folder made for a test, below the test's scratch folder. */
#ifndef TEST_CLASSROOM_ROOM_H
#define TEST_CLASSROOM_ROOM_H

#include "classroom/classroom.h"

#include "base/scratch.h"

/* A new class called "sys-26", opened; its folder is scratch_path(state, "class"). */
struct classroom_folder *room_open(void **state, struct classroom_settings *s);

/* Calls `body` in a child, and waits until that has written a byte to `say`. */
pid_t room_child(void (*body)(void **state, int say), void **state);
/* What a child does that has said so, and stays until it is ended. */
_Noreturn void room_stay(int say);
/* Sends a signal (0: none) to a child, and waits for its end. */
void room_reap(pid_t child, int signal);

#endif
