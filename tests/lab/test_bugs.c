/* Planted faults: each makes the weights wrong, and no two of them look alike. */
#include "runs.h"

#include "lab/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char given[] = "--ranks 3 --stage 3 --clip 0.5 --bucket 512 --steps 4 --batch 2";

/* What a learner can see of a run, next to the same run without its fault. */
struct seen {
    /* The first step whose loss is another; 0: none is, in six digits. */
    int step;
    /* Fewer bytes are gathered, reduced, exchanged as single numbers. */
    int gathers, reduces, controls;
    /* Gradients are in flight during the update. */
    int reduce_held;
};

static struct run planted(enum lab_bug bug) {
    struct lab_options o = run_words(given);
    struct lab_message m = {""};
    o.bug = bug;
    if (!lab_options_check(&o, &m)) fail_msg("%s", m.text);
    return run_local(&o);
}

static bool held(const struct run *r, enum account_category c) {
    for (size_t i = 0; i < r->moments; i++)
        if (r->moment[i].where.phase == LAB_AT_UPDATE && r->moment[i].as.memory.highest[c] > 0)
            return true;
    return false;
}

static struct seen look(const struct run *right, const struct run *wrong) {
    struct seen s = {0};
    const struct lab_says_end *a = &right->end[0], *b = &wrong->end[0];
    for (int i = 4; i > 0; i--)
        if (fabs(right->loss[i] - wrong->loss[i]) > 1e-6 * right->loss[i]) s.step = i;
    s.gathers = b->sent[LAB_ALL_GATHER] < a->sent[LAB_ALL_GATHER];
    s.reduces = b->sent[LAB_REDUCE_SCATTER] < a->sent[LAB_REDUCE_SCATTER];
    s.controls = b->control < a->control;
    s.reduce_held = held(wrong, ACCOUNT_REDUCE);
    return s;
}

static void each_fault_is_caught_and_told_apart(void **state) {
    struct seen seen[LAB_BUGS];
    struct run right = planted(LAB_NO_BUG);
    (void)state;
    assert_true(right.well);
    for (int bug = 1; bug < LAB_BUGS; bug++) {
        struct run wrong = planted((enum lab_bug)bug);
        assert_true(wrong.well);
        if (wrong.end[0].weights_hash == right.end[0].weights_hash)
            fail_msg("%s is not caught by the hashes", lab_bug_name((enum lab_bug)bug));
        seen[bug] = look(&right, &wrong);
        for (int other = 1; other < bug; other++)
            if (memcmp(&seen[bug], &seen[other], sizeof *seen) == 0)
                fail_msg("%s looks like %s", lab_bug_name((enum lab_bug)bug),
                         lab_bug_name((enum lab_bug)other));
    }
    /* Without its fault a run is as it was. */
    struct seen none = look(&right, &right);
    assert_int_equal(none.step, 0);
    assert_false(none.reduce_held);
}

/* The signs that the lab's text tells the learner to look for. */
static void a_fault_shows_where_it_is(void **state) {
    struct run right = planted(LAB_NO_BUG);
    static const struct {
        enum lab_bug bug;
        struct seen seen;
    } told[] = {
        {LAB_FORGOTTEN_MEAN, {.step = 0}},
        {LAB_LOCAL_NORM, {.step = 0, .controls = true}},
        {LAB_KEPT_GRADS, {.step = 3}},
        {LAB_MISSING_GATHER, {.step = 1, .gathers = true}},
        {LAB_LATE_REDUCE, {.step = 2, .reduce_held = true}},
        {LAB_STALE_PREFETCH, {.step = 2}},
        {LAB_SAME_DATA, {.step = 1}},
        {LAB_LOST_BUCKET, {.step = 2, .reduces = true}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct run wrong = planted(told[i].bug);
        struct seen s = look(&right, &wrong);
        if (memcmp(&s, &told[i].seen, sizeof s) != 0)
            fail_msg("%s: step %d, fewer %d %d %d, held %d", lab_bug_name(told[i].bug), s.step,
                     s.gathers, s.reduces, s.controls, s.reduce_held);
    }
}

static void a_fault_is_refused_where_it_could_stay_on(void **state) {
    static const char *const refused[][2] = {
        {"--ranks 3 --stage 3 --plant-bug same-data --save /tmp/x", "leave out --save"},
        {"--ranks 3 --stage 3 --plant-bug same-data --resume /tmp/x", "leave out --resume"},
        {"--ranks 3 --stage 3 --plant-bug same-data --offload-optimizer host",
         "leave out --offload-optimizer"},
        {"--ranks 1 --stage 3 --plant-bug same-data", "--ranks 2"},
        {"--ranks 3 --stage 0 --plant-bug missing-gather", "--stage 1"},
        {"--ranks 3 --stage 2 --plant-bug stale-prefetch", "--stage 3"},
        {"--ranks 3 --stage 3 --prefetch 0 --plant-bug stale-prefetch", "--prefetch 1"},
        {"--ranks 3 --stage 2 --plant-bug local-norm", "--clip 1"},
        {"--ranks 3 --stage 2 --precision fp16 --clip 1 --plant-bug local-norm", "leave out fp16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct lab_options o;
        struct lab_message m = {""};
        char words[120], *word[16] = {"zerolab"}, *rest = NULL;
        int n = 1;
        snprintf(words, sizeof words, "%s", refused[i][0]);
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
            word[n++] = w;
        lab_options_default(&o);
        assert_true(lab_options_read(n, word, &o, &m));
        assert_false(lab_options_check(&o, &m));
        if (!strstr(m.text, refused[i][1])) fail_msg("%s: %s", refused[i][0], m.text);
    }
}

/* By its number a fault is planted without its name in the command, which a learner sees, and
 * nothing that is written names it. */
static void a_number_names_no_fault(void **state) {
    (void)state;
    for (int i = 0; i < LAB_BUGS + 1; i++) {
        char number[] = {(char)('0' + i), '\0'}, *word[] = {"zerolab", "--plant-bug", number};
        struct lab_options o;
        struct lab_message m = {""};
        lab_options_default(&o);
        assert_int_equal(lab_options_read(3, word, &o, &m), i > 0 && i < LAB_BUGS);
        if (i > 0 && i < LAB_BUGS) assert_int_equal(o.bug, i);
        if (i > 0 && i < LAB_BUGS) assert_string_equal(lab_bug_asked(&o), number);
    }
    for (enum lab_bug bug = LAB_NO_BUG; bug < LAB_BUGS; bug++) {
        char name[32], *word[] = {"zerolab", "--plant-bug", name};
        struct lab_options o;
        struct lab_message m = {""};
        snprintf(name, sizeof name, "%s", lab_bug_name(bug));
        lab_options_default(&o);
        assert_true(lab_options_read(3, word, &o, &m));
        assert_int_equal(o.bug, bug);
        assert_string_equal(lab_bug_asked(&o), name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_caught_and_told_apart),
        cmocka_unit_test(a_fault_shows_where_it_is),
        cmocka_unit_test(a_fault_is_refused_where_it_could_stay_on),
        cmocka_unit_test(a_number_names_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
