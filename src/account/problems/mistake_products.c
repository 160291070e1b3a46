/* The transformations of products: a factor left out, misjudged or added; a product forgotten. A
 * row's mask names roles of factors and sorts of products; no sort: any. */
#include "account/traffic/flows.h"
#include "account/problems/mistakes.h"

#include <math.h>

static bool concerns(const struct account_mistake_row *row, const struct account_product *p) {
    uint32_t sorts = row->mask & ACCOUNT_SORTS;
    return sorts == 0 || (p->sort & sorts) != 0;
}

static bool names(const struct account_mistake_row *row, const struct account_factor *f) {
    return (row->mask & f->role) != 0;
}

/* ── factors ───────────────────────────────────────────────────────────────────────────────────*/

/* A factor by itself, without the sign that its place would give it. */
static void say_alone(struct account_misread *x, const struct account_factor *f) {
    struct account_factor plain = *f;
    if (f->how == ACCOUNT_DIVISOR) plain.how = ACCOUNT_NUMBER;
    if (f->how == ACCOUNT_SPEED) {
        account_add_value(&x->wrong, f->a, ACCOUNT_UNIT_GB_PER_S, 6);
        return;
    }
    account_add_factor(&x->wrong, &plain, true);
}

static const char *sign_of(const struct account_factor *f) {
    return f->how == ACCOUNT_DIVISOR || f->how == ACCOUNT_SPEED ? "÷" : "×";
}

