/* golden.h: text that is compared with a file. GENERATE=1 in the environment writes the file anew;
 * read the difference before committing it. */
#ifndef TESTS_BASE_GOLDEN_H
#define TESTS_BASE_GOLDEN_H

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The test fails, and prints both, unless the text is what stands in
 * tests/<folder>/golden/<name>.txt. */
static inline void golden_is(const char *folder, const char *name, const char *text) {
    struct base_message m = {0};
    char *path = base_format("tests/%s/golden/%s.txt", folder, name);
    if (getenv("GENERATE")) assert_true(base_file_write(path, text, strlen(text), &m));
    char *golden = base_file_read(path, 1 << 20, NULL, &m);
    if (!golden) fail_msg("%s: GENERATE=1 makes it", m.what);
    if (strcmp(text, golden) != 0)
        print_error("%s differs. It was\n%s<end>\nand is\n%s<end>\n", path, golden, text);
    assert_true(strcmp(text, golden) == 0);
    free(golden);
    free(path);
}

#endif
