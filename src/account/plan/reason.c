/* Why a plan was chosen, or was not: one line in numbers. */
#include "account/plan/compare.h"

#include <math.h>

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

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

static void say_missing(struct account_text *out, const struct account_outcome *m) {
    account_add(out, "needs ");
    account_add_bytes(out, (double)m->needs);
    if (m->has == 0) {
        account_add(out, " of %s, and how much there is is not known", limits[m->limit]);
        return;
    }
    account_add(out, m->limit == ACCOUNT_LIMIT_CARD ? ", " : " on each node, ");
    account_add_bytes(out, (double)(m->needs - m->has));
    account_add(out, " more than %s has", limits[m->limit]);
}

static void say_spare(struct account_text *out, const struct account_outcome *m) {
    account_add_bytes(out, (double)(m->has - m->needs));
    account_add(out, " to spare");
    if (m->limit != ACCOUNT_LIMIT_CARD) account_add(out, " of %s", limits[m->limit]);
}

/* ── what is slower ────────────────────────────────────────────────────────────────────────────*/

/* Where the seconds go that one plan takes more than another. */
enum cause { SENDS, COMPUTES, MOVES, IDLES, CAUSES };

static void split(const struct account_outcome *m, double *seconds) {
    seconds[SENDS] = m->exposed;
    seconds[COMPUTES] = m->computes;
    seconds[MOVES] = m->offload;
    seconds[IDLES] = m->bubble;
}

static enum cause largest_cause(const struct account_outcome *a, const struct account_outcome *b) {
    double mine[CAUSES], theirs[CAUSES];
    enum cause most = SENDS;
    split(a, mine);
    split(b, theirs);
    for (int i = 0; i < CAUSES; i++)
        if (mine[i] - theirs[i] > mine[most] - theirs[most]) most = (enum cause)i;
    return most;
}

/* More may be sent and less of it be waited for: say what differs. */
static void say_sends(struct account_text *out, const struct account_outcome *m,
                      const struct account_outcome *chosen) {
    if (m->sent > chosen->sent) {
        account_add(out, "sends ");
        account_add_bytes(out, m->sent);
        account_add(out, " per step, while the first sends ");
        account_add_bytes(out, chosen->sent);
    } else {
        account_add(out, "waits ");
        account_add_seconds(out, m->exposed);
        account_add(out, " per step for other GPUs, while the first waits ");
        account_add_seconds(out, chosen->exposed);
    }
}

static void say_cause(struct account_text *out, const struct account_outcome *m,
                      const struct account_outcome *chosen) {
    switch (largest_cause(m, chosen)) {
    case SENDS: say_sends(out, m, chosen); break;
    case COMPUTES:
        account_add(out, "computes for ");
        account_add_seconds(out, m->computes);
        account_add(out, " per step, while the first computes for ");
        account_add_seconds(out, chosen->computes);
        break;
    case MOVES:
        account_add(out, "waits ");
        account_add_seconds(out, m->offload);
        account_add(out, " per step for the host");
        break;
    case IDLES:
        account_add(out, "idles ");
        account_add_seconds(out, m->bubble);
        account_add(out, " per step in the pipeline");
        break;
    case CAUSES: break;
    }
}

/* Where links are unknown: what is sent or, if that is the same, what is computed. */
static void say_sent(struct account_text *out, const struct account_outcome *m,
                     const struct account_outcome *chosen) {
    double mine = m->sent, first = chosen->sent;
    if (m->seconds > chosen->seconds && mine <= first) {
        say_cause(out, m, chosen);
        return;
    }
    account_add(out, "sends ");
    account_add_bytes(out, mine);
    account_add(out, " per step");
    if (first > 0 && mine > first) {
        account_add(out, ", ");
        add_times(out, mine / first);
        account_add(out, " as much as the first");
    } else {
        account_add(out, mine < first ? ", less than the first; the step within 2%%"
                                      : " as the first does");
    }
}

static void say_slower(struct account_text *out, const struct account_given *given,
                       const struct account_outcome *m, const struct account_outcome *chosen) {
    double ratio = chosen->seconds > 0 ? m->seconds / chosen->seconds : 1;
    if (given->by_bytes) {
        say_sent(out, m, chosen);
    } else if (isinf(m->seconds)) {
        account_add(out, "its time is not known, because the rate of the node's NVMe is not known");
    } else if (ratio > ACCOUNT_AS_FAST) {
        say_cause(out, m, chosen);
        account_add(out, ": ");
        add_times(out, ratio);
        account_add(out, " slower");
    } else {
        account_add(out, "as fast as the first within 2%%");
        if (m->burden > chosen->burden) account_add(out, ", and more to set up");
    }
}

/* ── a plan's reason ───────────────────────────────────────────────────────────────────────────*/

void account_reason_chosen(struct account_text *out, const struct account_given *given,
                           const struct account_outcome *m, const struct account_outcome *fastest) {
    account_add(out, m->fits == ACCOUNT_TIGHT ? "tight, and nothing fits with room: " : "fits: ");
    say_spare(out, m);
    if (!given->has_shape) account_add(out, "; model states only, activations are left out");
    if (given->by_bytes) {
        account_add(out, given->has_shape ? "; the least computed and sent, no time is known"
                                          : "; the least sent, no time is known");
    } else if (isinf(m->seconds)) {
        account_add(out,
                    "; its time is not known, because the rate of the node's NVMe is not known");
    } else if (fastest->seconds < m->seconds) {
        account_add(out, "; within ");
        account_add_number(out, 100 * (m->seconds / fastest->seconds - 1), 2);
        account_add(out, "%% of the fastest, and simpler");
    } else {
        account_add(out, "; the fastest that %s", m->fits == ACCOUNT_TIGHT ? "does" : "fits");
    }
}

void account_reason_other(struct account_text *out, const struct account_given *given,
                          const struct account_outcome *m, const struct account_outcome *chosen) {
    if (m->fits == ACCOUNT_TOO_LARGE) {
        say_missing(out, m);
        return;
    }
    if (m->fits == ACCOUNT_TIGHT) {
        account_add(out, "tight: ");
        say_spare(out, m);
        account_add(out, "; ");
    } else {
        double same = given->by_bytes ? 1 : ACCOUNT_AS_FAST;
        bool slower = m->seconds > same * chosen->seconds;
        account_add(out, slower ? "fits, but " : "fits, ");
    }
    double gain = m->seconds > 0 ? chosen->seconds / m->seconds : 1;
    if (!given->by_bytes && m->fits == ACCOUNT_TIGHT && gain > ACCOUNT_AS_FAST) {
        add_times(out, gain);
        account_add(out, " faster if it holds");
    } else {
        say_slower(out, given, m, chosen);
    }
}
