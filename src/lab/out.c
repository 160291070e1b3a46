/* Output that is sent when it is taken. */
#include "lab/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool begin(struct lab_out *o, int fd) {
    *o = (struct lab_out){.fd = fd};
    o->file = fd >= 0 ? open_memstream(&o->text, &o->size) : NULL;
    return o->file != NULL;
}

/* ── files by their names ── */

/* The number in "/dev/fd/N" and its likes; −1: it is none of them. */
static int descriptor_of(const char *path) {
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        size_t n = strlen(folder[i]);
        char *end;
        long fd = strncmp(path, folder[i], n) == 0 ? strtol(path + n, &end, 10) : -1;
        if (fd >= 0 && fd <= INT_MAX && end != path + n && !*end) return (int)fd;
    }
    return -1;
}
static int refused(int fd, int error) {
    if (fd >= 0) (void)close(fd);
    errno = error;
    return -1;
}
int lab_out_create(const char *path) {
    int given = descriptor_of(path);
    struct stat s;
    if (given >= 0) return fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0) return refused(fd, errno == ENXIO ? ESPIPE : errno);
    if (fstat(fd, &s) != 0) return refused(fd, errno);
    if (!S_ISREG(s.st_mode) && !S_ISCHR(s.st_mode)) return refused(fd, ESPIPE);
    if (S_ISREG(s.st_mode) && ftruncate(fd, 0) != 0) return refused(fd, errno);
    return fd;
}
const char *lab_out_why(int error) {
    if (error == ELOOP) return "it is a symbolic link: name the file itself";
    if (error == ESPIPE) return "it is a pipe or a socket: name a file, or use /dev/stdout";
    return strerror(error);
}
bool lab_out_open(struct lab_out *o, const char *path) {
    int fd = descriptor_of(path);
    return fd >= 0 ? lab_out_use(o, fd) : begin(o, lab_out_create(path));
}

/* Not to block is a property of what was opened, and others have it open too: so it is opened once
 * more, where that can be. */
static int again(int fd) {
    struct stat s;
    char path[32];
    if (fstat(fd, &s) != 0 || !(S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode))) return -1;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

bool lab_out_use(struct lab_out *o, int fd) {
    int how = fcntl(fd, F_GETFL);
    if (how >= 0 && (how & O_ACCMODE) == O_RDONLY) return begin(o, refused(-1, EBADF));
    int own = again(fd);
    if (own < 0) own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return begin(o, own);
}

/* Empties it; the memory is used again. */
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

/* ── text for a terminal ── */

/* The bytes of the character at `s`, if it is one in UTF-8 and no control character (C0, DEL, C1);
 * else 0. */
static size_t harmless(const unsigned char *s) {
    static const struct {
        /* of the first byte, and of the second */
        unsigned char first, last, least, most;
        size_t bytes;
    } forms[] = {
        {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last) continue;
        size_t n = forms[i].bytes, k = 1;
        if (n > 1 && (s[1] < forms[i].least || s[1] > forms[i].most)) return 0;
        while (k < n && (s[k] & 0xc0) == 0x80) k++;
        return k == n ? n : 0;
    }
    return 0;
}
void lab_out_text(FILE *f, const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    for (size_t n; *c; c += n ? n : 1) {
        n = harmless(c);
        if (n)
            (void)fwrite(c, 1, n, f);
        else
            (void)fprintf(f, "\\x%02x", *c);
    }
}
void lab_out_say(const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)fputs("zerolab: ", stderr);
    lab_out_text(stderr, text);
    (void)fputc('\n', stderr);
}
