/* A libnvidia-ml.so.1 that knows one GPU, for tests of those who open it at run time: 2 GB in use,
 * and 1 MiB more at each reading; 412.5 W; 1980 MHz. */
#include <stdio.h>

struct memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
enum { OK = 0, NOT_SUPPORTED = 3, MEGAHERTZ = 1980, MEMORY_MEGAHERTZ = 3201 };

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetMemoryInfo_v2(void *device, struct memory *m);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlSystemGetDriverVersion(char *out, unsigned size);
int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *up);

int nvmlInit_v2(void) {
    return OK;
}
int nvmlShutdown(void) {
    return OK;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
    static int gpu;
    *device = &gpu;
    return *bus ? OK : NOT_SUPPORTED;
}
int nvmlDeviceGetMemoryInfo_v2(void *device, struct memory *m) {
    static unsigned long long readings;
    (void)device;
    if (m->version != ((unsigned)sizeof *m | 2u << 24)) return NOT_SUPPORTED;
    m->total = 16000000000u;
    m->used = 2000000000u + (readings++ << 20);
    m->free = m->total - m->used;
    m->reserved = 0;
    return OK;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
    (void)device;
    *milliwatts = 412500;
    return OK;
}
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz) {
    (void)device;
    *mhz = which == 1 ? MEGAHERTZ : MEMORY_MEGAHERTZ;
    return OK;
}
int nvmlSystemGetDriverVersion(char *out, unsigned size) {
    (void)snprintf(out, size, "580.00.00");
    return OK;
}
int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *up) {
    (void)device;
    *up = link < 4;
    return link < 18 ? OK : NOT_SUPPORTED;
}
