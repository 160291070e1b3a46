/* The named labs, in the order of their lessons. Each asks for a prediction, runs, and says what
 * was to be seen. */
#include "experiment/experiment.h"

#include <string.h>

#define TINY "--model tiny --batch 2 --steps 30 --seed 1"
/* A long sequence: attention's scores grow with its square. */
#define LONG "--ranks 1 --stage 0 --model tiny --seq 256 --batch 2 --steps 8 --seed 1"
/* A byte is sent or not: a few steps show it. */
#define COUNTED "--model tiny --batch 1 --steps 4 --seed 1"
#define ONE     "--ranks 1 --stage 0 " TINY
#define TWO     "--ranks 2 " TINY
#define FP16    "--precision fp16 " ONE
/* Sending takes about as long as backward. */
#define SLOW_LINK                                                                                  \
    "--ranks 2 --stage 0 --link 50MB/s,500us --model tiny --batch 8 --steps 12 --seed 1"
#define CAPPED "--ranks 4 --cap 4MB --model tiny --batch 2 --steps 8 --seed 1"
#define HUNTED "--ranks 4 --stage 3 --bucket 64KB --model tiny --batch 2 --steps 12 --seed 1"
#define TIERED "--ranks 2 --stage 3 --model tiny --batch 2 --steps 8 --seed 1"
#define FILED  "--host-link 100MB/s,50us --nvme-link 40MB/s,100us "
#define TWO_NODES                                                                                  \
    "--ranks 4 --stage 3 --gpus-per-node 2 --link 2GB/s,20us --net 50MB/s,100us --model tiny "     \
    "--batch 2 --steps 8 --seed 1"
#define SHOWS(m) (1u << EXPERIMENT_##m)

