/* classwork: what a class gets from a lesson that is taken: the hand-in, brought up to date after
 * each answer; where the learner is; and a raised hand. All of it only while the record in use is
 * the class's. What cannot be written just now never stops a learner: it is tried again with the
 * next answer and when the lesson is left. */
#ifndef SESSION_CLASSWORK_H
#define SESSION_CLASSWORK_H

#include "session/learner.h"
#include "session/membership.h"

/* The class whose record this is, as it was when it was looked at last; NULL if it is none, or if
 * the class is over. The learner's. */
const struct session_class *session_in_class(const struct learner *who);
/* "sys-26 runs until 13:30. 1.1 is due at 10:45." or "sys-26 begins at 13:30.", the caller's; NULL
 * if the learner is in no class, or it is over. */
char *session_class_hours(const struct learner *who);
/* What to show of it on one line, the caller's: that it began or ended meanwhile
 * (session_learner_turns()), a raised hand, and since when the hand-in waits. NULL: nothing. */
char *session_class_line(const struct learner *who);
/* Whether the hand is raised. It goes down when the lesson is left. */
bool session_hand(const struct learner *who);
/* Raises or lowers it. False with the message filled if the class cannot be told; then it stays as
 * it is. */
bool session_raise_hand(struct learner *who, bool raised, struct base_message *m);
/* The step that the teacher opened for all. False if none is open, if this program's lessons do not
 * have it, or if the learner has been there. The strings are the learner's, until the next event.
 */
struct session_open_step {
    const char *lesson, *step, *title;
};
bool session_class_open_step(struct learner *who, struct session_open_step *out);

/* ── what the teacher asks (asked.c) ───────────────────────────────────────────────────────────*/
/* Milliseconds until session_class_look() has something to do; -1: never, there is no class. */
int session_class_wait(const struct learner *who);
/* Looks at the class's board, which takes a moment only if it changed. True if it says something
 * new, for session_class_line() and those below. Nothing if it is not time yet. */
bool session_class_look(struct learner *who);
/* The vote that is asked or whose answer is shown, NULL if there is none; the learner's, until the
 * next look. And the option that was chosen in this round, from 1; 0: none was. */
const struct classroom_vote *session_class_vote(const struct learner *who);
int session_class_voted(const struct learner *who);
/* Whether a vote waits for this learner. It comes before the questions at the end, which take
 * longer. */
bool session_class_votes(const struct learner *who);
/* Chooses an option, from 1, of the vote that is asked; it may be changed while the round lasts.
 * False with the message filled if nothing is asked, or the class cannot be told. */
bool session_vote(struct learner *who, int choice, struct base_message *m);
/* Whether the teacher asks exit questions that were not all answered and are not open: LEARNER_EXIT
 * opens those that are left. */
bool session_class_exits(struct learner *who);
/* What the teacher asks and waits to be answered, on one line, the caller's; NULL: nothing. */
char *session_class_asks(struct learner *who);

/* Brings the hand-in of the class that one is in up to date, outside of lessons, also after the
 * class: then with the answers from before its end. True if there is no class or nothing to hand
 * in; false with the message filled. */
bool session_class_hand_in(struct base_message *m);
/* Copies the record of the class that is over or was left last into the learner's own, if nothing
 * was answered or noted in that one: who first met the course in a class goes on at home where it
 * ended. Two records are never mixed. True if it was copied; false with the message filled if that
 * failed. */
bool session_class_take_home(struct base_message *m);

#endif
