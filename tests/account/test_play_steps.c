/* Plays of a step of training: shards, buckets, units, pipelines and tiers. Their numbers are the
 * engine's. */
#include "account/check.h"

#include <string.h>

/* ── a flat buffer ─────────────────────────────────────────────────────────────────────────────*/

typedef void flat_check(const struct account_playing *at, const struct account_flat *b);

static void each_flat(flat_check *holds) {
    struct account_playing at = account_play_begin(account_play_find("flat-buffer"));
    size_t seen = 0;
    for (at.at[0] = 0; at.at[0] < at.play->option[0].values; at.at[0]++)
        for (at.at[1] = 0; at.at[1] < at.play->option[1].values; at.at[1]++, seen++) {
            struct account_flat b;
            account_flat(&at, &b);
            holds(&at, &b);
        }
    assert_int_equal(seen, 25);
}

static uint32_t solved(const struct account_flat *b, enum account_piece piece, uint32_t rank) {
    struct account_problem p = account_problem_default();
    struct account_solution s;
    p.kind = ACCOUNT_ASK_SHARD;
    p.unit = ACCOUNT_UNIT_PARAMS;
    p.training.params = b->elements;
    p.training.gpus = b->ranks;
    p.piece = piece;
    p.rank = rank;
    assert_true(account_solve(&p, &s, NULL));
    return (uint32_t)s.value;
}

/* Shards are those of the lesson's problems, and of the ledger of a training under zerolab. */
static void is_cut_as_problems_are(const struct account_playing *at, const struct account_flat *b) {
    struct account_training t = account_training_default();
    struct account_ledger l;
    (void)at;
    assert_int_equal(b->shard, solved(b, ACCOUNT_PIECE_SIZE, 0));
    assert_int_equal(b->padding, solved(b, ACCOUNT_PIECE_PADDING, 0));
    for (uint32_t r = 0; r < b->ranks; r++)
        assert_int_equal(account_flat_real(b, r), solved(b, ACCOUNT_PIECE_REAL, r));
    assert_true(account_set(&t, "recipe", "zerolab", NULL));
    assert_true(account_set(&t, "precision", "fp32", NULL));
    t.params = b->elements;
    t.gpus = b->ranks;
    t.stage = 1;
    assert_true(account_ledger(&t, &l, NULL));
    assert_int_equal(l.bytes[ACCOUNT_MOMENTS], 8 * b->shard);
}

static void flat_buffers_are_cut_as_problems_are(void **state) {
    (void)state;
    each_flat(is_cut_as_problems_are);
}

/* Tensors lie end to end and fill the buffer. A tensor is split if its elements have several
 * owners, and padding each of them takes at least as much room. */
static void holds_its_tensors(const struct account_playing *at, const struct account_flat *b) {
    uint32_t end = 0, split = 0, answer;
    for (int i = 0; i < ACCOUNT_FLAT_TENSORS; i++) {
        const struct account_flat_tensor *t = &b->tensor[i];
        bool several = false;
        assert_int_equal(t->first, end);
        assert_int_equal(t->alone % b->ranks, 0);
        for (uint32_t k = 0; k < t->count; k++, end++) {
            uint32_t owner = end / b->shard;
            assert_true(owner >= t->from && owner <= t->to);
            assert_true(end - owner * b->shard < account_flat_real(b, owner));
            several |= owner != t->from;
        }
        split += several;
    }
    assert_int_equal(end, b->elements);
    assert_true(b->alone >= b->elements + b->padding);
    at->play->stop(at, &answer);
    assert_int_equal(answer, split);
}

static void flat_buffers_hold_their_tensors(void **state) {
    (void)state;
    each_flat(holds_its_tensors);
}