static const struct experiment_lab all_labs[] = {
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
              "small gradients do not become zero: by a scale that adapts, by 1, and by a "
              "thousand million for good. Compare the skipped steps and the last losses.",
     .ask = "What does a rank do in a step whose scaled gradients overflow fp16?",
     .option = {"it updates with the largest number of fp16", "it updates nothing",
                "it computes the step again in fp32"},
     .right = 1,
     .reveal =
         "It updates nothing and skips the step. A scale that adapts is then halved, and the "
         "next step may go well. The fixed scale that is too large skips every step, so its loss "
         "never falls. A scale of 1 loses the smallest gradients of this model, which costs digits "
         "of the loss. In a large model the whole training may fail.",
     .watch = "memory",
     .shows = SHOWS(SKIPPED) | SHOWS(PEAK),
     .variant = {{.label = "adapts", .arguments = "--loss-scale dynamic " FP16},
                 {.label = "fixed, 1", .arguments = "--loss-scale 1 " FP16},
                 {.label = "fixed, 1e9", .arguments = "--loss-scale 1e9 " FP16}}},
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
     .ask = "How does the loss of the last step change from stage 0 to stage 3?",
     .option = {"it gets a little worse: sharding costs accuracy", "it does not change at all",
                "it differs in the last digits"},
     .right = 1,
     .reveal = "The loss stays the same. A stage decides where a number is stored, not its value. "
               "Here every "
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
     .watch = "traffic",
     .shows = SHOWS(ALL_REDUCED) | SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP),
     .variant = {{.label = "stage 0", .arguments = "--ranks 4 --stage 0 " COUNTED},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " COUNTED},
                 {.label = "stage 2", .arguments = "--ranks 4 --stage 2 " COUNTED},
                 {.label = "stage 3", .arguments = "--ranks 4 --stage 3 " COUNTED}}},
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
     .watch = "traffic",
     .shows = SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP) | SHOWS(MESSAGES),
     .variant = {{.label = "1, stage 1", .arguments = "--stage 1 --accumulate 1 " TWO},
                 {.label = "4, stage 1", .arguments = "--stage 1 --accumulate 4 " TWO},
                 {.label = "4, stage 2", .arguments = "--stage 2 --accumulate 4 " TWO},
                 {.label = "4, stage 3", .arguments = "--stage 3 --accumulate 4 " TWO}}},
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
     .watch = "timeline",
     .shows = SHOWS(GATHER) | SHOWS(SENT_STEP) | SHOWS(STEP_TIME) | SHOWS(EXPOSED),
     .variant = {{.label = "prefetch 0",
                  .arguments = "--ranks 2 --stage 3 --prefetch 0 --link 200MB/s,50us " TINY},
                 {.label = "prefetch 1",
                  .arguments = "--ranks 2 --stage 3 --prefetch 1 --link 200MB/s,50us " TINY},
                 {.label = "prefetch 2",
                  .arguments = "--ranks 2 --stage 3 --prefetch 2 --link 200MB/s,50us " TINY}}},
    {.name = "find-the-bug",
     .title = "Find the bug",
     .lesson = "2.3",
     .minutes = 2,
     .about =
         "Stage 3 runs three times with the same flags. The first run is right. Each of the others "
         "has one fault, planted on purpose, and the hashes of their weights differ. Compare the "
         "losses from their first step on, and the bytes that each collective sends.",
     .ask = "What is a step's first sign that a rank computes with old parameters?",
     .option = {"the loss of step 1 differs", "more bytes are sent",
                "the loss differs as soon as parameters were updated, and the bytes are the same"},
     .right = 2,
     .reveal =
         "The second run gathers the first block before its update (`stale-prefetch`). It sends "
         "all bytes, and its first loss is right, since nothing was updated yet. The third run "
         "loses its last bucket of gradients (`lost-bucket`), so its reduce-scatters send fewer "
         "bytes. `zerolab --plant-bug` has six more. Plant one, and let a friend find "
         "it.",
     .watch = "traffic",
     .shows = SHOWS(SCATTERED) | SHOWS(GATHERED) | SHOWS(SENT_STEP),
     .variant = {{.label = "right", .arguments = "--plant-bug none " HUNTED},
                 {.label = "wrong, 1", .arguments = "--plant-bug stale-prefetch " HUNTED},
                 {.label = "wrong, 2", .arguments = "--plant-bug lost-bucket " HUNTED}}},
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
         "checkpointing keeps only the inputs of blocks. First ask which category is the largest.",
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ACTIVATIONS) | SHOWS(PEAK),
     .variant = {{.label = "stage 0", .arguments = "--stage 0 " CAPPED, .dies = true},
                 {.label = "stage 3", .arguments = "--stage 3 " CAPPED, .dies = true},
                 {.label = "selective",
                  .arguments = "--stage 3 --checkpoint selective " CAPPED,
                  .dies = true},
                 {.label = "full", .arguments = "--stage 3 --checkpoint full " CAPPED}}},
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
     .watch = "collectives",
     .variant = {{.label = "4 ranks, 200 MB/s, 50 µs per hop",
                  .arguments = "collectives --ranks 4 --from 4KB --to 4MB --factor 4 --steps 11 "
                               "--link 200MB/s,50us"}}},
    {.name = "tiers",
     .title = "Tiers: states on the host and in a file",
     .lesson = "3.2",
     .minutes = 2,
     .about =
         "Two ranks run stage 3 four times. First all states are on the device. Then the "
         "optimizer's "
         "are on the host, then in a file, and in the end the shards of parameters are in the file "
         "too. "
         "The links are emulated: 100 MB/s to the host, 40 MB/s to the file. On the CPU the "
         "\"device\" is memory that is counted separately.",
     .ask = "The optimizer's states leave the device. What does that do to the step's time?",
     .option = {"nothing: the bytes are the same", "it grows, and more so with the slower tier",
                "it falls: the device has less to hold"},
     .right = 1,
     .reveal =
         "It grows. In every step the gradients go down to the host, and the updated parameters "
         "come up. With a file, the rank's shard of the optimizer's states is also read and "
         "written in every step, however small the batch is. These bytes are fixed, so a larger "
         "batch or accumulation makes the wait a smaller part of the time. The losses agree to "
         "the bit, because a number's place does not change its value.",
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ON_HOST) | SHOWS(IN_FILE) | SHOWS(TIER_WAIT),
     .variant = {{.label = "device", .arguments = "--offload-optimizer none " TIERED},
                 {.label = "host",
                  .arguments = "--offload-optimizer host --host-link 100MB/s,50us " TIERED},
                 {.label = "file", .arguments = "--offload-optimizer nvme " FILED TIERED},
                 {.label = "params too",
                  .arguments = "--offload-optimizer nvme --offload-params nvme " FILED TIERED}}},
    {.name = "hybrid",
     .title = "Hybrid: shard inside a node, replicate across",
     .lesson = "3.3",
     .minutes = 1,
     .about = "Four ranks stand for two nodes of two GPUs. Inside a node the emulated link sends "
              "2 GB/s, between nodes 50 MB/s. Stage 3 shards over all four ranks first, then "
              "inside each node alone.",
     .ask = "Each rank then keeps half of the states instead of a quarter. How much does a rank "
            "send to the other node?",
     .option = {"as much as before", "a third of it: only its shard of gradients is summed across",
                "nothing: each node trains alone"},
     .right = 1,
     .reveal =
         "Parameters are now gathered inside the node, and gradients scattered there. Between "
         "nodes "
         "only one all-reduce is left, of the rank's shard of gradients. The price is memory, "
         "because each node holds all states once. FSDP calls this HYBRID_SHARD, and DeepSpeed has "
         "it as "
         "MiCS.",
     .watch = "traffic",
     .shows = SHOWS(KEPT) | SHOWS(INSIDE) | SHOWS(BETWEEN) | SHOWS(STEP_TIME),
     .variant = {{.label = "all four", .arguments = TWO_NODES},
                 {.label = "in each node", .arguments = "--shard-group 2 " TWO_NODES}}},
    {.name = "zero-plus-plus",
     .title = "ZeRO++: a second copy inside the node",
     .lesson = "3.3",
     .minutes = 1,
     .about = "Four ranks stand for two nodes of two GPUs. Inside a node the emulated link sends "
              "2 GB/s, between nodes 50 MB/s. Stage 3 shards over all four ranks. The second run "
              "also keeps a copy of the parameters that is sharded inside each node (ZeRO++'s "
              "hpZ, without its quantization), and the third shards inside each node alone.",
     .ask = "hpZ gathers for backward from the copy inside the node. What happens to the bytes a "
            "rank sends to the other node?",
     .option = {"they fall to nothing", "they fall by about a third",
                "they stay the same: the copy is read as well"},
     .right = 1,
     .reveal =
         "They fall by about a third. Stage 3 sends the parameters to other nodes twice, for "
         "forward and "
         "for backward, and the gradients once. hpZ leaves out the second of the three. Its price "
         "is the copy, which takes half of the parameters per rank here. Sharding inside each node "
         "alone "
         "saves more traffic, but it also keeps gradients and the optimizer's states once in "
         "every node.",
     .watch = "traffic",
     .shows = SHOWS(KEPT) | SHOWS(INSIDE) | SHOWS(BETWEEN) | SHOWS(STEP_TIME),
     .variant = {{.label = "all four", .arguments = TWO_NODES},
                 {.label = "hpZ", .arguments = "--hpz 2 " TWO_NODES},
                 {.label = "in each node", .arguments = "--shard-group 2 " TWO_NODES}}},
    {.name = "capstone",
     .title = "The capstone, scaled down with its GPU",
     .lesson = "4.1",
     .minutes = 3,
     .about =
         "13B parameters on 8 × A100 80 GB are scaled down so that the verdict stays the same. "
         "Layers, ranks, micro-batch and bytes per element are the scenario's, and so are "
         "sequence ÷ width and vocabulary ÷ (layers × width). The cap of a rank is the GPU's "
         "memory without the framework's reserve, scaled down by the same factor.",
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
