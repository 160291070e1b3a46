/* Why a plan was chosen, or was not: one line in numbers. */
#include "account/plan/search.h"

#include <math.h>

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

void account_add_bytes(struct account_text *out, double bytes) {
    char text[32];
    account_add(out, "%s", account_print_bytes(text, sizeof text, bytes));
}

void account_add_seconds(struct account_text *out, double seconds) {
    if (seconds >= 1)
        account_add_value(out, seconds, ACCOUNT_UNIT_SECONDS, 3);
    else
        account_add_value(out, seconds, ACCOUNT_UNIT_MS, 3);
}

static const char *offload_name(const struct account_training *t) {
    static const char *const names[ACCOUNT_TIERS][ACCOUNT_TIERS] = {
        {NULL, "parameters on the host", "parameters on NVMe"},
        {"optimizer on the host", "optimizer and parameters on the host",
         "optimizer on the host, parameters on NVMe"},
        {"optimizer on NVMe", "optimizer on NVMe, parameters on the host",
         "optimizer and parameters on NVMe"},
    };
    return names[t->offload_optimizer % ACCOUNT_TIERS][t->offload_params % ACCOUNT_TIERS];
}

static void add_degree(struct account_text *out, const char *name, uint32_t degree) {
    if (degree > 1) account_add(out, ", %s %u", name, degree);
}

void account_add_plan(struct account_text *out, const struct account_training *t) {
    static const char *const kept[] = {"", ", selective checkpointing", ", full checkpointing"};
    account_add(out, "stage %u", t->stage);
    if (t->shard_group) account_add(out, " in groups of %u", t->shard_group);
    account_add(out, "%s", kept[t->checkpoint % 3]);
    add_degree(out, "tp", t->tp);
    add_degree(out, "pp", t->pp);
    add_degree(out, "cp", t->cp);
    if (offload_name(t)) account_add(out, ", %s", offload_name(t));
    if (t->batch) account_add(out, ", micro-batch %u × %u", t->batch, t->accumulate);
}

static void add_times(struct account_text *out, double ratio) {
    account_add_number(out, ratio, ratio < 1.1 ? 3 : 2);
    account_add(out, "×");
}

/* ── what does not fit ─────────────────────────────────────────────────────────────────────────*/

static const char *const limits[] = {
    [ACCOUNT_LIMIT_CARD] = "the card",
    [ACCOUNT_LIMIT_HOST] = "the node's host memory",
    [ACCOUNT_LIMIT_NVME] = "the node's NVMe",
};

static void say_missing(struct account_text *out, const struct account_needs *w) {
    account_add(out, "needs ");
    account_add_bytes(out, (double)w->needs);
    if (w->has == 0) {
        account_add(out, " of %s, and how much there is is not known", limits[w->limit]);
        return;
    }
    account_add(out, w->limit == ACCOUNT_LIMIT_CARD ? ", " : " on each node, ");
    account_add_bytes(out, (double)(w->needs - w->has));
    account_add(out, " more than %s has", limits[w->limit]);
}

static void say_spare(struct account_text *out, const struct account_needs *w) {
    account_add_bytes(out, (double)(w->has - w->needs));
    account_add(out, " to spare");
    if (w->limit != ACCOUNT_LIMIT_CARD) account_add(out, " of %s", limits[w->limit]);
}

/* ── what is slower ────────────────────────────────────────────────────────────────────────────*/

/* Where the seconds go that one plan takes more than another. */
enum cause { SENDS, COMPUTES, MOVES, IDLES, CAUSES };

static void split(const struct account_clock *c, double *seconds) {
    seconds[SENDS] = c->comm_exposed;
    seconds[COMPUTES] = c->forward + c->backward + c->update;
    seconds[MOVES] = c->offload;
    seconds[IDLES] = c->bubble;
}

static enum cause largest_cause(const struct account_clock *a, const struct account_clock *b) {
    double mine[CAUSES], theirs[CAUSES];
    enum cause most = SENDS;
    split(a, mine);
    split(b, theirs);
    for (int i = 0; i < CAUSES; i++)
        if (mine[i] - theirs[i] > mine[most] - theirs[most]) most = (enum cause)i;
    return most;
}

/* More may be sent and less of it be waited for: say what differs. */
static void say_sends(struct account_text *out, const struct account_training *t,
                      const struct account_clock *mine, const struct account_training *chosen,
                      const struct account_clock *theirs) {
    double sent = account_plan_bytes(t), first = account_plan_bytes(chosen);
    bool more = sent > first;
    account_add(out, more ? "sends " : "waits ");
    if (more)
        account_add_bytes(out, sent);
    else
        account_add_seconds(out, mine->comm_exposed);
    account_add(out, more ? " a step where the first sends "
                          : " a step for other GPUs where the first waits ");
    if (more)
        account_add_bytes(out, first);
    else
        account_add_seconds(out, theirs->comm_exposed);
}

