/* course: what the tests share that take every lesson of the course: a test for each lesson, homes
 * of the same learner, and the comparison of their records. */
#ifndef JOURNEY_COURSE_H
#define JOURNEY_COURSE_H

#include "journey/rehearsal.h"

struct course_test {
    /* "every mistake" */
    const char *name;
    /* *state is the lesson's id */
    void (*run)(void **state);
};
/* Runs each test with each lesson of the course that has a file as a cmocka group; returns main's
 * status. */
int course_run(const struct course_test *tests, size_t count);

/* Whether TEST_ALL=1 asks for everything: other numbers each time then, and all mistakes at the
 * full screen. */
bool course_all(void);
/* The same fresh learner twice: for the rehearsal, and for a skin. */
struct course_homes {
    struct home rehearsed, skin;
    uint64_t seed;
};
struct course_homes course_homes(const char *lesson);
void course_homes_remove(struct course_homes *h);
/* Rehearses; fails the test where the lesson does not get through, or a verdict is not what the
 * answer deserves. */
void course_rehearse(const struct course_homes *h, const char *lesson, struct rehearsal_way way,
                     struct rehearsal *out);
/* Fails where the skin left another record than the rehearsal. */
void course_same_record(const struct course_homes *h, const char *lesson);
/* The text with single blanks between its words, whatever its lines were; the caller's. */
char *course_words(const char *text);

#endif
