/* The schedules of a pipeline: stages that hold a part of the layers each, micro-batches that pass
 * through them and back. A forward of a piece takes one slot, its backward two; sending takes none.
 *
 *   gpipe        all forwards, then all backwards (Huang et al., GPipe, arXiv:1811.06965, section
 *                2.3; drawn as in Narayanan et al., arXiv:2104.04473, figure 3)
 *   1f1b         stage i runs p − 1 − i forwards ahead, then one forward and one backward in turn
 *                (PipeDream-Flush: Narayanan et al., arXiv:2006.09503; arXiv:2104.04473, figure 4)
 *   interleaved  the same with v pieces of the model on each stage, micro-batches in groups of p
 *                (arXiv:2104.04473, section 2.2; NVIDIA/Megatron-LM, core/pipeline_parallel/
 *                schedules.py)
 *   zb-h1        1F1B whose backward is divided: the gradient of the input, for which the stage
 *                before waits, and that of the weights, which stage i computes i micro-batches
 *                later, so that no stage keeps more than 1F1B's first (Qi et al., Zero Bubble
 *                Pipeline Parallelism, arXiv:2401.10241, section 2.1)
 *   zb-h2        the same with twice as many forwards ahead, which fill the wait for the first
 *                backward, and twice as late weights, which fill the end: 2p − 1 micro-batches are
 *                in flight, and stage i computes without a gap from slot i on. Steps can follow
 *                each other so only if no stage waits for all others before its update, as for the
 *                norm of all gradients (section 2.2, figure 3; section 4 on the update)
 *
 * Each stage has its work in a fixed order; it begins with the next as soon as it is free and what
 * the work needs has been computed elsewhere. */
#include "account/numbers/text.h"
#include "account/play/steps.h"

enum { MOST_WORK = 2 * ACCOUNT_PIPELINE_MICROS * ACCOUNT_PIPELINE_PIECES };

static const struct {
    /* of a piece, by enum account_pipeline_work; 0: there is no such work */
    uint8_t slots[ACCOUNT_PIPELINE_WORKS];
    /* after which nothing needs the forward's activations */
    uint8_t last;
    /* pieces of the model on each stage may be several */
    bool pieces;
    /* Micro-batches run ahead for each stage behind, 0: all of them; weights' gradients late for
     * each stage before; slots by which each stage's step begins after that of the stage before it.
     */
    uint8_t ahead, late, lag;
} rows[ACCOUNT_PIPELINE_SCHEDULES] = {
    [ACCOUNT_GPIPE] = {{1, 2, 0}, ACCOUNT_WORK_BACKWARD, false, 0, 0, 0},
    [ACCOUNT_1F1B] = {{1, 2, 0}, ACCOUNT_WORK_BACKWARD, false, 1, 0, 0},
    [ACCOUNT_INTERLEAVED] = {{1, 2, 0}, ACCOUNT_WORK_BACKWARD, true, 1, 0, 0},
    [ACCOUNT_ZB_H1] = {{1, 1, 1}, ACCOUNT_WORK_WEIGHTS, false, 1, 1, 0},
    [ACCOUNT_ZB_H2] = {{1, 1, 1}, ACCOUNT_WORK_WEIGHTS, false, 2, 2, 1},
};

const char *account_pipeline_work_name(enum account_pipeline_schedule schedule,
                                       enum account_pipeline_work work) {
    static const char *const names[] = {
        [ACCOUNT_WORK_FORWARD] = "forward",
        [ACCOUNT_WORK_BACKWARD] = "backward",
        [ACCOUNT_WORK_WEIGHTS] = "weight gradient",
    };
    return rows[schedule].slots[work] ? names[work] : NULL;
}

/* ── the order on each stage ───────────────────────────────────────────────────────────────────*/
struct work {
    /* both from 0 */
    uint8_t micro, piece;
    /* enum account_pipeline_work */
    uint8_t kind;
};
struct order {
    struct work work[MOST_WORK];
    /* in all; of each kind */
    uint32_t count, given[ACCOUNT_PIPELINE_WORKS];
};

/* The next work of this kind: micro-batches in groups of p, piece by piece. */
static void add_work(const struct account_pipeline *s, struct order *o,
                     enum account_pipeline_work kind) {
    uint32_t k = o->given[kind]++, group = s->stages * s->pieces;
    struct work w = {(uint8_t)k, 0, (uint8_t)kind};
    if (s->pieces > 1) {
        uint32_t piece = k % group / s->stages;
        w.micro = (uint8_t)(k / group * s->stages + k % s->stages);
        w.piece = (uint8_t)(kind == ACCOUNT_WORK_FORWARD ? piece : s->pieces - 1 - piece);
    }
    o->work[o->count++] = w;
}

