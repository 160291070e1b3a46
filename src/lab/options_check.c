/* Whether the options agree with each other. */
#include "lab/options_read.h"

static bool check_shape(const struct lab_shape *s, struct lab_message *m) {
    if (s->width % s->heads)
        return lab_fail(m, "--heads %u does not divide --width %u: give heads that do", s->heads,
                        s->width);
    if ((double)s->layers * s->width * s->width * 12 > 0x1p40)
        return lab_fail(m, "--layers %u --width %u: more parameters than the lab can number",
                        s->layers, s->width);
    return true;
}

static bool check_places(const struct lab_options *o, struct lab_message *m) {
    if (o->comm == LAB_NCCL && o->device != LAB_CUDA)
        return lab_fail(m, "--comm nccl is for --device cuda: on the CPU choose shm or local");
    if (o->device == LAB_CUDA && (o->link_rate > 0 || o->link_latency > 0))
        return lab_fail(m, "--link is emulated on the CPU alone: GPUs have links of their own");
    if (o->device == LAB_CUDA && o->shape.width > LAB_CUDA_WIDTH_MOST)
        return lab_fail(m, "--width %u: %d at most on GPUs", o->shape.width, LAB_CUDA_WIDTH_MOST);
    if (o->device == LAB_CUDA && o->batch > LAB_CUDA_BATCH_MOST)
        return lab_fail(m, "--batch %u: %d at most on GPUs", o->batch, LAB_CUDA_BATCH_MOST);
    if (o->gpus > 1 && (o->device != LAB_CUDA || o->comm != LAB_LOCAL))
        return lab_fail(m, "--gpus is for --comm local on --device cuda: NCCL has a GPU a rank");
    if (o->links && o->ranks < 2) return lab_fail(m, "--links: one rank has none: give --ranks 2");
    if (o->gpus > o->ranks)
        return lab_fail(m, "--gpus %u: give as many ranks at least: --ranks %u", o->gpus, o->gpus);
    if (o->share_gpu && o->comm != LAB_NCCL)
        return lab_fail(m, "--share-gpu is for --comm nccl: local shares the GPU anyway");
    return true;
}

static bool check_step(const struct lab_options *o, struct lab_message *m) {
    uint64_t rows = (uint64_t)o->batch * o->shape.seq;
    size_t e = lab_dtype_bytes(o->compute);
    if (rows > 0x7fffffffu / o->shape.heads)
        return lab_fail(m, "--batch %u: %llu tokens at a time are too many: accumulate instead",
                        o->batch, (unsigned long long)rows);
    if (o->bucket < e * o->ranks)
        return lab_fail(m, "--bucket %llu: give at least %zu bytes, an element for each rank",
                        (unsigned long long)o->bucket, e * o->ranks);
    if (o->warmup > o->steps)
        return lab_fail(m, "--warmup %u: the run has only %u step%s", o->warmup, o->steps,
                        o->steps == 1 ? "" : "s");
    return true;
}

bool lab_options_check(const struct lab_options *o, struct lab_message *m) {
    return check_shape(&o->shape, m) && check_places(o, m) && check_step(o, m);
}
