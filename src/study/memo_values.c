/* What the engine says of each thing that a figure may be about. */
#include "memo.h"

#include <math.h>
#include <string.h>

static const struct row {
    const char *name;
    enum memo_dimension dimension;
    uint32_t mask; /* of model states and what is beside them */
    int kind;      /* of the problem that has its mistakes; −1: none has */
    const char *quantity;
} rows[MEMO_WHATS] = {
    [MEMO_NOTHING] = {"",                                      MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_STATES] = {"model states",                          MEMO_BYTES,           15u << ACCOUNT_PARAMS,     ACCOUNT_ASK_BYTES,
                      "model_state"                                                                                                                  },
    [MEMO_PARAMS] = {"parameters",                            MEMO_BYTES,           1u << ACCOUNT_PARAMS,      ACCOUNT_ASK_BYTES,   "params"        },
    [MEMO_GRADS] = {"gradients",                             MEMO_BYTES,           1u << ACCOUNT_GRADS,       ACCOUNT_ASK_BYTES,   "grads"         },
    [MEMO_MASTER] = {"the master copy",                       MEMO_BYTES,           1u << ACCOUNT_MASTER,      ACCOUNT_ASK_BYTES,
                      "master"                                                                                                                       },
    [MEMO_MOMENTS] = {"Adam's moments",                        MEMO_BYTES,           1u << ACCOUNT_MOMENTS,     ACCOUNT_ASK_BYTES,
                      "moments"                                                                                                                      },
    [MEMO_MOMENT] = {"one of Adam's moments",                 MEMO_BYTES,           1u << ACCOUNT_MOMENTS,     -1,                  NULL            },
    [MEMO_GRADS_OPTIMIZER] = {"gradients and optimizer states",        MEMO_BYTES,           7u << ACCOUNT_GRADS,       -1,
                      NULL                                                                                                                           },
    [MEMO_PARAMS_GRADS] = {"parameters and gradients",              MEMO_BYTES,           3u << ACCOUNT_PARAMS,      -1,                  NULL            },
    [MEMO_PARAMS_OPTIMIZER] = {"parameters and optimizer states",       MEMO_BYTES,
                      1u << ACCOUNT_PARAMS | 3u << ACCOUNT_MASTER,                                              -1,                  NULL            },
    [MEMO_OPTIMIZER] = {"optimizer states",                      MEMO_BYTES,           3u << ACCOUNT_MASTER,      ACCOUNT_ASK_BYTES,
                      "optimizer"                                                                                                                    },
    [MEMO_ACTIVATIONS] = {"activations",                           MEMO_BYTES,           1u << ACCOUNT_ACTIVATIONS,
                      ACCOUNT_ASK_ACTIVATIONS,                                                                                       "total"         },
    [MEMO_LOGITS] = {"the logits",                            MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_RESERVE] = {"the reserve",                           MEMO_BYTES,           1u << ACCOUNT_FRAMEWORK,   -1,                  NULL            },
    [MEMO_GATHERED] = {"gathered parameters",                   MEMO_BYTES,           1u << ACCOUNT_GATHER,      -1,                  NULL            },
    [MEMO_BUCKETS] = {"reduction buckets",                     MEMO_BYTES,           1u << ACCOUNT_REDUCE,      -1,                  NULL            },
    [MEMO_PEAK] = {"the peak",                              MEMO_BYTES,           0,                         ACCOUNT_ASK_PEAK,    "total"         },
    [MEMO_TOTAL] = {"the total",                             MEMO_BYTES,           0,                         ACCOUNT_ASK_PEAK,    "total"         },
    [MEMO_USABLE] = {"usable memory",                         MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_LABEL] = {"the card's memory",                     MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_SPARE] = {"what is to spare",                      MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_EXCESS] = {"what is over the card's memory",        MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_LEFT] = {"what the states leave free",            MEMO_BYTES,           15u << ACCOUNT_PARAMS,     -1,                  NULL            },
    [MEMO_STORED] = {"a checkpoint on disk",                  MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_SENT] = {"what a rank sends a step",              MEMO_BYTES,           0,                         ACCOUNT_ASK_TRAFFIC, "total"         },
    [MEMO_GATHERS] = {"all-gathers",                           MEMO_BYTES,           0,                         ACCOUNT_ASK_TRAFFIC, "all_gather"    },
    [MEMO_SCATTERS] = {"reduce-scatters",                       MEMO_BYTES,           0,                         ACCOUNT_ASK_TRAFFIC, "reduce_scatter"},
    [MEMO_REDUCES] = {"all-reduces",                           MEMO_BYTES,           0,                         ACCOUNT_ASK_TRAFFIC, "all_reduce"    },
    [MEMO_INSIDE] = {"traffic inside the node",               MEMO_BYTES,           0,                         -1,                  NULL            },
    [MEMO_BETWEEN] = {"traffic between nodes",                 MEMO_BYTES,           0,                         ACCOUNT_ASK_TRAFFIC, "between"       },
    [MEMO_HOST] = {"host memory",                           MEMO_BYTES,           0,                         ACCOUNT_ASK_HOST,    "total"         },
    [MEMO_STEP] = {"a step",                                MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_COMM] = {"communication",                         MEMO_SECONDS,         0,                         ACCOUNT_ASK_SECONDS, "total"         },
    [MEMO_EXPOSED] = {"exposed communication",                 MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_COMPUTE] = {"computation",                           MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_FORWARD] = {"forward",                               MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_BACKWARD] = {"backward",                              MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_UPDATE] = {"the update",                            MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_GATHER_TIME] = {"all-gathers",                           MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_SCATTER_TIME] = {"reduce-scatters",                       MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_REDUCE_TIME] = {"all-reduces",                           MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_TRAINING] = {"the whole run",                         MEMO_SECONDS,         0,                         -1,                  NULL            },
    [MEMO_TOKENS] = {"throughput",                            MEMO_TOKEN_RATE,      0,                         -1,                  NULL            },
    [MEMO_LINK] = {"the link",                              MEMO_BYTE_RATE,       0,                         -1,                  NULL            },
    [MEMO_NET] = {"the network",                           MEMO_BYTE_RATE,       0,                         -1,                  NULL            },
    [MEMO_PER_PARAM] = {"bytes a parameter",                     MEMO_BYTES_PER_PARAM, 15u << ACCOUNT_PARAMS,
                      ACCOUNT_ASK_BYTES_PER_PARAM,                                                                                   "model_state"   },
    [MEMO_PER_WEIGHT] = {"bytes a parameter, of the weights",     MEMO_BYTES_PER_PARAM,
                      1u << ACCOUNT_PARAMS,                                                                     -1,                  NULL            },
    [MEMO_PER_GRAD] = {"bytes a parameter, of the gradients",   MEMO_BYTES_PER_PARAM,
                      1u << ACCOUNT_GRADS,                                                                      -1,                  NULL            },
    [MEMO_PER_MASTER] = {"bytes a parameter, of the master copy", MEMO_BYTES_PER_PARAM,
                      1u << ACCOUNT_MASTER,                                                                     -1,                  NULL            },
    [MEMO_PER_MOMENT] = {"bytes a parameter, of Adam's moments",  MEMO_BYTES_PER_PARAM,
                      1u << ACCOUNT_MOMENTS,                                                                    -1,                  NULL            },
    [MEMO_PER_OPTIMIZER] = {"bytes a parameter, of the optimizer",   MEMO_BYTES_PER_PARAM,
                      3u << ACCOUNT_MASTER,                                                                     -1,                  NULL            },
    [MEMO_OTHER] = {"what is beside the training",           MEMO_BYTES,           0,                         -1,                  NULL            },
};

