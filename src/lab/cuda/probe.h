/* Which GPUs this machine has. A child process looks, so that the caller never initialises CUDA and
 * can fork ranks afterwards. */
#ifndef LAB_CUDA_PROBE_H
#define LAB_CUDA_PROBE_H

#include "lab/options.h"

struct lab_json;
enum {
    /* described; a machine may have more */
    LAB_CUDA_GPUS = 16,
    /* Major compute capability: bf16 on tensor cores, cp.async; cuda.mk compiles for it. */
    LAB_CUDA_LEAST = 8
};
struct lab_cuda_gpu {
    char name[96], bus[32];
    /* bytes; used: 0 if unknown */
    uint64_t memory, used;
    int major, minor, multiprocessors;
    /* of a GPU that is cut up (MIG) */
    bool slice;
    /* cudaComputeMode: 0 allows all processes */
    int mode;
    /* NVLinks that are up; −1 if unknown */
    int links;
    /* bit g: its memory can be read by GPU g directly */
    uint32_t peers;
};
struct lab_cuda_found {
    /* 0: none, and `why` */
    int count;
    /* CUDA's number of the driver, of this program: 13000 is 13.0 */
    int driver_cuda, runtime;
    /* "580.159.03" if known */
    char driver[80], why[200];
    struct lab_cuda_gpu gpu[LAB_CUDA_GPUS];
};
/* For a GPU that has been opened, or will be: whether it is a slice (MIG), and whether its compute
 * mode keeps processes out, with what to do then. */
bool lab_cuda_is_slice(int gpu);
bool lab_cuda_mode(int gpu, char *why, size_t size);
/* Called by the launcher's one thread; later calls return the same. */
void lab_cuda_look(struct lab_cuda_found *out);
/* How many there are; 0 with a message. */
int lab_cuda_count(struct lab_message *why);
/* "NVIDIA H200", or "4 × NVIDIA H200". */
void lab_cuda_hardware(char *out, size_t size);
/* Elements of --probe's `devices`: each GPU, or one that says why there is none. */
void lab_cuda_probe(struct lab_json *j);
/* Members of the start event's `versions`. */
void lab_cuda_versions(struct lab_json *j);

#endif
