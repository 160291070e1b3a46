/* farm: child processes that take the next hand-in each, until none is left. What one finds comes
 * through its pipe; a child that dies or takes too long costs the hand-in that it had, and another
 * one goes on with the next. */
#include "session/grade.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES_MOST = 64, LOOK_MS = 200, MESSAGE_MOST = 1 << 30 };

/* seen by all processes */
struct table {
    atomic_size_t next;
    struct {
        /* of the hand-in that the child has, from 1; and since when */
        atomic_size_t has;
        _Atomic int64_t since;
    } slot[PROCESSES_MOST];
};
struct child {
    pid_t pid;
    int fd;
    struct base_text got;
    bool late;
};
struct farm {
    const struct session_grader *g;
    struct session_grading_limits limits;
    const char *const *name;
    size_t names;
    struct session_graded *out;
    struct table *table;
    struct child child[PROCESSES_MOST];
    size_t children;
};
/* before what a child says of one hand-in: its place, and how many bytes follow */
struct header {
    uint64_t at, json, numbers;
};

/* ── in a child ────────────────────────────────────────────────────────────────────────────────*/
static void put(const void *bytes, size_t n) {
    const char *at = bytes;
    while (n > 0) {
        ssize_t wrote = write(STDOUT_FILENO, at, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) _exit(1);
        at += wrote;
        n -= (size_t)wrote;
    }
}

static void say(size_t at, struct session_graded *graded) {
    char *json = json_dumps(graded->says, JSON_COMPACT);
    struct header h = {at, strlen(json), graded->numbers * sizeof *graded->number};
    put(&h, sizeof h);
    put(json, h.json);
    put(graded->number, h.numbers);
    free(json);
    free(graded->number);
    json_decref(graded->says);
}

static void keep_rows(const struct farm *f, size_t at, struct base_text *rows) {
    char *name = base_format("%s" SESSION_JUDGED, f->name[at]);
    classroom_write(f->g->f, CLASSROOM_KEPT, name, 0600, rows->s ? rows->s : "", rows->length,
                    NULL);
    free(name);
    base_text_free(rows);
}

static _Noreturn void work(const struct farm *f, size_t slot) {
    base_limit_memory(f->limits.bytes);
    for (;;) {
        size_t at = atomic_fetch_add(&f->table->next, 1);
        if (at >= f->names) _exit(0);
        struct session_graded graded;
        struct base_text rows = {0};
        f->table->slot[slot].since = base_ticks();
        f->table->slot[slot].has = at + 1;
        base_limit_time(f->limits.cpu_seconds);
        session_grade_handin(f->g, f->name[at], &graded, &rows);
        keep_rows(f, at, &rows);
        say(at, &graded);
        f->table->slot[slot].has = 0;
    }
}

/* ── in the parent ─────────────────────────────────────────────────────────────────────────────*/
static bool start(struct farm *f, size_t slot) {
    int ends[2];
    pid_t parent = getpid();
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        for (size_t i = 0; i < f->children; i++)
            if (f->child[i].pid > 0) close(f->child[i].fd);
        close(ends[0]);
        base_child_begin(parent, BASE_NOWHERE, ends[1], BASE_NOWHERE);
        close(ends[1]);
        work(f, slot);
    }
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    f->child[slot] = (struct child){.pid = pid, .fd = ends[0]};
    return pid > 0;
}

/* Takes over one whole message; false if there is none yet. */
static bool take_message(struct farm *f, struct child *c) {
    struct header h;
    if (c->got.length < sizeof h) return false;
    memcpy(&h, c->got.s, sizeof h);
    size_t whole = sizeof h + h.json + h.numbers;
    if (h.at >= f->names || h.json > MESSAGE_MOST || h.numbers > MESSAGE_MOST ||
        c->got.length < whole)
        return false;
    struct session_graded *out = &f->out[h.at];
    out->says = base_json_parse(c->got.s + sizeof h, h.json);
    out->numbers = h.numbers / sizeof *out->number;
    out->number = base_alloc(h.numbers + 1);
    memcpy(out->number, c->got.s + sizeof h + h.json, h.numbers);
    memmove(c->got.s, c->got.s + whole, c->got.length - whole);
    c->got.length -= whole;
    return true;
}

