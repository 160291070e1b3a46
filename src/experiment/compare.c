/* compare: the runs of a lab next to each other. Whether every prediction held, whether the losses
 * are the same, and the one thing that surprises, found in what was measured. */
#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const struct experiment_state *const *states;

/* ── predictions ───────────────────────────────────────────────────────────────────────────────*/
static void hold(struct experiment_compared *c, uint64_t measured, uint64_t predicted) {
    uint64_t apart = measured > predicted ? measured - predicted : predicted - measured;
    c->figures++;
    c->missed += apart > 0;
    c->furthest = apart > c->furthest ? apart : c->furthest;
}

static void hold_if_any(struct experiment_compared *c, uint64_t measured, uint64_t predicted) {
    if (measured || predicted) hold(c, measured, predicted);
}

static void hold_elsewhere(struct experiment_compared *c, const struct experiment_elsewhere *is,
                           const struct experiment_elsewhere *was) {
    hold_if_any(c, is->host, was->host);
    hold_if_any(c, is->file, was->file);
    hold_if_any(c, is->host_moved, was->host_moved);
    hold_if_any(c, is->file_moved, was->file_moved);
    hold_if_any(c, is->between, was->between);
}

/* What a rank's steps move to other tiers and nodes is predicted of steps that update. */
static void hold_rank(struct experiment_compared *c, const struct experiment_rank *r,
                      bool skipped) {
    if (!r->predicted.known || !r->ended) return;
    for (int k = 0; k < ACCOUNT_CATEGORIES; k++)
        hold_if_any(c, r->persistent.bytes[k], r->predicted.persistent.bytes[k]);
    if (!skipped) hold_elsewhere(c, &r->elsewhere, &r->predicted.elsewhere);
    hold(c, r->peak_total, r->predicted.peak_total);
    hold(c, r->sent_total, r->predicted.sent_total);
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
/* "a quarter", "73%". */
static const char *share(char out[static 24], double part, double whole) {
    static const struct {
        double share;
        const char *name;
    } names[] = {
        {1.0 / 2, "half"}, {1.0 / 3, "a third"}, {1.0 / 4, "a quarter"}, {1.0 / 8, "an eighth"}};
    double is = whole > 0 ? part / whole : 0;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (is > names[i].share * 0.985 && is < names[i].share * 1.015) {
            snprintf(out, 24, "%s", names[i].name);
            return out;
        }
    snprintf(out, 24, "%.0f%%", is * 100);
    return out;
}

static const char *bytes(char out[static 32], uint64_t n) {
    return account_print_bytes(out, 32, (double)n);
}

/* ── what surprises ────────────────────────────────────────────────────────────────────────────*/
static const struct experiment_rank *first_rank(const struct experiment_state *s) {
    return &s->rank[0];
}

/* What comes and goes at the peak: the largest part of it. */
static enum account_category largest_temporary(const struct experiment_state *s) {
    const uint64_t *held = first_rank(s)->at_peak.bytes;
    enum account_category most = ACCOUNT_ACTIVATIONS;
    for (int c = ACCOUNT_ACTIVATIONS; c < ACCOUNT_CATEGORIES; c++)
        if (held[c] > held[most]) most = (enum account_category)c;
    return most;
}

/* The category in which two peaks differ most. */
static enum account_category furthest_apart(const struct experiment_state *a,
                                            const struct experiment_state *b) {
    enum account_category most = ACCOUNT_PARAMS;
    uint64_t furthest = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        uint64_t x = first_rank(a)->at_peak.bytes[c], y = first_rank(b)->at_peak.bytes[c],
                 apart = x > y ? x - y : y - x;
        if (apart > furthest) most = (enum account_category)c;
        furthest = apart > furthest ? apart : furthest;
    }
    return most;
}

static double exposed(const struct experiment_state *s) {
    double ms = 0;
    return experiment_measured(s, 0, EXPERIMENT_EXPOSED, &ms) ? ms : 0;
}

/* The lesson of the lab, which explains what only this lab shows. */
static bool explained_there(struct experiment_compared *c) {
    c->lesson = c->lab->lesson ? c->lab->lesson : "1.1";
    return true;
}

