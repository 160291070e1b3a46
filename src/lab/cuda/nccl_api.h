/* NCCL, opened at run time: from the system, from $ZEROLAB_NCCL, or from where Python wheels carry
 * it. Its functions are declared here after NCCL's documentation ("API", docs.nvidia.com), so that
 * no header of it is needed to build. Inside the lab only. */
#ifndef LAB_NCCL_API_H
#define LAB_NCCL_API_H

#include "lab/options.h"

#include <cuda_runtime.h>

enum lab_nccl_result { LAB_NCCL_SUCCESS = 0, LAB_NCCL_IN_PROGRESS = 7 };
enum lab_nccl_type { LAB_NCCL_F16 = 6, LAB_NCCL_F32 = 7, LAB_NCCL_F64 = 8, LAB_NCCL_BF16 = 9 };
enum { LAB_NCCL_HELD_TOTAL = 3 };
enum { LAB_NCCL_SUM = 0, LAB_NCCL_ID_BYTES = 128 };
enum {
    /* We need non-blocking communicators with their options, which NCCL has since 2.18. */
    LAB_NCCL_LEAST = 21800,
    /* several ranks on a GPU are allowed by a variable */
    LAB_NCCL_MULTI_RANK = 23000
};
struct lab_nccl_id {
    char bytes[LAB_NCCL_ID_BYTES];
};
/* ncclConfig_t as of 2.18, and what 2.26 put in the place of its padding, which it reads whatever
 * `version` says. Later ones have more at the end; the library goes by `size` and `version`. */
struct lab_nccl_config {
    size_t size;
    unsigned magic, version;
    int blocking, cluster, least_ctas, most_ctas;
    const char *net;
    int split_share, traffic_class;
};
#define LAB_NCCL_CONFIG                                                                            \
    {                                                                                              \
        .size = sizeof(struct lab_nccl_config), .magic = 0xcafebeef, .version = LAB_NCCL_LEAST,    \
        .blocking = 0, .cluster = INT_MIN, .least_ctas = INT_MIN, .most_ctas = INT_MIN,            \
        .split_share = INT_MIN, .traffic_class = INT_MIN                                           \
    }

struct lab_nccl {
    void *library;
    char path[256];
    /* 22809: 2.28.9 */
    int version;
    int (*get_version)(int *version);
    int (*get_unique_id)(struct lab_nccl_id *id);
    int (*init)(void **comm, int ranks, struct lab_nccl_id id, int rank,
                struct lab_nccl_config *config);
    int (*async_error)(void *comm, int *error);
    int (*abort)(void *comm);
    const char *(*error_text)(int result);
    const char *(*last_error)(void *comm);
    int (*all_reduce)(const void *from, void *to, size_t count, int type, int op, void *comm,
                      cudaStream_t stream);
    int (*reduce_scatter)(const void *from, void *to, size_t count, int type, int op, void *comm,
                          cudaStream_t stream);
    int (*all_gather)(const void *from, void *to, size_t count, int type, void *comm,
                      cudaStream_t stream);
    int (*broadcast)(const void *from, void *to, size_t count, int type, int root, void *comm,
                     cudaStream_t stream);
    /* NULL if the library is too old to have them */
    int (*memory)(void **memory, size_t bytes);
    int (*free)(void *memory);
    int (*enroll)(void *comm, void *memory, size_t bytes, void **handle);
    int (*dismiss)(void *comm, void *handle);
    /* since 2.29.7 */
    int (*held)(void *comm, int which, uint64_t *bytes);
};
/* False with a message: where it looked, or which version is needed. */
bool lab_nccl_load(struct lab_nccl *n, struct lab_message *m);
void lab_nccl_unload(struct lab_nccl *n);
/* For a report: needs no GPU and never opens CUDA. */
bool lab_nccl_found(char *path, size_t size, int *version);

/* Variables to set before NCCL is used, for several ranks on one GPU. */
void lab_nccl_environment_set(const struct lab_options *o, uint32_t rank, int version);
/* "NCCL_ALGO=Ring …"; "" if none is set. */
void lab_nccl_environment_text(const struct lab_options *o, int version, char *out, size_t size);

#endif
