/* Checkpoints are found, checked and read. Their files may come from anywhere: nothing in them is
 * believed before it was compared with what follows from the model. */
#include "lab/saved.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── sizes and places ──────────────────────────────────────────────────────────────────────────*/
size_t lab_owned(const struct lab_split *s, uint32_t rank) {
    size_t first = (size_t)rank * s->shard;
    if (first >= s->count) return 0;
    return s->count - first < s->shard ? s->count - first : s->shard;
}

uint64_t lab_saved_bytes(const struct lab_partition *p, uint32_t rank) {
    uint64_t elements = 0;
    for (size_t u = 0; u < p->units; u++) elements += lab_owned(&p->unit[u], rank);
    return elements * LAB_ARRAYS * sizeof(float);
}

/* Where the array of what a rank owns of a unit begins in its file. */
static uint64_t place(const struct lab_partition *p, uint32_t rank, size_t unit,
                      enum lab_array array) {
    uint64_t elements = (uint64_t)array * lab_owned(&p->unit[unit], rank);
    for (size_t u = 0; u < unit; u++) elements += LAB_ARRAYS * lab_owned(&p->unit[u], rank);
    return elements * sizeof(float);
}

/* ── which there are ───────────────────────────────────────────────────────────────────────────*/

/* "step-20" is 20; 0: it is not such a name. */
static uint32_t step_of(const char *name) {
    char again[24];
    unsigned step = 0;
    if (sscanf(name, "step-%9u", &step) != 1) return 0;
    (void)snprintf(again, sizeof again, "step-%u", step);
    return strcmp(again, name) == 0 ? step : 0;
}

