/* A fork of the decision tree: its question, what settles it, and the sum that says so. */
#include "account/plan/tree.h"

/* ── forks ─────────────────────────────────────────────────────────────────────────────────────*/

/* Room for the last fork is kept. */
static struct account_fork *begin(struct account_tree *tree, const char *question,
                                  const char *answer) {
    size_t last = ACCOUNT_FORKS - 1;
    struct account_fork *f = &tree->out->fork[tree->out->forks < last ? tree->out->forks++ : last];
    struct account_text q = account_text(f->question, sizeof f->question),
                        a = account_text(f->answer, sizeof f->answer);
    account_add(&q, "%s", question);
    account_add(&a, "%s", answer);
    f->needs = f->has = 0;
    f->needs_host = false;
    return f;
}

struct account_text account_tree_fork(struct account_tree *tree, const char *question,
                                      const char *answer) {
    struct account_fork *f = begin(tree, question, answer);
    return account_text(f->because, sizeof f->because);
}

static void add_parts(struct account_text *out, const struct account_outcome *w) {
    const struct {
        uint64_t bytes;
        const char *what;
    } parts[] = {
        {w->states, "of model states"},
        {w->activations, "activations"},
        {w->peak - w->states - w->activations - w->reserve + w->gathered, "buffers"},
        {w->reserve, "reserve"},
    };
    const char *plus = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].bytes == 0) continue;
        account_add(out, "%s", plus);
        account_add_bytes(out, (double)parts[i].bytes);
        account_add(out, " %s", parts[i].what);
        plus = " + ";
    }
}

static void add_tier(struct account_text *out, const struct account_outcome *w) {
    static const char *const names[] = {"the host", "host", "NVMe"};
    account_add_bytes(out, (double)w->needs);
    account_add(out, " of each node's ");
    if (w->has == 0) {
        account_add(out, "%s, whose size is not known", names[w->limit]);
        return;
    }
    account_add_bytes(out, (double)w->has);
    account_add(out, " %s", names[w->limit]);
}

void account_tree_add_sum(struct account_text *out, const struct account_search *s,
                          const struct account_outcome *w) {
    add_parts(out, w);
    account_add(out, " = ");
    account_add_bytes(out, (double)(w->peak + w->gathered));
    account_add(out, " of ");
    account_add_bytes(out, (double)s->given.card_bytes);
    if (w->limit != ACCOUNT_LIMIT_CARD) {
        account_add(out, "; ");
        add_tier(out, w);
    }
}

bool account_tree_settle(struct account_tree *tree, const char *question,
                         const struct account_outcome *w, const char *with) {
    struct account_fork *f = begin(tree, question, account_fit_name(w->fits));
    struct account_text because = account_text(f->because, sizeof f->because);
    f->needs = w->peak + w->gathered;
    f->has = tree->search->given.card_bytes;
    account_add(&because, "%s", with);
    account_tree_add_sum(&because, tree->search, w);
    return w->fits == ACCOUNT_FITS;
}

bool account_tree_has_stage(const struct account_tree *tree, uint8_t stage) {
    const struct account_search *s = tree->search;
    if (!account_has_stage(&tree->at, stage)) return false;
    return !account_is_pinned(s, ACCOUNT_KNOB_STAGE) || stage == s->base.stage;
}

static bool is_nearer(const struct account_outcome *a, const struct account_outcome *b) {
    if (a->fits != b->fits) return a->fits < b->fits;
    return a->peak + a->gathered < b->peak + b->gathered;
}

bool account_tree_lowest(struct account_tree *tree, struct account_training *t,
                         struct account_outcome *w) {
    bool any = false;
    for (uint8_t stage = 0; stage < 4; stage++) {
        struct account_training now = *t;
        struct account_outcome needs;
        now.stage = stage;
        if (!account_tree_has_stage(tree, stage)) continue;
        if (!account_search_measure(tree->search, &now, &needs)) continue;
        if (any && !is_nearer(&needs, w)) continue;
        *t = now;
        *w = needs;
        any = true;
        if (w->fits == ACCOUNT_FITS) break;
    }
    return any;
}

bool account_tree_ask(struct account_tree *tree, const char *question, struct account_training t) {
    struct account_outcome w;
    char with[64];
    if (!account_tree_lowest(tree, &t, &w)) return false;
    tree->at = t;
    struct account_text text = account_text(with, sizeof with);
    if (w.ranks > 1) account_add(&text, "stage %u: ", t.stage);
    return account_tree_settle(tree, question, &w, with);
}
