/* Plays of collectives: what rings and trees end in, and what they send on the way. */
#include "account/check.h"

static struct account_scene last(enum account_scene_kind kind, uint32_t ranks) {
    struct account_scene s;
    assert_true(account_scene(kind, ranks, 1000, &s));
    assert_int_equal(s.frame + 1, s.frames);
    assert_int_equal(s.hop, s.hops);
    assert_false(s.leaving);
    return s;
}

static void chunks_end_whole(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
        struct account_scene s = last(ACCOUNT_SCENE_RING_REDUCE_SCATTER, n);
        for (uint32_t r = 0; r < n; r++) assert_true(account_cell_whole(&s, r, r));
        for (int kind = ACCOUNT_SCENE_RING_ALL_GATHER; kind < ACCOUNT_SCENES; kind++) {
            s = last((enum account_scene_kind)kind, n);
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t c = 0; c < n; c++) assert_true(account_cell_whole(&s, r, c));
        }
    }
}

/* No share is added twice: what arrives has none of those that are there. */
static void shares_are_added_once(void **state) {
    (void)state;
    for (int kind = 0; kind < ACCOUNT_SCENES; kind++)
        for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
            struct account_scene s;
            uint32_t frame = 1;
            while (account_scene((enum account_scene_kind)kind, n, frame, &s) && frame < s.frames) {
                assert_true(s.leaving);
                for (size_t i = 0; i < s.moves; i++) {
                    const struct account_move *m = &s.move[i];
                    uint16_t came = s.cell[m->from][m->chunk].shares,
                             had = s.cell[m->to][m->chunk].shares;
                    assert_int_not_equal(came, 0);
                    if (m->adds) assert_int_equal(came & had, 0);
                    if (!m->adds) assert_true(account_cell_whole(&s, m->from, m->chunk));
                }
                frame += 2;
            }
        }
}

/* What is stale is a part of a sum that is being made elsewhere: it is never sent again. */
static void stale_sums_stay_where_they_are(void **state) {
    (void)state;
    for (int kind = 0; kind < ACCOUNT_SCENES; kind++) {
        struct account_scene before, s;
        account_scene((enum account_scene_kind)kind, 6, 0, &before);
        for (uint32_t frame = 1; frame < before.frames; frame++) {
            account_scene((enum account_scene_kind)kind, 6, frame, &s);
            for (size_t i = 0; s.leaving && i < s.moves; i++)
                assert_false(before.cell[s.move[i].from][s.move[i].chunk].stale);
            before = s;
        }
    }
}

/* A ring's traffic is what account_collective_factor() says, chunk by chunk; no rank sends more
 * than another. */
static void rings_send_their_factor(void **state) {
    (void)state;
    static const struct {
        enum account_scene_kind kind;
        enum account_collective_kind op;
    } rows[] = {
        {ACCOUNT_SCENE_RING_REDUCE_SCATTER, ACCOUNT_REDUCE_SCATTER},
        {ACCOUNT_SCENE_RING_ALL_GATHER, ACCOUNT_ALL_GATHER},
        {ACCOUNT_SCENE_RING_ALL_REDUCE, ACCOUNT_ALL_REDUCE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
            struct account_scene s = last(rows[i].kind, n);
            for (uint32_t r = 0; r < n; r++)
                assert_same((double)s.sent[r] / n, account_collective_factor(rows[i].op, n),
                            "sent");
        }
}

/* In bytes they are what one rank of such a training sends, whose gradients divide evenly. */
static void rings_send_what_traffic_counts(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
        struct account_training t = account_training_default();
        struct account_traffic traffic;
        t.params = 840 * 1000;
        t.gpus = n;
        assert_true(account_traffic(&t, &traffic, NULL));
        struct account_scene s = last(ACCOUNT_SCENE_RING_ALL_REDUCE, n);
        assert_same((double)s.sent[0] * 2 * 840 * 1000 / n,
                    (double)traffic.sent[ACCOUNT_ALL_REDUCE], "bytes");
    }
}

/* A tree takes 2 log2 n hops, but its root sends and receives whole buffers. */
static void trees_are_short(void **state) {
    (void)state;
    assert_int_equal(last(ACCOUNT_SCENE_TREE_ALL_REDUCE, 8).hops, 6);
    assert_int_equal(last(ACCOUNT_SCENE_TREE_ALL_REDUCE, 5).hops, 6);
    assert_int_equal(last(ACCOUNT_SCENE_RING_ALL_REDUCE, 8).hops, 14);
    assert_int_equal(last(ACCOUNT_SCENE_TREE_ALL_REDUCE, 8).sent[0], 3 * 8);
}

