/* The launcher: ranks that end well, and every way in which one may not. Each case is a row: what
 * the ranks do, and how the run must end. Whatever happens, it ends within five seconds, and
 * nothing is left: no process, no file, no shared memory. */
#include "lab/comm.h"
#include "lab/launch.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* An argument of all ranks of this program, and of no other that runs beside it: by it they are
 * found. */
static char marker[48];

/* ── what ranks do: the status they end with ── */

struct self {
    struct lab_comm *c;
    uint32_t rank;
    struct lab_message m;
};
static int say(const struct self *s, const char *text, int status) {
    lab_launch_write(s->rank, text);
    return status;
}
static int meet(struct self *s) {
    double all[LAB_RANKS_MAX];
    bool well = s->c->row->exchange(s->c, s->rank, all, &s->m);
    return say(s, well ? "met" : s->m.text, well ? 0 : 1);
}
static int gather(struct self *s) {
    float *mine = s->c->row->alloc(s->c, 4000), whole[1000 * 8];
    struct lab_transfer x = {.op = LAB_ALL_GATHER, .whole = whole, .shard = mine, .count = 1000};
    bool well = s->c->row->wait(s->c, s->c->row->start(s->c, &x), &s->m);
    return say(s, well ? "gathered" : s->m.text, well ? 0 : 1);
}
static int compute(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    double until = (double)t.tv_sec + (double)t.tv_nsec / 1e9 + seconds;
    while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < until)
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 0;
}
/* Rank 2 comes to harm in step 7, backward, unit 3. */
static bool harmed(struct self *s) {
    s->c->row->progress(s->c, 7, LAB_AT_BACKWARD, (int)s->rank + 1);
    return s->rank == 2;
}

static int well(struct self *s) {
    return meet(s) || gather(s);
}
static int talks(struct self *s) {
    char *line = malloc(1 << 20);
    memset(line, 'a' + (int)s->rank, 1 << 20);
    line[(1 << 20) - 1] = '\0';
    for (int i = 0; i < 3000; i++) say(s, "short", 0);
    say(s, line, 0);
    free(line);
    return 0;
}
static int killed(struct self *s) {
    return harmed(s) ? raise(SIGKILL) : meet(s);
}
static int killed_gathering(struct self *s) {
    return harmed(s) ? raise(SIGKILL) : gather(s);
}
static int crashes(struct self *s) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGSEGV, SIG_DFL); /* sanitizers catch it */
    return harmed(s) ? raise(SIGSEGV) : meet(s);
}
static int stops(struct self *s) {
    return harmed(s) ? raise(SIGSTOP) : meet(s);
}
static int sleeps(struct self *s) {
    return harmed(s) ? pause() : gather(s);
}
static int fails(struct self *s) {
    return harmed(s) ? say(s, "no memory", 3) : meet(s);
}
/* The others notice, and end, before this one has. */
static int lingers(struct self *s) {
    if (!harmed(s)) return meet(s);
    s->c->row->close(s->c);
    s->c = NULL;
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return 3;
}
/* The same, and then it is killed: as where a driver first takes a GPU back. */
static int dies_slowly(struct self *s) {
    if (!harmed(s)) return meet(s);
    s->c->row->close(s->c);
    s->c = NULL;
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    return raise(SIGKILL);
}
/* … and then it stands still. */
static int never_ends(struct self *s) {
    if (!harmed(s)) return meet(s);
    s->c->row->close(s->c);
    s->c = NULL;
    return pause();
}
static int leaves(struct self *s) {
    if (harmed(s)) _exit(0);
    return gather(s);
}
static int computes(struct self *s) {
    return harmed(s) ? compute(1.8) + meet(s) : meet(s);
}
static int crossed(struct self *s) {
    return harmed(s) ? gather(s) : meet(s);
}
static int interrupts(struct self *s) {
    if (harmed(s)) kill(getppid(), SIGINT);
    return pause();
}
static int terminates(struct self *s) {
    if (harmed(s)) kill(getppid(), SIGTERM);
    return pause();
}
static int waits(struct self *s) {
    say(s, "here", 0);
    return pause();
}
static int environment(struct self *s) {
    char text[200];
    snprintf(text, sizeof text, "%s of %s, local %s, threads %s, shell says %s",
             getenv("ZEROLAB_RANK"), getenv("ZEROLAB_RANKS"), getenv("ZEROLAB_LOCAL_RANK"),
             getenv("OPENBLAS_NUM_THREADS"), lab_launch_rank() == s->rank ? "so" : "else");
    return say(s, text, 0);
}
static int short_of_memory(struct self *s) {
    bool none = !s->c->row->alloc(s->c, 64 << 20);
    return say(s, s->c->trouble, none ? 0 : 1);
}

