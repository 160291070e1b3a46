/* Lessons taken in text files, the .txt under tests/lesson/cases: actions, and the events that must
 * come of them. LESSON_WRITE=1 writes what came into the files instead; read the difference before
 * you keep it. */
#include "lesson/transcript.h"

#include "base/fatal.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define CASES "tests/lesson/cases"

static void takes_as_written(void **state) {
    char *path = base_format(CASES "/%s", (const char *)*state);
    struct base_message m = {0};
    size_t n;
    char *file = base_file_read(path, 1 << 20, &n, &m);
    if (file == NULL) fail_msg("%s", m.what);
    char *came = transcript_take(file);
    if (getenv("STUDY_WRITE") != NULL)
        assert_true(base_file_write(path, came, strlen(came), &m));
    else
        assert_string_equal(came, file);
    free(came);
    free(file);
    free(path);
}

static int is_case(const struct dirent *e) {
    const char *dot = strrchr(e->d_name, '.');
    return dot != NULL && strcmp(dot, ".txt") == 0;
}

int main(void) {
    struct dirent **found;
    int n = scandir(CASES, &found, is_case, alphasort);
    if (n < 1) fatal("no cases under " CASES);
    struct CMUnitTest *tests = base_alloc((size_t)n * sizeof *tests);
    for (int i = 0; i < n; i++)
        tests[i] =
            (struct CMUnitTest){found[i]->d_name, takes_as_written, NULL, NULL, found[i]->d_name};
    int failed = _cmocka_run_group_tests("transcripts", tests, (size_t)n, NULL, NULL);
    for (int i = 0; i < n; i++) free(found[i]);
    free(found);
    free(tests);
    return failed;
}
