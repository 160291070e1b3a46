#include "lab/cuda/choices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

_Static_assert(sizeof(struct lab_choices) <= 4096, "ranks share it in one piece");

/* One for the process: its ranks must choose alike. Ranks have turns (outside.c) while they read
 * and write it. */
static struct lab_choices known;

/* $XDG_CACHE_HOME/zerotutor/products-NVIDIA-H200-130100; the folders are made. */
static bool path_of(struct lab_cuda *c, char *out, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct cudaDeviceProp p;
    bool own = cache && *cache == '/';
    if ((!own && !home) || cudaGetDeviceProperties(&p, c->gpu) != cudaSuccess) return false;
    for (char *at = p.name; *at; at++)
        if (*at == ' ' || *at == '/') *at = '-';
    (void)snprintf(out, size, "%s%s", own ? cache : home, own ? "" : "/.cache");
    (void)mkdir(out, 0700);
    size_t n = strlen(out);
    (void)snprintf(out + n, size - n, "/zerotutor");
    (void)mkdir(out, 0700);
    n = strlen(out);
    return snprintf(out + n, size - n, "/products-%.90s-%zu", p.name, cublasLtGetVersion()) <
           (int)(size - n);
}
/* To read and to append, and held until it is closed. A file system that knows no locks costs no
 * more than this: two processes that time a product at the same moment may write two lines for it,
 * of which the first one counts. */
static FILE *open_file(struct lab_cuda *c) {
    char path[600] = "", why[200];
    FILE *f = path_of(c, path, sizeof path) ? fopen(path, "a+") : NULL;
    if (f) {
        (void)flock(fileno(f), LOCK_EX);
        return f;
    }
    (void)snprintf(why, sizeof why, "%.90s: cannot keep the timings: %s: use --products first",
                   path[0] ? path : "$XDG_CACHE_HOME", strerror(errno));
    lab_cuda_fail(c, "products", why);
    return NULL;
}
static uint64_t key_of(uint64_t product) {
    return product & ~(uint64_t)(LAB_ALGORITHMS - 1);
}
static void put(uint64_t product, uint64_t algorithm) {
    if (known.count < LAB_CHOICES) known.at[known.count++].product = key_of(product) | algorithm;
}
static bool is_known(uint64_t product, uint64_t *algorithm) {
    for (uint64_t i = 0; i < known.count; i++)
        if (key_of(known.at[i].product) == key_of(product)) {
            *algorithm = known.at[i].product & (LAB_ALGORITHMS - 1);
            return true;
        }
    return false;
}
/* Ignores a line that cannot be read or that names an algorithm that was never requested. */
static bool is_kept(FILE *f, uint64_t product, uint64_t *algorithm) {
    char line[80];
    uint64_t other, found;
    rewind(f);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%16" SCNx64 " %" SCNu64, &other, &found) == 2 &&
            key_of(other) == key_of(product) && found < LAB_ALGORITHMS) {
            *algorithm = found;
            return true;
        }
    return false;
}

bool lab_choices_find(struct lab_cuda *c, uint64_t product, uint64_t *algorithm) {
    if (is_known(product, algorithm)) return true;
    FILE *f = open_file(c);
    if (!f) return false;
    bool kept = is_kept(f, product, algorithm);
    (void)fclose(f);
    if (kept) put(product, *algorithm);
    return kept;
}
uint64_t lab_choices_add(struct lab_cuda *c, uint64_t product, uint64_t algorithm) {
    FILE *f = open_file(c);
    if (!f) return algorithm;
    if (!is_kept(f, product, &algorithm))
        (void)fprintf(f, "%016" PRIx64 " %" PRIu64 "\n", key_of(product), algorithm);
    (void)fclose(f);
    put(product, algorithm);
    return algorithm;
}
void *lab_cuda_choices(struct lab_device *d, size_t *bytes) {
    (void)d;
    *bytes = sizeof known;
    return &known;
}