static const struct scenario {
    const char *name;
    int (*run)(struct self *s);
    enum lab_ending ending;
    int rank, status; /* of `rank` where it is one, else of rank 0; −1: any */
    const char *text; /* in the cause */
    const char *said; /* by rank 0, last */
    double latency;
    enum lab_transport comm;
} scenarios[] = {
    {"well", well, LAB_ENDED_WELL, -1, 0, "", "gathered", 0, LAB_SHM},
    /* three steps: 1.8 s, the stall is 1 s */
    {"slow link", well, LAB_ENDED_WELL, -1, 0, "", "gathered", 0.6, LAB_SHM},
    {"computes", computes, LAB_ENDED_WELL, -1, 0, "", "met", 0, LAB_SHM},
    {"environment", environment, LAB_ENDED_WELL, -1, 0, "",
     "0 of 4, local 0, threads 1, shell says so", 0, LAB_SHM},
    {"killed", killed, LAB_ENDED_SIGNAL, 2, 128 + SIGKILL, "killed by signal 9", NULL, 0, LAB_SHM},
    {"killed gathering", killed_gathering, LAB_ENDED_SIGNAL, 2, 128 + SIGKILL, "killed by signal 9",
     NULL, 0, LAB_SHM},
    {"crashes", crashes, LAB_ENDED_SIGNAL, 2, 128 + SIGSEGV, "killed by signal 11", NULL, 0,
     LAB_SHM},
    {"stops", stops, LAB_ENDED_HANG, 2, -1, "stopped", NULL, 0, LAB_SHM},
    {"sleeps", sleeps, LAB_ENDED_HANG, 2, -1, "no sign of life", NULL, 0, LAB_SHM},
    {"crossed", crossed, LAB_ENDED_HANG, -1, -1, "waited for each other", NULL, 0, LAB_SHM},
    {"fails", fails, LAB_ENDED_STATUS, 2, 3, "ended with status 3", "rank 2 left the run", 0,
     LAB_SHM},
    {"lingers", lingers, LAB_ENDED_STATUS, 2, -1, "ended with status", "rank 2 left the run", 0,
     LAB_SHM},
    {"dies slowly", dies_slowly, LAB_ENDED_SIGNAL, 2, 128 + SIGKILL, "killed by signal 9",
     "rank 2 left the run", 0, LAB_SHM},
    {"never ends", never_ends, LAB_ENDED_STATUS, 2, 128 + SIGKILL, "zerolab had to end it",
     "rank 2 left the run", 0, LAB_SHM},
    {"leaves", leaves, LAB_ENDED_STATUS, 2, 0, "ended while other ranks", "rank 2 left the run", 0,
     LAB_SHM},
    {"interrupts", interrupts, LAB_ENDED_CANCELLED, -1, -1, "cancelled by signal 2", NULL, 0,
     LAB_SHM},
    {"terminates", terminates, LAB_ENDED_CANCELLED, -1, -1, "cancelled by signal 15", NULL, 0,
     LAB_SHM},
    {"well", well, LAB_ENDED_WELL, -1, 0, "", "gathered", 0, LAB_LOCAL},
    {"killed", killed, LAB_ENDED_SIGNAL, -1, 128 + SIGKILL, "killed by signal 9", NULL, 0,
     LAB_LOCAL},
    {"stops", stops, LAB_ENDED_HANG, -1, -1, "stopped", NULL, 0, LAB_LOCAL},
    {"sleeps", sleeps, LAB_ENDED_HANG, 2, -1, "no sign of life", NULL, 0, LAB_LOCAL},
    {"fails", fails, LAB_ENDED_STATUS, 2, 3, "ended with status 3", "rank 2 left the run", 0,
     LAB_LOCAL},
    {"terminates", terminates, LAB_ENDED_CANCELLED, -1, -1, "cancelled by signal 15", NULL, 0,
     LAB_LOCAL},
    {"talks", talks, LAB_ENDED_WELL, -1, 0, "", NULL, 0, LAB_SHM},
    {"waits", waits, LAB_ENDED_WELL, -1, 0, "", NULL, 0, LAB_SHM},
    {"short of memory", short_of_memory, LAB_ENDED_WELL, -1, 0, "", NULL, 0, LAB_SHM},
};
static const struct scenario *the(const char *name) {
    const struct scenario *s = scenarios;
    while (strcmp(s->name, name)) s++;
    return s;
}
static int play(const struct scenario *scene, struct self *s) {
    if (!s->c) {
        fprintf(stderr, "%s\n", s->m.text);
        return 9;
    }
    int status = scene->run(s);
    if (s->c) s->c->row->close(s->c);
    return status;
}
struct thread {
    const struct scenario *scene;
    struct lab_local *shared;
    uint32_t rank;
    int status;
};
static void *play_thread(void *self) {
    struct thread *t = self;
    struct self s = {.rank = t->rank};
    s.c = lab_local_open(t->shared, t->rank, &s.m);
    t->status = play(t->scene, &s);
    return NULL;
}
/* All ranks in this process: its status is the highest of theirs. */
static int threads_main(const struct scenario *scene) {
    struct lab_options o = {.comm = LAB_LOCAL,
                            .ranks = (uint32_t)atoi(getenv("ZEROLAB_RANKS")),
                            .link_latency = scene->latency};
    struct lab_message m;
    struct lab_local *shared = lab_local_new(&o, &m);
    struct thread t[LAB_RANKS_MAX];
    pthread_t id[LAB_RANKS_MAX];
    int status = shared ? 0 : 9;
    for (uint32_t r = 0; shared && r < o.ranks; r++) {
        t[r] = (struct thread){scene, shared, r, 9};
        if (pthread_create(&id[r], NULL, play_thread, &t[r])) return 9;
    }
    for (uint32_t r = 0; shared && r < o.ranks; r++) {
        pthread_join(id[r], NULL);
        if (t[r].status > status) status = t[r].status;
    }
    if (shared) lab_local_free(shared);
    return status;
}
static int rank_main(const char *name, bool local) {
    const struct scenario *scene = the(name);
    struct lab_options o = {.link_latency = scene->latency};
    struct self s = {.rank = lab_launch_rank()};
    if (local) return threads_main(scene);
    s.c = lab_shm_open(&o, &s.m);
    return play(scene, &s);
}

