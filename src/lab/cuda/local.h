/* comm local on a GPU: ranks are threads that share it. Inside the lab only. */
#ifndef LAB_CUDA_LOCAL_H
#define LAB_CUDA_LOCAL_H

#include "lab/comm.h"

struct lab_shared_gpu;
struct lab_shared_gpu *lab_shared_gpu_new(const struct lab_options *o, struct lab_message *m);
void lab_shared_gpu_free(struct lab_shared_gpu *s);
struct lab_comm *lab_shared_gpu_open(struct lab_shared_gpu *s, struct lab_device *d, uint32_t rank,
                                     struct lab_message *m);

#endif
