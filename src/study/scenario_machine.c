/* On what is trained, as people write it: "8xA100-80GB", "8 A100s with 80 GB each", "two DGX A100 (8×80GB)", "2 nodes of 8 × H100", "one 100 Gb/s
 * NIC a node". */
#include "scenario_reading.h"

#include <math.h>
#include <string.h>

static bool is_times(const struct scenario_reading *r, size_t i) {
    return memo_is_mark(&r->t, i, 0xD7) || memo_is_mark(&r->t, i, 'x') ||
           memo_is_mark(&r->t, i, 'X') || memo_is_mark(&r->t, i, '*') || scenario_phrase(r, i, "x");
}

static bool is_opening(const struct scenario_reading *r, size_t i) {
    return memo_is_mark(&r->t, i, '(') || memo_is_mark(&r->t, i, '-') ||
           scenario_phrase(r, i, "with") || scenario_phrase(r, i, "of");
}

/* "80 GB", "(80GB)", "with 80 GB each"; a rate is none. */
static size_t size_at(const struct scenario_reading *r, size_t i, double *bytes) {
    static const char *const units[] = {"gb", "g", "gib", "gigabyte", NULL};
    static const char *const each[] = {"each", "a gpu", "per gpu", "of memory", "memory", NULL};
    size_t at = i + is_opening(r, i), n;
    if (!scenario_number(r, at) || !(n = scenario_any(r, at + 1, units))) return 0;
    if (memo_is_mark(&r->t, at + 1 + n, '/')) return 0;
    *bytes = r->t.token[at].value * (scenario_phrase(r, at + 1, "gib") ? 1073741824.0 : 1e9);
    at += 1 + n;
    at += scenario_any(r, at, each);
    return at + memo_is_mark(&r->t, at, ')') - i;
}

/* The same card with so much memory: "A100" and 40 GB. The card itself where there is none. */
static const struct account_card *of_size(const struct account_card *card, double bytes) {
    char name[64];
    const char *last = strrchr(card->name, '-');
    bool sized = last && strspn(last + 1, "0123456789") + 2 == strlen(last);
    int stem = sized ? (int)(last - card->name) : (int)strlen(card->name);
    (void)snprintf(name, sizeof name, "%.*s-%.0fg", stem, card->name, bytes / 1e9);
    const struct account_card *other = account_card_find(name);
    return other ? other : card;
}

static size_t read_card(struct scenario_reading *r, size_t i) {
    size_t taken = 0, size;
    double bytes = 0;
    const struct account_card *c = study_scenario_card(&r->t, i, &taken);
    if (!c) return 0;
    size = size_at(r, i + taken, &bytes);
    r->s->training.card = size ? of_size(c, bytes) : c;
    return taken + size;
}

static size_t read_count_of_gpus(struct scenario_reading *r, size_t i) {
    static const char *const gpus[] = {"gpu", "accelerator", "card", NULL};
    double bytes = 0;
    size_t at = i + 1;
    if (!scenario_number(r, i)) return 0;
    at += is_times(r, at);
    if (scenario_phrase(r, at, "nvidia")) at++;
    size_t size = size_at(r, at, &bytes), card = read_card(r, at + size);
    size_t word = scenario_any(r, at + size + card, gpus);
    if (!card && !word && !(size && at > i + 1)) return 0;
    if (size && !card) r->s->card_bytes = (uint64_t)llround(bytes);
    if (size && card) r->s->training.card = of_size(r->s->training.card, bytes);
    r->s->training.gpus = scenario_count(r->t.token[i].value);
    r->gpus = true;
    return at + size + card + word - i;
}

/* "8 GPUs with 80 GB each" */
size_t scenario_size(struct scenario_reading *r, size_t i) {
    double bytes = 0;
    size_t n = size_at(r, i, &bytes);
    if (n && !r->s->training.card) r->s->card_bytes = (uint64_t)llround(bytes);
    return n;
}

/* ── nodes ───────────────────────────────────────────────────────────────────────────────────────*/
static const char *const nodes[] = {"node", "server", "machine", "box", NULL};
static const char *const per_node[] = {"per node",    "a node",    "per server",   "a server",
                                       "per machine", "each node", "in each node", NULL};

static const struct account_node *node_of(const struct account_card *card, double bytes) {
    return card ? account_node_of(bytes > 0 ? of_size(card, bytes) : card) : NULL;
}

/* "(8x80GB)", "640 GB": what a whole node holds; the bytes of one GPU. */
static size_t node_size_at(const struct scenario_reading *r, size_t i, uint32_t gpus,
                           double *bytes) {
    size_t open = memo_is_mark(&r->t, i, '('), at = i + open, n;
    if (scenario_number(r, at) && is_times(r, at + 1)) at += 2;
    if (!(n = size_at(r, at, bytes))) return 0;
    if (gpus && at == i + open && *bytes > 300e9) *bytes /= gpus;
    return at + n + memo_is_mark(&r->t, at + n, ')') - i;
}

