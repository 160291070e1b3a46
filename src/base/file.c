/* Files read whole, and written whole or not at all. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_errno(struct base_message *m, const char *path, const char *doing, int error) {
    return base_fail_at(m, path, 0, "cannot %s: %s", doing, strerror(error));
}

static bool is_file(const struct stat *it, const char *path, struct base_message *m) {
    if (S_ISREG(it->st_mode)) return true;
    return base_fail_at(m, path, 0,
                        S_ISDIR(it->st_mode) ? "this is a folder: name a file in it"
                                             : "this is a pipe or a device: name a file");
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/

/* Files of /proc claim no size. */
bool base_fd_read(int fd, size_t most, struct base_text *out) {
    char piece[16384];
    for (;;) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        if (out->length + (size_t)n > most) {
            errno = EFBIG;
            return false;
        }
        base_text_add(out, piece, (size_t)n);
    }
}

/* A pipe may keep a reader waiting for ever and a device may never end, so only files are read. Not
 * blocking matters to the opening alone. */
static int open_file(const char *path, struct base_message *m) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat it;
    if (fd < 0 && errno == ENOENT)
        base_fail_at(m, path, 0, "file not found: check its name");
    else if (fd < 0 && errno == EACCES)
        base_fail_at(m, path, 0, "cannot open: Permission denied: ask its owner, or name another");
    else if (fd < 0 || fstat(fd, &it) != 0)
        fail_errno(m, path, "open", errno);
    else if (is_file(&it, path, m))
        return fd;
    if (fd >= 0) close(fd);
    return -1;
}

char *base_file_read(const char *path, size_t most, size_t *length, struct base_message *m) {
    int fd = open_file(path, m);
    if (fd < 0) return NULL;
    struct base_text text = {0};
    bool read = base_fd_read(fd, most, &text);
    int error = errno;
    close(fd);
    if (read) {
        if (length) *length = text.length;
        return base_text_take(&text);
    }
    base_text_free(&text);
    if (error == EFBIG)
        base_fail_at(m, path, 0, "the file is too large: at most %zu bytes are read", most);
    else
        fail_errno(m, path, "read", error);
    return NULL;
}

