/* around: labs that run on this machine without a turn. Linux's /proc says which programs run. */
#include "classroom/classroom.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_MOST = 4096, RUNNING_MOST = 1024 };

/* Of /proc/PID/status: its name and its parent. False if it is gone, or is dead and only waits for
 * its parent to ask how it ended. */
static bool read_process(const char *pid, char name[32], long *parent) {
    char *path = base_format("/proc/%s/status", pid), text[STATUS_MOST];
    FILE *file = fopen(path, "r");
    free(path);
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    const char *up = strstr(text, "\nPPid:"), *state = strstr(text, "\nState:");
    if (state && strchr("ZX", state[strspn(state + 1, "State:\t ") + 1])) return false;
    *parent = up ? strtol(up + strlen("\nPPid:"), NULL, 10) : 0;
    return up && sscanf(text, "Name: %31s", name) == 1;
}

static bool is_lab(const char *name) {
    return strcmp(name, "zerolab") == 0 || strcmp(name, "zerolab-cuda") == 0;
}

/* A lab that another one started is its rank. */
static bool is_launcher(const char *pid) {
    char name[32], above[32], number[24];
    long parent, grandparent;
    if (!read_process(pid, name, &parent) || !is_lab(name)) return false;
    snprintf(number, sizeof number, "%ld", parent);
    return !read_process(number, above, &grandparent) || !is_lab(above);
}

static bool owner_of(const char *pid, uid_t *out) {
    struct stat it;
    char *path = base_format("/proc/%s", pid);
    bool there = stat(path, &it) == 0;
    free(path);
    *out = it.st_uid;
    return there;
}

static bool has_turn(const struct classroom_tickets *t, const char *host, uid_t owner) {
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        if (one->live && one->owner == owner && strcmp(one->host, host) == 0 &&
            classroom_slots_count(&one->holds))
            return true;
    }
    return false;
}

static bool is_among(const struct classroom_stranger *list, size_t n, pid_t process) {
    for (size_t i = 0; i < n; i++)
        if (list[i].process == process) return true;
    return false;
}

/* The labs that run now. Returns how many. */
static size_t running(struct classroom_stranger out[RUNNING_MOST]) {
    size_t n = 0;
    DIR *d = opendir("/proc");
    for (const struct dirent *e = d ? readdir(d) : NULL; e && n < RUNNING_MOST; e = readdir(d)) {
        uid_t owner;
        if (strspn(e->d_name, "0123456789") != strlen(e->d_name)) continue;
        if (!is_launcher(e->d_name) || !owner_of(e->d_name, &owner)) continue;
        out[n++] = (struct classroom_stranger){(pid_t)strtol(e->d_name, NULL, 10), owner};
    }
    if (d) closedir(d);
    return n;
}

/* A lab runs within its turn: one that ran before and after the tickets were read has a running
 * ticket among them. */
bool classroom_around(const struct classroom_folder *f, struct classroom_stranger *out, size_t most,
                      size_t *n, struct base_message *m) {
    struct classroom_tickets tickets = {0};
    struct classroom_stranger before[RUNNING_MOST], after[RUNNING_MOST];
    char host[CLASSROOM_WORD];
    classroom_host(host);
    size_t earlier = running(before);
    bool read = classroom_tickets_read(f, NULL, &tickets, m);
    size_t later = read ? running(after) : 0;
    *n = 0;
    for (size_t i = 0; i < earlier && *n < most; i++)
        if (is_among(after, later, before[i].process) && !has_turn(&tickets, host, before[i].owner))
            out[(*n)++] = before[i];
    classroom_tickets_free(&tickets);
    return read;
}
