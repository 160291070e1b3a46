/* The transformations of the sheet: what was left out, misjudged, or divided by the wrong thing. */
#include "account/slips.h"

static const char *const nouns[ACCOUNT_CATEGORIES] = {
    "parameters", "grads",   "master copy", "moments",   "activations",
    "gathered",   "reduced", "workspace",   "framework",
};

static bool asked(const struct account_slipped *x, const struct account_term *term) {
    return x->problem.quantity >> term->category & 1;
}

static struct account_term *find(struct account_slipped *x, uint32_t mask) {
    for (size_t i = 0; i < x->sheet.terms; i++)
        if (asked(x, &x->sheet.term[i]) && mask >> x->sheet.term[i].category & 1)
            return &x->sheet.term[i];
    return NULL;
}

/* The N that divides: where the number of GPUs is what is asked for, it is N. */
static void add_ranks(struct account_slipped *x) {
    if (x->problem.kind == ACCOUNT_ASK_FEWEST_GPUS)
        account_add(&x->slip, "N");
    else
        account_add(&x->slip, "%u", x->sheet.ranks);
}

static void add_rate(struct account_text *t, const struct account_term *term) {
    account_add_number(t, account_term_rate(term), 7);
}

/* ── forgotten ───────────────────────────────────────────────────────────────────────────────────*/

/* "grads 2, moments 8; the master copy's 4 are missing": beside the forgotten term stand those bracketed with it. */
static void say_one_missing(struct account_slipped *x, const struct account_term *gone) {
    const char *before = "";
    for (size_t i = 0; i < x->sheet.terms; i++) {
        const struct account_term *term = &x->sheet.term[i];
        bool bracketed = term->sharded == gone->sharded && term->elements == gone->elements;
        if (!asked(x, term) || term->category == gone->category || !bracketed) continue;
        account_add(&x->slip, "%s%s ", before, nouns[term->category]);
        add_rate(&x->slip, term);
        before = ", ";
    }
    bool plural = gone->category != ACCOUNT_MASTER;
    account_add(&x->slip, "%sthe %s%s ", *before ? "; " : "", nouns[gone->category],
                plural ? "'" : "'s");
    add_rate(&x->slip, gone);
    account_add(&x->slip, " are missing");
}

static size_t count(const struct account_slipped *x, uint32_t mask) {
    size_t n = 0;
    for (size_t i = 0; i < x->sheet.terms; i++)
        n += asked(x, &x->sheet.term[i]) && mask >> x->sheet.term[i].category & 1;
    return n;
}

static void say_missing(struct account_slipped *x, uint32_t mask) {
    if (count(x, mask) == 1) {
        say_one_missing(x, find(x, mask));
        return;
    }
    account_add(&x->slip, "missing:");
    const char *before = " ";
    for (size_t i = 0; i < x->sheet.terms; i++) {
        const struct account_term *term = &x->sheet.term[i];
        if (!asked(x, term) || !(mask >> term->category & 1)) continue;
        account_add(&x->slip, "%s%s ", before, nouns[term->category]);
        add_rate(&x->slip, term);
        before = ", ";
    }
    account_add(&x->slip, " B a parameter");
}

/* A row that names several categories is about forgetting them together: where only one of them exists, another row says it. */
bool account_slip_forget(const struct account_slip *row, struct account_slipped *x) {
    bool several = row->mask & (row->mask - 1);
    if (count(x, row->mask) < (several ? 2u : 1u) || !find(x, ~row->mask)) return false;
    say_missing(x, row->mask);
    x->problem.quantity &= ~row->mask;
    return true;
}

/* ── bytes of an element ─────────────────────────────────────────────────────────────────────────*/

/* "grads taken at 4 B; with mixed-bf16 they take 2" */
static bool restate(struct account_slipped *x, struct account_term *term, uint32_t bytes) {
    struct account_term wrong = *term;
    wrong.bytes = bytes;
    wrong.block = wrong.block_bytes = 0;
    account_add(&x->slip, "%s taken at %u B; with %s they take ", nouns[term->category], bytes,
                account_precision_of(&x->problem.training)->name);
    add_rate(&x->slip, term);
    *term = wrong;
    return true;
}

