/* Sharding of a flat buffer: three tensors of a layer, laid end to end, padded to a multiple of the
 * ranks, cut in equal shards (ZeRO, arXiv:1910.02054, section 5.1; DeepSpeed,
 * runtime/zero/stage_1_and_2.py, flatten_dense_tensors_aligned). The shards are those of
 * account_shard_elements() for one unit, as zerolab's src/lab/partition.c cuts its units. */
#include "account/numbers/text.h"
#include "account/play/rows.h"
#include "account/play/steps.h"
#include "account/training/sheet.h"

enum { RANKS, ELEMENTS, OPTIONS };
enum { ROWS = 2, SLIDES = ACCOUNT_FLAT_SLIDES };

static const struct account_play_option options[] = {
    [RANKS] = {.name = "ranks",
               .help = "Another number of ranks",
               .value = {2, 3, 4, 6, 8},
               .values = 5,
               .usual = 2},
    [ELEMENTS] = {.name = "elements",
                  .help = "Another width of the matrix W",
                  .value = {8, 10, 12, 14, 16},
                  .values = 5,
                  .usual = 1},
};

static uint32_t set_to(const struct account_playing *at, size_t option) {
    return options[option].value[at->at[option]];
}

/* ── the partition ─────────────────────────────────────────────────────────────────────────────*/

/* A matrix, and two vectors as long as it has rows. */
static void lay_end_to_end(struct account_flat *b) {
    static const char *const names[] = {"W", "b", "g"};
    uint32_t at = 0;
    for (uint32_t i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        uint32_t count = i == 0 ? b->elements - 2 * ROWS : ROWS;
        b->tensor[i] = (struct account_flat_tensor){
            .name = names[i], .rows = i == 0 ? ROWS : 1, .first = at, .count = count};
        at += count;
    }
}

static uint32_t shard_of(uint32_t elements, uint32_t ranks) {
    const struct account_share one = {
        .params = elements, .parts = 1, .part = {{.elements = elements, .times = 1}}};
    return (uint32_t)account_shard_elements(&one, ACCOUNT_PAD_UNIT, 1, ranks);
}

static void cut(struct account_flat *b) {
    b->shard = shard_of(b->elements, b->ranks);
    b->padding = b->shard * b->ranks - b->elements;
    for (uint32_t i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        struct account_flat_tensor *t = &b->tensor[i];
        t->alone = shard_of(t->count, b->ranks) * b->ranks;
        t->from = t->first / b->shard;
        t->to = (t->first + t->count - 1) / b->shard;
        b->alone += t->alone;
        b->split += t->from != t->to;
    }
}

uint32_t account_flat_real(const struct account_flat *b, uint32_t rank) {
    uint32_t first = rank * b->shard, left = b->elements > first ? b->elements - first : 0;
    return left < b->shard ? left : b->shard;
}

/* ── frames ────────────────────────────────────────────────────────────────────────────────────*/

/* The frame in which each phase begins. */
enum { FIRST_SLIDE = 1, FIRST_FLAT = FIRST_SLIDE + SLIDES, FIRST_PAD, FIRST_CUT, FIRST_RANK };

static void place(struct account_flat *b, uint32_t frame) {
    b->frame = frame;
    b->frames = FIRST_RANK + b->ranks + 1;
    b->slid = frame < FIRST_SLIDE ? 0 : frame < FIRST_FLAT ? frame : SLIDES;
    b->rank = frame < FIRST_RANK ? 0 : frame - FIRST_RANK;
    b->phase = frame < FIRST_SLIDE             ? ACCOUNT_FLAT_APART
               : frame < FIRST_FLAT            ? ACCOUNT_FLAT_SLIDES_ON
               : frame < FIRST_PAD             ? ACCOUNT_FLAT_LAID
               : frame < FIRST_CUT             ? ACCOUNT_FLAT_PADDED
               : frame < FIRST_RANK            ? ACCOUNT_FLAT_CUT
               : frame < FIRST_RANK + b->ranks ? ACCOUNT_FLAT_OWNED
                                               : ACCOUNT_FLAT_END;
}

void account_flat(const struct account_playing *at, struct account_flat *out) {
    *out = (struct account_flat){.ranks = set_to(at, RANKS), .elements = set_to(at, ELEMENTS)};
    lay_end_to_end(out);
    cut(out);
    place(out, at->frame);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_flat b;
    account_flat(at, &b);
    return b.frames;
}

