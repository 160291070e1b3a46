/* What is in a frame of a play, in sentences: where the chunks are, which buckets are full, which
 * bytes are in memory now. What happens in it is the frame's own sentence. */
#include "page/play.h"

#include <stdio.h>
#include <stdlib.h>

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/
static uint32_t shares_of(const struct account_scene *s, uint32_t rank, uint32_t chunk) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->ranks; k++) n += s->cell[rank][chunk].shares >> k & 1;
    return n;
}

/* "chunk b, 2 of 4 shares" and, once all are in it, "chunk b, finished". A tree moves arrays. */
static char *chunk_words(const struct account_scene *s, const struct account_move *m,
                         uint32_t rank) {
    uint32_t shares = shares_of(s, rank, m->chunk);
    const char *chunk = m->chunks > 1 ? "the array" : page_play_letter(m->chunk);
    const char *kind = m->chunks > 1 ? "" : "chunk ";
    return shares == s->ranks ? base_format("%s%s, finished", kind, chunk)
                              : base_format("%s%s, %u of %u shares", kind, chunk, shares, s->ranks);
}

/* What a rank sends, or what it has received. */
static void say_moves_of(struct page *p, struct page_flow f, const struct account_scene *s,
                         uint32_t rank) {
    for (size_t i = 0; i < s->moves; i++) {
        const struct account_move *m = &s->move[i];
        if ((s->leaving ? m->from : m->to) != rank) continue;
        char *chunk = chunk_words(s, m, rank);
        if (s->leaving)
            page_say(p, f, "Rank %u sends rank %u %s.", m->from, m->to, chunk);
        else
            page_say(p, f, "Rank %u now has %s.", m->to, chunk);
        free(chunk);
    }
}

void page_play_say_moves(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_scene s;
    account_scene_of(at, &s);
    for (uint32_t r = 0; r < s.ranks; r++) say_moves_of(p, f, &s, r);
    uint32_t most = 0;
    for (uint32_t r = 0; r < s.ranks; r++) most = s.sent[r] > most ? s.sent[r] : most;
    if (most == 0) {
        page_say(p, f, "No rank has sent anything yet.");
        return;
    }
    char *bytes = page_bytes(at->bytes / s.ranks * most), known[48] = "";
    if (at->bytes > 0) snprintf(known, sizeof known, ", which is %s", bytes);
    free(bytes);
    if (s.kind == ACCOUNT_SCENE_TREE_ALL_REDUCE)
        page_say(p, f, "The busiest rank has sent %u × S%s.", most / s.ranks, known);
    else
        page_say(p, f, "Each rank has sent %u × S/%u%s.", most, s.ranks, known);
}

/* ── buckets ───────────────────────────────────────────────────────────────────────────────────*/
void page_play_say_buckets(struct page *p, struct page_flow f, const struct account_playing *at) {
    static const char *const states[] = {
        [ACCOUNT_BUCKET_EMPTY] = "empty",
        [ACCOUNT_BUCKET_FILLS] = "filling",
        [ACCOUNT_BUCKET_FULL] = "full, and leaves now",
        [ACCOUNT_BUCKET_FLIES] = "being sent",
        [ACCOUNT_BUCKET_GONE] = "reduced, and free again",
    };
    struct account_conveyor c;
    account_conveyor(at, &c);
    for (int i = 0; i < ACCOUNT_CONVEYOR_BUCKETS; i++) {
        char *bytes = page_bytes((double)c.bucket[i].bytes), *size = page_bytes((double)c.size);
        page_say(p, f, "Bucket %c: %s of %s, %s.", 'A' + i, bytes, size, states[c.bucket[i].state]);
        free(bytes);
        free(size);
    }
    char *live = page_bytes((double)c.live), *high = page_bytes((double)c.highest),
         *shard = page_bytes((double)c.shard),
         *whole = page_bytes((double)c.block * ACCOUNT_CONVEYOR_BLOCKS / c.ranks);
    if (c.stage == 2) page_say(p, f, "My shard: %s of %s.", shard, whole);
    page_say(p, f, "Gradients in memory now: %s. The highest so far: %s.", live, high);
    free(whole);
    free(shard);
    free(live);
    free(high);
}

/* ── gather, use, free ─────────────────────────────────────────────────────────────────────────*/
/* What the curve has drawn up to this frame. */
static char *highest_so_far(const struct account_gathering *w) {
    uint64_t most = 0;
    for (uint32_t frame = 0; frame <= w->frame; frame++) {
        struct account_gathering then = account_gathering_at(w, frame);
        if (then.gathered + then.gradient > most) most = then.gathered + then.gradient;
    }
    return page_bytes((double)most);
}

void page_play_say_gather(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_gathering w;
    struct account_error e;
    char name[40];
    if (!account_gathering(at, &w, &e)) return;
    uint32_t stays = 0;
    for (uint32_t u = 0; u < w.units; u++) {
        enum account_shard_unit_state state = account_gathering_unit(&w, u);
        stays += state == ACCOUNT_SHARD_UNIT_KEPT;
        if (state != ACCOUNT_SHARD_UNIT_ARRIVES && state != ACCOUNT_SHARD_UNIT_FREED) continue;
        account_gathering_name(&w, u, name, sizeof name);
        page_say(p, f, state == ACCOUNT_SHARD_UNIT_FREED ? "Freed: %s." : "Arriving: %s.", name);
    }
    char *now = page_bytes((double)w.gathered), *all = page_bytes((double)w.whole),
         *shards = page_bytes((double)w.whole / w.ranks),
         *gradient = page_bytes((double)w.gradient), *high = highest_so_far(&w);
    page_say(p, f, "Kept: a shard of each unit, %s in total.", shards);
    if (stays) page_say(p, f, "Kept whole: %u of %u units.", stays, w.units);
    page_say(p, f, "Gathered now: %s of the model's %s.", now, all);
    if (w.gradient) page_say(p, f, "The gradient that is whole takes %s.", gradient);
    page_say(p, f, "The highest so far, gradient included: %s.", high);
    free(high);
    free(shards);
    free(now);
    free(all);
    free(gradient);
}

