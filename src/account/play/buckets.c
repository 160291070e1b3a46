/* Buckets in backward: a toy of four blocks with 100 MB of gradients each, on four ranks. Backward
 * drops gradients into the open bucket; a full one is reduce-scattered and comes back as this
 * rank's quarter (ZeRO, arXiv:1910.02054, section 5.2). While it is on its way it takes its room,
 * and its quarter takes another; with overlap backward computes the next block meanwhile. */
#include "account/numbers/text.h"
#include "account/play/rows.h"

#include <assert.h>

enum { BUCKET, OVERLAP, STAGE, OPTIONS };
enum { BLOCKS = ACCOUNT_CONVEYOR_BLOCKS, BLOCK = 100000000, RANKS = 4 };

static const char *const sizes[] = {"100MB", "200MB", "400MB"};
static const char *const switches[] = {"on", "off"};

static const struct account_play_option options[] = {
    [BUCKET] = {.name = "bucket",
                .help = "Another capacity of the buckets",
                .value = {100, 200, 400},
                .values = 3,
                .usual = 1,
                .names = sizes},
    [OVERLAP] = {.name = "overlap",
                 .help = "Send during backward, or let backward wait",
                 .value = {1, 0},
                 .values = 2,
                 .names = switches},
    [STAGE] = {.name = "stage",
               .help = "ZeRO stage 2, or stage 1, which keeps the gradients whole",
               .value = {2, 1},
               .values = 2},
};

static uint32_t set_to(const struct account_playing *at, size_t option) {
    return options[option].value[at->at[option]];
}

/* ── the schedule ──────────────────────────────────────────────────────────────────────────────*/

/* What was on its way has arrived: its quarter stays, its room is free. */
static void arrive(struct account_conveyor *c) {
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++) {
        struct account_bucket *k = &c->bucket[b];
        if (k->state != ACCOUNT_BUCKET_FLIES) continue;
        c->shard += k->bytes / RANKS;
        *k = (struct account_bucket){.state = ACCOUNT_BUCKET_GONE};
    }
}

/* The bucket that is being filled; else one that is free. */
static struct account_bucket *open_bucket(struct account_conveyor *c) {
    struct account_bucket *free = NULL;
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++) {
        struct account_bucket *k = &c->bucket[b];
        if (k->state == ACCOUNT_BUCKET_FILLS) return k;
        if (k->state != ACCOUNT_BUCKET_FLIES && !free) free = k;
    }
    assert(free); /* only one bucket is in flight at a time */
    return free;
}

/* Whether a bucket left in the last frame that has not arrived yet. */
static bool flies(const struct account_conveyor *c) {
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++)
        if (c->bucket[b].state == ACCOUNT_BUCKET_FLIES) return true;
    return false;
}

static void drop(struct account_conveyor *c) {
    struct account_bucket *k = open_bucket(c);
    if (k->state != ACCOUNT_BUCKET_FILLS)
        *k = (struct account_bucket){.state = ACCOUNT_BUCKET_FILLS};
    k->bytes += BLOCK;
    c->done++;
    if (k->bytes >= c->size) k->state = ACCOUNT_BUCKET_FULL;
}

/* A bucket that was full in the frame before is in flight for this one frame more. */
static bool launch(struct account_conveyor *c) {
    bool any = false;
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++)
        if (c->bucket[b].state == ACCOUNT_BUCKET_FULL) {
            c->bucket[b].state = ACCOUNT_BUCKET_FLIES;
            any = true;
        }
    return any;
}

/* Stage 2: buckets that fill hold what they have, those that leave their whole and the quarter that
 * comes. Stage 1 keeps all gradients where they are. */
static void weigh(struct account_conveyor *c) {
    c->live = c->stage == 1 ? (uint64_t)c->done * BLOCK : c->shard;
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS && c->stage != 1; b++) {
        const struct account_bucket *k = &c->bucket[b];
        c->live += k->bytes;
        if (k->state == ACCOUNT_BUCKET_FULL || k->state == ACCOUNT_BUCKET_FLIES)
            c->live += k->bytes / RANKS;
    }
    if (c->live > c->highest) c->highest = c->live;
}

