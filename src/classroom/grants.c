/* grants: a POSIX access control list, as Linux keeps it in an extended attribute: a version, then
 * entries of a tag, rights and a number, least byte first. Elsewhere, or on a file system without
 * such lists, there is none. */
#include "classroom/classroom.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>

enum { VERSION = 2, HEAD = 4, ENTRY = 8, MOST = HEAD + 512 * ENTRY };
enum { USER_OBJ = 0x01, USER = 0x02, GROUP_OBJ = 0x04, GROUP = 0x08, MASK = 0x10, OTHER = 0x20 };

static unsigned number(const unsigned char *at, int bytes) {
    unsigned n = 0;
    while (bytes--) n = n << 8 | at[bytes];
    return n;
}

static void take(struct classroom_grants *out, const unsigned char *entry, mode_t mask) {
    unsigned tag = number(entry, 2), rights = number(entry + 2, 2), who = number(entry + 4, 4);
    bool reads = (rights & mask & 4) != 0;
    if (tag == GROUP_OBJ) out->group = rights & mask;
    if (tag == USER && reads && out->users < BASE_COUNT(out->user)) out->user[out->users++] = who;
    if (tag == GROUP && reads && out->groups < BASE_COUNT(out->grp)) out->grp[out->groups++] = who;
}

void classroom_grants_read(int fd, struct classroom_grants *out) {
    unsigned char list[MOST];
    mode_t mask = 7;
    *out = (struct classroom_grants){0};
    ssize_t n = fgetxattr(fd, "system.posix_acl_access", list, sizeof list);
    if (n < HEAD || number(list, 4) != VERSION) return;
    out->listed = true;
    for (ssize_t at = HEAD; at + ENTRY <= n; at += ENTRY)
        if (number(list + at, 2) == MASK) mask = number(list + at + 2, 2);
    for (ssize_t at = HEAD; at + ENTRY <= n; at += ENTRY) take(out, list + at, mask);
}

static unsigned char *put(unsigned char *at, unsigned n, int bytes) {
    for (; bytes--; n >>= 8) *at++ = n & 0xff;
    return at;
}

static unsigned char *put_entry(unsigned char *at, unsigned tag, unsigned rights, unsigned who) {
    return put(put(put(at, tag, 2), rights, 2), who, 4);
}

bool classroom_grant(int fd, const uid_t *who, size_t n) {
    enum { NOBODY = -1 };
    unsigned char list[MOST], *at = put(list, VERSION, HEAD);
    if (n == 0 || n > (MOST - HEAD) / ENTRY - 4) return false;
    at = put_entry(at, USER_OBJ, 6, (unsigned)NOBODY);
    for (size_t i = 0; i < n; i++) at = put_entry(at, USER, 4, who[i]);
    at = put_entry(at, GROUP_OBJ, 0, (unsigned)NOBODY);
    at = put_entry(at, MASK, 4, (unsigned)NOBODY);
    at = put_entry(at, OTHER, 0, (unsigned)NOBODY);
    return fsetxattr(fd, "system.posix_acl_access", list, (size_t)(at - list), 0) == 0;
}
#else
bool classroom_grant(int fd, const uid_t *who, size_t n) {
    (void)fd, (void)who, (void)n;
    return false;
}

void classroom_grants_read(int fd, struct classroom_grants *out) {
    (void)fd;
    *out = (struct classroom_grants){0};
}
#endif

/* ── a file for some accounts ──────────────────────────────────────────────────────────────────*/
struct text {
    const char *s;
    size_t n;
    const uid_t *who;
    size_t readers;
};

static bool fill(void *with, int fd) {
    const struct text *t = with;
    return base_fd_write(fd, t->s, t->n) && fsync(fd) == 0 &&
           classroom_grant(fd, t->who, t->readers);
}

/* The group's rights are the list's mask. */
bool classroom_write_for(const struct classroom_folder *f, enum classroom_place p, const char *name,
                         const uid_t *who, size_t readers, const char *text, size_t n) {
    struct text t = {text, n, who, readers};
    int fd = readers ? classroom_make_file(f, p, name, 0640, fill, &t, NULL) : -1;
    if (fd >= 0) close(fd);
    return fd >= 0;
}
