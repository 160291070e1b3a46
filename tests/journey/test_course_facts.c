/* What the course says is what was published: each lesson is read once in linear mode, every
 * question passed over, and must say these figures. They are written down here from the papers'
 * formulas and tables; the lessons have theirs from the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/course.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { FACTS = 16, PASSES = 300 };

static const struct {
    const char *lesson, *says[FACTS];
} facts[] = {
    /* Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1: 2 + 2 + 12 bytes of mixed-precision
     * Adam; 7e9 of them. PyTorch's autocast splits the 16 as fp32 does, and holds 2 × 7e9 bytes of
     * casts from forward to backward (aten/src/ATen/autocast_mode.cpp) */
    {"1.1",
     {"16 bytes", "112 GB", "4 + 4 + 8", "7.4%", "Pure bf16 fits (56 GB)", "autocast",
      "14 GB for 7B"}},
    /* (N − 1)/N of what N = 8 replicas keep is redundant */
    {"1.2", {"87.5%"}},
    /* ZeRO, figure 1 and section 5: 7.5e9 parameters on 64 GPUs */
    {"1.3", {"16Ψ", "4Ψ + 12Ψ/N", "2Ψ + 14Ψ/N", "16Ψ/N", "120 GB", "31.4 GB", "16.6 GB", "1.9 GB"}},
    /* ZeRO, section 7: 2Ψ under stages 0 to 2, 3Ψ under stage 3. Gradients of 4 bytes: 7/8 × 7e9 ×
     * (4
     * + 4) of DDP under autocast, × (4 + 2) of Megatron's bf16 training
     * (megatron/training/arguments.py), × (2 + 2 + 4) of FSDP that reduces in fp32 */
    {"1.4", {"2Ψ", "3Ψ", "(N − 1)/N", "49 GB", "36.8 GB", "autocast (1.1)"}},
    /* Kingma and Ba, Adam, arXiv:1412.6980, algorithm 1: 0.04 ÷ (1 − 0.9) and 0.00016 ÷ (1 − 0.999)
     * are the gradient and its square */
    {"2.1",
     {"β1 = 0.9", "β2 = 0.999", "m ÷ (1 − β1)", "v ÷ (1 − β2)", "0.040", "0.0001600", "0.1600"}},
    /* 2 × 124.4e6 bytes of gradients; two buckets of 200e6, and 2 B of (50257 + 1024) × 768 and 12
     * ×   768² + 13 × 768. deepspeedai/DeepSpeed: runtime/zero/config.py, overlap_comm_valid;
     * runtime/engine.py, coalesce_grad_reduction */
    {"2.2",
     {"249 MB", "493 MB", "two buckets of 200 MB", "92.9 MB", "overlap_comm",
      "coalesce_grad_reduction"}},
    /* DeepSpeed, runtime/zero/config.py: stage3_max_live_parameters = 1e9, 2 bytes each.
     * pytorch/pytorch, torch/distributed/fsdp/_fully_shard: 12 × 6.738e9 ÷ 8 bytes between steps */
    {"2.3", {"1e9 elements", "stage 3 2 GB", "1.33 GB", "10.1 GB"}},
    /* Korthikanti et al., arXiv:2205.05198, equation 1, and the same without dropout masks; section
     * 4.1's parts of the 32. 2 × 1024 × 8 × 1600 × 48 + 4 × 1024 × 8 × 50257, and the head's input
     */
    {"2.4",
     {"34 + 5as/h", "32 + 2as/h", "4h + 2h + 6h + 2h + 2h + 16h = 32h", "2.96 GB", "3.77 GB",
      "usually faster"}},
    /* NVIDIA A100 data sheet: both directions of NVLink 3. NVIDIA/nccl, issue 1428: a product
     * beside   an all-gather; src/graph/tuning.cc: a tree is a logarithm of the nodes, and a chain
     * inside each.   4 and 8 sequences of 2048: 16Ψ/8 and 10.37e9 bytes of activations each, beside
     * the framework's,   on a card of 85.9e9 */
    {"2.5",
     {"600 GB/s", "1.18 ms", "2.08 ms", "1.76", "log₂ M hops", "58.4 GB", "99.8 GB", "85 GB",
      "48.8 ms"}},
    /* The names of PyTorch's FSDP and FSDP2. _fsdp_param.py: shards keep the parameter's own dtype;
     * fully_shard's documentation: a bool, an int or None; DeepSpeed, partition_parameters.py,
     * _padding_size */
    {"3.1",
     {"FULL_SHARD", "SHARD_GRAD_OP", "HYBRID_SHARD", "NO_SHARD", "fully_shard",
      "reshard_after_forward", "as the model was built", "None, the default",
      "each parameter by elements"}},
    /* DeepSpeed saves 2 + 4 + 8 bytes a parameter, of 13e9; the first 2 are the next 4, rounded.
     * ZeRO-Infinity, arXiv:2104.07857, section 4.1: one intensity for parameters and gradients */
    {"3.2", {"12Ψ suffice", "14Ψ", "182 GB", "156 GB", "weights and gradients"}},
    /* Wang et al., ZeRO++, arXiv:2306.10209, section 3. Through a network card go 3 × 63/64 × 140e9
     * ÷   8 bytes, with sharding inside a node 2 × 7/8 × 140e9 ÷ 8: 59% of them. What tensor 16
     * waits   for, and the planner's step of 70B on 64 GPUs */
    {"3.3", {"hpZ", "qwZ", "qgZ", "MiCS", "59%", "240 ms", "98.2 s"}},
    /* 7/8 × 26e9 bytes × (2, 1 + 8, 3 × 8): stages 1, 2 and 3 with eight micro-batches */
    {"3.4", {"45.5 GB", "205 GB", "546 GB", "Rows 5 and 6", "frozen matrix keeps no input"}},
    /* 13e9 parameters on 8 GPUs: 16Ψ, then the stages by ZeRO's table 1; Megatron's fp32 gradients;
     * DeepSpeed with both kinds */
    {"4.1",
     {"208 GB", "71.5 GB", "48.75 GB", "26 GB", "97.5", "123.5", "45.5 GB", "85.9 GB", "79.15 GiB",
      "85 GB", "46.2 GB", "first principles"}},
};

/* What the lesson prints, whatever is asked passed over; the caller's. */
static char *read_through(const struct home *h, const char *lesson) {
    struct base_text t = {0};
    char *command = base_format("yes '' | head -n %d | %s '%s' learn %s --linear", PASSES,
                                h->variable, getenv("ZEROTUTOR"), lesson);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, pipe)) > 0;) base_text_add(&t, piece, n);
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: linear mode ended with status %d", lesson, status);
    free(command);
    return base_text_take(&t);
}

static void lessons_say_what_was_published(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(facts); i++) {
        struct course_homes homes = course_homes(facts[i].lesson);
        char *text = read_through(&homes.skin, facts[i].lesson), *words = course_words(text);
        for (size_t k = 0; k < FACTS && facts[i].says[k]; k++)
            if (!strstr(words, facts[i].says[k]))
                fail_msg("%s nowhere says %s", facts[i].lesson, facts[i].says[k]);
        free(words);
        free(text);
        course_homes_remove(&homes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lessons_say_what_was_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
