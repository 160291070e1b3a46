/* What a run that does not fit is advised: flags that zerolab takes, with which it fits. */
#include "program.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The cap that a refusal names is enough, and the least. */
static void test_least_cap(void **state) {
    (void)state;
    static const char least[] = "--ranks 8 --batch 1 --steps 2 --stage 3 --checkpoint full "
                                "--prefetch 0 --bucket 32 --offload-optimizer host "
                                "--offload-params host --events /dev/null --cap";
    char words[300];
    assert_int_equal(program_run("--ranks 8 --batch 4 --events /dev/null --cap 1MB"), 1);
    const char *said = strstr(program_output, "or --cap ");
    assert_non_null(said);
    /* The refusal names the flags that this cap needs: with them, and nothing else, it is enough.
     */
    assert_non_null(strstr(said, "--stage 3 --checkpoint full --bucket 32 --prefetch 0 "
                                 "--offload-optimizer host --offload-params host --batch 1\n"));
    unsigned long long cap = strtoull(said + strlen("or --cap "), NULL, 10);
    (void)snprintf(words, sizeof words, "%s %llu", least, cap);
    assert_int_equal(program_run(words), 0);
    (void)snprintf(words, sizeof words, "%s %llu", least, cap - 1);
    assert_int_equal(program_run(words), 1);
    (void)snprintf(words, sizeof words, "--ranks 8 --batch 4 --events /dev/null --cap %llu", cap);
    assert_int_equal(program_run(words), 1);
    assert_int_equal(
        program_count("--bucket 32 --prefetch 0 --offload-optimizer host --offload-params host "
                      "--batch 1 would hold"),
        1);
}

/* What a refusal advises is taken, with the flags that were given, and it is enough: there is a
 * least for a rank that is alone, and for flags that go with one stage only. */
static void test_advice_is_allowed(void **state) {
    (void)state;
    static const char *const given[] = {
        "--ranks 1 --cap 20KB",
        "--ranks 4 --stage 2 --shard-group 1 --cap 20KB",
        "--ranks 4 --untied --sparse-gradients --cap 20KB",
        "--ranks 4 --stage 2 --update tensor --cap 20KB",
        "--ranks 4 --stage 3 --qwz on --batch 2 --cap 20KB",
        "--ranks 4 --stage 1 --optimizer adam8bit --cap 20KB",
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char words[700], advice[300];
        (void)snprintf(words, sizeof words, "%s --steps 1 --events /dev/null " PROGRAM_SHAPE,
                       given[i]);
        assert_int_equal(program_run(words), 1);
        const char *flags = strstr(program_output, "or --cap ");
        const char *end = flags ? strchr(flags, '\n') : NULL;
        if (!end) fail_msg("%s: %s", given[i], program_output);
        flags += strlen("or ");
        (void)snprintf(advice, sizeof advice, "%.*s", (int)(end - flags), flags);
        (void)snprintf(words, sizeof words, "%s --steps 1 --events /dev/null " PROGRAM_SHAPE " %s",
                       given[i], advice);
        if (program_run(words) != 0) fail_msg("%s: %s", words, program_output);
    }
}

/* What would help is looked for in a moment, and without holding more than the run: the buckets of
 * a large model are not cut to elements. */
static void test_advice_of_a_large_model(void **state) {
    (void)state;
    static const char words[] = "--ranks 2 --model 124m --seq 64 --cap 100MB";
    struct rusage used;
    assert_int_equal(program_run(words), 1);
    assert_int_equal(program_count("the least is 572 MB per rank"), 1);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    assert_true(used.ru_maxrss < 1 << 20); /* kilobytes */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_cap),
        cmocka_unit_test(test_advice_is_allowed),
        cmocka_unit_test(test_advice_of_a_large_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
