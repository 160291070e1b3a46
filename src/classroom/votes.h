/* classroom/votes.h: how the room voted: kept/votes.json, which only the teacher can read. It has
 * counts and no names.
 *
 *     {"zerotutor":"votes","format":1,"votes":[{"id","item","at","question","options":[…],
 *      "right":3,"alone":[2,3,12],"talked":[0,1,16]}]} */
#ifndef CLASSROOM_VOTES_H
#define CLASSROOM_VOTES_H

#include "classroom/board.h"

#define CLASSROOM_VOTES_FILE "votes.json"
enum { CLASSROOM_ROUNDS = 2, CLASSROOM_VOTES = 200 };

struct classroom_counted {
    /* as it was asked; its round is the last one */
    struct classroom_vote vote;
    /* "1.3/which-first" */
    char item[CLASSROOM_TITLE];
    /* when it began, seconds since 1970 by the teacher's clock */
    int64_t at;
    /* for each round, how many chose each option */
    int count[CLASSROOM_ROUNDS][CLASSROOM_OPTIONS];
};
/* In the order in which they began. */
struct classroom_votes {
    size_t votes;
    struct classroom_counted *vote;
};
/* Reads the file; none if it does not exist. False with the message, and none, if it cannot be
 * used. classroom_votes_free() frees them. */
bool classroom_votes_read(const struct classroom_folder *f, struct classroom_votes *out,
                          struct base_message *m);
void classroom_votes_free(struct classroom_votes *v);
bool classroom_votes_write(const struct classroom_folder *f, const struct classroom_votes *v,
                           struct base_message *m);
/* Adds a vote; the oldest goes if there are too many. */
void classroom_votes_add(struct classroom_votes *v, const struct classroom_counted *one);
/* The latest vote on an item; NULL if there was none. */
struct classroom_counted *classroom_votes_on(const struct classroom_votes *v, const char *item);

/* ── counting ──────────────────────────────────────────────────────────────────────────────────*/
/* What each account chose in this round. Who left keeps the choice. */
struct classroom_ballots {
    size_t count;
    struct classroom_ballot {
        char account[CLASSROOM_WORD];
        int choice;
    } * ballot;
};
/* Takes what an account chose, which replaces what it chose before: an account has one vote. What
 * is not an option, and more than CLASSROOM_HANDINS_MOST accounts, is not counted. */
void classroom_ballots_take(struct classroom_ballots *b, const struct classroom_vote *v,
                            const char *account, int choice);
/* Counts them. Returns how many there are. */
int classroom_ballots_count(const struct classroom_ballots *b, int out[CLASSROOM_OPTIONS]);

#endif
