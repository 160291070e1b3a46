/* pupils: hand-ins as learners of a class make them, with the numbers that the lessons draw for
 * each of them. */
#ifndef TEST_SESSION_PUPILS_H
#define TEST_SESSION_PUPILS_H

#include "session/session.h"

/* The lessons of the course, opened. Ends the program if they do not load. */
struct pupils *pupils_open(void);
void pupils_close(struct pupils *p);
/* A group of tests has them open, of the lessons in this folder: its set-up and its end. */
extern struct pupils *pupils;
int pupils_begin(void **state);
int pupils_end(void **state);

/* A row as it is handed in; the strings are its own. */
struct pupils_row {
    char *item, *problem, *typed, *verdict, *mistake;
    /* of a sheet, or NULL */
    const char *line;
    int64_t time;
    int try;
    uint64_t seed;
    double value, seconds;
    bool right;
};
/* What an account answers: `n` answers, in turn to each problem of the plan's lessons with one
 * answer to type, choose, sort or order (all lessons, if the plan names none); one of four is
 * wrong. The caller frees it with pupils_free(). */
struct pupils_row *pupils_answers(struct pupils *p, const struct classroom_settings *s,
                                  const char *account, size_t n);
void pupils_free(struct pupils_row *row, size_t n);
/* Judges the row again after its text was changed. */
void pupils_judge(struct pupils_row *row);
/* The rows as the text of a hand-in; the caller's. `version`: of the format, 1. */
char *pupils_text(const struct pupils *p, const struct classroom_settings *s, const char *account,
                  const struct pupils_row *row, size_t n, int format, size_t *length);
/* The SHA-256 of the lessons, as hand-ins name it; another one from now on. */
const char *pupils_course(const struct pupils *p);
void pupils_set_course(struct pupils *p, const char *course);

#endif
