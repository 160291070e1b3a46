/* Output that is sent when it is taken. */
#include "lab/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool begin(struct lab_out *o, int fd) {
    *o = (struct lab_out){.fd = fd};
    o->file = fd >= 0 ? open_memstream(&o->text, &o->size) : NULL;
    return o->file != NULL;
}

bool lab_out_open(struct lab_out *o, const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd >= 0) (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    return begin(o, fd);
}

/* Not to block is a property of what was opened, and others have it open too: so it is opened once more, where that can be. */
static int again(int fd) {
    struct stat s;
    char path[32];
    if (fstat(fd, &s) != 0 || !(S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode))) return -1;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

bool lab_out_use(struct lab_out *o, int fd) {
    int own = again(fd);
    if (own < 0) own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return begin(o, own);
}

/* The memory is used anew. */
static void forget(struct lab_out *o) {
    (void)fseeko(o->file, 0, SEEK_SET);
    (void)fflush(o->file);
    o->sent = 0;
}

/* A part that a pipe takes at once when it takes anything. False: not now. */
static bool send_part(struct lab_out *o, int ms) {
    struct pollfd p = {.fd = o->fd, .events = POLLOUT};
    size_t left = o->size - o->sent;
    int ready = poll(&p, 1, ms);
    if (ready <= 0) return ready < 0 && errno == EINTR;
    ssize_t n = write(o->fd, o->text + o->sent, left < PIPE_BUF ? left : PIPE_BUF);
    if (n > 0) o->sent += (size_t)n;
    if (n < 0 && errno != EAGAIN && errno != EINTR) o->error = errno;
    return true;
}

static int64_t now_ms(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A reader that takes a little now and then does not wind it up again. */
static int left_of(int ms, int64_t since) {
    int64_t passed = now_ms() - since;
    if (ms < 0) return ms;
    return passed < ms ? ms - (int)passed : 0;
}

bool lab_out_send(struct lab_out *o, int ms) {
    int64_t since = now_ms();
    if (!o->file) return true;
    if (fflush(o->file) != 0 && !o->error) o->error = errno;
    while (!o->error && o->sent < o->size)
        if (!send_part(o, left_of(ms, since))) return false;
    forget(o);
    return true;
}

void lab_out_close(struct lab_out *o) {
    if (!o->file) return;
    (void)fclose(o->file);
    if (close(o->fd) != 0 && !o->error) o->error = errno;
    free(o->text);
    o->file = NULL;
    o->text = NULL;
}
