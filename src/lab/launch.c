/* The launcher: starts the ranks, hears them, and looks after them until none is left. */
#include "lab/launch.h"

#include "lab/cpu/arena.h"
#include "lab/cpu/backend.h"
#include "lab/out.h"
#include "lab/secret.h"
#include "lab/watchdog.h"
#include "lab/world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The pipe of one rank's lines. */
struct lines {
    /* −1: closed. */
    int from, into;
    /* What was read of a line that is not complete yet. */
    char *text;
    size_t used, capacity;
};
struct run {
    const struct lab_options *options;
    const struct lab_hearer *hearer;
    struct lab_launch_end *end;
    uint32_t ranks;
    /* The control block, then (shm) each rank's arena. −1: none. */
    int file[1 + LAB_RANKS_MAX];
    /* Where ranks meet (nccl), and the secret of their meeting. −1: they do not meet. */
    int listener;
    char secret[LAB_SECRET_SIZE];
    struct lab_control *control;
    struct lines pipe[LAB_RANKS_MAX];
    /* The process that is the rank, or (local) in which it is a thread. 0: none, or it has
     * ended. */
    pid_t pid[LAB_RANKS_MAX];
    pid_t group;
    /* Whether the launcher has killed the ranks that were left. */
    bool put_down;
    /* Signals that the launcher heeds, and the mask that it found. */
    sigset_t taken, before;
    struct lab_watchdog watchdog;
};

/* ── starting ──
 *
 * What the processes share is made first, and inherited by number. Nothing of it has a name. */

static bool cannot(struct run *run, const char *what) {
    snprintf(run->end->text, sizeof run->end->text, "%s: %s", what, strerror(errno));
    return false;
}
static bool make_files(struct run *run) {
    struct lab_message m = {""};
    size_t size = lab_arena_size(run->ranks), bytes;
    uint32_t files = run->options->comm == LAB_SHM ? 1 + run->ranks : 1;
    for (uint32_t i = 0; i < files && !m.text[0]; i++)
        run->file[i] = lab_arena_file(i ? size : sizeof *run->control, &m);
    if (!m.text[0]) run->control = lab_arena_map(run->file[0], &bytes, &m);
    if (run->control) lab_control_init(run->control, run->ranks);
    snprintf(run->end->text, sizeof run->end->text, "%s", m.text);
    return run->control != NULL;
}
static bool make_pipe(struct lines *p) {
    int ends[2];
    if (pipe(ends)) return false;
    p->from = ends[0];
    p->into = ends[1];
    fcntl(p->from, F_SETFD, FD_CLOEXEC);
    fcntl(p->into, F_SETFD, FD_CLOEXEC);
    fcntl(p->from, F_SETFL, O_NONBLOCK);
    return true;
}
/* Where ranks meet, and by what they know each other there. */
static bool make_secret(struct run *run) {
    struct lab_message m = {""};
    if (run->options->comm != LAB_NCCL || lab_secret_new(run->secret, &m)) return true;
    snprintf(run->end->text, sizeof run->end->text, "%s", m.text);
    return false;
}
/* Any free port: whoever else wants one gets another. */
static bool make_listener(struct run *run) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (run->options->comm != LAB_NCCL) return true;
    run->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (run->listener >= 0 && !fcntl(run->listener, F_SETFD, FD_CLOEXEC) &&
        !bind(run->listener, (struct sockaddr *)&a, sizeof a) &&
        !listen(run->listener, LAB_RANKS_MAX))
        return true;
    return cannot(run, "cannot make a socket at which ranks meet");
}
static bool prepare(struct run *run) {
    run->listener = -1;
    for (uint32_t i = 0; i <= LAB_RANKS_MAX; i++) run->file[i] = -1;
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++) run->pipe[r].from = run->pipe[r].into = -1;
    if (!make_files(run) || !make_secret(run) || !make_listener(run)) return false;
    for (uint32_t r = 0; r < run->ranks; r++)
        if (!make_pipe(&run->pipe[r])) return cannot(run, "cannot make a pipe for a rank");
    return true;
}
static void close_writing(struct run *run) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        if (run->pipe[r].into >= 0) close(run->pipe[r].into);
        run->pipe[r].into = -1;
    }
}
static void release(struct run *run) {
    close_writing(run);
    for (uint32_t r = 0; r < run->ranks; r++) {
        if (run->pipe[r].from >= 0) close(run->pipe[r].from);
        free(run->pipe[r].text);
    }
    for (uint32_t i = 0; i <= run->ranks; i++)
        if (run->file[i] >= 0) close(run->file[i]);
    if (run->listener >= 0) close(run->listener);
    if (run->control) munmap(run->control, sizeof *run->control);
}

