/* The quantities of a configuration that have a name, and the words by which people name them.
 * Differences, ratios and totals over GPUs are not among them: with those nearly every figure would
 * be something. */
#include "memo/inside.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
#define B(category) (1u << ACCOUNT_##category)
#define STATES      (B(PARAMS) | B(GRADS) | B(MASTER) | B(MOMENTS))
#define ROW(id, name, measure, mask, kind, asked, words)                                           \
    {name, ACCOUNT_FIGURE_##measure, mask, ACCOUNT_ASK_##kind, asked, words},
static const struct row {
    const char *name;
    enum account_measure measure;
    uint32_t mask;
    enum account_kind kind;
    /* NULL: no problem has its mistakes */
    const char *asked;
    /* parted by '|'; an s may stand behind each */
    const char *words;
} rows[MEMO_Q_S] = {MEMO_EACH(ROW)};
_Static_assert((int)MEMO_Q_S < (int)MEMO_QUANTITIES_MOST, "a config has room for all");

/* The words of a sentence that only states a figure, "Each GPU then keeps 26 GB of gradients". With
 * any other word it may say something else of that figure: what is cut, avoided, gathered. */
static const char plain[] =
    "is|are|be|was|will|keep|hold|store|take|need|use|require|have|has|cost|occupy|occupie|"
    "leave|bring|down|come|account|stand|amount|reach|get|see|move|carry|carrie|last|run|"
    "claim|expect|about|a|an|the|its|it|our|we|this|that|each|every|one|single|per|of|for|on|"
    "at|in|under|with|by|to|as|and|so|then|here|only|still|step|memory|byte|time|phase|"
    "configuration|choice|plan|alternative|value|second|init|copy|state|fp32|bf16|fp16|adam|"
    "adamw";
/* The same in the singular alone: "the GPUs" may hold it together. */
static const char *const single[] = {"gpu", "card", "rank", "a100", "h100", "h200"};

size_t memo_quantities(void) {
    return MEMO_Q_S;
}

double memo_value(const struct memo_config *c, const char *quantity) {
    size_t q = memo_quantity_find(quantity);
    return q < MEMO_Q_S ? c->value[q][0] : 0;
}

const char *memo_quantity_name(size_t q) {
    return q < MEMO_Q_S ? rows[q].name : "";
}

enum account_measure memo_quantity_measure(size_t q) {
    return q < MEMO_Q_S ? rows[q].measure : ACCOUNT_FIGURE_NOTHING;
}

/* ── words in a text ───────────────────────────────────────────────────────────────────────────*/
/* Without the ending of a verb or a plural, if four letters are left of its last word: "exposed" is
 * "expos", so that "exposes" and "exposing" are the same word. */
static size_t stem_of(const char *phrase, size_t length) {
    static const char *const endings[] = {"ing", "ed", "es", "e", "s"};
    size_t word = 0;
    while (word < length && !strchr(" -", phrase[length - 1 - word])) word++;
    for (size_t i = 0; i < BASE_COUNT(endings); i++) {
        size_t n = strlen(endings[i]);
        if (word >= n + 4 && strncasecmp(phrase + length - n, endings[i], n) == 0)
            return length - n;
    }
    return length;
}

/* How many bytes a phrase takes here, whose last word may have any ending. */
static size_t inflected_at(const char *s, const char *end, const char *phrase, size_t length) {
    static const char *const endings[] = {"", "s", "e", "es", "ed", "ing"};
    size_t stem = stem_of(phrase, length), n = memo_begins_at(s, end, phrase, stem);
    if (!n) return 0;
    const char *rest = s + n, *word = rest;
    while (word < end && isalnum((unsigned char)*word)) word++;
    for (size_t i = 0; i < BASE_COUNT(endings); i++)
        if ((size_t)(word - rest) == strlen(endings[i]) &&
            strncasecmp(rest, endings[i], strlen(endings[i])) == 0)
            return (size_t)(word - s);
    return 0;
}

/* The longest of some words that stands here; called for each word of a text, so most are told
 * apart by a letter. */
static size_t words_at(const char *s, const char *end, const char *words) {
    size_t longest = 0;
    for (const char *w = words, *next; *w; w = next + (*next == '|')) {
        next = strchrnul(w, '|');
        if ((*w ^ *s) & ~('a' ^ 'A')) continue; /* whichever of them is a capital */
        size_t n = inflected_at(s, end, w, (size_t)(next - w));
        if (n > longest) longest = n;
    }
    return longest;
}

bool memo_is_plain(const char *s, const char *end) {
    struct account_figure unit;
    const char *behind = s;
    while (behind < end && isalnum((unsigned char)*behind)) behind++;
    for (size_t i = 0; i < BASE_COUNT(single); i++)
        if (memo_same((struct memo_span){s, behind}, single[i])) return true;
    return words_at(s, end, plain) || account_read_unit(s, &unit);
}

size_t memo_word_at(const char *s, const char *end, enum memo_quantity *out) {
    size_t longest = 0;
    for (size_t q = 0; q < MEMO_Q_S; q++) {
        size_t name = words_at(s, end, rows[q].name), n = words_at(s, end, rows[q].words);
        if (name > n) n = name;
        if (n > longest) longest = n, *out = (enum memo_quantity)q;
    }
    return longest;
}

/* "params + grads": the quantity that is both; MEMO_Q_S if none has a name. */
static enum memo_quantity with_more(enum memo_quantity of, const char *s, const char *end) {
    enum memo_quantity more, sum = MEMO_Q_S;
    while (*s == ' ') s++;
    size_t sign = *s == '+' || *s == '&' ? 1 : strncasecmp(s, "and ", 4) == 0 ? 3 : 0;
    s += sign;
    while (*s == ' ') s++;
    size_t n = sign ? memo_word_at(s, end, &more) : 0;
    if (!n || rows[more].measure != rows[of].measure) return of;
    for (size_t q = MEMO_Q_S; q-- > 0;)
        if (rows[q].mask && rows[q].mask == (rows[of].mask | rows[more].mask))
            sum = (enum memo_quantity)q;
    return sum == MEMO_Q_S ? sum : with_more(sum, s + n, end);
}

size_t memo_quantity_find(const char *name) {
    const char *end = name + strlen(name), *behind = end;
    size_t longest = 0;
    enum memo_quantity found = MEMO_Q_S, q;
    for (const char *s = name; s < end; s++) {
        if (s > name && isalnum((unsigned char)s[-1])) continue;
        size_t n = memo_word_at(s, end, &q);
        if (n > longest) longest = n, found = q, behind = s + n;
        if (s == name && longest) break; /* "peak, in backward" is a peak */
    }
    return longest ? with_more(found, behind, end) : MEMO_Q_S;
}

/* ── the engine's values ───────────────────────────────────────────────────────────────────────*/
static void put(struct memo_config *c, enum memo_quantity q, double value) {
    for (size_t i = 0; i + 1 < MEMO_TRUTHS && value > 0 && isfinite(value); i++) {
        if (c->value[q][i] == value) return;
        if (c->value[q][i] > 0) continue;
        c->value[q][i] = value;
        return;
    }
}

static double over(const struct account_ledger *l, uint32_t mask) {
    double bytes = 0;
    for (int i = 0; i < ACCOUNT_CATEGORIES; i++)
        if (mask >> i & 1) bytes += (double)l->bytes[i];
    return bytes;
}

/* As the ledger has it, then at its highest, between steps, at the peak and off the GPU: people
 * mean any of these. */
static void put_masks(struct memo_config *c, const struct account_memory *m) {
    struct account_ledger elsewhere = m->host, highest = {0};
    for (int i = 0; i < ACCOUNT_CATEGORIES; i++) {
        elsewhere.bytes[i] += m->nvme.bytes[i];
        highest.bytes[i] = m->highest[i];
    }
    for (size_t q = 0; q < MEMO_Q_S; q++) {
        uint32_t mask = rows[q].mask;
        if (!mask) continue;
        put(c, (enum memo_quantity)q, over(&m->gpu, mask));
        put(c, (enum memo_quantity)q,
            (mask & (mask - 1)) ? over(&m->persistent, mask) : over(&highest, mask));
        if (!(mask & (mask - 1)))
            put(c, (enum memo_quantity)q, over(&m->phase[m->peak].ledger, mask));
        c->value[q][MEMO_TRUTHS - 1] = over(&elsewhere, mask);
    }
    put(c, MEMO_Q_MOMENT, over(&m->gpu, 1 << ACCOUNT_MOMENTS) / 2);
}

/* The memo's own activations in the place of the engine's, in each phase in their share. */
static void replace(struct memo_config *c, struct account_memory *m) {
    double engine = (double)m->highest[ACCOUNT_ACTIVATIONS],
           by = engine > 0 ? c->activations / engine : 0;
    if (!(c->activations > 0)) return;
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        struct account_ledger *l = &m->phase[p].ledger;
        uint64_t was = l->bytes[ACCOUNT_ACTIVATIONS];
        bool runs = p == ACCOUNT_FORWARD || p == ACCOUNT_BACKWARD;
        l->bytes[ACCOUNT_ACTIVATIONS] = engine > 0 ? (uint64_t)((double)was * by)
                                        : runs     ? (uint64_t)c->activations
                                                   : 0;
        l->total = l->total - was + l->bytes[ACCOUNT_ACTIVATIONS];
    }
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        if (m->phase[p].ledger.total > m->phase[m->peak].ledger.total)
            m->peak = (enum account_phase)p;
    m->gpu.bytes[ACCOUNT_ACTIVATIONS] = m->highest[ACCOUNT_ACTIVATIONS] = (uint64_t)c->activations;
}

