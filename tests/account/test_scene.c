/* Collectives step by step: what they end in, and what they sent on the way. */
#include "account/check.h"

static int sum_of(uint32_t ranks, uint32_t chunk) {
    int sum = 0;
    for (uint32_t r = 0; r < ranks; r++) sum += (int)(r + chunk + 1);
    return sum;
}

static struct account_scene last(enum account_play play, uint32_t ranks) {
    struct account_scene s;
    assert_true(account_scene(play, ranks, 1000, &s));
    assert_int_equal(s.step, s.steps);
    return s;
}

static void check_cell(const struct account_scene *s, uint32_t rank, uint32_t chunk) {
    assert_int_equal(s->cell[rank][chunk].parts, s->ranks);
    assert_int_equal(s->cell[rank][chunk].value, sum_of(s->ranks, chunk));
}

static void sums_arrive(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
        struct account_scene s = last(ACCOUNT_PLAY_RING_REDUCE_SCATTER, n);
        for (uint32_t r = 0; r < n; r++) check_cell(&s, r, r);
        for (int play = ACCOUNT_PLAY_RING_ALL_GATHER; play < ACCOUNT_PLAYS; play++) {
            s = last((enum account_play)play, n);
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t c = 0; c < n; c++) check_cell(&s, r, c);
        }
    }
}

/* The ring's traffic is what account_collective_factor() says, chunk by chunk; no rank sends more
 * than another. */
static void rings_send_their_factor(void **state) {
    (void)state;
    static const struct {
        enum account_play play;
        enum account_collective_kind op;
    } rows[] = {
        {ACCOUNT_PLAY_RING_REDUCE_SCATTER, ACCOUNT_REDUCE_SCATTER},
        {ACCOUNT_PLAY_RING_ALL_GATHER,     ACCOUNT_ALL_GATHER    },
        {ACCOUNT_PLAY_RING_ALL_REDUCE,     ACCOUNT_ALL_REDUCE    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t n = 2; n <= ACCOUNT_SCENE_RANKS; n++) {
            struct account_scene s = last(rows[i].play, n);
            for (uint32_t r = 0; r < n; r++)
                assert_same((double)s.sent[r] / n, account_collective_factor(rows[i].op, n),
                            "sent");
        }
}

/* A tree takes 2 log2 n steps, but its root sends and receives whole buffers. */
static void trees_are_short(void **state) {
    (void)state;
    assert_int_equal(last(ACCOUNT_PLAY_TREE_ALL_REDUCE, 8).steps, 6);
    assert_int_equal(last(ACCOUNT_PLAY_TREE_ALL_REDUCE, 5).steps, 6);
    assert_int_equal(last(ACCOUNT_PLAY_RING_ALL_REDUCE, 8).steps, 14);
    assert_int_equal(last(ACCOUNT_PLAY_TREE_ALL_REDUCE, 8).sent[0], 3 * 8);
}

static void steps_go_back(void **state) {
    (void)state;
    struct account_scene a, b;
    assert_true(account_scene(ACCOUNT_PLAY_RING_ALL_REDUCE, 4, 2, &a));
    assert_int_equal(a.moves, 4);
    assert_int_equal(a.cell[1][2].parts, 3);
    assert_true(account_scene(ACCOUNT_PLAY_RING_ALL_REDUCE, 4, 0, &b));
    assert_int_equal(b.moves, 0);
    assert_int_equal(b.cell[3][3].value, 7);
}

static void only_what_can_be_shown(void **state) {
    (void)state;
    struct account_scene s;
    enum account_play play;
    assert_false(account_scene(ACCOUNT_PLAY_RING_ALL_REDUCE, 1, 0, &s));
    assert_false(account_scene(ACCOUNT_PLAY_RING_ALL_REDUCE, 9, 0, &s));
    assert_true(account_play_find("tree-all-reduce", &play));
    assert_int_equal(play, ACCOUNT_PLAY_TREE_ALL_REDUCE);
    assert_false(account_play_find("star", &play));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_arrive),
        cmocka_unit_test(rings_send_their_factor),
        cmocka_unit_test(trees_are_short),
        cmocka_unit_test(steps_go_back),
        cmocka_unit_test(only_what_can_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