bool account_slip_set_bytes(const struct account_slip *row, struct account_slipped *x) {
    struct account_term *term = find(x, row->mask);
    uint32_t bytes = (uint32_t)row->amount;
    return term && term->bytes != bytes && restate(x, term, bytes);
}

bool account_slip_add_bytes(const struct account_slip *row, struct account_slipped *x) {
    struct account_term *term = find(x, row->mask);
    if (!term || term->bytes >= 4) return false; /* they are fp32 already */
    account_add(&x->slip, "%s %u + %g B: the recipe %s keeps no fp32 copy of them",
                nouns[term->category], term->bytes, row->amount,
                account_recipe_of(&x->problem.training)->name);
    term->bytes += (uint32_t)row->amount;
    return true;
}

bool account_slip_one_moment(const struct account_slip *row, struct account_slipped *x) {
    const struct account_optimizer *o = account_optimizer_of(&x->problem.training);
    struct account_term *term = find(x, row->mask);
    if (!term || o->moments != 2) return false;
    term->bytes /= 2;
    term->block_bytes /= 2;
    account_add(&x->slip, "one moment, ");
    add_rate(&x->slip, term);
    account_add(&x->slip, " B; %s keeps two of them", o->name);
    return true;
}

bool account_slip_small_moments(const struct account_slip *row, struct account_slipped *x) {
    const struct account_optimizer *o = account_optimizer_of(&x->problem.training);
    struct account_term *term = find(x, row->mask);
    uint32_t bytes = o->moments * (uint32_t)row->amount;
    return term && o->moments && term->bytes > bytes && restate(x, term, bytes);
}

bool account_slip_all_16_bit(const struct account_slip *row, struct account_slipped *x) {
    if (count(x, row->mask) < 2) return false; /* of one category alone, its own rows speak */
    bool changed = false;
    uint32_t moments = account_optimizer_of(&x->problem.training)->moments;
    for (size_t i = 0; i < x->sheet.terms; i++) {
        struct account_term *term = &x->sheet.term[i];
        if (!asked(x, term) || !(row->mask >> term->category & 1)) continue;
        uint32_t bytes = term->category == ACCOUNT_MOMENTS ? 2 * moments : 2;
        if (term->category == ACCOUNT_MASTER) x->problem.quantity &= ~(1u << ACCOUNT_MASTER);
        if (term->bytes <= bytes) continue;
        changed = true;
        term->bytes = bytes;
    }
    if (!find(x, ~0u)) return false;
    account_add(&x->slip,
                "2 B for every value and nothing in fp32: that is pure bf16, and this is %s",
                account_precision_of(&x->problem.training)->name);
    return changed;
}

bool account_slip_no_bytes(const struct account_slip *row, struct account_slipped *x) {
    struct account_term *term = find(x, ~0u);
    if (!term) return false;
    double rate = account_sheet_rate(&x->sheet, x->problem.quantity);
    account_add(&x->slip, "one byte a parameter; each takes ");
    account_add_number(&x->slip, rate, 4);
    account_add(&x->slip, " B on a GPU");
    struct account_term whole = {.category = term->category,
                                 .elements = x->sheet.params,
                                 .follows = true,
                                 .bytes = (uint32_t)row->amount};
    x->sheet.term[0] = whole;
    x->sheet.terms = 1;
    x->problem.quantity = 1u << whole.category;
    return true;
}

/* ── divided ─────────────────────────────────────────────────────────────────────────────────────*/

static bool any_sharded(const struct account_slipped *x, bool sharded) {
    for (size_t i = 0; i < x->sheet.terms; i++)
        if (asked(x, &x->sheet.term[i]) && x->sheet.term[i].sharded == sharded) return true;
    return false;
}

/* The gradients are divided but the parameters are not: that is where people misplace one of the two. */
static bool between(const struct account_slipped *x) {
    return account_is_sharded(&x->problem.training, ACCOUNT_GRADS) &&
           !account_is_sharded(&x->problem.training, ACCOUNT_PARAMS);
}

