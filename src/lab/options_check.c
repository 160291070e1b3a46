/* Whether the options agree with each other. A message says which flag is wrong and what to set. */
#include "lab/options.h"

#include "lab/load.h"

#include <unistd.h>

static bool check_shape(const struct lab_shape *s, struct lab_message *m) {
    if (s->width % s->heads)
        return lab_fail(m, "--heads %u does not divide --width %u: use heads that do", s->heads,
                        s->width);
    if ((double)s->layers * s->width * s->width * 12 > 0x1p40)
        return lab_fail(m, "--layers %u --width %u: more parameters than the lab can number",
                        s->layers, s->width);
    return true;
}

/* A BLAS would start fewer threads than were asked for, and say nothing. */
static bool check_threads(const struct lab_options *o, struct lab_message *m) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (o->threads && o->device != LAB_CPU)
        return lab_fail(m, "--threads works only on the CPU: leave it out, because GPUs compute "
                           "their own products");
    if (o->threads > 1 && lab_space_limited())
        return lab_fail(m,
                        "--threads %u: address space is limited (see ulimit -v, -d), so the "
                        "BLAS has one thread",
                        o->threads);
    if (!lab_computes(o) || cores < 1 || o->threads <= (unsigned long)cores) return true;
    return lab_fail(m, "--threads %u: this machine has %ld core%s: use at most as many", o->threads,
                    cores, cores == 1 ? "" : "s");
}

static bool check_places(const struct lab_options *o, struct lab_message *m) {
    if (o->comm == LAB_NCCL && o->device != LAB_CUDA)
        return lab_fail(m, "--comm nccl needs --device cuda: on the CPU choose shm or local");
    if (o->device == LAB_CUDA && (o->link_rate > 0 || o->net_rate > 0))
        return lab_fail(m, "--%s works only on the CPU: leave it out, because GPUs have real links",
                        o->link_rate > 0 ? "link" : "net");
    if (o->device == LAB_CUDA && o->shape.width > LAB_CUDA_WIDTH_MOST)
        return lab_fail(m, "--width %u: use at most %d on GPUs", o->shape.width,
                        LAB_CUDA_WIDTH_MOST);
    if (o->device == LAB_CUDA && o->batch > LAB_CUDA_BATCH_MOST)
        return lab_fail(m, "--batch %u: use at most %d on GPUs", o->batch, LAB_CUDA_BATCH_MOST);
    if (o->gpus > 1 && (o->device != LAB_CUDA || o->comm != LAB_LOCAL))
        return lab_fail(m, "--gpus is for --comm local on --device cuda: NCCL uses one GPU per "
                           "rank");
    if (o->links && o->ranks < 2)
        return lab_fail(m, "--links: one rank has no links: set --ranks 2");
    if (o->gpus > o->ranks)
        return lab_fail(m, "--gpus %u: use as many ranks at least: --ranks %u", o->gpus, o->gpus);
    if (o->share_gpu && o->comm != LAB_NCCL)
        return lab_fail(m, "--share-gpu is for --comm nccl: local shares the GPU anyway");
    return true;
}

static bool check_step(const struct lab_options *o, struct lab_message *m) {
    uint64_t rows = (uint64_t)o->batch * o->shape.seq;
    uint64_t least = lab_bucket_least(o);
    if (rows > 0x7fffffffu / o->shape.heads)
        return lab_fail(m, "--batch %u: %llu tokens at a time are too many: accumulate instead",
                        o->batch, (unsigned long long)rows);
    if (o->bucket < least)
        return lab_fail(m, "--bucket %llu: use at least %llu bytes, %s for each rank",
                        (unsigned long long)o->bucket, (unsigned long long)least,
                        lab_grain(o) > 1 ? "a block of 256 elements" : "an element");
    if (o->loss_scale > 0 && o->compute != LAB_F16)
        return lab_fail(m, "--loss-scale is for --precision fp16: the others need none");
    if (o->launch > 0 && o->device == LAB_CUDA)
        return lab_fail(m, "--launch emulates a GPU's cost: a GPU has its own, so leave it out");
    if (o->launch > 1000) return lab_fail(m, "--launch %g: use at most 1000 µs", o->launch);
    if (o->slow_times > 0 && o->slow_rank >= o->ranks)
        return lab_fail(m, "--slow %u: ranks are numbered from 0 to %u", o->slow_rank,
                        o->ranks - 1);
    if (o->warmup > o->steps)
        return lab_fail(m, "--warmup %u: the run has only %u step%s", o->warmup, o->steps,
                        o->steps == 1 ? "" : "s");
    return true;
}