static int newest_first(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

size_t lab_saved_steps(const char *folder, uint32_t step[LAB_SAVED_STEPS]) {
    DIR *d = opendir(folder);
    size_t n = 0;
    for (struct dirent *e; d && n < LAB_SAVED_STEPS && (e = readdir(d));) {
        step[n] = step_of(e->d_name);
        n += step[n] > 0;
    }
    if (d) (void)closedir(d);
    qsort(step, n, sizeof *step, newest_first);
    return n;
}

/* ── the manifest ──────────────────────────────────────────────────────────────────────────────*/
/* 64 ranks take 5 KB. */
enum { MANIFEST_MOST = 1 << 14 };

static bool refuse(const struct lab_saved *s, struct lab_message *m, const char *why) {
    return lab_fail(m, "%.180s: %s", s->path, why);
}

/* Opens a file of the checkpoint; −1 with errno. Only files are opened: nothing that could wait. */
static int open_part(const struct lab_saved *s, const char *name, uint64_t *bytes) {
    char path[PATH_MAX];
    struct stat st;
    if (snprintf(path, sizeof path, "%s/%s", s->path, name) >= (int)sizeof path)
        return errno = ENAMETOOLONG, -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return -1;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return (void)close(fd), errno = EINVAL, -1;
    *bytes = (uint64_t)st.st_size;
    return fd;
}

static bool read_manifest(struct lab_saved *s, struct lab_message *m) {
    char text[MANIFEST_MOST + 1];
    uint64_t bytes = 0;
    int fd = open_part(s, LAB_SAVED_MANIFEST, &bytes);
    ssize_t n = fd >= 0 ? pread(fd, text, MANIFEST_MOST, 0) : -1;
    int error = errno;
    if (fd >= 0) (void)close(fd);
    if (n < 0)
        return lab_fail(
            m, "%.180s/" LAB_SAVED_MANIFEST ": cannot be read: %s: use an older checkpoint",
            s->path, strerror(error));
    text[n] = '\0';
    return lab_manifest_read(text, s, m);
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
static bool find(struct lab_saved *s, const char *path, struct lab_message *m) {
    uint32_t newest[LAB_SAVED_STEPS];
    struct stat st;
    char manifest[PATH_MAX];
    int n = snprintf(s->path, sizeof s->path, "%s", path);
    if (snprintf(manifest, sizeof manifest, "%s/" LAB_SAVED_MANIFEST, path) >=
            (int)sizeof manifest ||
        n + 16 >= (int)sizeof s->path)
        return lab_fail(m, "%.180s: the name is too long", path);
    if (stat(manifest, &st) == 0) return true;
    if (stat(path, &st) != 0)
        return lab_fail(m, "%.180s: %s: use the folder of --save, or a step-N in it", path,
                        strerror(errno));
    if (lab_saved_steps(path, newest) == 0)
        return lab_fail(m, "%.180s: holds no complete checkpoint: begin without --resume", path);
    (void)snprintf(s->path + n, sizeof s->path - (size_t)n, "/step-%u", newest[0]);
    return true;
}

static bool open_files(struct lab_saved *s, struct lab_message *m) {
    for (uint32_t r = 0; r < s->ranks; r++) {
        char name[24];
        uint64_t bytes = 0, expected = lab_saved_bytes(&s->split, r);
        (void)snprintf(name, sizeof name, "rank-%u.bin", r);
        s->fd[r] = open_part(s, name, &bytes);
        if (s->fd[r] < 0)
            return lab_fail(m, "%.180s/%s: cannot be read: %s: use an older checkpoint", s->path,
                            name, strerror(errno));
        if (bytes != expected)
            return lab_fail(m, "%.180s/%s: has %llu bytes, not %llu: use an older checkpoint",
                            s->path, name, (unsigned long long)bytes, (unsigned long long)expected);
    }
    return true;
}

/* A copy of another step, or a link to it, would be taken for what its name says. */
static bool is_named(const struct lab_saved *s, struct lab_message *m) {
    const char *slash = strrchr(s->path, '/');
    uint32_t step = step_of(slash ? slash + 1 : s->path);
    return step == 0 || step == s->step ||
           lab_fail(m,
                    "%.180s: " LAB_SAVED_MANIFEST " is of step %u: use an older checkpoint, or "
                    "restore the folder's own name",
                    s->path, s->step);
}

static bool open_all(struct lab_saved *s, const char *path, struct lab_message *m) {
    if (!find(s, path, m) || !read_manifest(s, m) || !is_named(s, m)) return false;
    s->model = lab_model_new(&s->shape);
    if (!s->model || !lab_partition_make(s->model, s->ranks, s->grain, &s->split))
        return refuse(s, m, "out of memory for the model's description");
    return open_files(s, m);
}

struct lab_saved *lab_saved_open(const char *path, struct lab_message *m) {
    struct lab_saved *s = calloc(1, sizeof *s);
    if (!s) return (void)lab_fail(m, "%.180s: out of memory", path), NULL;
    for (size_t r = 0; r < LAB_RANKS_MAX; r++) s->fd[r] = -1;
    if (open_all(s, path, m)) return s;
    lab_saved_close(s);
    return NULL;
}

void lab_saved_close(struct lab_saved *s) {
    if (!s) return;
    for (size_t r = 0; r < LAB_RANKS_MAX; r++)
        if (s->fd[r] >= 0) (void)close(s->fd[r]);
    lab_partition_free(&s->split);
    lab_model_free(s->model);
    free(s);
}

/* ── whether it fits, and is whole ─────────────────────────────────────────────────────────────*/
bool lab_saved_fits(const struct lab_saved *s, const struct lab_options *o, struct lab_message *m) {
    const struct lab_shape *a = &s->shape;
    if (!lab_shape_same(a, &o->shape))
        return lab_fail(m,
                        "--resume %.100s: its model is --layers %u --width %u --heads %u --seq %u "
                        "--vocab %u, and its head %s: use the same",
                        s->path, a->layers, a->width, a->heads, a->seq, a->vocab,
                        a->untied ? "--untied" : "tied");
    if (s->compute != o->compute)
        return lab_fail(m, "--resume %.180s: was trained in %s: set --precision %s", s->path,
                        lab_dtype_name(s->compute), lab_dtype_name(s->compute));
    if (s->optimizer != o->optimizer)
        return lab_fail(m,
                        "--resume %.180s: was trained with another optimizer: set --optimizer %s",
                        s->path, s->optimizer == LAB_ADAM8BIT ? "adam8bit" : "adamw");
    if (s->seed != o->seed || strcmp(s->tokens, o->tokens) != 0)
        return lab_fail(m, "--resume %.100s: was trained with --seed %llu --tokens %.80s: use them",
                        s->path, (unsigned long long)s->seed, s->tokens);
    if (s->step >= o->steps)
        return lab_fail(m, "--resume %.180s: has made %u steps: set --steps above that", s->path,
                        s->step);
    return true;
}

bool lab_saved_whole(const struct lab_saved *s, struct lab_message *m) {
    enum { PIECE = 1 << 18 };
    char *piece = malloc(PIECE);
    bool well = piece != NULL || refuse(s, m, "out of memory");
    for (uint32_t r = 0; well && r < s->ranks; r++) {
        struct hash_sha256 sum;
        unsigned char bytes[HASH_SHA256_BYTES];
        char hex[HASH_HEX];
        ssize_t n = 1;
        hash_sha256_begin(&sum);
        for (off_t at = 0; n > 0; at += n) {
            n = pread(s->fd[r], piece, PIECE, at);
            if (n > 0) hash_sha256_add(&sum, piece, (size_t)n);
        }
        hash_sha256_end(&sum, bytes);
        hash_hex_of(bytes, hex);
        well = n == 0 && strcmp(hex, s->sha256[r]) == 0;
        if (!well)
            (void)lab_fail(m,
                           "%.180s/rank-%u.bin: is not the file that was saved (its SHA-256 "
                           "differs): use an older checkpoint",
                           s->path, r);
    }
    free(piece);
    return well;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool read_at(int fd, float *out, size_t count, uint64_t at) {
    char *to = (char *)out;
    size_t left = count * sizeof *out;
    while (left > 0) {
        ssize_t n = pread(fd, to, left, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        at += (uint64_t)n;
        left -= (size_t)n;
    }
    return true;
}

void lab_saved_read(struct lab_saved *s, enum lab_array array, size_t unit, size_t from,
                    size_t count, float *out) {
    const struct lab_split *n = &s->split.unit[unit];
    for (size_t at = from, end = from + count, next; at < end; at = next) {
        uint32_t rank = (uint32_t)(at / n->shard);
        size_t first = (size_t)rank * n->shard;
        next = at < n->count ? first + lab_owned(n, rank) : end;
        if (next > end) next = end;
        if (at >= n->count)
            memset(out + (at - from), 0, (next - at) * sizeof *out);
        else if (!read_at(s->fd[rank], out + (at - from), next - at,
                          place(&s->split, rank, unit, array) + (at - first) * sizeof *out))
            s->failed = true;
    }
}