/* Up to the question's frame no cut is shown; a frame for each rank follows. */
static void has_a_frame_for_each_rank(const struct account_playing *at,
                                      const struct account_flat *b) {
    struct account_playing here = *at;
    struct account_flat f;
    uint32_t answer, stop = at->play->stop(at, &answer), ranks = 0;
    for (here.frame = 0; here.frame < b->frames; here.frame++) {
        account_flat(&here, &f);
        assert_int_equal(f.phase < ACCOUNT_FLAT_CUT, here.frame < stop);
        if (f.phase == ACCOUNT_FLAT_OWNED) assert_int_equal(f.rank, ranks++);
    }
    assert_int_equal(ranks, b->ranks);
    assert_int_equal(f.phase, ACCOUNT_FLAT_END);
}

static void flat_buffers_have_a_frame_for_each_rank(void **state) {
    (void)state;
    each_flat(has_a_frame_for_each_rank);
}

static const char *flat_says(uint32_t ranks, uint32_t elements, uint32_t step,
                             struct account_play_frame *f) {
    struct account_playing at = account_play_begin(account_play_find("flat-buffer"));
    assert_true(account_play_set(&at, "ranks", ranks, NULL));
    assert_true(account_play_set(&at, "elements", elements, NULL));
    while (step-- > 0) at.frame = account_play_step(&at, true);
    account_play_frame(&at, f);
    return f->says;
}

static void flat_buffers_say_what_is_cut(void **state) {
    (void)state;
    struct account_play_frame f;
    assert_string_equal(flat_says(4, 10, 3, &f),
                        "Each rank gets 3. W lies on ranks 0 and 1, g on 2 and 3.");
    assert_string_equal(flat_says(2, 8, 3, &f), "Each rank gets 4. Every cut falls between two "
                                                "tensors.");
    assert_string_equal(flat_says(4, 10, 7, &f),
                        "Rank 3 owns element 9: part of g. The rest is padding.");
    assert_string_equal(flat_says(8, 10, 9, &f),
                        "Rank 5 owns no element: its whole shard is padding.");
    assert_string_equal(flat_says(4, 12, 2, &f),
                        "12 is a multiple of 4, so the buffer needs no padding.");
}

/* ── buckets ───────────────────────────────────────────────────────────────────────────────────*/

static struct account_conveyor conveyor(uint32_t bucket, uint32_t overlap, uint32_t stage,
                                        uint32_t frame) {
    struct account_playing at = account_play_begin(account_play_find("buckets"));
    struct account_conveyor c;
    assert_true(account_play_set(&at, "bucket", bucket, NULL));
    assert_true(account_play_set(&at, "overlap", overlap, NULL));
    assert_true(account_play_set(&at, "stage", stage, NULL));
    at.frame = frame;
    account_conveyor(&at, &c);
    return c;
}

/* In MB. One bucket of everything costs more than the whole gradient, and overlap another bucket.
 */
