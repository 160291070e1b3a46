/* lab: a lab in lines. What runs is said at its start and now and then. ^C stops the run, and the
 * lesson goes on. */
#include "linear/inside.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>

enum { WORD_MS = 3000, LOOK_MS = 250 };

struct progress {
    /* told of so far */
    size_t variant;
    /* the last that was told */
    size_t step;
    int64_t said;
};

static void say_begin(struct talk *t, const struct session_lab *l, struct progress *p) {
    const struct experiment_variant *v = &session_lab_what(l)->variant[p->variant];
    char *text =
        base_format("%s: `%s`", v->label, experiment_command(session_lab_run(l, p->variant)));
    if (!t->words) linear_print_markdown(t, PAGE_PLAIN, text);
    fflush(t->out);
    free(text);
    p->step = 0;
    p->said = base_ticks();
}

/* Only where one would wonder otherwise. In words the run is named, whose command was not said. */
static void say_step(struct talk *t, const struct session_lab *l, struct progress *p) {
    const struct experiment_state *s = experiment_state(session_lab_run(l, p->variant));
    if (s->steps == p->step || base_ticks() - p->said < WORD_MS) return;
    const struct experiment_step *last = &s->step[s->steps - 1];
    const struct experiment_lab *what = session_lab_what(l);
    bool named = t->words && experiment_variants(what) > 1;
    char *of = s->planned ? base_format(" of %u", s->planned) : base_dup("");
    char *text =
        base_format("%s%sstep %u%s, loss %.4f", named ? what->variant[p->variant].label : "",
                    named ? ", " : "  ", last->step, of, last->loss);
    free(of);
    linear_print_markdown(t, PAGE_DIM, text);
    fflush(t->out);
    free(text);
    p->step = s->steps;
    p->said = base_ticks();
}

/* Says how far the runs came since it was last asked. */
static void say_on(struct talk *t, const struct session_lab *l, struct progress *p) {
    while (p->variant < session_lab_at(l)) {
        p->variant++;
        say_begin(t, l, p);
    }
    if (!session_lab_over(l)) say_step(t, l, p);
}

/* ── ^C ────────────────────────────────────────────────────────────────────────────────────────*/
/* While a run goes on an interrupt waits here to be asked for: it is meant for the run. */
static sigset_t interrupt_only(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

static bool interrupted(void) {
    sigset_t set = interrupt_only(), pending;
    int which;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) && sigwait(&set, &which) == 0;
}

static void await(const struct session_lab *l) {
    struct pollfd on = {.fd = session_lab_fd(l), .events = POLLIN};
    int due = session_lab_due(l);
    poll(&on, 1, due < 0 || due > LOOK_MS ? LOOK_MS : due);
}

static void follow(struct talk *t, struct session_lab *l) {
    struct progress p = {0};
    say_begin(t, l, &p);
    while (!session_lab_over(l)) {
        await(l);
        if (interrupted()) session_lab_cancel(l);
        if (session_lab_read(l)) say_on(t, l, &p);
    }
}

static void say_place(void *to, const char *text) {
    linear_print_markdown(to, PAGE_DIM, text);
    fflush(((struct talk *)to)->out);
}

/* In a class labs take turns. False if the lab is not to be run: then the dialogue was told why. */
static bool take_turn(struct talk *t, const char *lab, struct session_turn **turn) {
    struct base_message m = {0};
    bool allowed = session_turn_begin(lab, NULL, turn, &m);
    if (!allowed || !*turn) {
        if (!allowed) session_lab_refused(t->session, m.what);
        return allowed;
    }
    if (session_turn_await(*turn, !t->echo, interrupted, say_place, t)) return true;
    const char *over = session_turn_over(*turn);
    session_lab_refused(t->session, over ? over : "You left the queue.");
    session_turn_end(*turn);
    return false;
}

/* The runs, which are over; NULL if none could be begun. The dialogue knows what came of it. */
static struct session_lab *run_lab(struct talk *t, const char *lab, bool recorded) {
    struct base_message m = {0};
    struct session_turn *turn = NULL;
    if (!recorded && !take_turn(t, lab, &turn)) return NULL;
    struct session_lab *l = recorded ? session_lab_replay(t->session, lab, 0, &m)
                                     : session_lab_open_in(t->session, lab, turn, &m);
    if (!l) return NULL;
    follow(t, l);
    session_lab_end(l);
    return l;
}

bool linear_run_lab(struct talk *t, bool recorded) {
    sigset_t set = interrupt_only(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    struct session_lab *l = run_lab(t, lesson_asked(session_dialogue(t->session))->lab, recorded);
    while (interrupted()) { /* a second ^C is the same wish */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    t->lab = l;
    bool ended = linear_print_events(t);
    t->lab = NULL;
    session_lab_close(l);
    return ended;
}
