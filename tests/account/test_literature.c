/* Figures that papers, documentation and model cards print, asked as problems. The engine's own
 * sources have tests of their own: here stands what none of its formulas was written from. */
#include "account/gpt.h"

#include <math.h>

static void check_near(const char *source, double got, double printed, double within) {
    if (!(fabs(got - printed) <= within * printed))
        fail_msg("%s: %.10g, printed %.10g", source, got, printed);
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

#define EXACT  1e-12
#define ROUGH  0.005 /* three digits */
#define PAIR   0.025 /* two */
#define MOMENT "kind=bytes_per_param quantity=optimizer "

static void figures(void **state) {
    (void)state;
    static const struct {
        const char *source, *problem;
        double printed, within;
    } rows[] = {
        /* DeepSpeed tutorial "Zero Redundancy Optimizer": Adam's states of 1.5B are 18 GB, over
         * eight   ranks 2.25 GB */
        {"ZeRO tutorial, one GPU", "params=1.5e9 quantity=optimizer unit=GB", 18, EXACT},
        {"ZeRO tutorial, eight", "params=1.5e9 quantity=optimizer gpus=8 stage=1 unit=GB", 2.25,
         EXACT},
        /* Quentin Anthony et al., Transformer Math 101, optimizer states: AdamW 12, 8-bit 6, SGD 8
         * bytes a   parameter */
        {"Transformer Math, AdamW", MOMENT "optimizer=adamw", 12, EXACT},
        {"Transformer Math, 8-bit", MOMENT "optimizer=adam8bit", 6, 0.006},
        {"Transformer Math, SGD", MOMENT "optimizer=sgd-momentum", 8, EXACT},
        /* Transformers documentation, "GPU memory usage": 6 + 8 bytes and an fp32 gradient */
        {"Transformers, mixed", "kind=bytes_per_param grad_dtype=fp32", 18, EXACT},
        {"Transformers, fp32", "kind=bytes_per_param precision=fp32", 16, EXACT},
        /* Tazi et al., Ultra-Scale Playbook, "Memory for weights/gradients/optimizer states" */
        {"Playbook, 7B", "params=7e9 unit=GB", 112, EXACT},
        {"Playbook, 70B", "params=70e9 precision=fp32 unit=GB", 1120, EXACT},
        {"Playbook, 405B", "params=405e9 unit=GB", 6480, EXACT},
        {"Playbook, 405B, fp32 gradients beside",
         "params=405e9 recipe=megatron precision=mixed-fp16 unit=GB", 8100, EXACT},
        /* Smith et al., MT-NLG, arXiv:2201.11990, section 2: 20 bytes a parameter, over 10 TB */
        {"MT-NLG", "params=530e9 recipe=megatron precision=mixed-fp16 unit=TB", 10.6, EXACT},
        /* Lv et al., LOMO, arXiv:2306.09782, table 1: LLaMA-7B under AdamW and SGD; its GB are GiB
         */
        {"LOMO, parameters", "model=llama-7b quantity=params unit=GiB", 12.55, ROUGH},
        {"LOMO, AdamW", "model=llama-7b quantity=optimizer unit=GiB", 75.31, ROUGH},
        /* Zhao et al., GaLore, arXiv:2403.03507, section 1: 14 GB and 42 GB, all in bf16 */
        {"GaLore, weights", "params=7e9 precision=bf16 quantity=params unit=GB", 14, EXACT},
        {"GaLore, the rest", "params=7e9 precision=bf16 quantity=grads+moments unit=GB", 42, EXACT},
        /* BigScience, BLOOM's model card: bf16 weights 329 GB, which are GiB */
        {"BLOOM", "model=bloom-176b quantity=params unit=GiB", 329, ROUGH},
        /* Hugging Face, "Llama 3.1": FP16 weights 16, 140, 810 GB */
        {"Llama 3.1 8B", "model=llama-3.1-8b quantity=params unit=GB", 16, ROUGH},
        {"Llama 3.1 70B", "model=llama-3.1-70b quantity=params unit=GB", 140, PAIR},
        {"Llama 3.1 405B", "model=llama-3.1-405b quantity=params unit=GB", 810, ROUGH},
        /* Hu et al., LoRA, arXiv:2106.09685, table 4: GPT-3 with 4.7M and 37.7M; PEFT prints the
         * others.   Gradients are fp32 */
        {"LoRA, GPT-3, r = 1", "model=gpt3-175b lora=1 quantity=grads unit=B", 4 * 4.7e6, ROUGH},
        {"LoRA, GPT-3, r = 8", "model=gpt3-175b lora=8 quantity=grads unit=B", 4 * 37.7e6, ROUGH},
        {"PEFT, Mistral 7B", "model=mistral-7b lora=8 quantity=grads unit=B", 4 * 3407872.0, EXACT},
        {"PEFT, Llama 3 8B", "model=llama-3-8b lora=8 quantity=grads unit=B", 4 * 3407872.0, EXACT},
        {"PEFT, OPT 6.7B", "model=opt-6.7b lora=16 quantity=grads unit=B", 4 * 8388608.0, EXACT},
        {"PEFT, BLOOM 7B", "model=bloom-7b1 lora=16 quantity=grads unit=B", 4 * 7864320.0, EXACT},
        {"PEFT, Falcon 7B", "model=falcon-7b lora=16 quantity=grads unit=B", 4 * 4718592.0, EXACT},
        {"PEFT, Falcon 40B", "model=falcon-40b lora=8 quantity=grads unit=B", 4 * 8355840.0, EXACT},
        {"PEFT, NeoX 20B", "model=gpt-neox-20b lora=8 quantity=grads unit=B", 4 * 8650752.0, EXACT},
        /* PEFT's print_trainable_parameters() with target_modules="all-linear": Llama 2 7B of
         * QLoRA's   guides; Mistral 7B of intel/ipex-llm, DPO, sample output; Llama 3 70B of
         * unsloth's log */
        {"PEFT, Llama 2 7B, all linear",
         "model=llama-2-7b lora=16 lora_on=all-linear quantity=grads unit=B", 4 * 39976960.0,
         EXACT},
        {"PEFT, Llama 2 7B, r = 64",
         "model=llama-2-7b qlora=64 lora_on=all-linear quantity=grads unit=B", 4 * 159907840.0,
         EXACT},
        {"PEFT, Mistral 7B, all linear",
         "model=mistral-7b lora=16 lora_on=all-linear quantity=grads unit=B", 4 * 41943040.0,
         EXACT},
        {"PEFT, Llama 3 8B, all linear",
         "model=llama-3-8b qlora=16 lora_on=all-linear quantity=grads unit=B", 4 * 41943040.0,
         EXACT},
        {"unsloth, Llama 3 70B",
         "model=llama-3-70b qlora=16 lora_on=all-linear quantity=grads unit=B", 4 * 207093760.0,
         EXACT},
        /* Wijmans et al., Cut Your Losses, arXiv:2411.09009, table 1: Gemma 2 2B, 8192 tokens,
         * F.cross_entropy and its gradient 28 000 MB, measured in MiB */
        {"Cut Your Losses",
         "kind=activations quantity=logits model=gemma-2-2b stage=3 recipe=fsdp2 batch=1 seq=8192 "
         "unit=MiB",
         28000, EXACT},
        /* Narayanan et al., arXiv:2104.04473, section 3.2: 8bsh(t - 1)/t elements a layer and
         * micro-batch;   section 4.1: bsh a boundary and direction */
        {"Megatron-LM, tensor parallel",
         "kind=traffic quantity=all_reduce model=gpt3-175b gpus=8 tp=8 batch=1 seq=2048 unit=B",
         96.0 * 8 * 2048 * 12288 * 7 / 8 * 2, EXACT},
        {"Megatron-LM, pipeline",
         "kind=traffic quantity=p2p model=gpt3-175b gpus=8 pp=8 batch=1 seq=2048 accumulate=8 "
         "unit=B",
         8 * 2 * 2048.0 * 12288 * 2, EXACT},
        /* Korthikanti et al., arXiv:2205.05198, section 4.2.2: as many bytes with sequence
         * parallelism,   and what backward gathers again before each of the two column-parallel
         * products */
        {"sequence parallelism",
         "kind=traffic model=gpt3-175b gpus=8 tp=8 sp=on batch=1 seq=2048 unit=B",
         96.0 * (8 + 2) * 2048 * 12288 * 7 / 8 * 2, EXACT},
        /* Zhang et al., MiCS, arXiv:2205.00119, section 3: states over the partition group alone */
        {"MiCS", "params=10e9 gpus=64 gpus_per_node=8 stage=3 shard_group=8 unit=GB", 20, EXACT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_solution s;
        struct account_error e = {0};
        if (!account_solve(&p, &s, &e)) fail_msg("%s: %s", rows[i].source, e.what);
        check_near(rows[i].source, s.value / account_unit_scale(p.unit), rows[i].printed,
                   rows[i].within);
    }
}

/* ── counts ────────────────────────────────────────────────────────────────────────────────────*/

/* Narayanan et al., table 1, in billions to a digit behind the point: V = 51200, s = 2048. */
static void megatron_sizes(void **state) {
    (void)state;
    static const struct {
        uint32_t layers, hidden, heads;
        double billions;
    } rows[] = {
        {24, 2304, 24, 1.7},     {30, 3072, 32, 3.6},     {36, 4096, 32, 7.5},
        {40, 6144, 48, 18.4},    {48, 8192, 64, 39.1},    {60, 10240, 80, 76.1},
        {80, 12288, 96, 145.6},  {96, 16384, 128, 310.1}, {105, 20480, 128, 529.6},
        {128, 25600, 160, 1008},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_shape s = gpt(rows[i].layers, rows[i].hidden, rows[i].heads, 51200);
        double count = (double)account_count_params(&s) / 1e9;
        check_near("Megatron-LM, table 1", count, rows[i].billions, 0.0501 / rows[i].billions);
    }
}

/* ── operations ────────────────────────────────────────────────────────────────────────────────*/

/* Six a parameter and token: GPT-3, arXiv:2005.14165, table D.1; PaLM, arXiv:2204.02311, training
 * operations; Llama 3, arXiv:2407.21783, section 1. */
static void whole_runs(void **state) {
    (void)state;
    static const struct {
        const char *run, *training;
        double tokens, printed;
    } rows[] = {
        {"GPT-3 2.7B", "params=2.65e9 seq=2048", 300e9, 4.77e21},
        {"GPT-3 13B", "params=12.85e9 seq=2048", 300e9, 2.31e22},
        {"GPT-3 175B", "params=174604259328 seq=2048", 300e9, 3.14e23},
        {"PaLM 540B", "params=540e9 seq=2048", 780e9, 2.5272e24},
        {"Llama 3.1 405B", "params=405853388800 seq=8192", 15.6e12, 3.8e25},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        double run = account_model_flops(&t) / t.seq * rows[i].tokens;
        check_near(rows[i].run, run, rows[i].printed, ROUGH);
    }
}

/* Narayanan et al., section 5.1: full recomputation, so many days at so many operations a second
 * and GPU; printed from 8 a parameter and token, without the attention's core and the head. */
static void days(void **state) {
    (void)state;
    static const struct {
        uint32_t layers, hidden, heads, gpus;
        double tokens, rate, printed;
    } rows[] = {
        {96, 12288, 96, 1024, 300e9, 140e12, 34},
        {128, 25600, 160, 3072, 450e9, 163e12, 84},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_shape s = gpt(rows[i].layers, rows[i].hidden, rows[i].heads, 51200);
        struct account_training t = with(training(s, 2048, 1), 1, false, FULL);
        double all = account_hardware_flops(&t) / t.seq * rows[i].tokens;
        check_near("Megatron-LM", all / (rows[i].gpus * rows[i].rate) / 86400, rows[i].printed,
                   PAIR);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),
        cmocka_unit_test(megatron_sizes),
        cmocka_unit_test(whole_runs),
        cmocka_unit_test(days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