/* Names the factor, since the sum may have another with the same number. */
static void say_role(struct account_misread *x, uint32_t role) {
    static const struct {
        uint32_t role;
        const char *name;
    } names[] = {{ACCOUNT_TWICE, "the halves of an all-reduce"},
                 {ACCOUNT_PASSES, "how often it is sent"},
                 {ACCOUNT_MICRO, "micro-batches"},
                 {ACCOUNT_LAYERS, "layers"},
                 {ACCOUNT_BATCH, "sequences"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (role == names[i].role) account_add(&x->wrong, " (%s)", names[i].name);
}

static bool is_same(const struct account_factor *a, const struct account_factor *b) {
    return a->role == b->role && a->a == b->a && a->b == b->b;
}

bool account_mistake_drop_factor(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    struct account_factor said = {0};
    for (size_t i = 0; i < s->count; i++) {
        struct account_product *p = &s->product[i];
        size_t kept = 0;
        for (size_t j = 0; j < p->factors; j++) {
            struct account_factor *f = &p->factor[j];
            if (!concerns(row, p) || !names(row, f)) {
                p->factor[kept++] = *f;
                continue;
            }
            if (is_same(f, &said)) continue;
            account_add(&x->wrong, "%s%s ", said.role ? ", " : "", sign_of(f));
            say_alone(x, f);
            say_role(x, f->role);
            said = *f;
        }
        p->factors = kept;
    }
    account_add(&x->wrong, " left out");
    return said.role != 0;
}

static void say_changed(struct account_misread *x, const struct account_factor *wrong,
                        const struct account_factor *right) {
    account_add(&x->wrong, "%s ", sign_of(wrong));
    say_alone(x, wrong);
    account_add(&x->wrong, "; it is ");
    say_alone(x, right);
}

typedef double rewriting(double right, const struct account_mistake_row *row,
                         const struct account_misread *x);

static bool change(const struct account_mistake_row *row, struct account_misread *x,
                   rewriting *rewrite) {
    struct account_products *s = &x->grounds.products;
    bool found = false;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->product[i].factors; j++) {
            struct account_factor *f = &s->product[i].factor[j], right = *f;
            if (!concerns(row, &s->product[i]) || !names(row, f)) continue;
            f->a = rewrite(right.a, row, x);
            if (f->a == right.a) continue;
            if (!found) say_changed(x, f, &right);
            found = true;
        }
    return found;
}

static double replaced(double right, const struct account_mistake_row *row,
                       const struct account_misread *x) {
    (void)right;
    (void)x;
    return row->amount;
}

static double scaled(double right, const struct account_mistake_row *row,
                     const struct account_misread *x) {
    (void)x;
    return right * row->amount;
}

bool account_mistake_set_factor(const struct account_mistake_row *row, struct account_misread *x) {
    return change(row, x, replaced);
}

bool account_mistake_scale_factor(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    return change(row, x, scaled);
}

/* What the data sheet says of the link that a rate belongs to; of a node's adapters, all that the
 * rate counts. */
static double on_the_sheet(double rate, const struct account_mistake_row *row,
                           const struct account_misread *x) {
    const struct account_wires w = account_wires(&x->problem.training);
    bool offload = x->problem.piece == ACCOUNT_PIECE_OFFLOAD;
    if (offload) return row->amount * w.host.wire;
    if (rate == w.link.rate || w.net.rate <= 0) return row->amount * w.link.wire;
    return row->amount > 1 ? rate : w.net.wire * rate / w.net.rate;
}

/* `amount` times the data sheet's rate in one direction: those of NVLink and PCIe add both up,
 * those of networks do not. */
bool account_mistake_sheet_rate(const struct account_mistake_row *row, struct account_misread *x) {
    return change(row, x, on_the_sheet);
}

/* Of several nodes with several adapters each: the rate of one adapter; 0: it makes no
 * difference. */
static double one_adapter(const struct account_training *t) {
    struct account_group group = account_mesh(t).data;
    bool several = group.ranks > group.per_node && group.per_node > 1;
    return several ? account_wires(t).net.rate : 0;
}

/* The rate as another link has it: `amount` chooses. 0: one adapter of a node; 1: the link
 * inside. */
bool account_mistake_rate_of(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    struct account_group group = account_mesh(t).data;
    bool spans = group.ranks > group.per_node;
    struct account_mistake_row set = *row;
    set.amount = row->amount == 0 ? one_adapter(t) : spans ? account_wires(t).link.rate : 0;
    return x->problem.piece != ACCOUNT_PIECE_OFFLOAD && set.amount > 0 && change(&set, x, replaced);
}

/* Bytes ÷ one adapter's rate, without the collective's factor and without latency. */
bool account_mistake_by_adapter(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    double rate = one_adapter(&x->problem.training);
    size_t products = 0;
    if (x->problem.piece == ACCOUNT_PIECE_OFFLOAD || rate <= 0) return false;
    for (size_t i = 0; i < s->count; i++) {
        struct account_product p = s->product[i];
        size_t kept = 0;
        if (p.sort & ACCOUNT_OF_LATENCY) continue;
        for (size_t j = 0; j < p.factors; j++) {
            if (p.factor[j].role & (ACCOUNT_TWICE | ACCOUNT_RING)) continue;
            if (names(row, &p.factor[j])) p.factor[j].a = rate;
            p.factor[kept++] = p.factor[j];
        }
        p.factors = kept;
        s->product[products++] = p;
    }
    s->count = products;
    account_add(&x->wrong, "÷ ");
    account_add_value(&x->wrong, rate, ACCOUNT_UNIT_GB_PER_S, 6);
    account_add(&x->wrong,
                ", one adapter's rate, and no factor; %u ranks of a node send at the same time",
                account_mesh(&x->problem.training).data.per_node);
    return products > 0;
}

/* ── whole products ────────────────────────────────────────────────────────────────────────────*/

/* "logits: 0.21 GB is missing", "3 parts, 1.4 GB in total, are missing" */
static void say_gone(struct account_misread *x, const struct account_products *gone) {
    enum account_unit u = account_problem_unit(&x->problem);
    double all = account_products_value(gone);
    if (gone->count == 1)
        account_add(&x->wrong, "%s: ", gone->product[0].label);
    else
        account_add(&x->wrong, "%zu parts, ", gone->count);
    account_add_value(&x->wrong, all, u, 4);
    account_add(&x->wrong, gone->count == 1 ? " is missing" : " in total, are missing");
}

static bool pick(const struct account_mistake_row *row, struct account_misread *x, bool keep) {
    struct account_products *s = &x->grounds.products, gone;
    size_t kept = gone.count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (concerns(row, &s->product[i]) == keep)
            s->product[kept++] = s->product[i];
        else
            gone.product[gone.count++] = s->product[i];
    s->count = kept;
    if (gone.count == 0 || (kept == 0 && row->amount == 0)) return false;
    say_gone(x, &gone);
    return true;
}

/* `amount` not 0: even if nothing is left. */
bool account_mistake_drop_product(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    return pick(row, x, false);
}

bool account_mistake_keep_product(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    return pick(row, x, true);
}

/* ── a factor that does not belong there ───────────────────────────────────────────────────────*/

static bool put_factor(const struct account_mistake_row *row, struct account_misread *x,
                       enum account_writing how, double n, const char *what) {
    struct account_products *s = &x->grounds.products;
    bool found = false;
    if (n <= 1) return false;
    for (size_t i = 0; i < s->count; i++) {
        if (!concerns(row, &s->product[i])) continue;
        account_factor(&s->product[i], ACCOUNT_PASSES, how, n, 0);
        found = true;
    }
    account_add(&x->wrong, "%s %s: %s", how == ACCOUNT_DIVISOR ? "÷" : "×",
                account_number(&x->wrong, n).text, what);
    return found;
}

bool account_mistake_times_ranks(const struct account_mistake_row *row, struct account_misread *x) {
    return put_factor(row, x, ACCOUNT_NUMBER, x->problem.training.gpus,
                      "all ranks added up, or parts taken for whole arrays");
}

bool account_mistake_over_ranks(const struct account_mistake_row *row, struct account_misread *x) {
    return put_factor(row, x, ACCOUNT_DIVISOR, account_shard_ranks(&x->problem.training),
                      "N divides model states and nothing else");
}

/* By all GPUs, if these are more than shard the states. */
bool account_mistake_over_gpus(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    return t->gpus != account_shard_ranks(t) &&
           put_factor(row, x, ACCOUNT_DIVISOR, t->gpus,
                      "no other GPU holds this one's activations");
}

bool account_mistake_over_tensor(const struct account_mistake_row *row, struct account_misread *x) {
    return !x->problem.training.sp && put_factor(row, x, ACCOUNT_DIVISOR, x->problem.training.tp,
                                                 "t divides only a part of a layer");
}

bool account_mistake_over_stages(const struct account_mistake_row *row, struct account_misread *x) {
    return put_factor(row, x, ACCOUNT_DIVISOR, x->problem.training.pp,
                      "the first stage holds a micro-batch for each stage behind it");
}

/* Every micro-batch, where that is counted already no more. */
bool account_mistake_times_micro(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_products *s = &x->grounds.products;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->product[i].factors; j++)
            if (concerns(row, &s->product[i]) && s->product[i].factor[j].role == ACCOUNT_MICRO)
                return false;
    bool kept = x->problem.kind == ACCOUNT_ASK_ACTIVATIONS || x->problem.kind == ACCOUNT_ASK_PEAK;
    return put_factor(row, x, ACCOUNT_NUMBER, x->problem.training.accumulate,
                      kept ? "each micro-batch's are freed before the next"
                           : "once per step, not once per micro-batch");
}

