/* asked: what the teacher asks the room, looked up on the class's board while nothing else happens:
 * votes, and the questions at the end. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 5000 };

/* ── looking ───────────────────────────────────────────────────────────────────────────────────*/
static bool board_changed(struct learner_class *c) {
    struct stat now = {0}, was = c->board_was;
    char *path = base_format("%s/" CLASSROOM_BOARD, c->in->folder);
    if (lstat(path, &now) != 0) now = (struct stat){0};
    free(path);
    c->board_was = now;
    return now.st_ino != was.st_ino || now.st_size != was.st_size ||
           now.st_mtim.tv_sec != was.st_mtim.tv_sec || now.st_mtim.tv_nsec != was.st_mtim.tv_nsec;
}

/* A line of the teacher is shown until the next thing that the learner does. */
static void take_nudge(struct learner_class *c) {
    const struct classroom_nudge *n = classroom_board_nudge_to(&c->board, c->in->handin);
    if (!n || strcmp(n->id, c->nudge.id) == 0) return;
    c->nudge = *n;
    c->nudged = true;
}

/* A class that was closed or left meanwhile asks nothing. */
static bool has_ended(struct learner_class *c) {
    bool ran = c->in->running;
    c->in->running = session_classwork_again(c) && c->in->running;
    if (!c->in->running) c->board = (struct classroom_board){.nudges = 0};
    if (!c->in->running) session_pacing_see(c, &c->board);
    c->turned = !c->in->running;
    return ran && c->turned;
}

/* A class that was joined before it began. */
static bool has_begun(struct learner_class *c) {
    struct session_class now;
    bool same = session_class(&now) && strcmp(now.settings.id, c->ahead->settings.id) == 0;
    if (same) *c->ahead = now;
    c->turned = same && now.running;
    if (c->turned || (same && session_class_is_ahead(&now))) return c->turned;
    free(c->ahead); /* it was left, or closed */
    c->ahead = NULL;
    return false;
}

bool session_classwork_look(struct learner_class *c) {
    c->look = base_ticks() + LOOK_MS;
    if (c->ahead) return has_begun(c);
    if (has_ended(c)) return true;
    if (!c->in->running || !board_changed(c)) return false;
    struct classroom_folder *f = classroom_open(c->in->folder, NULL);
    if (f && classroom_board_read(f, &c->board, NULL)) session_pacing_see(c, &c->board);
    classroom_close(f);
    take_nudge(c);
    return true;
}

int session_class_wait(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    int64_t left = c->look - base_ticks();
    if (c->turned || !(c->ahead || (c->in && c->in->running))) return -1;
    return left < 0 ? 0 : left > LOOK_MS ? LOOK_MS : (int)left;
}

bool session_class_look(struct learner *who) {
    return session_class_wait(who) == 0 && session_classwork_look(session_learner_classwork(who));
}

/* ── votes ─────────────────────────────────────────────────────────────────────────────────────*/
const struct classroom_vote *session_class_vote(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    return c->in && *c->board.vote.id ? &c->board.vote : NULL;
}

int session_class_voted(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    const struct classroom_vote *v = session_class_vote(who);
    bool this = v && strcmp(c->now.vote, v->id) == 0 && c->now.round == (int)v->round;
    return this ? c->now.choice : 0;
}

bool session_class_votes(const struct learner *who) {
    const struct classroom_vote *v = session_class_vote(who);
    return v && v->round != CLASSROOM_SHOWN && !session_class_voted(who);
}

bool session_vote(struct learner *who, int choice, struct base_message *m) {
    struct learner_class *c = session_learner_classwork(who);
    const struct classroom_vote *v = session_class_vote(who);
    struct classroom_presence before = c->now;
    if (!v || v->round == CLASSROOM_SHOWN) return base_fail(m, "no vote is open now");
    if (choice < 1 || (size_t)choice > v->options)
        return base_fail(m, "choose a number from 1 to %zu", v->options);
    if (!c->told && !*c->now.lesson) c->began = base_ticks();
    memcpy(c->now.vote, v->id, sizeof c->now.vote);
    c->now.round = (int)v->round;
    c->now.choice = choice;
    if (session_classwork_tell(c, m)) return true;
    c->now = before;
    return false;
}

/* ── on one line ───────────────────────────────────────────────────────────────────────────────*/
char *session_class_asks(struct learner *who) {
    const struct classroom_vote *v = session_class_vote(who);
    bool vote = session_class_votes(who);
    if (!vote && session_class_exits(who))
        return base_dup("Your teacher has exit questions for you.");
    if (!vote) return NULL;
    return base_format("Your teacher asks%s: %s",
                       v->round == CLASSROOM_TALKED ? " again, after talking" : "", v->question);
}
