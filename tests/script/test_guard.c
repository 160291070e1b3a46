/* What a worker has, asked of a worker: one that answers with what it found wrong. */
#include "script/opening.h"

#include "script/guard.h"
#include "script/process.h"
#include "script/wire.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ── in the worker ───────────────────────────────────────────────────────────────────────────────*/

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
    wire_write(fd, what ? what : "nothing", strlen(what ? what : "nothing"));
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
    if (page != MAP_FAILED) wire_write(fd, "nothing", 7);
}

/* ── in the tutor ────────────────────────────────────────────────────────────────────────────────*/

static void expect_nothing_wrong(process_main *run, bool unlocked) {
    struct base_message m;
    struct process p = {0};
    struct wire_in in = {0};
    int extra =
        open("/dev/null",
             O_RDONLY); /* inherited on purpose: not close-on-exec, and there is no exec anyway */
    signal(SIGUSR1, SIG_IGN);
    assert_true(process_start(&p, run, unlocked, &m));
    if (wire_receive(&in, p.fd, base_ticks() + 2000) != WIRE_WHOLE)
        fail_msg("the worker died with status %x", (unsigned)process_end(&p));
    in.body[in.length] = '\0';
    assert_string_equal(in.body, "nothing");
    if (!unlocked) assert_int_equal(p.trace->line, 12);
    wire_free(&in);
    process_end(&p);
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
    if (!process_start(&p, wait_for_ever, false, &m)) _exit(1);
    while (!p.trace->began) usleep(1000);
    if (write(out, &p.pid, sizeof p.pid) != sizeof p.pid) _exit(1);
    for (;;) pause();
}

static void it_dies_with_the_tutor(void **state) {
    (void)state;
    int pair[2], worker = 0, status;
    prctl(PR_SET_CHILD_SUBREAPER,
          1); /* the orphan becomes ours, so that its end can be waited for */
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
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_only_what_it_needs),
        cmocka_unit_test(what_it_needs_is_allowed),
        cmocka_unit_test(it_dies_with_the_tutor),
        cmocka_unit_test(the_guards_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
