/* file.c: what lies where a record should be. It is looked at before SQLite opens it, because
 * opening a pipe may wait for ever, and a record is made here, because SQLite would let everybody
 * read it. */
#include "store/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What SQLite reads and writes next to a record. */
static const char *const companions[] = {"-wal", "-shm", "-journal"};

char *store_file_real(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : base_dup(path);
}

char *store_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? base_format("%.*s", slash == path ? 1 : (int)(slash - path), path)
                 : base_dup(".");
}

static const char *kind_of(const struct stat *it) {
    return S_ISREG(it->st_mode)    ? NULL
           : S_ISDIR(it->st_mode)  ? "folder"
           : S_ISFIFO(it->st_mode) ? "pipe"
           : S_ISSOCK(it->st_mode) ? "socket"
                                   : "device";
}

/* ── what cannot be a record ───────────────────────────────────────────────────────────────────*/
static bool refuse_link(const char *path, struct base_message *m) {
    char to[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to);
    char *name = base_clean_dup(to, n > 0 ? (size_t)n : 0, 200);
    base_fail_at(m, path, 0,
                 "this link leads to %s, which is not there: put the record back there, or remove "
                 "the link",
                 name);
    free(name);
    return false;
}

/* stat() failed with this error. That nothing is there is fine: a record can be made. */
static bool explain(const char *path, int error, struct base_message *m) {
    struct stat link;
    if (error == ENOENT && lstat(path, &link) != 0) return true;
    if (error == ENOENT) /* what is no link was made since stat() looked, by another terminal */
        return S_ISLNK(link.st_mode) ? refuse_link(path, m) : store_file_fits(path, m);
    if (error == ELOOP)
        return base_fail_at(m, path, 0,
                            "this link leads back to itself: remove it, and zerotutor makes a "
                            "record in its place");
    return base_fail_at(m, path, 0,
                        "cannot look at the learner's record: %s: set ZEROTUTOR_HOME (or --store) "
                        "to a place that you may use",
                        strerror(error));
}

static const char *kind_at(const char *name) {
    struct stat it;
    if (lstat(name, &it) != 0) return NULL;
    return S_ISLNK(it.st_mode) ? "link" : kind_of(&it);
}

static bool has_fit_companions(const char *path, struct base_message *m) {
    char *real = store_file_real(path);
    bool fit = true;
    for (size_t i = 0; fit && i < BASE_COUNT(companions); i++) {
        char *name = base_format("%s%s", real, companions[i]);
        const char *kind = kind_at(name);
        fit = !kind || base_fail_at(m, path, 0, "%s is a %s: remove it, and try again", name, kind);
        free(name);
    }
    free(real);
    return fit;
}

bool store_file_fits(const char *path, struct base_message *m) {
    struct stat it;
    if (stat(path, &it) != 0) return explain(path, errno, m);
    const char *kind = kind_of(&it);
    if (kind)
        return base_fail_at(m, path, 0,
                            "this is a %s, not a learner's record: name a file, or set "
                            "ZEROTUTOR_HOME to another folder",
                            kind);
    if (access(path, R_OK) != 0)
        return base_fail_at(m, path, 0,
                            "you may not read this file (its mode is %03o): chmod u+rw it, or set "
                            "ZEROTUTOR_HOME to a folder of your own",
                            (unsigned)it.st_mode & 0777);
    return has_fit_companions(path, m);
}

/* ── making one ────────────────────────────────────────────────────────────────────────────────*/
/* A file that is there already is never opened here: closing it would drop the locks that SQLite
 * holds on it in this process. */
bool store_file_make(const char *path, struct base_message *m) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, RECORD_MODE);
    if (fd < 0 && errno == EEXIST) return true;
    bool made = fd >= 0 && fchmod(fd, RECORD_MODE) == 0; /* the umask may have taken from it */
    int error = errno;
    if (fd >= 0) close(fd);
    if (made) return true;
    return base_fail_at(m, path, 0,
                        "cannot make the learner's record: %s: set ZEROTUTOR_HOME (or --store) to "
                        "a place that you may write to",
                        strerror(error));
}

/* ── who else may use it ───────────────────────────────────────────────────────────────────────*/
/* Adds the name of a file that is open to others. Returns its mode, 0 if it is closed or not
 * there. */
static unsigned add_open_file(struct base_text *names, const char *path, const char *suffix) {
    char *name = base_format("%s%s", path, suffix);
    struct stat it;
    bool open = stat(name, &it) == 0 && (it.st_mode & 077) != 0;
    if (open) base_text_printf(names, " %s", name);
    free(name);
    return open ? (unsigned)it.st_mode & 0777 : 0;
}

static void add_open_files(struct base_text *t, const char *path) {
    struct base_text names = {0};
    unsigned mode = add_open_file(&names, path, "");
    for (size_t i = 0; i < BASE_COUNT(companions); i++)
        mode |= add_open_file(&names, path, companions[i]);
    if (mode)
        base_text_printf(t, "other users may %s it, because its mode is %03o: run `chmod 600%s`",
                         mode & 022 ? "change" : "read", mode, names.s);
    base_text_free(&names);
}

/* Where others may rename files they can put another record in this one's place, unless the folder
 * keeps that to owners (sticky). */
static void add_open_folder(struct base_text *t, const char *path) {
    char *folder = store_folder_of(path);
    struct stat it;
    if (stat(folder, &it) == 0 && (it.st_mode & 022) != 0 && !(it.st_mode & S_ISVTX))
        base_text_printf(
            t,
            "%sother users may replace it, because its folder's mode is %03o: run `chmod go-w %s`",
            t->length ? "; " : "", (unsigned)it.st_mode & 0777, folder);
    free(folder);
}

char *store_exposed(const char *path) {
    struct base_text t = {0};
    char *real = store_file_real(path);
    add_open_files(&t, real);
    add_open_folder(&t, real);
    free(real);
    return t.length ? base_text_take(&t) : NULL;
}
