/* The fields of a problem, as text: its own, and those of its training. */
#include "account/problems/grounds.h"

#include <math.h>
#include <string.h>

struct account_problem account_problem_default(void) {
    return (struct account_problem){.kind = ACCOUNT_ASK_BYTES,
                                    .training = account_training_default(),
                                    .quantity = ACCOUNT_MODEL_STATE};
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/

/* Sums of categories that have a name of their own; the first that covers a mask names it. */
static const struct {
    const char *name;
    uint32_t mask;
} sums[] = {{"total", ACCOUNT_TOTAL},
            {"model_state", ACCOUNT_MODEL_STATE},
            {"optimizer", ACCOUNT_OPTIMIZER}};

/* What the kinds ask for that have no categories. Which of these and the sums above was meant, the
 * kind decides: a quantity may stand before its kind. */
static const struct {
    const char *name;
    enum account_piece piece;
} pieces[] = {
    {"total", ACCOUNT_PIECE_ALL},
    {"all", ACCOUNT_PIECE_ALL},
    {"all_reduce", ACCOUNT_PIECE_ALL_REDUCE},
    {"reduce_scatter", ACCOUNT_PIECE_REDUCE_SCATTER},
    {"all_gather", ACCOUNT_PIECE_ALL_GATHER},
    {"all_to_all", ACCOUNT_PIECE_ALL_TO_ALL},
    {"p2p", ACCOUNT_PIECE_P2P},
    {"inside", ACCOUNT_PIECE_INSIDE},
    {"between", ACCOUNT_PIECE_BETWEEN},
    {"offload", ACCOUNT_PIECE_OFFLOAD},
    {"layer", ACCOUNT_PIECE_LAYER},
    {"layers", ACCOUNT_PIECE_LAYERS},
    {"checkpoints", ACCOUNT_PIECE_LAYERS},
    {"working", ACCOUNT_PIECE_WORKING},
    {"logits", ACCOUNT_PIECE_LOGITS},
    {"host", ACCOUNT_PIECE_ALL},
    {"nvme", ACCOUNT_PIECE_NVME},
    {"size", ACCOUNT_PIECE_SIZE},
    {"first", ACCOUNT_PIECE_FIRST},
    {"real", ACCOUNT_PIECE_REAL},
    {"padding", ACCOUNT_PIECE_PADDING},
};

static bool find_piece(const char *name, enum account_piece *out) {
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (account_same(pieces[i].name, name)) return *out = pieces[i].piece, true;
    return false;
}

static bool find_quantity(const char *name, size_t length, uint32_t *mask) {
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (account_same_n(sums[i].name, name, length)) return *mask |= sums[i].mask, true;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (account_same_n(account_category_name(c), name, length)) return *mask |= 1u << c, true;
    return false;
}

/* ── setting ───────────────────────────────────────────────────────────────────────────────────*/

static bool set_kind(struct account_problem *p, const char *text, struct account_error *e) {
    for (unsigned k = 0; k < ACCOUNT_KINDS; k++)
        if (account_same(account_kinds[k].name, text)) return p->kind = (enum account_kind)k, true;
    return account_fail(e, 0,
                        "kind: \"%.40s\" is none of bytes, bytes_per_param, largest_params, "
                        "fewest_gpus, convert, traffic, volume, seconds, activations, peak, host, "
                        "shard",
                        text);
}

static bool set_quantity(struct account_problem *p, const char *text, struct account_error *e) {
    uint32_t mask = 0;
    bool piece = find_piece(text, &p->piece);
    for (const char *s = account_skip(text);;) {
        size_t length = strcspn(s, "+ \t");
        if (!find_quantity(s, length, &mask))
            return piece ||
                   account_fail(e, account_column(text, s),
                                "quantity: name model_state, optimizer, total, categories like "
                                "params+grads, or a "
                                "piece like all_gather, between, layer, logits or padding");
        s = account_skip(s + length);
        if (!*s) break;
        if (*s != '+')
            return account_fail(e, account_column(text, s),
                                "quantity: put a + between two categories");
        s = account_skip(s + 1);
    }
    p->quantity = mask;
    if (!piece) p->piece = ACCOUNT_PIECE_ALL;
    return true;
}

static bool set_per(struct account_problem *p, const char *text, struct account_error *e) {
    bool cluster = account_same(text, "cluster");
    if (!cluster && !account_same(text, "gpu"))
        return account_fail(e, 0, "per: gpu or cluster, not \"%.40s\"", text);
    p->cluster = cluster;
    return true;
}

static bool set_unit(struct account_problem *p, const char *text, struct account_error *e) {
    if (account_unit_find(text, &p->unit)) return true;
    return account_fail(
        e, 0, "unit: \"%.40s\" is unknown: GB, GiB, MB, parameters, billion, GPUs, B/param …",
        text);
}

/* The unit a size was written in is kept, so that the working can repeat it. */
static enum account_unit unit_of(const char *text) {
    struct account_reading r;
    bool sized = account_read_answer(text, &r, NULL) && r.unit >= ACCOUNT_UNIT_B &&
                 r.unit <= ACCOUNT_UNIT_TIB;
    return sized ? r.unit : ACCOUNT_UNIT_NONE;
}

static bool set_budget(struct account_problem *p, const char *text, struct account_error *e) {
    struct account_error why = {0};
    double bytes;
    if (!account_read_bytes(text, &bytes, &why))
        return account_fail(e, why.column, "budget: %s", why.what);
    p->budget = bytes;
    p->budget_unit = unit_of(text);
    return true;
}

static bool set_tolerance(struct account_problem *p, const char *text, struct account_error *e) {
    struct account_reading r;
    bool bare = account_read_answer(text, &r, NULL) && !r.explicit_unit;
    if (!bare || r.value < 0 || r.value > 0.1)
        return account_fail(e, 0, "tolerance: write a share from 0 to 0.1, like 0.005");
    p->tolerance = r.value;
    return true;
}

static bool set_rank(struct account_problem *p, const char *text, struct account_error *e) {
    uint64_t rank;
    if (!account_read_count(text, &rank, NULL) || rank >= ACCOUNT_MOST_GPUS)
        return account_fail(e, 0, "rank: which one? They count from 0, like 3");
    p->rank = (uint32_t)rank;
    return true;
}

/* ── getting ───────────────────────────────────────────────────────────────────────────────────*/

static void get_kind(const struct account_problem *p, struct account_text *out) {
    account_add(out, "%s", (unsigned)p->kind < ACCOUNT_KINDS ? account_kinds[p->kind].name : "");
}

/* The kinds that have pieces: all but those on a sheet, and the peak, which has categories too. */
static bool has_pieces(const struct account_problem *p) {
    return account_kinds[p->kind].base >= ACCOUNT_ON_PRODUCTS && p->kind != ACCOUNT_ASK_PEAK;
}

static void get_quantity(const struct account_problem *p, struct account_text *out) {
    for (size_t i = 0; has_pieces(p) && i < sizeof pieces / sizeof *pieces; i++)
        if (p->piece == pieces[i].piece) {
            account_add(out, "%s", pieces[i].name);
            return;
        }
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (p->quantity == sums[i].mask) {
            account_add(out, "%s", sums[i].name);
            return;
        }
    const char *before = "";
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (p->quantity >> c & 1) {
            account_add(out, "%s%s", before, account_category_name(c));
            before = "+";
        }
}

static void get_per(const struct account_problem *p, struct account_text *out) {
    account_add(out, "%s", p->cluster ? "cluster" : "gpu");
}

static void get_unit(const struct account_problem *p, struct account_text *out) {
    account_add(out, "%s", account_unit_name(account_problem_unit(p)));
}

static void get_budget(const struct account_problem *p, struct account_text *out) {
    enum account_unit u = p->budget_unit ? p->budget_unit : ACCOUNT_UNIT_B;
    account_add_value(out, p->budget, u, 15);
}

static void get_rank(const struct account_problem *p, struct account_text *out) {
    account_add(out, "%u", p->rank);
}

static void get_tolerance(const struct account_problem *p, struct account_text *out) {
    account_add_number(out, p->tolerance, 6);
}

static const struct {
    const char *name;
    bool (*set)(struct account_problem *p, const char *text, struct account_error *e);
    void (*get)(const struct account_problem *p, struct account_text *out);
} rows[] = {
    {"kind", set_kind, get_kind},
    {"quantity", set_quantity, get_quantity},
    {"per", set_per, get_per},
    {"unit", set_unit, get_unit},
    {"budget", set_budget, get_budget},
    {"rank", set_rank, get_rank},
    {"tolerance", set_tolerance, get_tolerance},
};

bool account_problem_set(struct account_problem *p, const char *field, const char *text,
                         struct account_error *e) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, field) == 0) return rows[i].set(p, text, e);
    return account_set(&p->training, field, text, e);
}

const char *account_problem_get(const struct account_problem *p, const char *field, char *out,
                                size_t size) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, field) == 0) {
            struct account_text text = account_text(out, size);
            rows[i].get(p, &text);
            return out;
        }
    return account_get(&p->training, field, out, size);
}