/* Forwards that a stage runs before its first backward, at most. */
static uint32_t ahead(const struct account_pipeline *s, uint32_t stage) {
    uint32_t all = s->micros * s->pieces, behind = s->stages - 1 - stage,
             n = rows[s->schedule].ahead * behind;
    if (!rows[s->schedule].ahead) return all;
    if (s->pieces > 1) n = 2 * behind + (s->pieces - 1) * s->stages;
    return n < all ? n : all;
}

static void order_stage(const struct account_pipeline *s, uint32_t stage, struct order *o) {
    uint32_t all = s->micros * s->pieces;
    bool divided = rows[s->schedule].slots[ACCOUNT_WORK_WEIGHTS] > 0;
    uint32_t late = rows[s->schedule].late * stage;
    const uint32_t *given = o->given;
    while (given[ACCOUNT_WORK_FORWARD] < ahead(s, stage)) add_work(s, o, ACCOUNT_WORK_FORWARD);
    while (given[ACCOUNT_WORK_BACKWARD] < all) {
        if (given[ACCOUNT_WORK_FORWARD] < all) add_work(s, o, ACCOUNT_WORK_FORWARD);
        add_work(s, o, ACCOUNT_WORK_BACKWARD);
        if (divided && given[ACCOUNT_WORK_BACKWARD] > late) add_work(s, o, ACCOUNT_WORK_WEIGHTS);
    }
    while (divided && given[ACCOUNT_WORK_WEIGHTS] < all) add_work(s, o, ACCOUNT_WORK_WEIGHTS);
}

/* ── slot by slot ──────────────────────────────────────────────────────────────────────────────*/
struct run {
    struct account_pipeline *s;
    struct order order[ACCOUNT_PIPELINE_STAGES];
    uint32_t next[ACCOUNT_PIPELINE_STAGES], free_at[ACCOUNT_PIPELINE_STAGES];
    /* The slot in which a forward, or a backward, has been done, 0: not yet.
     * [stage][piece][micro][kind] */
    uint16_t done[ACCOUNT_PIPELINE_STAGES][ACCOUNT_PIPELINE_PIECES][ACCOUNT_PIPELINE_MICROS]
                 [ACCOUNT_PIPELINE_WORKS];
};

/* Forward needs what comes from the stage before, backward from the stage behind. From a piece to
 * the next it goes round; at the very end it turns. The weights' gradient needs only what the stage
 * has computed before. */
static bool is_ready(const struct run *r, uint32_t stage, const struct work *w, uint32_t slot) {
    bool backward = w->kind == ACCOUNT_WORK_BACKWARD;
    uint32_t last = r->s->stages - 1, from = backward ? stage + 1 : stage - 1, piece = w->piece;
    if (w->kind == ACCOUNT_WORK_WEIGHTS) return true;
    if (!backward && stage == 0) {
        if (piece == 0) return true;
        from = last;
        piece--;
    } else if (backward && stage == last) {
        bool turns = piece + 1u == r->s->pieces;
        from = turns ? last : 0;
        backward = !turns;
        piece += !turns;
    }
    uint16_t done =
        r->done[from][piece][w->micro][backward ? ACCOUNT_WORK_BACKWARD : ACCOUNT_WORK_FORWARD];
    return done > 0 && done <= slot;
}

static void start(struct run *r, uint32_t stage, uint32_t slot) {
    const struct work *w = &r->order[stage].work[r->next[stage]++];
    uint32_t slots = rows[r->s->schedule].slots[w->kind];
    bool last = w->kind == rows[r->s->schedule].last;
    for (uint32_t i = 0; i < slots; i++)
        r->s->cell[stage][slot + i] = (struct account_slot){.micro = (uint8_t)(w->micro + 1),
                                                            .piece = w->piece,
                                                            .work = w->kind,
                                                            .begins = i == 0,
                                                            .frees = last && i + 1 == slots};
    r->free_at[stage] = slot + slots;
    r->done[stage][w->piece][w->micro][w->kind] = (uint16_t)(slot + slots);
}

/* False when all work has been given out. */
static bool run_slot(struct run *r, uint32_t slot) {
    bool left = false;
    for (uint32_t i = 0; i < r->s->stages; i++) {
        bool more = r->next[i] < r->order[i].count;
        if (more && r->free_at[i] <= slot && is_ready(r, i, &r->order[i].work[r->next[i]], slot))
            start(r, i, slot);
        left |= more;
    }
    return left;
}

