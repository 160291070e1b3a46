/* classroom/presence.h: where a learner is now: handins/HEX.now, which the learner's program
 * replaces at each step. Readers take how old it is from the file's time, which is the file
 * server's. */
#ifndef CLASSROOM_PRESENCE_H
#define CLASSROOM_PRESENCE_H

#include "classroom/settings.h"

struct classroom_presence {
    char account[CLASSROOM_WORD], with[CLASSROOM_WORD];
    /* the id of the lesson, "" outside of lessons; of the step; and the step's title */
    char lesson[CLASSROOM_WORD], step[CLASSROOM_WORD], title[CLASSROOM_TITLE];
    /* the step's number from 1, and how many there are */
    int number, of;
    /* seconds at this step when it was written; as it is read: until now, by the file server's
     * clock as the reader's `now` has it */
    int64_t since;
    /* "1.1/ddp-7b", "" without a question; tries at it so far; the mistake that the last one made,
     * or "" */
    char item[CLASSROOM_TITLE];
    int tries;
    char mistake[CLASSROOM_TITLE];
    /* a hand is raised, and what was said with it, or "" */
    bool hand;
    char said[CLASSROOM_TITLE];
    /* a vote of the board: its id, "" for none, its round, and the option that was chosen, from 1
     */
    char vote[CLASSROOM_WORD];
    int round, choice;
    /* as it is read: who wrote it, and when, by the file server's clock */
    uid_t owner;
    int64_t changed;
};
/* Replaces the file. `name` is the hand-in's, without an ending. */
bool classroom_presence_write(const struct classroom_folder *f, const char *name,
                              const struct classroom_presence *p, struct base_message *m);
/* Takes the file away: the learner's program ended. */
void classroom_presence_remove(const struct classroom_folder *f, const char *name);
/* Reads the file of any account; its texts are safe to show and end where they are too long. False
 * with the message if it is not there, cannot be used, or names another account than its owner
 * (unless the class is synchronised). */
bool classroom_presence_read(const struct classroom_folder *f, const char *name,
                             const struct classroom_settings *s, struct classroom_presence *out,
                             struct base_message *m);

#endif
