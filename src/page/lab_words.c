/* lab_words: sentences about a lab's runs: the bytes that are kept between steps, held at the peak,
 * and sent. */
#include "page/lab.h"

#include <stdlib.h>
#include <string.h>

const struct experiment_weights *page_lab_held(const struct experiment_rank *r) {
    return !r->ended ? &r->now : r->at_peak.total ? &r->at_peak : &r->persistent;
}

uint64_t page_lab_peak(const struct experiment_rank *r) {
    return r->ended ? r->peak_total : page_lab_held(r)->total;
}

/* ── the end ───────────────────────────────────────────────────────────────────────────────────*/
/* "params 882 KB, grads 882 KB": what is larger than in `less`, and by how much. */
static void put_parts(struct base_text *t, const struct experiment_weights *w,
                      const struct experiment_weights *less) {
    char bytes[32];
    size_t said = 0;
    for (int k = 0; k < ACCOUNT_CATEGORIES; k++) {
        uint64_t part = w->bytes[k] > less->bytes[k] ? w->bytes[k] - less->bytes[k] : 0;
        if (!part) continue;
        base_text_printf(t, "%s%s %s", said++ ? ", " : "",
                         account_category_words((enum account_category)k),
                         account_print_bytes(bytes, sizeof bytes, (double)part));
    }
}

/* " (all-reduces, half of it in their reduce-scatters, half in their all-gathers)"; "" if it sends
 * none. The caller's. */
static char *say_halves(const struct experiment_rank *r) {
    char half[32];
    uint64_t all = r->sent[EXPERIMENT_SENT_AR];
    if (!all) return base_dup("");
    account_print_bytes(half, sizeof half, (double)all / 2);
    return base_format(", by all-reduce: %s in its reduce-scatter, and %s in its all-gather", half,
                       half);
}

/* `who`: "Rank 0". */
static void say_rank(struct page *p, struct page_flow f, const char *who,
                     const struct experiment_rank *k) {
    static const struct experiment_weights nothing;
    struct base_text t = {0};
    char kept[32], peak[32], sent[32], *halves = say_halves(k);
    account_print_bytes(kept, sizeof kept, (double)k->persistent.total);
    account_print_bytes(peak, sizeof peak, (double)page_lab_peak(k));
    account_print_bytes(sent, sizeof sent, (double)k->sent_total);
    base_text_puts(&t, who);
    if (!k->ended)
        base_text_printf(&t, " did not finish. It last held %s.", peak);
    else {
        base_text_printf(&t, " keeps %s between steps (", kept);
        put_parts(&t, &k->persistent, &nothing);
        base_text_printf(&t, "). At its peak it holds %s. The rest is ", peak);
        put_parts(&t, page_lab_held(k), &k->persistent);
        if (k->sent_total)
            base_text_printf(&t, ". It sends %s per step%s.", sent, halves);
        else
            base_text_puts(&t, ". It sends nothing.");
    }
    free(halves);
    page_text(p, f, t.s);
    base_text_free(&t);
}

static bool are_alike(const struct experiment_rank *a, const struct experiment_rank *b) {
    return a->ended && b->ended &&
           memcmp(a->persistent.bytes, b->persistent.bytes, sizeof a->persistent.bytes) == 0 &&
           memcmp(a->at_peak.bytes, b->at_peak.bytes, sizeof a->at_peak.bytes) == 0 &&
           memcmp(a->sent, b->sent, sizeof a->sent) == 0;
}

/* The last rank that is like this one, of those next to it. */
static uint32_t last_alike(const struct experiment_state *s, uint32_t first) {
    uint32_t last = first;
    while (last + 1 < s->seen && are_alike(&s->rank[first], &s->rank[last + 1])) last++;
    return last;
}

/* Ranks that are alike have one sentence. */
static void say_each_rank(struct page *p, struct page_flow f, const struct experiment_state *s) {
    for (uint32_t first = 0, last; first < s->seen; first = last + 1) {
        last = last_alike(s, first);
        char *who = first == last ? base_format("Rank %u", first)
                                  : base_format("Each of ranks %u %s %u", first,
                                                last == first + 1 ? "and" : "to", last);
        say_rank(p, f, who, &s->rank[first]);
        free(who);
    }
}

void page_lab_memory_words(struct page *p, struct page_flow f, const struct experiment_state *s) {
    static const struct experiment_lab own = {.watch = "memory"};
    const struct experiment_compared compared = experiment_compare(&s, 1, &own);
    say_each_rank(p, f, s);
    char *held = page_lab_predictions(&compared);
    page_say(p, f, "Predictions of bytes: %s.", held);
    free(held);
}

