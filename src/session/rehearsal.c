/* rehearsal: a pupil goes through a lesson as a person would: reads, answers, errs, tries again,
 * asks for help, waits for labs, and looks out of the window. */
#include "session/inside.h"

#include "session/turn.h"

#include <poll.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* seconds that a person takes for a page, and more for an answer; waits for help with a raised
 * hand; does nothing at all; waits for a lab before going on without it; and has it. Tries at a
 * question before it is left, of most and of those who do not give in, and actions on a step before
 * the lesson is left. */
enum {
    PAGE_S = 12,
    ANSWER_S = 35,
    HAND_S = 150,
    AWAY_S = 540,
    LINE_S = 300,
    LAB_S = 100,
    LOOK_MS = 250,
    TRIES = 3,
    STUBBORN_TRIES = 6,
    ACTIONS_MOST = 40
};
/* one in so many of a class makes the same mistake again and again, or is silent for a while */
enum { STUBBORN = 6, SILENT = 8 };

struct pupil {
    const struct session_pupil *is;
    uint64_t random;
    /* the chance of a right first try, in percent */
    unsigned knows;
    /* it makes the mistake that it made before; the pages until it falls silent, 0: it does not */
    bool stubborn;
    unsigned silent;
    struct learner *who;
    struct session *s;
    /* at the present step */
    char step[64];
    int tries, actions;
    bool stood_in_line;
};

static unsigned chance(struct pupil *p, unsigned below) {
    return (unsigned)(base_random(&p->random) % below);
}

/* Waits about so many of a person's seconds. */
static void wait_about(struct pupil *p, int seconds) {
    double s = seconds * (0.5 + chance(p, 100) / 100.0) / p->is->speed;
    struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    if (p->is->speed > 0) nanosleep(&t, NULL);
}

static void act(struct pupil *p, enum lesson_action_kind kind, const char *text) {
    session_do(p->s, &(struct lesson_action){.kind = kind, .text = text});
    while (session_event(p->s)) continue;
}

/* ── a number ──────────────────────────────────────────────────────────────────────────────────*/
struct known {
    struct account_problem problem;
    struct account_solution solution;
};

static bool mistake_value(const struct known *k, const struct lesson_ask *ask, const char *id,
                          double *out) {
    struct account_match wrong;
    bool made = ask->form == LESSON_LINE
                    ? account_line_mistake(&k->problem, &k->solution, ask->line, id, &wrong)
                    : account_mistake_value(&k->problem, id, &wrong);
    if (made) *out = wrong.value;
    return made;
}

/* The mistakes that the question is about are the likeliest; after them any that can be made. */
static bool err(struct pupil *p, const struct known *k, const struct lesson_ask *ask, double *out) {
    const struct lesson *l = session_lesson(p->s);
    size_t at = lesson_find(l, p->step), n;
    const json_t *about =
        at < lesson_steps(l) ? json_object_get(lesson_step(l, at), "about") : NULL;
    const struct account_mistake *all = account_mistakes(&n);
    size_t first =
        json_array_size(about) && !p->stubborn ? chance(p, 3) / 2 % json_array_size(about) : 0;
    const char *named = json_string_value(json_array_get(about, first));
    if (named && (p->stubborn || chance(p, 4)) && mistake_value(k, ask, named, out)) return true;
    for (size_t i = 0, from = chance(p, (unsigned)n); i < n; i++)
        if (mistake_value(k, ask, all[(from + i) % n].id, out)) return true;
    return false;
}

/* NULL if the question has no numbers that can be computed here. */
static char *say_number(struct pupil *p, const struct lesson_ask *ask, bool right) {
    struct known k;
    enum account_unit unit = ACCOUNT_UNIT_NONE;
    const json_t *problem = lesson_problem_now(session_dialogue(p->s));
    if (!problem || !lesson_problem_read(problem, &k.problem, NULL) ||
        !account_solve(&k.problem, &k.solution, NULL))
        return NULL;
    double value = ask->form == LESSON_LINE ? k.solution.line[ask->line].value : k.solution.value;
    if (!right) err(p, &k, ask, &value);
    account_unit_find(ask->unit, &unit);
    return base_format("%.5g", value / account_unit_scale(unit));
}

/* ── other answers: a pupil points at something ────────────────────────────────────────────────*/
static char *say_order(struct pupil *p, const struct lesson_ask *ask) {
    struct base_text t = {0};
    size_t from = chance(p, (unsigned)ask->options);
    for (size_t i = 0; i < ask->options; i++)
        base_text_printf(&t, "%s%zu", i ? " " : "", (from + i) % ask->options + 1);
    return base_text_take(&t);
}

static char *say_sort(struct pupil *p, const struct lesson_ask *ask) {
    struct base_text t = {0};
    for (size_t i = 0; i < ask->options; i++)
        base_text_printf(&t, "%s%zu=%c", i ? " " : "", i + 1,
                         (int)('a' + chance(p, (unsigned)ask->bins)));
    return base_text_take(&t);
}

/* NULL if a pupil goes on without an answer. */
static char *say(struct pupil *p, const struct lesson_ask *ask) {
    bool right = chance(p, 100) < p->knows + (p->stubborn ? 5 : 20) * (unsigned)p->tries;
    switch (ask->form) {
    case LESSON_NUMBER:
    case LESSON_LINE: return say_number(p, ask, right);
    case LESSON_CHOICE:
        return ask->options ? base_format("%u", chance(p, (unsigned)ask->options) + 1) : NULL;
    case LESSON_ORDER: return ask->options ? say_order(p, ask) : NULL;
    case LESSON_SORT: return ask->options && ask->bins ? say_sort(p, ask) : NULL;
    default: return NULL;
    }
}

