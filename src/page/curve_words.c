/* A curve in words: the name of its peak, and a sentence that says how memory goes over the step.
 * Both come from the moments that are drawn. */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

/* "within backward block 3", "at the head in forward", "in the update". The caller's. */
static char *place_of(const struct account_timepoint *m) {
    static const char *const stops[] = {[ACCOUNT_AT_EMBEDDINGS] = "embeddings",
                                        [ACCOUNT_AT_NORM] = "last norm",
                                        [ACCOUNT_AT_HEAD] = "head"};
    const char *phase = account_phase_name(m->phase);
    switch (m->stop) {
    case ACCOUNT_AT_BLOCK: return base_format("within %s block %u", phase, m->block);
    case ACCOUNT_AT_EMBEDDINGS:
    case ACCOUNT_AT_NORM:
    case ACCOUNT_AT_HEAD: return base_format("at the %s in %s", stops[m->stop], phase);
    case ACCOUNT_AT_REST: return base_dup("between steps");
    case ACCOUNT_AT_ALL: break;
    }
    return m->phase == ACCOUNT_INIT     ? base_dup("before the first step")
           : m->phase == ACCOUNT_UPDATE ? base_dup("in the update")
                                        : base_format("in %s", phase);
}

static char *amount_of(const struct account_timepoint *m) {
    return page_bytes((double)m->ledger.total);
}

static const struct account_timepoint *peak_of(const struct page_curve *c) {
    return &c->moment[account_timeline_peak(c->moment, c->count)];
}

/* The first moment of the step. */
static const struct account_timepoint *start_of(const struct page_curve *c) {
    for (size_t i = 0; i + 1 < c->count; i++)
        if (c->moment[i].phase != ACCOUNT_INIT) return &c->moment[i];
    return &c->moment[c->count - 1];
}

/* Whether nothing changes in the step. */
static bool is_level(const struct page_curve *c) {
    for (const struct account_timepoint *m = start_of(c); m < c->moment + c->count; m++)
        if (m->ledger.total != peak_of(c)->ledger.total) return false;
    return true;
}

char *page_curve_name(const struct page_curve *c) {
    const struct account_timepoint *peak = peak_of(c);
    char *amount = amount_of(peak), *place = place_of(peak);
    char *name =
        is_level(c) ? base_format("%s all the time", amount) : base_format("%s %s", amount, place);
    free(amount);
    free(place);
    return name;
}

/* "Memory rises from 1.49 MB at the embeddings to a peak of 3.86 MB within backward block 3". */
static void say_rise(const struct page_curve *c, struct base_text *out) {
    const struct account_timepoint *start = start_of(c), *peak = peak_of(c);
    char *from = amount_of(start), *top = amount_of(peak), *place = place_of(peak);
    bool named = start->stop == ACCOUNT_AT_EMBEDDINGS;
    if (peak->ledger.total == start->ledger.total || peak->phase == ACCOUNT_INIT)
        base_text_printf(out, "Memory is highest %s, at %s", place, top);
    else
        base_text_printf(out, "Memory rises from %s %s to a peak of %s %s", from,
                         named ? "at the embeddings" : "at the start", top, place);
    free(from);
    free(top);
    free(place);
}

static void say_fall(const struct page_curve *c, struct base_text *out) {
    const struct account_timepoint *end = &c->moment[c->count - 1], *peak = peak_of(c);
    char *amount = amount_of(end);
    uint64_t top = peak->ledger.total, left = end->ledger.total;
    if (left >= top)
        base_text_puts(out, ", and stays there.");
    else
        base_text_printf(out, ", then falls to %s. %.0f%% of the peak is temporary.", amount,
                         100 * (double)(top - left) / (double)top);
    free(amount);
}

char *page_curve_verdict(const struct page_curve *c) {
    char amount[32];
    double top = (double)peak_of(c)->ledger.total;
    if (!c->limit.given) return base_dup("");
    account_print_bytes(amount, sizeof amount, c->limit.bytes);
    char *place = page_limit_place(&c->limit, amount);
    char *text = base_format(
        top > c->limit.bytes ? "The peak does not fit in %s." : "The peak fits in %s.", place);
    free(place);
    return text;
}

/* The largest difference between a moment and what was predicted of it. */
static void say_predicted(const struct page_curve *c, struct base_text *out) {
    double most = -1;
    for (size_t i = 0; c->predicted && i < c->count; i++) {
        double apart = (double)c->moment[i].ledger.total - (double)c->predicted[i];
        if (c->predicted[i] && (apart < 0 ? -apart : apart) > most)
            most = apart < 0 ? -apart : apart;
    }
    if (most == 0) base_text_puts(out, " The whole curve is as predicted, to the byte.");
    if (!(most > 0)) return;
    char *amount = page_bytes(most);
    base_text_printf(out, " The furthest from its prediction is off by %s.", amount);
    free(amount);
}

char *page_curve_say(const struct page_curve *c) {
    struct base_text out = {0};
    if (c->count == 0) return base_dup("");
    char *amount = amount_of(peak_of(c));
    if (is_level(c))
        base_text_printf(&out, "Memory stays at %s throughout the step.", amount);
    else {
        say_rise(c, &out);
        say_fall(c, &out);
    }
    char *verdict = page_curve_verdict(c);
    base_text_printf(&out, "%s%s", *verdict ? " " : "", verdict);
    say_predicted(c, &out);
    free(verdict);
    free(amount);
    return base_text_take(&out);
}

char *page_curve_parts(const struct page_curve *c) {
    struct base_text out = {0};
    if (c->count == 0) return base_dup("");
    const struct account_ledger *l = &peak_of(c)->ledger;
    uint64_t below = UINT64_MAX;
    for (size_t n = 0; n < ACCOUNT_CATEGORIES; n++) {
        uint64_t most = 0;
        for (int k = 0; k < ACCOUNT_CATEGORIES; k++)
            if (l->bytes[k] < below && l->bytes[k] > most) most = l->bytes[k];
        if (most == 0) break;
        for (int k = 0; k < ACCOUNT_CATEGORIES; k++) {
            if (l->bytes[k] != most) continue;
            char *amount = page_bytes((double)most);
            base_text_printf(&out, "%s%s %s",
                             out.s         ? ", "
                             : is_level(c) ? "All the time: "
                                           : "At the peak: ",
                             account_category_words((enum account_category)k), amount);
            free(amount);
        }
        below = most;
    }
    base_text_puts(&out, out.s ? "." : "");
    return base_text_take(&out);
}
