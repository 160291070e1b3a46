/* overdue: what follows when a class is over: a hand-in that waits is brought up to date, and the
 * learner goes home. The record of the class is then not the one in use. */
#include "session/inside.h"

#include <stdlib.h>
#include <sys/stat.h>

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

/* ── home again ────────────────────────────────────────────────────────────────────────────────*/
/* The class that is over, or else was left last, if it has a record. */
static bool find_over(struct session_class *c) {
    struct stat it;
    bool in = session_class(c),
         over = in ? !c->running && !session_class_is_ahead(c) : session_class_left(c);
    char *path = over ? session_class_record(c) : NULL;
    over = over && stat(path, &it) == 0;
    free(path);
    return over;
}

static void count_note(void *to, const struct store_note *n) {
    (void)n;
    ++*(size_t *)to;
}

/* Whether nothing was answered or noted; lessons may have been opened. */
static bool is_blank(struct learner *who) {
    struct store *s = session_learner_store(who);
    size_t notes = 0;
    return store_last_answer(s) == 0 && store_notes(s, NULL, NULL, count_note, &notes, NULL) &&
           notes == 0;
}

/* A record into which another can be copied; NULL with the message filled. Where lessons were only
 * opened, that is forgotten. */
static struct learner *empty_own(struct learner *own, struct base_message *m) {
    if (session_learner_is_new(own)) return own;
    bool emptied = session_learner_delete(own, false, m);
    session_learner_close(own);
    return emptied ? session_learner_open(NULL, m) : NULL;
}

bool session_class_take_home(struct base_message *m) {
    struct session_class c;
    if (!find_over(&c)) return false;
    char *path = session_class_record(&c);
    struct learner *own = session_learner_open(NULL, m),
                   *in = own && is_blank(own) ? session_learner_open(path, m) : NULL;
    bool takes = in && !is_blank(in);
    if (takes) own = empty_own(own, m);
    bool taken = takes && own && session_learner_copy(own, in, m);
    session_learner_close(in);
    session_learner_close(own);
    free(path);
    return taken;
}

bool session_learner_turn(struct learner **who, struct base_message *m) {
    size_t n;
    const struct session_command *commands = session_learner_commands(*who, &n);
    session_class_take_home(NULL); /* if it fails, all of it stays in the class's record */
    struct learner *next = session_learner_open(NULL, m);
    if (!next) return false;
    session_learner_set_commands(next, commands, n);
    session_learner_close(*who);
    *who = next;
    return true;
}
