#include "lab/cuda/probe.h"

#include "lab/cuda/nccl_api.h"
#include "lab/cuda/nvml.h"
#include "lab/json.h"

#include <cuda_runtime.h>

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ── cut up, or kept for one ── */

/* The driver names a slice after its GPU: "NVIDIA H200 MIG 1g.18gb". */
static bool is_slice(const char *name) {
    return strstr(name, " MIG ") != NULL;
}
bool lab_cuda_is_slice(int gpu) {
    struct cudaDeviceProp p;
    return cudaGetDeviceProperties(&p, gpu) == cudaSuccess && is_slice(p.name);
}
static const char *mode_name(int mode) {
    return mode == cudaComputeModeProhibited         ? "prohibited"
           : mode == cudaComputeModeExclusiveProcess ? "exclusive"
           : mode == cudaComputeModeExclusive        ? "exclusive thread"
                                                     : NULL;
}
bool lab_cuda_mode(int gpu, char *why, size_t size) {
    int mode = cudaComputeModeDefault;
    (void)cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, gpu);
    if (!mode_name(mode)) return false;
    (void)snprintf(
        why, size,
        mode == cudaComputeModeProhibited
            ? "its compute mode is %s: no program may use it; ask an administrator to change it "
              "with nvidia-smi -c"
            : "its compute mode is %s: one process at a time, and another has it; wait "
              "until it ends, or use --comm local in place of --share-gpu",
        mode_name(mode));
    return true;
}

/* ── in the child ──────────────────────────────────────────────────────────────────────────────*/

static void look_at(int gpu, int count, struct lab_cuda_found *f) {
    struct lab_cuda_gpu *g = &f->gpu[gpu];
    struct cudaDeviceProp p;
    int can = 0;
    g->links = -1;
    if (cudaGetDeviceProperties(&p, gpu) != cudaSuccess) return;
    (void)snprintf(g->name, sizeof g->name, "%.95s", p.name);
    g->memory = p.totalGlobalMem;
    g->major = p.major;
    g->minor = p.minor;
    g->multiprocessors = p.multiProcessorCount;
    g->slice = is_slice(p.name);
    (void)cudaDeviceGetAttribute(&g->mode, cudaDevAttrComputeMode, gpu);
    for (int i = 0; i < count && i < LAB_CUDA_GPUS; i++)
        if (i != gpu && cudaDeviceCanAccessPeer(&can, gpu, i) == cudaSuccess && can)
            g->peers |= 1u << i;
    if (cudaDeviceGetPCIBusId(g->bus, sizeof g->bus, gpu) != cudaSuccess) return;
    struct lab_nvml *n = lab_nvml_open(g->bus);
    if (!n) return;
    if (!g->slice) (void)lab_nvml_used(n, &g->used); /* it would be the whole GPU's */
    g->links = lab_nvml_links(n);
    lab_nvml_driver(n, f->driver, sizeof f->driver);
    lab_nvml_close(n);
}

static void say_why(cudaError_t e, struct lab_cuda_found *f) {
    int major = f->runtime / 1000, minor = f->runtime % 1000 / 10;
    if (f->driver_cuda == 0)
        (void)snprintf(f->why, sizeof f->why, "this machine has no NVIDIA driver");
    else if (e == cudaErrorInsufficientDriver)
        (void)snprintf(f->why, sizeof f->why,
                       "the NVIDIA driver is for CUDA %d.%d, this program needs %d.%d: update it",
                       f->driver_cuda / 1000, f->driver_cuda % 1000 / 10, major, minor);
    else if (e == cudaErrorNoDevice || e == cudaSuccess)
        (void)snprintf(f->why, sizeof f->why,
                       "the NVIDIA driver shows no GPU (CUDA_VISIBLE_DEVICES may hide them)");
    else
        (void)snprintf(f->why, sizeof f->why, "the GPU cannot be used: %.150s",
                       cudaGetErrorString(e));
}

/* The GPUs that can run this program's kernels. The driver lists the fastest first. */
static void leave_out_old(struct lab_cuda_found *f) {
    int described = f->count < LAB_CUDA_GPUS ? f->count : LAB_CUDA_GPUS, fit = 0;
    while (fit < described && f->gpu[fit].major >= LAB_CUDA_LEAST) fit++;
    if (fit == described) return;
    f->count = fit;
    (void)snprintf(
        f->why, sizeof f->why,
        "%s has compute capability %d.%d, and zerolab's kernels need %d.0 or more (A100, "
        "RTX 30 and later)",
        f->gpu[fit].name, f->gpu[fit].major, f->gpu[fit].minor, LAB_CUDA_LEAST);
}
static void look(struct lab_cuda_found *f) {
    (void)cudaDriverGetVersion(&f->driver_cuda);
    (void)cudaRuntimeGetVersion(&f->runtime);
    cudaError_t e = cudaGetDeviceCount(&f->count);
    if (e != cudaSuccess || f->count <= 0) {
        f->count = 0;
        say_why(e, f);
        return;
    }
    for (int i = 0; i < f->count && i < LAB_CUDA_GPUS; i++) look_at(i, f->count, f);
    leave_out_old(f);
}

/* ── in the caller ─────────────────────────────────────────────────────────────────────────────*/

