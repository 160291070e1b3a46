/* Libraries start before main(), and OpenBLAS takes memory when it does: so much for each of its
 * threads, and from 0.3.2x on for the first one too. Where a limit leaves none it asks again for
 * ever, and nobody would say why. The functions of .preinit_array run earlier still: here, only
 * where space is limited at all, the program is executed once more with one thread, which such a
 * run keeps to; and if the libraries have not come up after much more processor time than that
 * takes, a few words end it. */
#include "lab/load.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
/* A sanitizer starts later than this would run, and takes more address space than any limit
 * leaves. */
#if defined(__ELF__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__)

enum { PATIENCE = 1 }; /* seconds of processor time; loading takes some hundredths */

bool lab_space_limited(void) {
    struct rlimit space, data;
    if (getrlimit(RLIMIT_AS, &space) || getrlimit(RLIMIT_DATA, &data)) return false;
    return space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}
static void set_timer(time_t seconds) {
    (void)setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* In the middle of an allocation, so without one. */
static void give_up(int signal) {
    static const char words[] = "zerolab: the BLAS cannot start in so little address space: allow "
                                "more (see ulimit -v, -d)\n";
    (void)signal;
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(1);
}
static void watch(void) {
    sigset_t set;
    struct sigaction act = {.sa_handler = give_up};
    (void)sigaction(SIGPROF, &act, NULL);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGPROF);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
    set_timer(PATIENCE);
}

/* The same environment with this variable in the place of one of its name; false if it says so
 * already. The C library does not know its environment yet. */
enum { VARIABLES = 4000 };
static bool change(char **environment, char *one, char *changed[VARIABLES]) {
    const size_t name = strcspn(one, "=") + 1;
    size_t n = 0;
    for (char **at = environment; *at && n < VARIABLES - 2; at++) {
        if (strcmp(*at, one) == 0) return false;
        if (strncmp(*at, one, name) != 0) changed[n++] = *at;
    }
    changed[n++] = one;
    changed[n] = NULL;
    return true;
}

static void before_libraries(int argc, char **argv, char **environment) {
    char *changed[VARIABLES], one[] = "OPENBLAS_NUM_THREADS=1";
    (void)argc;
    if (!lab_space_limited()) return;
    if (change(environment, one, changed)) (void)execve("/proc/self/exe", argv, changed);
    watch();
}
typedef void before_main(int argc, char **argv, char **environment);
__attribute__((used, section(".preinit_array"))) static before_main *const first = before_libraries;

void lab_loaded(void) {
    if (!lab_space_limited()) return;
    set_timer(0);
    (void)signal(SIGPROF, SIG_DFL);
}

#else

void lab_loaded(void) {}

bool lab_space_limited(void) {
    return false;
}

#endif