static void put_spare(struct memo_config *c, double peak, double bare) {
    const struct account_card *card = c->is.training.card;
    double capacity[2] = {(double)c->is.card_bytes, card && card->driver_bytes
                                                        ? (double)card->driver_bytes
                                                        : (double)c->is.card_bytes};
    for (size_t i = 0; i < 2; i++) {
        put(c, MEMO_Q_USABLE, capacity[i]);
        put(c, MEMO_Q_SPARE, capacity[i] - peak);
        put(c, MEMO_Q_OVER, peak - capacity[i]);
        put(c, MEMO_Q_SPARE, capacity[i] - bare);
        put(c, MEMO_Q_OVER, bare - capacity[i]);
    }
    if (card) put(c, MEMO_Q_LABEL, (double)card->label_bytes);
}

static void put_memory(struct memo_config *c) {
    struct account_memory m;
    if (!account_memory(&c->is.training, &m, NULL)) return;
    replace(c, &m);
    uint64_t peak = m.phase[m.peak].ledger.total, more = m.highest[ACCOUNT_GATHER] ? m.implied : 0;
    static const enum memo_quantity phases[ACCOUNT_PHASES] = {
        MEMO_Q_INIT, MEMO_Q_PEAK_FORWARD, MEMO_Q_PEAK_BACKWARD, MEMO_Q_PEAK_UPDATE};
    c->known = true;
    c->peak = m.peak;
    put_masks(c, &m);
    put(c, MEMO_Q_LEDGER, (double)m.gpu.total);
    /* as `mem` has it without a micro-batch */
    put(c, MEMO_Q_LEDGER, (double)(m.gpu.total - m.gpu.bytes[ACCOUNT_ACTIVATIONS]));
    put(c, MEMO_Q_PEAK, (double)peak);
    put(c, MEMO_Q_PEAK, (double)(peak - more)); /* as the paper counts it */
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        bool runs = p == ACCOUNT_FORWARD || p == ACCOUNT_BACKWARD;
        put(c, phases[p], (double)m.phase[p].ledger.total);
        put(c, phases[p], (double)(m.phase[p].ledger.total - (runs ? more : 0)));
    }
    if (c->is.card_bytes) put_spare(c, (double)peak, (double)(peak - more));
    put(c, MEMO_Q_HOST, (double)m.host.total);
    put(c, MEMO_Q_HOST, (double)(m.host.total - m.host.bytes[ACCOUNT_GRADS]));
    put(c, MEMO_Q_HOST, over(&m.host, STATES)); /* without what the recipe works in */
    put(c, MEMO_Q_NVME, (double)m.nvme.total);
    struct account_activations a;
    if (c->activations > 0 || !account_activations(&c->is.training, &a, NULL)) return;
    put(c, MEMO_Q_ACTIVATIONS, (double)a.highest);
    put(c, MEMO_Q_ACTIVATIONS, (double)a.layers);
    put(c, MEMO_Q_LOGITS, (double)a.logits);
}

