/* asking: what a teacher asks the room at the front, and what comes back: votes in two rounds, the
 * questions at the end, and what the opening guess has become. Counts only, no names. */
#ifndef SESSION_ASKING_H
#define SESSION_ASKING_H

#include "session/slides.h"

/* Bars in pairs: before and after. */
struct session_bars {
    size_t bars;
    /* plain text or Markdown, one line each; the asking's or the slide's */
    const char *label[CLASSROOM_OPTIONS];
    /* of each pair how many, and of how many; `of` is 0 if that is not known yet */
    int count[CLASSROOM_ROUNDS][CLASSROOM_OPTIONS], of[CLASSROOM_ROUNDS][CLASSROOM_OPTIONS];
    /* what the two are called: "alone", "after talking" */
    const char *name[CLASSROOM_ROUNDS];
    /* each `of` is told next to its count */
    bool shares;
    /* from 1; 0: none is, or it is not shown yet */
    size_t right;
};

struct session_asking;
/* Opens the class of this folder for its teacher. NULL with the message filled;
 * session_asking_close() ends a vote that is open and frees it, and takes NULL. */
struct session_asking *session_asking_open(const char *folder, struct base_message *m);
void session_asking_close(struct session_asking *a);
/* Reads what changed, and counts. False with the message filled if that fails now. */
bool session_asking_look(struct session_asking *a, struct base_message *m);
/* Learners whose program runs now, and those who voted in this round and left. */
int session_asking_asked(const struct session_asking *a);

/* ── votes ─────────────────────────────────────────────────────────────────────────────────────*/
/* Begins a vote on a slide with options, or takes the open one on to its second round and then to
 * its end, when the right option is shown. False with the message filled if the class cannot be
 * asked. */
bool session_asking_vote(struct session_asking *a, const struct session_slide *s,
                         struct base_message *m);
/* Ends the vote that is open, if one is; its counts stay. `shows`: learners see the answer. */
bool session_asking_end(struct session_asking *a, bool shows, struct base_message *m);
/* The round of the vote that is open on this slide; 0: none is. */
enum classroom_round session_asking_round(const struct session_asking *a,
                                          const struct session_slide *s);
/* How many voted in it. */
int session_asking_voted(const struct session_asking *a);
/* How many had made this guess in the lesson before the vote on it began: they have seen its
 * answer, and their votes do not count. */
int session_asking_knowing(const struct session_asking *a);
/* The bars of the latest vote on this slide. False if there was none. */
bool session_asking_bars(const struct session_asking *a, const struct session_slide *s,
                         struct session_bars *out);

/* ── the questions at the end ──────────────────────────────────────────────────────────────────*/
/* Begins them: the items that most learners missed. False with the message filled if none was
 * missed, or the class cannot be asked. */
bool session_asking_exit(struct session_asking *a, struct base_message *m);
bool session_asking_exit_end(struct session_asking *a, struct base_message *m);
/* Whether they are open. */
bool session_asking_exits(const struct session_asking *a);
/* For each item, whose first answer was right: of all answers before, and since then. False if none
 * were begun. */
bool session_asking_exit_bars(struct session_asking *a, struct session_bars *out);

/* ── the opening guess ─────────────────────────────────────────────────────────────────────────*/
/* What the class guessed before it saw the answer, in the lesson or in the first round of the first
 * vote on the guess, and what it says now: by option, or how far off a number is. Now is the vote
 * on the guess again, else what those say who guessed again in the lesson. False if the lesson has
 * no guess, or no one guessed. */
bool session_asking_guesses(struct session_asking *a, const struct session_slides *all,
                            struct session_bars *out);

#endif