/* Activations were most of what this run held when it was refused, and no stage shards those. */
static bool refused_by_activations(struct experiment_compared *c,
                                   const struct experiment_state *s) {
    const struct experiment_weights *held = &first_rank(s)->now;
    uint64_t activations = held->bytes[ACCOUNT_ACTIVATIONS];
    char wanted[32], taken[32];
    if (!s->refused || 2 * activations <= held->total) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "The run '%s' ran out of memory: it needed %s. Activations alone took %s, and no "
             "stage shards those.",
             s->label, bytes(wanted, s->refused), bytes(taken, activations));
    c->lesson = "2.4";
    return true;
}

static bool refused(struct experiment_compared *c, states s, size_t n, const char *watch) {
    char wanted[32];
    (void)watch;
    for (size_t i = 0; i < n; i++)
        if (refused_by_activations(c, s[i])) return true;
    for (size_t i = 0; i < n; i++) {
        if (!s[i]->refused) continue;
        snprintf(c->surprise, sizeof c->surprise,
                 "The run '%s' ran out of memory: it needed %s. Every stage before it ran under "
                 "the same cap.",
                 s[i]->label, bytes(wanted, s[i]->refused));
        if (i == 0) *strstr(c->surprise, " Every") = '\0';
        c->lesson = "1.3";
        return true;
    }
    return false;
}

/* The bytes are the same, the waiting is not. */
static bool waits(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_state *most = s[0], *least = s[0];
    for (size_t i = 1; i < n; i++) {
        if (first_rank(s[i])->sent_total != first_rank(most)->sent_total) return false;
        if (exposed(s[i]) > exposed(most)) most = s[i];
        if (exposed(s[i]) < exposed(least)) least = s[i];
    }
    if (strcmp(watch, "timeline") != 0 || !(exposed(least) < 0.8 * exposed(most))) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "All send the same bytes, but waiting for them costs %.1f ms per step in the run '%s' "
             "and %.1f ms in the run '%s'.",
             exposed(most), most->label, exposed(least), least->label);
    c->lesson = c->lab->lesson ? c->lab->lesson : "2.3";
    return true;
}

/* Less is kept, and nothing more is sent. */
static bool sends_no_more(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_rank *a = first_rank(s[0]), *best = a;
    const char *label = NULL;
    char from[32], to[32];
    for (size_t i = 1; i < n; i++) {
        const struct experiment_rank *r = first_rank(s[i]);
        if (r->sent_total > a->sent_total || r->persistent.total >= best->persistent.total)
            continue;
        best = r;
        label = s[i]->label;
    }
    if (strcmp(watch, "traffic") != 0 || !label) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "A rank keeps %s under %s instead of %s, and sends not one byte more.",
             bytes(to, best->persistent.total), label, bytes(from, a->persistent.total));
    c->lesson = "1.4";
    return true;
}

/* What goes to other nodes, if nodes are told apart, or all that is sent. */
static uint64_t sent(const struct experiment_state *s, bool nodes) {
    return nodes ? first_rank(s)->elsewhere.between : first_rank(s)->sent_total;
}

/* Of two runs of one model, or the shape would be what surprises. */
static bool sends_more(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_state *most = s[0], *least = s[0];
    bool nodes = first_rank(s[0])->elsewhere.between > 0;
    double furthest = 1;
    char high[32], low[32];
    if (strcmp(watch, "traffic") != 0) return false;
    for (size_t i = 0; i < n * n; i++) {
        const struct experiment_state *a = s[i / n], *b = s[i % n];
        double times = (double)sent(a, nodes) / fmax((double)sent(b, nodes), 1);
        if (a->setup.params != b->setup.params || !(times > furthest)) continue;
        furthest = times;
        most = a;
        least = b;
    }
    if (furthest < 1.2) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "In the run '%s' a rank sends %s%s per step. In the run '%s' it sends %s.",
             most->label, bytes(high, sent(most, nodes)), nodes ? " to other nodes" : "",
             least->label, bytes(low, sent(least, nodes)));
    c->lesson = c->lab->lesson ? c->lab->lesson : "1.4";
    return true;
}

