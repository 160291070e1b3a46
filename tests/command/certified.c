/* certified: see certified.h. */
#include "command/certified.h"

#include "base/scratch.h"

#include "command/graduate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

char *certified, *certified_folder;

char *certified_path(const char *name) {
    return base_format("%s/%s", certified_folder, name);
}

struct run certified_run(const char *format, const char *name) {
    char *path = certified_path(name), *line = base_format(format, path);
    struct run r = run_line(line, NULL);
    free(line);
    free(path);
    return r;
}

void certified_ends(struct run r, int status, const char *says) {
    const char *text = status == 0 ? r.out : r.err;
    if (r.status != status || !strstr(text, says))
        fail_msg("status %d, not %d, or \"%s\" is not in: %s%s", r.status, status, says, r.out,
                 r.err);
    assert_true(status == 0 ? !*r.err : !*r.out);
    run_free(&r);
}

void certified_verifies(const char *text, size_t n, int status, const char *says) {
    char *path = certified_path("tried.cert");
    assert_true(base_file_write(path, text, n, NULL));
    free(path);
    certified_ends(certified_run("certificate verify %s", "tried.cert"), status, says);
}

char *certified_read(const char *name) {
    struct base_message m = {0};
    char *path = certified_path(name), *text = base_file_read(path, CERTIFIED_MOST, NULL, &m);
    if (!text) fail_msg("%s: %s", m.file, m.what);
    free(path);
    return text;
}

int certified_earn(void **state) {
    char share[PATH_MAX];
    if (scratch_make(state) != 0 || !realpath(".", share)) return -1;
    certified_folder = *state;
    setenv("ZEROTUTOR_SHARE", share, 1);
    setenv("ZEROTUTOR_HOME", certified_folder, 1);
    char *record = certified_path("learner.db");
    graduate(record, true);
    free(record);
    certified_ends(certified_run("certificate --name 'Ada *Lovelace*' -o %s", "ada.cert"), 0,
                   "Saved: ");
    certified = certified_read("ada.cert");
    return 0;
}

int certified_leave(void **state) {
    free(certified);
    return scratch_remove(state);
}

void certified_has(const char *name, const char *says) {
    char *text = certified_read(name);
    if (!strstr(text, says)) fail_msg("%s: %s", name, text);
    free(text);
}