/* ── in the child, before it executes itself ── */

static void set_number(const char *name, uint32_t value) {
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    setenv(name, text, 1);
}
/* Names the files in a list that is put into the environment. */
static void append(char *list, size_t capacity, int fd) {
    size_t used = strlen(list);
    snprintf(list + used, capacity - used, "%s%d", used ? "," : "", fd);
}
static void keep(int fd) {
    if (fd >= 0) fcntl(fd, F_SETFD, 0);
}
static void pass_files(const struct run *run, uint32_t first, uint32_t last) {
    char memory[8 * (LAB_RANKS_MAX + 1)] = "", lines[8 * LAB_RANKS_MAX] = "";
    for (uint32_t i = 0; i <= run->ranks; i++) {
        if (run->file[i] >= 0) append(memory, sizeof memory, run->file[i]);
        keep(run->file[i]);
    }
    for (uint32_t r = 0; r < run->ranks; r++) append(lines, sizeof lines, run->pipe[r].into);
    for (uint32_t r = first; r <= last; r++) keep(run->pipe[r].into);
    setenv(LAB_ENV_MEMORY, memory, 1);
    setenv(LAB_ENV_LINES, lines, 1);
}
static void pass_meeting(const struct run *run, uint32_t rank) {
    struct sockaddr_in a = {.sin_port = 0};
    socklen_t size = sizeof a;
    if (run->listener < 0 || getsockname(run->listener, (struct sockaddr *)&a, &size)) return;
    set_number(LAB_ENV_PORT, ntohs(a.sin_port));
    set_number(LAB_ENV_LISTENER, (uint32_t)run->listener);
    setenv(LAB_ENV_SECRET, run->secret, 1);
    if (rank == 0) keep(run->listener);
}
/* Standard output is the launcher's alone; what a library prints there by itself goes to standard
 * error. */
static void redirect(void) {
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
}
/* The kernel kills a rank whose launcher has died; one that died before it could be told so is seen
 * by the parent's number. */
static void bind_to(pid_t launcher) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != launcher) _exit(1);
}
/* Should memory run out all the same, the system is to end a rank, and with it the run, rather than
 * a neighbour. */
static void stand_back(void) {
    FILE *f = fopen("/proc/self/oom_score_adj", "we");
    if (!f) return;
    (void)fputs("1000", f);
    (void)fclose(f);
}
static _Noreturn void become(struct run *run, char **argv, uint32_t first, uint32_t last,
                             pid_t launcher) {
    setpgid(0, run->group);
    bind_to(launcher);
    stand_back();
    sigprocmask(SIG_SETMASK, &run->before, NULL);
    signal(SIGPIPE, SIG_IGN);
    set_number(LAB_ENV_RANK, first);
    set_number(LAB_ENV_LOCAL_RANK, first);
    set_number(LAB_ENV_RANKS, run->ranks);
    pass_files(run, first, last);
    pass_meeting(run, first);
    lab_blas_environment(lab_blas_share(run->options));
    redirect();
    execv("/proc/self/exe", argv);
    execvp(argv[0], argv); /* where there is no /proc */
    lab_out_say("%s: cannot execute itself: %s", argv[0], strerror(errno));
    _exit(127);
}

/* ── in the launcher ── */