/* ── what is left ── */

static bool has_marker(const char *pid) {
    char path[300], words[4096];
    snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
    FILE *f = fopen(path, "re");
    if (!f) return false;
    size_t n = fread(words, 1, sizeof words - 1, f);
    fclose(f);
    for (size_t i = 0; i < n; i++)
        if (!words[i]) words[i] = ' ';
    words[n] = '\0';
    return strstr(words, marker) != NULL;
}
static int entries(const char *folder, bool marked) {
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.' && (!marked || has_marker(e->d_name));
    if (d) closedir(d);
    return n;
}
static int ranks_alive(void) {
    return entries("/proc", true);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* ── running ── */

struct heard {
    int lines[LAB_RANKS_MAX];
    char last[LAB_RANKS_MAX][200];
    size_t longest;
};
static void hear(void *self, uint32_t rank, const char *line) {
    struct heard *h = self;
    h->lines[rank]++;
    size_t n = strlen(line);
    if (n > h->longest) h->longest = n;
    snprintf(h->last[rank], sizeof h->last[rank], "%s", line);
}
static struct lab_launch_end launch(const char *name, enum lab_transport comm, uint32_t ranks,
                                    struct heard *heard) {
    char words[3][64];
    char *argv[] = {words[0], words[1], words[2], NULL};
    snprintf(words[0], sizeof words[0], "%s", marker);
    snprintf(words[1], sizeof words[1], "%s", name);
    snprintf(words[2], sizeof words[2], "%s", comm == LAB_LOCAL ? "local" : "shm");
    struct lab_options o = {.comm = comm, .ranks = ranks, .stall = 1};
    struct lab_launch_end end;
    *heard = (struct heard){.longest = 0};
    bool well = lab_launch(&o, argv, &(struct lab_hearer){.line = hear, .self = heard}, &end);
    assert_int_equal(well, end.ending == LAB_ENDED_WELL);
    return end;
}
static void test_scenario(void **state) {
    const struct scenario *s = *state;
    struct heard heard;
    int files = entries("/proc/self/fd", false), shared = entries("/dev/shm", false);
    double began = now();
    struct lab_launch_end end = launch(s->name, s->comm, 4, &heard);
    if (s->ending != LAB_ENDED_WELL) assert_true(now() - began < 5);
    if (end.ending != s->ending || end.rank != s->rank) fail_msg("rank %d: %s", end.rank, end.text);
    assert_non_null(strstr(end.text, s->text));
    if (s->status >= 0) assert_int_equal(end.status[s->rank >= 0 ? s->rank : 0], s->status);
    if (s->said) assert_string_equal(heard.last[0], s->said);
    if (s->rank == 2) {
        assert_int_equal(end.where.step, 7);
        assert_int_equal(end.where.phase, LAB_AT_BACKWARD);
        assert_int_equal(end.where.unit, 3);
    }
    assert_int_equal(ranks_alive(), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(entries("/proc/self/fd", false), files);
    assert_int_equal(entries("/dev/shm", false), shared);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGINT) || sigismember(&mask, SIGTERM));
}
static void test_lines(void **state) {
    (void)state;
    struct heard heard;
    struct lab_launch_end end = launch("talks", LAB_SHM, 5, &heard);
    assert_int_equal(end.ending, LAB_ENDED_WELL);
    for (int r = 0; r < 5; r++) {
        assert_int_equal(heard.lines[r], 3001);
        assert_int_equal(heard.last[r][0], 'a' + r);
    }
    assert_int_equal(heard.longest, (1 << 20) - 1);
}

