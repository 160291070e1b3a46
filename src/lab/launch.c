/* The launcher: starts the ranks, and looks after them until none is left. */
#include "lab/launch_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Grace: for other ranks' last words when one has failed by itself. Dying: for one that the others missed; a process that is killed with a GPU in
 * its hands may be gone later than those who noticed. */
enum { TICK_MS = 50, GRACE_MS = 500, DYING_MS = 2500 };

static bool failed(const struct lab_run *run) {
    return run->end->ending != LAB_ENDED_WELL;
}
static void fail(struct lab_run *run, enum lab_ending ending, int rank) {
    if (failed(run)) return;
    run->end->ending = ending;
    run->end->rank = rank;
}
static bool local(const struct lab_run *run) {
    return run->options->comm == LAB_LOCAL;
}
static uint32_t living(const struct lab_run *run) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < run->ranks; r++) n += run->pid[r] != 0;
    return n;
}

/* ── what happened ── */

/* The ends of those that missed rank r were seen before its own, which tells the cause. */
static bool is_blamed(const struct lab_run *run, uint32_t r) {
    return run->end->ending == LAB_ENDED_STATUS && run->end->rank == (int)r;
}
/* A rank that others missed failed before those that missed it, whoever's end is seen first. */
static void judge(struct lab_run *run, uint32_t r, int status) {
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
static void bury(struct lab_run *run, pid_t pid, int status) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        if (run->pid[r] != pid) continue;
        run->pid[r] = 0;
        run->end->status[r] = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        judge(run, r, status);
    }
}
static void reap(struct lab_run *run, int how) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        int status;
        pid_t pid = run->pid[r], ended = pid ? waitpid(pid, &status, how) : 0;
        if (ended == pid && pid) bury(run, pid, status);
        if (ended < 0 && errno != EINTR) run->pid[r] = 0; /* somebody else has waited for it */
    }
}
static void send(const struct lab_run *run, int signal) {
    if (run->group && living(run)) kill(-run->group, signal);
}
/* ^Z: the ranks stop with the launcher, and go on with it. */
static void suspend(struct lab_run *run) {
    send(run, SIGSTOP);
    raise(SIGSTOP);
    send(run, SIGCONT);
}
static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static bool taken(const struct lab_run *run, const sigset_t *pending, int signal) {
    return sigismember(pending, signal) && sigismember(&run->taken, signal);
}
/* Signals are kept pending and asked for: no handler, so nothing global. */
static void heed_signals(struct lab_run *run) {
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
static void watch(struct lab_run *run, bool heard) {
    int rank = lab_watchdog_look(&run->watchdog, run->control, run->pid, heard, run->end->text,
                                 sizeof run->end->text);
    if (rank != LAB_NOBODY_HANGS) fail(run, LAB_ENDED_HANG, rank);
}

/* ── the run ── */

/* Ranks that nobody hears stand still, and are not to blame. */
static bool listen(struct lab_run *run) {
    const struct lab_hearer *h = run->hearer;
    enum lab_heard heard = h->settle ? h->settle(h->self, TICK_MS) : LAB_HEARD_ALL;
    if (heard == LAB_HEARD_LOST) fail(run, LAB_ENDED_LOST, -1);
    if (heard != LAB_HEARD_MORE) lab_run_lines(run, TICK_MS);
    return heard != LAB_HEARD_MORE;
}
static int64_t grace(const struct lab_run *run) {
    const struct lab_launch_end *end = run->end;
    if (end->ending != LAB_ENDED_STATUS) return 0;
    bool dying = end->rank >= 0 && run->pid[end->rank];
    return (dying ? DYING_MS : GRACE_MS) * 1000000LL;
}
static void look_after(struct lab_run *run) {
    int64_t over = 0;
    while (living(run)) {
        bool heard = listen(run);
        reap(run, WNOHANG);
        heed_signals(run);
        if (!failed(run)) watch(run, heard);
        if (failed(run) && !over) over = lab_now() + grace(run);
        if (over && lab_now() >= over) break;
    }
}
static void describe(struct lab_run *run) {
    struct lab_launch_end *end = run->end;
    int status = end->rank >= 0 ? end->status[end->rank] : end->status[0];
    switch (end->ending) {
    case LAB_ENDED_STATUS:
        if (status > 128)
            snprintf(end->text, sizeof end->text,
                     "was missed by the others, and did not end by itself");
        else if (status)
            snprintf(end->text, sizeof end->text, "ended with status %d", status);
        else
            snprintf(end->text, sizeof end->text, "ended before the others had done with it");
        break;
    case LAB_ENDED_SIGNAL:
        snprintf(end->text, sizeof end->text, "killed by signal %d (%s)%s", end->signal,
                 strsignal(end->signal),
                 end->signal == SIGKILL ? "; if nobody did it, the system did: memory was short"
                                        : "");
        break;
    case LAB_ENDED_CANCELLED:
        snprintf(end->text, sizeof end->text, "cancelled by signal %d (%s)", end->signal,
                 strsignal(end->signal));
        break;
    case LAB_ENDED_LOST: snprintf(end->text, sizeof end->text, "cannot be told"); break;
    default: break;
    }
    end->where = lab_control_where(run->control, end->rank >= 0 ? (uint32_t)end->rank : 0);
}
/* What is ignored (nohup) stays so: blocked, it would become pending. */
static void take(struct lab_run *run, int signal) {
    struct sigaction found;
    if (!sigaction(signal, NULL, &found) && found.sa_handler != SIG_IGN)
        sigaddset(&run->taken, signal);
}
static void take_signals(struct lab_run *run) {
    sigemptyset(&run->taken);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) take(run, endings[i]);
    take(run, SIGTSTP);
    sigprocmask(SIG_BLOCK, &run->taken, &run->before);
}
/* The one that was heeded is not delivered once more. */
static void give_back_signals(const struct lab_run *run) {
    static const struct timespec now = {0, 0};
    sigset_t one;
    sigemptyset(&one);
    if (run->end->ending == LAB_ENDED_CANCELLED) {
        sigaddset(&one, run->end->signal);
        sigtimedwait(&one, NULL, &now);
    }
    sigprocmask(SIG_SETMASK, &run->before, NULL);
}
static void go(struct lab_run *run, char **argv) {
    if (!lab_run_prepare(run) || !lab_run_spawn(run, argv))
        fail(run, LAB_ENDED_START, -1);
    else
        look_after(run);
    run->put_down = true;
    send(run, SIGKILL);
    reap(run, 0);
    lab_run_last_lines(run);
    if (run->control) describe(run);
    lab_run_release(run);
}

bool lab_launch(const struct lab_options *o, char **argv, const struct lab_hearer *hearer,
                struct lab_launch_end *end) {
    *end = (struct lab_launch_end){.rank = -1, .where.unit = -1};
    struct lab_run run = {.options = o, .hearer = hearer, .end = end, .ranks = o->ranks};
    run.watchdog.stall = o->stall;
    lab_foreign_launcher(argv, end->text, sizeof end->text);
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
