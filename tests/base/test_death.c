/* The ends of the program: what is said, with which status, and that the terminal's hook runs first
 * and once. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A sanitizer is to refuse such sizes as the C library does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:log_path=stdout";
}

static void restore_terminal(void) {
    fputs("<restored>", stderr);
}

static void use_up_memory(void) {
    volatile size_t much = SIZE_MAX / 4;
    free(base_alloc(much));
}

static void use_up_memory_again(void) {
    fputs("<hook>", stderr);
    use_up_memory();
}

static void ask_for_too_much(void) {
    base_on_death(restore_terminal);
    use_up_memory();
}

static void grow_beyond_any_size(void) {
    base_on_death(restore_terminal);
    volatile size_t count = SIZE_MAX / 2;
    free(base_grow(NULL, count, 16));
}

static void ask_for_too_much_in_the_hook(void) {
    base_on_death(use_up_memory_again);
    use_up_memory();
}

#define OUT_OF_MEMORY                                                                              \
    "zerotutor: out of memory: close other programs, or raise the limit (ulimit -v)\n"
static const struct end {
    void (*body)(void);
    const char *said;
} ends[] = {
    {ask_for_too_much, "<restored>" OUT_OF_MEMORY},
    {ask_for_too_much_in_the_hook, "<hook>" OUT_OF_MEMORY},
    {grow_beyond_any_size, "<restored>" OUT_OF_MEMORY},
};

static pid_t start(void (*body)(void), int *said) {
    int ends_of_pipe[2];
    assert_int_equal(pipe(ends_of_pipe), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends_of_pipe[1], STDERR_FILENO);
        body();
        _exit(99); /* it should not have come back */
    }
    close(ends_of_pipe[1]);
    *said = ends_of_pipe[0];
    return child;
}

static void each_end_is_said_after_the_hook(void **state) {
    (void)state;
    fflush(NULL);
    for (size_t i = 0; i < BASE_COUNT(ends); i++) {
        int said, status;
        char text[400] = "";
        pid_t child = start(ends[i].body, &said);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(read(said, text, sizeof text - 1) >= 0);
        close(said);
        assert_true(WIFEXITED(status));
        assert_string_equal(text, ends[i].said);
        assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_end_is_said_after_the_hook)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
