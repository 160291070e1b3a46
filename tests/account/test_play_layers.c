/* Plays inside a layer: matrices divided among ranks, and tokens that travel to experts. Their
 * bytes are the engine's. */
#include "account/check.h"

#include <string.h>

/* ── a layer divided among ranks ───────────────────────────────────────────────────────────────*/

typedef void layer_check(struct account_playing at, const struct account_layer *w);

/* Each frame of each of its options. */
static void each_layer(layer_check *holds) {
    struct account_playing at = account_play_begin(account_play_find("tensor-layer"));
    size_t seen = 0;
    for (at.at[0] = 0; at.at[0] < at.play->option[0].values; at.at[0]++)
        for (at.at[1] = 0; at.at[1] < 2; at.at[1]++) {
            uint32_t frames = account_play_frames(&at);
            for (at.frame = 0; at.frame < frames; at.frame++, seen++) {
                struct account_layer w;
                assert_true(account_layer(&at, &w, NULL));
                holds(at, &w);
            }
        }
    assert_int_equal(seen, 3 * (22 + 26));
}

static bool is_shared_once(enum account_layer_part part, uint32_t ranks) {
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t owners = 0;
        for (uint32_t r = 0; r < ranks; r++)
            owners += account_layer_has(part, r, i / ranks, i % ranks);
        if (owners != 1) return false;
    }
    return true;
}

/* Between the halves ranks have all, or share the tokens; between the matrices they share the
 * features. Partial sums are added up right after the second matrix, in backward the first. */
static void has_the_right_part(struct account_playing at, const struct account_layer *w) {
    struct account_layer next;
    bool shared = w->part == ACCOUNT_LAYER_TOKENS || w->part == ACCOUNT_LAYER_FEATURES;
    assert_int_equal(is_shared_once(w->part, w->ranks), shared);
    if (w->place == ACCOUNT_LAYER_NORM)
        assert_int_equal(w->part, w->sequence ? ACCOUNT_LAYER_TOKENS : ACCOUNT_LAYER_WHOLE);
    if (w->place == ACCOUNT_LAYER_LOCAL) assert_int_equal(w->part, ACCOUNT_LAYER_FEATURES);
    assert_int_equal(w->part == ACCOUNT_LAYER_PARTIAL,
                     w->place == (w->backward ? ACCOUNT_LAYER_COLUMNS : ACCOUNT_LAYER_ROWS));
    if (w->part != ACCOUNT_LAYER_PARTIAL) return;
    at.frame++;
    assert_true(account_layer(&at, &next, NULL));
    assert_int_equal(next.sums, w->sums + 1);
    assert_int_not_equal(next.part, ACCOUNT_LAYER_PARTIAL);
}

static void ranks_have_the_right_part(void **state) {
    (void)state;
    each_layer(has_the_right_part);
}

/* Of llama-2-70b: 4096 tokens of 8192 features in 16 bits, which (t − 1)/t of the ranks do not
 * have. An all-reduce sends that twice, an all-gather or a reduce-scatter once. Four all-reduces a
 * layer: Shoeybi et al., arXiv:1909.08053, section 3. Sequence parallelism puts a reduce-scatter
 * and an all-gather in the place of each, and gathers the two inputs again in backward: Korthikanti
 * et al., arXiv:2205.05198, section 4.2.2. */
static void sends_what_papers_count(struct account_playing at, const struct account_layer *w) {
    uint64_t once = (uint64_t)4096 * 8192 * 2 / w->ranks * (w->ranks - 1);
    (void)at;
    if (!w->over) return;
    assert_int_equal(w->each, w->sequence ? once : 2 * once);
    assert_int_equal(w->each * w->sums, w->sequence ? 4 * once : 8 * once);
    assert_int_equal(w->each * w->gathers, w->sequence ? (4 + 2) * once : 0);
}

static void layers_send_what_papers_count(void **state) {
    (void)state;
    each_layer(sends_what_papers_count);
}

