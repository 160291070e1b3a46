#include "script/request.h"
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
    int fd; /* -1: no inotify; the file's own times are asked then */
    uint64_t content;
    struct stat seen;
};

/* The folder is watched, not the file: editors rename a new file over it, or delete and create it. */
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

static void drain(int fd) {
    char events[4096];
    while (fd >= 0 && read(fd, events, sizeof events) > 0) {
    }
}

/* Hash of the content; 0 while the file is not there or empty, which in the middle of a save it may be. */
static uint64_t content_of(const char *path) {
    size_t n;
    char *text = base_file_read(path, REQUEST_LESSON, &n, NULL);
    if (!text) return 0;
    uint64_t hash = n > 0 ? base_hash(0, text) : 0;
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
    drain(w->fd);
    if (stat(w->path, &now) != 0) return false;
    if (w->fd < 0 && same_file(&now, &w->seen)) return false;
    w->seen = now;
    uint64_t content = content_of(w->path);
    if (content == 0 || content == w->content) return false;
    w->content = content;
    return true;
}