static bool check(const struct account_pipeline *s, struct account_error *e) {
    if (s->pieces > 1 && !rows[s->schedule].pieces)
        return account_fail(e, 0, "only the interleaved schedule has several pieces on a stage");
    if (s->pieces > 1 && s->micros % s->stages)
        return account_fail(e, 0,
                            "Interleaving sends micro-batches in groups of %u, one per stage, so "
                            "their number must be a multiple of %u",
                            s->stages, s->stages);
    if (s->stages - 1 < ACCOUNT_PIPELINE_STAGES && s->micros - 1 < ACCOUNT_PIPELINE_MICROS &&
        s->pieces - 1 < ACCOUNT_PIPELINE_PIECES)
        return true;
    return account_fail(e, 0, "a pipeline here has 1 to %d stages, %d micro-batches and %d pieces",
                        ACCOUNT_PIPELINE_STAGES, ACCOUNT_PIPELINE_MICROS, ACCOUNT_PIPELINE_PIECES);
}

bool account_pipeline_lay(enum account_pipeline_schedule schedule, uint32_t stages, uint32_t micros,
                          uint32_t pieces, struct account_pipeline *out, struct account_error *e) {
    *out = (struct account_pipeline){
        .schedule = schedule, .stages = stages, .micros = micros, .pieces = pieces};
    if (!check(out, e)) return false;
    struct run r = {.s = out};
    for (uint32_t i = 0; i < stages; i++) order_stage(out, i, &r.order[i]);
    for (uint32_t slot = 0; slot + 1 < ACCOUNT_PIPELINE_SLOTS && run_slot(&r, slot); slot++)
        continue;
    out->lag = rows[schedule].lag;
    for (uint32_t i = 0; i < stages; i++)
        if (out->span < r.free_at[i] - out->lag * i) out->span = r.free_at[i] - out->lag * i;
    out->slots = out->span + out->lag * (stages - 1);
    out->frames = out->slots + 2;
    account_pipeline_seek(out, out->frames - 1);
    return true;
}

bool account_pipeline_has(const struct account_pipeline *s, uint32_t stage, uint32_t slot) {
    return slot >= s->lag * stage && slot - s->lag * stage < s->span;
}

/* ── what is there in a frame ──────────────────────────────────────────────────────────────────*/
/* What a forward leaves stays until the last work that needs it is over. */
static void count_stage(struct account_pipeline *s, uint32_t stage, uint32_t end) {
    uint32_t kept = 0;
    s->in_flight[stage] = s->most[stage] = 0;
    for (uint32_t slot = 0; slot < end; slot++) {
        const struct account_slot *c = &s->cell[stage][slot];
        kept += c->begins && c->work == ACCOUNT_WORK_FORWARD;
        s->idle += c->micro == 0 && account_pipeline_has(s, stage, slot);
        s->in_flight[stage] = kept;
        if (kept > s->most[stage]) s->most[stage] = kept;
        kept -= c->frees;
    }
    if (end == s->slots) s->in_flight[stage] = kept;
}

void account_pipeline_seek(struct account_pipeline *s, uint32_t frame) {
    s->frame = frame < s->frames ? frame : s->frames - 1;
    s->over = s->frame > s->slots;
    s->idle = 0;
    uint32_t end = s->over ? s->slots : s->frame;
    for (uint32_t i = 0; i < s->stages; i++) count_stage(s, i, end);
}

/* ── the bubble ────────────────────────────────────────────────────────────────────────────────*/
static uint32_t slots_of_work(const struct account_pipeline *s) {
    uint32_t each = 0;
    for (int i = 0; i < ACCOUNT_PIPELINE_WORKS; i++) each += rows[s->schedule].slots[i];
    return each * s->micros * s->pieces;
}

double account_pipeline_bubble(const struct account_pipeline *s) {
    return s->span ? (s->span - slots_of_work(s)) / (double)s->span : 0;
}

/* A stage waits p − 1 times as long as a micro-batch takes on it, one piece; with a divided
 * backward one slot of three, or none. Too few micro-batches leave that schedule no forwards and
 * weights' gradients to compute where it would wait. */
struct account_pipeline_formula account_pipeline_formula(const struct account_pipeline *s) {
    struct account_pipeline_formula f = {.waits = s->stages - 1};
    struct account_text words = account_text(f.words, sizeof f.words);
    bool divided = rows[s->schedule].slots[ACCOUNT_WORK_WEIGHTS] > 0;
    uint32_t each = divided ? slots_of_work(s) / s->micros : s->pieces;
    uint32_t first = 2 * s->stages - 1;
    bool lags = rows[s->schedule].lag > 0;
    if (divided && s->micros < (lags ? first : s->stages)) {
        f.waits = first - s->micros;
        account_add(&words, "(2p − m − 1)/(2m + 2p − 1)");
    } else if (lags) {
        f.waits = 0;
        account_add(&words, "0/3m");
    } else if (each > 1) {
        account_add(&words, "(p − 1)/(%um + p − 1)", each);
    } else {
        account_add(&words, "(p − 1)/(m + p − 1)");
    }
    f.all = each * s->micros + f.waits;
    return f;
}
