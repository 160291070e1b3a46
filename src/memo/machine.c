/* Machines in the field language: models, cards, nodes and links by the names that people give
 * them. */
#include "memo/reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ── names of the catalogues ───────────────────────────────────────────────────────────────────*/
/* Words [at, end) with hyphens between them. */
static void join(const char *at, const char *end, char out[MEMO_NAME_CAPACITY]) {
    size_t n = 0;
    for (const char *s = at; s < end && n + 1 < MEMO_NAME_CAPACITY; s++)
        if (*s != ' ' || (n && out[n - 1] != '-')) out[n++] = *s == ' ' ? '-' : *s;
    while (n && out[n - 1] == '-') n--;
    out[n] = '\0';
}

bool memo_read_model(struct memo_reader *r) {
    const char *ends[MEMO_NAME_WORDS];
    if (!isalpha((unsigned char)*r->at)) return false;
    for (size_t n = memo_words_from(r->at, ends); n-- > 0;) {
        char name[MEMO_NAME_CAPACITY];
        join(r->at, ends[n], name);
        if (!account_model_find(name)) continue;
        memo_set_field(r, "model", name, r->at, ends[n]);
        r->at = ends[n];
        return true;
    }
    return false;
}

/* "80 GB", "(80GB)", "with 80 GB each", before a card's name or behind it; no rate. */
const char *memo_size_at(const struct memo_reader *r, const char *at, double *bytes) {
    struct account_figure f;
    const char *word = memo_behind(at, "with"), *end = memo_figure_at(r, word ? word : at, &f);
    if (!end || f.measure != ACCOUNT_FIGURE_BYTES || f.low < 1e9 || f.low > MEMO_MOST_BYTES)
        return NULL;
    *bytes = f.low;
    const char *each = memo_behind(end, "each");
    return each ? each : end;
}

/* The catalogue's card of this stem, bus and size. */
static const struct account_card *card_named(const char *stem, bool pcie, double bytes) {
    char name[MEMO_NAME_CAPACITY];
    const struct account_card *c = NULL;
    for (int sized = bytes > 0; sized >= 0 && !c; sized--) {
        snprintf(name, sizeof name, sized ? "%s%s-%.0fg" : "%s%s", stem, pcie ? "-pcie" : "",
                 bytes / 1e9);
        c = account_card_find(name);
    }
    return c;
}

/* "A100", "A100s (80 GB)", "RTX 4090", "H100 SXM 80GB", "A100 PCIe 40 GB"; `bytes`: a size that
 * stood before it. */
const char *memo_card_at(const struct memo_reader *r, const char *at, double bytes,
                         const struct account_card **card) {
    static const char more[] = "sxm/sxm2/sxm4/sxm5/nvidia/amd/tesla/geforce/instinct";
    char stem[MEMO_NAME_CAPACITY];
    bool pcie = false;
    const char *next = memo_behind(at, more), *end;
    if (next) return memo_card_at(r, next, bytes, card);
    end = memo_word_end(at = memo_skip(at));
    if (memo_behind(at, "rtx/l")) end = memo_word_end(memo_skip(end));
    join(at, end, stem);
    size_t n = strlen(stem);
    if (n > 2 && stem[n - 1] == 's' && isdigit((unsigned char)stem[n - 2]) &&
        !account_card_find(stem))
        stem[n - 1] = '\0';
    if (!isalnum((unsigned char)*stem) || !account_card_find(stem)) return NULL;
    for (bool went = true; went;) {
        if ((went = (next = memo_behind(end, more)) != NULL)) end = next;
        if ((next = memo_behind(end, "pcie")) && !(isdigit((unsigned char)*memo_skip(next)) &&
                                                   !isdigit((unsigned char)memo_skip(next)[1])))
            end = next, pcie = went = true;
        if (!(bytes > 0) && (next = memo_size_at(r, end, &bytes))) end = next, went = true;
    }
    *card = card_named(stem, pcie, bytes);
    return *card ? end : NULL;
}

