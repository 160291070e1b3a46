/* Where the program's files are, and where the learner's are. Both are looked up each time: an
 * environment that a test or a settings screen changed counts at once. */
#include "base/base.h"

#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHECKOUT_LEVELS = 4
}; /* build/tests/<module>/test_x stands three folders below the checkout */

/* ── where the running program is ──────────────────────────────────────────────────────────────*/

/* Linux tells by a link in /proc. Elsewhere shells leave the path that they started in `_`, which
 * POSIX allows and most do. */
#ifdef __linux__
static bool from_system(char *out, size_t size) {
    ssize_t n = readlink("/proc/self/exe", out, size);
    if (n <= 0 || (size_t)n >= size) return false;
    out[n] = '\0';
    return true;
}
#else
static bool from_system(char *out, size_t size) {
    (void)out, (void)size;
    return false;
}
#endif

static bool from_shell(char *out, size_t size) {
    const char *started = getenv("_");
    char *path = started && strchr(started, '/') ? realpath(started, NULL) : NULL;
    bool fits = path && strlen(path) < size;
    if (fits) memcpy(out, path, strlen(path) + 1);
    free(path);
    return fits;
}

/* Its absolute path; false if the system does not tell. */
static bool executable_path(char *out, size_t size) {
    return from_system(out, size) || from_shell(out, size);
}

char *base_program(void) {
    char path[PATH_MAX];
    return executable_path(path, sizeof path) ? base_dup(path) : NULL;
}

/* ── its files, and the learner's ──────────────────────────────────────────────────────────────*/

/* What was answered last. It is replaced only when the answer changes. */
static char *share_found, *home_found;

/* Takes `folder` over and gives the string that stays. */
static const char *keep(char **place, char *folder) {
    char *other = folder;
    if (!*place || strcmp(*place, folder) != 0) {
        other = *place;
        *place = folder;
    }
    free(other);
    return *place;
}

static const char *set(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static bool has_course(const char *folder) {
    char *path = base_format("%s/lessons/course.json", folder);
    bool readable = access(path, R_OK) == 0;
    free(path);
    return readable;
}

/* Cuts the last part of a path; false at the root. */
static bool up(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

/* `folder`/`below` if it has a course. */
static char *share_at(const char *folder, const char *below) {
    char *candidate = base_format("%s%s", folder, below);
    if (has_course(candidate)) return candidate;
    free(candidate);
    return NULL;
}

/* What stands above the executable, installed (../share/zerotutor) or built (the checkout). */
static char *find_by_executable(void) {
    char folder[PATH_MAX];
    if (!executable_path(folder, sizeof folder) || !up(folder) || !up(folder)) return NULL;
    char *found = share_at(folder, "/share/zerotutor");
    for (int level = 0; !found && level < CHECKOUT_LEVELS; level++) {
        found = share_at(folder, "");
        if (!up(folder)) break;
    }
    return found;
}

const char *base_share(void) {
    const char *told = set("ZEROTUTOR_SHARE");
    char *found = told ? share_at(told, "") : find_by_executable();
    return found ? keep(&share_found, found) : NULL;
}

char *base_share_path(const char *relative) {
    const char *share = base_share();
    return base_format("%s/%s", share ? share : ".", relative);
}

const char *base_share_below(const char *path) {
    const char *share = base_share();
    size_t n = share ? strlen(share) : 0;
    return n > 0 && strncmp(path, share, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static const char *user_folder(void) {
    const char *home = getenv("HOME");
    if (home) return home;
    const struct passwd *user = getpwuid(getuid());
    return user && user->pw_dir ? user->pw_dir : "";
}

/* The XDG base directory specification: a relative one is to be ignored. */
static const char *data_folder(void) {
    const char *data = set("XDG_DATA_HOME");
    return data && data[0] == '/' ? data : NULL;
}

bool base_home_check(struct base_message *m) {
    const char *home = user_folder();
    if (set("ZEROTUTOR_HOME") || data_folder() || home[0] == '/') return true;
    return base_fail(m,
                     "HOME is '%s', which does not begin with /: set HOME or ZEROTUTOR_HOME to a "
                     "folder of yours",
                     home);
}

const char *base_home(void) {
    const char *told = set("ZEROTUTOR_HOME");
    const char *data = data_folder();
    char *folder = told   ? base_dup(told)
                   : data ? base_format("%s/zerotutor", data)
                          : base_format("%s/.local/share/zerotutor", user_folder());
    return keep(&home_found, folder);
}
