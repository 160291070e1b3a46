#include "lab/cuda/choices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(sizeof(struct lab_choices) <= 4096, "ranks share it in one piece");

/* One for the process: its ranks must choose alike. Ranks have turns (outside.c) while they read and write it. */
static struct lab_choices known;
static bool loaded;

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
static FILE *open_file(struct lab_cuda *c, const char *mode) {
    char path[600] = "", why[200];
    FILE *f = path_of(c, path, sizeof path) ? fopen(path, mode) : NULL;
    if (f) return f;
    (void)snprintf(why, sizeof why, "%.90s: what is timed cannot be kept: %s: use --products first",
                   path[0] ? path : "$XDG_CACHE_HOME", strerror(errno));
    lab_cuda_fail(c, "products", why);
    return NULL;
}
static uint64_t key_of(uint64_t product) {
    return product & ~(uint64_t)(LAB_ALGORITHMS - 1);
}
static void put(struct lab_choices *s, uint64_t product, uint64_t algorithm) {
    if (s->count < LAB_CHOICES) s->at[s->count++].product = key_of(product) | algorithm;
}
/* A line that is none, or names an algorithm that was never asked for, is no choice. */
static void read_all(FILE *f, struct lab_choices *s) {
    char line[80];
    uint64_t product, algorithm, old;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%16" SCNx64 " %" SCNu64, &product, &algorithm) == 2 &&
            algorithm < LAB_ALGORITHMS && !lab_choices_find(s, product, &old))
            put(s, product, algorithm);
}

struct lab_choices *lab_choices_known(struct lab_cuda *c) {
    if (loaded || known.count) return &known; /* or rank 0 has shared its own */
    FILE *f = open_file(c, "a+");
    if (!f) return NULL;
    rewind(f);
    read_all(f, &known);
    (void)fclose(f);
    loaded = true;
    return &known;
}
bool lab_choices_find(const struct lab_choices *s, uint64_t product, uint64_t *algorithm) {
    for (uint64_t i = 0; i < s->count; i++)
        if (key_of(s->at[i].product) == key_of(product)) {
            *algorithm = s->at[i].product & (LAB_ALGORITHMS - 1);
            return true;
        }
    return false;
}
void lab_choices_add(struct lab_cuda *c, struct lab_choices *s, uint64_t product,
                     uint64_t algorithm) {
    FILE *f = open_file(c, "a");
    if (!f) return;
    (void)fprintf(f, "%016" PRIx64 " %" PRIu64 "\n", key_of(product), algorithm);
    (void)fclose(f);
    put(s, product, algorithm);
}
void *lab_cuda_choices(struct lab_device *d, size_t *bytes) {
    (void)d;
    *bytes = sizeof known;
    return &known;
}
