/* memo export: figures marked as the check found them, figures drawn, the check told; on one page; every way it refuses. */
#include "command/run.h"

#include "base/scratch.h"

#include <string.h>

static char *printed(const char *line) {
    struct run r = run_line(line, NULL);
    if (r.status != 0 || *r.err) fail_msg("%s: status %d: %s", line, r.status, r.err);
    char *out = r.out;
    r.out = NULL;
    run_free(&r);
    return out;
}

/* What stands in an exported memo, and what does not (NULL: nothing is said). */
static const struct {
    const char *line, *has, *lacks;
} rows[] = {
    {"good-13b.md",               "48.75 GB ✓ of them",                    "✗"            },
    {"good-13b.md",               "stage 2 (chosen)",                        "<!--"           },
    {"good-13b.md",               "18.9 GB to spare",                        "1\n\nRecipe"    },
    {"good-13b.md",               "> **Checked.** Passes",                   NULL             },
    {"good-13b.md",               "| first hour |",                          NULL             },
    {"gib-as-gb.md",              " ✗",                                    NULL             },
    {"gib-as-gb.md",              "Does not pass",                           NULL             },
    {"no-numbers.md",             "## The check",                            " ✓"           },
    {"good-13b.md --executive",   "| **At the peak** | 67.",                 "## Alternatives"},
    {"good-13b.md --executive",   "stage 2 (chosen)",                        "## The check"   },
    {"good-13b.md --executive",   "## Risks",                                NULL             },
    {"good-13b.md --format html", "<svg",                                    "<script"        },
    {"good-13b.md --format html", "<title>Sharding for the 13B run</title>", "<!--"           },
};

static void what_was_checked_is_printed(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *line = base_format("memo export tests/memo/%s", rows[i].line), *out = printed(line);
        if (!strstr(out, rows[i].has)) fail_msg("%s: no \"%s\" in\n%s", line, rows[i].has, out);
        if (rows[i].lacks && strstr(out, rows[i].lacks))
            fail_msg("%s: \"%s\" is in\n%s", line, rows[i].lacks, out);
        free(line);
        free(out);
    }
}

/* Taken away, the marks leave the memo as it was written. */
static void marks_change_no_word(void **state) {
    (void)state;
    static const char *const marks[] = {" ✓", " ✗", " ≈", " ?"};
    char *out = printed("memo export tests/memo/good-13b.md"), *to = out;
    for (const char *s = out; *s;) {
        size_t skip = 0;
        for (size_t i = 0; i < BASE_COUNT(marks); i++)
            if (strncmp(s, marks[i], strlen(marks[i])) == 0) skip = strlen(marks[i]);
        if (skip)
            s += skip;
        else
            *to++ = *s++;
    }
    *to = '\0';
    char *memo = base_file_read("tests/memo/good-13b.md", 1 << 20, NULL, NULL);
    const char *body = strstr(memo, "## Decision");
    assert_non_null(body);
    if (!strstr(out, body)) fail_msg("%s\nis not in\n%s", body, out);
    free(memo);
    free(out);
}

static const struct {
    const char *line, *err;
} refused[] = {
    {"memo export",                                                       "which memo? `zerotutor memo export FILE"},
    {"memo export tests/memo/no-such.md",                                 "no-such.md"                             },
    {"memo export tests/memo/good-13b.md --format odt",                   "--format"                               },
    {"memo export tests/memo/good-13b.md -o tests/memo/good-13b.md/x.md", "tests/memo/good-13b.md"                 },
    {"memo export tests/memo/good-13b.md --all",                          "takes no --all"                         },
    {"memo check tests/memo/good-13b.md --executive",                     "takes no --executive"                   },
};

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        struct run r = run_line(refused[i].line, NULL);
        if (r.status != 2 || !strstr(r.err, refused[i].err) || *r.out)
            fail_msg("%s: status %d, \"%s\"", refused[i].line, r.status, r.err);
        run_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_checked_is_printed),
        cmocka_unit_test(marks_change_no_word),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
