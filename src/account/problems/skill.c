/* skill.c: which skill a problem is about. All of it follows from the problem and from the engine's
 * answer to it; no table of problems is kept. */
#include "account/numbers/dimension.h"
#include "account/problems/grounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 4, FIELDS = 5, FIELD_MOST = 48 };

/* ── from a problem ────────────────────────────────────────────────────────────────────────────*/
static double answer_at(const struct account_problem *p, uint8_t stage) {
    struct account_problem other = *p;
    struct account_grounds grounds;
    double value;
    other.training.stage = stage;
    return account_true_answer(&other, &grounds, &value, NULL) ? value : (double)NAN;
}

/* The stage belongs to the skill if another stage has another answer. */
static bool has_stage(const struct account_problem *p, double truth) {
    for (uint8_t stage = 0; stage < STAGES; stage++)
        if (answer_at(p, stage) != truth) return true; /* also if it has none */
    return false;
}

static enum account_unit family_of(enum account_unit u) {
    if (account_is_binary_size(u)) return ACCOUNT_UNIT_GIB;
    return account_is_size(u) ? ACCOUNT_UNIT_GB : ACCOUNT_UNIT_NONE;
}

bool account_skill_of(const struct account_problem *p, struct account_skill *out) {
    double truth = answer_at(p, p->training.stage);
    if (isnan(truth)) return false;
    *out = (struct account_skill){.kind = p->kind,
                                  .quantity = p->quantity,
                                  .piece = p->piece,
                                  .cluster = p->cluster,
                                  .stage = has_stage(p, truth) ? p->training.stage : -1,
                                  .unit = family_of(account_problem_unit(p))};
    return true;
}

bool account_skill_of_line(const struct account_problem *p, const char *line,
                           struct account_skill *out) {
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (strcmp(line, account_category_name((enum account_category)c)) != 0) continue;
        struct account_problem part = *p;
        part.quantity = 1u << c;
        part.piece = ACCOUNT_PIECE_ALL;
        return account_skill_of(&part, out);
    }
    return false;
}

/* ── as a key ────────────────────────────────────────────────────────────────────────────────────
 * The fields of the problem by their own names, so that a key is read as a problem is. "-" stands
 * for a field that does not matter. */
static const char *const fields[FIELDS] = {"kind", "quantity", "per", "stage", "unit"};
enum { STAGE_FIELD = 3, UNIT_FIELD = 4 };

static struct account_problem problem_of(const struct account_skill *s) {
    struct account_problem p = account_problem_default();
    p.kind = s->kind;
    p.quantity = s->quantity;
    p.piece = s->piece;
    p.cluster = s->cluster;
    p.unit = s->unit;
    return p;
}

const char *account_skill_key(const struct account_skill *s, char out[ACCOUNT_SKILL_MOST]) {
    struct account_problem p = problem_of(s);
    struct account_text t = account_text(out, ACCOUNT_SKILL_MOST);
    for (int i = 0; i < FIELDS; i++) {
        char value[ACCOUNT_SKILL_MOST];
        bool matters = i == STAGE_FIELD  ? s->stage >= 0
                       : i == UNIT_FIELD ? s->unit != ACCOUNT_UNIT_NONE
                                         : true;
        p.training.stage = s->stage >= 0 ? (uint8_t)s->stage : 0;
        account_add(&t, "%s%s", i > 0 ? ":" : "",
                    matters ? account_problem_get(&p, fields[i], value, sizeof value) : "-");
    }
    return out;
}

static bool read_field(struct account_skill *s, struct account_problem *p, int field,
                       const char *value) {
    if (strcmp(value, "-") == 0) return field == STAGE_FIELD || field == UNIT_FIELD;
    if (!account_problem_set(p, fields[field], value, NULL)) return false;
    if (field == STAGE_FIELD) s->stage = p->training.stage;
    return true;
}

