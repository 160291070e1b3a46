/* memo_editor: a memo in the editor that the learner prefers: $VISUAL, else $EDITOR, else vi. */
#include "session/inside.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_RUN = 126 }; /* a shell's statuses */

static const char *editor(void) {
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return value;
    }
    return "vi";
}

/* It may hold options and quotes, so a shell reads it, as it does everywhere else. */
static int start(pid_t *child, const char *words, const char *path) {
    char *script = base_format("%s \"$@\"", words);
    const char *argv[] = {"sh", "-c", script, words, path, NULL};
    posix_spawnattr_t how;
    sigset_t usual;
    posix_spawnattr_init(&how);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGQUIT);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(child, "/bin/sh", NULL, &how, (char *const *)argv, environ);
    posix_spawnattr_destroy(&how);
    free(script);
    return error;
}

static int await(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* Interrupts are meant for the editor while it has the terminal. */
bool session_memo_edit(const char *path, struct base_message *m) {
    struct sigaction none = {.sa_handler = SIG_IGN}, interrupt, quit;
    const char *words = editor();
    pid_t child;
    int status = 0;
    sigaction(SIGINT, &none, &interrupt);
    sigaction(SIGQUIT, &none, &quit);
    int error = start(&child, words, path);
    if (!error) status = await(child);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (error) return base_fail(m, "the editor '%s' cannot be started: %s", words, strerror(error));
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (code == NOT_FOUND || code == NOT_RUN)
        return base_fail(m, "the editor '%s' was not found: set EDITOR to an installed one", words);
    if (WIFSIGNALED(status))
        return base_fail(m, "the editor '%s' was ended by signal %d; the memo is as it left it",
                         words, WTERMSIG(status));
    if (code != 0)
        return base_fail(m, "the editor '%s' ended with status %d; the memo is as it left it",
                         words, code);
    return true;
}
