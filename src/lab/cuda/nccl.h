/* comm nccl: a process a GPU. Inside the lab only. */
#ifndef LAB_NCCL_H
#define LAB_NCCL_H

#include "lab/comm.h"
#include "lab/meet.h"

/* For lab_way.prepare. Sets NCCL's environment and opens it. */
bool lab_nccl_prepare(const struct lab_options *o, uint32_t rank, uint32_t *version,
                      struct lab_message *m);
struct lab_comm *lab_nccl_open(const struct lab_options *o, struct lab_device *d,
                               struct lab_meet *meet, struct lab_message *m);

#endif