static void buckets_have_their_price(void **state) {
    (void)state;
    static const struct {
        uint32_t bucket, overlap, stage;
        uint64_t highest;
    } rows[] = {
        {200, 1, 2, 350}, {200, 0, 2, 300}, {400, 1, 2, 500}, {400, 0, 2, 500},
        {100, 1, 2, 300}, {100, 0, 2, 200}, {200, 1, 1, 400}, {400, 0, 1, 400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_conveyor c =
            conveyor(rows[i].bucket, rows[i].overlap, rows[i].stage, UINT32_MAX);
        assert_true(c.over);
        assert_int_equal(c.highest / 1000000, rows[i].highest);
    }
}

/* What is kept at the end is what the ledger says of such gradients; on the way there are never
 * more buckets than the two that DeepSpeed's row counts with overlap. */
static void buckets_end_in_the_ledger(void **state) {
    (void)state;
    for (uint8_t stage = 1; stage <= 2; stage++) {
        struct account_training t = account_training_default();
        struct account_ledger l;
        struct account_conveyor c = conveyor(200, 1, stage, UINT32_MAX);
        t.params = 4 * c.block / 2;
        t.gpus = c.ranks;
        t.stage = stage;
        assert_true(account_ledger(&t, &l, NULL));
        assert_int_equal(c.live, l.bytes[ACCOUNT_GRADS]);
        if (stage == 2) assert_int_equal(c.shard, c.live);
    }
}

/* No byte is lost: what was made is in a bucket or has become a shard of a quarter. */
static void buckets_lose_nothing(void **state) {
    (void)state;
    for (uint32_t bucket = 100; bucket <= 400; bucket *= 2)
        for (uint32_t overlap = 0; overlap < 2; overlap++)
            for (uint32_t frame = 0; frame < 12; frame++) {
                struct account_conveyor c = conveyor(bucket, overlap, 2, frame);
                uint64_t there = c.shard * c.ranks;
                for (int b = 0; b < ACCOUNT_CONVEYOR_BUCKETS; b++) there += c.bucket[b].bytes;
                assert_int_equal(there, c.done * c.block);
            }
}

/* ── gather, use, free ─────────────────────────────────────────────────────────────────────────*/

static struct account_gathering window(const char *model, uint32_t prefetch, uint32_t keep) {
    struct account_playing at = account_play_begin(account_play_find("gather-use-free"));
    struct account_gathering w;
    at.training = account_training_default();
    assert_true(account_set(&at.training, "model", model, NULL));
    at.training.gpus = 8;
    assert_true(account_play_set(&at, "prefetch", prefetch, NULL));
    assert_true(account_play_set(&at, "keep", keep, NULL));
    assert_true(account_gathering(&at, &w, NULL));
    return w;
}

static uint64_t highest(const struct account_gathering *w) {
    uint64_t most = 0;
    for (uint32_t f = 0; f < w->frames; f++) {
        struct account_gathering now = account_gathering_at(w, f);
        uint64_t bytes = now.gathered + now.gradient;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static uint64_t implied(const struct account_training *t) {
    struct account_memory m;
    assert_true(account_memory(t, &m, NULL));
    return m.implied;
}

/* The highest frame is what the ledger counts for stage 3: units at work and ahead, one gradient.
 */
static void gathers_peak_as_the_ledger_says(void **state) {
    (void)state;
    static const char *const models[] = {"llama-2-7b", "llama-2-13b", "llama-2-70b"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (uint32_t prefetch = 0; prefetch <= 2; prefetch++) {
            struct account_training t = account_training_default();
            struct account_gathering w = window(models[i], prefetch, 0);
            assert_true(account_set(&t, "model", models[i], NULL));
            t.gpus = 8;
            t.stage = 3;
            t.prefetch = prefetch;
            assert_int_equal(highest(&w), implied(&t));
        }
}

/* Kept from forward to backward, all of it is whole at the turn, as FSDP's stage 2 counts. */
static void kept_units_are_all_there_at_the_turn(void **state) {
    (void)state;
    struct account_gathering w = window("llama-2-7b", 1, 1);
    uint64_t block = account_gathering_unit_bytes(&w, 1), most = 0;
    for (uint32_t f = 0; f < w.frames; f++) {
        struct account_gathering now = account_gathering_at(&w, f);
        most = now.gathered > most ? now.gathered : most;
    }
    assert_int_equal(most, w.whole);
    assert_int_equal(w.whole, 2 * (uint64_t)6738415616);
    assert_int_equal(block, 2 * (uint64_t)202383360);
}

/* Every unit is used once forward and once backward, and was there before. */
static void units_are_whole_when_they_compute(void **state) {
    (void)state;
    for (uint32_t prefetch = 0; prefetch <= 2; prefetch++)
        for (uint32_t keep = 0; keep < 2; keep++) {
            struct account_gathering w = window("llama-2-7b", prefetch, keep), before = w;
            uint32_t used = 0;
            for (uint32_t f = 0; f < w.frames; f++, before = w) {
                w = account_gathering_at(&w, f);
                if (w.over || account_gathering_unit(&w, w.unit) != ACCOUNT_SHARD_UNIT_COMPUTES)
                    continue;
                used++;
                enum account_shard_unit_state was = account_gathering_unit(&before, w.unit);
                assert_int_not_equal(was, ACCOUNT_SHARD_UNIT_SHARDED);
                assert_int_not_equal(was, ACCOUNT_SHARD_UNIT_FREED);
            }
            assert_int_equal(used, 2 * w.units);
            assert_int_equal(w.gathered, 0);
        }
}

/* ── tiers ─────────────────────────────────────────────────────────────────────────────────────*/

static struct account_training offloading(enum account_tier optimizer, enum account_tier weights,
                                          uint32_t micros, const char *recipe) {
    static const char *const fields[][2] = {
        {"model", "llama-2-13b"}, {"gpu", "a100-80g"},    {"batch", "4"},
        {"seq", "2048"},          {"checkpoint", "full"},
    };
    struct account_training t = account_training_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_true(account_set(&t, fields[i][0], fields[i][1], NULL));
    assert_true(account_set(&t, "recipe", recipe, NULL));
    t.stage = optimizer == ACCOUNT_NVME || weights == ACCOUNT_HOST ? 3 : 2;
    t.offload_optimizer = (uint8_t)optimizer;
    t.offload_params = (uint8_t)weights;
    t.accumulate = micros;
    return t;
}

typedef void tiers_check(const struct account_training *t, struct account_tiers *w);

/* All that can be set, by the paper and as DeepSpeed does it; with many tokens to hide behind, and
 * with few. */
static void each_tiers(tiers_check *holds) {
    static const char *const recipes[] = {"paper", "deepspeed"};
    struct account_playing at = account_play_begin(account_play_find("tiers"));
    for (uint32_t k = 0; k < 2 * 2 * 3 * 2 * 2; k++) {
        struct account_tiers w;
        at.at[0] = k % 2;
        at.at[1] = k / 2 % 2;
        at.at[2] = k / 4 % 3;
        struct account_training t = offloading((enum account_tier)play_value(&at, "optimizer"),
                                               (enum account_tier)play_value(&at, "weights"),
                                               play_value(&at, "micros"), recipes[k / 12 % 2]);
        t.batch = k / 24 ? 1 : 4;
        at.training = t;
        assert_true(account_tiers(&at, &w, NULL));
        holds(&t, &w);
    }
}

static void moves_what_traffic_counts(const struct account_training *t, struct account_tiers *w) {
    struct account_traffic traffic;
    assert_true(account_traffic(t, &traffic, NULL));
    while (account_tiers_next(w)) continue;
    assert_int_equal(w->moved_down[ACCOUNT_GPU], traffic.offload_down);
    assert_int_equal(w->moved_up[ACCOUNT_GPU], traffic.offload_up);
}

static void tiers_move_what_traffic_counts(void **state) {
    (void)state;
    each_tiers(moves_what_traffic_counts);
}

/* The frames' seconds add up to the clock's step, and those that compute to forward and backward.
 */
static void takes_the_clocks_time(const struct account_training *t, struct account_tiers *w) {
    struct account_clock c;
    assert_true(account_clock(t, &c, NULL));
    double sum = 0;
    while (account_tiers_next(w)) {
        assert_same(w->begins, sum, "begins");
        sum += w->seconds;
    }
    assert_same(sum, c.step, "step");
    assert_same(w->computed, c.forward + c.backward, "computed");
}

static void tiers_take_the_clocks_time(void **state) {
    (void)state;
    each_tiers(takes_the_clocks_time);
}

/* In each frame the ledgers are account_memory()'s of its phase. */
static void keeps_the_ledgers(const struct account_training *t, struct account_tiers *w) {
    struct account_memory m;
    uint64_t highest = 0, most = 0;
    assert_true(account_memory(t, &m, NULL));
    for (int i = ACCOUNT_FORWARD; i < ACCOUNT_PHASES; i++)
        most = m.phase[i].ledger.total > most ? m.phase[i].ledger.total : most;
    assert_int_equal(w->keeps[ACCOUNT_GPU].total, m.persistent.total);
    do {
        uint64_t now = w->keeps[ACCOUNT_GPU].total;
        highest = now > highest ? now : highest;
        assert_int_equal(w->keeps[ACCOUNT_HOST].total, m.host.total);
        assert_int_equal(w->keeps[ACCOUNT_NVME].total, m.nvme.total);
    } while (account_tiers_next(w));
    assert_int_equal(highest, most);
}

static void tiers_keep_the_ledgers(void **state) {
    (void)state;
    each_tiers(keeps_the_ledgers);
}

static void tiers_follow_one_gpu(void **state) {
    (void)state;
    struct account_playing at = account_play_begin(account_play_find("tiers"));
    struct account_error e;
    at.training = offloading(ACCOUNT_HOST, ACCOUNT_GPU, 1, "paper");
    at.training.gpus = 4;
    assert_false(at.play->check(&at, &e));
    assert_non_null(strstr(e.what, "one GPU"));
    at.training.gpus = 1;
    at.training.seq = 0;
    assert_false(at.play->check(&at, &e));
    assert_non_null(strstr(e.what, "a sequence"));
}

/* The frame at which a play asks, and the answer that the frames after it show. */
static void plays_ask_before_what_they_show(void **state) {
    static const struct {
        const char *play;
        struct {
            const char *name;
            uint32_t value;
        } option[3];
        uint32_t stop, answer;
    } rows[] = {
        {"buckets", {{"bucket", 200}, {"overlap", 1}}, 3, 2},
        {"buckets", {{"bucket", 200}, {"overlap", 0}}, 3, 1},
        {"buckets", {{"bucket", 100}, {"overlap", 1}}, 2, 2},
        {"buckets", {{"bucket", 400}, {"overlap", 1}}, 5, 1},
        {"gather-use-free", {{"prefetch", 1}, {"keep", 0}}, 2, 2},
        {"gather-use-free", {{"prefetch", 0}, {"keep", 0}}, 3, 1},
        {"gather-use-free", {{"prefetch", 1}, {"keep", 1}}, 2, 3},
        {"gather-use-free", {{"prefetch", 2}, {"keep", 0}}, 2, 3},
        {"tiers", {{"optimizer", 1}, {"weights", 0}, {"micros", 1}}, 5, 2},
        {"tiers", {{"optimizer", 1}, {"weights", 1}, {"micros", 1}}, 5, 1},
        {"tiers", {{"optimizer", 1}, {"weights", 0}, {"micros", 16}}, 5, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_playing at = account_play_begin(account_play_find(rows[i].play));
        uint32_t answer;
        for (int o = 0; o < 3 && rows[i].option[o].name; o++)
            assert_true(
                account_play_set(&at, rows[i].option[o].name, rows[i].option[o].value, NULL));
        uint32_t stop = at.play->stop(&at, &answer);
        if (stop != rows[i].stop || answer != rows[i].answer)
            fail_msg("row %zu: %s stops at %u, its answer is %u", i, rows[i].play, stop, answer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_buffers_are_cut_as_problems_are),
        cmocka_unit_test(flat_buffers_hold_their_tensors),
        cmocka_unit_test(flat_buffers_have_a_frame_for_each_rank),
        cmocka_unit_test(flat_buffers_say_what_is_cut),
        cmocka_unit_test(buckets_have_their_price),
        cmocka_unit_test(buckets_end_in_the_ledger),
        cmocka_unit_test(buckets_lose_nothing),
        cmocka_unit_test(gathers_peak_as_the_ledger_says),
        cmocka_unit_test(kept_units_are_all_there_at_the_turn),
        cmocka_unit_test(units_are_whole_when_they_compute),
        cmocka_unit_test(tiers_move_what_traffic_counts),
        cmocka_unit_test(tiers_take_the_clocks_time),
        cmocka_unit_test(tiers_keep_the_ledgers),
        cmocka_unit_test(tiers_follow_one_gpu),
        cmocka_unit_test(plays_ask_before_what_they_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
