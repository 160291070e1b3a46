#include "lab/cpu/arena.h"

#include "lab/machine.h"
#include "lab/options.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t page(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}
static size_t whole_pages(size_t bytes) {
    return (bytes + page() - 1) / page() * page();
}

#ifdef __linux__
static int nameless(void) {
    return memfd_create("zerolab", MFD_CLOEXEC);
}
static void drop_pages(const struct lab_arena *a, const struct lab_extent *e) {
    fallocate(a->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)e->at, (off_t)e->bytes);
}
#else
static int nameless(void) {
    char name[32];
    snprintf(name, sizeof name, "/zerolab-%ld", (long)getpid());
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) shm_unlink(name);
    return fd;
}
static void drop_pages(const struct lab_arena *a, const struct lab_extent *e) {
    memset(a->base + e->at, 0, e->bytes);
}
#endif

int lab_arena_file(size_t bytes, struct lab_message *m) {
    int fd = nameless();
    if (fd < 0) {
        snprintf(m->text, sizeof m->text, "cannot get shared memory: %s", strerror(errno));
    } else if (ftruncate(fd, (off_t)bytes)) {
        snprintf(m->text, sizeof m->text, "no shared memory of %zu bytes: %s", bytes,
                 strerror(errno));
        close(fd);
        fd = -1;
    }
    return fd;
}

static size_t bounded(const struct rlimit *l) {
    return l->rlim_cur == RLIM_INFINITY ? SIZE_MAX : (size_t)l->rlim_cur;
}
static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}
/* Every rank maps all the files: under a limit of address space (ulimit -v) half of it is for
 * them. */
size_t lab_arena_size(uint32_t ranks) {
    struct rlimit file = {.rlim_cur = RLIM_INFINITY}, space = file;
    getrlimit(RLIMIT_FSIZE, &file);
    getrlimit(RLIMIT_AS, &space);
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * page();
    size_t size = smaller(machine, smaller(bounded(&file), bounded(&space) / 2 / ranks));
    return size / page() * page();
}

void *lab_arena_map(int file, size_t *bytes, struct lab_message *m) {
    struct stat s;
    void *base = MAP_FAILED;
    if (!fstat(file, &s)) {
        *bytes = (size_t)s.st_size;
        base = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    }
    if (base != MAP_FAILED) return base;
    snprintf(m->text, sizeof m->text, "shared memory cannot be mapped: %s%s", strerror(errno),
             errno == ENOMEM ? " (address space: see ulimit -v)" : "");
    return NULL;
}

/* Asks the system for the pages now: a page that is missing later would be a signal instead of an
 * answer. */
static bool fill(const struct lab_arena *a, const struct lab_extent *e, char *why,
                 size_t capacity) {
    uint64_t left = e->bytes < (1U << 20) ? UINT64_MAX : lab_memory_left();
    if (e->bytes > left) {
        snprintf(why, capacity, "the machine has %" PRIu64 " bytes of memory left, %zu are needed",
                 left, e->bytes);
        return false;
    }
    int error = EINTR;
    while (error == EINTR) error = posix_fallocate(a->file, (off_t)e->at, (off_t)e->bytes);
    if (error)
        snprintf(why, capacity, "cannot get %zu bytes of shared memory: %s%s", e->bytes,
                 strerror(error),
                 error == ENOSPC  ? " (is /dev/shm full?)"
                 : error == EFBIG ? " (see ulimit -f)"
                                  : "");
    return !error;
}

static size_t end_of(const struct lab_extent *e) {
    return e->at + e->bytes;
}
/* The index at which a first fit of `bytes` is inserted; *at is its place. */
static size_t first_fit(const struct lab_arena *a, size_t bytes, size_t *at) {
    size_t i = 0;
    *at = 0;
    while (i < a->count && a->taken[i].at - *at < bytes) *at = end_of(&a->taken[i++]);
    return i;
}
static bool one_more(struct lab_arena *a) {
    if (a->count < a->capacity) return true;
    size_t capacity = a->capacity ? 2 * a->capacity : 64;
    struct lab_extent *more = realloc(a->taken, capacity * sizeof *more);
    if (!more) return false;
    a->taken = more;
    a->capacity = capacity;
    return true;
}
void *lab_arena_take(struct lab_arena *a, size_t bytes, char *why, size_t capacity) {
    if (!one_more(a) || bytes > a->size) {
        snprintf(why, capacity,
                 "%zu bytes are more than the %zu that a rank's shared memory can have", bytes,
                 a->size);
        return NULL;
    }
    struct lab_extent e = {.bytes = whole_pages(bytes ? bytes : 1)};
    size_t i = first_fit(a, e.bytes, &e.at);
    if (e.bytes > a->size - e.at) {
        snprintf(why, capacity,
                 "%zu bytes do not fit into what is left of the %zu that a rank's shared memory "
                 "can have",
                 bytes, a->size);
        return NULL;
    }
    if (!fill(a, &e, why, capacity)) return NULL;
    memmove(a->taken + i + 1, a->taken + i, (a->count - i) * sizeof e);
    a->taken[i] = e;
    a->count++;
    return a->base + e.at;
}
void lab_arena_give(struct lab_arena *a, void *memory) {
    size_t at = (size_t)((char *)memory - a->base), i = 0;
    while (i < a->count && a->taken[i].at != at) i++;
    if (i == a->count) return;
    drop_pages(a, &a->taken[i]);
    a->count--;
    memmove(a->taken + i, a->taken + i + 1, (a->count - i) * sizeof *a->taken);
}
int64_t lab_arena_offset(const struct lab_arena *a, const void *memory, size_t n) {
    uintptr_t at = (uintptr_t)memory - (uintptr_t)a->base;
    return at <= a->size && n <= a->size - at ? (int64_t)at : -1;
}
uint64_t lab_arena_resident(const struct lab_arena *a) {
    struct stat s;
    return fstat(a->file, &s) ? 0 : (uint64_t)s.st_blocks * 512;
}
void lab_arena_close(struct lab_arena *a) {
    if (a->base) munmap(a->base, a->size);
    if (a->file >= 0) close(a->file);
    free(a->taken);
}