static bool check_groups(const struct lab_options *o, struct lab_message *m) {
    uint32_t g = o->shard_group;
    if (g == 0) return true;
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--shard-group works only on the CPU: leave it out, or --device cpu");
    if (o->links)
        return lab_fail(m, "--shard-group has no effect with --links: leave one of them out");
    if (o->stage == 0)
        return lab_fail(m, "--shard-group %u: stage 0 shards nothing: set --stage 1, 2 or 3", g);
    if (o->ranks % g)
        return lab_fail(m, "--shard-group %u does not divide --ranks %u: set a group that does", g,
                        o->ranks);
    return true;
}

/* The second copy is made of what forward gathers, among ranks that share the states. */
static bool check_second(const struct lab_options *o, struct lab_message *m) {
    uint32_t all = o->shard_group ? o->shard_group : o->ranks, h = o->hpz;
    if (h == 0) return true;
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--hpz works only on the CPU: leave it out, or --device cpu");
    if (o->links) return lab_fail(m, "--hpz has no effect with --links: leave one of them out");
    if (o->stage != 3)
        return lab_fail(m, "--hpz %u: stage %u keeps parameters whole: set --stage 3", h, o->stage);
    if (all % h)
        return lab_fail(m, "--hpz %u does not divide the %u rank%s the states: set one that does",
                        h, all, all == 1 ? " that shares" : "s that share");
    if (o->node && o->node % h && h % o->node)
        return lab_fail(m, "--gpus-per-node %u and --hpz %u: set one that divides the other",
                        o->node, h);
    return true;
}

/* Blocks that share a scale. They are whole in each shard, so what is sent or kept of them does not
 * depend on stage or bucket. */
static bool check_blocks(const struct lab_options *o, struct lab_message *m) {
    const char *flag = o->qwz ? "qwz" : o->qgz ? "qgz" : o->optimizer ? "optimizer adam8bit" : NULL;
    uint32_t group = lab_sharers(o);
    if (o->grad_dtype && o->compute == LAB_F32)
        return lab_fail(m, "--grad-dtype fp32: --precision fp32 keeps gradients in fp32 anyway: "
                           "leave it out");
    if (!flag && o->grad_dtype) flag = "grad-dtype fp32";
    if (!flag) return true;
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--%s works only on the CPU: leave it out, or --device cpu", flag);
    if (o->links)
        return lab_fail(m, "--%s has no effect with --links: leave one of them out", flag);
    if (o->bug) return lab_fail(m, "--%s: faults are planted without it: leave it out", flag);
    if ((o->qwz || o->qgz) && o->stage != 3)
        return lab_fail(m, "--%s: it belongs to stage 3, and stage %u %s: set --stage 3", flag,
                        o->stage,
                        o->qwz ? "keeps parameters whole" : "reduces gradients in full width");
    if ((o->qwz || o->qgz) && (o->ranks == 1 || o->shard_group == 1))
        return lab_fail(m, "--%s: no rank shares its states: set --ranks 2%s", flag,
                        o->shard_group == 1 ? ", and a larger --shard-group" : "");
    if (o->qwz && o->offload_params)
        return lab_fail(m, "--qwz: parameters on a tier come up in full width: leave out "
                           "--offload-params");
    if (o->qgz && lab_node_ranks(o) >= group)
        return lab_fail(m,
                        "--qgz: the %u ranks that share the states are on one node: set "
                        "--gpus-per-node",
                        group);
    if (o->optimizer == LAB_ADAM8BIT && o->offload_optimizer == LAB_TIER_NVME)
        return lab_fail(m, "--optimizer adam8bit: its blocks would cross those of a file: set "
                           "--offload-optimizer host");
    if (o->optimizer == LAB_ADAM8BIT && o->update == LAB_BY_TENSOR)
        return lab_fail(m, "--optimizer adam8bit: its blocks would cross those of tensors: leave "
                           "out --update tensor");
    return true;
}

/* Rows take the place of stage 0's all-reduce of the embeddings (rows.c). */
static bool check_rows(const struct lab_options *o, struct lab_message *m) {
    if (!o->sparse_gradients) return true;
    if (!o->shape.untied)
        return lab_fail(m, "--sparse-gradients: a tied head makes a gradient for every row of the "
                           "table: set --untied");
    if (o->stage != 0)
        return lab_fail(m,
                        "--sparse-gradients: stage %u needs the sums of a shard only, and rows "
                        "would bring them all: set --stage 0",
                        o->stage);
    if (o->ranks == 1)
        return lab_fail(m, "--sparse-gradients: one rank sends nothing: set --ranks 2");
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--sparse-gradients works only on the CPU: leave it out, or --device "
                           "cpu");
    if (o->links)
        return lab_fail(m, "--sparse-gradients has no effect with --links: leave one of them out");
    return !o->bug || lab_fail(m, "--sparse-gradients: faults are planted without it: leave it "
                                  "out");
}

