/* The plays that are collectives: what each frame of them is called, and what it says. */
#include "account/numbers/text.h"
#include "account/play/rows.h"

enum { RANKS, OPTIONS };

static const struct account_play_option options[] = {
    [RANKS] = {.name = "ranks",
               .help = "Another number of ranks",
               .value = {2, 3, 4, 5, 6, 7, 8},
               .values = 7,
               .usual = 2},
};

static const struct account_play *const rows[ACCOUNT_SCENES] = {
    [ACCOUNT_SCENE_RING_REDUCE_SCATTER] = &account_play_ring_reduce_scatter,
    [ACCOUNT_SCENE_RING_ALL_GATHER] = &account_play_ring_all_gather,
    [ACCOUNT_SCENE_RING_ALL_REDUCE] = &account_play_ring_all_reduce,
    [ACCOUNT_SCENE_TREE_ALL_REDUCE] = &account_play_tree_all_reduce,
};

static uint32_t ranks_of(const struct account_playing *at) {
    return options[RANKS].value[at->at[RANKS]];
}

bool account_scene_of(const struct account_playing *at, struct account_scene *out) {
    *out = (struct account_scene){0};
    for (int kind = 0; kind < ACCOUNT_SCENES; kind++)
        if (rows[kind] == at->play)
            return account_scene((enum account_scene_kind)kind, ranks_of(at), at->frame, out);
    return false;
}

static uint32_t frames(const struct account_playing *at) {
    struct account_scene s;
    account_scene_of(at, &s);
    return s.frames;
}

/* ── where a frame stands ──────────────────────────────────────────────────────────────────────*/

static bool adds(const struct account_scene *s) {
    return s->moves > 0 && s->move[0].adds;
}

/* Hops in which sums are made: after them copies go round. */
static uint32_t adding_hops(const struct account_scene *s) {
    if (s->kind == ACCOUNT_SCENE_RING_ALL_GATHER) return 0;
    return s->kind == ACCOUNT_SCENE_RING_REDUCE_SCATTER ? s->hops : s->hops / 2;
}

static const char *moment(const struct account_scene *s) {
    if (s->frame == 0) return "start";
    if (s->frame + 1 == s->frames) return "finish";
    if (!s->leaving && s->hop == adding_hops(s)) return "turn";
    return adds(s) ? "reduce" : "gather";
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/

static void say_start(const struct account_scene *s, struct account_text *t) {
    if (s->kind == ACCOUNT_SCENE_RING_ALL_GATHER)
        account_add(t, "Each rank has one chunk, and all ranks need all %u.", s->ranks);
    else if (s->kind == ACCOUNT_SCENE_TREE_ALL_REDUCE)
        account_add(t, "Each rank has its own array. All ranks need the sum of the %u arrays.",
                    s->ranks);
    else
        account_add(t, "Each rank has its own array, cut into %u chunks, one per rank.", s->ranks);
}

static void say_ring_leaving(const struct account_scene *s, struct account_text *t) {
    account_add(t, "Hop %u. ", s->hop);
    if (s->hop == adding_hops(s) + 1)
        account_add(t, "The all-gather begins: each rank sends its finished chunk on.");
    else if (!adds(s))
        account_add(t, "Each rank passes on the chunk that it has just received.");
    else if (s->hop == 1)
        account_add(t, "The reduce-scatter begins: each rank sends one chunk to the next.");
    else
        account_add(t, "Each rank sends on the sum that it has just made.");
}

static void say_ring_arrived(const struct account_scene *s, struct account_text *t) {
    uint32_t whole = s->hop - adding_hops(s) + 1;
    account_add(t, "After hop %u ", s->hop);
    if (adds(s))
        account_add(t, "each rank holds a chunk to which %u of the %u ranks have added.",
                    s->hop + 1, s->ranks);
    else
        account_add(t, "each rank has %u of the %u finished chunks.", whole, s->ranks);
}

static void say_ring(const struct account_scene *s, struct account_text *t) {
    bool last = s->frame + 1 == s->frames;
    if (last && s->kind != ACCOUNT_SCENE_RING_REDUCE_SCATTER)
        account_add(t, "After hop %u every rank has all %u finished chunks.", s->hop, s->ranks);
    else if (!s->leaving && s->hop == adding_hops(s))
        account_add(t, "After hop %u each rank has one finished chunk. That was a reduce-scatter.",
                    s->hop);
    else if (s->leaving)
        say_ring_leaving(s, t);
    else
        say_ring_arrived(s, t);
}

static void say_tree(const struct account_scene *s, struct account_text *t) {
    if (s->frame + 1 == s->frames)
        account_add(t, "After hop %u every rank has the whole sum.", s->hop);
    else if (!s->leaving && s->hop == adding_hops(s))
        account_add(t, "After hop %u rank 0, the root, has the whole sum. No other rank has it.",
                    s->hop);
    else if (s->leaving)
        account_add(t, "Hop %u. %s", s->hop,
                    adds(s) ? "Every second branch sends its whole array up to a rank that adds it."
                            : "Each rank that has the sum sends all of it down to one more rank.");
    else if (adds(s))
        account_add(t, "After hop %u each node of this level has the sum of its branches.", s->hop);
    else
        account_add(t, "After hop %u twice as many ranks have the whole sum.", s->hop);
}

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_scene s;
    struct account_text says = account_text(out->says, sizeof out->says),
                        place = account_text(out->place, sizeof out->place);
    account_scene_of(at, &s);
    out->moment = moment(&s);
    if (s.frame == 0)
        account_add(&place, "start");
    else
        account_add(&place, "hop %u of %u", s.hop, s.hops);
    if (s.frame == 0)
        say_start(&s, &says);
    else if (s.kind == ACCOUNT_SCENE_TREE_ALL_REDUCE)
        say_tree(&s, &says);
    else
        say_ring(&s, &says);
}

