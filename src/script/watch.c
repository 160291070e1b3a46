#include "script/wire.h"
#include "script/script.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

struct script_watch {
    char *path;
    /* -1: no inotify; the file's own times are asked then */
    int fd;
    uint64_t content;
    struct stat seen;
};

/* The folder is watched, not the file: editors rename a new file over it, or delete and create
 * it. */
static int watch_folder(const char *path) {
#ifdef __linux__
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) return -1;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? base_format("%.*s", (int)(slash - path) + 1, path) : base_dup(".");
    int watch = inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY);
    free(folder);
    if (watch >= 0) return fd;
    close(fd);
#else
    (void)path;
#endif
    return -1;
}

/* Whether something was saved whole, and not only begun: truncated, say. Without inotify that is
 * not to be known, so it is taken as whole. */
static bool drain(int fd) {
#ifdef __linux__
    _Alignas(struct inotify_event) char events[4096];
    bool whole = fd < 0;
    ssize_t n;
    while (fd >= 0 && (n = read(fd, events, sizeof events)) > 0)
        for (const char *at = events; at < events + n;) {
            const struct inotify_event *e = (const void *)at;
            whole = whole || (e->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
            at += sizeof *e + e->len;
        }
    return whole;
#else
    (void)fd;
    return true;
#endif
}

/* Hash of the content, and of why there is none: an empty file and one that is too large are edits
 * that will be told as broken. */
static uint64_t content_of(const char *path) {
    size_t n;
    struct base_message m = {0};
    char *text = base_file_read(path, REQUEST_LESSON, &n, &m);
    uint64_t hash = base_hash(text != NULL, text ? text : m.what);
    free(text);
    return hash;
}

struct script_watch *script_watch_open(const char *path) {
    struct script_watch *w = base_alloc(sizeof *w);
    w->path = base_dup(path);
    w->fd = watch_folder(path);
    if (stat(path, &w->seen) != 0) memset(&w->seen, 0, sizeof w->seen);
    w->content = content_of(path);
    return w;
}

void script_watch_close(struct script_watch *w) {
    if (!w) return;
    if (w->fd >= 0) close(w->fd);
    free(w->path);
    free(w);
}

int script_watch_fd(const struct script_watch *w) {
    return w->fd;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool script_watch_changed(struct script_watch *w) {
    struct stat now;
    bool whole = drain(w->fd);
    if (stat(w->path, &now) != 0) return false;
    if (w->fd < 0 && same_file(&now, &w->seen)) return false;
    if (now.st_size == 0 && !whole) return false;
    w->seen = now;
    uint64_t content = content_of(w->path);
    if (content == w->content) return false;
    w->content = content;
    return true;
}