/* All layers of the usual model together send what account_traffic() says of its training. */
static void sends_what_traffic_counts(struct account_playing at, const struct account_layer *w) {
    struct account_training t = account_training_default();
    struct account_traffic traffic;
    struct account_activations a;
    (void)at;
    if (!w->over) return;
    assert_true(account_set(&t, "model", "llama-2-70b", NULL));
    t.batch = 1;
    t.seq = 4096;
    t.gpus = t.tp = w->ranks;
    t.sp = w->sequence;
    assert_true(account_traffic(&t, &traffic, NULL));
    assert_int_equal(w->each * (w->sums + w->gathers) * 80, traffic.total);
    assert_true(account_activations(&t, &a, NULL));
    assert_int_equal(w->keeps, a.layer);
    assert_int_equal(w->sums, 4);
    assert_int_equal(w->gathers, w->sequence ? 6 : 0);
}

static void layers_send_what_traffic_counts(void **state) {
    (void)state;
    each_layer(sends_what_traffic_counts);
}

/* The play stops before the first collective, and asks how many there are in forward. */
static void asks_for_forwards_collectives(struct account_playing at,
                                          const struct account_layer *w) {
    uint32_t answer, stop = at.play->stop(&at, &answer);
    assert_int_equal(w->sums + w->gathers > 0, w->frame >= stop);
    if (w->backward || w->frame == 0) return;
    at.frame++;
    struct account_layer next;
    assert_true(account_layer(&at, &next, NULL));
    if (next.backward) assert_int_equal(w->sums + w->gathers, answer);
}

static void layers_ask_for_forwards_collectives(void **state) {
    (void)state;
    each_layer(asks_for_forwards_collectives);
}

/* ── experts ───────────────────────────────────────────────────────────────────────────────────*/

static struct account_experts experts(uint32_t ranks, uint32_t routing, uint32_t frame) {
    struct account_playing at = account_play_begin(account_play_find("experts"));
    struct account_experts w;
    assert_true(account_play_set(&at, "ranks", ranks, NULL));
    assert_true(account_play_set(&at, "routing", routing, NULL));
    at.frame = frame;
    assert_true(account_experts(&at, &w, NULL));
    return w;
}

static uint32_t count_copies(const struct account_experts *w, enum account_copy_state state,
                             uint32_t at) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < w->ranks; r++)
        for (uint32_t t = 0; t < ACCOUNT_EXPERT_TOKENS; t++)
            for (uint32_t k = 0; k < w->choices; k++)
                n += (at == UINT32_MAX || w->to[r][t][k] == at) &&
                     account_experts_copy(w, r, t, k) == state;
    return n;
}

/* A token's experts are two, on two ranks unless the router prefers a rank with several; while they
 * compute each rank has what it computes; at the end all copies are back. */
static void experts_lose_no_token(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 8; ranks *= 2)
        for (uint32_t routing = 0; routing < 2; routing++) {
            struct account_experts w = experts(ranks, routing, ranks + 1), end;
            uint32_t all = ranks * ACCOUNT_EXPERT_TOKENS * w.choices, computed = 0;
            assert_int_equal(w.phase, ACCOUNT_EXPERTS_COMPUTE);
            for (uint32_t r = 0; r < ranks; r++) {
                assert_int_equal(count_copies(&w, ACCOUNT_COPY_AWAY, r), w.computes[r]);
                computed += w.computes[r];
                for (uint32_t t = 0; t < ACCOUNT_EXPERT_TOKENS && (ranks == 8 || !routing); t++)
                    assert_int_not_equal(w.to[r][t][0], w.to[r][t][1]);
            }
            assert_int_equal(computed, all);
            assert_int_equal(w.most > w.even, routing);
            end = experts(ranks, routing, UINT32_MAX);
            assert_int_equal(count_copies(&end, ACCOUNT_COPY_BACK, UINT32_MAX), all);
        }
}

