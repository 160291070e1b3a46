/* watched: a class as it was seen last. Private to watching.c and watch_words.c. */
#ifndef SESSION_WATCHED_H
#define SESSION_WATCHED_H

#include "session/inside.h"

#include <sys/stat.h>

/* A hand-in as it was read last. */
struct watched {
    char name[CLASSROOM_NAME];
    struct stat was;
    /* it could be used; and was there at this look */
    bool good, seen;
    char account[CLASSROOM_WORD], with[CLASSROOM_WORD];
    struct classroom_tally tally;
    struct classroom_races races;
    /* since when the hand is up */
    int64_t hand;
};
struct session_watch {
    struct classroom_folder *folder;
    struct classroom_settings settings;
    /* to read lessons in */
    struct learner *course;
    /* seconds that the file server's clock is ahead of this one */
    int64_t ahead;
    /* who had more time and which hand-ins were there when learners were told of it last */
    uint64_t told;
    size_t files;
    struct watched *file;
    size_t seats, unread;
    struct classroom_seat *seat;
    struct classroom_tickets tickets;
    struct classroom_turn *turn;
    /* ticks when Slurm is asked again */
    int64_t labs_due;
    size_t places;
    struct classroom_placed *place;
    struct classroom_board board;
    struct classroom_races races;
    struct classroom_sight sight;
    struct classroom_overview overview;
};

#endif
