#include "script/process.h"

#include "script/guard.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ── in the child ──────────────────────────────────────────────────────────────────────────────*/

static void default_signals(void) {
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The socket may itself be 0 to 2 (a tutor started with those closed), so it moves first. */
static void keep_only(int socket) {
    if (socket != PROCESS_FD) dup2(socket, PROCESS_FD);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < PROCESS_FD; fd++) {
        if (null < 0)
            close(fd);
        else
            dup2(null, fd);
    }
    script_guard_close_from(PROCESS_FD + 1);
}

/* What must be asked of the system before the filter stands: the locale, the seed of jansson's
 * tables. */
static void settle(void) {
    base_on_death(NULL);
    setlocale(LC_ALL, "C");
    json_object_seed(0);
}

static _Noreturn void be_worker(int socket, int parent, const struct process *p, process_main *run,
                                bool unlocked) {
    if (!script_guard_die_with(parent)) _exit(0);
    default_signals();
    setsid(); /* keys typed at the terminal are no signals of the worker's */
    keep_only(socket);
    settle();
    script_guard_limit();
    if (!unlocked && script_guard_lock() == GUARD_FAILED) {
        p->trace->unguarded = true;
        _exit(1);
    }
    run(PROCESS_FD, p->trace);
    _exit(0);
}

/* ── in the tutor ──────────────────────────────────────────────────────────────────────────────*/

static struct trace *new_trace(void) {
    void *page =
        mmap(NULL, sizeof(struct trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? NULL : page;
}

static bool cannot_start(struct process *p, const int pair[2], struct base_message *m) {
    int why = errno;
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
    if (p->trace) munmap(p->trace, sizeof *p->trace);
    *p = (struct process){0};
    return base_fail(m, "cannot start a worker for the lesson: %s", strerror(why));
}

bool script_process_start(struct process *p, process_main *run, bool unlocked,
                          struct base_message *m) {
    int pair[2] = {-1, -1};
    *p = (struct process){.trace = new_trace()};
    if (!p->trace || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return cannot_start(p, pair, m);
    int parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    /* a handler of the tutor's must not run in the worker */
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) be_worker(pair[1], parent, p, run, unlocked);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) return cannot_start(p, pair, m);
    close(pair[1]);
    p->pid = pid;
    p->fd = pair[0];
    return true;
}

bool script_process_alive(const struct process *p) {
    struct pollfd end = {.fd = p->fd, .events = 0};
    return p->pid > 0 && poll(&end, 1, 0) == 0;
}

int64_t script_process_ticks(const struct process *p) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return base_ticks();
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

bool script_process_starves(const struct process *p) {
    char path[40], line[200] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", p->pid);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const char *name_end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    return name_end && name_end[1] == ' ' && name_end[2] == 'R';
}

int script_process_end(struct process *p) {
    int status = 0;
    if (p->pid <= 0) return status;
    kill(p->pid, SIGKILL);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(p->fd);
    munmap(p->trace, sizeof *p->trace);
    *p = (struct process){0};
    return status;
}

void script_process_rest(const struct process *p) {
    assert(p->pid > 0); /* 0 would stop the tutor and all of its group */
    script_guard_pause(p->pid);
}

void script_process_resume(const struct process *p) {
    assert(p->pid > 0); /* 0 would mean the tutor's own group */
    script_guard_resume(p->pid);
}
