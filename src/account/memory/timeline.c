/* The timeline of a step: what is there at each moment, in order.
 *
 *     GB            head
 *               ▄▆▇█████▇▆▅▄▃
 *            ▂▄▇█████████████▆▄▂
 *        ▁▁▄▇████████████████████▇▁▁
 *        init  forward │ backward   update, rest
 *
 * Where the schedule is known unit by unit (zerolab), each moment is counted by itself. Elsewhere
 * the ledger counts forward at its end and backward at both ends (memory.c); the blocks in between
 * are filled in here. Forward adds what one block keeps at each; backward gives it back while
 * gradients appear, both in proportion to the blocks that are done. Both are rounded down, so that
 * no moment in between is higher than the ledger's ends. */
#include "account/memory/step.h"
#include "account/numbers/text.h"

#include <assert.h>
#include <string.h>

/* ── blocks in between ─────────────────────────────────────────────────────────────────────────*/

struct plain {
    const struct account_step *step;
    /* On a rank of the first pipeline stage. */
    uint64_t blocks;
    struct account_ledger at[ACCOUNT_PLAIN_INSTANTS];
};

static uint64_t blocks_of(const struct account_resolved *is) {
    uint64_t pieces = is->pp > 1 ? is->interleave : 1;
    return account_ceil_div(is->shape.layers, is->pp * pieces) * pieces;
}

static void set_plain(const struct account_step *s, struct plain *out) {
    out->step = s;
    out->blocks = blocks_of(s->is);
    for (int i = 0; i < ACCOUNT_PLAIN_INSTANTS; i++) out->at[i] = account_plain_instants[i].at(s);
}

static uint64_t share(uint64_t bytes, uint64_t i, uint64_t n) {
    return (uint64_t)((account_sum)bytes * i / n);
}

/* The way from a to b, i of n steps on, rounded down. */
static uint64_t way(uint64_t a, uint64_t b, uint64_t i, uint64_t n) {
    return b >= a ? a + share(b - a, i, n) : b + share(a - b, n - i, n);
}

/* Forward's end without what the blocks after the first k keep, and without the head. Micro-batches
 * that wait keep theirs. */
static struct account_ledger in_forward(const struct plain *p, uint64_t k) {
    const struct account_activations *a = &p->step->activations;
    struct account_ledger l = p->at[ACCOUNT_PLAIN_FORWARD];
    if (a->fixed) return l;
    uint64_t mine = (uint64_t)((double)a->layers / a->in_flight);
    l.total -= l.bytes[ACCOUNT_ACTIVATIONS];
    l.bytes[ACCOUNT_ACTIVATIONS] = 0;
    account_ledger_add(&l, ACCOUNT_ACTIVATIONS,
                       a->layers - mine + share(mine, k, p->blocks) + a->embedding);
    return l;
}

static const struct account_ledger *higher(const struct account_ledger *a,
                                           const struct account_ledger *b) {
    return b->total > a->total ? b : a;
}

/* Backward of the blocks, i of them done. */
static struct account_ledger in_backward(const struct plain *p, uint64_t i) {
    const struct account_ledger *a = &p->at[ACCOUNT_PLAIN_START], *b = &p->at[ACCOUNT_PLAIN_END];
    struct account_ledger l = {.padding = a->padding};
    if (p->blocks < 2) return *higher(a, b);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        account_ledger_add(&l, (enum account_category)c,
                           way(a->bytes[c], b->bytes[c], i, p->blocks - 1));
    return l;
}

/* ── the moments of recipes without a schedule ─────────────────────────────────────────────────*/

/* Moments of a micro-step: lookup, blocks, head; head, blocks. Of a bare Ψ two. */
static size_t plain_moments(const struct plain *p) {
    return p->blocks ? 2 * p->blocks + 3 : 2;
}

