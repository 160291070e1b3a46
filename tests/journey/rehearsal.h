/* rehearsal: a lesson taken once without any skin, by a learner who knows the answers. What was asked and what was
 * answered is kept, so that the same answers can be given through the skins, and the records compared.
 *
 * Ownership: rehearsal_free() frees. */
#ifndef REHEARSAL_H
#define REHEARSAL_H

#include "sitting/sitting.h"

struct rehearsed {
    enum study_form form;
    char text[96]; /* what was answered; "" for just going on */
    bool graded;
};
struct rehearsal {
    struct rehearsed *said;
    size_t count;
};
/* Takes `lesson` from its first step to its end with the learner's file at `store`. Every graded question is answered wrongly first, as one of
 * the mistakes it is about would have it, and then rightly. False with the message filled if the lesson does not get through. */
bool rehearse(const char *store, const char *lesson, struct rehearsal *out, struct base_message *m);
void rehearsal_free(struct rehearsal *r);

/* A home of its own for a learner, under /tmp; `name` tells them apart. Removed by home_remove(). */
struct home {
    char folder[64], store[96], variable[96]; /* ZEROTUTOR_HOME=… */
};
struct home home_new(const char *name);
/* The same learner (same seed, same record so far) once more. */
struct home home_copy(const struct home *from, const char *name);
void home_remove(struct home *h);
/* Every answer kept, one a line, without times: the caller's. */
char *home_answers(const struct home *h);
size_t home_count(const struct home *h);

#endif
