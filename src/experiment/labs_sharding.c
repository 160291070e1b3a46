/* The labs of phase 2, in the order of their lessons. */
#include "experiment/labs.h"

#define TINY "--model tiny --batch 2 --steps 30 --seed 1"
/* A long sequence: attention's scores grow with its square. One thread does not wait for another
 * that a busy core delays, and the median of many steps is that of the quiet ones. */
#define LONG                                                                                       \
    "--ranks 1 --stage 0 --model tiny --seq 256 --batch 2 --steps 24 "                             \
    "--threads 1 --seed 1"
#define TWO "--ranks 2 " TINY
/* Gathering a unit takes less time than computing one. */
#define GATHERED                                                                                   \
    "--ranks 2 --stage 3 --link 100MB/s,50us --model tiny --layers 8 --batch 24 --steps 7 "        \
    "--threads 1 --seed 1"
/* Sending takes about as long as backward. */
#define SLOW_LINK                                                                                  \
    "--ranks 2 --stage 0 --link 60MB/s,500us --model tiny --layers 8 --batch 24 --steps 9 "        \
    "--threads 1 --seed 1"
/* 256 rows are looked up on each rank, of 64 numbers. */
#define LOOKED_UP                                                                                  \
    "--ranks 4 --stage 0 --untied --link 100MB/s,50us --model tiny --batch 4 --tokens random "     \
    "--steps 8 --threads 1 --seed 1"
#define CAPPED "--ranks 4 --cap 4MB --model tiny --batch 2 --steps 8 --seed 1"
/* The ZeRO paper's case: GPT-2 with 1.5B parameters on GPUs of 32 GB. */
#define GPT2_XL                                                                                    \
    "--device cuda --comm local --ranks 4 --model 1558m --batch 4 --precision bf16 --cap 32GB "    \
    "--steps 3 --seed 1"
#define HUNTED                                                                                     \
    "--ranks 4 --stage 3 --clip 0.5 --bucket 64KB --model tiny --batch 2 --steps 12 --seed 1"

#define PASSES                                                                                     \
    "--ranks 2 --stage 1 --launch 20 --model tiny --layers 8 --batch 1 --steps 12 --seed 1"

