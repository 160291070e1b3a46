/* The named labs. Each asks for a prediction, runs, and says what was to be seen. */
#include "experiment/experiment.h"

#include <string.h>

#define TINY "--model tiny --batch 2 --steps 30 --seed 1"
/* A long sequence: attention's scores grow with its square. */
#define LONG "--ranks 1 --stage 0 --model tiny --seq 256 --batch 2 --steps 8 --seed 1"
/* A byte is sent or not: a few steps show it. */
#define COUNTED  "--model tiny --batch 1 --steps 4 --seed 1"
#define SHOWS(m) (1u << EXPERIMENT_##m)

static const struct experiment_lab all_labs[] = {
    {.name = "first-weighing",
     .title = "One training step, measured",
     .about = "One rank trains a small GPT and measures its own memory. The bars move with the "
              "run: parameters, gradients and moments stay, activations come and go in every step.",
     .ask = "Which part of the model states is the largest if a GPT trains with AdamW in fp32?",
     .option = {"the parameters", "the gradients", "the optimizer's moments"},
     .right = 2,
     .reveal =
         "The moments: two fp32 values for each parameter, 8 of the 16 bytes. Parameters and "
         "gradients "
         "take 4 each. Activations are not model state: they are in the peak, and gone between two "
         "steps.",
     .watch = "memory",
     .variant = {{.label = "one rank, fp32", .arguments = "--ranks 1 --stage 0 " TINY}}},
    {.name = "replicas",
     .title = "Four ranks, four equal copies",
     .about = "Four ranks train under plain data parallel (stage 0). Each has its own "
              "micro-batches. At the end the "
              "lab compares the hashes of their optimizer states.",
     .ask = "After the last step, how many different optimizer states are there on the four ranks?",
     .option = {"four: each saw other data", "one: they are all the same", "two"},
     .right = 1,
     .reveal = "One. All-reduce gives every rank the same gradients, so every rank makes the same "
               "update, bit for bit. Three of the four copies hold nothing that the first does "
               "not. ZeRO divides this one state among the ranks.",
     .watch = "memory",
     .variant = {{.label = "stage 0, 4 ranks", .arguments = "--ranks 4 --stage 0 " TINY}}},
    {.name = "stage-ladder",
     .title = "The ladder: stages 0, 1, 2, 3",
     .about =
         "The same model trains on the same data four times, under stages 0 to 3 on four ranks. "
         "Watch which categories shrink from run to run, and watch the loss.",
     .ask = "How does the loss of the last step change from stage 0 to stage 3?",
     .option = {"it gets a little worse: sharding costs accuracy", "it does not change at all",
                "it differs in the last digits"},
     .right = 1,
     .reveal = "Not at all. A stage decides where a number is stored, not its value. Here every "
               "stage adds the ranks' gradients in one order, from rank 0 on, so the losses agree "
               "in every digit. (On three or more "
               "GPUs NCCL, the GPUs' library of collectives, adds in another order, and the last "
               "digits may differ.) The memory kept between steps falls at each stage. The peak "
               "falls less, because it includes activations and buffers.",
     .watch = "memory",
     .variant = {{.label = "stage 0", .arguments = "--ranks 4 --stage 0 " TINY},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " TINY},
                 {.label = "stage 2", .arguments = "--ranks 4 --stage 2 " TINY},
                 {.label = "stage 3", .arguments = "--ranks 4 --stage 3 " TINY}}},
    {.name = "count-the-bytes",
     .title = "What each stage really sends",
     .about =
         "The lab runs stages 0 to 3 on four ranks and counts each byte where it is copied. The "
         "traffic panel shows the bytes by collective.",
     .ask = "How much does stage 3 send in a step, compared with plain data parallel?",
     .option = {"as much", "50% more", "three times as much"},
     .right = 1,
     .reveal =
         "50% more: 3Ψ against 2Ψ. An all-reduce is a reduce-scatter and an all-gather, Ψ each. "
         "Stages 1 and 2 send the same two at other times. Stage 3 gathers the parameters twice.",
     .watch = "traffic",
     .shows = SHOWS(ALL_REDUCED) | SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP),
     .variant = {{.label = "stage 0", .arguments = "--ranks 4 --stage 0 " COUNTED},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " COUNTED},
                 {.label = "stage 2", .arguments = "--ranks 4 --stage 2 " COUNTED},
                 {.label = "stage 3", .arguments = "--ranks 4 --stage 3 " COUNTED}}},
    {.name = "buckets",
     .title = "Bucket size against the peak",
     .about = "Stage 2 on four ranks, with a small bucket and with one that holds all gradients.",
     .ask = "How does a larger bucket change the peak?",
     .option = {"it lowers it", "not at all", "it raises it"},
     .right = 2,
     .reveal =
         "It raises the peak: a bucket is a buffer, and it is held while gradients are in flight. "
         "Larger buckets send fewer and larger messages. They never cure an out-of-memory error.",
     .watch = "memory",
     .shows = SHOWS(REDUCE) | SHOWS(PEAK) | SHOWS(MESSAGES),
     .variant = {{.label = "bucket 64 KB", .arguments = "--ranks 4 --stage 2 --bucket 64KB " TINY},
                 {.label = "bucket 25 MB",
                  .arguments = "--ranks 4 --stage 2 --bucket 25MB " TINY}}},
    {.name = "prefetch",
     .title = "Prefetch: time against memory",
     .about = "Stage 3 over an emulated slow link, gathering no unit ahead, one, and two. The "
              "timeline shows where compute "
              "waits.",
     .ask = "What does gathering one unit ahead cost?",
     .option = {"more traffic", "memory for one more unit", "nothing"},
     .right = 1,
     .reveal = "Memory for one more gathered unit. A rank sends the same bytes, but it sends them "
               "while the unit before computes, so less of their time is exposed.",
     .watch = "timeline",
     .shows = SHOWS(GATHER) | SHOWS(SENT_STEP) | SHOWS(STEP_TIME) | SHOWS(EXPOSED),
     .variant = {{.label = "prefetch 0",
                  .arguments = "--ranks 2 --stage 3 --prefetch 0 --link 200MB/s,50us " TINY},
                 {.label = "prefetch 1",
                  .arguments = "--ranks 2 --stage 3 --prefetch 1 --link 200MB/s,50us " TINY},
                 {.label = "prefetch 2",
                  .arguments = "--ranks 2 --stage 3 --prefetch 2 --link 200MB/s,50us " TINY}}},
    {.name = "activations",
     .title = "Activations: keep, or compute again",
     .about =
         "One rank with sequences of 256 tokens, four times as long as in the other labs, with "
         "checkpointing off, selective and full.",
     .ask = "Which of these does full checkpointing make smaller?",
     .option = {"parameters, gradients and moments", "activations only", "all of them"},
     .right = 1,
     .reveal = "Only the activations: a block keeps its input and computes the rest again in "
               "backward. Model states stay the same. The price is one more forward pass.",
     .watch = "memory",
     .shows = SHOWS(ACTIVATIONS) | SHOWS(PEAK) | SHOWS(STEP_TIME),
     .variant = {{.label = "kept", .arguments = "--checkpoint none " LONG},
                 {.label = "selective", .arguments = "--checkpoint selective " LONG},
                 {.label = "full", .arguments = "--checkpoint full " LONG}}},
    {.name = "capstone",
     .title = "The capstone, scaled down with its GPU",
     .about = "13B parameters on 8 × A100 80 GB, scaled down so that the verdict stays: layers, "
              "ranks, micro-batch and bytes per element are the scenario's, and so are sequence ÷ "
              "width and vocabulary ÷ (layers × width). The cap of a rank is the GPU without the "
              "framework's reserve, scaled down as much.",
     .ask = "The cap is the GPU's memory, scaled down. From stage 3 down each stage holds more. "
            "Which stages fit under the cap?",
     .option = {"only stage 3", "stages 3 and 2", "stages 3, 2 and 1"},
     .right = 1,
     .reveal =
         "Stages 3 and 2. Stage 1 keeps all gradients as well as all parameters, and with the "
         "activations of a step it needs more than the cap. The run refuses the allocation that "
         "would cross the cap and names it. The engine predicted this for the real scenario.",
     .watch = "memory",
     .scaled = true},
};

const struct experiment_lab *experiment_labs(size_t *count) {
    *count = BASE_COUNT(all_labs);
    return all_labs;
}

const struct experiment_lab *experiment_lab_find(const char *name) {
    for (size_t i = 0; i < BASE_COUNT(all_labs); i++)
        if (strcmp(all_labs[i].name, name) == 0) return &all_labs[i];
    return NULL;
}

size_t experiment_variants(const struct experiment_lab *lab) {
    size_t n = 0;
    while (n < EXPERIMENT_VARIANTS && lab->variant[n].label) n++;
    return n;
}
