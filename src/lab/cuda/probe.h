/* Which GPUs are here. A child process looks, so that the caller never touches CUDA: a launcher
 * forks afterwards. */
#ifndef LAB_CUDA_PROBE_H
#define LAB_CUDA_PROBE_H

#include "lab/options.h"

struct lab_json;
enum {
    LAB_CUDA_GPUS = 16, /* described; a machine may have more */
    /* Major compute capability: bf16 on tensor cores, cp.async; cuda.mk compiles for it. */
    LAB_CUDA_LEAST = 8
};
struct lab_cuda_gpu {
    char name[96], bus[32];
    uint64_t memory, used; /* bytes; used: 0 where not known */
    int major, minor, multiprocessors;
    bool slice;     /* of a GPU that is cut up (MIG) */
    int mode;       /* cudaComputeMode: 0 for everybody */
    int links;      /* NVLinks that are up; −1: not known */
    uint32_t peers; /* bit g: its memory can be read by GPU g directly */
};
struct lab_cuda_found {
    int count;                 /* 0: none, and `why` */
    int driver_cuda, runtime;  /* CUDA's number of the driver, of this program: 13000 is 13.0 */
    char driver[80], why[200]; /* "580.159.03", where known */
    struct lab_cuda_gpu gpu[LAB_CUDA_GPUS];
};
/* Of a GPU that has been opened, or is about to be: whether it is a slice of one (MIG); and whether
 * its compute mode keeps processes out, with what to do about it. */
bool lab_cuda_is_slice(int gpu);
bool lab_cuda_mode(int gpu, char *why, size_t size);
/* The launcher's one thread asks; whoever asks again hears the same. */
void lab_cuda_look(struct lab_cuda_found *out);
/* How many; 0 with one line. */
int lab_cuda_count(struct lab_message *why);
/* "NVIDIA H200", or "4 × NVIDIA H200". */
void lab_cuda_hardware(char *out, size_t size);
/* Elements of --probe's `devices`: each GPU; where there is none, one that says why. */
void lab_cuda_probe(struct lab_json *j);
/* Members of the start event's `versions`. */
void lab_cuda_versions(struct lab_json *j);

#endif
