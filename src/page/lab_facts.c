/* What is said of a lab's runs under their picture: the guess and the estimate next to what came
 * out, the last losses, the weights, whether predictions held, and what surprises. */
#include "page/lab.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* characters that tell two hashes apart */
enum { HASH_SHOWN = 8 };

static const char *loss_of(const struct experiment_state *s) {
    return page_lab_well(s) && *s->loss ? s->loss : "none";
}

static const char *weights_of(const struct experiment_state *s) {
    return page_lab_well(s) && *s->weights_hash ? s->weights_hash : "none";
}

char *page_lab_whole_names(const struct page_lab_end *e, char *text) {
    struct base_text t = {0};
    for (const char *at = text; *at;) {
        size_t n = 0;
        for (size_t i = 0; i < e->runs && n == 0; i++) {
            size_t length = strlen(e->run[i]->label);
            if (strncmp(at, e->run[i]->label, length) == 0) n = length;
        }
        for (const char *end = at + (n ? n : 1); at < end; at++)
            if (n && *at == ' ')
                base_text_puts(&t, "\u00a0");
            else
                base_text_add(&t, at, 1);
    }
    free(text);
    return base_text_take(&t);
}

/* The runs from the `first` on that have its value: ": 'stage 0', 'stage 1'". */
static void put_labels(struct base_text *t, const struct page_lab_end *e,
                       const char *(*of)(const struct experiment_state *s), size_t first) {
    for (size_t k = first; k < e->runs; k++)
        if (strcmp(of(e->run[k]), of(e->run[first])) == 0)
            base_text_printf(t, "%s '%s'", k == first ? ":" : ",", e->run[k]->label);
}

/* Which runs have which value, in the order in which values come first: "4.5: 'stage 0',
 * 'stage 1'; 4.6: 'stage 2'". So many characters of each value are enough. Runs that have none are
 * left out; the first of them, or e->runs. */
static size_t put_by_value(struct base_text *t, const struct page_lab_end *e,
                           const char *(*of)(const struct experiment_state *s), int characters) {
    size_t without = e->runs;
    for (size_t i = 0; i < e->runs; i++) {
        const char *value = of(e->run[i]);
        size_t first = 0;
        while (strcmp(of(e->run[first]), value) != 0) first++;
        if (first < i) continue;
        if (strcmp(value, "none") == 0) {
            without = i;
            continue;
        }
        base_text_printf(t, "%s%.*s", t->length ? "; " : "", characters, value);
        put_labels(t, e, of, i);
    }
    return without;
}

/* Which runs have no loss, and why: "none, because it ran out of memory: 'stage 0'". */
static void put_without(struct base_text *t, const struct page_lab_end *e, size_t first) {
    size_t runs = 0, refused = 0;
    for (size_t i = first; i < e->runs; i++) {
        bool without = strcmp(loss_of(e->run[i]), "none") == 0;
        runs += without;
        refused += without && e->run[i]->refused;
    }
    if (!runs) return;
    base_text_printf(t, "%snone, because %s %s", t->length ? "; " : "", runs > 1 ? "they" : "it",
                     refused == runs ? "ran out of memory" : "did not end");
    put_labels(t, e, loss_of, first);
}

/* The last loss of each run; the caller's. */
static char *say_losses(const struct page_lab_end *e) {
    static const char *const all[] = {"", "", "both runs", "all three runs", "all four runs"};
    struct base_text text = {0};
    if (e->runs > 1 && e->compared->same_loss && e->runs < BASE_COUNT(all))
        return base_format("%s in %s, bit for bit", e->run[0]->loss, all[e->runs]);
    if (e->runs == 1)
        base_text_puts(&text, loss_of(e->run[0]));
    else
        put_without(&text, e, put_by_value(&text, e, loss_of, INT_MAX));
    return page_lab_whole_names(e, base_text_take(&text));
}

/* Hashes of the weights, if two runs ended with one loss and different weights; else NULL, because
 * the losses tell as much. The caller's. */
static char *say_weights(const struct page_lab_end *e) {
    struct base_text text = {0};
    bool differ = false;
    for (size_t i = 0; i < e->runs; i++)
        for (size_t k = 0; k < i; k++)
            differ = differ || (strcmp(weights_of(e->run[i]), "none") != 0 &&
                                strcmp(weights_of(e->run[k]), "none") != 0 &&
                                strcmp(loss_of(e->run[i]), loss_of(e->run[k])) == 0 &&
                                strcmp(weights_of(e->run[i]), weights_of(e->run[k])) != 0);
    if (!differ) return NULL;
    put_by_value(&text, e, weights_of, HASH_SHOWN);
    return page_lab_whole_names(e, base_text_take(&text));
}

