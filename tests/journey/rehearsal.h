/* rehearsal: a lesson taken once without any skin, by a learner who knows the answers. What was
 * asked and what was answered is kept, so that the same answers can be given through the skins, and
 * the records compared.
 *
 * Ownership: rehearsal_free() frees. */
#ifndef REHEARSAL_H
#define REHEARSAL_H

#include "session/session.h"

struct rehearsal_way {
    /* so many wrong answers to a question before its right one, as long as there are others to
     * make */
    size_t wrong;
    /* which of the recognised mistakes is made first: its place in account_mistakes() */
    size_t from;
    /* each slider and each play is moved, once or from end to end if `wrong` is more than one */
    bool moves;
    /* the memo that is handed in as it is; NULL: none is */
    const char *memo;
    /* of a review: `wrong` counts only for every so many-th question; 0: for each */
    size_t every;
};
#define REHEARSE_ALL 10000 /* of `wrong`: each recognised mistake, each wrong choice */

struct rehearsed {
    enum lesson_form form;
    /* what was answered; "" for just going on */
    char text[160];
    /* what is pressed at the full screen where that is no answer */
    char keys[48];
    /* "1.1/two-bytes" */
    char item[96];
    bool graded, right;
    /* made on purpose; NULL mostly */
    const struct account_mistake *mistake;
    /* from 0, as the skins count */
    size_t step;
    int try;
};
struct rehearsal {
    struct rehearsed *said;
    size_t count;
    /* recognised ones that were made */
    size_t mistakes;
    /* a line for each verdict that was not what the answer deserved; "" if all were */
    char *complaints;
};
/* Takes `lesson`, which may be a check or LEARNER_REVIEW, from its first step to its end with the
 * learner's file at `store`. False with the message filled if the lesson does not get through. */
bool rehearse(const char *store, const char *lesson, struct rehearsal_way way,
              struct rehearsal *out, struct base_message *m);
void rehearsal_free(struct rehearsal *r);

/* A home of its own for a learner, under /tmp; `name` tells them apart. Removed by
 * home_remove(). */
struct home {
    /* ZEROTUTOR_HOME=… */
    char folder[64], store[96], variable[96];
};
struct home home_new(const char *name);
/* The same learner (same seed, same record so far) once more. */
struct home home_copy(const struct home *from, const char *name);
void home_remove(struct home *h);
/* Gives a learner whose record is there already another seed, so that the numbers of all problems
 * are known ones. */
void home_seed(const struct home *h, uint64_t seed);
/* Every answer kept, one a line, without times: the caller's. */
char *home_answers(const struct home *h);
size_t home_count(const struct home *h);

#endif