const char *memo_what_name(enum memo_what what) {
    return rows[what].name;
}

enum memo_dimension memo_dimension_of(enum memo_what what) {
    return rows[what].dimension;
}

bool memo_problem(enum memo_what what, const struct account_training *t,
                  struct account_problem *out) {
    const struct row *row = &rows[what];
    if (row->kind < 0) return false;
    *out = account_problem_default();
    out->training = *t;
    out->kind = (enum account_kind)row->kind;
    out->unit = row->dimension == MEMO_SECONDS           ? ACCOUNT_UNIT_SECONDS
                : row->dimension == MEMO_BYTES_PER_PARAM ? ACCOUNT_UNIT_B_PER_PARAM
                                                         : ACCOUNT_UNIT_GB;
    return account_problem_set(out, "quantity", row->quantity, NULL);
}

/* ── the engine, asked once ──────────────────────────────────────────────────────────────────────*/
/* What the planner counts beside the peak where the recipe has no buffers: a stage of its own is asked, everything pinned. */
static uint64_t gathered(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = ~0ull};
    struct account_plan plan;
    struct account_plans plans;
    if (t->stage != 3 || !t->card || !t->shape.layers) return 0;
    return account_plan(&q, &plan, 1, &plans, NULL) && plans.count ? plan.gathered : 0;
}

