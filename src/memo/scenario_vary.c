/* Scenarios by seed. Each is a case of this table with its numbers drawn; the planner finds an
 * answer to every one of them (the tests ask it), and some are traps. */
#include "memo/inside.h"

#include <inttypes.h>
#include <string.h>

struct choice {
    const char *model, *on;
    /* one of them */
    uint32_t seqs[2];
    /* micro-batches of 1 that the global batch is on each GPU: one of them; 0: not said */
    uint32_t rounds[2];
};
static const struct choice cases[] = {
    {"Llama 2 7B", "8 × A100 40 GB", {2048, 4096}, {0, 8}},
    {"Llama 3 8B", "8 × H100 80 GB", {4096, 8192}, {0, 4}},
    {"Llama 2 13B", "16 × A100 40 GB, no offload", {2048, 4096}, {0, 4}},
    {"Llama 2 13B", "8 × A100 PCIe 80 GB, no NVMe", {2048, 2048}, {8, 16}},
    {"Llama 2 13B", "32 × A100 80 GB, 100 Gb/s Ethernet a node", {2048, 4096}, {8, 8}},
    {"GPT-NeoX 20B", "16 × A100 80 GB", {2048, 2048}, {0, 8}},
    {"Code Llama 34B", "32 × A100 80 GB, no offload", {2048, 4096}, {0, 2}},
    {"Llama 2 70B", "64 × H100 80 GB", {2048, 4096}, {0, 2}},
    {"Qwen2.5 14B", "16 × H100 80 GB", {4096, 8192}, {0, 4}},
    {"gpt2-xl", "4 × RTX 4090, no NVMe", {1024, 1024}, {0, 16}},
    {"Mistral 7B", "8 × L40S, no offload", {2048, 4096}, {0, 8}},
    {"Llama 2 70B", "32 × H200, 100 Gb/s Ethernet a node", {4096, 2048}, {4, 8}},
};

static const char course[] =
    "13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, "
    "sequence 2048, micro-batch 1";

/* A deadline that the planner's answer meets with a third to spare. */
static void give_deadline(struct memo_scenario *s) {
    struct account_question q;
    struct account_plan plan;
    struct account_plans plans;
    memo_scenario_question(s, &q);
    if (!account_plan(&q, &plan, 1, &plans, NULL) || !plans.found ||
        plan.measured.tokens_per_s <= 0)
        return;
    s->tokens = 20000000000u;
    s->days =
        (double)(uint64_t)(4. / 3 * (double)s->tokens / plan.measured.tokens_per_s / 86400 + 1);
}

void memo_scenario_vary(uint64_t seed, struct memo_scenario *out) {
    uint64_t state = seed;
    const struct choice *c = &cases[base_random(&state) % BASE_COUNT(cases)];
    if (seed == 0) {
        memo_scenario_read(course, out, NULL);
        return;
    }
    uint32_t seq = c->seqs[base_random(&state) % 2], rounds = c->rounds[base_random(&state) % 2];
    char *line =
        base_format("%s, %s, bf16 with fp32 master weights, AdamW, sequence %u, micro-batch 1",
                    c->model, c->on, seq);
    memo_scenario_read(line, out, NULL);
    free(line);
    if (rounds) {
        out->global_batch = (uint64_t)rounds * out->training.gpus;
        out->training.accumulate = rounds;
    }
    if (base_random(&state) % 3 == 0) give_deadline(out);
}

/* ── traps ─────────────────────────────────────────────────────────────────────────────────────*/
static bool weigh(const struct account_training *t, uint64_t *states, uint64_t *peak) {
    struct account_memory m;
    if (!account_memory(t, &m, NULL)) return false;
    *states = 0;
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) *states += m.persistent.bytes[c];
    *peak = m.phase[m.peak].ledger.total;
    return true;
}

/* The lowest stage whose states fit and whose peak does not. */
static bool trap_of_paper(const struct memo_scenario *s, struct base_text *out) {
    struct account_training t = s->training;
    for (t.stage = 0; t.stage <= 3; t.stage++) {
        uint64_t states, peak;
        if (!account_has_stage(&t, t.stage) || !weigh(&t, &states, &peak)) continue;
        if (states > s->card_bytes || peak <= s->card_bytes) continue;
        char text[3][32];
        account_print_bytes(text[0], sizeof text[0], (double)states);
        account_print_bytes(text[1], sizeof text[1], (double)peak);
        account_print_bytes(text[2], sizeof text[2], (double)s->card_bytes);
        base_text_printf(out,
                         "Stage %u fits on paper, with %s of states per GPU. With activations and "
                         "the reserve it needs %s, and the card has %s.",
                         t.stage, text[0], text[1], text[2]);
        return true;
    }
    return false;
}

static double step_of(struct account_training t, uint8_t stage) {
    struct account_clock c;
    t.stage = stage;
    return account_clock(&t, &c, NULL) && c.has_comm && c.has_compute ? c.step : 0;
}

static bool trap_of_links(const struct memo_scenario *s, struct base_text *out) {
    double one = step_of(s->training, 1), two = step_of(s->training, 2);
    if (s->training.accumulate < 2 || one <= 0 || two < 1.2 * one) return false;
    base_text_printf(out,
                     "Stages 2 and 3 communicate for each of the %u micro-batches: stage 2 takes "
                     "%.3g s per step, stage 1 %.3g s.",
                     s->training.accumulate, two, one);
    return true;
}

bool memo_scenario_trap(const struct memo_scenario *s, struct base_text *out) {
    return trap_of_links(s, out) || trap_of_paper(s, out);
}

/* Who accumulates under stage 2 or 3 was caught by it. */
static bool pays_for_links(const struct account_training *t) {
    return t->stage >= 2 && t->accumulate >= 2;
}

bool memo_trap(const struct memo_report *r, struct base_text *out) {
    struct base_text links = {0}, trap = {0};
    bool pays = r->passes && pays_for_links(&r->config[MEMO_THE_DECISION].is.training) &&
                trap_of_links(&r->config[MEMO_THE_SCENARIO].is, &links);
    bool found = r->passes && memo_scenario_trap(&r->config[MEMO_THE_SCENARIO].is, &trap);
    if (found)
        base_text_printf(out, "%s %s",
                         pays ? "You pay for the trap here:" : "The trap you avoided:", trap.s);
    base_text_free(&links);
    base_text_free(&trap);
    return found;
}
