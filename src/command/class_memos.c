/* class export --memos: each learner's memo, and its check. The engine reads a memo in a process of
 * its own with limits, so that one which was made to harm costs itself alone. */
#include "command/class_export.h"
#include "command/memo.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 };
static const uint64_t memory = UINT64_C(1) << 30;

/* how the check of a memo went */
enum check { PASSES, OPEN, FAILED };
static const char *const says[] = {"passes", "does not pass yet",
                                   "could not be checked: it took too long or too much memory"};

struct memos {
    const char *folder;
    /* names of files that were written */
    json_t *names;
};

static bool print_report(const struct memos *x, const char *name, const json_t *memo,
                         bool *passes) {
    const char *text = base_json_text(memo, "text", "");
    const struct memo_context with = {.course = true}; /* runs are in the learner's own record */
    struct export_book book;
    struct memo_report r;
    char *file = base_format("%s/%s.html", x->folder, name);
    bool printed = memo_read(text, strlen(text), &with, &r, NULL);
    if (printed) {
        command_export_book_open(&book, 0);
        command_memo_book_whole(&book, &(struct memo_printed){text, strlen(text), &r});
        printed = command_export_print(&book, EXPORT_BODY, &(struct export_way){"html", NULL, file},
                                       NULL);
        command_export_book_free(&book);
    }
    *passes = printed && r.passes;
    memo_free(&r);
    free(file);
    return printed;
}

static enum check check_apart(const struct memos *x, const char *name, const json_t *memo) {
    pid_t parent = getpid();
    int status = 0;
    bool passes;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        base_child_begin(parent, BASE_NOWHERE, BASE_NOWHERE, BASE_NOWHERE);
        base_limit_memory(memory);
        base_limit_time(SECONDS);
        _exit(!print_report(x, name, memo, &passes) ? FAILED : passes ? PASSES : OPEN);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) < FAILED ? WEXITSTATUS(status)
                                                                        : FAILED;
}

static bool write_memo(struct memos *x, const json_t *memo, struct base_message *m) {
    const char *text = base_json_text(memo, "text", ""), *with = base_json_text(memo, "with", "");
    char *name = command_class_file(base_json_text(memo, "account", ""), x->names),
         *file = base_format("%s/%s.md", x->folder, name),
         *when = classroom_when_text(base_json_int(memo, "time", 0));
    bool written = base_file_write(file, text, strlen(text), m);
    if (written)
        printf("  %s.md  %s%s%s, checked %s: %s\n", name, base_json_text(memo, "account", ""),
               *with ? " with " : "", with, when, says[check_apart(x, name, memo)]);
    free(when);
    free(file);
    free(name);
    return written;
}

bool command_class_memos(const struct classroom_folder *f, const char *folder,
                         struct base_message *m) {
    json_t *memos = session_class_memos(f, m), *memo;
    size_t i;
    struct memos x = {folder, json_object()};
    bool done = memos && (json_array_size(memos) > 0 ||
                          base_fail(m, "no memo was handed in: a learner hands it in by checking "
                                       "it in lesson 4.1"));
    done = done && (mkdir(folder, 0700) == 0 || errno == EEXIST ||
                    base_fail_at(m, folder, 0, "cannot make this folder: %s", strerror(errno)));
    json_array_foreach(memos, i, memo) done = done && write_memo(&x, memo, m);
    if (done)
        printf("Saved %zu memo%s in %s. The check of NAME.md is NAME.html.\n",
               json_array_size(memos), json_array_size(memos) == 1 ? "" : "s", folder);
    json_decref(x.names);
    json_decref(memos);
    return done;
}
