#include "command/run.h"

#include "base/base.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Cuts a line into words in place. */
static void cut(char *line, char **word) {
    int n = 0;
    while (*line && n < RUN_WORDS_MOST - 1) {
        bool quoted = *line == '\'';
        word[n++] = line += quoted;
        line += strcspn(line, quoted ? "'" : " ");
        if (*line) *line++ = '\0';
        line += strspn(line, " ");
    }
    word[n] = NULL;
}

static int file_with(const char *text) {
    FILE *f = tmpfile();
    if (text) fputs(text, f);
    rewind(f);
    int fd = dup(fileno(f));
    fclose(f);
    return fd;
}

static char *read_all(int fd) {
    struct base_text t = {0};
    char piece[4096];
    ssize_t n;
    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, piece, sizeof piece)) > 0) base_text_add(&t, piece, (size_t)n);
    close(fd);
    return base_text_take(&t);
}

_Noreturn static void become(const char *line, const int *fd) {
    char *words = base_format("%s", line), *argv[RUN_WORDS_MOST + 1];
    argv[0] = getenv("ZEROTUTOR");
    cut(words, argv + 1);
    for (int i = 0; i < 3; i++) dup2(fd[i], i);
    execv(argv[0], argv);
    _exit(127);
}

static double milliseconds(struct timeval t) {
    return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

/* Kills the processes below this one, `left` at most; how many they were. Linux tells them. */
static size_t kill_below(pid_t pid, size_t *left) {
    size_t killed = 0;
    char *path = base_format("/proc/%ld/task/%ld/children", (long)pid, (long)pid);
    FILE *f = fopen(path, "r");
    for (long child; *left > 0 && f && fscanf(f, "%ld", &child) == 1;) {
        killed += kill_below((pid_t)child, left);
        if (*left == 0 || kill((pid_t)child, SIGKILL) != 0) continue;
        killed++;
        --*left;
    }
    if (f) fclose(f);
    free(path);
    return killed;
}

static struct run run_with(const char *line, const char *in, int output, size_t kills) {
    int fd[] = {file_with(in), output, file_with(NULL)}, status;
    struct rusage used;
    struct run r = {0};
    pid_t child = fork();
    if (child == 0) become(line, fd);
    while (wait4(child, &status, kills > 0 ? WNOHANG : 0, &used) == 0)
        r.killed += kill_below(child, &kills);
    r.ms = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    r.err = read_all(fd[2]);
    close(fd[0]);
    return r;
}

struct run run_line(const char *line, const char *in) {
    int output = file_with(NULL);
    struct run r = run_with(line, in, output, 0);
    r.out = read_all(output);
    return r;
}

struct run run_line_killing(const char *line, size_t kills) {
    int output = file_with(NULL);
    struct run r = run_with(line, NULL, output, kills);
    r.out = read_all(output);
    return r;
}

struct run run_line_to(const char *line, int output) {
    struct run r = run_with(line, NULL, output, 0);
    r.out = base_dup("");
    return r;
}

void run_free(struct run *r) {
    free(r->out);
    free(r->err);
}

char *run_printed(const char *line) {
    struct run r = run_line(line, NULL);
    if (r.status != 0 || *r.err) fail_msg("%s: status %d: %s", line, r.status, r.err);
    char *out = r.out;
    r.out = NULL;
    run_free(&r);
    return out;
}
