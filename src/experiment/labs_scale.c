/* The labs of phases 3 and 4, in the order of their lessons. */
#include "experiment/labs.h"

#define TIERED "--ranks 2 --stage 3 --model tiny --batch 2 --steps 8 --seed 1"
#define FILED  "--host-link 100MB/s,50us --nvme-link 40MB/s,100us "
#define TWO_NODES                                                                                  \
    "--ranks 4 --stage 3 --gpus-per-node 2 --link 2GB/s,20us --net 50MB/s,100us --model tiny "     \
    "--batch 2 --steps 8 --seed 1"

/* One training of 16 steps, and what goes on from its eighth. */
#define TRAINED "--model tiny --batch 2 --steps 16 --seed 1"
#define RESUMED "--resume " EXPERIMENT_HERE "/step-8 " TRAINED

static const struct experiment_lab rows[] = {
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
     .amount = {.ask = "How many times as long does a step take with the optimizer in the file as "
                       "with all on the device?",
                .of = EXPERIMENT_STEP_TIME,
                .run = 2,
                .to = 0},
     .after = {.ask = "Which of these stayed the same in all four runs?",
               .option = {"what the device keeps", "the losses, to the bit", "the step's time"},
               .right = 1,
               .because = "Where a number is stored does not change it."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(ON_HOST) | SHOWS(IN_FILE) | SHOWS(STEP_TIME),
     .variant = {{.label = "device", .arguments = "--offload-optimizer none " TIERED},
                 {.label = "host",
                  .arguments = "--offload-optimizer host --host-link 100MB/s,50us " TIERED},
                 {.label = "file", .arguments = "--offload-optimizer nvme " FILED TIERED},
                 {.label = "params too",
                  .arguments = "--offload-optimizer nvme --offload-params nvme " FILED TIERED}}},
    {.name = "resume-elsewhere",
     .title = "Saved sharded, resumed elsewhere",
     .lesson = "3.2",
     .minutes = 1,
     .about =
         "Four ranks under stage 3 train 16 steps and save their shards after the eighth. Three "
         "more runs resume from there: four ranks under stage 1, four ranks with the "
         "optimizer's states on the host, and two ranks under stage 2.",
     .ask = "Which of the three ends with the same loss as the training that was never stopped?",
     .option = {"all of them", "those with four ranks", "none: a resumed training differs"},
     .right = 1,
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB of model states does "
                       "each of the four ranks keep that resume under stage 1?",
                .problem = "kind=bytes quantity=model_state unit=MB gpus=4 stage=1 params=220544 "
                           "precision=fp32 optimizer=adamw recipe=zerolab"},
     .reveal = "Those with four ranks, to the last bit. A checkpoint holds each shard and where it "
               "begins, so another stage or tier reads other ranges of the same numbers. Two ranks "
               "also begin with the same states. But with the same micro-batch, two ranks train on "
               "half as many sequences per step, so every step after that is another one.",
     .after = {.ask = "What was the same in the run with two ranks?",
               .option = {"its states when it began", "its losses", "the memory that a rank kept"},
               .right = 0,
               .because =
                   "It read all shards of the four ranks and cut them again, in two. zerolab "
                   "checks each file's hash before it does."},
     .watch = "memory",
     .shows = SHOWS(KEPT) | SHOWS(PEAK) | SHOWS(ON_HOST),
     .variant = {{.label = "not stopped",
                  .arguments = "--ranks 4 --stage 3 --save " EXPERIMENT_HERE
                               " --save-every 8 --keep 2 " TRAINED},
                 {.label = "stage 1", .arguments = "--ranks 4 --stage 1 " RESUMED},
                 {.label = "on the host",
                  .arguments = "--ranks 4 --stage 2 --offload-optimizer host " RESUMED},
                 {.label = "2 ranks", .arguments = "--ranks 2 --stage 2 " RESUMED}}},
    {.name = "hybrid",
     .title = "Hybrid: shard in a node, copy across nodes",
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
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB of model states does "
                       "each rank keep if the states are sharded inside each node?",
                .problem =
                    "kind=bytes quantity=model_state unit=MB gpus=4 gpus_per_node=2 stage=3 "
                    "shard_group=2 params=220544 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after =
         {.ask = "What is the price of sharding inside each node alone, by the measurements?",
          .option = {"more bytes between nodes", "twice the model states on each rank",
                     "other losses"},
          .right = 1,
          .because =
              "Two nodes hold all states once each, so a rank keeps a half instead of a quarter. "
              "(The sums have another order, so the last digits of a loss may differ.)"},
     .watch = "traffic",
     .shows = SHOWS(KEPT) | SHOWS(INSIDE) | SHOWS(BETWEEN) | SHOWS(STEP_TIME),
     .variant = {{.label = "all four", .arguments = TWO_NODES},
                 {.label = "in each node", .arguments = "--shard-group 2 " TWO_NODES}}},
    {.name = "zero-plus-plus",
     .title = "ZeRO++: a near copy and fewer bits",
     .lesson = "3.3",
     .minutes = 1,
     .about = "Four ranks stand for two nodes of two GPUs. Inside a node the emulated link sends "
              "2 GB/s, between nodes 50 MB/s. Stage 3 shards over all four ranks. The second run "
              "also keeps a copy of the parameters that is sharded inside each node (ZeRO++'s "
              "hpZ). The third adds the rest of ZeRO++: parameters are gathered in 8 bits (qwZ), "
              "and gradients are reduced in 4 (qgZ). The last run shards inside each node alone.",
     .ask = "hpZ gathers for backward from the copy inside the node. What happens to the bytes a "
            "rank sends to the other node?",
     .option = {"they fall to nothing", "they fall by about a third",
                "they stay the same: the copy is read as well"},
     .right = 1,
     .reveal =
         "They fall by about a third. Stage 3 sends the parameters to other nodes twice and the "
         "gradients once. hpZ leaves out one of these three. Its copy takes half of the parameters "
         "per rank here. With 8 and 4 bits about a tenth is left, but the losses are no longer "
         "equal to the bit.",
     .amount = {.ask = "The model has 220,544 parameters in fp32. How many MB of model states does "
                       "each rank keep with hpZ, its copy included?",
                .problem = "kind=bytes quantity=model_state unit=MB gpus=4 gpus_per_node=2 stage=3 "
                           "hpz=2 params=220544 precision=fp32 optimizer=adamw recipe=zerolab"},
     .after = {.ask = "Which run keeps the least between steps?",
               .option = {"all four", "hpZ", "in each node"},
               .right = 0,
               .because = "Plain stage 3 holds a quarter of everything. hpZ adds a copy of half of "
                          "the parameters, and sharding inside a node holds half of everything."},
     .watch = "traffic",
     .shows = SHOWS(KEPT) | SHOWS(INSIDE) | SHOWS(BETWEEN) | SHOWS(STEP_TIME),
     .variant = {{.label = "all four", .arguments = TWO_NODES},
                 {.label = "hpZ", .arguments = "--hpz 2 " TWO_NODES},
                 {.label = "all of ZeRO++", .arguments = "--hpz 2 --qwz on --qgz on " TWO_NODES},
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
     .amount = {.ask =
                    "The scenario has 13B parameters on 8 GPUs. How many GB of model states does "
                    "each of them keep under stage 1?",
                .problem = "kind=bytes quantity=model_state unit=GB model=llama-2-13b params=13e9 "
                           "gpus=8 stage=1"},
     .after = {.ask = "Which part of the peak was the largest in the last run?",
               .option = {"the model states", "the activations", "the buffers"},
               .right = 0,
               .because = "A higher stage makes model states smaller. Checkpointing makes only "
                          "activations smaller."},
     .watch = "memory",
     .scaled = true},
};

const struct experiment_labs experiment_labs_scale = {rows, BASE_COUNT(rows)};