static void put_traffic(struct memo_config *c) {
    static const enum memo_quantity ops[ACCOUNT_COLLECTIVES] = {
        MEMO_Q_ALL_REDUCE, MEMO_Q_REDUCE_SCATTER, MEMO_Q_ALL_GATHER, MEMO_Q_ALL_TO_ALL, MEMO_Q_P2P};
    struct account_traffic t;
    if (!account_traffic(&c->is.training, &t, NULL)) return;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) put(c, ops[i], (double)t.sent[i]);
    put(c, MEMO_Q_SENT, (double)t.total);
    put(c, MEMO_Q_INSIDE, (double)t.inside);
    put(c, MEMO_Q_BETWEEN, (double)t.between);
    put(c, MEMO_Q_NIC, (double)t.network);
    for (size_t i = 0; i < t.collectives; i++) {
        put(c, MEMO_Q_COLLECTIVE, (double)t.collective[i].sent);
        put(c, MEMO_Q_COLLECTIVE, (double)t.collective[i].network);
    }
    put(c, MEMO_Q_DOWN, (double)t.offload_down);
    put(c, MEMO_Q_UP, (double)t.offload_up);
    put(c, MEMO_Q_HOST_TRAFFIC, (double)(t.offload_down + t.offload_up));
    double rate = account_host_link(&c->is.training).rate;
    if (!(rate > 0)) return;
    put(c, MEMO_Q_TRANSFER_TIME, (double)t.offload_down / rate);
    put(c, MEMO_Q_TRANSFER_TIME, (double)t.offload_up / rate);
}

