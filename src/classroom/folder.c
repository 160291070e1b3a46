/* folder: a class's folder, its files written whole, and those of others read with care. */
#include "classroom/classroom.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* of a name that may be anything, on one line */
enum { NAME_SHOWN = 65 };

struct classroom_folder {
    char *path;
    int top;
    uid_t teacher;
};

static const struct {
    const char *name;
    mode_t mode;
} places[CLASSROOM_PLACES] = {
    [CLASSROOM_TOP] = {"", 0755},         [CLASSROOM_HANDINS] = {"handins", 01733},
    [CLASSROOM_QUEUE] = {"queue", 01777}, [CLASSROOM_FEEDBACK] = {"feedback", 0711},
    [CLASSROOM_KEPT] = {"kept", 0700},
};

const char *classroom_place_name(enum classroom_place p) {
    return places[p].name;
}
mode_t classroom_place_mode(enum classroom_place p) {
    return places[p].mode;
}

/* ── the folder ────────────────────────────────────────────────────────────────────────────────*/
static char *absolute(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : base_dup(path);
}

struct classroom_folder *classroom_open(const char *path, struct base_message *m) {
    int top = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat folder;
    if (top < 0 || fstat(top, &folder) != 0) {
        base_fail_at(m, path, 0, "cannot open the class's folder: %s", strerror(errno));
        if (top >= 0) close(top);
        return NULL;
    }
    struct classroom_folder *f = base_alloc(sizeof *f);
    *f = (struct classroom_folder){absolute(path), top, folder.st_uid};
    if (faccessat(top, CLASSROOM_SETTINGS, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return f;
    if (faccessat(top, "kept/" CLASSROOM_SETTINGS, F_OK, 0) == 0)
        base_fail_at(m, path, 0,
                     "its " CLASSROOM_SETTINGS
                     " is gone: `install -m 0644 '%s/kept/" CLASSROOM_SETTINGS
                     "' '%s/'` brings back what you set last",
                     f->path, f->path);
    else
        base_fail_at(m, path, 0,
                     "this folder is not a class's: it has no " CLASSROOM_SETTINGS
                     ". `zerotutor class new FOLDER` makes one");
    classroom_close(f);
    return NULL;
}

void classroom_close(struct classroom_folder *f) {
    if (!f) return;
    close(f->top);
    free(f->path);
    free(f);
}

const char *classroom_path(const struct classroom_folder *f) {
    return f->path;
}
uid_t classroom_teacher(const struct classroom_folder *f) {
    return f->teacher;
}
bool classroom_is_teacher(const struct classroom_folder *f) {
    return geteuid() == f->teacher;
}

static bool is_place(const char *name) {
    bool is = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    for (size_t p = CLASSROOM_TOP + 1; p < CLASSROOM_PLACES; p++)
        is = is || strcmp(name, places[p].name) == 0;
    return is;
}

/* Whether there is nothing but places, which a program that was killed may have made. */
static bool is_free(int top) {
    int fd = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    bool free = d != NULL;
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        free = free && is_place(e->d_name);
    if (d) closedir(d);
    return free;
}

static bool make_places(int top) {
    for (size_t p = CLASSROOM_TOP + 1; p < CLASSROOM_PLACES; p++)
        if ((mkdirat(top, places[p].name, 0700) != 0 && errno != EEXIST) ||
            fchmodat(top, places[p].name, places[p].mode, 0) != 0)
            return false;
    return fchmod(top, places[CLASSROOM_TOP].mode) == 0;
}

struct classroom_folder *classroom_make(const char *path, struct base_message *m) {
    bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
    int top = made ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool free = top >= 0 && is_free(top);
    if (free && make_places(top)) {
        struct classroom_folder *f = base_alloc(sizeof *f);
        *f = (struct classroom_folder){absolute(path), top, geteuid()};
        return f;
    }
    if (top >= 0 && !free)
        base_fail_at(m, path, 0, "this folder is not empty: name one that does not exist yet");
    else if (errno == EACCES)
        base_fail_at(m, path, 0,
                     "you may not make this folder: make it somewhere else, or ask whoever runs "
                     "the machine to make it and to make you its owner with `chown`");
    else
        base_fail_at(m, path, 0, "cannot make the class's folder: %s", strerror(errno));
    if (top >= 0) close(top);
    return NULL;
}

bool classroom_complete(const struct classroom_folder *f, struct base_message *m) {
    return make_places(f->top) ||
           base_fail_at(m, f->path, 0, "cannot make its folders: %s", strerror(errno));
}

char *classroom_account(uid_t who) {
    const struct passwd *account = getpwuid(who);
    if (account && account->pw_name)
        return base_clean_dup(account->pw_name, strlen(account->pw_name), 64);
    return base_format("uid %lu", (unsigned long)who);
}

char *classroom_account_typed(const char *word) {
    const char *digits = word + (strncmp(word, "uid ", 4) == 0 ? 4 : 0);
    size_t n = strlen(digits);
    bool number = n > 0 && n < 11 && strspn(digits, "0123456789") == n;
    return number ? classroom_account((uid_t)strtoul(digits, NULL, 10)) : base_dup(word);
}

bool classroom_find_account(const char *account, uid_t *who) {
    const struct passwd *known = getpwnam(account);
    char *end = "";
    bool number = strncmp(account, "uid ", 4) == 0;
    unsigned long n = number ? strtoul(account + 4, &end, 10) : 0;
    *who = known ? known->pw_uid : (uid_t)n;
    return known || (number && *end == '\0');
}

bool classroom_is_account(const char *name) {
    return getpwnam(name) != NULL;
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/
bool classroom_is_name(const char *name) {
    static const char fine[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    size_t n = strlen(name);
    return n > 0 && n <= 64 && *name != '.' && strspn(name, fine) == n;
}

void classroom_random_name(char out[CLASSROOM_NAME]) {
    unsigned char byte[(CLASSROOM_NAME - 1) / 2];
    for (size_t n = 0; n < sizeof byte;) {
        ssize_t got = getrandom(byte + n, sizeof byte - n, 0);
        if (got > 0) n += (size_t)got;
    }
    for (size_t i = 0; i < sizeof byte; i++) snprintf(out + 2 * i, 3, "%02x", byte[i]);
}

enum classroom_file_kind classroom_file_kind(const char *name, bool fit,
                                             char digits[CLASSROOM_NAME]) {
    static const char *const endings[] = {[CLASSROOM_HANDIN] = CLASSROOM_HANDIN_END,
                                          [CLASSROOM_NOW] = CLASSROOM_NOW_END,
                                          [CLASSROOM_REPORTS] = CLASSROOM_REPORTS_END};
    enum { HEX = CLASSROOM_NAME - 1 };
    *digits = '\0';
    if (!fit || strspn(name, "0123456789abcdef") != HEX) return CLASSROOM_STRANGE;
    memcpy(digits, name, HEX);
    digits[HEX] = '\0';
    enum classroom_file_kind k = BASE_COUNT(endings) - 1;
    while (k > CLASSROOM_STRANGE && strcmp(name + HEX, endings[k]) != 0) k--;
    return k;
}

/* Relative to the top: no more than search permission on the place is needed. */
static char *path_in(enum classroom_place p, const char *name) {
    return p == CLASSROOM_TOP ? base_dup(name) : base_format("%s/%s", places[p].name, name);
}

/* With the file's path before what is wrong with it. Leaves errno. */
static bool blame(const struct classroom_folder *f, enum classroom_place p, const char *name,
                  struct base_message *m, const char *what) {
    int error = errno;
    char safe[NAME_SHOWN];
    base_line_copy(safe, sizeof safe, name);
    char *path =
        base_format("%s/%s%s%s", f->path, places[p].name, *places[p].name ? "/" : "", safe);
    base_fail_at(m, path, 0, "%s", what);
    free(path);
    errno = error;
    return false;
}

/* What could not be done, and errno's reason. */
static bool fail(const struct classroom_folder *f, enum classroom_place p, const char *name,
                 struct base_message *m, const char *doing) {
    int error = errno;
    char *what = base_format("%s: %s", doing, strerror(error));
    errno = error;
    blame(f, p, name, m, what);
    free(what);
    errno = error;
    return false;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static const char is_folder[] = "this is a folder, and should be a file",
                  is_special[] = "this is a pipe, a socket or a device, and should be a file";

/* What a file of another account may not be, in the order in which it is noticed. */
static const char *fault_of(const struct stat *it, uid_t owner) {
    if (S_ISDIR(it->st_mode)) return is_folder;
    if (!S_ISREG(it->st_mode)) return is_special;
    if (it->st_nlink > 1) return "this file has a second name (a hard link), so it is not read";
    if (owner != CLASSROOM_ANYBODY && it->st_uid != owner)
        return "this file belongs to the wrong account, so it is not read";
    return NULL;
}

/* The same of what cannot even be opened; NULL if the system's reason says more. */
static const char *fault_of_opening(int error) {
    return error == ELOOP    ? "this is a link, and is not followed"
           : error == EISDIR ? is_folder
           : error == ENXIO  ? is_special
                             : NULL;
}

int classroom_open_file(const struct classroom_folder *f, enum classroom_place p, const char *name,
                        uid_t owner, int flags, struct base_message *m) {
    char *path = path_in(p, name);
    struct stat it;
    int fd = openat(f->top, path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    free(path);
    if (fd < 0) {
        const char *what = fault_of_opening(errno);
        if (what)
            blame(f, p, name, m, what);
        else
            fail(f, p, name, m, "cannot open");
        return -1;
    }
    const char *fault =
        fstat(fd, &it) != 0 ? "the system tells nothing of this file" : fault_of(&it, owner);
    if (!fault) return fd;
    close(fd);
    errno = EPERM;
    blame(f, p, name, m, fault);
    return -1;
}

bool classroom_read(const struct classroom_folder *f, enum classroom_place p, const char *name,
                    uid_t owner, size_t most, struct classroom_file *out, struct base_message *m) {
    struct base_text text = {0};
    struct stat it;
    *out = (struct classroom_file){0};
    int fd = classroom_open_file(f, p, name, owner, O_RDONLY, m);
    if (fd < 0) return false;
    bool known = fstat(fd, &it) == 0;
    if (known && it.st_size > (off_t)most) errno = EFBIG;
    bool read = known && it.st_size <= (off_t)most && base_fd_read(fd, most, &text);
    int error = errno;
    close(fd);
    errno = error;
    if (!read) {
        base_text_free(&text);
        return fail(f, p, name, m, "cannot read");
    }
    out->length = text.length;
    out->text = base_text_take(&text);
    out->owner = it.st_uid;
    out->changed = it.st_mtime;
    return true;
}

int classroom_create_file(const struct classroom_folder *f, enum classroom_place p,
                          const char *name, mode_t mode, struct base_message *m) {
    char *path = path_in(p, name);
    int fd = openat(f->top, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    free(path);
    if (fd >= 0 && fchmod(fd, mode) == 0) return fd; /* whatever the umask */
    int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    fail(f, p, name, m, "cannot make the file");
    return -1;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/
static bool write_whole(int fd, const char *text, size_t n) {
    return base_fd_write(fd, text, n) && fsync(fd) == 0;
}

int classroom_make_file(const struct classroom_folder *f, enum classroom_place p, const char *name,
                        mode_t mode, bool (*fill)(void *with, int fd), void *with,
                        struct base_message *m) {
    char random[CLASSROOM_NAME];
    classroom_random_name(random);
    char *hidden = base_format(".%s", random), *new = path_in(p, hidden), *path = path_in(p, name);
    int fd = openat(f->top, new, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool made = fd >= 0 && fill(with, fd) && fchmod(fd, mode) == 0 &&
                renameat(f->top, new, f->top, path) == 0;
    int error = errno;
    if (fd >= 0 && !made) {
        unlinkat(f->top, new, 0);
        close(fd);
    }
    free(hidden);
    free(new);
    free(path);
    errno = error;
    if (made) return fd;
    fail(f, p, name, m, "cannot write");
    return -1;
}

struct text {
    const char *s;
    size_t n;
};

static bool fill_text(void *with, int fd) {
    const struct text *text = with;
    return write_whole(fd, text->s, text->n);
}

bool classroom_write(const struct classroom_folder *f, enum classroom_place p, const char *name,
                     mode_t mode, const char *text, size_t n, struct base_message *m) {
    int fd = classroom_make_file(f, p, name, mode, fill_text, &(struct text){text, n}, m);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool classroom_append(const struct classroom_folder *f, enum classroom_place p, const char *name,
                      size_t length, const char *text, size_t n, struct base_message *m) {
    int fd = classroom_open_file(f, p, name, geteuid(), O_WRONLY | O_APPEND, m);
    struct stat it;
    if (fd < 0) return false;
    bool same = fstat(fd, &it) == 0 && it.st_size == (off_t)length;
    if (!same) errno = ESTALE;
    bool wrote = same && write_whole(fd, text, n);
    int error = errno;
    close(fd);
    errno = error;
    return wrote || fail(f, p, name, m, "cannot add to it");
}

bool classroom_is_gone(const struct classroom_folder *f, enum classroom_place p, const char *name) {
    struct stat it;
    char *path = path_in(p, name);
    bool gone = fstatat(f->top, path, &it, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
    free(path);
    return gone;
}

bool classroom_remove(const struct classroom_folder *f, enum classroom_place p, const char *name) {
    char *path = path_in(p, name);
    bool removed = unlinkat(f->top, path, 0) == 0;
    free(path);
    return removed;
}

/* ── listing, and time ─────────────────────────────────────────────────────────────────────────*/
/* how many files of each account were listed */
struct crowd {
    struct share {
        uid_t owner;
        size_t files;
    } * share;
    size_t accounts;
};

static size_t *files_of(struct crowd *c, uid_t owner) {
    for (size_t i = 0; i < c->accounts; i++)
        if (c->share[i].owner == owner) return &c->share[i].files;
    c->share = base_grow(c->share, c->accounts + 1, sizeof *c->share);
    c->share[c->accounts] = (struct share){owner, 0};
    return &c->share[c->accounts++].files;
}

static void list(DIR *d, size_t most, void (*each)(void *to, const char *name, bool fit), void *to,
                 uid_t *crowd) {
    struct crowd c = {0};
    struct stat it;
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (*e->d_name == '.' || fstatat(dirfd(d), e->d_name, &it, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (++*files_of(&c, it.st_uid) > most) {
            if (crowd) *crowd = it.st_uid;
            continue;
        }
        char safe[NAME_SHOWN];
        base_line_copy(safe, sizeof safe, e->d_name);
        each(to, safe, classroom_is_name(e->d_name));
    }
    free(c.share);
}

/* What others handed in only the teacher can list, and who assists. */
static bool fail_to_list(const struct classroom_folder *f, enum classroom_place p,
                         struct base_message *m) {
    if (errno != EACCES || classroom_is_teacher(f)) return fail(f, p, "", m, "cannot list");
    char *teacher = classroom_account(classroom_teacher(f));
    base_fail_at(m, f->path, 0, "only its teacher, %s, may do that", teacher);
    free(teacher);
    errno = EACCES;
    return false;
}

bool classroom_each(const struct classroom_folder *f, enum classroom_place p, size_t most,
                    void (*each)(void *to, const char *name, bool fit), void *to, uid_t *crowd,
                    struct base_message *m) {
    const char *place = p == CLASSROOM_TOP ? "." : places[p].name;
    int fd = openat(f->top, place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (crowd) *crowd = CLASSROOM_ANYBODY;
    if (!d) {
        if (fd >= 0) close(fd);
        return fail_to_list(f, p, m);
    }
    list(d, most, each, to, crowd);
    closedir(d);
    return true;
}

int64_t classroom_stamp(int fd) {
    struct stat it;
    return futimens(fd, NULL) == 0 && fstat(fd, &it) == 0 ? it.st_mtime : 0;
}
