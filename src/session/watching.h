/* watching: a class as its teacher sees it while it works. The class's files are read again when
 * they changed; classroom/overview.h counts what they say, and the lessons and the engine put it
 * into words. */
#ifndef SESSION_WATCHING_H
#define SESSION_WATCHING_H

#include "classroom/classroom.h"

struct session_watch;
/* Opens the class of this folder, for the account that may list its hand-ins. NULL with the message
 * filled; session_watch_close() frees it, and takes NULL. */
struct session_watch *session_watch_open(const char *folder, struct base_message *m);
void session_watch_close(struct session_watch *w);
/* Reads what changed. False with the message filled if the folder cannot be read now; what was read
 * before stays. */
bool session_watch_look(struct session_watch *w, struct base_message *m);

/* What was seen at the last look; the watch's, until the next one. */
const struct classroom_overview *session_watch_overview(const struct session_watch *w);
const struct classroom_sight *session_watch_sight(const struct session_watch *w);
const struct classroom_board *session_watch_board(const struct session_watch *w);
/* The table of the speed challenge, of those who opted in, who gained most first. Learners'
 * programs read it from the class's folder, to which the teacher's program writes it. */
const struct classroom_races *session_watch_races(const struct session_watch *w);
/* Files in handins/ that cannot be used: `zerotutor class doctor` lists them. */
size_t session_watch_unread(const struct session_watch *w);

/* What a seat is called: its name, or account, with who shares the keyboard; "seat 7" if names are
 * hidden. The caller's. */
char *session_watch_name(const struct session_watch *w, size_t seat, bool names);
/* The same of whose ticket it is, who may be of another class. */
char *session_watch_whose(const struct session_watch *w, const struct classroom_ticket *t,
                          bool names);
/* The labs that run, and those that wait in their line; the watch's, until the next look. */
size_t session_watch_line(const struct session_watch *w, const struct classroom_placed **out);
/* The steps of a lesson that learners come past, 0 if the course has no such lesson; and one of
 * them by its place. The title may be "". */
size_t session_watch_steps(struct session_watch *w, const char *lesson);
struct session_watch_step {
    const char *id, *title;
} session_watch_step(struct session_watch *w, const char *lesson, size_t nth);
/* The title of an item, and a mistake as people say it; the caller's. */
char *session_watch_title(struct session_watch *w, const char *item);
/* The title of a mistake's item, with the lesson's number before it if the room is in another. */
char *session_watch_slip_title(struct session_watch *w, const struct classroom_slip *s);
char *session_watch_mistake(const char *mistake);

/* What a teacher says about a mistake. Each text may be NULL; freed by session_slip_free(). */
enum { SESSION_TYPED = 2 };
struct session_slip {
    char *title, *mistake;
    /* why it is wrong */
    char *explain;
    /* with the numbers of one learner: the line that yields the wrong number, and where it goes
     * wrong */
    char *arithmetic, *wrong;
    /* the bars of that learner's number and of the right one; NULL if no bytes add up to them */
    json_t *figure;
    /* wrong answers as they were typed, of different learners */
    size_t typed;
    char *answer[SESSION_TYPED];
    /* to put to the room */
    char *question;
};
/* Finds it in the hand-ins; the caller frees what it fills. */
void session_watch_slip(struct session_watch *w, const struct classroom_slip *s,
                        struct session_slip *out);
void session_slip_free(struct session_slip *s);

/* Shows a line in the status bar of all (`seat` < 0) or of one learner. False with the message
 * filled if the board cannot be written. */
bool session_watch_nudge(struct session_watch *w, int seat, const char *text,
                         struct base_message *m);
/* Opens a step for all: learners' programs offer to go there. NULL: none is open any longer. False
 * with the message filled if the board cannot be written. */
bool session_watch_open_step(struct session_watch *w, const char *lesson, const char *step,
                             struct base_message *m);
/* Asks the exit questions, the problems that most learners missed, and ends them; what was answered
 * stays. False with the message filled if no problem was missed, or the board cannot be written. */
bool session_watch_ask_exit(struct session_watch *w, struct base_message *m);
bool session_watch_end_exit(struct session_watch *w, struct base_message *m);
/* Gives one learner so many minutes more than before, for all deadlines and the class's end; fewer
 * if it is negative. Returns how many it is now, -1 with the message filled. */
int session_watch_extend(struct session_watch *w, size_t seat, int minutes, struct base_message *m);
/* Seconds that a learner has longer than the others. */
int64_t session_watch_extra(const struct session_watch *w, size_t seat);

#endif