bool account_skill_read(const char *key, struct account_skill *out) {
    struct account_problem p = account_problem_default();
    struct account_skill s = {.stage = -1};
    for (int i = 0; i < FIELDS; i++) {
        char value[FIELD_MOST];
        size_t n = strcspn(key, ":");
        if (n == 0 || n >= sizeof value || (key[n] == '\0') != (i + 1 == FIELDS)) return false;
        memcpy(value, key, n);
        value[n] = '\0';
        key += n + 1;
        if (!read_field(&s, &p, i, value)) return false;
    }
    *out = (struct account_skill){p.kind, p.quantity, p.piece, p.cluster, s.stage, p.unit};
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* One row per kind: its area, and what is said if all of it is asked. A kind of categories has
 * their names in place of the %s. */
static const struct {
    const char *area, *all;
} kinds[ACCOUNT_KINDS] = {
    [ACCOUNT_ASK_BYTES] = {"Model states", "%s"},
    [ACCOUNT_ASK_BYTES_PER_PARAM] = {"Model states", "%s per parameter"},
    [ACCOUNT_ASK_LARGEST_PARAMS] = {"What fits", "the largest model"},
    [ACCOUNT_ASK_FEWEST_GPUS] = {"What fits", "the fewest GPUs"},
    [ACCOUNT_ASK_CONVERT] = {"Units", "sizes converted"},
    [ACCOUNT_ASK_TRAFFIC] = {"Traffic", "traffic"},
    [ACCOUNT_ASK_VOLUME] = {"Traffic", "traffic in multiples of Ψ"},
    [ACCOUNT_ASK_SECONDS] = {"Time", "time"},
    [ACCOUNT_ASK_ACTIVATIONS] = {"Activations and peaks", "activations"},
    [ACCOUNT_ASK_PEAK] = {"Activations and peaks", "%s at the peak"},
    [ACCOUNT_ASK_HOST] = {"Activations and peaks", "host memory"},
    [ACCOUNT_ASK_SHARD] = {"Shards", "shards"},
};

/* What a piece of it is called. */
static const char *const pieces[ACCOUNT_PIECES] = {
    [ACCOUNT_PIECE_ALL_REDUCE] = "all-reduce",
    [ACCOUNT_PIECE_REDUCE_SCATTER] = "reduce-scatter",
    [ACCOUNT_PIECE_ALL_GATHER] = "all-gather",
    [ACCOUNT_PIECE_ALL_TO_ALL] = "all-to-all",
    [ACCOUNT_PIECE_P2P] = "point-to-point",
    [ACCOUNT_PIECE_INSIDE] = "inside a node",
    [ACCOUNT_PIECE_BETWEEN] = "between nodes",
    [ACCOUNT_PIECE_OFFLOAD] = "offload",
    [ACCOUNT_PIECE_LAYER] = "one layer",
    [ACCOUNT_PIECE_LAYERS] = "all layers",
    [ACCOUNT_PIECE_WORKING] = "one layer recomputed",
    [ACCOUNT_PIECE_LOGITS] = "logits",
    [ACCOUNT_PIECE_NVME] = "NVMe",
    [ACCOUNT_PIECE_SIZE] = "size",
    [ACCOUNT_PIECE_FIRST] = "first element",
    [ACCOUNT_PIECE_REAL] = "parameters in it",
    [ACCOUNT_PIECE_PADDING] = "padding",
};

static const char *category_words(enum account_category c) {
    static const char *const words[ACCOUNT_CATEGORIES] = {[ACCOUNT_PARAMS] = "parameters",
                                                          [ACCOUNT_GRADS] = "gradients",
                                                          [ACCOUNT_MASTER] = "master weights"};
    return words[c] ? words[c] : account_category_words(c);
}

static void add_quantity(struct account_text *t, uint32_t quantity) {
    const char *before = "";
    if (quantity == ACCOUNT_MODEL_STATE || quantity == ACCOUNT_TOTAL ||
        quantity == ACCOUNT_OPTIMIZER) {
        account_add(t, "%s",
                    quantity == ACCOUNT_MODEL_STATE ? "all states"
                    : quantity == ACCOUNT_TOTAL     ? "all memory"
                                                    : "optimizer states");
        return;
    }
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!(quantity >> c & 1)) continue;
        account_add(t, "%s%s", before, category_words((enum account_category)c));
        before = " and ";
    }
}

const char *account_skill_words(const struct account_skill *s, char out[ACCOUNT_SKILL_MOST]) {
    struct account_text t = account_text(out, ACCOUNT_SKILL_MOST);
    const char *all = kinds[s->kind].all, *rest = strstr(all, "%s");
    bool sizes = s->unit == ACCOUNT_UNIT_GB || s->unit == ACCOUNT_UNIT_GIB;
    if (rest != NULL) add_quantity(&t, s->quantity);
    account_add(&t, "%s", rest != NULL ? rest + 2 : all);
    if (rest == NULL && s->piece != ACCOUNT_PIECE_ALL) account_add(&t, ", %s", pieces[s->piece]);
    if (s->cluster) account_add(&t, ", all GPUs");
    if (s->stage >= 0) account_add(&t, " at stage %d", s->stage);
    if (sizes) account_add(&t, ", in %s", account_unit_name(s->unit));
    return out;
}

const char *account_skill_area(const struct account_skill *s) {
    return kinds[s->kind].area;
}