/* ── machines ──────────────────────────────────────────────────────────────────────────────────*/
#define NODES  "node/server/machine/boxes/box"
#define A_NODE "per/a/each node/server/machine"
#define CARDS  "gpu/accelerator/card"

/* The word at which the reader is says it. */
static void count_gpus(struct memo_reader *r, double n) {
    memo_set_number(r, "gpus", n, r->at, memo_word_end(r->at));
}

/* Of a node or of the network: as many as there can be nodes. */
static bool is_few(struct memo_reader *r, double n, const char *what) {
    return memo_within(r, r->at, memo_word_end(r->at), n, 1, MEMO_MOST_NODES, what);
}

/* "(8 × 80 GB)", "640 GB" behind a machine's name: the bytes of one GPU. */
static const char *machine_size(const struct memo_reader *r, const char *at, double gpus,
                                double *bytes) {
    struct account_figure f;
    const char *end = memo_size_at(r, at, bytes), *times = memo_figure_at(r, at, &f);
    if (end && *bytes > 300e9) *bytes /= gpus;
    if (end || !times || f.low != gpus) return end;
    times = memo_skip(times);
    return memo_size_at(r, *times == 'x' ? times + 1 : times, bytes);
}

/* "DGX A100 (8 × 80 GB)": a whole machine; `n` of them. */
const char *memo_machine_at(struct memo_reader *r, const char *at, double n) {
    char stem[MEMO_NAME_CAPACITY];
    const char *name = memo_behind(at, "dgx/hgx"),
               *end = name ? memo_word_end(memo_skip(name)) : NULL, *next;
    if (!name) return NULL;
    join(memo_skip(name), end, stem);
    const struct account_card *card = account_card_find(stem);
    const struct account_node *node = card ? account_node_of(card) : NULL;
    double bytes = 0;
    if (!node) return NULL;
    if ((next = machine_size(r, end, node->gpus, &bytes))) end = next;
    const struct account_card *sized = bytes > 0 ? card_named(stem, false, bytes) : NULL;
    r->s->training.card = sized ? sized : card;
    count_gpus(r, n * node->gpus);
    r->s->training.gpus_per_node = node->gpus;
    next = memo_behind(end, NODES);
    return next ? next : end;
}