/* "a DGX A100", "two HGX H100 nodes" */
static size_t read_dgx(struct scenario_reading *r, size_t i) {
    static const char *const makes[] = {"dgx", "hgx", NULL};
    struct account_training *t = &r->s->training;
    bool counted = scenario_number(r, i);
    size_t at = i + counted + (counted && is_times(r, i + 1)), card, taken = 0;
    double bytes = 0;
    if (!(card = scenario_any(r, at, makes))) return 0;
    at += card + memo_is_mark(&r->t, at + card, '-');
    const struct account_card *c = study_scenario_card(&r->t, at, &taken);
    const struct account_node *n = node_of(c, 0);
    if (!n) return 0;
    at += taken;
    at += node_size_at(r, at, n->gpus, &bytes);
    t->card = bytes > 0 ? of_size(c, bytes) : c;
    uint32_t many = counted ? scenario_count(r->t.token[i].value) : 1;
    t->gpus = many * n->gpus;
    t->gpus_per_node = n->gpus;
    r->gpus = true;
    return at + scenario_any(r, at, nodes) - i;
}

/* "8 GPUs per node" before "8 GPUs" */
static size_t read_per_node(struct scenario_reading *r, size_t i) {
    static const char *const per[] = {"gpus per node",   "gpus a node", "per node",  "a node",
                                      "gpus per server", "per server",  "gpus each", NULL};
    size_t n = scenario_number(r, i) ? scenario_any(r, i + 1, per) : 0;
    if (!n) return 0;
    r->per_node = r->t.token[i].value;
    return n + 1;
}

static size_t read_nodes(struct scenario_reading *r, size_t i) {
    size_t n = scenario_number(r, i) ? scenario_any(r, i + 1, nodes) : 0;
    if (!n) return 0;
    r->nodes = r->t.token[i].value;
    r->nodes_first = !r->gpus && r->nodes > 1;
    return n + 1;
}

/* ── links ───────────────────────────────────────────────────────────────────────────────────────*/
static size_t read_link(struct scenario_reading *r, size_t i) {
    size_t taken = 0;
    bool net = false;
    struct account_link link = study_scenario_link(&r->t, i, &taken, &net);
    if (link.rate <= 0) return 0;
    *(net ? &r->s->training.net : &r->s->training.link) = link;
    size_t shared = net ? scenario_any(r, i + taken, per_node) : 0;
    if (shared && r->nics < 1) r->nics = 1; /* all of a node's GPUs share it */
    return taken + shared;
}

/* "1 NIC of …", "8 × 200 Gb/s NICs": how many a node has; its rate is read by itself. */
static size_t read_nics(struct scenario_reading *r, size_t i) {
    static const char *const adapters[] = {"nic", "nics", "hca", "network card", "adapter", NULL};
    if (!scenario_number(r, i)) return 0;
    size_t times = is_times(r, i + 1), n = scenario_any(r, i + 1, adapters), taken = 0;
    bool net;
    bool rate = study_scenario_link(&r->t, i + 1 + times, &taken, &net).rate > 0 && net;
    if (!n && !(rate && scenario_number(r, i + 1 + times))) return 0;
    r->nics = r->t.token[i].value;
    return 1 + (rate ? times : n);
}

/* How many tokens each can make something of. The order matters where two could. */
scenario_reader *const scenario_machine[] = {
    read_nics, read_link, read_dgx, read_per_node, read_count_of_gpus, read_nodes, read_card};
const size_t scenario_machines = BASE_COUNT(scenario_machine);

/* ── what follows ────────────────────────────────────────────────────────────────────────────────*/
static void settle_nodes(struct scenario_reading *r) {
    struct account_training *t = &r->s->training;
    if (r->nodes_first && r->nodes * t->gpus <= 1e6) {
        t->gpus_per_node = t->gpus;
        t->gpus *= scenario_count(r->nodes);
    } else if (r->nodes > 1)
        t->gpus_per_node = (uint32_t)(t->gpus / r->nodes);
    if (r->per_node >= 1 && r->per_node <= t->gpus) t->gpus_per_node = scenario_count(r->per_node);
    if (r->per_node >= 1 && t->gpus == 0 && r->nodes >= 1) {
        t->gpus = scenario_count(r->nodes * r->per_node);
        t->gpus_per_node = scenario_count(r->per_node);
    }
}

/* The engine counts a GPU's own share of what leaves its node. */
static void share_nics(struct scenario_reading *r) {
    struct account_training *t = &r->s->training;
    account_assume_node(t);
    double share = t->gpus_per_node ? r->nics / t->gpus_per_node : 1;
    if (r->nics < 1 || t->net.rate <= 0 || t->gpus_per_node >= t->gpus || share >= 1) return;
    t->net.rate *= share;
    t->net.wire *= share;
    t->net.name = NULL;
}

void scenario_settle_machine(struct scenario_reading *r) {
    settle_nodes(r);
    if (r->nics >= 1) share_nics(r);
}