_Static_assert(sizeof(struct lab_cuda_found) <= PIPE_BUF, "passes a pipe in one piece");

static void be_child(int to) {
    struct lab_cuda_found f;
    memset(&f, 0, sizeof f);
    look(&f);
    _exit(write(to, &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1);
}

static bool ask_child(struct lab_cuda_found *out) {
    int fd[2];
    ssize_t n;
    if (pipe(fd) != 0) return false;
    pid_t child = fork();
    if (child == 0) be_child(fd[1]);
    (void)close(fd[1]);
    do n = read(fd[0], out, sizeof *out);
    while (n < 0 && errno == EINTR);
    (void)close(fd[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return n == (ssize_t)sizeof *out;
}

/* Looks only once: a driver takes a good part of a second to start, and the answer stays the same.
 */
void lab_cuda_look(struct lab_cuda_found *out) {
    static struct lab_cuda_found found;
    static bool looked;
    if (!looked && !ask_child(&found)) {
        memset(&found, 0, sizeof found);
        (void)snprintf(found.why, sizeof found.why,
                       "the process that asked the NVIDIA driver for GPUs died before it answered");
    }
    looked = true;
    *out = found;
}

int lab_cuda_count(struct lab_message *why) {
    struct lab_cuda_found f;
    lab_cuda_look(&f);
    if (f.count == 0)
        (void)snprintf(why->text, sizeof why->text,
                       "no GPU can be used: %s; zerolab trains without one", f.why);
    return f.count;
}

void lab_cuda_hardware(char *out, size_t size) {
    struct lab_cuda_found f;
    lab_cuda_look(&f);
    if (f.count > 1)
        (void)snprintf(out, size, "%d × %s", f.count, f.gpu[0].name);
    else
        (void)snprintf(out, size, "%s", f.gpu[0].name);
}

/* ── as JSON ───────────────────────────────────────────────────────────────────────────────────*/

static void put_cuda(struct lab_json *j, const char *key, int number) {
    char text[24];
    (void)snprintf(text, sizeof text, "%d.%d", number / 1000, number % 1000 / 10);
    if (number) lab_json_text(j, key, text);
}

static void put_peers(struct lab_json *j, uint32_t peers) {
    lab_json_open(j, "peers", '[');
    for (unsigned i = 0; i < LAB_CUDA_GPUS; i++)
        if (peers >> i & 1) lab_json_count(j, NULL, i);
    lab_json_close(j, ']');
}

struct nccl {
    int version;
    char path[256];
};

/* Ranks that have a GPU each need it. */
static void put_nccl(struct lab_json *j, const struct nccl *n) {
    char text[40];
    (void)snprintf(text, sizeof text, "%d.%d.%d", n->version / 10000, n->version / 100 % 100,
                   n->version % 100);
    if (!n->version) return;
    lab_json_text(j, "nccl", text);
    lab_json_text(j, "nccl_path", n->path);
}

static void put_gpu(struct lab_json *j, const struct lab_cuda_found *f, int i,
                    const struct nccl *nccl) {
    const struct lab_cuda_gpu *g = &f->gpu[i];
    char capability[24];
    (void)snprintf(capability, sizeof capability, "%d.%d", g->major, g->minor);
    lab_json_open(j, NULL, '{');
    lab_json_text(j, "device", "cuda");
    lab_json_count(j, "gpu", (uint64_t)i);
    lab_json_text(j, "name", g->name);
    lab_json_count(j, "memory", g->memory);
    if (g->used) lab_json_count(j, "used", g->used);
    if (g->slice) lab_json_flag(j, "mig", true);
    if (mode_name(g->mode)) lab_json_text(j, "mode", mode_name(g->mode));
    lab_json_text(j, "capability", capability);
    lab_json_count(j, "multiprocessors", (uint64_t)g->multiprocessors);
    lab_json_text(j, "bus", g->bus);
    if (*f->driver) lab_json_text(j, "driver", f->driver);
    put_cuda(j, "driver_cuda", f->driver_cuda);
    put_cuda(j, "cuda", f->runtime);
    if (g->links >= 0) lab_json_count(j, "nvlinks", (uint64_t)g->links);
    put_peers(j, g->peers);
    put_nccl(j, nccl);
    lab_json_close(j, '}');
}

void lab_cuda_probe(struct lab_json *j) {
    struct lab_cuda_found f;
    struct nccl nccl = {0};
    lab_cuda_look(&f);
    if (f.count > 0 && !lab_nccl_found(nccl.path, sizeof nccl.path, &nccl.version))
        nccl.version = 0;
    for (int i = 0; i < f.count && i < LAB_CUDA_GPUS; i++) put_gpu(j, &f, i, &nccl);
    if (f.count > 0) return;
    lab_json_open(j, NULL, '{');
    lab_json_text(j, "device", "cuda");
    lab_json_text(j, "why", f.why);
    put_cuda(j, "driver_cuda", f.driver_cuda);
    put_cuda(j, "cuda", f.runtime);
    lab_json_close(j, '}');
}

void lab_cuda_versions(struct lab_json *j) {
    struct lab_cuda_found f;
    lab_cuda_look(&f);
    put_cuda(j, "cuda", f.runtime);
    put_cuda(j, "driver_cuda", f.driver_cuda);
    if (*f.driver) lab_json_text(j, "driver", f.driver);
}
