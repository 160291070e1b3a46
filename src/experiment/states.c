/* states: the folder in which the runs of a lab hand their states on. Its words have
 * EXPERIMENT_HERE in its place. It is made for the first run that names it, and removed with the
 * last one. */
#include "experiment/inside.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *path;
    size_t users;
} folder;

/* The lab's words are split at white space, so its path has none. */
static bool make(struct base_message *m) {
    const char *at = getenv("TMPDIR");
    if (folder.path) return true;
    if (!at || !*at || strpbrk(at, " \t\r\n")) at = "/tmp";
    char *path = base_format("%s/zerotutor-states-XXXXXX", at);
    if (mkdtemp(path)) {
        folder.path = path;
        return true;
    }
    base_fail(m,
              "no folder for the run's states can be made in %s: set TMPDIR to one that can be "
              "written to",
              at);
    free(path);
    return false;
}

static char *with_folder(const char *words, const char *path) {
    struct base_text t = {0};
    for (const char *at; (at = strstr(words, EXPERIMENT_HERE));
         words = at + strlen(EXPERIMENT_HERE))
        base_text_printf(&t, "%.*s%s", (int)(at - words), words, path);
    base_text_puts(&t, words);
    return base_text_take(&t);
}

char *experiment_states_use(const char *words, bool *uses, struct base_message *m) {
    *uses = strstr(words, EXPERIMENT_HERE) != NULL;
    if (!*uses) return base_dup(words);
    if (!make(m)) return *uses = false, NULL;
    folder.users++;
    return with_folder(words, folder.path);
}

char *experiment_states_name(const char *words) {
    return with_folder(words, "states");
}

static int take_away(const char *path, const struct stat *s, int kind, struct FTW *where) {
    (void)s, (void)kind, (void)where;
    return remove(path);
}

void experiment_states_leave(void) {
    if (folder.users == 0 || --folder.users > 0) return;
    nftw(folder.path, take_away, 8, FTW_DEPTH | FTW_PHYS);
    free(folder.path);
    folder.path = NULL;
}
