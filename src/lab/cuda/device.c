/* A GPU as a device: memory, copies, streams. Its kernels are in the .cu files, its products in
 * matmul.c.
 *
 * We use no CUDA graphs. A step of 124m is some 500 launches, which the host finishes in a fraction
 * of the time that they run, so a graph would only remove the gaps between kernels. And the lab has
 * to measure memory and time part by part, which a graph does not allow. */
#include "lab/cuda/choices.h"
#include "lab/cuda/cuda.h"
#include "lab/cuda/outside.h"
#include "lab/cuda/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── memory ── */

static bool take(struct lab_device *d, void **memory, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    *memory = NULL;
    if (lab_outside_malloc(c->gpu, memory, bytes ? bytes : 1) != cudaSuccess) {
        (void)cudaGetLastError(); /* the caller reports it */
        *memory = NULL;
        return false;
    }
    return lab_cuda_check(c, cudaMemsetAsync(*memory, 0, bytes, c->compute), "zeroing memory") &&
           lab_cuda_check(c, cudaStreamSynchronize(c->compute), "zeroing memory");
}
static void give(struct lab_device *d, void *memory, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    if (memory)
        lab_cuda_check(c, lab_outside_free(c->gpu, memory, bytes ? bytes : 1), "freeing memory");
}
static void copy(struct lab_device *d, void *to, const void *from, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    lab_cuda_check(c, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, c->compute),
                   "copy");
}
static void zero(struct lab_device *d, void *to, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    lab_cuda_check(c, cudaMemsetAsync(to, 0, bytes, c->compute), "zeroing");
}

/* `second` waits for all work that is enqueued on `first` now. */
static void order(struct lab_cuda *c, cudaEvent_t event, cudaStream_t first, cudaStream_t second) {
    lab_cuda_check(c, cudaEventRecord(event, first), "event");
    lab_cuda_check(c, cudaStreamWaitEvent(second, event, 0), "event");
}
/* Waits until the slot's last copy has ended, so that the slot can be filled again. */
static void upload_part(struct lab_cuda *c, char *to, size_t at, size_t bytes, lab_make *make,
                        void *self) {
    struct lab_cuda_upload *u = &c->upload[c->uploads++ % LAB_UPLOADS];
    lab_cuda_check(c, cudaEventSynchronize(u->gone), "upload");
    make(self, at, bytes, u->host);
    to += at;
    lab_cuda_check(c, cudaMemcpyAsync(to, u->host, bytes, cudaMemcpyHostToDevice, c->copy),
                   "upload");
    lab_cuda_check(c, cudaEventRecord(u->gone, c->copy), "upload");
}
static void upload_made(struct lab_device *d, void *to, size_t bytes, lab_make *make, void *self) {
    struct lab_cuda *c = lab_cuda_of(d);
    order(c, c->before_copy, c->compute, c->copy);
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < LAB_UPLOAD_BYTES ? bytes - at : LAB_UPLOAD_BYTES;
        upload_part(c, to, at, n, make, self);
    }
    order(c, c->after_copy, c->copy, c->compute);
}
static void copy_of(void *self, size_t at, size_t bytes, void *out) {
    memcpy(out, *(const char *const *)self + at, bytes);
}
static void upload(struct lab_device *d, void *to, const void *host, size_t bytes) {
    upload_made(d, to, bytes, copy_of, &host);
}
static void download(struct lab_device *d, void *host, const void *from, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    lab_cuda_check(c, cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, c->compute),
                   "download");
    lab_cuda_check(c, cudaStreamSynchronize(c->compute), "download");
}

/* ── totals, and the workspace they lie in ── */