/* The end names the rank that sent most, if one sent more than others. */
static void the_end_names_who_sent_most(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 8; ranks *= 2)
        for (uint32_t routing = 0; routing < 2; routing++) {
            struct account_experts w = experts(ranks, routing, UINT32_MAX);
            struct account_playing at = account_play_begin(account_play_find("experts"));
            struct account_play_frame f;
            bool more = false;
            for (uint32_t r = 1; r < ranks; r++) more |= w.sent[r] != w.sent[0];
            assert_true(account_play_set(&at, "ranks", ranks, NULL));
            assert_true(account_play_set(&at, "routing", routing, NULL));
            at.frame = w.frames - 1;
            account_play_frame(&at, &f);
            assert_int_equal(strstr(f.says, "sent most") != NULL, more);
        }
}

/* In every hop arrive the copies that were sent in it, there and back. */
static void what_is_sent_arrives(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 8; ranks *= 2)
        for (uint32_t routing = 0; routing < 2; routing++) {
            struct account_experts before = experts(ranks, routing, 0), w;
            for (uint32_t f = 1; f < before.frames; f++, before = w) {
                uint32_t sent = 0;
                w = experts(ranks, routing, f);
                for (uint32_t r = 0; r < ranks; r++) sent += w.sent[r] - before.sent[r];
                assert_int_equal(sent, count_copies(&w, ACCOUNT_COPY_ARRIVES, UINT32_MAX));
                assert_int_equal(sent > 0, w.hop > 0);
            }
        }
}

/* Routed evenly, forward and backward of all layers send what account_traffic() says. */
static void experts_send_what_traffic_counts(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 8; ranks *= 2) {
        struct account_experts w = experts(ranks, 0, UINT32_MAX);
        struct account_training t = account_training_default();
        struct account_traffic traffic;
        assert_true(account_set(&t, "model", "mixtral-8x7b", NULL));
        t.batch = 1;
        t.seq = 4096;
        t.gpus = t.ep = ranks;
        t.stage = 0;
        assert_true(account_traffic(&t, &traffic, NULL));
        /* Mixtral has 32 layers and sends 4096 tokens of 4096 features in 16 bits to two experts
         * each: there and back, forward and backward. (Lepikhin et al., arXiv:2006.16668) */
        assert_int_equal(traffic.sent[ACCOUNT_ALL_TO_ALL],
                         (uint64_t)32 * 4 * 2 * 4096 * 4096 * 2 / ranks * (ranks - 1));
        for (uint32_t r = 0; r < ranks; r++)
            assert_int_equal((uint64_t)(64 * w.sent[r] * w.copy + 0.5),
                             traffic.sent[ACCOUNT_ALL_TO_ALL]);
    }
}

static void other_models_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *play, *model, *why;
    } rows[] = {
        {"experts", "llama-2-7b", "this play needs a model whose tokens go to 1 or 2 experts"},
        {"tensor-layer", NULL, "shape"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_playing at = account_play_begin(account_play_find(rows[i].play));
        struct account_error e;
        at.training = account_training_default();
        at.training.params = 1000000000;
        at.training.gpus = 4;
        at.training.batch = 1;
        at.training.seq = 128;
        if (rows[i].model) assert_true(account_set(&at.training, "model", rows[i].model, NULL));
        assert_false(at.play->check(&at, &e));
        if (!strstr(e.what, rows[i].why)) fail_msg("%s: %s", rows[i].play, e.what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_have_the_right_part),
        cmocka_unit_test(layers_send_what_papers_count),
        cmocka_unit_test(layers_send_what_traffic_counts),
        cmocka_unit_test(layers_ask_for_forwards_collectives),
        cmocka_unit_test(experts_lose_no_token),
        cmocka_unit_test(the_end_names_who_sent_most),
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(experts_send_what_traffic_counts),
        cmocka_unit_test(other_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