/* ── a flat buffer ─────────────────────────────────────────────────────────────────────────────*/
/* Where the tensors lie, and once it is cut, who keeps which part of them. */
void page_play_say_flat(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_flat b;
    account_flat(at, &b);
    bool apart = b.phase == ACCOUNT_FLAT_APART, whole = b.phase < ACCOUNT_FLAT_CUT;
    for (int i = 0; whole && i < ACCOUNT_FLAT_TENSORS; i++) {
        const struct account_flat_tensor *t = &b.tensor[i];
        char padded[48] = "";
        if (apart && t->alone > t->count)
            snprintf(padded, sizeof padded, ", padded to %u", t->alone);
        page_say(p, f, "%s has %u elements, from %u to %u%s.", t->name, t->count, t->first,
                 t->first + t->count - 1, padded);
    }
    for (uint32_t r = 0; b.phase == ACCOUNT_FLAT_CUT && r < b.ranks; r++) {
        uint32_t real = account_flat_real(&b, r), first = r * b.shard;
        char padding[32] = "";
        if (real < b.shard)
            snprintf(padding, sizeof padding, ", and %u of padding", b.shard - real);
        if (real > 1)
            page_say(p, f, "Rank %u gets elements %u to %u%s.", r, first, first + real - 1,
                     padding);
        else if (real)
            page_say(p, f, "Rank %u gets element %u%s.", r, first, padding);
        else
            page_say(p, f, "Rank %u gets nothing but padding.", r);
    }
}

/* ── tiers with bytes that flow ────────────────────────────────────────────────────────────────*/
static void say_kept(struct page *p, struct page_flow f, const char *tier,
                     const struct account_ledger *l, uint64_t holds) {
    char *kept = page_bytes((double)l->total), *all = page_bytes((double)holds),
         *parts = page_parts(l->bytes, ACCOUNT_UNIT_GB);
    if (l->total)
        page_say(p, f, "%s keeps %s of %s: %s.", tier, kept, all, parts);
    else
        page_say(p, f, "%s keeps nothing.", tier);
    free(parts);
    free(all);
    free(kept);
}

/* What has crossed a way up to the end of the frame; nothing if it was not used. */
static void say_crossed(struct page *p, struct page_flow f, const char *way, uint64_t down,
                        uint64_t up) {
    char *went = page_bytes((double)down), *came = page_bytes((double)up);
    if (down || up) page_say(p, f, "So far %s went down to %s and %s came up.", went, way, came);
    free(came);
    free(went);
}

/* What each tier keeps, what has crossed between them, and how far the step has come. */
void page_play_say_tiers(struct page *p, struct page_flow f, const struct account_playing *at) {
    static const char *const names[ACCOUNT_TIERS] = {"The GPU", "Host memory", "NVMe"};
    struct account_tiers w;
    if (!account_tiers(at, &w, NULL)) return;
    for (int i = 0; i < ACCOUNT_TIERS; i++) say_kept(p, f, names[i], &w.keeps[i], w.holds[i]);
    say_crossed(p, f, "the host", w.moved_down[ACCOUNT_GPU], w.moved_up[ACCOUNT_GPU]);
    say_crossed(p, f, "NVMe", w.moved_down[ACCOUNT_HOST], w.moved_up[ACCOUNT_HOST]);
    char *now = page_seconds(w.begins + w.seconds), *all = page_seconds(w.step);
    if (w.frame) page_say(p, f, "%s of the step's %s have passed.", now, all);
    free(all);
    free(now);
}

/* ── a pipeline's schedule ─────────────────────────────────────────────────────────────────────*/
static void say_stage(struct page *p, struct page_flow f, const struct account_pipeline *s,
                      uint32_t stage) {
    const struct account_slot *c = &s->cell[stage][s->frame - 1];
    double kept = (double)s->in_flight[stage] / s->pieces;
    char piece[24] = "";
    if (c->micro && s->pieces > 1) snprintf(piece, sizeof piece, ", piece %u", c->piece + 1u);
    if (c->micro)
        page_say(p, f, "Stage %u: %s of micro-batch %u%s. It keeps %.3g.", stage,
                 account_pipeline_work_name(s->schedule, c->work), c->micro, piece, kept);
    else if (account_pipeline_has(s, stage, s->frame - 1))
        page_say(p, f, "Stage %u waits. It keeps %.3g.", stage, kept);
    else
        page_say(p, f, "Stage %u is free for another step. It keeps %.3g.", stage, kept);
}

/* What each stage computes in the slot, and of how many micro-batches it keeps activations; at the
 * end what the schedule costs. */
void page_play_say_pipeline(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_pipeline s;
    account_pipeline(at, &s);
    if (s.frame == 0) return;
    for (uint32_t i = 0; i < s.stages && !s.over; i++) say_stage(p, f, &s, i);
    if (!s.over) return;
    struct account_pipeline_formula formula = account_pipeline_formula(&s);
    page_say(p, f, "The bubble is %s = %u/%u of the step.", formula.words, formula.waits,
             formula.all);
    for (uint32_t i = 0; i < s.stages; i++)
        page_say(p, f, "Stage %u kept the activations of at most %.3g micro-batches.", i,
                 (double)s.most[i] / s.pieces);
}