bool account_mistake_over_node(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    uint32_t node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    return put_factor(row, x, ACCOUNT_DIVISOR, node, "the GPUs of a node share its host's memory");
}

bool account_mistake_half_more(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    bool shards = account_recipe_of(t)->reduce_op[t->stage] == ACCOUNT_REDUCE_SCATTER;
    bool once = t->stage == 1 || (t->stage == 2 && t->accumulate <= 1);
    return once && shards && x->problem.piece != ACCOUNT_PIECE_OFFLOAD &&
           put_factor(row, x, ACCOUNT_NUMBER, row->amount, "that would be stage 3's 3Ψ against 2Ψ");
}

/* ── rings ─────────────────────────────────────────────────────────────────────────────────────*/

static bool set_rings(struct account_misread *x, double (*a)(double n), bool divide) {
    struct account_products *s = &x->grounds.products;
    bool found = false;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->product[i].factors; j++) {
            struct account_factor *f = &s->product[i].factor[j];
            if (f->role != ACCOUNT_RING || f->b <= 2) continue;
            double n = f->b;
            if (!found)
                account_add(&x->wrong, "of an array each rank sends %s/%s in a ring",
                            account_number(&x->wrong, f->a).text,
                            account_number(&x->wrong, n).text);
            f->a = a(n);
            f->how = divide ? ACCOUNT_FRACTION : ACCOUNT_NUMBER;
            found = true;
        }
    return found;
}

static double others(double n) {
    return n - 1;
}
static double one(double n) {
    (void)n;
    return 1;
}

bool account_mistake_ring_times(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    return set_rings(x, others, false);
}

bool account_mistake_ring_own(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    return set_rings(x, one, true);
}