/* ── what it asks ──────────────────────────────────────────────────────────────────────────────*/
/* After a hop has shown how chunks travel, if another one follows that shows it, too. */
static uint32_t after_a_hop(uint32_t hops) {
    return hops > 1 ? 3 : 1;
}

/* After how many hops is the first chunk whole on some rank? In a ring after n − 1, in a tree at
 * its root. */
static uint32_t stop_reduce(const struct account_playing *at, uint32_t *answer) {
    struct account_scene s;
    account_scene_of(at, &s);
    *answer = adding_hops(&s);
    return after_a_hop(*answer);
}

/* On which rank does the sum of the first chunk end? */
static uint32_t stop_scatter(const struct account_playing *at, uint32_t *answer) {
    struct account_playing end = *at;
    struct account_scene s;
    end.frame = frames(at) - 1;
    account_scene_of(&end, &s);
    *answer = 0;
    while (!account_cell_whole(&s, *answer, 0)) ++*answer;
    return after_a_hop(s.hops);
}

/* Which chunk does rank 0 send next? */
static uint32_t stop_gather(const struct account_playing *at, uint32_t *answer) {
    struct account_playing then = *at;
    struct account_scene s;
    account_scene_of(at, &s);
    then.frame = after_a_hop(s.hops);
    account_scene_of(&then, &s);
    size_t i = 0;
    while (s.move[i].from != 0) i++;
    *answer = s.move[i].chunk;
    return then.frame;
}

/* What these two ask for is one of the ranks, or one of as many chunks. */
static uint32_t choices(const struct account_playing *at) {
    struct account_scene s;
    account_scene_of(at, &s);
    return s.ranks;
}

/* ── the rows ──────────────────────────────────────────────────────────────────────────────────*/

static const char *const adding[] = {"start", "reduce", "finish", NULL};
static const char *const copying[] = {"start", "gather", "finish", NULL};
static const char *const both[] = {"start", "reduce", "turn", "gather", "finish", NULL};

const struct account_play account_play_ring_reduce_scatter = {
    .name = "ring-reduce-scatter",
    .title = "ring reduce-scatter",
    .moments = adding,
    .longest = 73,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop_scatter,
    .choices = choices,
};
const struct account_play account_play_ring_all_gather = {
    .name = "ring-all-gather",
    .title = "ring all-gather",
    .moments = copying,
    .longest = 68,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop_gather,
    .choices = choices,
};
const struct account_play account_play_ring_all_reduce = {
    .name = "ring-all-reduce",
    .title = "ring all-reduce",
    .moments = both,
    .longest = 73,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop_reduce,
};
const struct account_play account_play_tree_all_reduce = {
    .name = "tree-all-reduce",
    .title = "tree all-reduce",
    .moments = both,
    .longest = 75,
    .options = OPTIONS,
    .option = options,
    .frames = frames,
    .frame = frame,
    .stop = stop_reduce,
};
