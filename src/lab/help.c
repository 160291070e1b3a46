/* zerolab --help: each flag with its default, and what else there is. */
#include "lab/options.h"

/* ISO C promises no longer a string than 4095 characters, hence sections. */
static const char *const section[] = {
    "zerolab: trains a small GPT under ZeRO stages 0 to 3 and measures its memory\n"
    "\n"
    "  zerolab --ranks 4 --stage 2 --model tiny --batch 2 --steps 20\n"
    "\n",
    "ranks (defaults in brackets)\n"
    "  --ranks N            number of ranks (1)\n"
    "  --stage 0|1|2|3      shard nothing, optimizer, + gradients, + parameters (0)\n"
    "  --shard-group G      shard inside groups of G ranks, add up across (all ranks)\n"
    "  --gpus-per-node K    ranks per node; traffic between nodes is counted apart\n"
    "                       (the hpZ group, or the shard group)\n"
    "  --hpz H              backward gathers from a second copy of the parameters, among\n"
    "                       groups of H ranks (no second copy)\n"
    "  --device cpu|cuda    where the ranks train (cpu)\n"
    "  --threads N          threads of each rank's BLAS: the same number gives the same\n"
    "                       bits (cores / ranks)\n"
    "  --comm shm|local|nccl  shared memory, threads or NCCL (shm; nccl on GPUs)\n"
    "  --share-gpu          several NCCL ranks on one GPU\n"
    "  --gpus N             GPUs over which --comm local spreads its ranks (1)\n"
    "  --rendezvous HOST:PORT  where ranks meet if torchrun, srun or mpirun starts\n"
    "                       them (as the launcher says)\n"
    "  --patience SECONDS   how long ranks wait for each other there (60)\n"
    "  --link 10GB/s,20us   emulate such a link, or none (none)\n"
    "  --net 1GB/s,50us     emulate such a link between nodes (as --link)\n"
    "  --slow RANK,TIMES    make this rank compute this many times slower\n",
    "model and data\n"
    "  --model NAME         tiny, small, 10m, 124m, 355m, 774m, 1558m (tiny)\n"
    "  --layers --width --heads --seq --vocab N   replace the model's own number\n"
    "  --tokens text|random|FILE  bundled text, noise or a file of bytes (text)\n"
    "  --seed N             seed of weights and data (1)\n",
    "a step\n"
    "  --steps N            number of steps (10)\n"
    "  --batch N            sequences per rank and micro-step (1)\n"
    "  --accumulate N       micro-steps per step (1)\n"
    "  --precision fp32|bf16|fp16  16 bits have an fp32 master copy (fp32)\n"
    "  --loss-scale N|dynamic  scale of the loss in fp16 (dynamic)\n"
    "  --checkpoint none|selective|full  how much backward computes again (none)\n"
    "  --rate R --warmup N --decay R|off  settings of AdamW (0.001, 0, 0.1)\n"
    "  --clip NORM|off      largest norm of the whole gradient (off)\n"
    "  --evaluate N         every N steps show loss on a held-out tenth (0: never)\n",
    "buffers\n"
    "  --bucket BYTES       gradients that travel together (25MB)\n"
    "  --prefetch 0|1|2     units that stage 3 gathers ahead (1)\n"
    "  --cap BYTES|none     the most bytes that a rank may hold (none)\n"
    "  --products first|timed  algorithm of GPUs' products: the library's first, or\n"
    "                       the fastest of eight, kept in $XDG_CACHE_HOME (first)\n",
    "tiers (on the CPU, the host is memory that is counted separately)\n"
    "  --offload-optimizer none|host|nvme  where the optimizer's states are (none)\n"
    "  --offload-params none|host|nvme     where stage 3's shards are (none)\n"
    "  --offload-dir DIR    where the ranks' files are, if a tier is nvme ($TMPDIR or\n"
    "                       /var/tmp)\n"
    "  --host-link 10GB/s,5us  emulate such a link to the host, or none (none)\n"
    "  --nvme-link 3GB/s,80us  emulate such a disk, or none (none)\n",
    "checkpoints\n"
    "  --save DIR           write the states to DIR/step-N after the last step\n"
    "  --save-every N       and after every N steps (0: only then)\n"
    "  --keep N             checkpoints that stay, the newest ones (2)\n"
    "  --resume DIR         continue from DIR/step-N, or the newest in DIR, also with\n"
    "                       other --ranks and --stage; --steps counts from the start\n"
    "  consolidate DIR FILE   write a checkpoint's weights as one safetensors file\n",
    "what to do\n"
    "  --predict            print the bytes that the engine expects, and run nothing\n"
    "  --dry                walk the schedule and count, but compute nothing\n"
    "  --probe              print this machine's devices as JSON\n"
    "  --events FILE        write events to this file; print the table as well\n"
    "  --detail-every N     write memory and transfers only of the first step and of\n"
    "                       every Nth, because writing slows a tiny model (1)\n"
    "  --links              run only collectives of --bucket bytes, to time links\n"
    "  collectives          time collectives over a range of sizes, and fit a latency\n"
    "                       and a rate: --from 4KB --to 16MB --factor 4 --steps 20\n"
    "  --plant-bug NAME     make one fault on purpose, for others to find: forgotten-mean,\n"
    "                       local-norm, kept-grads, missing-gather, late-reduce,\n"
    "                       stale-prefetch, same-data or lost-bucket\n"
    "  --no-hash            leave out the hashes of weights and states at the end\n"
    "  --gflops             time the BLAS first, and show the share that trains (MFU)\n"
    "  gflops               print the GFLOP/s of the BLAS that this environment loads\n"
    "  --weights FILE       write first weights and tokens here, for a reference\n"
    "  --stall SECONDS      time without progress that counts as a hang (4; GPUs: 60)\n",
    "\n"
    "Ranks that another launcher starts prove to each other that they know\n"
    "ZEROLAB_SECRET. If it is not set, they use ~/.local/state/zerolab/secret, a file\n"
    "that zerolab makes for you.\n"
    "Standard output is a table on a terminal, events (JSON Lines) otherwise.\n"
    "Exit status: 0 the run ended well; 1 it failed; 2 bad usage, or no such device.\n",
};

void lab_options_help(FILE *out) {
    for (size_t i = 0; i < sizeof section / sizeof *section; i++) (void)fputs(section[i], out);
}