const struct memo_known *memo_know(struct memo *m, const struct account_training *t) {
    for (size_t i = 0; i < MEMO_CACHE; i++)
        if (m->known[i].used && memcmp(&m->known[i].training, t, sizeof *t) == 0)
            return &m->known[i];
    struct memo_known *k = &m->known[m->next_known++ % MEMO_CACHE];
    memset(k, 0, sizeof *k);
    memcpy(&k->training, t, sizeof *t);
    k->used = true;
    if (!account_has_stage(t, t->stage) || !account_check(t, NULL)) return k;
    k->has_memory = account_memory(t, &k->memory, NULL);
    k->has_traffic = account_traffic(t, &k->traffic, NULL);
    k->has_clock = account_clock(t, &k->clock, NULL);
    k->gathered = gathered(t);
    return k;
}

/* ── values ──────────────────────────────────────────────────────────────────────────────────────*/
struct values {
    double *out;
    size_t count;
};

static void put(struct values *v, double value) {
    if (value > 0 && v->count < MEMO_VALUES) v->out[v->count++] = value;
}

/* As the ledger has them, then one category at its highest and at the peak, several between steps: people mean any of these. */
static void put_mask(struct values *v, const struct memo_known *k, uint32_t mask) {
    double kept = 0, high = 0, between = 0, peak = 0, elsewhere = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!(mask >> c & 1)) continue;
        kept += (double)k->memory.gpu.bytes[c];
        high += (double)k->memory.highest[c];
        between += (double)k->memory.persistent.bytes[c];
        elsewhere += (double)(k->memory.host.bytes[c] + k->memory.nvme.bytes[c]);
        peak += (double)k->memory.phase[k->memory.peak].ledger.bytes[c];
    }
    bool one = (mask & (mask - 1)) == 0; /* of several categories the highest are not added up */
    put(v, kept);
    put(v, one ? high : between);
    put(v, elsewhere); /* offloaded, on a node */
    /* DeepSpeed's fp32 gradients are counted at the step that makes them, where they are spoken of */
    if (one || k->training.grad_dtype == ACCOUNT_32_BIT) put(v, peak);
}

static double peak_of(const struct memo_known *k) {
    return (double)k->memory.phase[k->memory.peak].ledger.total;
}

static void put_activations(struct values *v, const struct memo_known *k) {
    struct account_activations a;
    put_mask(v, k, 1u << ACCOUNT_ACTIVATIONS);
    if (!account_activations(&k->training, &a, NULL)) return;
    put(v, (double)a.highest);
    put(v, (double)a.layers);
}

