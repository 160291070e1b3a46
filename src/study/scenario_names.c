/* Names of the catalogues as people write them: "Llama 2 13B", "8xA100-80GB", "A100 (80 GB)", "100 Gb/s Ethernet". */
#include "scenario.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { NAME_TOKENS = 8, CARD_TOKENS = 6, NAME_MOST = 48 };

/* Words of a card's name that the catalogue leaves out. */
static bool is_idle(const struct memo_text *t, size_t i) {
    static const char *const idle[] = {"nvidia", "amd",  "tesla", "geforce", "instinct",
                                       "sxm",    "sxm2", "sxm4",  "sxm5",    "gpu"};
    for (size_t k = 0; k < BASE_COUNT(idle); k++)
        if (memo_is_word(t, i, idle[k], strlen(idle[k]))) return true;
    return memo_is_mark(t, i, '(') || memo_is_mark(t, i, ')');
}

enum form { MODEL, CARD, CARDS };
/* "GB" after a number is the catalogue's g; "A100s" are several A100. */
static size_t name_length(const struct memo_text *t, size_t i, enum form form) {
    const struct memo_token *one = &t->token[i];
    const char *end = t->lower + one->start + one->length;
    bool gb = one->length == 2 && memcmp(t->lower + one->start, "gb", 2) == 0;
    bool several =
        form == CARDS && one->length > 2 && end[-1] == 's' && isdigit((unsigned char)end[-2]);
    return gb ? 1 : one->length - several;
}

static bool is_size_unit(const struct memo_text *t, size_t i) {
    bool word = memo_is_word(t, i, "gb", 2) || memo_is_word(t, i, "g", 1);
    return word && i > 0 && t->token[i - 1].kind == MEMO_NUMBER;
}

/* Tokens [i, end) as one name: blanks become hyphens. False where they cannot be one. */
static bool join(const struct memo_text *t, size_t i, size_t end, enum form form, char *out) {
    bool idle = form != MODEL;
    size_t n = 0;
    for (size_t k = i; k < end; k++) {
        const struct memo_token *one = &t->token[k];
        if (idle && is_idle(t, k)) continue;
        if (memo_is_mark(t, k, '-')) continue;
        bool glued =
            k > i && one->glued && !memo_is_mark(t, k - 1, '-') && !memo_is_mark(t, k - 1, '(');
        glued = glued || (idle && k > i && is_size_unit(t, k));
        size_t length = idle ? name_length(t, k, form) : one->length;
        if (one->kind == MEMO_STOP || one->kind == MEMO_BLOCK || n + length + 2 > NAME_MOST)
            return false;
        if (n > 0 && !glued) out[n++] = '-';
        memcpy(out + n, t->lower + one->start, length);
        n += length;
    }
    out[n] = '\0';
    return n > 0;
}

const struct account_model *study_scenario_model(const struct memo_text *t, size_t i,
                                                 size_t *taken) {
    char name[NAME_MOST];
    if (t->token[i].kind != MEMO_WORD) return NULL;
    for (size_t n = NAME_TOKENS; n > 0; n--) {
        if (i + n > t->tokens || !join(t, i, i + n, MODEL, name)) continue;
        const struct account_model *m = account_model_find(name);
        if (m) return *taken = n, m;
    }
    return NULL;
}

/* "a100-80g-pcie": the catalogue has the bus before the size. */
static void put_bus_first(char *name) {
    char *first = strchr(name, '-'), *bus = strstr(name, "-pcie");
    char copy[NAME_MOST];
    if (!first || !bus || bus[5] || bus == first) return;
    *bus = '\0';
    snprintf(copy, sizeof copy, "%s", first);
    snprintf(first, NAME_MOST - (size_t)(first - name), "-pcie%s", copy);
}

/* Whether a card's name begins with the same two letters. */
static bool begins_card(const char *s) {
    size_t count;
    const struct account_card *cards = account_cards(&count);
    for (size_t k = 0; k < count; k++)
        if (cards[k].name[0] == s[0] && cards[k].name[1] == s[1]) return true;
    return false;
}

