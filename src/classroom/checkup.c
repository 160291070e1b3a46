/* checkup: modes and owners of a class's folder, by a row for each thing that is there; who else
 * may list hand-ins; and the checks' own file, which shows clocks, locks and room. */
#include "classroom/classroom.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITTEN_MOST = 64 << 20 };

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
void classroom_found(struct classroom_checkup *c, enum classroom_weight weight, char *text,
                     char *fix) {
    c->finding = base_grow(c->finding, c->findings + 1, sizeof *c->finding);
    c->finding[c->findings++] = (struct classroom_finding){weight, c->check, text, fix};
}

void classroom_checkup_free(struct classroom_checkup *c) {
    for (size_t i = 0; i < c->findings; i++) {
        free(c->finding[i].text);
        free(c->finding[i].fix);
    }
    free(c->finding);
    c->finding = NULL;
    c->findings = 0;
}

char *classroom_quoted(const char *word) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@+=,";
    struct base_text t = {0};
    if (*word && strspn(word, plain) == strlen(word)) return base_dup(word);
    base_text_puts(&t, "'");
    for (const char *s = word; *s; s++) base_text_printf(&t, *s == '\'' ? "'\\''" : "%c", *s);
    base_text_puts(&t, "'");
    return base_text_take(&t);
}

/* The path of a thing in the folder, as a shell reads it; the caller's. */
static char *shell_path(const struct classroom_checkup *c, const char *name) {
    char *path = base_format("%s%s%s", classroom_path(c->folder), *name ? "/" : "", name),
         *quoted = classroom_quoted(path);
    free(path);
    return quoted;
}

/* ── places: a row for each ────────────────────────────────────────────────────────────────────*/
static const struct row {
    const char *name;
    mode_t kind, mode;
    /* the class can go on without it */
    bool optional;
    /* what follows if others have rights beyond the mode, and if they lack some */
    const char *beyond, *lacking;
} rows[] = {
    {"", S_IFDIR, 0755, false, "another account could put its own settings here",
     "learners cannot enter the class"},
    {CLASSROOM_SETTINGS, S_IFREG, 0644, false, "another account could change the settings",
     "learners cannot read the settings"},
    {CLASSROOM_ROSTER, S_IFREG, 0600, true, "other accounts can see or change the roster", ""},
    {CLASSROOM_EXTENDED, S_IFREG, 0600, true, "other accounts can see who has more time", ""},
    {CLASSROOM_MEMBERS, S_IFREG, 0644, true,
     "another account could change who belongs to the class",
     "`class join` cannot say whether an account is on the roster"},
    {"board.json", S_IFREG, 0644, true, "another account could speak to the room in your name",
     "learners cannot read what you say to the room"},
    {CLASSROOM_SPEED, S_IFREG, 0644, true,
     "another account could change the speed challenge's table",
     "learners cannot read the speed challenge's table"},
    {"handins", S_IFDIR, 01733, false,
     "learners could list, replace or delete the hand-ins of others",
     "learners cannot hand in, or could delete the hand-ins of others"},
    {"queue", S_IFDIR, 01777, false, "", "labs cannot take turns, or tickets are not safe"},
    {"feedback", S_IFDIR, 0711, false, "learners could list the feedback of others",
     "learners cannot read their feedback"},
    {"kept", S_IFDIR, 0700, false, "other accounts can see what you collected, and grades", ""},
};

/* The modes as they count: with an access control list, the group's are those of its entry. */
static mode_t mode_of(int top, const struct row *r, const struct stat *it) {
    struct classroom_grants g = {0};
    int fd = openat(top, *r->name ? r->name : ".",
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0) {
        classroom_grants_read(fd, &g);
        close(fd);
    }
    return g.listed ? (it->st_mode & 07707) | g.group << 3 : it->st_mode & 07777;
}