bool account_slip_keep_whole(const struct account_slip *row, struct account_slipped *x) {
    struct account_term *term = find(x, row->mask);
    if (!term || !between(x)) return false;
    term->sharded = false;
    account_add(&x->slip, "grads ");
    add_rate(&x->slip, term);
    account_add(&x->slip, " B whole, as in stage %u; stage %u divides them by ",
                x->problem.training.stage - 1, x->problem.training.stage);
    add_ranks(x);
    return true;
}

bool account_slip_divide(const struct account_slip *row, struct account_slipped *x) {
    struct account_term *term = find(x, row->mask);
    if (!term || !between(x)) return false;
    term->sharded = true;
    account_add(&x->slip, "parameters ");
    add_rate(&x->slip, term);
    account_add(&x->slip, " B ÷ ");
    add_ranks(x);
    account_add(&x->slip, ", as in stage 3; in stage %u each GPU keeps them whole",
                x->problem.training.stage);
    return true;
}

static void set_sharded(struct account_slipped *x, bool sharded) {
    for (size_t i = 0; i < x->sheet.terms; i++) x->sheet.term[i].sharded = sharded;
}

/* What the training does (not) divide, for the slip: "parameters, grads". */
static void add_nouns(struct account_slipped *x, bool sharded) {
    const char *before = "";
    for (size_t i = 0; i < x->sheet.terms; i++) {
        if (!asked(x, &x->sheet.term[i]) || x->sheet.term[i].sharded != sharded) continue;
        account_add(&x->slip, "%s%s", before, nouns[x->sheet.term[i].category]);
        before = ", ";
    }
}

bool account_slip_divide_all(const struct account_slip *row, struct account_slipped *x) {
    (void)row;
    if (!any_sharded(x, false)) return false;
    account_add(&x->slip,
                "all of it ÷ N; in stage %u these stay whole: ", x->problem.training.stage);
    add_nouns(x, false);
    set_sharded(x, true);
    return true;
}

bool account_slip_divide_none(const struct account_slip *row, struct account_slipped *x) {
    (void)row;
    if (!any_sharded(x, true)) return false;
    account_add(&x->slip, "no ÷ %u anywhere; stage %u divides ", x->sheet.ranks,
                x->problem.training.stage);
    add_nouns(x, true);
    set_sharded(x, false);
    return true;
}

bool account_slip_stage(const struct account_slip *row, struct account_slipped *x) {
    int stage = x->problem.training.stage, wrong = stage + (int)row->amount;
    if (wrong < 0 || wrong > 3) return false;
    x->problem.training.stage = (uint8_t)wrong;
    account_sheet(&x->problem.training, &x->sheet);
    account_add(&x->slip, "that is the sum of stage %d; stage %d is asked for", wrong, stage);
    return true;
}

/* ── N ───────────────────────────────────────────────────────────────────────────────────────────*/

static bool has_nodes(const struct account_slipped *x) {
    uint32_t node = x->problem.training.gpus_per_node;
    return node > 0 && x->problem.training.gpus > node && any_sharded(x, true);
}

bool account_slip_nodes(const struct account_slip *row, struct account_slipped *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    if (!has_nodes(x)) return false;
    x->sheet.ranks = t->gpus / t->gpus_per_node;
    account_add(&x->slip, "÷ %u nodes; the shards are spread over all %u GPUs", x->sheet.ranks,
                t->gpus);
    return true;
}

bool account_slip_node(const struct account_slip *row, struct account_slipped *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    if (!has_nodes(x)) return false;
    x->sheet.ranks = t->gpus_per_node;
    account_add(&x->slip, "÷ the %u GPUs of one node; the shards are spread over all %u",
                t->gpus_per_node, t->gpus);
    return true;
}

bool account_slip_sum(const struct account_slip *row, struct account_slipped *x) {
    bool cluster = row->amount > 0;
    uint32_t gpus = x->problem.training.gpus;
    if (x->problem.cluster == cluster || gpus == 1) return false;
    x->problem.cluster = cluster;
    account_add(&x->slip,
                cluster ? "%u GPUs added up; one GPU is asked for"
                        : "one GPU; the sum over all %u is asked for",
                gpus);
    return true;
}
