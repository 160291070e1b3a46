/* Time, which tests may fix, and numbers that are the same on every machine. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void now_may_be_fixed(void **state) {
    (void)state;
    setenv("ZEROTUTOR_NOW", "1780000000", 1);
    assert_int_equal(base_now(), 1780000000);
    setenv("ZEROTUTOR_NOW", "-5", 1);
    assert_int_equal(base_now(), -5);
}

static void now_is_the_clocks_otherwise(void **state) {
    (void)state;
    const char *const no_moment[] = {NULL, "", "soon", "12h", "99999999999999999999"};
    for (size_t i = 0; i < BASE_COUNT(no_moment); i++) {
        unsetenv("ZEROTUTOR_NOW");
        if (no_moment[i]) setenv("ZEROTUTOR_NOW", no_moment[i], 1);
        int64_t before = (int64_t)time(NULL), now = base_now(), after = (int64_t)time(NULL);
        assert_true(before <= now && now <= after);
    }
}

static void ticks_count_milliseconds(void **state) {
    (void)state;
    int64_t start = base_ticks();
    usleep(30000);
    int64_t passed = base_ticks() - start;
    assert_in_range(passed, 29, 5000);
}

/* The published vectors of FNV-1a 64. */
static const struct hash {
    const char *text;
    uint64_t hash;
} hashes[] = {
    {"", 0xcbf29ce484222325u},
    {"a", 0xaf63dc4c8601ec8cu},
    {"foobar", 0x85944171f73967e8u},
};

static void hashes_are_fnv_1a(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(hashes); i++)
        assert_true(base_hash(0, hashes[i].text) == hashes[i].hash);
    assert_true(base_hash(base_hash(0, "foo"), "bar") == base_hash(0, "foobar"));
    assert_true(base_hash(0, "\xFF") != base_hash(0, "\x7F"));
}

/* The first numbers of splitmix64 from seed 1234567, as its authors' test data has them. */
static void numbers_are_splitmix64(void **state) {
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    uint64_t seed = 1234567;
    for (size_t i = 0; i < BASE_COUNT(expected); i++)
        assert_true(base_random(&seed) == expected[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(now_may_be_fixed),         cmocka_unit_test(now_is_the_clocks_otherwise),
        cmocka_unit_test(ticks_count_milliseconds), cmocka_unit_test(hashes_are_fnv_1a),
        cmocka_unit_test(numbers_are_splitmix64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
