/* Collectives among a few ranks: which chunks are where, hop by hop. The algorithms' sources stand
 * in play.h. */
#include "account/play/play.h"

#include <assert.h>

static uint16_t share_of(uint32_t rank) {
    return (uint16_t)(1u << rank);
}

static uint16_t all_shares(uint32_t ranks) {
    return (uint16_t)((1u << ranks) - 1);
}

/* ── before the first hop ──────────────────────────────────────────────────────────────────────*/

/* Before an all-gather each rank has one finished chunk: its own. */
static void set_gather(struct account_scene *s) {
    for (uint32_t r = 0; r < s->ranks; r++) s->cell[r][r].shares = all_shares(s->ranks);
}

static void set_shares(struct account_scene *s) {
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t c = 0; c < s->ranks; c++) s->cell[r][c].shares = share_of(r);
}

/* ── moves ─────────────────────────────────────────────────────────────────────────────────────*/

static void add_move(struct account_scene *s, uint32_t from, uint32_t to, uint32_t chunk,
                     uint32_t chunks, bool adds) {
    assert(s->moves < ACCOUNT_SCENE_RANKS && from != to && to < s->ranks && chunk < s->ranks);
    s->move[s->moves++] = (struct account_move){.from = (uint8_t)from,
                                                .to = (uint8_t)to,
                                                .chunk = (uint8_t)chunk,
                                                .chunks = (uint8_t)chunks,
                                                .adds = adds};
}

/* So that after n − 1 hops rank r has all of chunk r. `hop` counts from 0. */
static void ring_reduce(struct account_scene *s, uint32_t hop) {
    uint32_t n = s->ranks;
    for (uint32_t r = 0; r < n; r++)
        add_move(s, r, (r + 1) % n, (r + 2 * n - hop - 1) % n, 1, true);
}

static void ring_gather(struct account_scene *s, uint32_t hop) {
    uint32_t n = s->ranks;
    for (uint32_t r = 0; r < n; r++) add_move(s, r, (r + 1) % n, (r + n - hop) % n, 1, false);
}

static uint32_t levels(uint32_t ranks) {
    uint32_t n = 0;
    while (1u << n < ranks) n++;
    return n;
}

/* At level k those whose lowest k bits are 0 meet in pairs, 2^k apart. */
static void tree_level(struct account_scene *s, uint32_t level, bool up) {
    uint32_t far = 1u << level;
    for (uint32_t r = 0; r + far < s->ranks; r += 2 * far)
        add_move(s, up ? r + far : r, up ? r : r + far, 0, s->ranks, up);
}

static void plan(struct account_scene *s, uint32_t hop) {
    uint32_t n = s->ranks, up = levels(n);
    s->moves = 0;
    switch (s->kind) {
    case ACCOUNT_SCENE_RING_REDUCE_SCATTER: ring_reduce(s, hop); break;
    case ACCOUNT_SCENE_RING_ALL_GATHER: ring_gather(s, hop); break;
    case ACCOUNT_SCENE_RING_ALL_REDUCE:
        if (hop < n - 1)
            ring_reduce(s, hop);
        else
            ring_gather(s, hop - (n - 1));
        break;
    case ACCOUNT_SCENE_TREE_ALL_REDUCE:
        tree_level(s, hop < up ? hop : 2 * up - 1 - hop, hop < up);
        break;
    case ACCOUNT_SCENES: break;
    }
}

static uint32_t length(enum account_scene_kind kind, uint32_t ranks) {
    if (kind == ACCOUNT_SCENE_TREE_ALL_REDUCE) return 2 * levels(ranks);
    return kind == ACCOUNT_SCENE_RING_ALL_REDUCE ? 2 * (ranks - 1) : ranks - 1;
}

/* The chunks of a hop are put on the links. A sum that is sent on is of no more use where it was.
 */
static void send(struct account_scene *s) {
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t c = 0; c < s->ranks; c++) s->cell[r][c].fresh = false;
    for (size_t i = 0; i < s->moves; i++) {
        const struct account_move *m = &s->move[i];
        s->sent[m->from] += m->chunks;
        for (uint32_t c = m->chunk; m->adds && c < (uint32_t)m->chunk + m->chunks; c++)
            s->cell[m->from][c].stale = true;
    }
}

/* All moves of a hop happen at the same time: what arrives is what was there before. */
static void receive(struct account_scene *s) {
    const struct account_scene before = *s;
    for (size_t i = 0; i < s->moves; i++) {
        const struct account_move *m = &s->move[i];
        for (uint32_t c = m->chunk; c < (uint32_t)m->chunk + m->chunks; c++) {
            uint16_t had = m->adds ? s->cell[m->to][c].shares : 0;
            assert((had & before.cell[m->from][c].shares) == 0); /* no share is added twice */
            s->cell[m->to][c] = (struct account_cell){
                .shares = (uint16_t)(before.cell[m->from][c].shares | had), .fresh = true};
        }
    }
}

bool account_scene(enum account_scene_kind kind, uint32_t ranks, uint32_t frame,
                   struct account_scene *out) {
    *out = (struct account_scene){.kind = kind, .ranks = ranks};
    if (ranks < 2 || ranks > ACCOUNT_SCENE_RANKS || kind >= ACCOUNT_SCENES) return false;
    if (kind == ACCOUNT_SCENE_RING_ALL_GATHER)
        set_gather(out);
    else
        set_shares(out);
    out->hops = length(kind, ranks);
    out->frames = 2 * out->hops + 1;
    for (; out->frame < frame && out->frame + 1 < out->frames; out->frame++) {
        out->leaving = !out->leaving;
        out->hop = out->frame / 2 + 1;
        if (!out->leaving) {
            receive(out);
            continue;
        }
        plan(out, out->hop - 1);
        send(out);
    }
    return true;
}

bool account_cell_whole(const struct account_scene *s, uint32_t rank, uint32_t chunk) {
    return s->cell[rank][chunk].shares == all_shares(s->ranks);
}
