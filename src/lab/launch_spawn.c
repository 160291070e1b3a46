/* Starting the processes: what they share is made first and inherited by number; nothing of it has a name. */
#include "lab/cpu/arena.h"
#include "lab/out.h"
#include "lab/inherit.h"
#include "lab/launch_run.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static bool failed(struct lab_run *run, const char *what) {
    snprintf(run->end->text, sizeof run->end->text, "%s: %s", what, strerror(errno));
    return false;
}
static bool make_files(struct lab_run *run) {
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
static bool make_pipe(struct lab_pipe *p) {
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
static bool make_secret(struct lab_run *run) {
    struct lab_message m = {""};
    if (run->options->comm != LAB_NCCL || lab_secret_new(run->secret, &m)) return true;
    snprintf(run->end->text, sizeof run->end->text, "%s", m.text);
    return false;
}
/* Any free port: whoever else wants one gets another. */
static bool make_listener(struct lab_run *run) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (run->options->comm != LAB_NCCL) return true;
    run->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (run->listener >= 0 && !fcntl(run->listener, F_SETFD, FD_CLOEXEC) &&
        !bind(run->listener, (struct sockaddr *)&a, sizeof a) &&
        !listen(run->listener, LAB_RANKS_MAX))
        return true;
    return failed(run, "no socket at which ranks could meet");
}
bool lab_run_prepare(struct lab_run *run) {
    run->listener = -1;
    for (uint32_t i = 0; i <= LAB_RANKS_MAX; i++) run->file[i] = -1;
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++) run->pipe[r].from = run->pipe[r].into = -1;
    if (!make_files(run) || !make_secret(run) || !make_listener(run)) return false;
    for (uint32_t r = 0; r < run->ranks; r++)
        if (!make_pipe(&run->pipe[r])) return failed(run, "no pipe for a rank");
    return true;
}
static void close_writing(struct lab_run *run) {
    for (uint32_t r = 0; r < run->ranks; r++) {
        if (run->pipe[r].into >= 0) close(run->pipe[r].into);
        run->pipe[r].into = -1;
    }
}
void lab_run_release(struct lab_run *run) {
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
static void pass_files(const struct lab_run *run, uint32_t first, uint32_t last) {
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
static void pass_meeting(const struct lab_run *run, uint32_t rank) {
    struct sockaddr_in a = {.sin_port = 0};
    socklen_t size = sizeof a;
    if (run->listener < 0 || getsockname(run->listener, (struct sockaddr *)&a, &size)) return;
    set_number(LAB_ENV_PORT, ntohs(a.sin_port));
    set_number(LAB_ENV_LISTENER, (uint32_t)run->listener);
    setenv(LAB_ENV_SECRET, run->secret, 1);
    if (rank == 0) keep(run->listener);
}
/* Standard output is the launcher's alone; what a library prints there by itself goes to standard error. */
static void redirect(void) {
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
}
/* The kernel kills a rank whose launcher has died; one that died before it could be told so is seen by the parent's number. */
static void bind_to(pid_t launcher) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != launcher) _exit(1);
}
/* Should memory run out all the same, the system is to end a rank, and with it the run, rather than a neighbour. */
static void stand_back(void) {
    FILE *f = fopen("/proc/self/oom_score_adj", "we");
    if (!f) return;
    (void)fputs("1000", f);
    (void)fclose(f);
}
static _Noreturn void become(struct lab_run *run, char **argv, uint32_t first, uint32_t last,
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
    lab_blas_environment();
    redirect();
    execv("/proc/self/exe", argv);
    execvp(argv[0], argv); /* where there is no /proc */
    lab_out_say("%s: cannot execute itself: %s", argv[0], strerror(errno));
    _exit(127);
}

/* ── in the launcher ── */

static bool spawn(struct lab_run *run, char **argv, uint32_t first, uint32_t last) {
    pid_t launcher = getpid(), pid = fork();
    if (pid == 0) become(run, argv, first, last, launcher);
    if (pid < 0) return failed(run, "a rank's process cannot be started (see ulimit -u)");
    if (!run->group) run->group = pid;
    setpgid(pid, run->group); /* here too: whoever comes first */
    for (uint32_t r = first; r <= last; r++) run->pid[r] = pid;
    return true;
}
bool lab_run_spawn(struct lab_run *run, char **argv) {
    bool local = run->options->comm == LAB_LOCAL, well = true;
    if (local) well = spawn(run, argv, 0, run->ranks - 1);
    for (uint32_t r = 0; !local && well && r < run->ranks; r++) well = spawn(run, argv, r, r);
    close_writing(run);
    return well;
}
