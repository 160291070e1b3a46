/* memo export: figures marked as the check found them, figures drawn, the check told; on one page;
 * every way it refuses. */
#include "command/run.h"

#include "base/scratch.h"

#include <string.h>

/* What stands in an exported memo, and what does not (NULL: nothing is said). */
static const struct {
    const char *line, *has, *lacks;
} rows[] = {
    {"good-13b.md", "48.75 GB ✓ of them", "✗"},
    {"good-13b.md", "stage 2 (chosen)", "<!--"},
    {"good-13b.md", "and leaves 18.0 GB", "1\n\nRecipe"},
    {"good-13b.md", "> **Checked.** Passes", NULL},
    {"good-13b.md", "- Decision: stage 2", NULL},
    {"terse-70b.md", "- ZeRO-1: 153 GB of states", NULL},
    {"gib-as-gb.md", " ✗", NULL},
    {"gib-as-gb.md", "Does not pass", NULL},
    {"no-numbers.md", "## The check", " ✓"},
    {"good-13b.md --executive", "| **At the peak** | 67.", "## The check"},
    {"good-13b.md --executive", "| stage1 | 71.5 GB | 89.8 GB |", "## The check"},
    {"good-13b.md --executive", "## Risks", NULL},
    {"good-13b.md", "recipe paper · checked: passes", "Recipe:"},
    {"gib-as-gb.md", "checked: does NOT pass, ", "held against the engine ·"},
    {"does-not-fit.md --executive", "checked: does NOT pass", "Recipe:"},
    {"deepspeed-contradictory.md", "## Drawn from the decision", NULL},
    {"good-13b.md --format html", "<svg", "<script"},
    {"good-13b.md --format html", "<title>Sharding for the 13B run</title>", "<!--"},
};

static void what_was_checked_is_printed(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *line = base_format("memo export tests/memo/%s", rows[i].line),
             *out = run_printed(line);
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
    char *out = run_printed("memo export tests/memo/good-13b.md"), *to = out;
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

/* The chosen stage's bar ends where the peak is that stands beside it. */
static void bars_agree_with_the_table(void **state) {
    static const struct {
        const char *text, *peak, *bar;
    } memos[] = {
        {"Recipe: deepspeed\nDecision: stage 2\n\n## Decision\nWe choose stage 2.\n", "66.19 GB",
         "66.2 GB"},
        {"Recipe: paper\nDecision: stage 3\n\n## Decision\nWe choose stage 3.\n", "46.18 GB",
         "46.2 GB"},
    };
    for (size_t i = 0; i < BASE_COUNT(memos); i++) {
        char *text = base_format("# Decision memo\n\nScenario: 13e9 parameters, 8 × A100 80 GB, "
                                 "sequence 2048, micro-batch 1\n%s",
                                 memos[i].text);
        char *path = scratch_path(state, "memo.md");
        assert_true(base_file_write(path, text, strlen(text), NULL));
        char *line = base_format("memo export %s --executive", path), *out = run_printed(line);
        const char *bar = strstr(out, "(chosen)"), *end = bar ? strchr(bar, '\n') : NULL;
        if (!end || !strstr(out, memos[i].peak) ||
            !memmem(bar, (size_t)(end - bar), memos[i].bar, strlen(memos[i].bar)))
            fail_msg("no %s and %s in\n%s", memos[i].peak, memos[i].bar, out);
        const char *decision = strstr(out, "## Decision");
        assert_non_null(decision);
        assert_null(strstr(decision, "Scenario:"));
        free(out);
        free(line);
        free(path);
        free(text);
    }
}

/* What the ledger says is to spare is what the check takes as right. */
static void the_ledger_spares_what_the_peak_leaves(void **state) {
    static const char *const recipes[] = {"deepspeed", "fsdp2", "paper"},
                             fits[] = "This fits in an A100 (84.99 GB) and leaves ";
    for (size_t i = 0; i < BASE_COUNT(recipes); i++) {
        char *text = base_format(
            "# Memo\n\nScenario: 13e9 parameters, 8 × A100 80 GB, sequence "
            "2048, micro-batch 1\nRecipe: %s\nDecision: stage 3\n\n## Decision\nWe choose stage "
            "3.\n",
            recipes[i]);
        char *path = scratch_path(state, "memo.md"), *spare = NULL;
        assert_true(base_file_write(path, text, strlen(text), NULL));
        char *line = base_format("memo export %s", path), *out = run_printed(line);
        char *at = strstr(out, fits);
        if (!at || !(spare = strstr(at, " free"))) fail_msg("%s", out);
        *spare = '\0';
        free(line);
        char *more =
            base_format("%s\n## Memory\nThat leaves %s to spare.\n", text, at + strlen(fits));
        assert_true(base_file_write(path, more, strlen(more), NULL));
        line = base_format("memo check --all %s", path);
        struct run r = run_line(line, NULL);
        if (!strstr(r.out, "decision, spare")) fail_msg("%s\n%s", more, r.out);
        run_free(&r);
        free(line);
        free(more);
        free(out);
        free(path);
        free(text);
    }
}

static void a_memo_is_not_written_over(void **state) {
    char *path = scratch_path(state, "memo.md"), *other = scratch_path(state, "./memo.md");
    static const char text[] = "# Memo\n\nScenario: 13e9 parameters, 8 × A100 80 GB\n";
    assert_true(base_file_write(path, text, strlen(text), NULL));
    char *line = base_format("memo export %s -o %s", path, other);
    struct run r = run_line(line, NULL);
    if (r.status != 2 || !strstr(r.err, "is the memo itself")) fail_msg("%d: %s", r.status, r.err);
    run_free(&r);
    char *now = base_file_read(path, 1 << 20, NULL, NULL);
    assert_string_equal(now, text);
    free(now);
    free(line);
    free(other);
    free(path);
}

/* Pages take their time: a book is refused, one page of it is not. */
static void a_book_is_no_memo(void **state) {
    struct base_text t = {0};
    base_text_puts(&t, "# Long\n\nScenario: 13e9 parameters, 8 × A100 80 GB\n\n");
    for (int i = 0; i < 20000; i++) base_text_puts(&t, "We choose stage 2.\n");
    char *path = scratch_path(state, "memo.md");
    assert_true(base_file_write(path, t.s, t.length, NULL));
    char *line = base_format("memo export %s --format pdf", path);
    struct run r = run_line(line, NULL);
    if (r.status != 2 || !strstr(r.err, "up to 128 KiB")) fail_msg("%d: %s", r.status, r.err);
    run_free(&r);
    free(line);
    free(path);
    base_text_free(&t);
}

static const struct {
    const char *line, *err;
} refused[] = {
    {"memo export", "which memo? `zerotutor memo export FILE"},
    {"memo export tests/memo/no-such.md", "no-such.md"},
    {"memo export tests/memo/good-13b.md --format odt", "--format"},
    {"memo export tests/memo/good-13b.md -o tests/memo/good-13b.md/x.md", "tests/memo/good-13b.md"},
    {"memo export tests/memo/good-13b.md -o x.docx", "'x.docx' has an unknown ending"},
    {"memo export tests/memo/good-13b.md --all", "does not take --all"},
    {"memo check tests/memo/good-13b.md --executive", "does not take --executive"},
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
        cmocka_unit_test_setup_teardown(bars_agree_with_the_table, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(a_book_is_no_memo, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(the_ledger_spares_what_the_peak_leaves, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_memo_is_not_written_over, scratch_make, scratch_remove),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