static struct account_timepoint whole_phase(const struct plain *p, bool forward) {
    const struct account_ledger *at = p->at,
                                *back = higher(&at[ACCOUNT_PLAIN_START], &at[ACCOUNT_PLAIN_END]);
    struct account_timepoint m = {.phase = forward ? ACCOUNT_FORWARD : ACCOUNT_BACKWARD};
    m.ledger = forward ? at[ACCOUNT_PLAIN_FORWARD] : *higher(&at[ACCOUNT_PLAIN_LOGITS], back);
    return m;
}

static struct account_timepoint plain_at(const struct plain *p, size_t i) {
    struct account_timepoint m = {.phase = i < p->blocks + 2 ? ACCOUNT_FORWARD : ACCOUNT_BACKWARD};
    if (p->blocks == 0) return whole_phase(p, i == 0);
    bool forward = m.phase == ACCOUNT_FORWARD;
    size_t done = forward ? i : i - (size_t)p->blocks - 2;
    if (forward && done == 0) {
        m.stop = ACCOUNT_AT_EMBEDDINGS;
        m.ledger = in_forward(p, 0);
    } else if (done == (forward ? p->blocks + 1 : 0)) {
        m.stop = ACCOUNT_AT_HEAD;
        m.ledger = p->at[forward ? ACCOUNT_PLAIN_FORWARD : ACCOUNT_PLAIN_LOGITS];
    } else {
        m.stop = ACCOUNT_AT_BLOCK;
        m.block = (uint32_t)(forward ? done - 1 : p->blocks - done);
        m.ledger = forward ? in_forward(p, done) : in_backward(p, done - 1);
    }
    return m;
}

/* ── those of zerolab's ────────────────────────────────────────────────────────────────────────*/

