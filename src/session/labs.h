/* labs: the runs of a lab, one variant after the other. */
#ifndef SESSION_LABS_H
#define SESSION_LABS_H

#include "session/taking.h"
#include "session/turn.h"

/* ── a lab as a lesson ───────────────────────────────────────────────────────────────────────────
 * session_open() takes LEARNER_LAB "/NAME": a lesson of one step. */
#define LEARNER_LAB "lab"
/* The same of a lab that has no name in the table, such as a capstone of one's own; the caller's.
 */
struct lesson *session_lab_lesson(const struct experiment_lab *lab, struct base_message *m);
/* Tells a dialogue about it that a run is over, which was not run through session_lab_open_in(). */
bool session_lab_tell(struct lesson_dialogue *d, const struct experiment_lab *lab, size_t variant,
                      const struct experiment *run, struct base_message *m);

/* ── labs ────────────────────────────────────────────────────────────────────────────────────────
 * The runs of a lab, one variant after the other: wait on the descriptor, at most as long as is
 * said, and read. */
struct session_lab;
/* Starts the first run. `s`: the session whose step asks for it, which must outlive it; NULL
 * outside of a lesson. `turn`: a turn that has come, which it takes whatever becomes of it, and
 * gives back as soon as its runs are over; NULL: none is needed. NULL if it cannot be started; then
 * the dialogue was told why, and has events. */
struct session_lab *session_lab_open_in(struct session *s, const char *name,
                                        struct session_turn *turn, struct base_message *m);
/* Tells the session's dialogue why its lab does not run. */
void session_lab_refused(struct session *s, const char *why);
/* The same with the lab's recordings (experiment_recorded_on() says whether there are any), each
 * played so slowly that it takes `ms` at least. */
struct session_lab *session_lab_replay(struct session *s, const char *name, int ms,
                                       struct base_message *m);
/* A recording by itself, at a speed, played so slowly that it takes `ms` at least. NULL with the
 * message filled if it cannot be read, or its start does not say what ran. */
struct session_lab *session_lab_play(const char *path, double speed, int ms,
                                     struct base_message *m);
const struct experiment_lab *session_lab_what(const struct session_lab *l);
/* Which variant runs, or ran last. */
size_t session_lab_at(const struct session_lab *l);
/* The run of a variant; NULL if it was not begun. */
const struct experiment *session_lab_run(const struct session_lab *l, size_t variant);
bool session_lab_over(const struct session_lab *l);
/* What failed, in words; NULL if nothing did. */
const char *session_lab_trouble(const struct session_lab *l);
int session_lab_fd(const struct session_lab *l);
int session_lab_due(const struct session_lab *l);
/* Takes in what is there; a run that ended is kept, and the next one begun. True if something
 * changed. */
bool session_lab_read(struct session_lab *l);
/* Stops a recording where it is, or lets it go on; one more step of it. False for a run, which goes
 * as it goes. */
bool session_lab_pause(struct session_lab *l, bool paused);
bool session_lab_advance(struct session_lab *l);
/* Plays the current recording and those after it to their end, immediately. Not for a run. */
void session_lab_finish(struct session_lab *l);
/* A step of a recording back; faster or slower by a factor of two. False for a run. */
bool session_lab_back(struct session_lab *l);
bool session_lab_pace(struct session_lab *l, bool faster);
/* The id of the lesson that it belongs to; NULL outside of one. */
const char *session_lab_here(const struct session_lab *l);
/* What the learner said it would show, and what it does, which is the same pointer if that was
 * right; false if nothing was said. The step that asks for the runs knows. */
bool session_lab_guess(const struct session_lab *l, const char **said, const char **is);
/* The amount that the learner estimated, and what it is where the engine knows: "900 KB. It is:
 * 882.2 KB". NULL if none was. */
const char *session_lab_estimate(const struct session_lab *l);
/* Whether a run came to the end it was to come to: a good one, or out of memory where it was to die
 * of that. */
bool session_lab_well(const struct session_lab *l, size_t variant);
/* Outside of a lesson: keeps the runs in this learner's record. Call it before the first
 * session_lab_read(). */
void session_lab_keep(struct session_lab *l, struct learner *who);
/* The number under which a run was kept, 0 if it was not (yet). */
int64_t session_lab_number(const struct session_lab *l, size_t variant);
/* Of the lab `capstone`: what stands for what. NULL of others. */
const struct experiment_scale *session_lab_scale(const struct session_lab *l, size_t variant);
/* Asks the run to end, and begins no other; reading brings its end. */
void session_lab_cancel(struct session_lab *l);
/* Tells the dialogue that the runs are over, once; it then has events. */
void session_lab_end(struct session_lab *l);
/* Ends what still goes, and tells the dialogue. */
void session_lab_close(struct session_lab *l);

#endif