/* Asked before the cut: how many tensors are split over ranks? */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    struct account_flat b;
    account_flat(at, &b);
    *answer = b.split;
    return FIRST_CUT;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/

static void say_padded(const struct account_flat *b, struct account_text *t) {
    if (b->padding)
        account_add(t, "Shards must be equal, so %u is padded to %u, a multiple of %u.",
                    b->elements, b->elements + b->padding, b->ranks);
    else
        account_add(t, "%u is a multiple of %u, so the buffer needs no padding.", b->elements,
                    b->ranks);
}

/* "W lies on ranks 0 and 1, g on 2 and 3": all that are split. */
static void say_cut(const struct account_flat *b, struct account_text *t) {
    bool first = true;
    account_add(t, "Each rank gets %u. ", b->shard);
    if (!b->split) account_add(t, "Every cut falls between two tensors");
    for (uint32_t i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        const struct account_flat_tensor *n = &b->tensor[i];
        if (n->from == n->to) continue;
        account_add(t, "%s%s %s %u %s %u", first ? "" : ", ", n->name,
                    first ? "lies on ranks" : "on", n->from, n->to == n->from + 1 ? "and" : "to",
                    n->to);
        first = false;
    }
    account_add(t, ".");
}

/* "b and part of g": what a rank has of the tensors. */
static void say_tensors(const struct account_flat *b, uint32_t from, uint32_t to,
                        struct account_text *t) {
    uint32_t said = 0;
    for (uint32_t i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        const struct account_flat_tensor *n = &b->tensor[i];
        if (n->first >= to || n->first + n->count <= from) continue;
        bool whole = n->first >= from && n->first + n->count <= to;
        account_add(t, "%s%s%s", said++ ? " and " : "", whole ? "all of " : "part of ", n->name);
    }
}

static void say_owned(const struct account_flat *b, struct account_text *t) {
    uint32_t first = b->rank * b->shard, real = account_flat_real(b, b->rank);
    if (!real) {
        account_add(t, "Rank %u owns no element: its whole shard is padding.", b->rank);
        return;
    }
    account_add(t, "Rank %u owns element%s %u", b->rank, real > 1 ? "s" : "", first);
    if (real > 1) account_add(t, " %s %u", real == 2 ? "and" : "to", first + real - 1);
    account_add(t, ": ");
    say_tensors(b, first, first + real, t);
    if (real < b->shard) account_add(t, ". The rest is padding");
    account_add(t, ".");
}

static void say(const struct account_flat *b, struct account_text *t) {
    switch (b->phase) {
    case ACCOUNT_FLAT_APART:
        account_add(t, "Cut separately over %u ranks, the tensors need %u places for %u elements.",
                    b->ranks, b->alone, b->elements);
        break;
    case ACCOUNT_FLAT_SLIDES_ON: account_add(t, "The tensors move together, end to end."); break;
    case ACCOUNT_FLAT_LAID:
        account_add(t, "One flat buffer holds the tensors end to end: %u elements, no gaps.",
                    b->elements);
        break;
    case ACCOUNT_FLAT_PADDED: say_padded(b, t); break;
    case ACCOUNT_FLAT_CUT: say_cut(b, t); break;
    case ACCOUNT_FLAT_OWNED: say_owned(b, t); break;
    case ACCOUNT_FLAT_END:
        account_add(t, "A rank keeps all %u parameters, and optimizer states for its shard of %u.",
                    b->elements, b->shard);
        break;
    }
}

static const char *const moments[] = {"start", "slide", "flat",   "pad",
                                      "cut",   "own",   "finish", NULL};

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_flat b;
    struct account_text says = account_text(out->says, sizeof out->says),
                        where = account_text(out->place, sizeof out->place);
    account_flat(at, &b);
    out->moment = moments[b.phase];
    out->passing = b.phase == ACCOUNT_FLAT_SLIDES_ON;
    out->ms = out->passing ? 60 : 1500;
    account_add(&where, "frame %u of %u", b.frame < FIRST_FLAT ? 1 : b.frame - SLIDES + 1,
                b.frames - SLIDES);
    say(&b, &says);
}

const struct account_play account_play_flat = {
    .name = "flat-buffer",
    .title = "sharding a flat buffer",
    .moments = moments,
    .longest = 74,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
