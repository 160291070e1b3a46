/* A file as memory: the lowest tier. Its addresses lie in a range that is reserved and cannot be
 * read, so that an address less the range's beginning is a place in the file, and following one by
 * mistake ends the program.
 *
 * Whole blocks go straight between the rank's memory and the disk if the file system lets them
 * (O_DIRECT). Else the page cache would hold what the tier is meant to take out of memory. What is
 * not a whole block, or not in memory that starts with a block, passes through a buffer. */
#include "lab/options.h"
#include "lab/tier.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* BLOCK: what O_DIRECT moves a multiple of, whatever the disk. MOST: bytes of the range. */
enum { BLOCK = 4096, BUFFER = 1 << 16 };
static const size_t most = (size_t)1 << 42;

struct file {
    struct lab_device base;
    int fd;
    bool direct;
    char *range;
    /* Where the next array starts. */
    size_t next;
    char name[200];
    /* Threads of the lanes and the rank's own use it side by side. The first failure stays. */
    atomic_int error;
    /* A transfer ended before the file should have. */
    atomic_bool cut;
};

static struct file *file_of(struct lab_device *d) {
    return (struct file *)d;
}

static size_t blocks(size_t bytes) {
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

static void fail(struct file *f, int error) {
    int none = 0;
    if (error == 0)
        atomic_store(&f->cut, true);
    else
        (void)atomic_compare_exchange_strong(&f->error, &none, error);
}

/* ── whole blocks ── */

static void read_blocks(struct file *f, char *to, size_t at, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = pread(f->fd, to, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            fail(f, n < 0 ? errno : 0);
            memset(to, 0, bytes);
            return;
        }
        to += n, at += (size_t)n, bytes -= (size_t)n;
    }
}

static void write_blocks(struct file *f, const char *from, size_t at, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = pwrite(f->fd, from, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            fail(f, n < 0 ? errno : EIO);
            return;
        }
        from += n, at += (size_t)n, bytes -= (size_t)n;
    }
}

/* How many of the bytes can go without the buffer. */
static size_t straight(const void *memory, size_t at, size_t bytes) {
    return ((uintptr_t)memory | at) % BLOCK == 0 ? bytes / BLOCK * BLOCK : 0;
}

/* ── a device's functions ── */

/* Takes the disk's blocks now: a full disk is found before the first step. New blocks are zeros. */
static bool take(struct lab_device *d, void **memory, size_t bytes) {
    struct file *f = file_of(d);
    size_t whole = blocks(bytes ? bytes : 1);
    int error = EINTR;
    if (whole > most - f->next) return fail(f, EFBIG), false;
    while (error == EINTR) error = posix_fallocate(f->fd, (off_t)f->next, (off_t)whole);
    if (error) return fail(f, error), false;
    *memory = f->range + f->next;
    f->next += whole;
    return true;
}

/* All of it is given back with the file. */
static void give(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}

static void download(struct lab_device *d, void *host, const void *from, size_t bytes) {
    struct file *f = file_of(d);
    _Alignas(BLOCK) char buffer[BUFFER];
    size_t at = (size_t)((const char *)from - f->range), done = straight(host, at, bytes);
    read_blocks(f, host, at, done);
    for (size_t n; done < bytes; done += n) {
        size_t before = (at + done) % BLOCK;
        n = bytes - done < BUFFER - before ? bytes - done : BUFFER - before;
        read_blocks(f, buffer, at + done - before, blocks(before + n));
        memcpy((char *)host + done, buffer + before, n);
    }
}

/* `to` starts with a block. Arrays start with one and end with one, so the rest of an array's last
 * block belongs to no other. */
static void upload(struct lab_device *d, void *to, const void *host, size_t bytes) {
    struct file *f = file_of(d);
    _Alignas(BLOCK) char buffer[BUFFER];
    size_t at = (size_t)((char *)to - f->range), done = straight(host, at, bytes);
    assert(at % BLOCK == 0);
    write_blocks(f, host, at, done);
    for (size_t n; done < bytes; done += n) {
        n = bytes - done < BUFFER ? bytes - done : BUFFER;
        memset(buffer, 0, blocks(n));
        memcpy(buffer, (const char *)host + done, n);
        write_blocks(f, buffer, at + done, blocks(n));
    }
}

static void upload_made(struct lab_device *d, void *to, size_t bytes, lab_make *make, void *self) {
    _Alignas(BLOCK) char buffer[BUFFER];
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < BUFFER ? bytes - at : BUFFER;
        make(self, at, n, buffer);
        upload(d, (char *)to + at, buffer, n);
    }
}

static bool finish(struct lab_device *d, struct lab_message *m) {
    const struct file *f = file_of(d);
    int error = atomic_load(&f->error);
    if (error)
        return lab_fail(m, "--offload-dir %.180s: the file there fails: %s%s", f->name,
                        strerror(error),
                        error == ENOSPC  ? ": make room, or name another folder"
                        : error == EFBIG ? " (see ulimit -f)"
                                         : "");
    if (atomic_load(&f->cut))
        return lab_fail(m, "--offload-dir %.180s: the file there was cut short by another program",
                        f->name);
    return true;
}

static void shut(struct lab_device *d) {
    struct file *f = file_of(d);
    if (f->range) (void)munmap(f->range, most);
    if (f->fd >= 0) (void)close(f->fd);
    free(f);
}

static const struct lab_device_row row = {
    .name = "nvme",
    .alloc = take,
    .free = give,
    .upload = upload,
    .upload_made = upload_made,
    .download = download,
    .finish = finish,
    .close = shut,
};

/* ── opening ── */

/* A file that no folder shows any more. */
static int open_nameless(const char *folder) {
    char path[300];
    if (snprintf(path, sizeof path, "%s/zerolab-XXXXXX", folder) >= (int)sizeof path)
        return errno = ENAMETOOLONG, -1;
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) (void)unlink(path);
    return fd;
}

/* Whether whole blocks can be written past the page cache: some file systems accept the flag and
 * refuse the write. */
static bool make_direct(int fd) {
#ifdef O_DIRECT
    _Alignas(BLOCK) char block[BLOCK] = {0};
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) != 0) return false;
    if (pwrite(fd, block, BLOCK, 0) == BLOCK && ftruncate(fd, 0) == 0) return true;
    (void)fcntl(fd, F_SETFL, flags);
#endif
    return false;
}

static bool refuse(const char *folder, struct lab_message *m) {
    return lab_fail(m, "--offload-dir %.180s: no file can be made there: %s", folder,
                    strerror(errno));
}

bool lab_file_try(const char *folder, bool *direct, struct lab_message *m) {
    int fd = open_nameless(folder);
    if (fd < 0) return refuse(folder, m);
    *direct = make_direct(fd);
    (void)close(fd);
    return true;
}

struct lab_device *lab_file_open(const char *folder, struct lab_message *m) {
    struct file *f = calloc(1, sizeof *f);
    if (!f) return (void)lab_fail(m, "--offload-dir %.180s: out of memory", folder), NULL;
    f->base.row = &row;
    (void)snprintf(f->name, sizeof f->name, "%s", folder);
    f->fd = open_nameless(folder);
    void *range =
        f->fd < 0 ? MAP_FAILED
                  : mmap(NULL, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        (void)refuse(folder, m);
        shut(&f->base);
        return NULL;
    }
    f->range = range;
    f->direct = make_direct(f->fd);
    return &f->base;
}
