/* Another program, run to its end. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void what_a_program_prints_is_read_up_to_a_bound(void **state) {
    static const struct {
        const char *script, *output;
        int status;
    } rows[] = {
        {"echo one; echo two >&2; exit 3", "one\n", 3},
        {"cat", "", 0}, /* its input is empty */
        {"yes | head -c 1000000", "y\ny\ny\ny\n", 0},
        {"kill -9 $$", "", -1},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_text out = {0};
        char *argv[] = {"sh", "-c", (char *)rows[i].script, NULL};
        assert_int_equal(base_output(argv, 8, &out), rows[i].status);
        assert_int_equal(out.length, strlen(rows[i].output));
        assert_memory_equal(out.s ? out.s : "", rows[i].output, out.length);
        base_text_free(&out);
    }
}

static void a_program_that_is_not_there_is_told(void **state) {
    struct base_text out = {0};
    char *argv[] = {"no-such-program", NULL};
    (void)state;
    assert_int_equal(base_output(argv, 8, &out), 127);
    base_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_prints_is_read_up_to_a_bound),
        cmocka_unit_test(a_program_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
