/* What a sentence under "Decision" decides: the stage, whether activations are checkpointed, whether the optimizer is offloaded. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

static const struct {
    const char *sentence;
    int stage;
    uint8_t keeps, offload;
} choices[] = {
    {"ZeRO-2.",                                                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2; nothing recomputed; nothing offloaded.",                     2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We don't checkpoint, and stage 2 it is.",                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We won't take stage 3 but stage 2.",                                 2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no AC, mbs=1.",                                              2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Use ZeRO stage 2 (not 3).",                                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-3 was tempting, but we run ZeRO-2.",                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Train with stage 2; stage 3 if memory gets tight.",                  2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We considered stage 1, stage 2 and stage 3 and settled on stage 2.", 2,    ACCOUNT_KEEP_ALL,
     ACCOUNT_GPU                                                                                                },
    {"Of stages 0 to 3 we pick 2.",                                        2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"DeepSpeed with `\"stage\": 2`.",                                     2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"FSDP SHARD_GRAD_OP, no checkpointing.",                              2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"FSDP full shard.",                                                   3,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"FSDP FULL_SHARD with activation checkpointing.",                     3,    ACCOUNT_FULL,      ACCOUNT_GPU },
    {"FSDP2 with reshard_after_forward=False.",                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 with activation checkpointing off.",                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, activation checkpointing: off.",                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, activation checkpointing disabled.",                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 and no recompute.",                                           2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, activations are not recomputed.",                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2; we do not need activation checkpointing.",                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2; activation checkpointing is not needed.",                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, AC off",                                                     2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 with full AC.",                                               2,    ACCOUNT_FULL,      ACCOUNT_GPU },
    {"ZeRO-2 with gradient_checkpointing=True.",                           2,    ACCOUNT_FULL,      ACCOUNT_GPU },
    {"ZeRO-2 with selective activation recomputation.",                    2,    ACCOUNT_SELECTIVE, ACCOUNT_GPU },
    {"ZeRO-2 rather than ZeRO-3.",                                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Not ZeRO-3 but ZeRO-2.",                                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Instead of ZeRO-3 we use ZeRO-2.",                                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We reject stage 3. We choose stage 2.",                              2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Gradient and optimizer sharding (ZeRO-2).",                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Pos+g (ZeRO-2).",                                                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Stage II.",                                                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Z2.",                                                                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"zero_optimization.stage = 2",                                        2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO‑2 (non-breaking hyphen).",                                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO 2",                                                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO2",                                                              2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"zero-2",                                                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO–2",                                                           2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Stage‑2",                                                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 with CPU offload of the optimizer.",                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_HOST},
    {"ZeRO-2 without CPU offload.",                                        2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no offloading, 4 micro-batches accumulated.",                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, gradient accumulation 4.",                                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 with micro-batch 2.",                                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, micro-batch size 4",                                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 on 4 GPUs.",                                                  2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-1 over 16 GPUs.",                                               1,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 on 8 GPUs, TP=2.",                                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-1 with tensor parallel 4.",                                     1,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"DDP.",                                                               0,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We choose ZeRO stage 4.",                                            NONE, ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We choose both stage 2 and stage 3.",                                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We do not choose stage 2.",                                          NONE, ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Stage 2? No. Stage 3.",                                              3,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no activation recomputation.",                               2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 without any checkpointing.",                                  2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 without gradient checkpointing.",                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, gradient checkpointing off.",                                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, gradient checkpointing disabled.",                           2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no gradient checkpointing.",                                 2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, checkpointing not required.",                                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2; activations fit, so checkpointing is unnecessary.",          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no full recompute.",                                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 (no offload, no checkpointing).",                             2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, optimizer offload: none.",                                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 without optimizer offload.",                                  2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, offload disabled.",                                          2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no CPU offload.",                                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2, no NVMe offload.",                                           2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 without host offload.",                                       2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We pick ZeRO-2; ZeRO-1 does not fit.",                               2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-1 does not fit, so ZeRO-2.",                                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Because ZeRO-1 does not fit, we use ZeRO-2.",                        2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 over ZeRO-3.",                                                2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We prefer ZeRO-2 to ZeRO-3.",                                        2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-3 is not needed: ZeRO-2.",                                      2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-3 would work too, but ZeRO-2 is simpler; go with ZeRO-2.",      2,    ACCOUNT_KEEP_ALL,
     ACCOUNT_GPU                                                                                                },
    {"Start with DDP-like simplicity: ZeRO-2.",                            2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Compared to DDP, ZeRO-2 fits: we use it.",                           2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"DDP does not fit. We use ZeRO-2.",                                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Plain DDP is out; ZeRO-2 it is.",                                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Compared to DDP, ZeRO-2 fits.",                                      2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"ZeRO-2 without any checkpointing",                                   2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We choose stage 2 and reject stages 1 and 3.",                       2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"We choose stage 2 instead of stage 1, 2 or 3.",                      2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Rather than offloading, we choose stage 2.",                         2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
    {"Plain DDP is out. ZeRO-2 it is.",                                    2,    ACCOUNT_KEEP_ALL,  ACCOUNT_GPU },
};

static void a_decision_is_read_as_it_is_meant(void **state) {
    size_t missed = 0;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(choices); i++) {
        struct study_memo_report r;
        char *text = base_format(
            "Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, "
            "sequence 2048, micro-batch 1\n\n## Decision\n\n%s\n",
            choices[i].sentence);
        assert_true(study_memo_check(text, strlen(text), NULL, &r, NULL));
        int stage = r.decided ? r.chosen.stage : NONE;
        if (stage != choices[i].stage ||
            (r.decided && (r.chosen.checkpoint != choices[i].keeps ||
                           r.chosen.offload_optimizer != choices[i].offload))) {
            print_error("%s: stage %d, checkpointing %u, offload %u\n", choices[i].sentence, stage,
                        r.chosen.checkpoint, r.chosen.offload_optimizer);
            missed++;
        }
        study_memo_free(&r);
        free(text);
    }
    assert_int_equal(missed, 0);
}

static void two_stages_are_no_decision(void **state) {
    static const char text[] =
        "Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, "
        "sequence 2048, micro-batch 1\n\n## Decision\n\nWe choose both stage 2 and stage 3.\n";
    struct study_memo_report r;
    (void)state;
    assert_true(study_memo_check(text, strlen(text), NULL, &r, NULL));
    assert_int_equal(r.kinds[STUDY_MEMO_CONTRADICTORY], 1);
    study_memo_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decision_is_read_as_it_is_meant),
        cmocka_unit_test(two_stages_are_no_decision),
    };
    return cmocka_run_group_tests_name("study/memo choices", tests, NULL, NULL);
}