/* A hop is two frames: in the first its chunks have left, and nothing has changed where they go. */
static void chunks_leave_before_they_arrive(void **state) {
    (void)state;
    struct account_scene a, b;
    assert_true(account_scene(ACCOUNT_SCENE_RING_ALL_REDUCE, 4, 1, &a));
    assert_true(a.leaving);
    assert_int_equal(a.hop, 1);
    assert_int_equal(a.moves, 4);
    assert_int_equal(a.sent[3], 1);
    assert_int_equal(a.cell[1][3].shares, 1 << 1);
    assert_true(account_scene(ACCOUNT_SCENE_RING_ALL_REDUCE, 4, 2, &b));
    assert_false(b.leaving);
    assert_int_equal(b.hop, 1);
    assert_int_equal(b.moves, 4);
    assert_int_equal(b.cell[1][3].shares, 1 << 0 | 1 << 1);
    assert_true(b.cell[1][3].fresh);
    assert_true(b.cell[0][3].stale);
}

static void only_what_can_be_shown(void **state) {
    (void)state;
    struct account_scene s;
    assert_false(account_scene(ACCOUNT_SCENE_RING_ALL_REDUCE, 1, 0, &s));
    assert_false(account_scene(ACCOUNT_SCENE_RING_ALL_REDUCE, 9, 0, &s));
    assert_null(account_play_find("star"));
}

/* A play with so many ranks, at the frame in which it asks; its answer. */
static struct account_playing asking(const char *play, uint32_t ranks, uint32_t *answer) {
    struct account_playing at = account_play_begin(account_play_find(play));
    assert_true(account_play_set(&at, "ranks", ranks, NULL));
    at.frame = at.play->stop(&at, answer) - 1;
    return at;
}

/* The question's answer: in a ring the first whole chunk comes after n − 1 hops, in a tree after
 * log n. It is asked before the hop of the answer begins. */
static void all_reduces_ask_before_the_last_sum(void **state) {
    static const char *const plays[] = {"ring-all-reduce", "tree-all-reduce"};
    (void)state;
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
        for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
            struct account_scene s;
            uint32_t answer, whole = 0;
            struct account_playing at = asking(plays[i], n, &answer);
            assert_true(account_scene_of(&at, &s));
            assert_true(s.hop < answer);
            for (at.frame = 0; !whole; at.frame++) {
                assert_true(account_scene_of(&at, &s));
                for (uint32_t c = 0; c < n; c++) whole += account_cell_whole(&s, 0, c);
            }
            assert_int_equal(s.hop, answer);
        }
}

/* Each rank ends with the sum of its own chunk, which is whole on no rank when the play asks. */
static void a_reduce_scatter_asks_where_a_sum_ends(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
        struct account_scene s;
        uint32_t answer;
        struct account_playing at = asking("ring-reduce-scatter", n, &answer);
        assert_int_equal(answer, 0);
        assert_true(account_scene_of(&at, &s));
        for (uint32_t rank = 0; rank < n; rank++) assert_false(account_cell_whole(&s, rank, 0));
        assert_int_equal(s.hop, n > 2);
    }
}

/* A rank sends its own chunk first, and then the one that it received last. */
static void an_all_gather_asks_what_is_passed_on(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
        struct account_scene s;
        uint32_t answer;
        struct account_playing at = asking("ring-all-gather", n, &answer);
        assert_int_equal(answer, n == 2 ? 0 : n - 1);
        assert_true(account_scene_of(&at, &s));
        assert_true(!s.leaving && account_cell_whole(&s, 0, answer));
        assert_true(answer == 0 || s.cell[0][answer].fresh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_end_whole),
        cmocka_unit_test(shares_are_added_once),
        cmocka_unit_test(stale_sums_stay_where_they_are),
        cmocka_unit_test(rings_send_their_factor),
        cmocka_unit_test(rings_send_what_traffic_counts),
        cmocka_unit_test(trees_are_short),
        cmocka_unit_test(chunks_leave_before_they_arrive),
        cmocka_unit_test(only_what_can_be_shown),
        cmocka_unit_test(all_reduces_ask_before_the_last_sum),
        cmocka_unit_test(a_reduce_scatter_asks_where_a_sum_ends),
        cmocka_unit_test(an_all_gather_asks_what_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
