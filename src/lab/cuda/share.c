/* --share-gpu: real NCCL, several ranks on one GPU. NCCL refuses two ranks with the same host and GPU. Since 2.30 a variable allows it; before,
 * each rank says that it is a host of its own, and the data goes over the network, which is the loopback device. Ring and Simple: other algorithms and
 * protocols spin on the GPU, which the ranks have in turn; few blocks, so that all fit beside each other. */
#include "lab/cuda/nccl_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct setting {
    const char *name, *value;
    int from, before; /* versions */
};
static const struct setting settings[] = {
    {"NCCL_MULTI_RANK_GPU_ENABLE", "1",      LAB_NCCL_MULTI_RANK, 1 << 30            },
    {"NCCL_HOSTID",                "",       0,                   LAB_NCCL_MULTI_RANK}, /* "": the rank's own */
    {"NCCL_NET",                   "Socket", 0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_SOCKET_IFNAME",         "lo",     0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_P2P_DISABLE",           "1",      0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_SHM_DISABLE",           "1",      0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_MNNVL_ENABLE",          "0",      0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_CUMEM_ENABLE",          "0",      0,                   LAB_NCCL_MULTI_RANK},
    {"NCCL_NVLS_ENABLE",           "0",      0,                   1 << 30            },
    {"NCCL_ALGO",                  "Ring",   0,                   1 << 30            },
    {"NCCL_PROTO",                 "Simple", 0,                   1 << 30            },
    {"NCCL_MAX_CTAS",              "2",      0,                   1 << 30            },
};
static bool holds(const struct lab_options *o, const struct setting *s, int version) {
    return o->share_gpu && version >= s->from && version < s->before;
}
/* What a person has set stays. */
void lab_nccl_environment_set(const struct lab_options *o, uint32_t rank, int version) {
    char own[64];
    (void)snprintf(own, sizeof own, "zerolab-%ld-%u", (long)getppid(), rank);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (holds(o, &settings[i], version))
            (void)setenv(settings[i].name, *settings[i].value ? settings[i].value : own, 0);
}
void lab_nccl_environment_text(const struct lab_options *o, int version, char *out, size_t size) {
    out[0] = '\0';
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t used = strlen(out);
        const char *there = getenv(settings[i].name), *value = settings[i].value;
        if (!holds(o, &settings[i], version)) continue;
        (void)snprintf(out + used, size - used, "%s%s=%s", used ? " " : "", settings[i].name,
                       there    ? there
                       : *value ? value
                                : "of each rank");
    }
}
