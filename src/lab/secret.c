#include "lab/secret.h"

#include "lab/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSTEAD "set " LAB_ENV_SECRET " to the same 16 characters or more on all ranks"

bool lab_secret_new(char out[LAB_SECRET_SIZE], struct lab_message *m) {
    unsigned char byte[HASH_SHA256_BYTES];
    if (!lab_random(byte, sizeof byte)) {
        (void)snprintf(m->text, sizeof m->text, "cannot get random bytes for a secret: %s",
                       strerror(errno));
        return false;
    }
    for (size_t i = 0; i < sizeof byte; i++) (void)snprintf(out + 2 * i, 3, "%02x", byte[i]);
    return true;
}

/* ── the file ── */

static bool fail(struct lab_message *m, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct lab_message *m, const char *path, const char *format, ...) {
    char why[120];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    (void)snprintf(m->text, sizeof m->text, "the ranks' secret, %.80s, %s, or " INSTEAD, path, why);
    return false;
}
static bool is_private(const struct stat *s) {
    return s->st_uid == geteuid() && (s->st_mode & 077) == 0;
}
/* Finds the folder, and makes it if it is missing. */
static bool find_folder(char *path, size_t capacity, struct lab_message *m) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool own = state && *state == '/';
    int n = own ? snprintf(path, capacity, "%s/zerolab", state)
                : snprintf(path, capacity, "%s/.local/state/zerolab", home ? home : "");
    if ((!own && (!home || *home != '/')) || n >= (int)capacity - 80) {
        (void)snprintf(m->text, sizeof m->text,
                       "cannot find a home folder (HOME) for the ranks' secret: " INSTEAD);
        return false;
    }
    for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        (void)mkdir(path, 0700);
    }
    (void)mkdir(path, 0700);
    return true;
}
static int open_folder(const char *path, struct lab_message *m) {
    struct stat s;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        (void)fail(m, path, "cannot be kept there (%s): make that folder", strerror(errno));
        return -1;
    }
    if (fstat(fd, &s) == 0 && is_private(&s)) return fd;
    (void)fail(
        m, path,
        "is in a folder that others can open: make yourself its owner and set its mode to 700");
    (void)close(fd);
    return -1;
}
static bool write_whole(int folder, const char *name, const char *text) {
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t n = strlen(text);
    bool well = fd >= 0 && write(fd, text, n) == (ssize_t)n && fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0) well = false;
    return well;
}
/* Writes another file and links it to this name, so that no reader ever sees a part of it. If
 * several processes make it at the same time, the first one wins. */
static bool make_file(int folder, const char *path, struct lab_message *m) {
    char text[LAB_SECRET_SIZE], name[16 + LAB_SECRET_SIZE];
    if (!lab_secret_new(text, m)) return false;
    (void)snprintf(name, sizeof name, "new.%.32s", text);
    if (!lab_secret_new(text, m)) return false;
    bool well = write_whole(folder, name, text) &&
                (linkat(folder, name, folder, "secret", 0) == 0 || errno == EEXIST);
    int error = errno;
    (void)unlinkat(folder, name, 0);
    return well || fail(m, path, "cannot be kept there (%s): make room for it", strerror(error));
}
/* Returns how many bytes the file holds, or 0 with a message. */
static size_t read_file(int fd, const char *path, char *out, struct lab_message *m) {
    struct stat s;
    ssize_t n = 0;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || !is_private(&s))
        (void)fail(m, path,
                   "must be a file that only you can read: make yourself its owner and set its "
                   "mode to 600");
    else if ((n = read(fd, out, LAB_SECRET_MOST)) < LAB_SECRET_LEAST)
        (void)fail(m, path, "holds fewer than %d bytes: remove that file", LAB_SECRET_LEAST);
    return n < LAB_SECRET_LEAST ? 0 : (size_t)n;
}
static size_t read_kept(char *out, struct lab_message *m) {
    enum { HOW = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
    char path[PATH_MAX], file[PATH_MAX + 8];
    size_t n = 0;
    int folder = find_folder(path, sizeof path, m) ? open_folder(path, m) : -1;
    if (folder < 0) return 0;
    (void)snprintf(file, sizeof file, "%s/secret", path);
    int fd = openat(folder, "secret", HOW);
    if (fd < 0 && errno == ENOENT && make_file(folder, file, m)) fd = openat(folder, "secret", HOW);
    if (fd >= 0)
        n = read_file(fd, file, out, m);
    else if (!m->text[0])
        (void)fail(m, file, "cannot be read (%s): remove it", strerror(errno));
    if (fd >= 0) (void)close(fd);
    (void)close(folder);
    return n;
}

/* ── the key ── */

static size_t length_of(const char *given, struct lab_message *m) {
    size_t n = strlen(given);
    if (n >= LAB_SECRET_LEAST && n <= LAB_SECRET_MOST) return n;
    (void)snprintf(m->text, sizeof m->text,
                   LAB_ENV_SECRET " has %zu characters: use %d to %d, as from `openssl rand -hex "
                                  "32`, the same on all ranks",
                   n, LAB_SECRET_LEAST, LAB_SECRET_MOST);
    return 0;
}
bool lab_secret_key(uint64_t job, struct lab_key *key, struct lab_message *m) {
    char kept[LAB_SECRET_MOST];
    unsigned char name[8];
    const char *given = getenv(LAB_ENV_SECRET);
    bool is_given = given && *given;
    size_t n = is_given ? length_of(given, m) : read_kept(kept, m);
    for (int i = 0; i < 8; i++) name[i] = (unsigned char)(job >> 8 * i);
    const struct hash_piece piece[] = {{"zerolab run", 12}, {name, sizeof name}};
    if (n) hash_hmac(is_given ? given : kept, n, piece, 2, key->byte);
    return n > 0;
}
