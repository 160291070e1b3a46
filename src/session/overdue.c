/* overdue: a hand-in that waits, brought up to date outside of lessons. The record of the class may
 * not be the one in use: what waited when the class ended is in it. */
#include "session/inside.h"

#include <stdlib.h>

bool session_class_hand_in(struct base_message *m) {
    struct session_class in;
    if (!session_class_read(&in, m)) return false;
    if (!*in.folder || base_now() < in.settings.begins) return true;
    char *path = session_class_record(&in);
    struct learner *who = session_learner_open(path, m);
    struct store *s = who ? session_learner_store(who) : NULL;
    struct learner_class c = {.in = &in};
    bool handed = who != NULL;
    if (who && store_last_answer(s) > 0) {
        session_course_hash(who, c.course);
        c.rollover = session_learner_rollover(who);
        handed = session_classwork_hand_in(&c, s, m);
    }
    session_learner_close(who);
    free(path);
    return handed;
}
