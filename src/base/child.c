/* child: what a process that was forked from here does before it becomes another program. Only
 * Linux ends it with its parent; elsewhere it notices a closed pipe when it writes next. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static void die_with(pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(0);
}

void base_child_begin(pid_t parent, int in, int out, int err) {
    const int ends[] = {in, out, err};
    int null = open("/dev/null", O_RDWR);
    sigset_t none;
    setpgid(0, 0);
    die_with(parent);
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < 3; i++) dup2(ends[i] == BASE_NOWHERE ? null : ends[i], i);
}

/* To its end, also what is beyond the bound: a program that cannot write would not end. */
static void hear(int fd, size_t most, struct base_text *out) {
    char bytes[4096];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        size_t room = most > out->length ? most - out->length : 0;
        base_text_add(out, bytes, (size_t)n < room ? (size_t)n : room);
    }
}

int base_output(char *const argv[], size_t most, struct base_text *out) {
    int ends[2], status = -1;
    pid_t parent = getpid();
    if (pipe(ends) != 0) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        base_child_begin(parent, BASE_NOWHERE, ends[1], BASE_NOWHERE);
        close(ends[1]);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    if (pid > 0) hear(ends[0], most, out);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

static void limit(unsigned what, rlim_t most) {
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    now.rlim_cur = most;
    setrlimit(what, &now);
}

void base_limit_memory(uint64_t bytes) {
    limit(RLIMIT_CORE, 0);
    if (!SANITIZED) limit(RLIMIT_AS, bytes);
}

void base_limit_time(int seconds) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    limit(RLIMIT_CPU, (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds + 1));
}