/* A count without a model has the shape of one that is near. By hand it is shared out evenly, as
 * the engine does it without a shape: states, and what is sent of them, may be meant so. */
static void put_evenly(struct memo_config *c) {
    struct memo_config even = {.is = c->is};
    struct account_training *t = &even.is.training;
    struct account_memory m;
    if (!t->model || t->params == t->model->params) return;
    t->model = NULL;
    t->shape = (struct account_shape){0};
    t->batch = t->seq = 0;
    if (!account_memory(t, &m, NULL)) return;
    put_masks(&even, &m);
    put_traffic(&even);
    for (size_t q = 0; q < MEMO_Q_S; q++)
        if (!(rows[q].mask & ~STATES)) put(c, (enum memo_quantity)q, even.value[q][0]);
}

static void put_run(struct memo_config *c, const struct account_clock *k) {
    const struct account_training *t = &c->is.training;
    double sequences = (double)t->batch * t->accumulate * account_data_parallel(t);
    put(c, MEMO_Q_STEP, k->step);
    put(c, MEMO_Q_THROUGHPUT, k->tokens_per_s);
    put(c, MEMO_Q_THROUGHPUT_GPU, k->tokens_per_s / t->gpus);
    put(c, MEMO_Q_TOKENS, sequences * t->seq);
    if (!(k->tokens_per_s > 0)) return;
    put(c, MEMO_Q_MFU, account_model_flops(t) * sequences / (t->gpus * t->card->flops * k->step));
    put(c, MEMO_Q_RUN, (double)c->is.tokens / k->tokens_per_s);
    put(c, MEMO_Q_GPU_HOURS, (double)c->is.tokens / k->tokens_per_s * t->gpus / 3600);
}