/* kill -9 for the launcher takes its ranks along. */
static void test_launcher_killed(void **state) {
    (void)state;
    int shared = entries("/dev/shm", false);
    pid_t launcher = fork();
    if (launcher == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test leaves none behind */
        struct heard heard;
        launch("waits", LAB_SHM, 4, &heard);
        _exit(0);
    }
    double began = now();
    while (ranks_alive() < 4 && now() - began < 60) nap();
    assert_int_equal(ranks_alive(), 4);
    kill(launcher, SIGKILL);
    waitpid(launcher, NULL, 0);
    began = now();
    while (ranks_alive() && now() - began < 5) nap();
    assert_int_equal(ranks_alive(), 0);
    assert_int_equal(entries("/dev/shm", false), shared);
}

static void test_foreign_launchers(void **state) {
    (void)state;
    static const char *const names[][3] = {
        {"torchrun", "WORLD_SIZE", "RANK"},
        {"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
        {"Slurm", "SLURM_NTASKS", "SLURM_PROCID"}};
    struct heard heard;
    for (size_t i = 0; i < 3; i++) {
        setenv(names[i][1], "4", 1);
        setenv(names[i][2], "0", 1);
        struct lab_launch_end end = launch("well", LAB_SHM, 1, &heard);
        assert_int_equal(end.ending, LAB_ENDED_START);
        assert_non_null(strstr(end.text, names[i][0]));
        assert_non_null(strstr(end.text, "--ranks 4"));
        setenv(names[i][1], "1", 1);
        assert_int_equal(launch("well", LAB_SHM, 1, &heard).ending, LAB_ENDED_WELL);
        unsetenv(names[i][1]);
        unsetenv(names[i][2]);
    }
}
static void test_too_many(void **state) {
    (void)state;
    struct heard heard;
    struct lab_launch_end end = launch("well", LAB_SHM, LAB_RANKS_MAX + 1, &heard);
    assert_int_equal(end.ending, LAB_ENDED_START);
    assert_non_null(strstr(end.text, "65 ranks"));
}

/* Under a limit of files' size there is less shared memory, and a rank that wants more is told so,
 * not killed. */
static void test_limit(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct heard heard;
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 20, 1 << 20});
        struct lab_launch_end end = launch("short of memory", LAB_SHM, 2, &heard);
        _exit(end.ending == LAB_ENDED_WELL && strstr(heard.last[1], "more than the 1048576") ? 0
                                                                                             : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

int main(int argc, char **argv) {
    if (lab_launched()) return argc > 2 ? rank_main(argv[1], !strcmp(argv[2], "local")) : 9;
    snprintf(marker, sizeof marker, "zerolab-test-rank-of-%d", getpid());
    enum { CASES = 23 }; /* the scenarios that stand for themselves */
    struct CMUnitTest tests[CASES + 5];
    for (size_t i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){.name = scenarios[i].name,
                                       .test_func = test_scenario,
                                       .initial_state = (void *)(uintptr_t)&scenarios[i]};
    const struct CMUnitTest others[5] = {
        cmocka_unit_test(test_lines), cmocka_unit_test(test_launcher_killed),
        cmocka_unit_test(test_foreign_launchers), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_limit)};
    memcpy(tests + CASES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