char *page_lab_predictions(const struct experiment_compared *c) {
    char furthest[32];
    if (!c->figures) return base_dup("none was made");
    if (!c->missed) return base_format("all %zu held, to the byte", c->figures);
    return base_format("%zu of %zu held; the furthest missed by %s", c->figures - c->missed,
                       c->figures,
                       account_print_bytes(furthest, sizeof furthest, (double)c->furthest));
}

void page_lab_fact(struct page *p, struct page_flow f, const char *name, char *value,
                   unsigned role) {
    int row = p->height;
    page_markdown(p,
                  (struct page_flow){
                      .indent = f.indent + LAB_FACTS, .width = f.width - LAB_FACTS, .role = role},
                  value);
    page_put(p, row, f.indent, PAGE_DIM, 0, name);
    free(value);
}

/* Yours; and if that was wrong, what the runs show. */
static void draw_guess(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    bool right = e->guess == e->right;
    if (!e->guess) return;
    page_lab_fact(p, f, "your guess",
                  base_format("%s: %s", right ? "✓ right" : "✗ wrong", e->guess),
                  right ? PAGE_GOOD : PAGE_BAD);
    if (!right) page_lab_fact(p, f, "measured", base_format("✓ %s", e->right), PAGE_GOOD);
}

/* How many times as long it was is known only now. */
static char *say_estimate(const struct page_lab_end *e) {
    const struct experiment_amount *a = &e->compared->lab->amount;
    double run, to;
    if (!a->ask || a->problem || a->run >= e->runs || a->to >= e->runs ||
        !experiment_measured(e->run[a->run], 0, a->of, &run) ||
        !experiment_measured(e->run[a->to], 0, a->of, &to) || !(run > 0 && to > 0))
        return base_dup(e->estimate);
    return base_format("%s. It was %.3g×", e->estimate, run / to);
}

/* Of collectives that were timed alone nothing else is to be said. */
static bool trains(const struct page_lab_end *e) {
    return e->runs > 0 && experiment_panel_tells(e->run[0], EXPERIMENT_MEMORY);
}

void page_lab_facts(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    draw_guess(p, f, e);
    if (e->estimate) page_lab_fact(p, f, "estimate", say_estimate(e), PAGE_PLAIN);
    if (!trains(e)) return;
    page_lab_fact(p, f, "last loss", say_losses(e), PAGE_PLAIN);
    char *weights = say_weights(e);
    if (weights) page_lab_fact(p, f, "weights", weights, PAGE_PLAIN);
    page_lab_fact(p, f, "predictions", page_lab_predictions(e->compared),
                  e->compared->missed ? PAGE_PLAIN : PAGE_GOOD);
}

char *page_lab_surprise(const struct experiment_compared *c, const char *here) {
    if (!*c->surprise) return base_dup("");
    return here && strcmp(here, c->lesson) == 0
               ? base_format("%s This lesson explains it.", c->surprise)
               : base_format("%s Lesson\u00a0%s explains it.", c->surprise, c->lesson);
}

void page_lab_facts_words(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    struct base_text t = {0};
    char *loss = say_losses(e), *held = page_lab_predictions(e->compared),
         *weights = say_weights(e), *estimate = e->estimate ? say_estimate(e) : NULL;
    if (e->guess)
        base_text_printf(&t, "Your guess was: %s. %s%s%s ", e->guess,
                         e->guess == e->right ? "That is right." : "That is wrong. Measured: ",
                         e->guess == e->right ? "" : e->right, e->guess == e->right ? "" : ".");
    if (estimate) base_text_printf(&t, "Your estimate was: %s. ", estimate);
    if (trains(e)) base_text_printf(&t, "The last loss: %s. ", loss);
    if (weights && trains(e)) base_text_printf(&t, "Hashes of the weights: %s. ", weights);
    if (trains(e)) base_text_printf(&t, "Predictions of bytes: %s.", held);
    if (t.s) page_text(p, f, t.s);
    base_text_free(&t);
    free(estimate);
    free(weights);
    free(held);
    free(loss);
}
