/* child: what a process that was forked from here does before it becomes another program. Only
 * Linux ends it with its parent; elsewhere it notices a closed pipe when it writes next. */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
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