static bool spawn(struct run *run, char **argv, uint32_t first, uint32_t last) {
    pid_t launcher = getpid(), pid = fork();
    if (pid == 0) become(run, argv, first, last, launcher);
    if (pid < 0) return cannot(run, "a rank's process cannot be started (see ulimit -u)");
    if (!run->group) run->group = pid;
    setpgid(pid, run->group); /* here too: whoever comes first */
    for (uint32_t r = first; r <= last; r++) run->pid[r] = pid;
    return true;
}
static bool spawn_all(struct run *run, char **argv) {
    bool local = run->options->comm == LAB_LOCAL, well = true;
    if (local) well = spawn(run, argv, 0, run->ranks - 1);
    for (uint32_t r = 0; !local && well && r < run->ranks; r++) well = spawn(run, argv, r, r);
    close_writing(run);
    return well;
}

/* ── their lines: bytes in, complete lines out ── */

static void close_pipe(struct lines *p) {
    close(p->from);
    p->from = -1;
}
/* Passes on the whole lines of what has been read, and keeps the rest. */
static void pass_on(struct run *run, uint32_t r) {
    struct lines *p = &run->pipe[r];
    char *line = p->text, *end;
    while ((end = memchr(line, '\n', p->used - (size_t)(line - p->text)))) {
        *end = '\0';
        run->hearer->line(run->hearer->self, r, line);
        line = end + 1;
    }
    p->used -= (size_t)(line - p->text);
    memmove(p->text, line, p->used);
}
static bool can_hold_more(struct lines *p) {
    if (p->capacity - p->used > 4096) return true;
    char *more = realloc(p->text, p->capacity + 65536);
    if (!more) return false;
    p->text = more;
    p->capacity += 65536;
    return true;
}
/* Whether there was anything. */
static bool read_some(struct run *run, uint32_t r) {
    struct lines *p = &run->pipe[r];
    ssize_t n = can_hold_more(p) ? read(p->from, p->text + p->used, p->capacity - p->used) : 0;
    if (n > 0) {
        p->used += (size_t)n;
        pass_on(run, r);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_pipe(p);
    }
    return n > 0;
}
static void hear_lines(struct run *run, int ms) {
    struct pollfd fds[LAB_RANKS_MAX];
    for (uint32_t r = 0; r < run->ranks; r++)
        fds[r] = (struct pollfd){.fd = run->pipe[r].from, .events = POLLIN};
    if (poll(fds, run->ranks, ms) <= 0) return;
    for (uint32_t r = 0; r < run->ranks; r++)
        if (fds[r].revents) read_some(run, r);
}
static void hear_last_lines(struct run *run) {
    for (uint32_t r = 0; r < run->ranks; r++)
        while (run->pipe[r].from >= 0 && read_some(run, r)) continue;
}

/* ── looking after them ── */

/* Grace: for other ranks' last words when one has failed by itself. Dying: for one that the others
 * missed; a process that is killed with a GPU in its hands may be gone later than those who
 * noticed. */
enum { TICK_MS = 50, GRACE_MS = 500, DYING_MS = 2500 };

static bool failed(const struct run *run) {
    return run->end->ending != LAB_ENDED_WELL;
}
static void fail(struct run *run, enum lab_ending ending, int rank) {
    if (failed(run)) return;
    run->end->ending = ending;
    run->end->rank = rank;
}
static bool local(const struct run *run) {
    return run->options->comm == LAB_LOCAL;
}
static uint32_t living(const struct run *run) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < run->ranks; r++) n += run->pid[r] != 0;
    return n;
}

/* ── what happened ── */