static struct account_timepoint unit_at(const struct account_step *s, size_t i) {
    size_t count = account_unit_moments(s), layers = s->is->shape.layers;
    bool forward = i < count / 2;
    size_t place = forward ? i : count - 1 - i;
    struct account_timepoint m = {.phase = forward ? ACCOUNT_FORWARD : ACCOUNT_BACKWARD,
                                  .stop = place == 0            ? ACCOUNT_AT_EMBEDDINGS
                                          : place <= layers     ? ACCOUNT_AT_BLOCK
                                          : place == layers + 1 ? ACCOUNT_AT_NORM
                                                                : ACCOUNT_AT_HEAD,
                                  .ledger = account_unit_at(s, i)};
    if (m.stop == ACCOUNT_AT_BLOCK) m.block = (uint32_t)place - 1;
    return m;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/

static struct account_timepoint around(const struct account_step *s, enum account_phase phase,
                                       enum account_stop stop) {
    struct account_timepoint m = {.phase = phase, .stop = stop, .ledger = s->standing};
    size_t count = account_knows_units(s) ? account_unit_instants_count : ACCOUNT_PLAIN_INSTANTS;
    const struct account_instant_row *row =
        account_knows_units(s) ? account_unit_instants : account_plain_instants;
    for (size_t i = 0; i < count && stop == ACCOUNT_AT_ALL; i++)
        if (row[i].phase == phase) m.ledger = row[i].at(s);
    return m;
}

/* Whether the highest moment is the peak that account_memory() counts, to the byte. */
static bool reaches_peak(const struct account_resolved *is, const struct account_timepoint *moment,
                         size_t count) {
    struct account_memory m;
    uint64_t highest = moment[account_timeline_peak(moment, count)].ledger.total;
    return account_memory_of(is, &m, NULL) && highest == m.phase[m.peak].ledger.total;
}

static size_t timeline_of(const struct account_resolved *is, struct account_timepoint *out,
                          size_t capacity, struct account_error *e) {
    struct account_step step;
    struct plain plain;
    if (!account_step_of(is, &step, e)) return 0;
    bool units = account_knows_units(&step);
    set_plain(&step, &plain);
    size_t micro = units ? account_unit_moments(&step) : plain_moments(&plain), count = micro + 3;
    for (size_t i = 0; i < count && i < capacity; i++) {
        if (i == 0)
            out[i] = around(&step, ACCOUNT_INIT, ACCOUNT_AT_ALL);
        else if (i > micro)
            out[i] =
                around(&step, ACCOUNT_UPDATE, i == micro + 1 ? ACCOUNT_AT_ALL : ACCOUNT_AT_REST);
        else
            out[i] = units ? unit_at(&step, i - 1) : plain_at(&plain, i - 1);
    }
    assert(count <= ACCOUNT_TIMELINE_MOST(is->shape.layers));
    assert(count > capacity || reaches_peak(is, out, count));
    return count;
}

size_t account_timeline(const struct account_training *t, struct account_timepoint *out,
                        size_t capacity, struct account_error *e) {
    struct account_resolved is;
    return account_resolve(t, &is, e) ? timeline_of(&is, out, capacity, e) : 0;
}

size_t account_memory_over_time(const struct account_training *t, struct account_memory *memory,
                                struct account_timepoint *out, size_t capacity,
                                struct account_error *e) {
    struct account_resolved is;
    *memory = (struct account_memory){0};
    if (!account_resolve(t, &is, e) || !account_memory_of(&is, memory, e)) return 0;
    return timeline_of(&is, out, capacity, e);
}

size_t account_timeline_peak(const struct account_timepoint *moment, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t now = moment[i].ledger.total, most = moment[best].ledger.total;
        bool first = moment[i].phase == ACCOUNT_BACKWARD && moment[best].phase != ACCOUNT_BACKWARD;
        if (now > most || (now == most && first)) best = i;
    }
    return best;
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/

static const char *const stops[] = {[ACCOUNT_AT_ALL] = "",
                                    [ACCOUNT_AT_EMBEDDINGS] = " embeddings",
                                    [ACCOUNT_AT_BLOCK] = " block ",
                                    [ACCOUNT_AT_NORM] = " last norm",
                                    [ACCOUNT_AT_HEAD] = " head"};
static const char rest[] = "between steps";

const char *account_timepoint_name(const struct account_timepoint *m, char *out, size_t size) {
    struct account_text text = account_text(out, size);
    if (m->stop == ACCOUNT_AT_REST)
        account_add(&text, "%s", rest);
    else
        account_add(&text, "%s%s", account_phase_name(m->phase), stops[m->stop]);
    if (m->stop == ACCOUNT_AT_BLOCK) account_add(&text, "%u", m->block);
    return out;
}

/* A block's number, which is all that is left. */
static bool read_block(const char *digits, uint32_t *out) {
    uint64_t n = 0;
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || length > 9 || digits[length]) return false;
    for (size_t i = 0; i < length; i++) n = 10 * n + (uint64_t)(digits[i] - '0');
    *out = (uint32_t)n;
    return true;
}

static bool read_stop(const char *words, struct account_timepoint *out) {
    for (int s = ACCOUNT_AT_ALL; s < ACCOUNT_AT_REST; s++) {
        size_t length = strlen(stops[s]);
        out->stop = (enum account_stop)s;
        if (s == ACCOUNT_AT_BLOCK && strncmp(words, stops[s], length) == 0)
            return read_block(words + length, &out->block);
        if (strcmp(words, stops[s]) == 0) return true;
    }
    return false;
}

bool account_timepoint_read(const char *words, struct account_timepoint *out) {
    *out = (struct account_timepoint){.phase = ACCOUNT_UPDATE, .stop = ACCOUNT_AT_REST};
    if (strcmp(words, rest) == 0) return true;
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        const char *name = account_phase_name((enum account_phase)p);
        size_t length = strlen(name);
        *out = (struct account_timepoint){.phase = (enum account_phase)p};
        if (strncmp(words, name, length) != 0) continue;
        return p == ACCOUNT_UPDATE || read_stop(words + length, out);
    }
    return false;
}
