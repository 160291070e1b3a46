/* Collectives played with small numbers. Ring: Patarasuk and Yuan, "Bandwidth optimal all-reduce
 * algorithms for clusters of workstations", 2009; n − 1 steps of reduce-scatter, n − 1 of
 * all-gather, one chunk from each rank to the next in every step. Tree: a binomial tree, reduced to
 * rank 0 and sent back (Rabenseifner, "Optimization of collective reduction operations", 2004). */
#include "account/traffic/traffic.h"
#include "account/numbers/text.h"

static const char *const names[ACCOUNT_PLAYS] = {"ring-reduce-scatter", "ring-all-gather",
                                                 "ring-all-reduce", "tree-all-reduce"};

const char *account_play_name(enum account_play p) {
    return names[p < ACCOUNT_PLAYS ? p : 0];
}

bool account_play_find(const char *name, enum account_play *out) {
    for (int i = 0; i < ACCOUNT_PLAYS; i++) {
        if (!account_same(names[i], name)) continue;
        *out = (enum account_play)i;
        return true;
    }
    return false;
}

/* ── the first scene ───────────────────────────────────────────────────────────────────────────*/

/* Rank r's chunk c holds r + c + 1: small, different on every rank, and a sum that is easy to
 * check. */
static int number(uint32_t rank, uint32_t chunk) {
    return (int)(rank + chunk + 1);
}

static int whole_sum(uint32_t ranks, uint32_t chunk) {
    int sum = 0;
    for (uint32_t r = 0; r < ranks; r++) sum += number(r, chunk);
    return sum;
}

/* Before an all-gather each rank has one finished chunk: its own. */
static void set_gather(struct account_scene *s) {
    for (uint32_t r = 0; r < s->ranks; r++)
        s->cell[r][r] =
            (struct account_cell){.value = whole_sum(s->ranks, r), .parts = (uint8_t)s->ranks};
}

static void set_numbers(struct account_scene *s) {
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t c = 0; c < s->ranks; c++)
            s->cell[r][c] = (struct account_cell){.value = number(r, c), .parts = 1};
}

/* ── moves ─────────────────────────────────────────────────────────────────────────────────────*/

static void add_move(struct account_scene *s, uint32_t from, uint32_t to, uint32_t chunk,
                     uint32_t chunks, bool adds) {
    s->move[s->moves++] = (struct account_move){.from = (uint8_t)from,
                                                .to = (uint8_t)to,
                                                .chunk = (uint8_t)chunk,
                                                .chunks = (uint8_t)chunks,
                                                .adds = adds};
}

/* So that after n − 1 steps rank r has all of chunk r. */
static void ring_reduce(struct account_scene *s, uint32_t step) {
    uint32_t n = s->ranks;
    for (uint32_t r = 0; r < n; r++)
        add_move(s, r, (r + 1) % n, (r + 2 * n - step - 1) % n, 1, true);
}

static void ring_gather(struct account_scene *s, uint32_t step) {
    uint32_t n = s->ranks;
    for (uint32_t r = 0; r < n; r++) add_move(s, r, (r + 1) % n, (r + n - step) % n, 1, false);
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

static void plan(enum account_play play, struct account_scene *s, uint32_t step) {
    uint32_t n = s->ranks, up = levels(n);
    s->moves = 0;
    switch (play) {
    case ACCOUNT_PLAY_RING_REDUCE_SCATTER: ring_reduce(s, step); break;
    case ACCOUNT_PLAY_RING_ALL_GATHER: ring_gather(s, step); break;
    case ACCOUNT_PLAY_RING_ALL_REDUCE:
        if (step < n - 1)
            ring_reduce(s, step);
        else
            ring_gather(s, step - (n - 1));
        break;
    case ACCOUNT_PLAY_TREE_ALL_REDUCE:
        tree_level(s, step < up ? step : 2 * up - 1 - step, step < up);
        break;
    case ACCOUNT_PLAYS: break;
    }
}

static uint32_t length(enum account_play play, uint32_t ranks) {
    if (play == ACCOUNT_PLAY_TREE_ALL_REDUCE) return 2 * levels(ranks);
    return play == ACCOUNT_PLAY_RING_ALL_REDUCE ? 2 * (ranks - 1) : ranks - 1;
}

/* All moves of a step happen at once: what is sent is what was there before. */
static void carry_out(struct account_scene *s) {
    const struct account_scene before = *s;
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t c = 0; c < s->ranks; c++) s->cell[r][c].fresh = false;
    for (size_t i = 0; i < s->moves; i++) {
        const struct account_move *m = &s->move[i];
        s->sent[m->from] += m->chunks;
        for (uint32_t c = m->chunk; c < (uint32_t)m->chunk + m->chunks; c++) {
            struct account_cell *to = &s->cell[m->to][c];
            const struct account_cell *from = &before.cell[m->from][c];
            to->value = from->value + (m->adds ? to->value : 0);
            to->parts = (uint8_t)(from->parts + (m->adds ? to->parts : 0));
            to->fresh = true;
        }
    }
}

bool account_scene(enum account_play play, uint32_t ranks, uint32_t step,
                   struct account_scene *out) {
    *out = (struct account_scene){.ranks = ranks};
    if (ranks < 2 || ranks > ACCOUNT_SCENE_RANKS || play >= ACCOUNT_PLAYS) return false;
    if (play == ACCOUNT_PLAY_RING_ALL_GATHER)
        set_gather(out);
    else
        set_numbers(out);
    out->steps = length(play, ranks);
    for (; out->step < step && out->step < out->steps; out->step++) {
        plan(play, out, out->step);
        carry_out(out);
    }
    return true;
}