/* Cards have a digit in their first word, or are GeForce. Asked of every word of a memo, so the cheap question comes first. */
static bool may_be_card(const struct memo_text *t, size_t i) {
    if (i >= t->tokens) return false;
    const struct memo_token *one = &t->token[i];
    if (one->kind != MEMO_WORD || one->length > 12) return false;
    if (!begins_card(t->lower + one->start)) return false;
    for (size_t k = 1; k < one->length; k++)
        if (isdigit((unsigned char)t->lower[one->start + k])) return true;
    return memo_is_word(t, i, "rtx", 3);
}

const struct account_card *study_scenario_card(const struct memo_text *t, size_t i, size_t *taken) {
    char name[NAME_MOST];
    if (!may_be_card(t, i)) return NULL;
    for (size_t n = CARD_TOKENS; n > 0; n--)
        for (enum form form = CARD; form <= CARDS; form++) {
            if (i + n > t->tokens || !join(t, i, i + n, form, name)) continue;
            put_bus_first(name);
            const struct account_card *c = account_card_find(name);
            if (c) return *taken = n, c;
        }
    return NULL;
}

/* ── links ───────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *phrase, *name;
    bool net;
} links[] = {
    {"nvlink 2",        "nvlink2",     false},
    {"nvlink 3",        "nvlink3",     false},
    {"nvlink 4",        "nvlink4",     false},
    {"nvlink 5",        "nvlink5",     false},
    {"pcie gen 3",      "pcie3",       false},
    {"pcie gen 4",      "pcie4",       false},
    {"pcie gen 5",      "pcie5",       false},
    {"pcie 3",          "pcie3",       false},
    {"pcie 4",          "pcie4",       false},
    {"pcie 5",          "pcie5",       false},
    {"pcie",            "pcie4",       false},
    {"infinity fabric", "xgmi-mi300x", false},
    {"infiniband edr",  "ib-edr",      true },
    {"infiniband hdr",  "ib-hdr",      true },
    {"infiniband ndr",  "ib-ndr",      true },
    {"infiniband xdr",  "ib-xdr",      true },
    {"edr infiniband",  "ib-edr",      true },
    {"hdr infiniband",  "ib-hdr",      true },
    {"ndr infiniband",  "ib-ndr",      true },
    {"xdr infiniband",  "ib-xdr",      true },
};

/* A rate in bits or bytes, told apart by the letter as it was written: "100 Gb/s", "200Gbps", "25 GB/s", "100GbE". How many tokens. */
static size_t rate_at(const struct memo_text *t, size_t i, double *bytes, bool *ethernet) {
    static const char *const units[] = {"gb/s", "gbit/s", "gbps", "gbe", "g"};
    if (i >= t->tokens || t->token[i].kind != MEMO_NUMBER) return 0;
    size_t at = t->token[i].start + t->token[i].length, n = 0;
    while (t->raw[at] == ' ') at++;
    for (size_t k = 0; k < BASE_COUNT(units) && !n; k++)
        if (strncmp(t->lower + at, units[k], strlen(units[k])) == 0) n = strlen(units[k]);
    if (!n || at + n > t->length) return 0;
    *ethernet = strncmp(t->lower + at, "gbe", 3) == 0;
    bool is_bytes = t->raw[at + 1] == 'B' && !*ethernet;
    *bytes = t->token[i].value * 1e9 / (is_bytes ? 1 : 8);
    size_t next = i + 1;
    while (next < t->tokens && t->token[next].start < at + n) next++;
    return next - i;
}