static double take_total(struct lab_device *d, enum lab_cuda_total which) {
    struct lab_cuda *c = lab_cuda_of(d);
    double *total = c->work.total + which;
    if (!c->work.total) return 0;
    download(d, c->taken, total, sizeof *total);
    zero(d, total, sizeof *total);
    return *c->taken;
}
static double take_loss(struct lab_device *d) {
    return take_total(d, LAB_TOTAL_LOSS);
}
static double take_squares(struct lab_device *d) {
    return take_total(d, LAB_TOTAL_SQUARES);
}
static size_t workspace(struct lab_device *d, const struct lab_options *o) {
    lab_cuda_of(d)->options = *o;
    return lab_cuda_workspace(NULL, o, NULL);
}
static void lend(struct lab_device *d, void *memory, size_t bytes) {
    struct lab_cuda *c = lab_cuda_of(d);
    if (bytes < lab_cuda_workspace(NULL, &c->options, NULL))
        lab_cuda_fail(c, "workspace", "the memory passed is smaller than the workspace");
    else
        lab_cuda_workspace(&c->work, &c->options, memory);
}

static bool finish(struct lab_device *d, struct lab_message *m) {
    struct lab_cuda *c = lab_cuda_of(d);
    lab_cuda_check(c, cudaStreamSynchronize(c->compute), "what ran on it");
    if (c->trouble.text[0] == '\0') return true;
    *m = c->trouble;
    return false;
}
static void rehearse(struct lab_device *d, bool on) {
    struct lab_cuda *c = lab_cuda_of(d);
    if (on)
        lab_outside_begin(c->gpu);
    else
        lab_cuda_check(c, cudaStreamSynchronize(c->compute), "the rehearsal");
    c->rehearses = on;
    if (!on) lab_outside_end(c->gpu, LAB_OUTSIDE_MODULES);
}
static void gauge(struct lab_device *d, struct lab_gauge *out) {
    lab_cuda_gauge(lab_cuda_of(d)->gpu, out);
}
static bool outside(struct lab_device *d, struct lab_outside *out) {
    return lab_cuda_outside(lab_cuda_of(d)->gpu, out);
}

/* ── opening and closing ── */

static void shut(struct lab_device *d) {
    struct lab_cuda *c = lab_cuda_of(d);
    cudaStream_t streams[] = {c->compute, c->comm, c->copy};
    cudaEvent_t events[] = {c->before_copy, c->after_copy};
    for (size_t i = 0; i < 3; i++) {
        if (!streams[i]) continue;
        (void)cudaStreamSynchronize(streams[i]);
        (void)cudaStreamDestroy(streams[i]);
    }
    for (size_t i = 0; i < 2; i++)
        if (events[i]) (void)cudaEventDestroy(events[i]);
    for (size_t i = 0; i < LAB_UPLOADS; i++) {
        if (c->upload[i].gone) (void)cudaEventDestroy(c->upload[i].gone);
        if (c->upload[i].host) (void)cudaFreeHost(c->upload[i].host);
    }
    if (c->taken) (void)cudaFreeHost(c->taken);
    lab_cuda_plans_free(c);
    if (c->blas) (void)cublasLtDestroy(c->blas);
    free(c);
}

static const struct lab_device_row row = {
    .name = "cuda",
    .alloc = take,
    .free = give,
    .copy = copy,
    .zero = zero,
    .upload = upload,
    .upload_made = upload_made,
    .download = download,
    .hash = lab_cuda_hash,
    .cast = lab_cuda_cast,
    .matmul = lab_cuda_matmul,
    .bias_gradient = lab_cuda_bias_gradient,
    .gelu = lab_cuda_gelu,
    .gelu_backward = lab_cuda_gelu_backward,
    .norm = lab_cuda_norm,
    .add_norm = lab_cuda_add_norm,
    .norm_backward = lab_cuda_norm_backward,
    .embed = lab_cuda_embed,
    .embed_backward = lab_cuda_embed_backward,
    .flash = true,
    .attention = lab_cuda_attention,
    .attention_backward = lab_cuda_attention_backward,
    .attention_scratch = lab_cuda_attention_scratch,
    .cross_entropy = lab_cuda_cross_entropy,
    .take_loss = take_loss,
    .columns_multiple = 64,
    .adam = lab_cuda_adam,
    .add_squares = lab_cuda_add_squares,
    .take_squares = take_squares,
    .workspace = workspace,
    .lend = lend,
    .finish = finish,
    .close = shut,
    .rehearse = rehearse,
    .choices = lab_cuda_choices,
    .gauge = gauge,
    .outside = outside,
};