static void tell_of_owner(struct classroom_checkup *c, uid_t owner, const char *path) {
    char *account = classroom_account(owner);
    classroom_found(
        c, CLASSROOM_BROKEN, base_format("%s belongs to %s, not to you", path, account),
        base_format("sudo chown %lu %s", (unsigned long)classroom_teacher(c->folder), path));
    free(account);
}

/* The group may have the rights that others lack. */
static bool is_groups(const struct row *r, mode_t mode) {
    return !*r->name && (mode & 0057) == 0050;
}

static void tell_of_group(struct classroom_checkup *c, gid_t who, const char *path) {
    const struct group *g = getgrgid(who);
    char *name = g ? base_clean_dup(g->gr_name, strlen(g->gr_name), CLASSROOM_WORD)
                   : base_format("%lu", (unsigned long)who);
    classroom_found(c, CLASSROOM_FINE,
                    base_format("only accounts in the group %s can enter %s", name, path), NULL);
    free(name);
}

/* The advice moves the wrong thing away, so nobody loses it. */
static void tell_of_kind(struct classroom_checkup *c, const struct row *r, const struct stat *it,
                         const char *path) {
    bool folder = r->kind == S_IFDIR;
    char *away = base_format("mv -T %s %s.away", path, path),
         *again = base_format("%s && mkdir -m %04o %s", away, (unsigned)r->mode, path);
    classroom_found(c, CLASSROOM_BROKEN,
                    base_format("%s is %s, not a %s", path,
                                S_ISLNK(it->st_mode)   ? "a link"
                                : S_ISDIR(it->st_mode) ? "a folder"
                                : S_ISREG(it->st_mode) ? "a file"
                                                       : "a pipe, a socket or a device",
                                folder ? "folder" : "file"),
                    *r->name ? base_dup(folder ? again : away) : NULL);
    free(again);
    free(away);
}

static void check_row(struct classroom_checkup *c, const struct row *r, int top,
                      const struct stat *it, const char *path) {
    mode_t mode = mode_of(top, r, it), must = r->mode & ~(mode_t)0700;
    mode_t beyond = mode & ~r->mode & 0077, lacking = must & ~mode;
    if ((it->st_mode & S_IFMT) != r->kind)
        tell_of_kind(c, r, it, path);
    else if (it->st_uid != classroom_teacher(c->folder))
        tell_of_owner(c, it->st_uid, path);
    else if (is_groups(r, mode))
        tell_of_group(c, it->st_gid, path);
    else if (beyond || lacking)
        classroom_found(c, CLASSROOM_BROKEN,
                        base_format("%s has mode %04o instead of %04o: %s", path, (unsigned)mode,
                                    (unsigned)r->mode, beyond ? r->beyond : r->lacking),
                        base_format("chmod %04o %s", (unsigned)r->mode, path));
}

/* A folder that is gone can be made again; a file that must be there cannot. */
static void tell_of_missing(struct classroom_checkup *c, const struct row *r, int error,
                            const char *path) {
    bool make = error == ENOENT && r->kind == S_IFDIR;
    if (error == ENOENT && r->optional) return;
    classroom_found(c, CLASSROOM_BROKEN,
                    base_format("cannot inspect %s: %s", path, strerror(error)),
                    make ? base_format("mkdir -m %04o %s", (unsigned)r->mode, path) : NULL);
}

/* Whoever may write in a folder above may rename what is in it, unless it is sticky. */
static void check_above(struct classroom_checkup *c, const char *path, const struct stat *it) {
    mode_t can = it->st_mode & S_ISVTX ? 0 : it->st_mode & 0022;
    char *quoted = can ? classroom_quoted(path) : NULL;
    if (can)
        classroom_found(c, can & S_IWOTH ? CLASSROOM_BROKEN : CLASSROOM_NOTED,
                        base_format("%s has mode %04o: %s could put another class in its place",
                                    path, (unsigned)it->st_mode & 07777,
                                    can & S_IWOTH ? "every account" : "its group"),
                        base_format("chmod +t %s", quoted));
    free(quoted);
}

