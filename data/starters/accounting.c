/* Model states of one GPU under ZeRO's stages: lessons 1.1 to 1.3 in thirty lines of C.
 *
 *     cc -o accounting accounting.c && ./accounting
 *
 * prints each case next to what zerotutor's engine computes, and ends with status 0 if all agree.
 * Now three kinds of cases do not. Your tasks:
 *
 *   1  Stage 3 divides the weights, too.
 *   2  A rank holds whole elements: 10 elements on 4 ranks are shards of 3, the last one padded.
 *   3  Megatron-LM adds up gradients in fp32.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct training {
    uint64_t params, gpus;
    int stage;
    bool fp32_grads;
};

/* elements of one rank's shard */
static uint64_t shard_of(uint64_t elements, uint64_t ranks) {
    return elements / ranks;
}

/* bytes of one GPU: bf16 weights and gradients, fp32 master weights and Adam's two moments */
static uint64_t model_states(struct training t) {
    uint64_t whole = t.params, shard = shard_of(t.params, t.gpus);
    uint64_t weights = 2 * whole;
    uint64_t grads = 2 * (t.stage >= 2 ? shard : whole);
    uint64_t optimizer = (4 + 4 + 4) * (t.stage >= 1 ? shard : whole);
    return weights + grads + optimizer;
}

/* The task that a case belongs to (0: it is right from the start), the case, the engine's bytes. */
static const struct {
    int task;
    struct training training;
    uint64_t bytes;
} cases[] = {
@CASES@};

int main(void) {
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct training t = cases[i].training;
        uint64_t yours = model_states(t);
        bool right = yours == cases[i].bytes;
        printf("%-5s %10" PRIu64 " params, %2" PRIu64 " GPUs, stage %d%s: %" PRIu64, right ? "ok" : "WRONG",
               t.params, t.gpus, t.stage, t.fp32_grads ? ", fp32 gradients" : "", yours);
        if (!right) printf(", the engine says %" PRIu64 " (task %d)", cases[i].bytes, cases[i].task);
        printf("\n");
        wrong += !right;
    }
    return wrong != 0;
}