/* A group lies in a node, or is made of whole ones, so that all ranks send alike. */
static bool check_nodes(const struct lab_options *o, struct lab_message *m) {
    uint32_t k = o->node, g = o->shard_group ? o->shard_group : o->ranks;
    if (k && o->device == LAB_CUDA)
        return lab_fail(m, "--gpus-per-node works only on the CPU: leave it out");
    if (k && o->ranks % k)
        return lab_fail(m, "--gpus-per-node %u does not divide --ranks %u: set a number that does",
                        k, o->ranks);
    if (k && k % g && g % k)
        return lab_fail(
            m, "--gpus-per-node %u and --shard-group %u: set one that divides the other", k, g);
    if (o->net_rate > 0 && !lab_has_nodes(o))
        return lab_fail(m, "--net: all ranks are on one node: set --gpus-per-node");
    return true;
}

/* The steps on which the learning rate depends are all those of the training, so --steps counts
 * from its start also if this run goes on from a checkpoint. */
static bool check_collectives(const struct lab_options *o, struct lab_message *m) {
    if (o->to && !o->links)
        return lab_fail(m, "--to is for collectives: zerolab collectives --to 16MB");
    if (o->to && o->to < o->from)
        return lab_fail(m, "--to is below --from: use at least as many bytes");
    if (o->to && (o->steps < 2 || o->steps > 1000))
        return lab_fail(m, "--steps %u: use 2 to 1000, of which the first warms up", o->steps);
    return true;
}

/* Where the stage has no use for a tier. DeepSpeed, too, has parameters leave only after the
 * optimizer (runtime/zero/stage3.py: "parameter offload is only available with optimizer
 * offload"). */
static bool check_tiers(const struct lab_options *o, struct lab_message *m) {
    bool away = o->offload_optimizer != LAB_TIER_DEVICE, params = o->offload_params;
    bool file = lab_uses_file(o);
    /* What a message advises must not be refused by the next. */
    const char *stage = o->stage == 0 ? " and --stage 1" : "";
    if (params && o->stage != 3)
        return lab_fail(m, "--offload-params: stage %u keeps parameters whole: set --stage 3%s",
                        o->stage, away ? "" : " and --offload-optimizer host");
    if (away && o->shard_group == 1)
        return lab_fail(m, "--offload-optimizer: --shard-group 1 keeps the optimizer on every "
                           "rank: use a larger group");
    if (away && o->stage == 0)
        return lab_fail(m, "--offload-optimizer: stage 0 keeps the optimizer on every rank: use "
                           "--stage 1, 2 or 3");
    if (params && o->ranks == 1)
        return lab_fail(m, "--offload-params: one rank alone gathers nothing: set --ranks 2");
    if (params && !away)
        return lab_fail(m, "--offload-params: the optimizer must leave first: use "
                           "--offload-optimizer host or nvme too");
    if (away && (o->device != LAB_CPU || o->links))
        return lab_fail(m, "--offload-optimizer works only in training on the CPU: leave it out");
    if (!file && o->offload_dir[0])
        return lab_fail(m, "--offload-dir: no tier is nvme: leave it out");
    if (!away && o->host_rate > 0)
        return lab_fail(m, "--host-link: nothing is offloaded: set --offload-optimizer host%s",
                        stage);
    return file || o->nvme_rate <= 0 ||
           lab_fail(m, "--nvme-link: no tier is nvme: set --offload-optimizer nvme%s", stage);
}

static bool check_saving(const struct lab_options *o, struct lab_message *m) {
    const char *idle = o->dry ? "--dry" : o->links ? "--links" : NULL;
    if (idle && (o->save[0] || o->resume[0]))
        return lab_fail(m, "--%s has no effect with %s: leave one of them out",
                        o->save[0] ? "save" : "resume", idle);
    if (o->save_every && !o->save[0])
        return lab_fail(m, "--save-every %u: say where: --save DIR", o->save_every);
    return true;
}

bool lab_options_check(const struct lab_options *o, struct lab_message *m) {
    return check_shape(&o->shape, m) && check_places(o, m) && check_threads(o, m) &&
           check_step(o, m) && check_groups(o, m) && check_second(o, m) && check_nodes(o, m) &&
           check_blocks(o, m) && check_rows(o, m) && check_saving(o, m) &&
           check_collectives(o, m) && check_tiers(o, m) && lab_bug_check(o, m);
}