/* Whether the memo itself takes this for the peak: what is to spare then follows from it. */
static bool is_said(const struct memo *m, double peak) {
    for (size_t i = 0; i < m->figures; i++) {
        const struct memo_figure *f = &m->figure[i];
        bool right = f->kind == STUDY_MEMO_RIGHT || f->kind == STUDY_MEMO_ROUNDED;
        if (right && f->about >= MEMO_PEAK && f->about <= MEMO_TOTAL && fabs(f->truth - peak) < 1)
            return true;
    }
    return false;
}

static double states_of(const struct memo_known *k) {
    double bytes = 0;
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) bytes += (double)k->memory.gpu.bytes[c];
    return bytes;
}

/* The weights with what the optimizer needs to go on, or the weights alone. */
static void put_stored(struct values *v, const struct account_training *t) {
    double weights = account_bytes_per_param(t, ACCOUNT_PARAMS),
           optimizer = account_bytes_per_param(t, ACCOUNT_MASTER) +
                       account_bytes_per_param(t, ACCOUNT_MOMENTS),
           params = (double)t->params;
    put(v, (weights + optimizer) * params);
    put(v, optimizer * params);
    put(v, weights * params);
}

/* What lies on the host: all of it; what the update works on, its gradients as wide as the weights; or the optimizer's alone. */
static void put_host(struct values *v, const struct account_ledger *host) {
    double master = (double)host->bytes[ACCOUNT_MASTER];
    double moments = (double)host->bytes[ACCOUNT_MOMENTS];
    put(v, (double)host->total);
    put(v, master + master + moments);
    put(v, master + moments);
}

static void put_memory(struct values *v, const struct memo *m, const struct memo_known *k,
                       enum memo_what what) {
    double card = (double)m->report->scenario.card_bytes, peak = peak_of(k);
    struct account_activations a;
    if (k->training.card) card = (double)account_card_bytes(k->training.card);
    switch (what) {
    case MEMO_ACTIVATIONS: put_activations(v, k); break;
    case MEMO_MOMENT:
        put(v, (double)k->memory.gpu.bytes[ACCOUNT_MOMENTS] / 2);
        put_mask(v, k, rows[what].mask);
        break;
    case MEMO_LOGITS:
        if (account_activations(&k->training, &a, NULL)) put(v, (double)a.logits);
        break;
    case MEMO_GATHERED:
        put(v, (double)k->gathered);
        put_mask(v, k, 1u << ACCOUNT_GATHER);
        break;
    case MEMO_TOTAL: put_mask(v, k, 15u << ACCOUNT_PARAMS); /* fall through */
    case MEMO_PEAK:
        put(v, peak + (double)k->gathered);
        if (k->gathered) put(v, peak);
        break;
    case MEMO_SPARE:
        put(v, card - peak - (double)k->gathered);
        if (k->gathered && is_said(m, peak)) put(v, card - peak);
        break;
    case MEMO_EXCESS:
        put(v, peak + (double)k->gathered - card);
        put(v, peak - card);
        break;
    case MEMO_LEFT: put(v, card - states_of(k)); break;
    case MEMO_STORED: put_stored(v, &k->training); break;
    case MEMO_HOST: put_host(v, &k->memory.host); break;
    default: put_mask(v, k, rows[what].mask);
    }
}

static void put_card(struct values *v, const struct memo *m, const struct account_training *t,
                     enum memo_what what) {
    if (t->card && what == MEMO_LABEL) put(v, (double)t->card->label_bytes);
    put(v, t->card ? (double)account_card_bytes(t->card) : (double)m->report->scenario.card_bytes);
}

static void put_traffic(struct values *v, const struct memo_known *k, enum memo_what what) {
    const struct account_traffic *t = &k->traffic;
    static const enum account_collective of[MEMO_WHATS] = {[MEMO_GATHERS] = ACCOUNT_ALL_GATHER,
                                                           [MEMO_SCATTERS] = ACCOUNT_REDUCE_SCATTER,
                                                           [MEMO_REDUCES] = ACCOUNT_ALL_REDUCE};
    if (what == MEMO_SENT)
        put(v, (double)t->total);
    else if (what == MEMO_BETWEEN)
        put(v, (double)t->between);
    else if (what == MEMO_INSIDE)
        put(v, (double)t->inside);
    else
        put(v, (double)t->sent[of[what]]);
}