/* What a rate is of. NICs and networks are taken for Ethernet's kind. */
static const struct technology {
    const char *phrase, *prefix;
} technologies[] = {
    {"ethernet",      "eth"},
    {"roce",          "eth"},
    {"infiniband",    "ib" },
    {"ib",            "ib" },
    {"nic",           "eth"},
    {"network",       "eth"},
    {"interconnect",  "eth"},
    {"between nodes", "eth"},
    {"inter node",    "eth"},
};
static const char *technology_at(const struct memo_text *t, size_t i, size_t *taken) {
    for (size_t k = 0; k < BASE_COUNT(technologies); k++)
        if ((*taken = memo_is_phrase(t, i, technologies[k].phrase)) > 0)
            return technologies[k].prefix;
    return NULL;
}
static struct account_link link_of(const char *prefix, double bytes) {
    char name[NAME_MOST];
    snprintf(name, sizeof name, "%s-%.0fg", prefix, bytes * 8 / 1e9);
    const struct account_link *found = account_link_find(name);
    return found ? *found : (struct account_link){.rate = bytes, .wire = bytes};
}

static bool is_filler(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, '(') || memo_is_mark(t, i, ':') || memo_is_phrase(t, i, "at") ||
           memo_is_phrase(t, i, "of") || memo_is_phrase(t, i, "with");
}

/* "100 Gb/s Ethernet", "Ethernet at 100 Gb/s", "100GbE" */
static struct account_link rated(const struct memo_text *t, size_t i, size_t *taken) {
    double bytes = 0;
    bool ethernet = false;
    size_t named = 0, rate = rate_at(t, i, &bytes, &ethernet);
    const char *prefix = technology_at(t, rate ? i + rate : i, &named);
    if (rate && (prefix || ethernet)) {
        *taken = rate + named;
        return link_of(prefix ? prefix : "eth", bytes);
    }
    size_t at = i + named + is_filler(t, i + named);
    if (rate || !prefix || !(rate = rate_at(t, at, &bytes, &ethernet)))
        return (struct account_link){0};
    *taken = at + rate + memo_is_mark(t, at + rate, ')') - i;
    return link_of(prefix, bytes);
}

/* "NVLink 3 (600 GB/s)": the catalogue knows its rate. */
static size_t rate_behind(const struct memo_text *t, size_t i) {
    double bytes;
    bool ethernet;
    size_t open = is_filler(t, i), rate = rate_at(t, i + open, &bytes, &ethernet);
    return rate ? open + rate + memo_is_mark(t, i + open + rate, ')') : 0;
}

static bool may_be_link(const struct memo_text *t, size_t i) {
    static const char *const stems[] = {"nvlink", "pcie", "inf", "ib",     "eth", "efa",
                                        "roce",   "xgmi", "edr", "hdr",    "ndr", "xdr",
                                        "nic",    "net",  "int", "between"};
    if (i >= t->tokens) return false;
    if (t->token[i].kind != MEMO_WORD) return t->token[i].kind == MEMO_NUMBER;
    for (size_t k = 0; k < BASE_COUNT(stems); k++)
        if (strncmp(t->lower + t->token[i].start, stems[k], strlen(stems[k])) == 0) return true;
    return false;
}

struct account_link study_scenario_link(const struct memo_text *t, size_t i, size_t *taken,
                                        bool *net) {
    struct account_link link = {0};
    *net = true;
    if (!may_be_link(t, i))
        return link; /* asked of every word of a memo: the cheap question first */
    link = rated(t, i, taken);
    if (link.rate > 0) return link;
    for (size_t k = 0; k < BASE_COUNT(links); k++) {
        size_t n = memo_is_phrase(t, i, links[k].phrase);
        if (!n) n = memo_is_phrase(t, i, links[k].name);
        if (!n) continue;
        *taken = n + rate_behind(t, i + n);
        *net = links[k].net;
        return *account_link_find(links[k].name);
    }
    if (t->token[i].kind == MEMO_WORD && t->token[i].length < NAME_MOST) {
        char name[NAME_MOST];
        size_t last = i + 1 < t->tokens && memo_is_mark(t, i + 1, '-') ? i + 3 : i + 1;
        const struct account_link *found = NULL;
        if (last <= t->tokens && join(t, i, last, MODEL, name)) found = account_link_find(name);
        *taken = last - i;
        *net = found && strncmp(found->name, "nv", 2) != 0 && strncmp(found->name, "pcie", 4) != 0;
        if (found && memo_is_phrase(t, i, "nvlink")) return link; /* the card's own */
        if (found) return *found;
    }
    return link;
}
