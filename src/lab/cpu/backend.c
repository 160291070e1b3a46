#include "lab/cpu/backend.h"

static struct lab_comm *open_shm(const struct lab_options *o, struct lab_device *device,
                                 void *shared, uint32_t rank, struct lab_message *m) {
    (void)device, (void)shared, (void)rank;
    return lab_shm_open(o, m);
}
static struct lab_comm *open_local(const struct lab_options *o, struct lab_device *device,
                                   void *shared, uint32_t rank, struct lab_message *m) {
    (void)o, (void)device;
    return lab_local_open(shared, rank, m);
}
static void *share(const struct lab_options *o, struct lab_message *m) {
    return lab_local_new(o, m);
}
static void unshare(void *shared) {
    lab_local_free(shared);
}

const struct lab_way lab_cpu_ways[2] = {
    {.comm = LAB_SHM,     .open = open_shm  },
    { .comm = LAB_LOCAL, .share = share, .unshare = unshare, .open = open_local},
};
struct lab_device *lab_cpu_backend_open(const struct lab_options *o, uint32_t rank,
                                        struct lab_message *m) {
    (void)o, (void)rank;
    return lab_cpu_open(m);
}
