#include "lab/cuda/nvml.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef struct nvml_device *device;
/* nvmlMemory_v2_t. */
struct memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
enum { OK = 0, CLOCK_SM = 1, LINKS_MOST = 18 };
#define MEMORY_VERSION ((unsigned)sizeof(struct memory) | 2u << 24)

struct lab_nvml {
    void *library;
    device gpu;
    int (*init)(void);
    int (*find)(const char *bus, device *);
    int (*shutdown)(void);
    int (*memory)(device, struct memory *);
    int (*power)(device, unsigned *milliwatts);
    int (*clock)(device, int which, unsigned *mhz);
    int (*driver)(char *out, unsigned size);
    int (*link)(device, unsigned link, int *up);
};

static void *symbol(struct lab_nvml *n, const char *name) {
    return dlsym(n->library, name);
}

/* Makes a function pointer of dlsym()'s object pointer in the way that POSIX gives. */
#define LOAD(n, member, name) (*(void **)&(n)->member = symbol(n, name))

static bool load(struct lab_nvml *n) {
    const char *asked = getenv("ZEROLAB_NVML");
    n->library = dlopen(asked && *asked ? asked : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!n->library) return false;
    LOAD(n, init, "nvmlInit_v2");
    LOAD(n, find, "nvmlDeviceGetHandleByPciBusId_v2");
    LOAD(n, shutdown, "nvmlShutdown");
    LOAD(n, memory, "nvmlDeviceGetMemoryInfo_v2");
    LOAD(n, power, "nvmlDeviceGetPowerUsage");
    LOAD(n, clock, "nvmlDeviceGetClockInfo");
    LOAD(n, driver, "nvmlSystemGetDriverVersion");
    LOAD(n, link, "nvmlDeviceGetNvLinkState");
    return true;
}

static bool start(struct lab_nvml *n, const char *bus) {
    if (!n->init || !n->find || n->init() != OK) return false;
    if (n->find(bus, &n->gpu) == OK) return true;
    if (n->shutdown) (void)n->shutdown();
    return false;
}

struct lab_nvml *lab_nvml_open(const char *bus) {
    struct lab_nvml *n = calloc(1, sizeof *n);
    if (n && load(n) && start(n, bus)) return n;
    if (n && n->library) (void)dlclose(n->library);
    free(n);
    return NULL;
}

void lab_nvml_close(struct lab_nvml *n) {
    if (!n) return;
    if (n->shutdown) (void)n->shutdown();
    (void)dlclose(n->library);
    free(n);
}

bool lab_nvml_used(struct lab_nvml *n, uint64_t *used) {
    struct memory m = {.version = MEMORY_VERSION};
    bool known = n->memory && n->memory(n->gpu, &m) == OK;
    *used = known ? m.used : 0;
    return known;
}

void lab_nvml_read(struct lab_nvml *n, struct lab_nvml_reading *out) {
    unsigned milliwatts = 0, mhz = 0;
    *out = (struct lab_nvml_reading){0};
    if (n->power && n->power(n->gpu, &milliwatts) == OK) out->power_w = milliwatts / 1e3;
    if (n->clock && n->clock(n->gpu, CLOCK_SM, &mhz) == OK) out->sm_mhz = mhz;
}

void lab_nvml_driver(struct lab_nvml *n, char *out, size_t size) {
    if (!n->driver || n->driver(out, (unsigned)size) != OK) *out = '\0';
}

int lab_nvml_links(struct lab_nvml *n) {
    int count = 0, up = 0;
    if (!n->link) return -1;
    for (unsigned i = 0; i < LINKS_MOST; i++)
        if (n->link(n->gpu, i, &up) == OK && up) count++;
    return count;
}
