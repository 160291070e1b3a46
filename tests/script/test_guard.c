/* What a worker has, asked of a worker: one that answers with what it found wrong. */
#include "script/opening.h"

#include "script/guard.h"
#include "script/open.h"
#include "script/process.h"
#include "script/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ── in the worker ─────────────────────────────────────────────────────────────────────────────*/

static bool is_null(int fd) {
    struct stat null, it;
    return stat("/dev/null", &null) == 0 && fstat(fd, &it) == 0 && S_ISCHR(it.st_mode) &&
           it.st_rdev == null.st_rdev;
}

static bool limited_to(unsigned what, rlim_t most) {
    struct rlimit now;
    return getrlimit(what, &now) == 0 && now.rlim_max <= most;
}

static const char *wrong_descriptor(void) {
    struct stat it;
    for (int fd = 0; fd < 3; fd++)
        if (!is_null(fd)) return "0 to 2 are not /dev/null";
    if (fstat(3, &it) != 0 || !S_ISSOCK(it.st_mode)) return "3 is not a socket";
    for (int fd = 4; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) != -1) return "a descriptor over 3 is open";
    return dup(3) < 0 ? NULL : "another descriptor can be had";
}

static const char *wrong(void) {
    struct sigaction now;
    if (!limited_to(RLIMIT_CORE, 0)) return "there may be a core file";
    if (!limited_to(RLIMIT_FSIZE, 0)) return "files may grow";
    if (!limited_to(RLIMIT_CPU, 60)) return "processor time has no limit";
    if (!GUARD_SANITIZED && !limited_to(RLIMIT_AS, 1u << 31))
        return "the address space has no limit";
    if (getsid(0) != getpid()) return "it is in the tutor's session: keys at the terminal reach it";
    if (sigaction(SIGUSR1, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
        return "a handler of the tutor's is left";
    return wrong_descriptor();
}

static void tell_wrong(int fd, struct trace *trace) {
    (void)trace;
    const char *what = wrong();
    script_wire_write(fd, what ? what : "nothing", strlen(what ? what : "nothing"));
}

/* Everything the filter allows, done under it. */
static void do_what_is_allowed(int fd, struct trace *trace) {
    struct timespec now;
    trace->line = 12;
    void *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page = mremap(page, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
    munmap(page, 1 << 21);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    (void)clock();
    signal(SIGALRM, SIG_IGN);
    if (page != MAP_FAILED) script_wire_write(fd, "nothing", 7);
}

/* ── in the tutor ──────────────────────────────────────────────────────────────────────────────*/

static void expect_nothing_wrong(process_main *run, bool unlocked) {
    struct base_message m;
    struct process p = {0};
    struct wire_in in = {0};
    /* inherited on purpose: not close-on-exec, and there is no exec anyway */
    int extra = open("/dev/null", O_RDONLY);
    signal(SIGUSR1, SIG_IGN);
    assert_true(script_process_start(&p, run, unlocked, &m));
    if (script_wire_receive(&in, p.fd, base_ticks() + 20000) != WIRE_WHOLE)
        fail_msg("the worker died with status %x", (unsigned)script_process_end(&p));
    in.body[in.length] = '\0';
    assert_string_equal(in.body, "nothing");
    if (!unlocked) assert_int_equal(p.trace->line, 12);
    script_wire_free(&in);
    script_process_end(&p);
    close(extra);
    signal(SIGUSR1, SIG_DFL);
    assert_true(opening_childless());
}

static void it_has_only_what_it_needs(void **state) {
    (void)state;
    expect_nothing_wrong(tell_wrong, true);
}

static void what_it_needs_is_allowed(void **state) {
    (void)state;
    expect_nothing_wrong(do_what_is_allowed, false);
}

static void wait_for_ever(int fd, struct trace *trace) {
    char c;
    trace->began = true;
    while (read(fd, &c, 1) == 1) {
    }
    for (;;) {
    } /* the tutor's end closed: only its death ends this */
}

/* A tutor of its own that starts a worker, tells its number, and is killed. */
static void be_a_tutor(int out) {
    struct process p;
    struct base_message m;
    if (!script_process_start(&p, wait_for_ever, false, &m)) _exit(1);
    while (!p.trace->began) usleep(1000);
    if (write(out, &p.pid, sizeof p.pid) != sizeof p.pid) _exit(1);
    for (;;) pause();
}

static void it_dies_with_the_tutor(void **state) {
    (void)state;
    int pair[2], worker = 0, status;
    /* the orphan becomes ours, so that its end can be waited for */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    assert_int_equal(pipe(pair), 0);
    pid_t tutor = fork();
    if (tutor == 0) be_a_tutor(pair[1]);
    assert_int_equal(read(pair[0], &worker, sizeof worker), sizeof worker);
    kill(tutor, SIGKILL);
    assert_int_equal(waitpid(tutor, &status, 0), tutor);
    alarm(10); /* a worker that lives on ends the test */
    assert_int_equal(waitpid(worker, &status, 0), worker);
    alarm(0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(pair[0]);
    close(pair[1]);
}

static void the_guards_are_named(void **state) {
    (void)state;
    assert_non_null(strstr(script_guards(), "rlimits"));
    assert_non_null(strstr(script_guards(), "seccomp"));
    assert_non_null(strstr(script_guards_of(true), "rlimits (no seccomp filter"));
    if (!GUARD_SANITIZED && !script_guard_without())
        assert_string_equal(script_guards(), "seccomp filter, rlimits");
    assert_true(opening_childless());
}

/* ── a filter that the kernel does not take ────────────────────────────────────────────────────*/

/* From here on this process and its children get EPERM for any filter of their own. */
static bool refuse_filters(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), /* the question whether there are filters */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = BASE_COUNT(program), .filter = program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void no_lesson_runs_without_its_filter(void **state) {
    (void)state;
    static const char text[] = "return lesson { id = '0.1', title = 't', say { id = 'a', 't' } }";
    int ends[2], status;
    char said[600] = "";
    if (GUARD_SANITIZED || script_guard_without()) skip();
    assert_int_equal(pipe(ends), 0);
    pid_t tutor = fork();
    if (tutor == 0) {
        struct base_message m = {0};
        if (!refuse_filters()) _exit(2);
        struct script *s = script_open_text("x.lua", text, sizeof text - 1, NULL, &m);
        dprintf(ends[1], "%s; %s", s ? "it runs" : m.what, script_guards());
        script_close(s);
        _exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    assert_int_equal(waitpid(tutor, &status, 0), tutor);
    if (WEXITSTATUS(status) == 2) skip(); /* no filters here */
    assert_true(n > 0);
    assert_string_equal(said, "the lesson was not run: this kernel refuses the filter that guards "
                              "the machine from it (seccomp); nothing: this kernel refuses the "
                              "seccomp filter, so no lesson runs");
}

/* ── after the answer ──────────────────────────────────────────────────────────────────────────*/

static void answer(int fd) {
    static const char lesson[] = "{\"is\":\"lesson\",\"lesson\":{}}";
    script_wire_write(fd, lesson, sizeof lesson - 1);
}

static void answer_and_spin(int fd, struct trace *trace) {
    (void)trace;
    answer(fd);
    for (;;) {
    }
}

/* It looks idle, and begins when the tutor no longer looks. */
static void answer_wait_and_spin(int fd, struct trace *trace) {
    struct timespec a_moment = {.tv_nsec = 50000000};
    int word = 0;
    (void)trace;
    answer(fd);
    for (;;) {
        syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, &a_moment, NULL, 0);
        for (volatile int i = 0; i < 100000000;) i++;
    }
}

static struct script *opened_with(process_main *run) {
    struct base_message m = {0};
    struct script *s = script_open_with(run, "x.lua", "", 0, NULL, &m);
    if (!s) fail_msg("%s", m.what);
    return s;
}

/* Whether a process stands still, stopped. */
static bool is_stopped(int pid) {
    char path[40], line[400] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (f) (void)fclose(f);
    return end && end[2] == 'T';
}

static void after_its_answer_it_stands_still(void **state) {
    process_main *const runs[] = {answer_and_spin, answer_wait_and_spin};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct script *s = opened_with(runs[i]);
        int pid = opening_worker();
        assert_true(pid > 0);
        while (!is_stopped(pid)) usleep(1000); /* run.sh ends a test that never ends */
        script_close(s);
        assert_true(opening_childless());
    }
}

/* It is found out when it is asked. */
static void one_that_spins_after_its_answer_is_killed(void **state) {
    struct base_message m = {0};
    (void)state;
    struct script *s = opened_with(answer_and_spin);
    struct lesson_source source = script_source(s);
    assert_null(source.call(source.self, 1, 7, &m));
    assert_non_null(strstr(m.what, "in time"));
    assert_int_equal(opening_worker(), 0);
    assert_true(opening_childless());
    script_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_only_what_it_needs),
        cmocka_unit_test(what_it_needs_is_allowed),
        cmocka_unit_test(it_dies_with_the_tutor),
        cmocka_unit_test(the_guards_are_named),
        cmocka_unit_test(no_lesson_runs_without_its_filter),
        cmocka_unit_test(one_that_spins_after_its_answer_is_killed),
        cmocka_unit_test(after_its_answer_it_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
