/* Initial values have the same bits, however many threads make them; and a run without hashes makes
 * none. This program says itself how many processors there are. */
#include "runs.h"

#include "lab/chance.h"
#include "lab/engine.h"

#include <dlfcn.h>
#include <unistd.h>

static long processors;
/* The C library's, for this program. */
long sysconf(int name) {
    static long (*theirs)(int);
    if (!theirs) *(void **)&theirs = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_NPROCESSORS_ONLN && processors ? processors : theirs(name);
}

static struct run run_with(long count, const char *words) {
    struct lab_options o = run_words(words);
    processors = count;
    return run_local(&o);
}
/* Embeddings of 131,072 values and more are worth four threads. */
static void threads_make_the_same_values(void **state) {
    static const char *const words[] = {
        "--ranks 1 --vocab 2048 --width 64 --heads 1 --precision fp32",
        "--ranks 1 --vocab 2048 --width 64 --heads 1 --precision bf16",
        "--ranks 2 --vocab 4099 --width 64 --heads 1 --precision bf16 --stage 3",
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct run one = run_with(1, words[i]), many = run_with(7, words[i]);
        assert_true(one.well && many.well);
        assert_true(one.end[0].weights_hash != 0);
        assert_int_equal(one.end[0].weights_hash, many.end[0].weights_hash);
        assert_int_equal(one.end[0].state_hash, many.end[0].state_hash);
    }
}
/* Hashes in vectors are those of one byte after another: of no byte, of blocks of 512 and of what
 * is left, from anywhere. */
static void vectors_hash_as_bytes_do(void **state) {
    enum { MOST = 3000 };
    unsigned char bytes[MOST];
    (void)state;
    for (size_t i = 0; i < MOST; i++) bytes[i] = (unsigned char)lab_chance(1, i);
    for (size_t n = 0; n < MOST; n += n < 1030 ? 1 : 97)
        for (size_t from = 0; from < 3 && from + n <= MOST; from++) {
            uint64_t start = n % 5 ? lab_chance(n, from) : LAB_HASH_START, hash = start;
            for (size_t i = 0; i < n; i++) hash = (hash ^ bytes[from + i]) * 0x100000001b3u;
            assert_int_equal(lab_hash_add(start, bytes + from, n), hash);
        }
}
static void without_hashes_none_is_made(void **state) {
    (void)state;
    struct run r = run_with(1, "--ranks 2 --stage 3 --no-hash");
    assert_true(r.well);
    assert_int_equal(r.end[0].weights_hash, 0);
    assert_int_equal(r.end[0].state_hash, 0);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_the_same_values),
        cmocka_unit_test(vectors_hash_as_bytes_do),
        cmocka_unit_test(without_hashes_none_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
