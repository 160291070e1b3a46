/* stand_in: labs that the stand-in for zerolab runs (tests/experiment/zerolab.sh), in a real
 * terminal. What it does is in its environment: "FAKE=hang". */
#ifndef STAND_IN_H
#define STAND_IN_H

#include "launch.h"

#include <stdbool.h>

#define LESSON "tests/screen/lessons/labs.lua"

/* Finds the stand-in and opens a place. A cmocka setup function; place_close() is its teardown. */
int stand_in_open(void **state);
/* Puts another ZEROLAB=PATH in its place; NULL: the stand-in again. */
void stand_in_use(const char *variable);
/* ZEROLAB=PATH, for launch(). */
const char *stand_in_variable(void);
/* Launches the app; "" as the lesson opens home. */
struct tty *stand_in_start(const char *lesson, const char *fake, int columns, int rows, bool ascii);
/* The app at the lab of LESSON, the guess made. */
struct tty *stand_in_at_lab(const char *fake);

/* From the list of labs, at one that asks for a choice and an amount: opens it, guesses ("2"; "":
 * nothing), and runs it. */
void stand_in_take(struct tty *t, const char *guess);
/* Skips ahead to what the run has reached. */
void stand_in_catch_up(struct tty *t);

#endif