/* The ends of those that missed rank r were seen before its own, which tells the cause. */
static bool is_blamed(const struct run *run, uint32_t r) {
    return run->end->ending == LAB_ENDED_STATUS && run->end->rank == (int)r;
}
/* A rank that others missed failed before those that missed it, whoever's end is seen first. */
static void judge(struct run *run, uint32_t r, int status) {
    struct lab_launch_end *end = run->end;
    uint32_t missed = atomic_load(&run->control->missed), left = atomic_load(&run->control->left);
    if (WIFSIGNALED(status) && is_blamed(run, r) && !run->put_down) {
        end->ending = LAB_ENDED_SIGNAL;
        end->signal = WTERMSIG(status);
    } else if (WIFSIGNALED(status)) {
        if (!failed(run)) end->signal = WTERMSIG(status);
        fail(run, LAB_ENDED_SIGNAL, local(run) ? -1 : (int)r);
    } else if (WEXITSTATUS(status) != 0) {
        fail(run, LAB_ENDED_STATUS,
             missed        ? (int)missed - 1
             : !local(run) ? (int)r
             : left        ? (int)left - 1
                           : -1);
    } else {
        lab_control_leave(run->control, r); /* a rank may have ended without a word */
    }
}
static void bury(struct run *run, pid_t pid, int status) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        if (run->pid[r] != pid) continue;
        run->pid[r] = 0;
        run->end->status[r] = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        judge(run, r, status);
    }
}
static void reap(struct run *run, int how) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        int status;
        pid_t pid = run->pid[r], ended = pid ? waitpid(pid, &status, how) : 0;
        if (ended == pid && pid) bury(run, pid, status);
        if (ended < 0 && errno != EINTR) run->pid[r] = 0; /* other code has waited for it */
    }
}
static void signal_ranks(const struct run *run, int signal) {
    if (run->group && living(run)) kill(-run->group, signal);
}
/* ^Z: the ranks stop with the launcher, and go on with it. */
static void suspend(struct run *run) {
    signal_ranks(run, SIGSTOP);
    raise(SIGSTOP);
    signal_ranks(run, SIGCONT);
}
static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static bool taken(const struct run *run, const sigset_t *pending, int signal) {
    return sigismember(pending, signal) && sigismember(&run->taken, signal);
}
/* Signals are kept pending and asked for: no handler, so nothing global. */
static void heed_signals(struct run *run) {
    sigset_t pending, one;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (!taken(run, &pending, endings[i]) || failed(run)) continue;
        run->end->signal = endings[i];
        fail(run, LAB_ENDED_CANCELLED, -1);
    }
    if (taken(run, &pending, SIGTSTP)) {
        int got;
        sigemptyset(&one);
        sigaddset(&one, SIGTSTP);
        sigwait(&one, &got);
        suspend(run);
    }
}
/* A look reads a file for each rank, which is too much for every line that they write. */
static void watch(struct run *run, bool heard) {
    if (heard && lab_now() - run->watchdog.looked < TICK_MS * 1000000LL) return;
    int rank = lab_watchdog_look(&run->watchdog, run->control, run->pid, heard, run->end->text,
                                 sizeof run->end->text);
    if (rank != LAB_NOBODY_HANGS) fail(run, LAB_ENDED_HANG, rank);
}

/* ── the run ── */