/* What the device no longer keeps is kept elsewhere. */
static bool moves(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_rank *a = first_rank(s[0]), *b = first_rank(s[n - 1]);
    const struct experiment_elsewhere *is = &b->elsewhere, *was = &a->elsewhere;
    char from[32], to[32], away[32];
    (void)watch;
    if (b->persistent.total >= a->persistent.total ||
        b->persistent.total + is->host + is->file < a->persistent.total + was->host + was->file)
        return false;
    struct base_text where = {0};
    if (is->host) base_text_printf(&where, "the host holds up to %s", bytes(away, is->host));
    if (is->file)
        base_text_printf(&where, "%s up to %s", is->host ? ", and the file" : "the file holds",
                         bytes(away, is->file));
    snprintf(c->surprise, sizeof c->surprise,
             "Between steps the device keeps %s in the run '%s' instead of %s, but the states only "
             "moved: %s.",
             bytes(to, b->persistent.total), s[n - 1]->label, bytes(from, a->persistent.total),
             where.s);
    base_text_free(&where);
    return explained_there(c);
}

static bool peak_stays(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_rank *a = first_rank(s[0]), *b = first_rank(s[n - 1]);
    double kept = (double)b->persistent.total / (double)a->persistent.total,
           peak = (double)b->peak_total / (double)a->peak_total;
    enum account_category category = largest_temporary(s[n - 1]);
    char part[24], of[24];
    (void)watch;
    if (n < 2 || !(kept < 0.7) || !(peak > 1.3 * kept)) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "The memory kept between steps fell to %s. The peak fell only to %s, because %s of "
             "the rest is %s.",
             share(part, (double)b->persistent.total, (double)a->persistent.total),
             share(of, (double)b->peak_total, (double)a->peak_total),
             2 * b->at_peak.bytes[category] > b->peak_total - b->persistent.total
                 ? "most"
                 : "the largest part",
             account_category_words(category));
    c->lesson = "2.4";
    return true;
}

static bool only_the_peak(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_rank *a = first_rank(s[0]), *b = first_rank(s[n - 1]);
    char from[32], to[32];
    (void)watch;
    if (n < 2 || a->persistent.total != b->persistent.total || a->peak_total == b->peak_total)
        return false;
    enum account_category why = furthest_apart(s[0], s[n - 1]);
    snprintf(c->surprise, sizeof c->surprise,
             "The memory kept between steps is the same to the byte. The peak %s from %s to %s, "
             "and the difference is in the %s.",
             b->peak_total > a->peak_total ? "rose" : "fell", bytes(from, a->peak_total),
             bytes(to, b->peak_total), account_category_words(why));
    c->lesson = why == ACCOUNT_REDUCE ? "2.2" : why == ACCOUNT_GATHER ? "2.3" : "2.4";
    return true;
}

static bool copies(struct experiment_compared *c, states s, size_t n, const char *watch) {
    (void)watch;
    if (n > 1 || s[0]->ranks < 2 || s[0]->states != 1) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "The %u optimizer states are equal, bit for bit: %u of the %u copies "
             "hold nothing new.",
             s[0]->ranks, s[0]->ranks - 1, s[0]->ranks);
    c->lesson = "1.3";
    return true;
}

static bool peak_is_temporary(struct experiment_compared *c, states s, size_t n,
                              const char *watch) {
    const struct experiment_rank *r = first_rank(s[0]);
    enum account_category what = largest_temporary(s[0]);
    char part[24];
    (void)watch;
    if (n > 1 || !r->at_peak.bytes[what]) return false;
    snprintf(c->surprise, sizeof c->surprise,
             "At the peak %s of the memory is %s. Between steps none of it is kept.",
             share(part, (double)r->at_peak.bytes[what], (double)r->peak_total),
             account_category_words(what));
    c->lesson = "2.4";
    return true;
}

/* Of collectives that were timed alone. */
static bool latency(struct experiment_compared *c, states s, size_t n, const char *watch) {
    const struct experiment_timing *least = NULL, *most = NULL;
    char small[32], large[32];
    (void)watch;
    for (size_t i = 0; n == 1 && i < s[0]->timings; i++) {
        const struct experiment_timing *t = &s[0]->timing[i];
        if (t->op != EXPERIMENT_SENT_AR) continue;
        if (!least || t->bytes < least->bytes) least = t;
        if (!most || t->bytes > most->bytes) most = t;
    }
    if (!least || !least->bytes || !(least->seconds > 0)) return false;
    double larger = (double)most->bytes / (double)least->bytes,
           longer = most->seconds / least->seconds;
    if (!(longer < 0.8 * larger)) return false;
    snprintf(
        c->surprise, sizeof c->surprise,
        "An all-reduce of %s takes %.3g times as long as one of %s, though it sends %.4g times "
        "the bytes.",
        bytes(large, most->bytes), longer, bytes(small, least->bytes), larger);
    c->lesson = "2.5";
    return true;
}

