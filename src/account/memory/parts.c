/* The memory next to the model states, in parts, as explanations show it. */
#include "account/memory/step.h"

#include <string.h>

struct parts {
    struct account_memory_part *part;
    size_t count;
};

static void add(struct parts *p, enum account_category c, const char *what, uint64_t bytes,
                const char *source) {
    if (bytes == 0 || p->count == ACCOUNT_MEMORY_PARTS) return;
    p->part[p->count++] =
        (struct account_memory_part){.category = c, .what = what, .bytes = bytes, .source = source};
}

/* One instant of a step, or each category at its highest. */
enum instant {
    AT_HIGHEST,
    AT_INIT,
    AT_FORWARD,
    AT_LOGITS,
    AT_LAST_BLOCK,
    AT_FIRST_BLOCK,
    AT_UPDATE
};
static enum instant instant_of(const char *where) {
    static const char *const names[] = {[AT_INIT] = "init",
                                        [AT_FORWARD] = "forward",
                                        [AT_LOGITS] = "backward, logits",
                                        [AT_LAST_BLOCK] = "backward, last block",
                                        [AT_FIRST_BLOCK] = "backward, first block",
                                        [AT_UPDATE] = "update"};
    if (!where) return AT_HIGHEST;
    for (enum instant m = AT_INIT; m <= AT_UPDATE; m++)
        if (strcmp(names[m], where) == 0) return m;
    return strcmp(where, "forward, logits") == 0 ? AT_FORWARD : AT_LAST_BLOCK;
}

#define KORTHIKANTI "Korthikanti et al., arXiv:2205.05198, section 4"

static void add_head(const struct account_activations *a, bool forward, struct parts *p) {
    add(p, ACCOUNT_ACTIVATIONS, "final norm and the head's input", a->head, KORTHIKANTI);
    add(p, ACCOUNT_ACTIVATIONS, "logits and their loss", forward ? a->logits_forward : a->logits,
        KORTHIKANTI);
}

static void add_working(const struct account_activations *a, struct parts *p) {
    add(p, ACCOUNT_ACTIVATIONS, "one layer recomputed", a->working, KORTHIKANTI);
}

/* The layers of the micro-batches that are not the one at work. */
static uint64_t others(const struct account_activations *a) {
    return a->in_flight > 1 ? a->layers - (uint64_t)((double)a->layers / a->in_flight) : 0;
}

static void add_layers(const struct account_activations *a, enum instant m, struct parts *p) {
    if (m == AT_FIRST_BLOCK) {
        add(p, ACCOUNT_ACTIVATIONS, "layers of micro-batches behind", others(a), KORTHIKANTI);
        add(p, ACCOUNT_ACTIVATIONS, "kept by the first layer", a->kept, KORTHIKANTI);
    } else
        add(p, ACCOUNT_ACTIVATIONS, "kept by all layers", a->layers, KORTHIKANTI);
    add(p, ACCOUNT_ACTIVATIONS, "before the first layer", a->embedding, KORTHIKANTI);
}

static void add_activations(const struct account_resolved *is, enum instant m, struct parts *p) {
    struct account_activations a;
    if (!account_activations_of(is, &a, NULL)) return;
    if (a.fixed) {
        add(p, ACCOUNT_ACTIVATIONS, "all of them, allocated once", a.highest,
            "karpathy/llm.c, train_gpt2.cu");
        return;
    }
    if (m == AT_INIT || m == AT_UPDATE) return;
    add_layers(&a, m, p);
    uint64_t ends = a.head + (a.logits > a.logits_forward ? a.logits : a.logits_forward);
    if (m == AT_FORWARD || m == AT_LOGITS)
        add_head(&a, m == AT_FORWARD, p);
    else if (m == AT_HIGHEST && ends > a.working)
        add_head(&a, a.logits_forward > a.logits, p);
    else
        add_working(&a, p);
}

