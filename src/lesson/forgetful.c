/* forgetful: a journal that keeps nothing, for lessons that are walked through and not learned. */
#include "lesson/journal.h"

static bool forget_answer(void *self, const struct lesson_answer *a, struct base_message *m) {
    return (void)self, (void)a, (void)m, true;
}
static bool nowhere(void *self, const char *lesson, struct lesson_place *out,
                    struct base_message *m) {
    (void)self, (void)lesson, (void)m;
    *out = (struct lesson_place){0};
    return true;
}
static bool forget_place(void *self, const char *lesson, const struct lesson_place *p,
                         struct base_message *m) {
    return (void)self, (void)lesson, (void)p, (void)m, true;
}
static bool no_answers(void *self, const char *item,
                       void (*each)(void *to, const struct lesson_answer *a), void *to,
                       struct base_message *m) {
    return (void)self, (void)item, (void)each, (void)to, (void)m, true;
}

const struct lesson_journal lesson_forgetful_journal = {NULL,         forget_answer, nowhere,
                                                        forget_place, no_answers,    NULL};