/* ── a lesson ──────────────────────────────────────────────────────────────────────────────────*/
static void notice_step(struct pupil *p) {
    struct session_here here = session_here(p->s);
    if (strcmp(here.step, p->step) == 0) return;
    snprintf(p->step, sizeof p->step, "%s", here.step);
    p->tries = p->actions = 0;
    p->stood_in_line = false;
    session_raise_hand(p->who, false, NULL);
}

/* Pupils do not know the right option: they follow a common belief, and more do after talking. */
static void vote(struct pupil *p) {
    const struct classroom_vote *v = session_class_vote(p->who);
    if (!session_class_votes(p->who)) return;
    unsigned options = (unsigned)v->options, believe = v->round == CLASSROOM_ALONE ? 30 : 70;
    unsigned belief = (unsigned)(base_hash(0, v->id) % options), any = chance(p, options);
    session_vote(p->who, (int)(chance(p, 100) < believe ? belief : any) + 1, NULL);
}

/* The lab of the present step, "" if it is none. */
static const char *lab_here(const struct pupil *p) {
    const struct lesson *l = session_lesson(p->s);
    size_t at = lesson_find(l, p->step);
    bool is = at < lesson_steps(l) && lesson_step_kind(l, at) == LESSON_LAB;
    return is ? base_json_text(lesson_step(l, at), "lab", "") : "";
}

/* Stands in line with the others, and has its turn, in which nothing is run. */
static void take_lab(struct pupil *p, const char *lab) {
    struct session_turn *t;
    double speed = p->is->speed > 0 ? p->is->speed : 1;
    int64_t until = base_ticks() + (int64_t)(LINE_S * 1000 / speed);
    if (p->stood_in_line || !*lab || !session_turn_begin(lab, NULL, &t, NULL) || !t) return;
    p->stood_in_line = true;
    while (!session_turn_look(t) && !session_turn_over(t) && base_ticks() < until)
        poll(NULL, 0, LOOK_MS);
    if (session_turn_has_come(t)) wait_about(p, LAB_S);
    session_turn_end(t);
}

/* Who is stuck may raise a hand, and waits for the teacher. */
static void ask_for_help(struct pupil *p) {
    if (p->tries != TRIES - 1 || chance(p, 3) > p->stubborn) return;
    session_raise_hand(p->who, true, NULL);
    wait_about(p, HAND_S);
}

/* Some go where the teacher sends them. */
static bool follow(struct pupil *p) {
    struct session_open_step open;
    if (!session_class_open_step(p->who, &open) ||
        strcmp(open.lesson, lesson_id(session_lesson(p->s))) != 0 || chance(p, 3) == 0)
        return false;
    act(p, LESSON_DO_GOTO, open.step);
    return true;
}

static void do_next(struct pupil *p, const struct lesson_ask *ask) {
    const char *lab = lab_here(p);
    char *text = p->tries < (p->stubborn ? STUBBORN_TRIES : TRIES) ? say(p, ask) : NULL;
    wait_about(p, text ? ANSWER_S : PAGE_S);
    if (p->silent && --p->silent == 0) wait_about(p, AWAY_S);
    if (text) {
        p->tries++;
        act(p, LESSON_DO_ANSWER, text);
        ask_for_help(p);
    } else {
        take_lab(p, lab);
        act(p, LESSON_DO_NEXT, NULL);
    }
    free(text);
}

static bool take_lesson(struct pupil *p, const char *id, struct base_message *m) {
    p->s = session_open(p->who, id, m);
    *p->step = '\0';
    if (!p->s) return false;
    while (session_event(p->s)) continue;
    bool exits = session_class_exits(p->who); /* those that come now go first */
    for (const struct lesson_ask *ask; (ask = lesson_asked(session_dialogue(p->s)));) {
        if (session_class_exits(p->who) && !exits) break;
        notice_step(p);
        vote(p);
        if (p->actions++ == ACTIONS_MOST) break;
        if (!follow(p)) do_next(p, ask);
    }
    session_close(p->s);
    return true;
}

/* As long as the class runs. */
static bool take_all(struct pupil *p, const struct classroom_settings *s, struct base_message *m) {
    const struct lesson_course *c = session_learner_course(p->who);
    struct session_class now;
    bool taken = true;
    for (size_t i = 0; taken && i < (s->lessons ? s->lessons : c->lessons); i++) {
        const char *id = s->lessons ? s->lesson[i].id : c->lesson[i].id;
        size_t at = session_learner_find_id(p->who, id, strlen(id));
        if (at == c->lessons || c->lesson[at].kind != LESSON_ORDINARY) continue; /* a lab */
        if (!session_class(&now) || !now.running) break;
        taken = take_lesson(p, id, m);
        if (taken && session_class_exits(p->who)) taken = take_lesson(p, LEARNER_EXIT, m);
    }
    return taken;
}

bool session_pupil_take(const struct session_pupil *is, struct base_message *m) {
    struct pupil p = {.is = is, .random = is->seed};
    struct session_class c;
    p.knows = 40 + chance(&p, 50);
    p.stubborn = chance(&p, STUBBORN) == 0;
    if (chance(&p, SILENT) == 0) p.silent = 3 + chance(&p, 20);
    if (p.stubborn) p.knows /= 2;
    if (!session_class_join_as(is->folder, is->account, &c, m)) return false;
    wait_about(&p, PAGE_S);
    p.who = session_learner_open(NULL, m);
    bool taken = p.who && take_all(&p, &c.settings, m);
    session_learner_close(p.who);
    return taken;
}
