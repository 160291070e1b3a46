#include "script/guard.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* ── limits, as POSIX has them ─────────────────────────────────────────────────────────────────*/

/* Beyond what the tutor has mapped, which the worker inherits. The allocator's cap is far lower.
 * This one holds even if Lua is broken into. */
#define ADDRESS_SPACE (1ul << 30)
#define CPU_SECONDS   30
#define DESCRIPTORS   4 /* 0 to 3 */

static void limit(unsigned what, rlim_t most) {
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    setrlimit(what, &(struct rlimit){.rlim_cur = most, .rlim_max = most});
}

/* Bytes that are mapped now; 0 if the system does not say. */
static rlim_t mapped(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    (void)fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

void script_guard_limit(void) {
    rlim_t inherited = mapped(); /* while a file can be opened */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_CPU, CPU_SECONDS);
    limit(RLIMIT_NOFILE, DESCRIPTORS);
    if (!GUARD_SANITIZED)
        limit(RLIMIT_AS, inherited + ADDRESS_SPACE); /* sanitizers map terabytes */
}

static void close_one_by_one(int first) {
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < most; fd++) close(fd);
}

#ifdef __linux__

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

void script_guard_close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
    close_one_by_one(first);
}

bool script_guard_die_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

/* ── the filter ──────────────────────────────────────────────────────────────────────────────────
 * A program of classic BPF that the kernel runs before each system call of the worker:
 *
 *     architecture is ours? ──no──▶ kill          (another one would have other numbers)
 *     number is in the list? ─yes─▶ allow
 *     kill */
#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OUR_ARCHITECTURE

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000u
#endif

#define LOAD(field)                                                                                \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(what)     BPF_STMT(BPF_RET | BPF_K, what)
#define SKIP_IF(what, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what, n, 0)
#define ALLOW(name)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)__NR_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)

static struct sock_filter program[] = {
    LOAD(arch),
    SKIP_IF(OUR_ARCHITECTURE, 1),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    /* messages */
    ALLOW(read),
    ALLOW(write),
    /* malloc */
    ALLOW(brk),
    ALLOW(mmap),
    ALLOW(munmap),
    ALLOW(mremap),
    /* the deadline's signal, and locks of the C library around it */
    ALLOW(rt_sigaction),
    ALLOW(rt_sigreturn),
    ALLOW(rt_sigprocmask),
    ALLOW(futex),
    /* clock(), which table.sort calls; qsort() looks at the memory there is */
    ALLOW(clock_gettime),
    ALLOW(sysinfo),
    ALLOW(exit),
    ALLOW(exit_group),
    RETURN(SECCOMP_RET_KILL_PROCESS),
};

/* A kernel with filters looks at the program before it complains about it; one without says
 * "invalid". */
static bool kernel_has_filters(void) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

enum guard_lock script_guard_lock(void) {
    if (GUARD_SANITIZED || !kernel_has_filters()) return GUARD_OPEN;
    struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return GUARD_FAILED;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? GUARD_LOCKED : GUARD_FAILED;
}

const char *script_guard_without(void) {
    if (GUARD_SANITIZED) return "rlimits (no seccomp filter in a sanitizer build)";
    return kernel_has_filters() ? NULL : "rlimits (no seccomp filter: this kernel has none)";
}

#else

enum guard_lock script_guard_lock(void) {
    return GUARD_OPEN;
}

const char *script_guard_without(void) {
    return "rlimits (no seccomp filter: none is written for this processor)";
}

#endif

void script_guard_try(void) {
    (void)syscall(SYS_getppid);
}

void script_guard_pause(int pid) {
    kill(pid, SIGSTOP);
}

void script_guard_resume(int pid) {
    kill(pid, SIGCONT);
}

#else

void script_guard_close_from(int first) {
    close_one_by_one(first);
}

bool script_guard_die_with(int parent) {
    return getppid() == parent;
}

enum guard_lock script_guard_lock(void) {
    return GUARD_OPEN;
}

const char *script_guard_without(void) {
    return "rlimits (no seccomp filter: only Linux has one)";
}

void script_guard_try(void) {}

void script_guard_pause(int pid) {
    (void)pid;
}

void script_guard_resume(int pid) {
    (void)pid;
}

#endif
