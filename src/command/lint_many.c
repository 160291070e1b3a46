/* command_lint_many: lessons side by side, each in a process of its own, as many as there are processors; what they found comes back as JSON through
 * a pipe, and is handed on in the lessons' order. */
#include "command/lint.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ATONCE_MOST = 64 };

struct job {
    pid_t pid;
    int fd;
};

static bool begin(struct job *j, const char *path, lint_one *one, void *self) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    j->pid = fork();
    if (j->pid == 0) {
        close(ends[0]);
        json_t *found = one(self, path);
        _exit(json_dumpfd(found, ends[1], JSON_COMPACT) == 0 ? 0 : 1);
    }
    close(ends[1]);
    j->fd = ends[0];
    if (j->pid > 0) return true;
    close(ends[0]);
    return false;
}

/* What the job found; NULL if it died. */
static json_t *finish(struct job *j) {
    json_t *found = json_loadfd(j->fd, 0, NULL);
    int status;
    close(j->fd);
    waitpid(j->pid, &status, 0);
    return found;
}

static size_t at_once(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > ATONCE_MOST ? ATONCE_MOST : (size_t)n;
}

void command_lint_many(char *const *path, size_t count, lint_one *one,
                       void (*each)(void *self, json_t *found), void *self) {
    struct job job[ATONCE_MOST];
    size_t begun = 0, most = at_once();
    for (size_t done = 0; done < count; done++) {
        while (begun < count && begun < done + most &&
               begin(&job[begun % most], path[begun], one, self))
            begun++;
        json_t *found = begun > done ? finish(&job[done % most]) : NULL;
        if (begun == done) begun++; /* no process could be had: it is done here */
        if (!found) found = one(self, path[done]);
        each(self, found);
    }
}
