/* The launcher's end of the pipes: bytes in, whole lines out. */
#include "lab/launch_run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void stop(struct lab_pipe *p) {
    close(p->from);
    p->from = -1;
}
/* Passes on the whole lines of what has been read, and keeps the rest. */
static void pass_on(struct lab_run *run, uint32_t r) {
    struct lab_pipe *p = &run->pipe[r];
    char *line = p->text, *end;
    while ((end = memchr(line, '\n', p->used - (size_t)(line - p->text)))) {
        *end = '\0';
        run->hearer->line(run->hearer->self, r, line);
        line = end + 1;
    }
    p->used -= (size_t)(line - p->text);
    memmove(p->text, line, p->used);
}
static bool room_for_more(struct lab_pipe *p) {
    if (p->capacity - p->used > 4096) return true;
    char *more = realloc(p->text, p->capacity + 65536);
    if (!more) return false;
    p->text = more;
    p->capacity += 65536;
    return true;
}
/* Whether there was anything. */
static bool read_some(struct lab_run *run, uint32_t r) {
    struct lab_pipe *p = &run->pipe[r];
    ssize_t n = room_for_more(p) ? read(p->from, p->text + p->used, p->capacity - p->used) : 0;
    if (n > 0) {
        p->used += (size_t)n;
        pass_on(run, r);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        stop(p);
    }
    return n > 0;
}
void lab_run_lines(struct lab_run *run, int ms) {
    struct pollfd fds[LAB_RANKS_MAX];
    for (uint32_t r = 0; r < run->ranks; r++)
        fds[r] = (struct pollfd){.fd = run->pipe[r].from, .events = POLLIN};
    if (poll(fds, run->ranks, ms) <= 0) return;
    for (uint32_t r = 0; r < run->ranks; r++)
        if (fds[r].revents) read_some(run, r);
}
void lab_run_last_lines(struct lab_run *run) {
    for (uint32_t r = 0; r < run->ranks; r++)
        while (run->pipe[r].from >= 0 && read_some(run, r)) continue;
}
