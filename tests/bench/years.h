/* years.h: the record of a learner who answered for five years, for the measurements here. */
#ifndef TESTS_BENCH_YEARS_H
#define TESTS_BENCH_YEARS_H

enum { YEARS_ANSWERS = 300000 };

/* Makes an empty record, as the first start leaves it. Ends the program if it cannot. */
void years_empty(const char *path);
/* Makes a record of YEARS_ANSWERS answers up to yesterday: to each problem and card of each lesson
 * of the course, all of them finished, with the numbers that the lessons draw for this learner at
 * this try, so that whatever judges the record draws them again; and with 2,000 notes
 * and bookmarks, 400 rounds of the speed challenge and 60 runs of labs. What the program keeps to
 * be faster is older than the latest answers, by as many as it ever lets come. Takes half a minute.
 * Ends the program if it cannot. */
void years_make(const char *path);

/* Takes all that the program keeps to be faster out of a record, as if it had been imported. */
void years_forget(const char *path);

/* Says on stderr what went wrong, and ends the program. */
_Noreturn void years_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