static bool skips(struct experiment_compared *c, states s, size_t n, const char *watch) {
    (void)watch;
    for (size_t i = 0; i < n; i++) {
        if (!s[i]->skipped || s[i]->skipped < s[i]->told) continue;
        snprintf(c->surprise, sizeof c->surprise,
                 "The run '%s' computed the gradients of %u steps and used none of them: it "
                 "skipped every step.",
                 s[i]->label, s[i]->told);
        return explained_there(c);
    }
    return false;
}

static double passes(const struct experiment_state *s) {
    double n = 0;
    return experiment_measured(s, 0, EXPERIMENT_PASSES, &n) ? n : 0;
}

static bool ends_alike(const struct experiment_state *a, const struct experiment_state *b) {
    return a->weights_hash[0] && strcmp(a->weights_hash, b->weights_hash) == 0;
}

static bool weighs_alike(const struct experiment_state *a, const struct experiment_state *b) {
    const struct experiment_rank *x = first_rank(a), *y = first_rank(b);
    return x->persistent.total == y->persistent.total && x->peak_total == y->peak_total &&
           x->sent_total == y->sent_total;
}

static bool only_passes(struct experiment_compared *c, states s, size_t n, const char *watch) {
    (void)watch;
    for (size_t i = 1; i < n; i++) {
        if (!ends_alike(s[0], s[i]) || !weighs_alike(s[0], s[i]) || passes(s[0]) == passes(s[i]))
            continue;
        snprintf(
            c->surprise, sizeof c->surprise,
            "The runs '%s' and '%s' end with the same weights, bit for bit, and hold the same "
            "bytes. But a rank's update takes %.6g passes in the first and %.6g in the second.",
            s[0]->label, s[i]->label, passes(s[0]), passes(s[i]));
        return explained_there(c);
    }
    return false;
}

/* The same bytes do not show that a training is right. */
static bool only_weights(struct experiment_compared *c, states s, size_t n, const char *watch) {
    (void)watch;
    for (size_t i = 1; i < n; i++) {
        if (!s[i]->setup.planted || s[0]->setup.planted || !s[0]->weights_hash[0] ||
            ends_alike(s[0], s[i]) || !weighs_alike(s[0], s[i]))
            continue;
        snprintf(
            c->surprise, sizeof c->surprise,
            "The run '%s' holds and sends exactly the bytes of the run '%s', and yet it trains "
            "another model.",
            s[i]->label, s[0]->label);
        return explained_there(c);
    }
    return false;
}

static bool only_bytes(struct experiment_compared *c, states s, size_t n, const char *watch) {
    char from[32], to[32];
    (void)watch;
    for (size_t i = 1; i < n; i++) {
        uint64_t a = first_rank(s[0])->persistent.total, b = first_rank(s[i])->persistent.total;
        if (!ends_alike(s[0], s[i]) || a == b) continue;
        snprintf(c->surprise, sizeof c->surprise,
                 "A rank keeps %s in the run '%s' and %s in the run '%s', and yet both end with "
                 "the same weights, bit for bit.",
                 bytes(from, a), s[0]->label, bytes(to, b), s[i]->label);
        return explained_there(c);
    }
    return false;
}

static void find_surprise(struct experiment_compared *c, states s, size_t n, const char *watch) {
    static bool (*const finds[])(struct experiment_compared * c, states s, size_t n,
                                 const char *watch) = {
        latency, refused,     waits,         sends_no_more, sends_more,
        moves,   peak_stays,  only_the_peak, copies,        peak_is_temporary,
        skips,   only_passes, only_weights,  only_bytes};
    for (size_t i = 0; i < BASE_COUNT(finds); i++)
        if (finds[i](c, s, n, watch)) return;
}

/* What a lab is about if it does not say so. */
static const uint32_t usual =
    1u << EXPERIMENT_KEPT | 1u << EXPERIMENT_PEAK | 1u << EXPERIMENT_SENT_STEP;

static bool is_same(const struct experiment_state *a, const struct experiment_state *b) {
    return strcmp(a->loss, b->loss) == 0 && strcmp(a->weights_hash, b->weights_hash) == 0;
}

