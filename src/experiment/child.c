/* zerolab as a child: its events and words through pipes, and its end, whatever it does. */
#include "experiment/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* milliseconds from SIGTERM to SIGKILL */
    GRACE = 5000,
    /* the same if the caller does not wait for its last words */
    HASTE = 500,
    /* how often a child is looked after while nothing is heard */
    LOOK = 1000,
    SOON = 20
};

/* ── starting ──────────────────────────────────────────────────────────────────────────────────*/
static _Noreturn void become(char *const *argv, const char *gpus, pid_t parent, int events,
                             int words) {
    const char *share = base_share();
    base_child_begin(parent, BASE_NOWHERE, events, words);
    if (share) setenv("ZEROTUTOR_SHARE", share, 1); /* its data are where the tutor's are */
    if (gpus) setenv("CUDA_VISIBLE_DEVICES", gpus, 1);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "%s cannot be run: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Above the standard three, so that a tutor started with those closed does not hand them over
 * crossed. */
static bool open_pipe(int fd[2]) {
    int got[2];
    if (pipe(got) != 0) return false;
    for (int i = 0; i < 2; i++) {
        fd[i] = fcntl(got[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(got[i]);
    }
    if (fd[0] >= 0 && fd[1] >= 0) return fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0;
    return false;
}

static void close_all(int *fd, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fd[i] >= 0) close(fd[i]);
}

bool experiment_child_start(struct experiment_child *c, char *const *argv, const char *gpus,
                            struct base_message *m) {
    int fd[4] = {-1, -1, -1, -1};
    pid_t parent = getpid(), pid = -1;
    (void)base_share(); /* found before the fork */
    *c = (struct experiment_child){.events = -1, .words = -1};
    if (open_pipe(fd) && open_pipe(fd + 2)) pid = fork();
    if (pid == 0) become(argv, gpus, parent, fd[1], fd[3]);
    if (pid < 0) {
        int why = errno;
        close_all(fd, BASE_COUNT(fd));
        return base_fail(m, "the lab cannot be started: %s", strerror(why));
    }
    setpgid(pid, pid); /* here and there: whoever is first */
    close(fd[1]);
    close(fd[3]);
    c->pid = pid;
    c->events = fd[0];
    c->words = fd[2];
    return true;
}

/* ── hearing ───────────────────────────────────────────────────────────────────────────────────*/
size_t experiment_child_read(int *fd, char *out, size_t size) {
    if (*fd < 0) return 0;
    ssize_t n;
    do n = read(*fd, out, size);
    while (n < 0 && errno == EINTR);
    if (n > 0) return (size_t)n;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    close(*fd);
    *fd = -1;
    return 0;
}

/* ── its end ───────────────────────────────────────────────────────────────────────────────────*/
/* Whoever of its group is left goes with it. */
static void reap(struct experiment_child *c) {
    kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR) {
    }
    c->pid = 0;
}

static bool has_exited(const struct experiment_child *c) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == c->pid;
}

bool experiment_child_gone(struct experiment_child *c) {
    if (!c->pid) return true;
    if (c->cancelled && base_ticks() - c->cancelled >= GRACE) kill(-c->pid, SIGKILL);
    if (!has_exited(c)) return false;
    reap(c);
    return true;
}

void experiment_child_cancel(struct experiment_child *c) {
    if (!c->pid || c->cancelled) return;
    c->cancelled = base_ticks();
    kill(c->pid, SIGTERM);
}

int experiment_child_due(const struct experiment_child *c) {
    if (!c->pid || c->events < 0) return SOON; /* its pipe is closed: it is about to end */
    if (!c->cancelled) return LOOK;
    int64_t left = c->cancelled + GRACE - base_ticks();
    return left < SOON ? SOON : left > LOOK ? LOOK : (int)left;
}

/* A pipe that is not read must not keep it from ending: it is closed first. */
void experiment_child_end(struct experiment_child *c) {
    int fds[] = {c->events, c->words};
    close_all(fds, BASE_COUNT(fds));
    c->events = c->words = -1;
    if (!c->pid) return;
    kill(c->pid, SIGTERM);
    for (int64_t until = base_ticks() + HASTE; !has_exited(c) && base_ticks() < until;)
        poll(NULL, 0, SOON / 4);
    reap(c);
}
