/* The optimizer's passes: one over all that a rank has of a unit, or one for each tensor in it. The
 * bits are the same wherever the arrays are. */
#include "runs.h"

#include "lab/model.h"

#include <stdio.h>

static struct run run(const char *words) {
    struct lab_options o = run_words(words);
    struct lab_message m = {""};
    if (!lab_options_check(&o, &m)) fail_msg("%s: %s", words, m.text);
    struct run r = run_local(&o);
    if (!r.well) fail_msg("%s: %s", words, r.error[0].text);
    return r;
}

static void passes_change_no_bit(void **state) {
    static const char *const trainings[] = {
        "--ranks 1 --stage 0",
        "--ranks 3 --stage 1",
        "--ranks 3 --stage 2 --precision bf16",
        "--ranks 2 --stage 3 --precision fp16 --clip 0.5",
        "--ranks 2 --stage 2 --offload-optimizer host --bucket 512",
        "--ranks 2 --stage 3 --offload-optimizer host --precision bf16",
    };
    (void)state;
    for (size_t i = 0; i < sizeof trainings / sizeof *trainings; i++) {
        char words[120];
        snprintf(words, sizeof words, "%s --update tensor", trainings[i]);
        struct run one = run(trainings[i]), each = run(words);
        if (one.end[0].weights_hash != each.end[0].weights_hash)
            fail_msg("%s: weights differ", trainings[i]);
        assert_true(each.passes > one.passes);
    }
}

/* One rank has all tensors whole: a pass for each unit, or for each tensor. */
static void passes_are_counted(void **state) {
    struct lab_options o = run_words("--ranks 1 --stage 0");
    struct lab_model *m = lab_model_new(&o.shape);
    uint32_t tensors = 0;
    (void)state;
    for (size_t u = 0; u < m->units; u++) tensors += (uint32_t)m->unit[u].tensors;
    assert_int_equal(run("--ranks 1 --stage 0").passes, m->units);
    assert_int_equal(run("--ranks 1 --stage 0 --update tensor").passes, tensors);
    lab_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_change_no_bit),
                                       cmocka_unit_test(passes_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
