/* The two comms for GPUs: local, whose ranks are threads, and nccl, with one process per GPU.
 * Inside the lab only. */
#ifndef LAB_CUDA_COMMS_H
#define LAB_CUDA_COMMS_H

#include "lab/comm.h"
#include "lab/meet.h"

struct lab_shared_gpu;
struct lab_shared_gpu *lab_shared_gpu_new(const struct lab_options *o, struct lab_message *m);
void lab_shared_gpu_free(struct lab_shared_gpu *s);
struct lab_comm *lab_shared_gpu_open(struct lab_shared_gpu *s, struct lab_device *d, uint32_t rank,
                                     struct lab_message *m);

/* For lab_way.prepare. Sets NCCL's environment and opens it. */
bool lab_nccl_prepare(const struct lab_options *o, uint32_t rank, uint32_t *version,
                      struct lab_message *m);
struct lab_comm *lab_nccl_open(const struct lab_options *o, struct lab_device *d,
                               struct lab_meet *meet, struct lab_message *m);

#endif
