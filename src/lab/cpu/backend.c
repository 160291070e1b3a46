#include "lab/cpu/backend.h"

#include "lab/json.h"
#include "lab/machine.h"

#include <unistd.h>

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
    {.comm = LAB_SHM, .open = open_shm},
    {.comm = LAB_LOCAL, .threads = true, .share = share, .unshare = unshare, .open = open_local},
};
struct lab_device *lab_cpu_backend_open(const struct lab_options *o, uint32_t local,
                                        struct lab_message *m) {
    (void)local;
    lab_blas_keep_to(lab_blas_share(o));
    return lab_cpu_open(m);
}

static void put_blas(struct lab_json *j) {
    char name[100];
    const char *slow = lab_blas(name, sizeof name);
    lab_json_text(j, "blas", name);
    if (slow) lab_json_text(j, "blas_slow", slow);
}
void lab_cpu_versions(const struct lab_options *o, struct lab_json *j) {
    uint32_t threads = lab_blas_threads(o);
    put_blas(j);
    if (threads) lab_json_count(j, "blas_threads", threads);
}
void lab_cpu_note(char *out, size_t size) {
    char name[100];
    const char *slow = lab_blas(name, sizeof name);
    (void)snprintf(out, size, "%s%s%s", slow ? name : "", slow ? ": " : "", slow ? slow : "");
}

void lab_cpu_probe(struct lab_json *j) {
    char name[200];
    lab_processor(name, sizeof name);
    lab_json_open(j, NULL, '{');
    lab_json_text(j, "device", "cpu");
    lab_json_text(j, "name", name);
    lab_json_count(j, "cores", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    lab_json_count(j, "memory",
                   (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    put_blas(j);
    lab_json_open(j, "comm", '[');
    lab_json_text(j, NULL, "shm");
    lab_json_text(j, NULL, "local");
    lab_json_close(j, ']');
    lab_json_close(j, '}');
}