void page_lab_end_words(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    f = page_flow_fit(p, f);
    if (e->runs == 1 && !e->run[0]->timings) say_each_rank(p, f, e->run[0]);
    for (size_t i = 0; e->runs > 1 && i < e->runs; i++) {
        if (!e->run[i]->seen) continue;
        char *who = base_format("In the run '%s', rank 0", e->run[i]->label);
        say_rank(p, f, who, &e->run[i]->rank[0]);
        free(who);
    }
    page_lab_facts_words(p, f, e);
    if (!*e->compared->surprise) return;
    char *surprise = page_lab_surprise(e->compared, e->here);
    page_text(p, f, surprise);
    free(surprise);
}

/* ── one run, for the ear ──────────────────────────────────────────────────────────────────────*/
/* " Sent per step: all-reduce 1.32 MB: …" */
static void put_sent(struct base_text *t, const struct experiment_rank *r) {
    char bytes[32];
    size_t said = 0;
    for (size_t i = 0; i < EXPERIMENT_SENT; i++)
        if (r->sent[i])
            base_text_printf(t, "%s%s %s", said++ ? ", " : " Sent per step: ",
                             page_wire_name((enum account_collective_kind)i),
                             account_print_bytes(bytes, sizeof bytes, (double)r->sent[i]));
    if (!said) return;
    char *halves = say_halves(r);
    base_text_printf(t, "%s.", *halves ? strchr(halves, ':') : "");
    free(halves);
}

/* "At the peak, in backward at block 3, a rank holds, besides what it keeps: …": the zerolab names
 * a phase and a place in the model. */
static void put_peak(struct base_text *t, const struct experiment_rank *r) {
    size_t phase = strcspn(r->peak_where, " ");
    base_text_puts(t, " At the peak");
    if (phase) base_text_printf(t, ", in %.*s", (int)phase, r->peak_where);
    if (r->peak_where[phase]) base_text_printf(t, " at%s", r->peak_where + phase);
    base_text_printf(t, "%s a rank holds, besides what it keeps: ", phase ? "," : "");
    put_parts(t, &r->at_peak, &r->persistent);
    base_text_puts(t, ".");
}

/* Adds what `put` says of the rank; false: it says the same of the one in the run before. */
static bool put_new(struct base_text *t, const struct experiment_rank *r,
                    const struct experiment_rank *before,
                    void (*put)(struct base_text *t, const struct experiment_rank *r)) {
    struct base_text now = {0}, then = {0};
    put(&now, r);
    if (before) put(&then, before);
    bool same = now.s && then.s && strcmp(now.s, then.s) == 0;
    if (now.s && !same) base_text_puts(t, now.s);
    base_text_free(&now);
    base_text_free(&then);
    return !same;
}

static void put_kept(struct base_text *t, const struct experiment_rank *r) {
    static const struct experiment_weights nothing;
    base_text_puts(t, " Kept between steps: ");
    put_parts(t, &r->persistent, &nothing);
    base_text_puts(t, ".");
}

static void say_ranks(struct page *p, struct page_flow f, const struct experiment_state *s,
                      uint32_t first, uint32_t last, bool kept,
                      const struct experiment_rank *before) {
    const struct experiment_rank *r = &s->rank[first];
    struct base_text t = {0};
    char held[32];
    base_text_printf(&t, first == last ? "%s%srank %u" : "%s%sranks %u to %u", kept ? s->label : "",
                     kept ? ", " : "", first, last);
    if (!r->ended) {
        account_print_bytes(held, sizeof held, (double)r->now.total);
        base_text_printf(&t, ": did not finish, and last held %s.", held);
    } else {
        base_text_puts(&t, ".");
        bool all = !kept || put_new(&t, r, before, put_kept);
        all &= put_new(&t, r, before, put_peak);
        all &= put_new(&t, r, before, put_sent);
        if (!all) base_text_puts(&t, " All else is as in the run before.");
    }
    page_text(p, f, t.s);
    base_text_free(&t);
}

void page_lab_run_words(struct page *p, struct page_flow f, const struct experiment_state *s,
                        bool one_of_several, const struct experiment_state *before) {
    f = page_flow_fit(p, f);
    bool compares = before && before->seen > 0 && before->rank[0].ended;
    for (uint32_t first = 0, last; first < s->seen; first = last + 1) {
        last = last_alike(s, first);
        say_ranks(p, f, s, first, last, one_of_several, compares ? &before->rank[0] : NULL);
        if (one_of_several) return;
    }
}
