/* measured: what the runs of a lab measured, drawn or in sentences. */
#include "linear/inside.h"

#include <stdlib.h>

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
    if (t->words && !experiment_panel_tells(s, EXPERIMENT_MEMORY))
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
static struct page_lab memory_figure(const struct session_lab *l, size_t variant) {
    struct page_lab figure = {.run = {experiment_state(session_lab_run(l, variant))}};
    for (size_t i = 0; i <= session_lab_at(l); i++)
        experiment_extend(&figure.reach, session_lab_run(l, i));
    figure.no_table = experiment_variants(session_lab_what(l)) == 1 && session_lab_well(l, variant);
    return figure;
}

static void draw_run(struct talk *t, const struct session_lab *l, size_t variant) {
    const struct experiment_state *s = experiment_state(session_lab_run(l, variant));
    const struct experiment_lab *what = session_lab_what(l);
    if (experiment_variants(what) > 1)
        linear_print_markdown(t, PAGE_TITLE, what->variant[variant].label);
    if (!experiment_panel_tells(s, EXPERIMENT_MEMORY)) {
        say_panel(t, EXPERIMENT_COLLECTIVES, &(struct page_lab){.run = {s}});
        return;
    }
    struct page_lab memory = memory_figure(l, variant), traffic = {.run = {s}};
    say_panel(t, EXPERIMENT_MEMORY, &memory);
    say_curve(t, s);
    say_panel(t, EXPERIMENT_TRAFFIC, &traffic);
}

static bool all_well(const struct session_lab *l) {
    size_t i = 0, runs = experiment_variants(session_lab_what(l));
    while (i < runs && session_lab_well(l, i)) i++;
    return i == runs;
}

/* The sentences of runs that are drawn come at the end, unless one of them did not end well. */
static void say_end(struct talk *t, const struct session_lab *l, size_t variant) {
    const struct experiment *run = session_lab_run(l, variant);
    if (!experiment_state(run)->started) return;
    if (!t->words) draw_run(t, l, variant);
    if (t->words || !all_well(l)) say_run(t, l, variant);
    const struct experiment_scale *scale = session_lab_scale(l, variant);
    if (!scale) return;
    say_scale(t, scale, experiment_state(run));
    say_kept(t, l, variant);
}

/* A blank line below the last run, whose sentences have none. */
static void end_runs(struct talk *t) {
    struct page *page = linear_print_begin(t);
    page_blank(page, 1);
    linear_print_page(t, page);
}

/* Only what no run and nothing that the lesson says has told. */
static void say_surprise(struct talk *t, const struct experiment_compared *compared,
                         const char *here) {
    char *text = page_lab_surprise(compared, here);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
}

/* The picture, and below it what it does not say itself; of one run only sentences, since its
 * panels have been drawn. What was asked is answered above. */
static void put_whole(struct page *page, struct page_lab_end *e) {
    struct page_flow f = {0};
    if (e->runs > 1) page_lab_end(page, f, e);
    e->guess = e->estimate = NULL;
    if (e->runs == 1) {
        page_lab_end_words(page, f, e);
        return;
    }
    struct page *words = page_sentences(page);
    page_lab_end_words(words, (struct page_flow){.width = page_width(words)}, e);
    page_tell(page, f, words);
    page_free(words);
}

/* All runs next to each other. */
static void say_whole(struct talk *t, const struct session_lab *l) {
    const struct experiment_lab *what = session_lab_what(l);
    struct page_lab_end e = {.runs = experiment_variants(what), .here = session_lab_here(l)};
    if (!all_well(l)) return;
    for (size_t i = 0; i < e.runs; i++) e.run[i] = experiment_state(session_lab_run(l, i));
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
    put_whole(page, &e);
    page_blank(page, 1);
    linear_print_page(t, page);
}

void linear_tell_lab(struct talk *t) {
    const struct session_lab *l = t->lab;
    t->lab = NULL;
    for (size_t i = 0; i <= session_lab_at(l); i++) say_end(t, l, i);
    end_runs(t);
    say_whole(t, l);
}
