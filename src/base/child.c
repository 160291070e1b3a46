/* child: what a process that was forked from here does before it becomes another program. Only
 * Linux ends it with its parent; elsewhere it notices a closed pipe when it writes next. */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
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