/* Behind a count: "× A100 80 GB", "GPUs per node", "80 GB GPUs", "nodes of". */
const char *memo_counted_machine(struct memo_reader *r, const char *at, double n) {
    const struct account_card *card = NULL;
    double bytes = 0;
    const char *end, *sized = memo_size_at(r, at, &bytes), *word;
    if ((end = memo_behind(at, NODES))) {
        if (!is_few(r, n, "nodes")) return end;
        r->nodes = n;
        r->nodes_at = r->at;
        r->nodes_first = r->s->training.gpus == 0 && n > 1;
        return end;
    }
    if ((end = memo_machine_at(r, at, n))) return end;
    word = memo_behind(sized ? sized : at, CARDS);
    if ((word && (end = memo_behind(word, A_NODE))) || (end = memo_behind(at, A_NODE))) {
        if (is_few(r, n, "GPUs")) r->per_node = n;
        return end;
    }
    end = memo_card_at(r, sized ? sized : at, bytes, &card);
    if (!end && !word) return NULL;
    if (!end) end = word;
    if (card) r->s->training.card = card;
    if (!card && (sized || (sized = memo_size_at(r, end, &bytes)))) {
        r->s->card_bytes = (uint64_t)bytes;
        if (sized > end) end = sized;
    }
    count_gpus(r, n);
    word = memo_behind(end, CARDS);
    return word ? word : end;
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
/* "NVLink 3", "PCIe gen 4", "InfiniBand HDR", "HDR InfiniBand": a link of the catalogue by its
 * name. */
static const char *link_at(const char *at, struct account_link *link, bool *net) {
    static const struct {
        const char *words, *prefix;
    } makes[] = {
        {"nvlink", "nvlink"},
        {"pcie gen?", "pcie"},
        {"infiniband/ib", "ib-"},
    };
    char name[MEMO_NAME_CAPACITY];
    const struct account_link *found;
    for (size_t i = 0; i < BASE_COUNT(makes); i++) {
        const char *end = memo_behind(at, makes[i].words), *word = end ? memo_skip(end) : at,
                   *next = memo_word_end(word);
        *net = i == 2;
        snprintf(name, sizeof name, "%s%.*s", makes[i].prefix, (int)(next - word), word);
        if (!end && (!*net || !(next = memo_behind(next, makes[i].words)))) continue;
        if (!(found = account_link_find(name)) && i == 1)
            found = account_link_find("pcie4"), next = end;
        if (found) return *link = *found, next;
    }
    join(at, memo_word_end(at), name);
    if (!(found = account_link_find(name))) return NULL;
    *link = *found;
    *net = strncmp(name, "ib", 2) == 0 || strncmp(name, "eth", 3) == 0;
    return memo_word_end(at);
}

/* Words for what lies between nodes: "eth", "ib", or "net" where they do not say which. */
const char *memo_network_at(const char *at, const char **kind) {
    static const char *const kinds[][2] = {
        {"ib", "infiniband/ib"},
        {"eth", "ethernet/roce/nic|network card"},
        {"net", "network/interconnect|between nodes|inter node"}};
    const char *end = NULL;
    for (size_t i = 0; i < BASE_COUNT(kinds) && !end; i++)
        if ((end = memo_behind(at, kinds[i][1]))) *kind = kinds[i][0];
    return end;
}

struct account_link memo_link_of(const char *kind, double rate) {
    char name[MEMO_NAME_CAPACITY];
    snprintf(name, sizeof name, "%s-%.0fg", kind, rate * 8 / 1e9);
    const struct account_link *found = account_link_find(name);
    return found ? *found : (struct account_link){.rate = rate, .wire = rate};
}

/* Behind a rate: "Ethernet a node", "NVLink", "InfiniBand". All of a node's GPUs share what is said
 * of the node. */
const char *memo_after_rate(struct memo_reader *r, const char *at, double rate) {
    const char *kind = "eth", *end = memo_network_at(at, &kind), *shared;
    if (!end && r->nics >= 1) end = at; /* "1 NIC of 100 Gb/s" */
    if (end)
        r->s->training.net = memo_link_of(kind, rate);
    else if ((end = memo_behind(at, "nvlink/pcie")))
        r->s->training.link = (struct account_link){.rate = rate, .wire = rate};
    else
        return NULL;
    if ((shared = memo_behind(end, A_NODE)) && r->nics < 1) r->nics = 1;
    return shared ? shared : end;
}

bool memo_read_link(struct memo_reader *r) {
    struct account_link link;
    struct account_figure f;
    bool net = false;
    const char *end = link_at(r->at, &link, &net), *kind, *next;
    if (end) {
        *(net ? &r->s->training.net : &r->s->training.link) = link;
        next = memo_figure_at(r, end, &f);
        /* as the data sheet has it */
        if (next && f.measure == ACCOUNT_FIGURE_BYTES_PER_S) end = next;
    } else {
        if (!(end = memo_network_at(r->at, &kind))) return false;
        while ((next = memo_behind(end, "at/of/with"))) end = next;
        next = memo_figure_at(r, end, &f);
        if (!next || f.measure != ACCOUNT_FIGURE_BYTES_PER_S) return false;
        r->s->training.net = memo_link_of(kind, f.low);
        end = next;
    }
    if (net && (next = memo_behind(end, A_NODE)) && r->nics < 1) r->nics = 1, end = next;
    r->at = end;
    return true;
}