static void put_clock(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    struct account_clock k;
    if (!account_clock(t, &k, NULL)) return;
    if (k.has_comm) {
        put(c, MEMO_Q_COMM, k.comm);
        put(c, MEMO_Q_EXPOSED, k.comm_exposed);
        for (size_t i = 0; i < ACCOUNT_COLLECTIVES_MOST; i++) {
            put(c, MEMO_Q_TRANSFER_TIME, k.collective[i]);
            put(c, MEMO_Q_TRANSFER_TIME, k.exposed[i]);
        }
    }
    put(c, MEMO_Q_FORWARD, k.forward);
    put(c, MEMO_Q_BACKWARD, k.backward);
    put(c, MEMO_Q_COMPUTE, k.forward + k.backward);
    put(c, MEMO_Q_UPDATE, k.update);
    put(c, MEMO_Q_OFFLOAD, k.offload);
    put(c, MEMO_Q_BUBBLE, k.bubble);
    if (k.has_compute) put_run(c, &k);
}

static void put_links(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    const struct account_link *own = t->card && t->card->link ? account_link_find(t->card->link)
                                                              : NULL,
                              *net =
                                  t->card && t->card->net ? account_link_find(t->card->net) : NULL;
    struct account_link host = account_host_link(t);
    if (t->link.rate > 0) own = &t->link;
    if (t->net.rate > 0) net = &t->net;
    if (own) put(c, MEMO_Q_LINK, own->rate), put(c, MEMO_Q_LINK, own->wire);
    if (net) put(c, MEMO_Q_NET, net->rate), put(c, MEMO_Q_NET, net->wire);
    put(c, MEMO_Q_HOST_LINK, host.rate);
    put(c, MEMO_Q_HOST_LINK, host.wire);
}

void memo_count(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    memset(c->value, 0, sizeof c->value);
    c->known = false;
    if (!account_has_stage(t, t->stage) || !account_check(t, NULL)) return;
    double each = 0, ranks = account_shard_ranks(t);
    for (int i = ACCOUNT_PARAMS; i <= ACCOUNT_MOMENTS; i++)
        each += account_bytes_per_param(t, (enum account_category)i);
    put_memory(c);
    put_traffic(c);
    put_evenly(c);
    put_clock(c);
    put_links(c);
    put(c, MEMO_Q_PER_PARAM, each);
    put(c, MEMO_Q_PER_PARAM, c->value[MEMO_Q_STATES][0] / (double)t->params);
    put(c, MEMO_Q_PER_PARAM, c->value[MEMO_Q_PARAMS][0] / (double)t->params * (ranks > 0));
    put(c, MEMO_Q_COUNT, (double)t->params);
}

/* ── kept ──────────────────────────────────────────────────────────────────────────────────────*/
enum { KEPT = 64 };
struct memo_cache {
    size_t next;
    struct memo_config row[KEPT];
};

struct memo_cache *memo_cache_new(void) {
    return base_alloc(sizeof(struct memo_cache));
}

/* What the values follow from; names and lines are the memo's. */
static bool is_same(const struct memo_config *a, const struct memo_config *b) {
    return memcmp(&a->is.training, &b->is.training, sizeof a->is.training) == 0 &&
           a->is.tokens == b->is.tokens && a->is.card_bytes == b->is.card_bytes &&
           a->activations == b->activations;
}

void memo_recall(struct memo_cache *cache, struct memo_config *c) {
    for (size_t i = 0; cache && i < KEPT; i++) {
        const struct memo_config *row = &cache->row[i];
        if (!row->is.training.params || !is_same(row, c)) continue;
        memcpy(c->value, row->value, sizeof c->value);
        c->known = row->known;
        c->peak = row->peak;
        return;
    }
    memo_count(c);
    if (cache) cache->row[cache->next++ % KEPT] = *c;
}

