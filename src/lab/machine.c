/* The machine that it runs on: its processor, and the memory that is left. */
#include "lab/machine.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Linux says the processor's name; elsewhere there is only the number of cores. */
void lab_processor(char *out, size_t size) {
    char line[256], name[128] = "processor";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
                           strchr(line, ':') + 2);
            break;
        }
    if (f) (void)fclose(f);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    (void)snprintf(out, size, "%s, %ld core%s", name, cores, cores == 1 ? "" : "s");
}

/* ── memory ── */

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t available(void) {
    FILE *f = fopen("/proc/meminfo", "re");
    if (!f) return UINT64_MAX;
    char line[128];
    uint64_t kilobytes, found = UINT64_MAX;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1) found = kilobytes * 1024;
    (void)fclose(f);
    return found;
}

/* False where there is no such file, or no number in it ("max"). */
static bool read_number(const char *folder, const char *name, uint64_t *out) {
    char path[400];
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    bool read = f && fscanf(f, "%" SCNu64, out) == 1;
    if (f) (void)fclose(f);
    return read;
}

/* Linux counts a page cache against a group, and takes it back when it is wanted. */
static uint64_t group(const char *folder) {
    uint64_t most, used, cached = 0;
    char path[400], line[128];
    if (!read_number(folder, "memory.max", &most) || !read_number(folder, "memory.current", &used))
        return UINT64_MAX;
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.stat", folder);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "inactive_file %" SCNu64, &cached) == 1) break;
    if (f) (void)fclose(f);
    used -= smaller(used, cached);
    return most > used ? most - used : 0;
}

/* The group that this process is in, and the groups that contain it. Each may have a limit. */
static uint64_t groups(void) {
    char line[320] = "";
    uint64_t left = UINT64_MAX;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::/", 4) == 0) break;
    if (f) (void)fclose(f);
    if (strncmp(line, "0::/", 4) != 0) return left;
    char *folder = line + 3;
    folder[strcspn(folder, "\n")] = '\0';
    for (char *slash; (slash = strrchr(folder, '/')); *slash = '\0')
        left = smaller(left, group(folder));
    return left;
}

uint64_t lab_memory_left(void) {
    return smaller(available(), groups());
}
