/* The labs of phase 1, in the order of their lessons. */
#include "experiment/labs.h"

#define TINY "--model tiny --batch 2 --steps 30 --seed 1"
/* A byte is sent or not: a few steps show it. */
#define COUNTED "--model tiny --batch 1 --steps 4 --seed 1"
#define ONE     "--ranks 1 --stage 0 " TINY
#define TWO     "--ranks 2 " TINY
#define FP16    "--precision fp16 " ONE
/* GPT-2 as OpenAI published it, on a GPU: four ranks are threads that share it. */
#define GPT2 "--device cuda --comm local --ranks 4 --model 124m --batch 4 --steps 6 --seed 1"

static const struct experiment_lab rows[] = {
    {.name = "first-weighing",
     .title = "One training step, measured",
     .lesson = "1.1",
     .minutes = 1,
     .about =
         "One rank trains a small GPT and measures its own memory. The bars move with the "
         "run. Parameters, gradients and moments stay, and activations come and go in every step.",
     .ask = "Which part of the model states is the largest if a GPT trains with AdamW in fp32?",
     .option = {"the parameters", "the gradients", "the optimizer's moments"},
     .right = 2,
     .reveal =
         "The moments are two fp32 values for each parameter, so they take 8 of the 16 bytes. "
         "Parameters and gradients take 4 each. Activations are not model states. They belong to "
         "the peak, and none are left between two steps.",
     .amount =
         {.ask =
              "The model has 220,544 parameters. How many MB of model states does it keep in fp32?",
          .problem = "kind=bytes quantity=model_state unit=MB gpus=1 stage=0 params=220544 "
                     "precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which part of the peak is gone between two steps?",
               .option = {"the gradients", "the activations", "the moments"},
               .right = 1,
               .because = "They are made in forward and used up in backward. The bar of what is "
                          "kept has none."},
     .watch = "memory",
     .variant = {{.label = "one rank, fp32", .arguments = "--ranks 1 --stage 0 " TINY}}},
    {.name = "mixed-precision",
     .title = "Sixteen bits: what becomes smaller",
     .lesson = "1.1",
     .minutes = 1,
     .about = "One rank trains in fp32, in bf16 and in fp16. With 16 bits the optimizer keeps an "
              "fp32 master copy of the parameters.",
     .ask = "How do the model states change from fp32 to bf16?",
     .option = {"they are half as large", "they stay the same", "they are a little larger"},
     .right = 1,
     .reveal =
         "They stay the same, 16 bytes for each parameter. Parameters and gradients fall from 8 "
         "bytes to 4, and the master copy adds 4. Activations and traffic do fall. A CPU has no "
         "units for 16-bit numbers, so its times say nothing about a GPU.",
     .amount = {.ask = "It has 220,544 parameters. How many MB of model states does it keep in "
                       "bf16 with a master copy?",
                .problem = "kind=bytes quantity=model_state unit=MB gpus=1 stage=0 params=220544 "
                           "precision=mixed-bf16 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "What became smaller with 16 bits, by the measurements?",
               .option = {"what is kept", "the activations", "both"},
               .right = 1,
               .because = "What is kept is 3.53 MB in all three runs. Activations take two bytes "
                          "for each value instead of four."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ACTIVATIONS) | SHOWS(PEAK),
     .variant = {{.label = "fp32", .arguments = "--precision fp32 " ONE},
                 {.label = "bf16", .arguments = "--precision bf16 " ONE},
                 {.label = "fp16", .arguments = "--precision fp16 " ONE}}},
    {.name = "loss-scaling",
     .title = "fp16 and the scale of the loss",
     .lesson = "1.1",
     .minutes = 1,
     .about = "One rank trains in fp16 three times. The loss is scaled before backward, so that "
              "small gradients do not become zero: by a scale that adapts, by 1, and by "
              "1,000,000,000, which never adapts. Compare the skipped steps and the last losses.",
     .ask = "What does a rank do in a step whose scaled gradients overflow fp16?",
     .option = {"it updates with the largest number of fp16", "it updates nothing",
                "it computes the step again in fp32"},
     .right = 1,
     .reveal =
         "It updates nothing and skips the step. A scale that adapts is then halved, and the "
         "next step may go well. The fixed scale that is too large skips every step, so its loss "
         "never falls. A scale of 1 loses the smallest gradients of this model, which costs digits "
         "of the loss. In a large model the whole training may fail.",
     .amount = {.ask =
                    "The scale protects gradients, because they are kept in 16 bits. How many KB "
                    "do the gradients of 220,544 parameters take?",
                .problem = "kind=bytes quantity=grads unit=KB gpus=1 stage=0 params=220544 "
                           "precision=mixed-fp16 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "The run with the scale 1e9 skipped every step. What did its ranks hold at "
                      "the peak, compared with the others?",
               .option = {"less: nothing was updated", "the same",
                          "more: the scaled gradients are larger"},
               .right = 1,
               .because =
                   "A skipped step allocates what any other does. Only the update is left out."},
     .watch = "memory",
     .shows = SHOWS(SKIPPED) | SHOWS(PEAK),
     .variant = {{.label = "adapts", .arguments = "--loss-scale dynamic " FP16},
                 {.label = "scale 1", .arguments = "--loss-scale 1 " FP16},
                 {.label = "scale 1e9", .arguments = "--loss-scale 1e9 " FP16}}},
    {.name = "replicas",
     .title = "Four ranks, four equal copies",
     .lesson = "1.2",
     .minutes = 1,
     .about = "Four ranks train under plain data parallel (stage 0). Each has its own "
              "micro-batches. At the end the "
              "lab compares the hashes of their optimizer states.",
     .ask = "After the last step, how many different optimizer states are there on the four ranks?",
     .option = {"four: each saw other data", "one: they are all the same", "two"},
     .right = 1,
     .reveal = "One. All-reduce gives every rank the same gradients, so every rank makes the same "
               "update, bit for bit. Three of the four copies hold nothing that the first does "
               "not. ZeRO divides this one state among the ranks.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB of model states do "
                       "the four ranks keep together?",
                .problem = "kind=bytes quantity=model_state per=cluster unit=MB gpus=4 stage=0 "
                           "params=220544 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after =
         {.ask = "What part of the bytes that the four ranks keep together would be enough for one "
                 "copy of the states?",
          .option = {"all of them", "half", "a quarter"},
          .right = 2,
          .because = "One copy is enough. The other three quarters hold nothing new."},
     .watch = "memory",
     .variant = {{.label = "stage 0, 4 ranks", .arguments = "--ranks 4 --stage 0 " TINY}}},
    {.name = "straggler",
     .title = "One slow rank",
     .lesson = "1.2",
     .minutes = 1,
     .about = "Two ranks train alike. Then rank 1 computes three times as long as rank 0, as a "
              "hot or shared GPU would. The link is as fast as before.",
     .ask = "Which rank waits in the second run?",
     .option = {"rank 1: it is late", "rank 0", "none: each continues without the other"},
     .right = 1,
     .reveal =
         "Rank 0. A collective ends when the last rank has come, so the whole group is as fast as "
         "its slowest member. The waiting looks like slow communication, but the ranks send the "
         "same bytes over the same link. The skew grew, the time between the first rank's "
         "arrival and the last one's. The rank that waits least is the slow one.",
     .amount = {.ask = "How many times as long does a step take with the slow rank?",
                .of = EXPERIMENT_STEP_TIME,
                .run = 1,
                .to = 0},
     .after = {.ask = "Which row tells a slow rank from a slow link?",
               .option = {"sent per step", "exposed", "skew"},
               .right = 2,
               .because = "A slow link makes every rank wait. With a slow rank, the ranks arrive "
                          "at different times, and skew is that difference."},
     .watch = "timeline",
     .shows = SHOWS(SENT_STEP) | SHOWS(STEP_TIME) | SHOWS(EXPOSED) | SHOWS(SKEW),
     .variant = {{.label = "alike", .arguments = "--stage 2 " TWO},
                 {.label = "rank 1 slow", .arguments = "--stage 2 --slow 1,3 " TWO}}},
    {.name = "stage-ladder",
     .title = "The ladder: stages 0, 1, 2, 3",
     .lesson = "1.3",
     .minutes = 2,
     .about =
         "The same model trains on the same data four times, under stages 0 to 3 on four ranks. "
         "Watch which categories shrink from run to run, and watch the loss.",
     .ask = "This trainer adds the ranks' gradients in the same order at every stage. How does the "
            "last loss change from stage 0 to stage 3?",
     .option = {"it gets a little worse: sharding costs accuracy", "it does not change at all",
                "it differs in the last digits"},
     .right = 1,
     .reveal = "The loss stays the same, in every digit. A stage decides where a number is stored, "
               "not its value, and this trainer always adds from rank 0 on. (Other trainers add "
               "with NCCL, the library that exchanges data between GPUs. On three or more GPUs it "
               "may add in another order, and the last digits may differ.) The memory kept between "
               "steps falls at each stage. The peak falls less, because it includes activations "
               "and buffers.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many KB of model states does "
                       "each of the four ranks keep under stage 3?",
                .problem = "kind=bytes quantity=model_state unit=KB gpus=4 stage=3 params=220544 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .after =
         {.ask = "From which stage to the next does what is kept fall most, in bytes?",
          .option = {"from 0 to 1", "from 1 to 2", "from 2 to 3"},
          .right =
              0,
          .because =
              "Stage 1 shards the moments, 8 of the 16 bytes. Stages 2 and 3 shard 4 bytes each."},
     .watch = "memory",
     .variant = {{.label = "stage 0", .arguments = "--ranks 4 --stage 0 " TINY},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " TINY},
                 {.label = "stage 2", .arguments = "--ranks 4 --stage 2 " TINY},
                 {.label = "stage 3", .arguments = "--ranks 4 --stage 3 " TINY}}},
    {.name = "gpt2-ladder",
     .title = "The ladder with GPT-2, on a GPU",
     .lesson = "1.3",
     .minutes = 1,
     .about = "GPT-2 with 124 million parameters trains on a GPU, in fp32, with a sequence of "
              "1,024 tokens and a micro-batch of four. Four ranks share the GPU as threads, each "
              "with a ledger of its own, under stages 0 to 3. Without a GPU its recording, made on "
              "an H200, plays.",
     .ask = "Under stage 3 each rank keeps a quarter of the model states. How far does its peak "
            "fall, compared with stage 0?",
     .option = {"to about a quarter", "to about half", "to about three quarters"},
     .right = 2,
     .reveal =
         "To about three quarters. Stage 3 takes 1.5 GB of model states off each rank, but the "
         "activations need 3.3 GB at every stage, and stage 3 adds buffers for gathered "
         "parameters. The losses agree in every digit, as they did in the small model. At a "
         "micro-batch of four, activations are what to make smaller next: lesson 2.4.",
     .amount = {.ask = "The model has 124,439,808 parameters in fp32. How many MB of model states "
                       "does each of the four ranks keep under stage 3?",
                .problem = "kind=bytes quantity=model_state unit=MB gpus=4 stage=3 "
                           "params=124439808 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which category is the largest part of the peak under stage 3?",
               .option = {"the moments", "the activations", "the gather buffers"},
               .right = 1,
               .because = "Activations take 3.27 of 4.16 GB. No stage of ZeRO touches them."},
     .watch = "memory",
     .variant = {{.label = "stage 0", .arguments = "--stage 0 " GPT2},
                 {.label = "stage 1", .arguments = "--stage 1 " GPT2},
                 {.label = "stage 2", .arguments = "--stage 2 " GPT2},
                 {.label = "stage 3", .arguments = "--stage 3 " GPT2}}},
    {.name = "count-the-bytes",
     .title = "What each stage really sends",
     .lesson = "1.4",
     .minutes = 1,
     .about =
         "The lab runs stages 0 to 3 on four ranks and counts each byte where it is copied. The "
         "traffic panel shows the bytes by collective.",
     .ask = "How much does stage 3 send in a step, compared with plain data parallel?",
     .option = {"the same", "50% more", "three times as much"},
     .right = 1,
     .reveal =
         "That is 3Ψ instead of 2Ψ. An all-reduce is a reduce-scatter and an all-gather, and each "
         "sends Ψ. Stages 1 and 2 send the same two at other times. Stage 3 gathers the parameters "
         "twice.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB does each of the "
                       "four ranks send per step under stage 3?",
                .problem = "kind=traffic quantity=all unit=MB gpus=4 stage=3 params=220544 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which collective does stage 3 run twice as much as stage 2?",
               .option = {"reduce-scatter", "all-gather", "all-reduce"},
               .right = 1,
               .because = "It gathers the parameters for forward and again for backward. Its "
                          "reduce-scatter sends as much as before."},
     .watch = "traffic",
     .shows = SHOWS(ALL_REDUCED) | SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP),
     .variant = {{.label = "stage 0", .arguments = "--ranks 4 --stage 0 " COUNTED},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " COUNTED},
                 {.label = "stage 2", .arguments = "--ranks 4 --stage 2 " COUNTED},
                 {.label = "stage 3", .arguments = "--ranks 4 --stage 3 " COUNTED}}},
};

const struct experiment_labs experiment_labs_memory = {rows, BASE_COUNT(rows)};