/* Communication goes first where both could run: it is short, and others wait for it. */
static bool open_streams(struct lab_cuda *c) {
    int least = 0, most = 0;
    return lab_cuda_check(c, cudaDeviceGetStreamPriorityRange(&least, &most), "streams") &&
           lab_cuda_check(c,
                          cudaStreamCreateWithPriority(&c->compute, cudaStreamNonBlocking, least),
                          "compute stream") &&
           lab_cuda_check(c, cudaStreamCreateWithPriority(&c->comm, cudaStreamNonBlocking, most),
                          "communication stream") &&
           lab_cuda_check(c, cudaStreamCreateWithPriority(&c->copy, cudaStreamNonBlocking, most),
                          "copy stream");
}
static bool open_uploads(struct lab_cuda *c) {
    bool well =
        lab_cuda_check(c, cudaMallocHost((void **)&c->taken, sizeof *c->taken), "pinned memory");
    cudaEvent_t *const events[] = {&c->before_copy,    &c->after_copy,     &c->upload[0].gone,
                                   &c->upload[1].gone, &c->upload[2].gone, &c->upload[3].gone};
    for (size_t i = 0; well && i < sizeof events / sizeof *events; i++)
        well =
            lab_cuda_check(c, cudaEventCreateWithFlags(events[i], cudaEventDisableTiming), "event");
    for (size_t i = 0; well && i < LAB_UPLOADS; i++)
        well = lab_cuda_check(c, cudaMallocHost(&c->upload[i].host, LAB_UPLOAD_BYTES),
                              "pinned memory");
    return well;
}
/* It loads nothing yet: its kernels come with the first products, in the rehearsal. */
static bool open_blas(struct lab_cuda *c) {
    lab_outside_begin(c->gpu);
    cublasStatus_t s = cublasLtCreate(&c->blas);
    lab_outside_end(c->gpu, LAB_OUTSIDE_BLAS);
    if (s != CUBLAS_STATUS_SUCCESS) lab_cuda_fail(c, "cuBLASLt", cublasLtGetStatusString(s));
    return s == CUBLAS_STATUS_SUCCESS;
}
/* Another process has the GPU, or its mode allows no process. */
static void say_mode(struct lab_cuda *c, cudaError_t e) {
    char why[160];
    if (e == cudaErrorDevicesUnavailable && lab_cuda_mode(c->gpu, why, sizeof why))
        lab_cuda_fail(c, "starting it", why);
}
static bool open_context(struct lab_cuda *c) {
    lab_outside_begin(c->gpu);
    /* A thread that waits for the GPU sleeps. If it spun, it would take a core from the other
     * ranks, and look alive to the launcher even if the GPU hangs. */
    cudaError_t e = cudaSetDevice(c->gpu);
    if (e == cudaSuccess) e = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    if (e == cudaSuccess) e = cudaFree(NULL);
    say_mode(c, e);
    bool well = lab_cuda_check(c, e, "starting it");
    lab_outside_end(c->gpu, LAB_OUTSIDE_CONTEXT);
    return well;
}

struct lab_device *lab_cuda_open(int gpu, struct lab_message *m) {
    struct lab_cuda *c = calloc(1, sizeof *c);
    if (!c) {
        (void)snprintf(m->text, sizeof m->text, "no memory for the CUDA device");
        return NULL;
    }
    c->device.row = &row;
    c->gpu = gpu;
    if (open_context(c) && open_streams(c) && open_uploads(c) && open_blas(c)) return &c->device;
    *m = c->trouble;
    shut(&c->device);
    return NULL;
}