static void check_all_above(struct classroom_checkup *c) {
    char *path = base_dup(classroom_path(c->folder)), *slash;
    struct stat it;
    while ((slash = strrchr(path, '/'))) {
        slash[slash == path] = '\0';
        if (stat(path, &it) == 0) check_above(c, path, &it);
        if (slash == path) break;
    }
    free(path);
}

void classroom_check_places(struct classroom_checkup *c) {
    int top = open(classroom_path(c->folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; top >= 0 && i < BASE_COUNT(rows); i++) {
        struct stat it;
        char *path = shell_path(c, rows[i].name);
        const char *name = *rows[i].name ? rows[i].name : ".";
        if (fstatat(top, name, &it, AT_SYMLINK_NOFOLLOW) == 0)
            check_row(c, &rows[i], top, &it, path);
        else
            tell_of_missing(c, &rows[i], errno, path);
        free(path);
    }
    if (top >= 0) close(top);
    check_all_above(c);
}

/* ── settings that cannot be used ──────────────────────────────────────────────────────────────*/
/* A class's id and the numbers of its questions depend on its settings. The teacher restores them
 * from the copy, or makes another class. */
void classroom_check_settings(struct classroom_checkup *c) {
    struct classroom_settings s;
    struct base_message m = {0};
    if (classroom_settings_read_in(c->folder, CLASSROOM_TOP, &s, &m)) return;
    char *path = shell_path(c, CLASSROOM_SETTINGS),
         *copy = shell_path(c, "kept/" CLASSROOM_SETTINGS);
    if (classroom_settings_read_in(c->folder, CLASSROOM_KEPT, &s, NULL)) {
        classroom_found(c, CLASSROOM_BROKEN,
                        base_format("%s: %s. kept/ has a copy, as you set it last", path, m.what),
                        base_format("install -m 0644 -T %s %s", copy, path));
    } else {
        char *folder = base_format("%s-2", classroom_path(c->folder)),
             *new = classroom_quoted(folder);
        classroom_found(c, CLASSROOM_BROKEN,
                        base_format("%s: %s. kept/ has no copy that this program can read. If you "
                                    "have no backup, make another class: learners keep what they "
                                    "answered in this one in their records, and join the other",
                                    path, m.what),
                        base_format("zerotutor class new %s", new));
        free(new);
        free(folder);
    }
    free(copy);
    free(path);
}

/* ── the words of the teacher's files ──────────────────────────────────────────────────────────*/
static const struct written {
    enum classroom_place place;
    const char *name;
    /* what is lost with it */
    const char *loses;
} written[] = {
    {CLASSROOM_TOP, CLASSROOM_EXTENDED, "who has more time"},
    {CLASSROOM_TOP, CLASSROOM_BOARD, "votes, lines and steps that are open now"},
    {CLASSROOM_TOP, CLASSROOM_SPEED, "a table that `class watch` makes again"},
    {CLASSROOM_KEPT, CLASSROOM_COLLECTED, "when hand-ins were first collected"},
    {CLASSROOM_KEPT, CLASSROOM_VOTES_FILE, "the counts of votes"},
};

void classroom_check_written(struct classroom_checkup *c) {
    for (size_t i = 0; i < BASE_COUNT(written); i++) {
        struct classroom_file got = {0};
        struct base_message m = {0};
        const struct written *w = &written[i];
        bool read = classroom_read(c->folder, w->place, w->name, classroom_teacher(c->folder),
                                   WRITTEN_MOST, &got, &m);
        bool none = !read && errno == ENOENT;
        json_t *json = read ? base_json_read(got.text, got.length, w->name, &m) : NULL;
        char *name = base_format("%s%s%s", classroom_place_name(w->place),
                                 w->place == CLASSROOM_TOP ? "" : "/", w->name),
             *path = shell_path(c, name);
        if (!json && !none)
            classroom_found(
                c, CLASSROOM_BROKEN,
                base_format("%s: %s. If you move it away, you lose %s", path, m.what, w->loses),
                base_format("mv -T %s %s.away", path, path));
        json_decref(json);
        free(got.text);
        free(path);
        free(name);
    }
}

/* ── assistants ────────────────────────────────────────────────────────────────────────────────*/
static bool assists(const struct classroom_settings *s, const char *account) {
    for (size_t i = 0; i < s->assistants; i++)
        if (strcmp(s->assistant[i], account) == 0) return true;
    return false;
}

static bool is_granted(const struct classroom_grants *g, uid_t who) {
    for (size_t i = 0; i < g->users; i++)
        if (g->user[i] == who) return true;
    return false;
}

static void check_assistant(struct classroom_checkup *c, const struct classroom_grants *g,
                            const char *account, const char *path) {
    const struct passwd *p = getpwnam(account);
    if (!p)
        classroom_found(c, CLASSROOM_NOTED,
                        base_format("this machine has no account %s, which assists you", account),
                        NULL);
    else if (!is_granted(g, p->pw_uid) && p->pw_uid != classroom_teacher(c->folder))
        classroom_found(c, CLASSROOM_NOTED,
                        base_format("%s assists you and cannot list %s", account, path),
                        base_format("setfacl -m u:%s:rx %s", account, path));
}

static void check_granted(struct classroom_checkup *c, uid_t who, const char *path) {
    char *account = classroom_account(who);
    if (!assists(c->settings, account) && who != classroom_teacher(c->folder))
        classroom_found(c, CLASSROOM_BROKEN,
                        base_format("%s may list %s and is not an assistant", account, path),
                        base_format("setfacl -x u:%lu %s", (unsigned long)who, path));
    free(account);
}

void classroom_check_assistants(struct classroom_checkup *c) {
    struct classroom_grants g = {0};
    char *raw = base_format("%s/handins", classroom_path(c->folder)),
         *path = shell_path(c, "handins");
    int fd = open(raw, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) classroom_grants_read(fd, &g);
    for (size_t i = 0; fd >= 0 && i < c->settings->assistants; i++)
        check_assistant(c, &g, c->settings->assistant[i], path);
    for (size_t i = 0; i < g.users; i++) check_granted(c, g.user[i], path);
    for (size_t i = 0; i < g.groups; i++)
        classroom_found(
            c, CLASSROOM_NOTED,
            base_format("everybody in the group %lu may list %s", (unsigned long)g.grp[i], path),
            base_format("setfacl -x g:%lu %s", (unsigned long)g.grp[i], path));
    if (fd >= 0) close(fd);
    free(path);
    free(raw);
}

/* ── crowds ────────────────────────────────────────────────────────────────────────────────────*/
void classroom_check_crowd(struct classroom_checkup *c, enum classroom_place p, uid_t crowd) {
    if (crowd == CLASSROOM_ANYBODY) return;
    const char *place = classroom_place_name(p);
    char *path = shell_path(c, place), *account = classroom_account(crowd);
    classroom_found(c, CLASSROOM_NOTED,
                    base_format("%s has more files in %s/ than a learner. Those of others are read "
                                "all the same",
                                account, place),
                    base_format("find %s -user %lu | wc -l", path, (unsigned long)crowd));
    free(account);
    free(path);
}

/* ── the roster ────────────────────────────────────────────────────────────────────────────────*/
/* Without a roster everybody who has an account here may join. */
static bool may_be_here(const struct classroom_checkup *c, const char *account) {
    if (c->roster->people) return classroom_roster_find(c->roster, account) != NULL;
    return c->settings->synchronised || getpwnam(account) || strncmp(account, "uid ", 4) == 0;
}

static void check_extension(struct classroom_checkup *c, const struct classroom_extension *e) {
    if (may_be_here(c, e->account)) return;
    char *word = base_format("extend=%s%s%s+0m", e->account, *e->lesson ? "/" : "", e->lesson),
         *quoted = classroom_quoted(word), *path = shell_path(c, "");
    classroom_found(
        c, CLASSROOM_NOTED,
        base_format("more time is set for %s, but no learner of this class has that account",
                    e->account),
        base_format("zerotutor class set %s %s", path, quoted));
    free(path);
    free(quoted);
    free(word);
}

void classroom_check_roster(struct classroom_checkup *c) {
    for (size_t i = 0; i < c->settings->extensions; i++)
        check_extension(c, &c->settings->extension[i]);
    for (size_t i = 0; !c->settings->synchronised && i < c->roster->people; i++) {
        const char *account = c->roster->person[i].account;
        if (getpwnam(account) || strncmp(account, "uid ", 4) == 0) continue;
        char *path = shell_path(c, CLASSROOM_ROSTER);
        classroom_found(
            c, CLASSROOM_NOTED,
            base_format("the roster lists %s, and this machine has no such account", account),
            base_format("${EDITOR:-vi} %s", path));
        free(path);
    }
}

/* ── the checks' own file: clock, locks, room ──────────────────────────────────────────────────*/
enum { ROOM_LEAST = 1 << 20, CLOCK_MOST = 60 };

/* Whether another process sees a lock of this one on the file. */
static bool shows_locks(int fd) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int status = 0;
    if (fcntl(fd, F_SETLK, &whole) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        struct flock seen = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        _exit(fcntl(fd, F_GETLK, &seen) == 0 && seen.l_type == F_WRLCK ? 0 : 1);
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void check_clock(struct classroom_checkup *c, int fd) {
    int64_t server = classroom_stamp(fd), off = server - (int64_t)time(NULL);
    if (server && llabs(off) > CLOCK_MOST)
        classroom_found(c, CLASSROOM_NOTED,
                        base_format("this machine's clock is %lld minutes %s the file server's. "
                                    "The class uses the file server's clock",
                                    llabs(off) / 60, off < 0 ? "ahead of" : "behind"),
                        base_dup("sudo timedatectl set-ntp true"));
}

static void check_room(struct classroom_checkup *c, int fd) {
    struct statvfs fs;
    int error = posix_fallocate(fd, 0, ROOM_LEAST);
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        classroom_found(c, CLASSROOM_BROKEN,
                        base_format("a file of 1 MB cannot be written: %s", strerror(error)),
                        base_dup(error == EDQUOT ? "quota -s" : "df -h"));
    else if (fstatvfs(fd, &fs) == 0 && (double)fs.f_bavail * (double)fs.f_frsize < 100e6)
        classroom_found(c, CLASSROOM_NOTED,
                        base_format("only %.0f MB are free. A learner's day takes about 1 MB",
                                    (double)fs.f_bavail * (double)fs.f_frsize / 1e6),
                        base_dup("df -h"));
}

void classroom_check_probe(struct classroom_checkup *c) {
    char random[CLASSROOM_NAME];
    struct base_message m = {0};
    classroom_random_name(random);
    char *name = base_format(".doctor-%s", random);
    int fd = classroom_write(c->folder, CLASSROOM_QUEUE, name, 0600, "", 0, &m)
                 ? classroom_open_file(c->folder, CLASSROOM_QUEUE, name, geteuid(), O_RDWR, &m)
                 : -1;
    if (fd < 0)
        classroom_found(c, CLASSROOM_BROKEN, base_format("%s (%s)", m.what, m.file), NULL);
    else {
        check_clock(c, fd);
        if (!shows_locks(fd))
            classroom_found(c, CLASSROOM_BROKEN,
                            base_dup("this file system has no locks, so labs cannot take turns: "
                                     "put the class on a local disk"),
                            NULL);
        check_room(c, fd);
        close(fd);
    }
    classroom_remove(c->folder, CLASSROOM_QUEUE, name);
    free(name);
}