/* Of what is sent, the part of one collective; on links alike, of the time as well. */
static double part_of(const struct memo_known *k, enum account_collective c) {
    if (!k->has_traffic || k->traffic.total == 0) return 0;
    return (double)k->traffic.sent[c] / (double)k->traffic.total;
}

static void put_clock(struct values *v, const struct memo *m, const struct memo_known *k,
                      enum memo_what what) {
    const struct account_clock *c = &k->clock;
    double tokens = (double)m->report->scenario.tokens;
    bool both = c->has_comm && c->has_compute;
    switch (what) {
    case MEMO_STEP: put(v, both ? c->step : 0); break;
    case MEMO_COMM: put(v, c->comm); break;
    case MEMO_EXPOSED: put(v, c->comm_exposed); break;
    case MEMO_COMPUTE:
        put(v, c->forward + c->backward);
        put(v, c->forward + c->backward + c->update);
        break;
    case MEMO_FORWARD: put(v, c->forward); break;
    case MEMO_BACKWARD: put(v, c->backward); break;
    case MEMO_UPDATE: put(v, c->update); break;
    case MEMO_TOKENS: put(v, both ? c->tokens_per_s : 0); break;
    case MEMO_GATHER_TIME: put(v, c->comm * part_of(k, ACCOUNT_ALL_GATHER)); break;
    case MEMO_SCATTER_TIME: put(v, c->comm * part_of(k, ACCOUNT_REDUCE_SCATTER)); break;
    case MEMO_REDUCE_TIME: put(v, c->comm * part_of(k, ACCOUNT_ALL_REDUCE)); break;
    case MEMO_TRAINING: put(v, both && c->tokens_per_s > 0 ? tokens / c->tokens_per_s : 0); break;
    default: break;
    }
}

/* The training's own link, or the card's. */
static void put_link(struct values *v, const struct account_link *said, const char *usual) {
    const struct account_link *link = said->rate > 0 ? said
                                      : usual        ? account_link_find(usual)
                                                     : NULL;
    if (!link) return;
    put(v, link->rate);
    put(v, link->wire);
    put(v, 2 * link->wire); /* both directions, as data sheets have it */
}

/* As the recipe has them, then as the stage leaves them on a GPU. */
static void put_rates(struct values *v, const struct memo_known *k, enum memo_what what) {
    double whole = 0, kept = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!(rows[what].mask >> c & 1)) continue;
        whole += account_bytes_per_param(&k->training, (enum account_category)c);
        kept += (double)k->memory.gpu.bytes[c];
    }
    put(v, whole);
    put(v, k->training.params ? kept / (double)k->training.params : 0);
}

size_t memo_values(struct memo *m, enum memo_what what, const struct account_training *t,
                   double out[MEMO_VALUES]) {
    struct values v = {.out = out};
    if (what == MEMO_OTHER) return 0;
    if (what == MEMO_LINK) return put_link(&v, &t->link, t->card ? t->card->link : NULL), v.count;
    if (what == MEMO_NET) return put_link(&v, &t->net, t->card ? t->card->net : NULL), v.count;
    if (what == MEMO_USABLE || what == MEMO_LABEL) return put_card(&v, m, t, what), v.count;
    const struct memo_known *k = memo_know(m, t);
    bool sent = what >= MEMO_SENT && what <= MEMO_BETWEEN;
    if (what >= MEMO_PER_PARAM) return put_rates(&v, k, what), v.count;
    if (sent && k->has_traffic) put_traffic(&v, k, what);
    if (what >= MEMO_STEP && k->has_clock) put_clock(&v, m, k, what);
    if (what < MEMO_STEP && !sent && k->has_memory) put_memory(&v, m, k, what);
    return v.count;
}
