/* lab: a lab in lines. What runs is said at its start and now and then, what was weighed at its
 * end. ^C stops the run, and the lesson goes on. */
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

/* Only where one would wonder otherwise. */
static void say_step(struct talk *t, const struct session_lab *l, struct progress *p) {
    const struct experiment_state *s = experiment_state(session_lab_run(l, p->variant));
    if (s->steps == p->step || base_ticks() - p->said < WORD_MS) return;
    const struct experiment_step *last = &s->step[s->steps - 1];
    char *text = s->planned
                     ? base_format("  step %u of %u, loss %.4f", last->step, s->planned, last->loss)
                     : base_format("  step %u, loss %.4f", last->step, last->loss);
    linear_print_markdown(t, PAGE_DIM, text);
    fflush(t->out);
    free(text);
    p->step = s->steps;
    p->said = base_ticks();
}

static void say_panel(struct talk *t, enum experiment_panel panel, const struct page_lab *figure) {
    struct page *page = linear_print_begin(t);
    page_put(page, 0, 0, PAGE_TITLE, 0, experiment_panel_name(panel));
    page_lab(page, (struct page_flow){0}, panel, figure);
    page_blank(page, 1);
    linear_print_page(t, page);
}

/* What the lesson is about to say of the run is left out: its sums, and how they were predicted. */
static void say_run(struct talk *t, const struct session_lab *l, size_t variant) {
    const struct experiment_state *s = experiment_state(session_lab_run(l, variant));
    struct page *page = linear_print_begin(t);
    if (!experiment_panel_tells(s, EXPERIMENT_MEMORY))
        page_lab(page, (struct page_flow){0}, EXPERIMENT_COLLECTIVES,
                 &(struct page_lab){.run = {s}});
    page_lab_run_words(page, (struct page_flow){0}, s, experiment_variants(session_lab_what(l)) > 1,
                       variant > 0 ? experiment_state(session_lab_run(l, variant - 1)) : NULL);
    linear_print_page(t, page);
    fflush(t->out);
}

static void say_curve(struct talk *t, const struct experiment_state *s) {
    struct page *page = linear_print_begin(t);
    page_lab_curve_words(page, (struct page_flow){0}, s);
    page_blank(page, page_height(page) > 0);
    linear_print_page(t, page);
}

static void say_scale(struct talk *t, const struct experiment_scale *scale,
                      const struct experiment_state *s) {
    struct page *page = linear_print_begin(t);
    page_lab_scale(page, (struct page_flow){0}, scale, s);
    page_blank(page, 1);
    linear_print_page(t, page);
}

/* Under which number it is kept. */
static void say_kept(struct talk *t, const struct session_lab *l, size_t variant) {
    int64_t number = session_lab_number(l, variant);
    char *quote = number ? session_quote(session_learner_store(t->learner), number, NULL) : NULL;
    char *text =
        quote ? base_format("Run %lld. A memo quotes it as `%s`.", (long long)number, quote) : NULL;
    if (text) linear_print_markdown(t, PAGE_DIM, text);
    free(text);
    free(quote);
}

/* The rank's table is left out where the lesson is about to print the same of the only run. */
static struct page_lab memory_figure(const struct session_lab *l, const struct progress *p) {
    struct page_lab figure = {.run = {experiment_state(session_lab_run(l, p->variant))}};
    for (size_t i = 0; i <= p->variant; i++)
        experiment_extend(&figure.reach, session_lab_run(l, i));
    figure.no_table =
        experiment_variants(session_lab_what(l)) == 1 && session_lab_well(l, p->variant);
    return figure;
}

static void draw_run(struct talk *t, const struct session_lab *l, const struct progress *p) {
    const struct experiment_state *s = experiment_state(session_lab_run(l, p->variant));
    if (!experiment_panel_tells(s, EXPERIMENT_MEMORY)) {
        say_panel(t, EXPERIMENT_COLLECTIVES, &(struct page_lab){.run = {s}});
        return;
    }
    struct page_lab memory = memory_figure(l, p), traffic = {.run = {s}};
    say_panel(t, EXPERIMENT_MEMORY, &memory);
    say_curve(t, s);
    say_panel(t, EXPERIMENT_TRAFFIC, &traffic);
}

static void say_end(struct talk *t, const struct session_lab *l, const struct progress *p) {
    const struct experiment *run = session_lab_run(l, p->variant);
    if (!experiment_state(run)->started) return;
    if (t->words)
        say_run(t, l, p->variant);
    else
        draw_run(t, l, p);
    const struct experiment_scale *scale = session_lab_scale(l, p->variant);
    if (!scale) return;
    say_scale(t, scale, experiment_state(run));
    say_kept(t, l, p->variant);
}

/* Only what no run and nothing that the lesson says has told. */
static void say_surprise(struct talk *t, const struct experiment_compared *compared,
                         const char *here) {
    char *text = page_lab_surprise(compared, here);
    struct page *page = linear_print_begin(t);
    page_blank(page, 1);
    linear_print_page(t, page);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
}

/* All runs next to each other: the picture, then the same in sentences. */
static void say_whole(struct talk *t, const struct session_lab *l) {
    const struct experiment_lab *what = session_lab_what(l);
    struct page_lab_end e = {.runs = experiment_variants(what), .here = session_lab_here(l)};
    for (size_t i = 0; i < e.runs; i++) {
        if (!session_lab_well(l, i)) return;
        e.run[i] = experiment_state(session_lab_run(l, i));
    }
    bool timed = e.run[0]->timings > 0; /* its panel has been printed */
    if (!timed && !experiment_panel_tells(e.run[0], EXPERIMENT_MEMORY)) return;
    struct experiment_compared compared = experiment_compare(e.run, e.runs, what);
    if (t->words) {
        say_surprise(t, &compared, session_lab_here(l));
        return;
    }
    e.compared = &compared;
    session_lab_guess(l, &e.guess, &e.right);
    e.estimate = session_lab_estimate(l);
    struct page *page = linear_print_begin(t);
    if (!timed) page_put(page, 0, 0, PAGE_TITLE, 0, e.runs > 1 ? "all runs" : "all ranks");
    if (e.runs > 1) page_lab_end(page, (struct page_flow){0}, &e);
    if (e.runs > 1) page_blank(page, 1);
    page_lab_end_words(page, (struct page_flow){0}, &e);
    page_blank(page, 1);
    linear_print_page(t, page);
}

/* Tells what became of the runs since it was last asked. */
static void tell(struct talk *t, const struct session_lab *l, struct progress *p) {
    while (p->variant < session_lab_at(l)) {
        say_end(t, l, p);
        p->variant++;
        say_begin(t, l, p);
    }
    if (session_lab_over(l)) {
        say_end(t, l, p);
        say_whole(t, l);
    } else
        say_step(t, l, p);
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
        if (session_lab_read(l)) tell(t, l, &p);
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

static void run_lab(struct talk *t, const char *lab, bool recorded) {
    struct base_message m = {0};
    struct session_turn *turn = NULL;
    if (!recorded && !take_turn(t, lab, &turn)) return;
    struct session_lab *l = recorded ? session_lab_replay(t->session, lab, 0, &m)
                                     : session_lab_open_in(t->session, lab, turn, &m);
    if (!l) return;
    follow(t, l);
    session_lab_close(l);
}

bool linear_run_lab(struct talk *t, bool recorded) {
    sigset_t set = interrupt_only(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    run_lab(t, lesson_asked(session_dialogue(t->session))->lab, recorded);
    while (interrupted()) { /* a second ^C is the same wish */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return linear_print_events(t);
}
