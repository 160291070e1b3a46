/* classroom/board.h: what the teacher says to the room now: board.json. The teacher's program
 * writes it and learners' programs read it, so it is checked as any file of another account is.
 *
 *     {"zerotutor":"board","format":1,
 *      "nudges":[{"id","to":a mark or "","text","at":seconds since 1970}],
 *      "open":{"lesson","step"} or null,
 *      "vote":{"id","question","options":[…],"round":1|2|"shown","right":option from 1} or null,
 *      "exit":{"id","items":["1.3/one-stage",…],"at"} or null}
 *
 * Learners can read the file, so the right option is 0 in it until it is shown, and a mark says to
 * whom a nudge goes: it follows from the nudge's id and the name of the learner's hand-in, which
 * only the learner and the teacher know. */
#ifndef CLASSROOM_BOARD_H
#define CLASSROOM_BOARD_H

#include "classroom/settings.h"

#define CLASSROOM_BOARD "board.json"

/* The board keeps so many nudges; an older one goes when another is added. */
enum { CLASSROOM_NUDGES = 32, CLASSROOM_OPTIONS = 9, CLASSROOM_EXITS = 3, CLASSROOM_ASKED = 240 };

/* a line in the learners' status bars */
struct classroom_nudge {
    char id[CLASSROOM_WORD];
    /* the mark of one learner, half a SHA-256; "" is all */
    char to[CLASSROOM_WORD];
    char text[CLASSROOM_TITLE];
    /* seconds since 1970, by the teacher's clock */
    int64_t at;
};
/* alone, after talking, with the answer */
enum classroom_round { CLASSROOM_ALONE = 1, CLASSROOM_TALKED, CLASSROOM_SHOWN };
struct classroom_vote {
    /* "" without a vote */
    char id[CLASSROOM_WORD];
    /* plain text */
    char question[CLASSROOM_ASKED];
    size_t options;
    char option[CLASSROOM_OPTIONS][CLASSROOM_ASKED];
    enum classroom_round round;
    /* the right option, from 1; 0: none is, or it is not shown yet */
    int right;
};
/* the last questions of a class, to be answered by all */
struct classroom_exit {
    /* "" without any */
    char id[CLASSROOM_WORD];
    size_t items;
    char item[CLASSROOM_EXITS][CLASSROOM_TITLE];
    /* when they began, seconds since 1970 by the teacher's clock */
    int64_t at;
};
struct classroom_board {
    /* the latest last */
    size_t nudges;
    struct classroom_nudge nudge[CLASSROOM_NUDGES];
    /* A step that is open for all; "" if none is. */
    char lesson[CLASSROOM_WORD], step[CLASSROOM_WORD];
    struct classroom_vote vote;
    struct classroom_exit exit;
};

/* Reads the board, which must be the teacher's; an empty one if the file does not exist. Texts are
 * on one line and safe to show. False with the message, and an empty board, if it cannot be used.
 */
bool classroom_board_read(const struct classroom_folder *f, struct classroom_board *out,
                          struct base_message *m);
/* Writes it; the teacher's program does. False with the message filled. */
bool classroom_board_write(const struct classroom_folder *f, const struct classroom_board *b,
                           struct base_message *m);
/* Adds a nudge under a new random id. `handin`: the name of the learner's hand-in, or "" for all.
 * False with the message if there is nothing to show in the text. */
bool classroom_board_nudge(struct classroom_board *b, const char *handin, const char *text,
                           int64_t at, struct base_message *m);
/* Whether a nudge is to who has this hand-in, and not to all. */
bool classroom_nudge_is_to(const struct classroom_nudge *n, const char *handin);
/* The latest nudge to who has this hand-in or to all; NULL if there is none. */
const struct classroom_nudge *classroom_board_nudge_to(const struct classroom_board *b,
                                                       const char *handin);

#endif