/* One frame on; false if there is nothing left to happen. */
static bool step(struct account_conveyor *c) {
    bool flew = flies(c);
    if (!flew && c->done == BLOCKS && c->frame > 0 && c->over) return false;
    arrive(c);
    bool left = launch(c);
    c->waits = left && !c->overlap && c->done < BLOCKS;
    c->computes = c->done < BLOCKS && !c->waits;
    if (c->computes) drop(c);
    c->over = c->done == BLOCKS && !c->computes && !left;
    c->frame++;
    weigh(c);
    assert(!c->over || c->live == (uint64_t)BLOCK * BLOCKS / (c->stage == 1 ? 1 : RANKS));
    return true;
}

void account_conveyor(const struct account_playing *at, struct account_conveyor *out) {
    *out = (struct account_conveyor){.ranks = RANKS,
                                     .block = BLOCK,
                                     .size = set_to(at, BUCKET) * (uint64_t)1000000,
                                     .overlap = set_to(at, OVERLAP),
                                     .stage = (uint8_t)set_to(at, STAGE)};
    while (out->frame < at->frame && step(out)) continue;
}

static uint32_t frames(const struct account_playing *at) {
    struct account_playing end = *at;
    struct account_conveyor c;
    end.frame = UINT32_MAX;
    account_conveyor(&end, &c);
    return c.frame + 1;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/

static bool has(const struct account_conveyor *c, enum account_bucket_state state) {
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++)
        if (c->bucket[b].state == state) return true;
    return false;
}

static const char *moment(const struct account_conveyor *c) {
    if (c->frame == 0) return "start";
    if (c->over) return "finish";
    if (c->waits) return "wait";
    if (has(c, ACCOUNT_BUCKET_FULL)) return "full";
    return c->computes ? "fill" : "last";
}

static void say_kept(const struct account_conveyor *c, struct account_text *t) {
    double scale = account_unit_scale(ACCOUNT_UNIT_MB);
    account_add(t, "Backward is over. This rank %s: %s of ",
                c->stage == 1 ? "keeps all gradients whole" : "keeps its quarter",
                account_number(t, (double)c->live / scale).text);
    account_add_value(t, (double)BLOCK * BLOCKS, ACCOUNT_UNIT_MB, 3);
    account_add(t, ".");
}

static void say(const struct account_conveyor *c, struct account_text *t) {
    if (c->frame == 0)
        account_add(t, "Backward begins at the last block. The buckets are empty.");
    else if (c->over)
        say_kept(c, t);
    else if (c->waits)
        account_add(t, "Without overlap backward waits until the bucket has been reduced.");
    else if (!c->computes)
        account_add(t, "Backward has ended. The last bucket is still in flight.");
    else if (has(c, ACCOUNT_BUCKET_FULL))
        account_add(t, "Block %u fills the bucket: it leaves as a reduce-scatter.",
                    BLOCKS - c->done);
    else
        account_add(t, "Block %u drops its gradients into the open bucket.", BLOCKS - c->done);
}

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_conveyor c;
    struct account_text says = account_text(out->says, sizeof out->says),
                        place = account_text(out->place, sizeof out->place);
    account_conveyor(at, &c);
    out->moment = moment(&c);
    out->ms = 1200;
    account_add(&place, "frame %u of %u", at->frame + 1, frames(at));
    say(&c, &says);
}

/* Asked when the first bucket leaves: how many buckets hold gradients in the next frame? */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    struct account_playing there = *at;
    struct account_conveyor c;
    there.frame = 0;
    do {
        there.frame++;
        account_conveyor(&there, &c);
    } while (!has(&c, ACCOUNT_BUCKET_FULL));
    there.frame++;
    account_conveyor(&there, &c);
    *answer = 0;
    for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++) *answer += c.bucket[b].bytes > 0;
    return there.frame;
}

static const char *const moments[] = {"start", "fill", "full", "wait", "last", "finish", NULL};

const struct account_play account_play_buckets = {
    .name = "buckets",
    .title = "buckets in backward",
    .moments = moments,
    .longest = 69,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
