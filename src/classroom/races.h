/* classroom/races.h: the table of the speed challenge, for those who opt in. Who gives a nickname
 * opts in: the record keeps it as an answer that is not graded, so that it is handed in with the
 * rounds, and the last one counts. The teacher's program writes the table from the hand-ins to
 * speed.json, which has nicknames and no accounts:
 *
 *     {"zerotutor":"speed","format":1,"race":[{"nickname","subject","ms","choose","rounds","first",
 *      "best"}]}
 *
 * Learners' programs read it. All of it is as the learners' programs counted: a game, no grade. */
#ifndef CLASSROOM_RACES_H
#define CLASSROOM_RACES_H

#include "classroom/handin.h"

#define CLASSROOM_SPEED    "speed.json"
#define CLASSROOM_NICKNAME "class/nickname" /* the item; its problem is {"nickname":…} */
/* A nickname's bytes with its end, and cells; the rows of a table; and right answers of a round. */
enum {
    CLASSROOM_NICK = 64,
    CLASSROOM_NICK_CELLS = 16,
    CLASSROOM_RACES = 4096,
    CLASSROOM_ROUND_MOST = 600
};

/* A learner's rounds of one kind. */
struct classroom_race {
    char nickname[CLASSROOM_NICK];
    /* "traffic", or "all"; milliseconds, 0 without a clock; by a choice of four */
    char subject[CLASSROOM_WORD];
    int64_t ms;
    bool choose;
    /* right answers in the first and in the best of so many rounds */
    int rounds, first, best;
};
struct classroom_races {
    size_t count;
    struct classroom_race *race;
};
/* Makes a nickname safe to show: on one line, of printable characters, at most
 * CLASSROOM_NICK_CELLS wide, without blanks around it. "" if nothing is left. */
void classroom_nickname(char out[CLASSROOM_NICK], const char *typed);
/* Adds the races of a hand-in, none if it has no nickname. Rows that no round can have are passed
 * over. */
void classroom_races_add(struct classroom_races *r, const struct classroom_handin *h);
/* Adds all of another table, as many as there is room for. */
void classroom_races_join(struct classroom_races *r, const struct classroom_races *more);
/* Sorts it: who gained most first, then who has the best round. */
void classroom_races_sort(struct classroom_races *r);
void classroom_races_free(struct classroom_races *r);
/* Reads speed.json, which must be the teacher's; an empty table if it does not exist. False with
 * the message filled if it cannot be used. */
bool classroom_races_read(const struct classroom_folder *f, struct classroom_races *out,
                          struct base_message *m);
/* Writes it; the teacher's program does. */
bool classroom_races_write(const struct classroom_folder *f, const struct classroom_races *r,
                           struct base_message *m);

#endif