struct experiment_compared experiment_compare(states s, size_t n,
                                              const struct experiment_lab *lab) {
    struct experiment_compared c = {.lab = lab, .same_loss = true};
    c.named = c.shown = lab->shows ? lab->shows : usual;
    for (int m = 0; m < EXPERIMENT_MEASURES; m++)
        if (experiment_differ(s, n, (enum experiment_measure)m)) c.shown |= 1u << m;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t r = 0; r < s[i]->seen; r++) hold_rank(&c, &s[i]->rank[r], s[i]->skipped > 0);
        c.same_loss = c.same_loss && is_same(s[i], s[0]);
    }
    find_surprise(&c, s, n, lab->watch);
    return c;
}

/* ── whether they agree ────────────────────────────────────────────────────────────────────────*/
static const char *loss_of(const struct experiment_state *s) {
    return s->loss;
}

static const char *weights_of(const struct experiment_state *s) {
    return s->weights_hash;
}

/* "'a', 'b' and 'c'": the runs with another one than the first, and how many they are. The
 * caller's. */
static char *name_others(states s, size_t n, const char *(*of)(const struct experiment_state *),
                         size_t *others) {
    struct base_text t = {0};
    size_t left = *others = 0;
    for (size_t i = 1; i < n; i++) *others += strcmp(of(s[i]), of(s[0])) != 0;
    left = *others;
    for (size_t i = 1; i < n; i++) {
        if (strcmp(of(s[i]), of(s[0])) == 0) continue;
        base_text_printf(&t, "'%s'%s", s[i]->label, left > 2 ? ", " : left == 2 ? " and " : "");
        left--;
    }
    return t.s ? base_text_take(&t) : base_dup("");
}

/* "The loss is 4.1 in 'a', 4.2 in 'b'." */
static char *say_losses(states s, size_t n) {
    struct base_text t = {0};
    base_text_printf(&t, "The loss is %s in '%s'", s[0]->loss, s[0]->label);
    for (size_t i = 1; i < n; i++)
        if (strcmp(s[i]->loss, s[0]->loss) != 0)
            base_text_printf(&t, ", %s in '%s'", s[i]->loss, s[i]->label);
    base_text_puts(&t, ".");
    return base_text_take(&t);
}

/* Where weights or losses differ: with the losses, with the names alone, and with numbers of
 * runs. */
enum { WAYS = 3 };
static void say_apart(states s, size_t n, char *way[WAYS]) {
    size_t losses, weights;
    char *loss = name_others(s, n, loss_of, &losses), *told = say_losses(s, n),
         *weight = name_others(s, n, weights_of, &weights);
    if (losses == 0) {
        way[0] = base_format("The losses are equal. The weights of %s differ from those of '%s'.",
                             weight, s[0]->label);
        way[1] = base_format("The losses are equal. The weights of %s differ.", weight);
        way[2] =
            base_format("The losses are equal. The weights differ in %zu of %zu runs.", weights, n);
    } else if (strcmp(loss, weight) == 0) {
        way[0] = base_format("%s The weights differ, too.", told);
        way[1] = base_format("The loss and the weights of %s differ.", loss);
        way[2] = base_format("Losses and weights differ in %zu of %zu runs.", losses, n);
    } else {
        way[0] = base_format("%s The weights of %s differ from those of '%s'.", told, weight,
                             s[0]->label);
        way[1] = base_format("The loss of %s and the weights of %s differ.", loss, weight);
        way[2] = base_format("The losses differ in %zu of %zu runs, the weights in %zu.", losses, n,
                             weights);
    }
    free(weight);
    free(told);
    free(loss);
}

char *experiment_agreement(states s, size_t n, int room) {
    char *way[WAYS];
    size_t fits = 0;
    bool same = true, one_model = true;
    for (size_t i = 1; i < n; i++) {
        same = same && is_same(s[i], s[0]);
        one_model = one_model && s[i]->setup.params == s[0]->setup.params;
    }
    if (same) return base_dup("Losses and weights are equal, bit for bit.");
    if (!one_model) return base_dup("The losses differ, as the models do.");
    say_apart(s, n, way);
    while (fits + 1 < WAYS && base_width(way[fits]) > room) fits++;
    for (size_t i = 0; i < WAYS; i++)
        if (i != fits) free(way[i]);
    return way[fits];
}
