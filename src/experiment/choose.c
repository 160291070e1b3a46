/* What a run starts with: zerolab, or where a GPU is found and nothing speaks against it
 * zerolab-cuda, and how its ranks reach each other. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD_MOST = 64 };

/* The value of a flag among words, "--ranks 4" or "--ranks=4"; the last one counts. False if it is
 * not there. */
static bool flag(const char *words, const char *name, char value[WORD_MOST]) {
    bool found = false, next = false;
    size_t length = strlen(name);
    for (const char *w = words; *(w += strspn(w, " \t\r\n")); w += strcspn(w, " \t\r\n")) {
        int n = (int)strcspn(w, " \t\r\n");
        if (next) snprintf(value, WORD_MOST, "%.*s", n, w);
        next = false;
        if (strncmp(w, name, length) != 0) continue;
        next = n == (int)length;
        if (!next && w[length] != '=') continue;
        if (!next) snprintf(value, WORD_MOST, "%.*s", n - (int)length - 1, w + length + 1);
        found = true;
    }
    return found;
}

/* An emulated link is the CPU lab's. */
static bool wants_cpu(const char *words) {
    char device[WORD_MOST] = "", link[WORD_MOST] = "none";
    if (flag(words, "--device", device)) return strcmp(device, "cuda") != 0;
    return flag(words, "--link", link) && strcmp(link, "none") != 0;
}

/* A device node of NVIDIA's driver: without one there is no need to ask. Elsewhere than on Linux
 * there is none. */
static bool may_have_gpu(void) {
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu"};
    for (size_t i = 0; i < BASE_COUNT(nodes); i++)
        if (access(nodes[i], F_OK) == 0) return true;
    return getenv("ZEROLAB_CUDA") != NULL;
}

struct gpus {
    uint32_t count;
    bool nccl;
};

static struct gpus count_gpus(const char *path) {
    struct base_message m;
    struct gpus found = {0};
    json_t *probe = experiment_probe(path, &m);
    const json_t *device;
    size_t i;
    json_array_foreach(json_object_get(probe, "devices"), i, device) {
        bool gpu = !strcmp(base_json_text(device, "device", ""), "cuda");
        if (!gpu || json_object_get(device, "why")) continue;
        found.count++;
        found.nccl = found.nccl || json_object_get(device, "nccl");
    }
    json_decref(probe);
    return found;
}

static char *with_comm(const char *words, struct gpus gpus) {
    char value[WORD_MOST];
    uint32_t n = experiment_ranks(words);
    bool nccl = gpus.nccl && n > 1 && n <= gpus.count;
    bool device = flag(words, "--device", value), comm = flag(words, "--comm", value);
    return base_format("%s%s%s%s%s", words, *words ? " " : "", device ? "" : "--device cuda",
                       device || comm ? "" : " ",
                       comm   ? ""
                       : nccl ? "--comm nccl"
                              : "--comm local");
}

/* Numbers in a list, "0,3". */
static uint32_t count_listed(const char *list) {
    uint32_t n = *list != '\0';
    for (; *list; list++) n += *list == ',';
    return n;
}

/* What the place asks for, unless the words say it. The caller's. */
static char *with_place(const char *words, const struct experiment_place *where) {
    char value[WORD_MOST];
    struct base_text t = {0};
    base_text_puts(&t, words);
    if (where->cpu && !flag(words, "--device", value))
        base_text_printf(&t, "%s--device cpu", t.length ? " " : "");
    if (where->cap && !flag(words, "--cap", value))
        base_text_printf(&t, "%s--cap %llu", t.length ? " " : "", (unsigned long long)where->cap);
    return base_text_take(&t);
}

/* Threads are the CPU lab's: zerolab-cuda refuses them. The caller's. */
static char *with_threads(const char *words, uint32_t threads) {
    char value[WORD_MOST];
    if (!threads || flag(words, "--threads", value)) return base_dup(words);
    return base_format("%s%s--threads %u", words, *words ? " " : "", threads);
}

static bool choose(const char *words, const struct experiment_place *where,
                   struct experiment_choice *out, struct base_message *m) {
    char device[WORD_MOST] = "";
    bool asked = flag(words, "--device", device) && !strcmp(device, "cuda");
    struct gpus gpus = {0};
    struct base_message unasked;
    char *cuda = NULL;
    *out = (struct experiment_choice){.name = "zerolab"};
    if (asked && where->cpu)
        return base_fail(m, "this lab may use no GPU here: leave out --device cuda");
    if (asked || (!wants_cpu(words) && (where->there || may_have_gpu())))
        cuda = experiment_find_cuda(asked ? m : &unasked);
    if (cuda) gpus = where->there ? (struct gpus){.count = where->there} : count_gpus(cuda);
    if (where->gpus && count_listed(where->gpus) < gpus.count)
        gpus.count = count_listed(where->gpus);
    if (asked && !cuda) return false;
    if (cuda && (asked || gpus.count)) {
        *out = (struct experiment_choice){cuda, with_comm(words, gpus), "zerolab-cuda"};
        return true;
    }
    free(cuda);
    out->path = experiment_find_lab(m);
    out->words = with_threads(words, where->threads);
    return out->path != NULL;
}

bool experiment_choose(const char *words, const struct experiment_place *where,
                       struct experiment_choice *out, struct base_message *m) {
    char *all = with_place(words, where);
    bool chosen = choose(all, where, out, m);
    free(all);
    return chosen;
}

/* A flag that counts; 1 if it is not there or is no such count. */
static uint32_t count(const char *words, const char *name) {
    char value[WORD_MOST] = "1";
    (void)flag(words, name, value);
    long n = strtol(value, NULL, 10);
    return n > 1 && n <= UINT16_MAX ? (uint32_t)n : 1;
}

uint32_t experiment_ranks(const char *arguments) {
    return count(arguments, "--ranks");
}

uint32_t experiment_cores(const char *arguments) {
    uint64_t cores = (uint64_t)experiment_ranks(arguments) * count(arguments, "--threads");
    return cores < UINT16_MAX ? (uint32_t)cores : UINT16_MAX;
}

bool experiment_uses_gpu_in(const char *arguments, const struct experiment_place *where) {
    struct experiment_choice c;
    struct base_message m;
    bool cuda = experiment_choose(arguments, where, &c, &m) && strcmp(c.name, "zerolab-cuda") == 0;
    experiment_choice_free(&c);
    return cuda;
}

bool experiment_lacks_gpu(const char *arguments, const struct experiment_place *where) {
    char device[WORD_MOST] = "";
    if (!flag(arguments, "--device", device) || strcmp(device, "cuda") != 0) return false;
    if (where->cpu) return true;
    if (where->there) return false;
    struct base_message unasked;
    char *cuda = may_have_gpu() ? experiment_find_cuda(&unasked) : NULL;
    uint32_t gpus = cuda ? count_gpus(cuda).count : 0;
    free(cuda);
    return gpus == 0;
}

bool experiment_uses_gpu(const char *arguments) {
    return experiment_uses_gpu_in(arguments, &(struct experiment_place){0});
}

void experiment_choice_free(struct experiment_choice *c) {
    free(c->path);
    free(c->words);
}
