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

/* "GB" after a number is the catalogue's g. */
static size_t name_length(const struct memo_text *t, size_t i) {
    const struct memo_token *one = &t->token[i];
    bool gb = one->length == 2 && memcmp(t->lower + one->start, "gb", 2) == 0;
    return gb ? 1 : one->length;
}

static bool is_size_unit(const struct memo_text *t, size_t i) {
    bool word = memo_is_word(t, i, "gb", 2) || memo_is_word(t, i, "g", 1);
    return word && i > 0 && t->token[i - 1].kind == MEMO_NUMBER;
}

/* Tokens [i, end) as one name: blanks become hyphens. False where they cannot be one. */
static bool join(const struct memo_text *t, size_t i, size_t end, bool idle, char *out) {
    size_t n = 0;
    for (size_t k = i; k < end; k++) {
        const struct memo_token *one = &t->token[k];
        if (idle && is_idle(t, k)) continue;
        if (memo_is_mark(t, k, '-')) continue;
        bool glued =
            k > i && one->glued && !memo_is_mark(t, k - 1, '-') && !memo_is_mark(t, k - 1, '(');
        glued = glued || (idle && k > i && is_size_unit(t, k));
        size_t length = idle ? name_length(t, k) : one->length;
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
        if (i + n > t->tokens || !join(t, i, i + n, false, name)) continue;
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

/* Cards have a digit in their first word, or are GeForce. Asked of every word of a memo, so the cheap question comes first. */
static bool may_be_card(const struct memo_text *t, size_t i) {
    const struct memo_token *one = &t->token[i];
    if (one->kind != MEMO_WORD || one->length > 12) return false;
    for (size_t k = 1; k < one->length; k++)
        if (isdigit((unsigned char)t->lower[one->start + k])) return true;
    return memo_is_word(t, i, "rtx", 3);
}

const struct account_card *study_scenario_card(const struct memo_text *t, size_t i, size_t *taken) {
    char name[NAME_MOST];
    if (!may_be_card(t, i)) return NULL;
    for (size_t n = CARD_TOKENS; n > 0; n--) {
        if (i + n > t->tokens || !join(t, i, i + n, true, name)) continue;
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

/* "100 Gb/s Ethernet", "200 Gbit/s InfiniBand", "100GbE" */
static struct account_link rated(const struct memo_text *t, size_t i, size_t *taken) {
    static const char *const rates[] = {"gb/s", "gbit/s", "gbps", "gbe", "g"};
    struct account_link none = {0};
    if (t->token[i].kind != MEMO_NUMBER) return none;
    const struct memo_token *number = &t->token[i];
    const char *s = t->lower + number->start + number->length, *end = t->lower + t->length;
    size_t blanks = strspn(s, " "), n = 0;
    for (size_t k = 0; k < BASE_COUNT(rates) && !n; k++)
        if (strncmp(s + blanks, rates[k], strlen(rates[k])) == 0) n = strlen(rates[k]);
    const char *after = s + blanks + n;
    if (!n || after > end) return none;
    size_t next = i + 1;
    while (next < t->tokens && t->lower + t->token[next].start < after) next++;
    bool ethernet = memo_is_phrase(t, next, "ethernet") || memo_is_phrase(t, next, "roce") ||
                    strncmp(s + blanks, "gbe", 3) == 0;
    bool infiniband = memo_is_phrase(t, next, "infiniband") || memo_is_phrase(t, next, "ib");
    if (!ethernet && !infiniband) return none;
    char name[NAME_MOST];
    snprintf(name, sizeof name, "%s-%.0fg", ethernet ? "eth" : "ib", number->value);
    const struct account_link *found = account_link_find(name);
    *taken = next - i + (strncmp(s + blanks, "gbe", 3) != 0);
    if (found) return *found;
    none.rate = none.wire = number->value * 1e9 / 8;
    return none;
}

static bool may_be_link(const struct memo_text *t, size_t i) {
    static const char *const stems[] = {"nvlink", "pcie", "inf", "ib",  "eth", "efa",
                                        "roce",   "xgmi", "edr", "hdr", "ndr", "xdr"};
    for (size_t k = 0; k < BASE_COUNT(stems); k++)
        if (strncmp(t->lower + t->token[i].start, stems[k], strlen(stems[k])) == 0) return true;
    return false;
}

struct account_link study_scenario_link(const struct memo_text *t, size_t i, size_t *taken,
                                        bool *net) {
    struct account_link link = rated(t, i, taken);
    *net = true;
    if (link.rate > 0 || !may_be_link(t, i)) return link;
    for (size_t k = 0; k < BASE_COUNT(links); k++) {
        size_t n = memo_is_phrase(t, i, links[k].phrase);
        if (!n) n = memo_is_phrase(t, i, links[k].name);
        if (!n) continue;
        *taken = n;
        *net = links[k].net;
        return *account_link_find(links[k].name);
    }
    if (t->token[i].kind == MEMO_WORD && t->token[i].length < NAME_MOST) {
        char name[NAME_MOST];
        size_t last = i + 1 < t->tokens && memo_is_mark(t, i + 1, '-') ? i + 3 : i + 1;
        const struct account_link *found = NULL;
        if (last <= t->tokens && join(t, i, last, false, name)) found = account_link_find(name);
        *taken = last - i;
        *net = found && strncmp(found->name, "nv", 2) != 0 && strncmp(found->name, "pcie", 4) != 0;
        if (found && memo_is_phrase(t, i, "nvlink")) return link; /* the card's own */
        if (found) return *found;
    }
    return link;
}
