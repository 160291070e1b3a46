/* place: a world of its own for a test: the sample course, an empty record, a fixed date. */
#ifndef PLACE_H
#define PLACE_H

/* Makes it, and points ZEROTUTOR_SHARE, ZEROTUTOR_HOME and ZEROTUTOR_NOW at it. A cmocka setup
 * function. */
int place_open(void **state);
/* Puts the course with several phases, tests/session/lessons/mixed.json, in the sample's place. */
void place_mixed(void);
/* Puts the course itself there, with its recordings. */
void place_course(void);
/* Makes it with the course itself. A cmocka setup function. */
int place_open_course(void **state);
/* Makes it with the course itself, whose first lesson was gone through the day before without an
 * answer: reviews are due. A cmocka setup function. */
int place_second_day(void **state);
/* Removes it. A cmocka teardown function. */
int place_close(void **state);
/* Where the learner's files are. */
const char *place_home(void);
/* What stands for the installed course. */
const char *place_share(void);

#endif