/* ── what is made of them ──────────────────────────────────────────────────────────────────────*/
bool memo_problem(enum memo_quantity q, const struct memo_config *c, struct account_problem *out) {
    assert(q < MEMO_Q_S);
    const struct row *row = &rows[q];
    if (!row->asked || c->activations > 0) return false;
    *out = account_problem_default();
    out->training = c->is.training;
    out->kind = row->kind;
    out->unit = row->measure == ACCOUNT_FIGURE_SECONDS           ? ACCOUNT_UNIT_SECONDS
                : row->measure == ACCOUNT_FIGURE_BYTES_PER_PARAM ? ACCOUNT_UNIT_B_PER_PARAM
                                                                 : ACCOUNT_UNIT_GB;
    return account_problem_set(out, "quantity", row->asked, NULL);
}

bool memo_holds(const struct memo_config *c, enum memo_quantity q, const struct account_figure *f) {
    if (rows[q].measure != f->measure) return false;
    for (size_t i = 0; i < MEMO_TRUTHS; i++)
        if (c->value[q][i] > 0 && account_figure_is(f, c->value[q][i])) return true;
    return false;
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/
/* How a measure is written: a bare number's unit; then by the engine, or as a number with words. */
static const struct {
    double scale;
    const char *unit;
    enum account_unit prints;
    int digits;
    const char *words;
} units[ACCOUNT_MEASURES] = {
    [ACCOUNT_FIGURE_BYTES] = {1e9, "GB", ACCOUNT_UNIT_NONE, 0, ""},
    [ACCOUNT_FIGURE_SECONDS] = {1, "s", ACCOUNT_UNIT_SECONDS, 3, ""},
    [ACCOUNT_FIGURE_TOKENS_PER_S] = {1, "tokens/s", ACCOUNT_UNIT_NONE, 0, " tokens/s"},
    [ACCOUNT_FIGURE_BYTES_PER_S] = {1e9, "GB/s", ACCOUNT_UNIT_GB_PER_S, 4, ""},
    [ACCOUNT_FIGURE_BYTES_PER_PARAM] = {1, "B/param", ACCOUNT_UNIT_B_PER_PARAM, 4, ""},
    [ACCOUNT_FIGURE_PARAMS] = {1, "parameters", ACCOUNT_UNIT_NONE, 0, " parameters"},
    [ACCOUNT_FIGURE_TOKENS] = {1, "tokens", ACCOUNT_UNIT_NONE, 0, " tokens"},
    [ACCOUNT_FIGURE_SHARES] = {1, "", ACCOUNT_UNIT_NONE, 0, "%"},
    [ACCOUNT_FIGURE_GPU_HOURS] = {1, "GPU-hours", ACCOUNT_UNIT_NONE, 0, " GPU-hours"},
};

struct account_figure memo_usual_unit(enum account_measure m) {
    return (struct account_figure){.scale = units[m].scale, .unit = units[m].unit, .measure = m};
}

const char *memo_print(char *out, size_t size, double value, enum account_measure m) {
    char n[32];
    enum account_unit unit = units[m].prints;
    if (m == ACCOUNT_FIGURE_BYTES) return account_print_bytes(out, size, value);
    if (unit == ACCOUNT_UNIT_SECONDS && fabs(value) < 1) unit = ACCOUNT_UNIT_MS;
    if (m == ACCOUNT_FIGURE_SECONDS && fabs(value) >= 86400)
        snprintf(out, size, "%.3g days", value / 86400);
    else if (unit != ACCOUNT_UNIT_NONE)
        return account_print(out, size, value, unit, units[m].digits);
    else if (m == ACCOUNT_FIGURE_PARAMS)
        snprintf(out, size, "%s parameters", account_print_count(n, sizeof n, value));
    else if (m == ACCOUNT_FIGURE_SHARES || !units[m].words)
        snprintf(out, size, "%.*g%s", units[m].words ? 3 : 4, units[m].words ? 100 * value : value,
                 units[m].words ? "%" : "");
    else
        snprintf(out, size, "%.0f%s", value, units[m].words);
    return out;
}