/* Ranks whose lines are not read stand still, and are not to blame. */
static bool hear_ranks(struct run *run) {
    const struct lab_hearer *h = run->hearer;
    enum lab_heard heard = h->settle ? h->settle(h->self, TICK_MS) : LAB_HEARD_ALL;
    if (heard == LAB_HEARD_LOST) fail(run, LAB_ENDED_LOST, -1);
    if (heard != LAB_HEARD_MORE) hear_lines(run, TICK_MS);
    return heard != LAB_HEARD_MORE;
}
static int64_t grace(const struct run *run) {
    const struct lab_launch_end *end = run->end;
    if (end->ending != LAB_ENDED_STATUS) return 0;
    bool dying = end->rank >= 0 && run->pid[end->rank];
    return (dying ? DYING_MS : GRACE_MS) * 1000000LL;
}
static void look_after(struct run *run) {
    int64_t over = 0;
    while (living(run)) {
        bool heard = hear_ranks(run);
        reap(run, WNOHANG);
        heed_signals(run);
        if (!failed(run)) watch(run, heard);
        if (failed(run) && !over) over = lab_now() + grace(run);
        if (over && lab_now() >= over) break;
    }
}
static void describe(struct run *run) {
    struct lab_launch_end *end = run->end;
    int status = end->rank >= 0 ? end->status[end->rank] : end->status[0];
    switch (end->ending) {
    case LAB_ENDED_STATUS:
        if (status > 128)
            snprintf(end->text, sizeof end->text,
                     "the other ranks missed it, and zerolab had to end it");
        else if (status)
            snprintf(end->text, sizeof end->text, "ended with status %d", status);
        else
            snprintf(end->text, sizeof end->text, "ended while other ranks still needed it");
        break;
    case LAB_ENDED_SIGNAL:
        snprintf(end->text, sizeof end->text, "killed by signal %d (%s)%s", end->signal,
                 strsignal(end->signal),
                 end->signal == SIGKILL
                     ? "; if no user killed it, the system did, because memory ran out"
                     : "");
        break;
    case LAB_ENDED_CANCELLED:
        snprintf(end->text, sizeof end->text, "cancelled by signal %d (%s)", end->signal,
                 strsignal(end->signal));
        break;
    case LAB_ENDED_LOST: snprintf(end->text, sizeof end->text, "ended in an unknown way"); break;
    default: break;
    }
    end->where = lab_control_where(run->control, end->rank >= 0 ? (uint32_t)end->rank : 0);
}
/* What is ignored (nohup) stays so: blocked, it would become pending. */
static void take(struct run *run, int signal) {
    struct sigaction found;
    if (!sigaction(signal, NULL, &found) && found.sa_handler != SIG_IGN)
        sigaddset(&run->taken, signal);
}
static void take_signals(struct run *run) {
    sigemptyset(&run->taken);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) take(run, endings[i]);
    take(run, SIGTSTP);
    sigprocmask(SIG_BLOCK, &run->taken, &run->before);
}
/* The one that was heeded is not delivered once more. */
static void give_back_signals(const struct run *run) {
    static const struct timespec now = {0, 0};
    sigset_t one;
    sigemptyset(&one);
    if (run->end->ending == LAB_ENDED_CANCELLED) {
        sigaddset(&one, run->end->signal);
        sigtimedwait(&one, NULL, &now);
    }
    sigprocmask(SIG_SETMASK, &run->before, NULL);
}

/* On the CPU ranks share memory that only zerolab's own launcher can hand down. */
static void refuse_foreign(char **argv, char *why, size_t capacity) {
    struct lab_world w;
    why[0] = '\0';
    if (!lab_world_foreign(argv, &w)) return;
    (void)snprintf(why, capacity,
                   "%s starts one process for each of %u ranks, but zerolab itself starts ranks "
                   "that share memory: start it once, with --ranks %u",
                   w.launcher, w.place.ranks, w.place.ranks);
}

static void go(struct run *run, char **argv) {
    if (!prepare(run) || !spawn_all(run, argv))
        fail(run, LAB_ENDED_START, -1);
    else
        look_after(run);
    run->put_down = true;
    signal_ranks(run, SIGKILL);
    reap(run, 0);
    hear_last_lines(run);
    if (run->control) describe(run);
    release(run);
}

bool lab_launch(const struct lab_options *o, char **argv, const struct lab_hearer *hearer,
                struct lab_launch_end *end) {
    *end = (struct lab_launch_end){.rank = -1, .where.unit = -1};
    struct run run = {.options = o, .hearer = hearer, .end = end, .ranks = o->ranks};
    run.watchdog.stall = o->stall;
    refuse_foreign(argv, end->text, sizeof end->text);
    if (!end->text[0] && (o->ranks < 1 || o->ranks > LAB_RANKS_MAX))
        snprintf(end->text, sizeof end->text, "%u ranks: one machine runs 1 to %d", o->ranks,
                 LAB_RANKS_MAX);
    if (end->text[0]) {
        end->ending = LAB_ENDED_START;
        return false;
    }
    take_signals(&run);
    go(&run, argv);
    give_back_signals(&run);
    return end->ending == LAB_ENDED_WELL;
}