static void note_failure(struct farm *f, size_t at, const struct child *c, int status) {
    const char *hex = f->name[at];
    const char *account = base_json_text(json_object_get(f->g->collected, hex), "account", "");
    json_t *listed = json_array();
    bool slow = c->late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    if (slow)
        session_grade_list(listed, SESSION_DOUBT_FAILED, 0,
                           "judging it took over %d s of a processor, or %d s, and was stopped",
                           f->limits.cpu_seconds, f->limits.seconds);
    else if (WIFSIGNALED(status))
        session_grade_list(listed, SESSION_DOUBT_FAILED, 0, "the process that judged it died (%s)",
                           strsignal(WTERMSIG(status)));
    else
        session_grade_list(listed, SESSION_DOUBT_FAILED, 0,
                           "the process that judged it gave up: it may have needed more than %llu "
                           "MB of memory",
                           (unsigned long long)(f->limits.bytes / 1000000));
    f->out[at].says = json_pack("{ss ss so}", "account", account, "handin", hex, "listed", listed);
}

/* The child has ended: what it had is lost, and another one takes its place if work is left. */
static void bury(struct farm *f, size_t slot) {
    struct child *c = &f->child[slot];
    int status = 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(c->fd);
    size_t has = f->table->slot[slot].has;
    f->table->slot[slot].has = 0;
    if (has > 0 && has <= f->names && !f->out[has - 1].says) note_failure(f, has - 1, c, status);
    base_text_free(&c->got);
    *c = (struct child){0};
    if (has > 0 && atomic_load(&f->table->next) < f->names) start(f, slot);
}

/* False at the pipe's end. */
static bool hear(struct farm *f, struct child *c) {
    char bytes[65536];
    ssize_t n = read(c->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    base_text_add(&c->got, bytes, (size_t)n);
    while (take_message(f, c)) continue;
    return true;
}

static void end_late(struct farm *f, size_t slot) {
    struct child *c = &f->child[slot];
    int64_t since = f->table->slot[slot].since;
    if (f->table->slot[slot].has == 0 || base_ticks() - since < (int64_t)f->limits.seconds * 1000)
        return;
    c->late = true;
    kill(c->pid, SIGKILL);
}

static bool watch(struct farm *f) {
    struct pollfd ends[PROCESSES_MOST];
    size_t slot[PROCESSES_MOST], n = 0;
    for (size_t i = 0; i < f->children; i++) {
        if (f->child[i].pid <= 0) continue;
        ends[n] = (struct pollfd){.fd = f->child[i].fd, .events = POLLIN};
        slot[n++] = i;
    }
    if (n == 0) return false;
    if (poll(ends, (nfds_t)n, LOOK_MS) < 0 && errno != EINTR) return false;
    for (size_t i = 0; i < n; i++) {
        end_late(f, slot[i]);
        if (ends[i].revents && !hear(f, &f->child[slot[i]])) bury(f, slot[i]);
    }
    return true;
}

static struct session_grading_limits with_defaults(const struct session_grading_limits *given) {
    struct session_grading_limits l = given ? *given : (struct session_grading_limits){0};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (l.cpu_seconds <= 0) l.cpu_seconds = 60;
    if (l.seconds <= 0) l.seconds = 300;
    if (l.bytes == 0) l.bytes = UINT64_C(1) << 30;
    if (l.processes <= 0) l.processes = cores > 0 ? (int)cores : 1;
    if (l.processes > PROCESSES_MOST) l.processes = PROCESSES_MOST;
    return l;
}

void session_grade_farm(const struct session_grader *g, const struct session_grading_limits *limits,
                        const char *const *name, size_t n, struct session_graded *out) {
    struct farm *f = base_alloc(sizeof *f);
    *f = (struct farm){
        .g = g, .limits = with_defaults(limits), .name = name, .names = n, .out = out};
    f->table =
        mmap(NULL, sizeof *f->table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    f->children = n < (size_t)f->limits.processes ? n : (size_t)f->limits.processes;
    if (f->table == MAP_FAILED) f->children = 0;
    for (size_t i = 0; i < f->children; i++) start(f, i);
    while (watch(f)) continue;
    for (size_t i = 0; i < n; i++) {
        if (out[i].says) continue;
        json_t *listed = json_array();
        session_grade_list(listed, SESSION_DOUBT_FAILED, 0,
                           "no process could be started to judge it: try again");
        out[i].says =
            json_pack("{ss ss so}", "account",
                      base_json_text(json_object_get(g->collected, name[i]), "account", ""),
                      "handin", name[i], "listed", listed);
    }
    if (f->table != MAP_FAILED) munmap(f->table, sizeof *f->table);
    free(f);
}
