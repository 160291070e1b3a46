/* zerolab-cuda's backends, in the place of lab/backends.c: it computes on GPUs alone, and needs no
 * CBLAS. */
#include "lab/backend.h"
#include "lab/cuda/cuda.h"
#include "lab/cuda/comms.h"
#include "lab/cuda/nccl_api.h"
#include "lab/cuda/probe.h"
#include "lab/interface.h"
#include "lab/json.h"

#include <stdio.h>

/* ── how ranks reach each other ── */

static void *share(const struct lab_options *o, struct lab_message *m) {
    return lab_shared_gpu_new(o, m);
}
static void unshare(void *shared) {
    lab_shared_gpu_free(shared);
}
static struct lab_comm *open_local(const struct lab_options *o, struct lab_device *device,
                                   void *shared, uint32_t rank, struct lab_message *m) {
    (void)o;
    return lab_shared_gpu_open(shared, device, rank, m);
}
static struct lab_comm *open_nccl(const struct lab_options *o, struct lab_device *device,
                                  void *shared, uint32_t rank, struct lab_message *m) {
    (void)rank; /* the rendezvous gives each rank its GPU */
    return lab_nccl_open(o, device, shared, m);
}
static const struct lab_way ways[] = {
    {.comm = LAB_NCCL, .prepare = lab_nccl_prepare, .open = open_nccl},
    {.comm = LAB_LOCAL, .threads = true, .share = share, .unshare = unshare, .open = open_local},
};

/* ── the device ── */

static bool find(uint32_t needed, struct lab_message *m) {
    int count = lab_cuda_count(m);
    if (count < 1) return false;
    if (needed <= (uint32_t)count) return true;
    /* Which option needs one GPU per rank, and which one set --gpus. */
    (void)snprintf(
        m->text, sizeof m->text,
        "the run needs %u GPUs, one per rank with NCCL or as many as --gpus says, and %d "
        "%s here: --comm local lets ranks share "
        "one, --share-gpu does so with NCCL",
        needed, count, count == 1 ? "is" : "are");
    return false;
}
/* Slurm may show each task only its own GPU, as number 0. So ranks beyond the visible GPUs start
 * again at 0. NCCL reports it if two ranks got the same GPU. */
static struct lab_device *open_device(const struct lab_options *o, uint32_t local,
                                      struct lab_message *m) {
    int count = 0;
    if (o->comm == LAB_LOCAL) return lab_cuda_open((int)local, m);
    if (o->share_gpu || cudaGetDeviceCount(&count) != cudaSuccess || count < 1)
        return lab_cuda_open(0, m);
    return lab_cuda_open((int)(local % (uint32_t)count), m);
}
/* Rank 0's network interface. If ranks on several machines do not find each other, it is often the
 * wrong one. */
static void interface(char *out, size_t size) {
    char name[LAB_INTERFACE_SIZE], address[LAB_ADDRESS_SIZE];
    struct sockaddr_storage at;
    if (lab_interface(name, &at))
        (void)snprintf(out, size, "%s %s", name, lab_address_text(&at, address));
    else
        (void)snprintf(out, size, "none: see NCCL_SOCKET_IFNAME");
}
static void versions(const struct lab_options *o, struct lab_json *j) {
    char path[256], text[400];
    int version = 0;
    lab_cuda_versions(j);
    if (o->comm != LAB_NCCL || !lab_nccl_found(path, sizeof path, &version)) return;
    (void)snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100,
                   version % 100);
    lab_json_text(j, "nccl", text);
    lab_json_text(j, "nccl_path", path);
    lab_nccl_environment_text(o, version, text, sizeof text);
    if (text[0]) lab_json_text(j, "nccl_environment", text);
    interface(text, sizeof text);
    lab_json_text(j, "nccl_interface", text);
}

const struct lab_backend *lab_backends(size_t *count) {
    static const struct lab_backend all[] = {{.kind = LAB_CUDA,
                                              .way = ways,
                                              .ways = sizeof ways / sizeof *ways,
                                              .find = find,
                                              .open = open_device,
                                              .hardware = lab_cuda_hardware,
                                              .versions = versions,
                                              .probe = lab_cuda_probe}};
    *count = sizeof all / sizeof *all;
    return all;
}