/* Whether a copy of the recipe's row is there at an instant. */
static bool lives(enum account_when when, enum instant m, bool accumulates) {
    bool backward = m == AT_LOGITS || m == AT_LAST_BLOCK || m == AT_FIRST_BLOCK;
    switch (when) {
    case ACCOUNT_ALWAYS: return true;
    case ACCOUNT_IN_STEP: return m == AT_HIGHEST || m == AT_FORWARD || backward;
    case ACCOUNT_IN_BACKWARD:
        return m == AT_HIGHEST || m == AT_UPDATE || (backward && m != AT_LOGITS) ||
               (accumulates && (m == AT_FORWARD || m == AT_LOGITS));
    case ACCOUNT_PASSING: return m == AT_HIGHEST || (backward && m != AT_LOGITS);
    case ACCOUNT_IN_UPDATE: return m == AT_HIGHEST || m == AT_UPDATE;
    case ACCOUNT_WHENS: break;
    }
    return false;
}

static const char *copy_label(const struct account_term *term) {
    if (term->category == ACCOUNT_STAGING) return "the largest gradient in flight to the host";
    return term->category == ACCOUNT_WORKSPACE ? "a 16-bit copy of the parameters"
                                               : "a copy of all gradients, in buckets";
}

/* Copies of a whole set that count as buffers: DDP's gradients in buckets, the 16-bit weights that
 * autocast keeps; DeepSpeed's buffer of one gradient. */
static void add_copies(const struct account_resolved *is, enum instant m, struct parts *p) {
    const struct account_sheet *sheet = &is->sheet;
    for (size_t i = 0; i < sheet->terms; i++) {
        const struct account_term *term = &sheet->term[i];
        enum account_category c = (enum account_category)term->category;
        if (c <= ACCOUNT_MOMENTS || term->tier != ACCOUNT_GPU) continue;
        if (!lives((enum account_when)term->when, m, is->micro > 1)) continue;
        add(p, c, copy_label(term), account_term_bytes(sheet, term), is->recipe->source);
    }
}

/* "init" of a recipe that flattens has other things than the rest: there only the reserve is
 * certain. */
static void add_buffers(const struct account_resolved *is, enum instant m, struct parts *p) {
    struct account_buffers b;
    const char *source = is->recipe->source;
    struct account_shard_units none = {0};
    account_buffers(is, account_works_by_units(is) ? &is->units : &none, &b);
    bool gathers = m != AT_INIT && m != AT_UPDATE,
         reduces = gathers && m != AT_FORWARD && m != AT_LOGITS;
    uint64_t more = b.reduce_backward > b.reduce_always ? b.reduce_backward - b.reduce_always : 0;
    add_copies(is, m, p);
    add(p, ACCOUNT_GATHER, "tensors too small to shard, kept whole", b.gather_always, source);
    if (gathers)
        add(p, ACCOUNT_GATHER,
            account_implied_of(is) ? "units gathered, and one's gradients"
                                   : "units gathered, in use and ahead",
            b.gather_forward > b.gather_backward ? b.gather_forward : b.gather_backward, source);
    add(p, ACCOUNT_REDUCE, "buckets that stay", b.reduce_always, source);
    add(p, ACCOUNT_WORKSPACE, "what kernels work in on a GPU",
        m == AT_INIT ? 0 : account_lab_work_of(is).workspace, source);
    if (reduces) add(p, ACCOUNT_REDUCE, "buckets and a unit's gradients in backward", more, source);
}

size_t account_memory_parts(const struct account_training *t, const char *where,
                            struct account_memory_part out[ACCOUNT_MEMORY_PARTS]) {
    struct parts p = {.part = out};
    enum instant m = instant_of(where);
    struct account_resolved is;
    account_resolve_checked(t, &is);
    add_activations(&is, m, &p);
    add_buffers(&is, m, &p);
    account_reserve_parts(&is, out, &p.count);
    return p.count;
}