char *base_file_line(const char *path, size_t most, struct base_message *m) {
    int fd = open_file(path, m);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
    if (!f) {
        if (fd >= 0) close(fd);
        return NULL;
    }
    char *line = base_alloc(most + 1);
    bool read = fgets(line, (int)most + 1, f) && strchr(line, '\n');
    fclose(f);
    if (read) {
        *strchr(line, '\n') = '\0';
        return line;
    }
    free(line);
    base_fail_at(m, path, 1, "the first line has no end within %zu bytes", most);
    return NULL;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/

bool base_fd_write(int fd, const char *data, size_t n) {
    while (n) {
        ssize_t wrote = write(fd, data, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return false;
        data += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

/* In a folder like /tmp, where anybody may put a link, only one's own links and those of the
 * folder's owner are followed, as the kernel does it when it opens files. */
static bool may_follow(const char *path, const char *slash) {
    struct stat link, folder;
    char *in = slash ? base_format("%.*s/", (int)(slash - path), path) : base_dup(".");
    bool known = lstat(path, &link) == 0 && stat(in, &folder) == 0;
    free(in);
    bool shared = known && (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH);
    return known && (!shared || link.st_uid == geteuid() || link.st_uid == folder.st_uid);
}

/* Follows the last name of a path through symbolic links, as the system does, to the file that is
 * really meant, which need not exist. The caller's; NULL with errno set if the links never end, or
 * one is not to be followed. */
static char *resolve(const char *path) {
    enum { LINKS = 40 };
    char *at = base_dup(path), to[4096];
    for (int i = 0; i < LINKS; i++) {
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0) return at;
        to[n] = '\0';
        const char *slash = strrchr(at, '/');
        if (!may_follow(at, slash)) {
            free(at);
            errno = EACCES;
            return NULL;
        }
        bool relative = *to != '/' && slash;
        char *next = base_format("%.*s%s", relative ? (int)(slash + 1 - at) : 0, at, to);
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* Creates a file next to `path` that no other program has; its name in *name. The modes of a file
 * that stands there are kept. */
static int create_temporary(const char *path, char **name) {
    struct stat old;
    bool replaces = stat(path, &old) == 0;
    for (int i = 0; i < 100; i++) {
        *name = base_format("%s.%ld-%d.new", path, (long)getpid(), i);
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 && replaces) (void)fchmod(fd, old.st_mode & 0777);
        if (fd >= 0) return fd;
        free(*name);
        *name = NULL;
        if (errno != EEXIST) break;
    }
    return -1;
}

/* The rename itself must reach the disk. Some file systems cannot sync a folder: then there is
 * nothing better to do. */
static void sync_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? base_format("%.*s/", (int)(slash - path), path) : base_dup(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

FILE *base_file_begin(const char *path, struct base_message *m) {
    struct stat it;
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    bool opened = fd >= 0 && fstat(fd, &it) == 0;
    if (!opened && errno == ELOOP)
        base_fail_at(m, path, 0, "cannot write into a symbolic link: name the file itself");
    else if ((!opened && errno == ENXIO) ||
             (opened && !S_ISREG(it.st_mode) && !S_ISCHR(it.st_mode)))
        base_fail_at(m, path, 0, "cannot write into a pipe or a socket: name a file");
    else if (!opened || (S_ISREG(it.st_mode) && ftruncate(fd, 0) != 0))
        fail_errno(m, path, "write it", errno);
    else {
        (void)fcntl(fd, F_SETFL, 0); /* only the opening must not wait */
        return fdopen(fd, "w");
    }
    if (fd >= 0) close(fd);
    return NULL;
}

static bool fill_and_close(int fd, const char *data, size_t n) {
    bool written = base_fd_write(fd, data, n) && fsync(fd) == 0;
    int error = errno;
    bool closed = close(fd) == 0;
    if (!written) errno = error;
    return written && closed;
}

/* What is written, on its way: the file that is meant, and the one next to it that holds the new
 * content. */
struct writing {
    char *target, *temporary;
    /* may be NULL */
    struct base_message *why;
};

static void stop_writing(struct writing *w) {
    if (w->temporary) unlink(w->temporary);
    free(w->temporary);
    free(w->target);
}

/* Says which file could not be written; through a link, that is another one than was named. */
static bool fail_write(const char *path, const struct writing *w, int error) {
    if (!w->target || strcmp(path, w->target) == 0) return fail_errno(w->why, path, "write", error);
    return base_fail_at(w->why, path, 0, "cannot write: %s: this is a link to %s", strerror(error),
                        w->target);
}

/* The new content is on the disk next to the target, and nothing else has happened. What is no file
 * is not written: renaming would put one in its place. After false there is nothing to stop. */
static bool write_temporary(struct writing *w, const char *path, const char *data, size_t n) {
    struct stat there;
    w->target = resolve(path);
    bool other = w->target && stat(w->target, &there) == 0 && !is_file(&there, path, w->why);
    int fd = w->target && !other ? create_temporary(w->target, &w->temporary) : -1;
    if (fd >= 0 && fill_and_close(fd, data, n)) return true;
    if (!other) fail_write(path, w, errno);
    stop_writing(w);
    return false;
}

bool base_file_write(const char *path, const char *data, size_t n, struct base_message *m) {
    struct writing w = {.why = m};
    if (!write_temporary(&w, path, data, n)) return false;
    bool done = rename(w.temporary, w.target) == 0;
    if (done)
        sync_folder_of(w.target);
    else
        fail_write(path, &w, errno);
    stop_writing(&w);
    return done;
}

/* Gives the content next to its name, unless that name is taken: a second link does this at one
 * blow. Where there are no links, as on a memory stick, the kernel can rename without replacing. */
static enum base_wrote put_new(const struct writing *w) {
    bool done = link(w->temporary, w->target) == 0 ||
                (errno != EEXIST &&
                 renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->target, RENAME_NOREPLACE) == 0);
    return done ? BASE_WROTE : errno == EEXIST ? BASE_DIFFERS : BASE_UNWRITTEN;
}

enum base_wrote base_file_create(const char *path, const char *data, size_t n,
                                 struct base_message *m) {
    struct writing w = {.why = m};
    if (!write_temporary(&w, path, data, n)) return BASE_UNWRITTEN;
    enum base_wrote wrote = put_new(&w);
    if (wrote == BASE_WROTE) sync_folder_of(w.target);
    if (wrote == BASE_UNWRITTEN) fail_write(path, &w, errno);
    stop_writing(&w);
    return wrote;
}

/* The two files change places. */
static bool exchange(const struct writing *w) {
    return renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->target, RENAME_EXCHANGE) == 0;
}

/* Puts the new content in the file's place, and only then looks at what was there, so that nothing
 * can come between. If that was not the known content any more, it goes back. Where the file system
 * cannot do this, there is a last look before a rename. */
static enum base_wrote put_over(struct writing *w, bool (*known)(void *, const char *),
                                void *self) {
    if (!known(self, w->target)) return BASE_DIFFERS;
    if (!exchange(w)) {
        if (errno == ENOENT) return put_new(w);
        return rename(w->temporary, w->target) == 0 ? BASE_WROTE : BASE_UNWRITTEN;
    }
    if (known(self, w->temporary)) return BASE_WROTE;
    if (exchange(w)) return BASE_DIFFERS;
    free(w->temporary); /* what the other program wrote is not to be removed */
    w->temporary = NULL;
    return BASE_UNWRITTEN;
}

enum base_wrote base_file_replace(const char *path, const char *data, size_t n,
                                  bool (*known)(void *self, const char *path), void *self,
                                  struct base_message *m) {
    struct writing w = {.why = m};
    if (!write_temporary(&w, path, data, n)) return BASE_UNWRITTEN;
    enum base_wrote wrote = put_over(&w, known, self);
    if (wrote == BASE_WROTE) sync_folder_of(w.target);
    if (wrote == BASE_UNWRITTEN) fail_write(path, &w, errno);
    stop_writing(&w);
    return wrote;
}

/* ── folders ───────────────────────────────────────────────────────────────────────────────────*/

bool base_link_leads(const char *path, struct base_message *m) {
    struct stat it;
    char to[200];
    if (stat(path, &it) == 0 || (errno != ENOENT && errno != ELOOP)) return true;
    ssize_t n = readlink(path, to, sizeof to);
    if (n < 0) return true;
    char *name = base_clean_dup(to, (size_t)n, sizeof to);
    base_fail_at(
        m, path, 0,
        "this link leads to %s, which is not a folder: make that folder, or remove the link", name);
    free(name);
    return false;
}

static bool make_dir(const char *path, struct base_message *m) {
    if (mkdir(path, 0700) == 0 && chmod(path, 0700) == 0) return true; /* whatever the umask */
    int error = errno;
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    if (!base_link_leads(path, m)) return false;
    return base_fail_at(m, path, 0,
                        "cannot make this folder: %s: set ZEROTUTOR_HOME (or --store) to a place "
                        "that you may write to",
                        strerror(error == EEXIST ? ENOTDIR : error));
}

bool base_make_dirs(const char *path, struct base_message *m) {
    char *copy = base_dup(path);
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); made && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = make_dir(copy, m);
        *slash = '/';
    }
    made = made && make_dir(copy, m);
    free(copy);
    return made;
}
