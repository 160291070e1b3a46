/* The memory of one rank over a step, as it was measured: the curve of the last step that is whole,
 * the highest sum within each moment, with a dotted line where the engine predicts it. Of several
 * ranks the one that came highest is shown. */
#include "page/lab.h"

#include <stdlib.h>

enum { ROWS = 10, LEAST_ROWS = 4, MOST_ROWS = 40 };

static uint64_t highest_of(const struct experiment_rank *r) {
    return r->moments ? r->moment[account_timeline_peak(r->moment, r->moments)].ledger.total : 0;
}

/* The rank that came highest; the first of several. */
static uint32_t choose_rank(const struct experiment_state *s) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->seen && i < EXPERIMENT_RANKS; i++)
        if (highest_of(&s->rank[i]) > highest_of(&s->rank[best])) best = i;
    return best;
}

static bool is_foreseen(const struct experiment_rank *r) {
    for (size_t i = 0; i < r->moments; i++)
        if (r->foreseen[i]) return true;
    return false;
}

static struct page_curve curve_of(const struct page_lab *l, const struct experiment_state *s,
                                  const struct experiment_rank *r) {
    double peak = (double)highest_of(r),
           most = (double)l->reach.bytes > peak ? (double)l->reach.bytes : peak;
    struct page_scale scale;
    struct base_message m;
    page_scale_read(NULL, &most, 1, &scale, &m);
    return (struct page_curve){.count = r->moments,
                               .moment = r->moment,
                               .predicted = is_foreseen(r) ? r->foreseen : NULL,
                               .unit = scale.unit,
                               .limit = {.given = s->setup.cap > 0, .bytes = (double)s->setup.cap},
                               .reach = most,
                               .rows = page_lab_rows(l, ROWS, LEAST_ROWS, MOST_ROWS),
                               .legend = !l->no_legend};
}

/* A run that has told steps without the sums within their moments will have no curve. */
static void say_nothing(struct page *p, struct page_flow f, const struct experiment_state *s) {
    if (s->over && !s->steps)
        page_note(p, f, "No step has finished.");
    else if (s->over || s->told > 1)
        page_note(p, f,
                  "There is no curve: the events of this run do not say how high memory was within "
                  "each part of a step.");
    else
        page_note(p, f, "The curve appears when the first step ends.");
}

static void draw_run(struct page *p, struct page_flow f, const struct page_lab *l, size_t run) {
    const struct experiment_state *s = l->run[run];
    uint32_t rank = choose_rank(s);
    const struct experiment_rank *r = &s->rank[rank];
    page_lab_name(p, f, l, run);
    if (!r->moments) {
        say_nothing(p, f, s);
        return;
    }
    struct page_curve c = curve_of(l, s, r);
    if (p->spoken)
        page_lab_curve_words(p, f, s);
    else
        page_curve(p, f, &c);
    if (s->ranks > 1) page_note(p, f, "Rank %u of %u, in the last whole step.", rank, s->ranks);
}

void page_lab_curve(struct page *p, struct page_flow f, const struct page_lab *l) {
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        page_blank(p, i > 0);
        draw_run(p, f, l, i);
    }
}

void page_lab_curve_words(struct page *p, struct page_flow f, const struct experiment_state *s) {
    const struct experiment_rank *r = &s->rank[choose_rank(s)];
    if (!r->moments) return;
    struct page_curve c = curve_of(&(struct page_lab){0}, s, r);
    char *said = page_curve_say(&c);
    page_text(p, f, said);
    free(said);
}