static void say_cause(struct account_text *out, const struct account_training *t,
                      const struct account_training *chosen) {
    struct account_clock a, b;
    if (!account_clock(t, &a, NULL) || !account_clock(chosen, &b, NULL)) return;
    switch (largest_cause(&a, &b)) {
    case SENDS: say_sends(out, t, &a, chosen, &b); break;
    case COMPUTES:
        account_add(out, "computes for ");
        account_add_seconds(out, a.forward + a.backward + a.update);
        account_add(out, " a step where the first takes ");
        account_add_seconds(out, b.forward + b.backward + b.update);
        break;
    case MOVES:
        account_add(out, "waits ");
        account_add_seconds(out, a.offload);
        account_add(out, " a step for the host");
        break;
    case IDLES:
        account_add(out, "idles ");
        account_add_seconds(out, a.bubble);
        account_add(out, " a step in the pipeline");
        break;
    case CAUSES: break;
    }
}

/* Where links are unknown: what is sent or, if that is the same, what is computed. */
static void say_sent(struct account_text *out, const struct account_plan *p,
                     const struct account_plan *chosen) {
    double mine = account_plan_bytes(&p->training), first = account_plan_bytes(&chosen->training);
    if (p->seconds > chosen->seconds && mine <= first) {
        say_cause(out, &p->training, &chosen->training);
        return;
    }
    account_add(out, "sends ");
    account_add_bytes(out, mine);
    account_add(out, " a step");
    if (first > 0 && mine > first) {
        account_add(out, ", ");
        add_times(out, mine / first);
        account_add(out, " as much as the first");
    } else {
        account_add(out, mine < first ? ", less than the first; the step within 2%%"
                                      : " like the first");
    }
}

static void say_slower(struct account_text *out, const struct account_search *s,
                       const struct account_plan *p, const struct account_plan *chosen) {
    double ratio = chosen->seconds > 0 ? p->seconds / chosen->seconds : 1;
    if (s->by_bytes) {
        say_sent(out, p, chosen);
    } else if (isinf(p->seconds)) {
        account_add(out, "its time is not known, because the rate of the node's NVMe is not known");
    } else if (ratio > ACCOUNT_AS_FAST) {
        say_cause(out, &p->training, &chosen->training);
        account_add(out, ": ");
        add_times(out, ratio);
        account_add(out, " slower");
    } else {
        account_add(out, "as fast as the first within 2%%");
        if (account_burden(&p->training) > account_burden(&chosen->training))
            account_add(out, ", and more to set up");
    }
}

/* ── the rows ──────────────────────────────────────────────────────────────────────────────────*/

static void say_chosen(struct account_text *out, const struct account_search *s,
                       const struct account_plan *p, const struct account_needs *w,
                       const struct account_plan *fastest) {
    account_add(out, w->fits == ACCOUNT_TIGHT ? "tight, and nothing fits with room: " : "fits: ");
    say_spare(out, w);
    if (!s->has_shape) account_add(out, "; model states only, activations are left out");
    if (s->by_bytes) {
        account_add(out, s->has_shape ? "; the least computed and sent, no time is known"
                                      : "; the least sent, no time is known");
    } else if (isinf(p->seconds)) {
        account_add(out,
                    "; its time is not known, because the rate of the node's NVMe is not known");
    } else if (fastest->seconds < p->seconds) {
        account_add(out, "; within ");
        account_add_number(out, 100 * (p->seconds / fastest->seconds - 1), 2);
        account_add(out, "%% of the fastest, and simpler");
    } else {
        account_add(out, "; the fastest that %s", w->fits == ACCOUNT_TIGHT ? "does" : "fits");
    }
}

static void say_other(struct account_text *out, const struct account_search *s,
                      const struct account_plan *p, const struct account_needs *w,
                      const struct account_plan *chosen) {
    if (w->fits == ACCOUNT_TOO_LARGE) {
        say_missing(out, w);
        return;
    }
    if (w->fits == ACCOUNT_TIGHT) {
        account_add(out, "tight: ");
        say_spare(out, w);
        account_add(out, "; ");
    } else {
        double same = s->by_bytes ? 1 : ACCOUNT_AS_FAST;
        bool slower = p->seconds > same * chosen->seconds;
        account_add(out, slower ? "fits, but " : "fits, ");
    }
    double gain = p->seconds > 0 ? chosen->seconds / p->seconds : 1;
    if (!s->by_bytes && w->fits == ACCOUNT_TIGHT && gain > ACCOUNT_AS_FAST) {
        add_times(out, gain);
        account_add(out, " faster if it holds");
    } else {
        say_slower(out, s, p, chosen);
    }
}

void account_plan_reasons(const struct account_search *s, struct account_plan *plan, size_t count,
                          bool found, const struct account_plan *fastest) {
    for (size_t i = 0; i < count; i++) {
        struct account_needs w;
        if (!account_plan_needs(s, &plan[i].training, &w)) continue;
        struct account_text out = account_text(plan[i].reason, sizeof plan[i].reason);
        if (i == 0 && found)
            say_chosen(&out, s, &plan[i], &w, fastest);
        else
            say_other(&out, s, &plan[i], &w, &plan[0]);
    }
}