static const struct experiment_lab rows[] = {
    {.name = "fused",
     .title = "One pass over the shard, or one per tensor",
     .lesson = "2.1",
     .minutes = 1,
     .about = "Two ranks under stage 1 update their shards twice: with one pass over all that a "
              "rank has of a unit, as a fused optimizer does, and with one pass for each tensor in "
              "it. On a GPU, starting a pass costs some microseconds, however short it is. That "
              "cost is emulated here, 20 µs for each pass.",
     .ask = "What differs between the two trainings, apart from time?",
     .option = {"the last digits of the weights", "nothing: the same bits, the same bytes",
                "the memory that is kept"},
     .right = 1,
     .amount = {.ask = "A block has twelve tensors, and a rank has about half of them. How many "
                       "times as long does the update take with a pass for each tensor?",
                .of = EXPERIMENT_UPDATE,
                .run = 1,
                .to = 0},
     .reveal =
         "Nothing. AdamW computes each element by itself, so it does not matter how the "
         "elements are grouped. The arithmetic and the bytes are the same as well. What grows "
         "is the number of passes, and each costs its start. A flat shard is one array, so it "
         "needs one pass for a unit, whatever tensors are in it.",
     .after = {.ask = "By the measurements, what did the passes add to the update's time?",
               .option = {"about as much as 20 µs for each pass more", "nothing",
                          "twice the arithmetic"},
               .right = 0,
               .because = "Take the two rows, passes and update: the difference in time is the "
                          "difference in passes, times what one costs to start."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(PASSES) | SHOWS(UPDATE),
     .variant = {{.label = "a unit", .arguments = "--update shard " PASSES},
                 {.label = "a tensor", .arguments = "--update tensor " PASSES}}},
    {.name = "buckets",
     .title = "Bucket size against the peak",
     .lesson = "2.2",
     .minutes = 1,
     .about = "Four ranks run stage 2, with a small bucket and with one that holds all gradients.",
     .ask = "How does a larger bucket change the peak?",
     .option = {"it lowers it", "not at all", "it raises it"},
     .right = 2,
     .reveal =
         "It raises the peak, because a bucket is a buffer that is held while gradients are in "
         "flight. Larger buckets send fewer and larger messages. They never cure an out-of-memory "
         "error.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB does each of the "
                       "four ranks send per step, with the small bucket?",
                .problem = "kind=traffic quantity=all unit=MB gpus=4 stage=2 params=220544 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "What does the small bucket cost, by the measurements?",
               .option = {"more bytes", "more messages", "more memory"},
               .right = 1,
               .because = "The ranks send the same bytes in both runs. Small buckets need more "
                          "messages for them, and each message costs the link's latency."},
     .watch = "memory",
     .shows = SHOWS(REDUCE) | SHOWS(PEAK) | SHOWS(MESSAGES),
     .variant = {{.label = "bucket 64 KB", .arguments = "--ranks 4 --stage 2 --bucket 64KB " TINY},
                 {.label = "bucket 25 MB",
                  .arguments = "--ranks 4 --stage 2 --bucket 25MB " TINY}}},
    {.name = "overlap",
     .title = "Bucket size against waiting: the U",
     .lesson = "2.2",
     .minutes = 2,
     .about = "Two ranks of stage 0 add their gradients over an emulated slow link, four times, "
              "with larger and larger buckets. A bucket is sent while backward computes the next.",
     .ask = "With which bucket do the ranks wait least for their gradients?",
     .option = {"the smallest: it is sent first", "one in between",
                "the largest: it needs one message"},
     .right = 1,
     .reveal =
         "One in between. Each message costs the link's latency, so many small buckets take long, "
         "however early they start. One bucket of all gradients can be sent only when backward is "
         "over, so nothing hides it. In between most buckets travel while backward computes.",
     .amount = {.ask = "How many times as long do they wait with one bucket of all gradients (2 "
                       "MB) as with buckets of 400 KB?",
                .of = EXPERIMENT_EXPOSED,
                .run = 3,
                .to = 2},
     .after =
         {.ask = "Why do the ranks wait with the smallest bucket?",
          .option = {"it sends more bytes", "it needs many messages, and each costs the latency",
                     "it is sent too late"},
          .right = 1,
          .because =
              "All runs send the same bytes. The smallest bucket sends them in the most messages."},
     .watch = "timeline",
     .shows = SHOWS(MESSAGES) | SHOWS(STEP_TIME) | SHOWS(EXPOSED),
     .variant = {{.label = "bucket 32 KB", .arguments = "--bucket 32KB " SLOW_LINK},
                 {.label = "bucket 128 KB", .arguments = "--bucket 128KB " SLOW_LINK},
                 {.label = "bucket 400 KB", .arguments = "--bucket 400KB " SLOW_LINK},
                 {.label = "bucket 2 MB", .arguments = "--bucket 2MB " SLOW_LINK}}},
    {.name = "accumulate",
     .title = "Accumulation: what four micro-batches send",
     .lesson = "2.2",
     .minutes = 1,
     .about = "Two ranks train with one micro-batch per step, then with four, under stages 1, 2 "
              "and 3. Compare what a step sends.",
     .ask = "Which stages send more in a step of four micro-batches than in a step of one?",
     .option = {"none: only the last micro-batch is sent", "stages 2 and 3", "all three"},
     .right = 1,
     .reveal =
         "Stages 2 and 3. Stage 1 keeps whole gradients, so it adds up four micro-batches and "
         "sends their sum once, 2Ψ in total. Stage 2 keeps a shard, so it reduces each "
         "micro-batch, 5Ψ in total. Stage 3 also gathers the parameters twice for each, which "
         "makes "
         "12Ψ.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB does each of the two "
                       "ranks send in a step of four micro-batches under stage 2?",
                .problem = "kind=traffic quantity=all unit=MB gpus=2 stage=2 accumulate=4 "
                           "params=220544 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after =
         {.ask = "Which collective grew from stage 1 to stage 2, with four micro-batches?",
          .option = {"all-gather", "reduce-scatter", "both"},
          .right = 1,
          .because =
              "Stage 2 reduces each micro-batch. Both stages gather the updated parameters once."},
     .watch = "traffic",
     .shows = SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP) | SHOWS(MESSAGES),
     .variant = {{.label = "stage 1 × 1", .arguments = "--stage 1 --accumulate 1 " TWO},
                 {.label = "stage 1 × 4", .arguments = "--stage 1 --accumulate 4 " TWO},
                 {.label = "stage 2 × 4", .arguments = "--stage 2 --accumulate 4 " TWO},
                 {.label = "stage 3 × 4", .arguments = "--stage 3 --accumulate 4 " TWO}}},
    {.name = "sparse",
     .title = "Embedding gradients: the table, or its rows",
     .lesson = "2.2",
     .minutes = 1,
     .about =
         "Four ranks of stage 0 train with a head of its own, not tied to the embeddings. Each "
         "looks up 256 tokens per step, so at most 256 rows of its embedding gradient are not "
         "zero. The ranks all-reduce the whole table, or they all-gather these rows, each with "
         "its token's number. They do both with 256 tokens in the vocabulary and with 4,096. "
         "The link is emulated: 100 MB/s.",
     .ask = "Which way sends fewer bytes?",
     .option = {"rows, with both vocabularies", "rows with 4,096 tokens, the table with 256 tokens",
                "the table, with both vocabularies"},
     .right = 1,
     .amount = {.ask =
                    "Each of the four ranks has 256 rows of 64 fp32 numbers, and 4 bytes for the "
                    "token of each row. That makes 66,560 fp32 numbers on all ranks together. "
                    "How many KB does a rank send per step when they are all-gathered?",
                .problem = "kind=traffic quantity=all_gather unit=KB gpus=4 stage=1 params=66560 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .reveal = "Rows win with the large vocabulary only. An all-reduce of the table sends 2 × (N − "
               "1)/N times the table. Rows are sent whole to each of the N − 1 others, whether the "
               "table is small or large. So rows send less if the table has more than N/2 times "
               "as many rows as a rank looks up: here more than 512. The sums are the same to the "
               "bit. DeepSpeed calls this `sparse_gradients`, and has it without ZeRO only.",
     .after = {.ask =
                   "With 4,096 tokens and rows, the ranks still all-reduce almost 3 MB per step. "
                   "What is most of it?",
               .option = {"the gradients of the blocks", "the gradient of the head",
                          "the rows that are not zero"},
               .right = 1,
               .because = "The loss depends on every logit, so every row of the head has a "
                          "gradient. That is why a head that is tied to the embeddings makes their "
                          "gradient dense as well, and zerolab refuses `--sparse-gradients` then."},
     .watch = "traffic",
     .shows = SHOWS(ALL_REDUCED) | SHOWS(GATHERED) | SHOWS(SENT_STEP) | SHOWS(MESSAGES) |
              SHOWS(STEP_TIME),
     .variant = {{.label = "256 table", .arguments = "--vocab 256 " LOOKED_UP},
                 {.label = "256 rows", .arguments = "--sparse-gradients --vocab 256 " LOOKED_UP},
                 {.label = "4,096 table", .arguments = "--vocab 4096 " LOOKED_UP},
                 {.label = "4,096 rows",
                  .arguments = "--sparse-gradients --vocab 4096 " LOOKED_UP}}},
    {.name = "prefetch",
     .title = "Prefetch: time against memory",
     .lesson = "2.3",
     .minutes = 1,
     .about =
         "Stage 3 runs over an emulated slow link and gathers no unit ahead, then one, then two. "
         "The timeline shows where computing waits.",
     .ask = "What does gathering one unit ahead cost?",
     .option = {"more traffic", "memory for one more unit", "nothing"},
     .right = 1,
     .reveal = "It costs memory for one more gathered unit. A rank sends the same bytes, but it "
               "sends them "
               "while the unit before computes, so less of their time is exposed.",
     .amount = {.ask =
                    "How many times as long do the ranks wait with prefetch 0 as with prefetch 1?",
                .of = EXPERIMENT_EXPOSED,
                .run = 0,
                .to = 1},
     .after = {.ask = "What did one unit gathered ahead cost, by the measurements?",
               .option = {"more bytes sent", "a larger gather buffer", "nothing"},
               .right = 1,
               .because =
                   "The bytes sent are equal in all runs. The gather buffer holds one unit more."},
     .watch = "timeline",
     .shows = SHOWS(GATHER) | SHOWS(SENT_STEP) | SHOWS(STEP_TIME) | SHOWS(EXPOSED),
     .variant = {{.label = "prefetch 0", .arguments = "--prefetch 0 " GATHERED},
                 {.label = "prefetch 1", .arguments = "--prefetch 1 " GATHERED},
                 {.label = "prefetch 2", .arguments = "--prefetch 2 " GATHERED}}},
    {.name = "find-the-bug",
     .title = "Find the bug",
     .lesson = "2.3",
     .minutes = 2,
     .about =
         "Stage 3 runs four times with the same flags. The first run is right. Each of the others "
         "has one fault, planted on purpose, and the hashes of their weights differ. Compare the "
         "losses from their first step on, the bytes that each collective sends, and the single "
         "numbers that ranks exchange, which are losses and norms.",
     .ask = "What is a step's first sign that a rank computes with old parameters?",
     .option = {"the loss of step 1 differs", "more bytes are sent",
                "the loss differs as soon as parameters were updated, and the bytes are the same"},
     .right = 2,
     .reveal = "One run gathers the first block before its update (`stale-prefetch`). It sends all "
               "bytes, and its first loss is right, since nothing was updated yet. One loses its "
               "last bucket of gradients (`lost-bucket`), so its reduce-scatters send fewer bytes. "
               "One clips by the norm of each rank's own shard (`local-norm`). "
               "`zerolab --plant-bug` has five more. Plant one, and let a friend find it.",
     .amount = {.ask =
                    "The model has 220,544 parameters in fp32. How many KB of reduce-scatter does "
                    "each of the four ranks send per step if no fault is planted?",
                .problem = "kind=traffic quantity=reduce_scatter unit=KB gpus=4 stage=3 "
                           "params=220544 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which of the three runs clips by the norm of each rank's own shard?",
               .option = {"bug A", "bug B", "bug C"},
               .right = 2,
               .because = "Its ranks exchange half as many single numbers: each needs the squares "
                          "of all shards for the norm, and they were not sent. By its collectives "
                          "it looks like the right run."},
     .watch = "traffic",
     .shows = SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(CONTROL),
     .variant = {{.label = "right", .arguments = "--plant-bug none " HUNTED},
                 {.label = "bug A", .arguments = "--plant-bug 6 " HUNTED},
                 {.label = "bug B", .arguments = "--plant-bug 8 " HUNTED},
                 {.label = "bug C", .arguments = "--plant-bug 2 " HUNTED}}},
    {.name = "activations",
     .title = "Activations: keep, or compute again",
     .lesson = "2.4",
     .minutes = 1,
     .about = "One rank trains on sequences of 256 tokens, four times as long as in the other "
              "labs, with "
              "checkpointing off, then selective, then full.",
     .ask = "Which of these does full checkpointing make smaller?",
     .option = {"parameters, gradients and moments", "activations only", "all of them"},
     .right = 1,
     .reveal = "Only the activations. A block keeps its input and computes the rest again in "
               "backward. Model states stay the same. The price is one more forward pass.",
     .amount = {.ask =
                    "How many times as long does a step take with full checkpointing as with none?",
                .of = EXPERIMENT_STEP_TIME,
                .run = 2,
                .to = 0},
     .after = {.ask = "What does selective checkpointing keep that full does not?",
               .option = {"the outputs of the matrix products", "the inputs of the blocks",
                          "the model states"},
               .right = 0,
               .because =
                   "Both keep the inputs of the blocks. Selective also keeps what is expensive to "
                   "compute again, and drops the attention's scores, the norms and the GELU."},
     .watch = "memory",
     .shows = SHOWS(ACTIVATIONS) | SHOWS(PEAK) | SHOWS(STEP_TIME),
     .variant = {{.label = "kept", .arguments = "--checkpoint none " LONG},
                 {.label = "selective", .arguments = "--checkpoint selective " LONG},
                 {.label = "full", .arguments = "--checkpoint full " LONG}}},
    {.name = "out-of-memory",
     .title = "Out of memory: get under the cap",
     .lesson = "2.4",
     .minutes = 1,
     .about = "Four ranks may hold 4 MB each. Stage 0 does not fit, so the lab shards more from "
              "run to run, and in the end computes activations again. Each refused run names the "
              "allocation that failed.",
     .ask = "Which is the first of these that fits?",
     .option = {"stage 3", "stage 3 with selective checkpointing",
                "stage 3 with full checkpointing"},
     .right = 2,
     .reveal =
         "Only the last fits. Stages shard model states, and under stage 3 most of the peak is "
         "activations, which no stage touches. Selective checkpointing drops a part of them. Full "
         "checkpointing keeps only the inputs of blocks. First ask which category is the largest. "
         "Where model states are, they can leave the GPU, too: `--offload-optimizer host`.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many KB of the 4 MB do model "
                       "states take on each of the four ranks under stage 3?",
                .problem = "kind=bytes quantity=model_state unit=KB gpus=4 stage=3 params=220544 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which part of the peak was the largest when stage 3 did not fit?",
               .option = {"the model states", "the activations", "the gather buffers"},
               .right = 1,
               .because = "Stage 3 had already divided the states by four. So the next thing to "
                          "make smaller was the activations."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ACTIVATIONS) | SHOWS(PEAK),
     .variant = {{.label = "stage 0", .arguments = "--stage 0 " CAPPED, .dies = true},
                 {.label = "stage 3", .arguments = "--stage 3 " CAPPED, .dies = true},
                 {.label = "selective",
                  .arguments = "--stage 3 --checkpoint selective " CAPPED,
                  .dies = true},
                 {.label = "full", .arguments = "--stage 3 --checkpoint full " CAPPED}}},
    {.name = "gpt2-xl",
     .title = "GPT-2 1.5B in 32 GB, on a GPU",
     .lesson = "2.4",
     .minutes = 1,
     .about =
         "The ZeRO paper (section 3) begins with this case: PyTorch and TensorFlow of its time "
         "could not train GPT-2 with 1.5 billion parameters on a GPU of 32 GB, although the "
         "weights take only 3 GB. Four "
         "ranks share one large GPU as threads. Each may hold 32 GB and trains in bf16 with a "
         "micro-batch of four sequences of 1,024 tokens. Without a GPU its recording, made on "
         "an H200, plays.",
     .ask = "Which is the first stage that fits in 32 GB?",
     .option = {"stage 1", "stage 2", "stage 3"},
     .right = 0,
     .reveal =
         "Stage 1 fits. Stage 0 is refused in block 32 of the first forward pass: its states take "
         "24.9 GB, and the activations need another 10.9 GB. Stage 1 divides the 18.7 GB of master "
         "weights and moments by four, and that is enough. Stages 2 and 3 leave more room, for a "
         "larger micro-batch. The fused attention of the GPU's kernels stores no scores. (The loss "
         "rises in the third step because the lab's default learning rate is too high for a model "
         "of this size. It rises to the same digits at every stage.)",
     .amount = {.ask = "The model has 1,557,611,200 parameters, in bf16 with an fp32 master copy. "
                       "How many GB of model states does each of four ranks keep under stage 1?",
                .problem = "kind=bytes quantity=model_state unit=GB gpus=4 stage=1 "
                           "params=1557611200 precision=mixed-bf16 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "From stage 1 to stage 3 the peak falls by 4.3 GB. Which category did not "
                      "change at all?",
               .option = {"the gradients", "the moments", "the activations"},
               .right = 2,
               .because = "They take 10.9 GB under every stage. Under stage 3 they are more than "
                          "half of the peak of 17.6 GB."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ACTIVATIONS) | SHOWS(PEAK) | SHOWS(SENT_STEP) | SHOWS(STEP_TIME),
     .variant = {{.label = "stage 0", .arguments = "--stage 0 " GPT2_XL, .dies = true},
                 {.label = "stage 1", .arguments = "--stage 1 " GPT2_XL},
                 {.label = "stage 2", .arguments = "--stage 2 " GPT2_XL},
                 {.label = "stage 3", .arguments = "--stage 3 " GPT2_XL}}},
    {.name = "measure-collectives",
     .title = "Collectives, measured alone",
     .lesson = "2.5",
     .minutes = 1,
     .about = "Four ranks train nothing. They time each collective alone, for arrays from 4 KB "
              "to 8 MB. The emulated link takes 50 µs for each hop and then sends 200 MB/s. A "
              "line is fitted to the sizes up to 1 MB, with α for each hop and β for the bytes.",
     .ask = "The line is fitted without the largest size. How long does an all-reduce of 8 MB take "
            "on four ranks?",
     .option = {"about 40 ms: 8 MB ÷ 200 MB/s", "about 60 ms: each rank sends 1.5 times 8 MB",
                "about 240 ms: each rank sends 8 MB in each of six hops"},
     .right = 1,
     .reveal =
         "About 60 ms. In a ring each rank sends 2 × (N − 1)/N times the array, here 12 MB. The "
         "six hops add only six times α. That counts for small arrays, so a thousandth of the "
         "bytes "
         "takes more than a thousandth of the time. Two numbers predict every size in between.",
     .amount = {.ask = "How many ms does that make for an all-reduce of 4 MB, by the bytes alone?",
                .problem = "kind=seconds quantity=all_reduce budget=4MB unit=ms gpus=4 "
                           "link=200MB/s tolerance=0.03"},
     .after = {.ask = "For which arrays does latency make up most of the time?",
               .option = {"small ones", "large ones", "all alike"},
               .right = 0,
               .because = "For 4 KB six hops take 300 µs, and the bytes take 31 µs."},
     .watch = "collectives",
     .variant = {{.label = "4 ranks, 200 MB/s, 50 µs per hop",
                  .arguments = "collectives --ranks 4 --from 4KB --to 4MB --factor 4 --steps 11 "
                               "--link 200MB/s,50us"}}},
};

const struct experiment_labs experiment_labs_sharding = {rows, BASE_COUNT(rows)};
