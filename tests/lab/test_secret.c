/* Hashes by published vectors, proofs, seals, and where a run's secret comes from. */
#include "lab/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_hex(const unsigned char *byte, const char *hex) {
    char text[2 * HASH_SHA256_BYTES + 1];
    for (size_t i = 0; i < HASH_SHA256_BYTES; i++) (void)snprintf(text + 2 * i, 3, "%02x", byte[i]);
    assert_string_equal(text, hex);
}
static void repeat(char *out, char c, size_t n) {
    memset(out, c, n);
    out[n] = '\0';
}

/* FIPS 180-4's examples (csrc.nist.gov, SHA256.pdf), and the empty message. */
static void sha256_of_nist(void **state) {
    (void)state;
    static const struct {
        const char *text, *hash;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    struct hash_sha256 s;
    unsigned char hash[HASH_SHA256_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hash_sha256_begin(&s);
        hash_sha256_add(&s, rows[i].text, strlen(rows[i].text));
        hash_sha256_end(&s, hash);
        assert_hex(hash, rows[i].hash);
    }
    hash_sha256_begin(&s);
    for (size_t left = 1000000, n = 1; left; left -= n, n = n % 200 + 1) { /* in unlike pieces */
        char a[201];
        if (n > left) n = left;
        repeat(a, 'a', n);
        hash_sha256_add(&s, a, n);
    }
    hash_sha256_end(&s, hash);
    assert_hex(hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
/* RFC 4231, test cases 1 to 4, 6 and 7. */
static void hmac_of_rfc_4231(void **state) {
    (void)state;
    char of_0b[21], of_aa[132], of_dd[51], of_cd[51], counted[26];
    repeat(of_0b, 0x0b, 20);
    repeat(of_aa, (char)0xaa, 131);
    repeat(of_dd, (char)0xdd, 50);
    repeat(of_cd, (char)0xcd, 50);
    for (char i = 0; i < 25; i++) counted[(int)i] = (char)(i + 1);
    counted[25] = '\0';
    const struct {
        const char *key;
        size_t n;
        const char *text, *mac;
    } rows[] = {
        {of_0b, 20, "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", 4, "what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {of_aa, 20, of_dd, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {counted, 25, of_cd, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
        {of_aa, 131, "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {of_aa, 131,
         "This is a test using a larger than block-size key and a larger than block-size data. The "
         "key needs to be hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].text), half = n / 2;
        const struct hash_piece piece[] = {{rows[i].text, half}, {rows[i].text + half, n - half}};
        unsigned char mac[HASH_SHA256_BYTES];
        hash_hmac(rows[i].key, rows[i].n, piece, 2, mac);
        assert_hex(mac, rows[i].mac);
    }
}

static void a_proof_is_of_all_that_it_is_of(void **state) {
    (void)state;
    struct lab_key key = {{1}}, other = {{2}};
    struct lab_nonces n = {{3}, {4}}, older = {{3}, {5}};
    struct lab_proof p = lab_prove(&key, "client", &n, "hello", 5);
    const struct lab_proof same = lab_prove(&key, "client", &n, "hello", 5),
                           unlike[] = {lab_prove(&other, "client", &n, "hello", 5),
                                       lab_prove(&key, "rank 0", &n, "hello", 5),
                                       lab_prove(&key, "client", &older, "hello", 5),
                                       lab_prove(&key, "client", &n, "hallo", 5),
                                       lab_prove(&key, "client", &n, NULL, 0)};
    assert_true(lab_proof_is(&p, &same));
    for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++)
        assert_false(lab_proof_is(&p, &unlike[i]));
}
static void a_seal_holds(void **state) {
    (void)state;
    struct lab_key key = {{1}}, other = {{2}};
    struct lab_seal seal, second;
    unsigned char id[300], was[300], again[300];
    for (size_t i = 0; i < sizeof id; i++) was[i] = id[i] = again[i] = (unsigned char)i;
    assert_true(lab_seal(&key, id, sizeof id, &seal));
    assert_true(lab_seal(&key, again, sizeof again, &second));
    for (size_t i = 0; i + 32 <= sizeof id; i += 32) {
        assert_memory_not_equal(id + i, was + i, 32);
        assert_memory_not_equal(id + i, again + i, 32); /* no keystream twice */
    }
    assert_false(lab_unseal(&other, id, sizeof id, &seal));
    id[7] ^= 1;
    assert_false(lab_unseal(&key, id, sizeof id, &seal));
    id[7] ^= 1;
    seal.salt[0] ^= 1;
    assert_false(lab_unseal(&key, id, sizeof id, &seal));
    seal.salt[0] ^= 1;
    assert_true(lab_unseal(&key, id, sizeof id, &seal));
    assert_memory_equal(id, was, sizeof id);
}

/* ── where it comes from ── */

static char home[64], folder[128], file[140];

static int make_home(void **state) {
    (void)state;
    (void)snprintf(home, sizeof home, "/tmp/zerolab-home-XXXXXX");
    assert_non_null(mkdtemp(home));
    (void)snprintf(folder, sizeof folder, "%s/.local/state/zerolab", home);
    (void)snprintf(file, sizeof file, "%s/secret", folder);
    setenv("HOME", home, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("ZEROLAB_SECRET");
    return 0;
}
static int remove_home(void **state) {
    (void)state;
    char command[200];
    (void)snprintf(command, sizeof command, "chmod -R u+rwX %s; rm -rf %s", home, home);
    return system(command); /* NOLINT(cert-env33-c): the words are this file's */
}
static struct lab_key key_of(uint64_t job) {
    struct lab_key key = {{0}};
    struct lab_message m = {""};
    if (!lab_secret_key(job, &key, &m)) fail_msg("%s", m.text);
    return key;
}
static void is_not_given(const char *what) {
    struct lab_key key;
    struct lab_message m = {""};
    assert_false(lab_secret_key(1, &key, &m));
    if (!strstr(m.text, what) || !strstr(m.text, "ZEROLAB_SECRET"))
        fail_msg("'%s' without '%s'", m.text, what);
}
static mode_t mode_of(const char *path) {
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_mode & 0777;
}
static void a_file_is_made_once_and_for_its_user_alone(void **state) {
    (void)state;
    mode_t before = umask(0);
    struct lab_key first = key_of(1), again = key_of(1), other_job = key_of(2);
    (void)umask(before);
    assert_memory_equal(&first, &again, sizeof first);
    assert_memory_not_equal(&first, &other_job, sizeof first);
    assert_int_equal(mode_of(folder), 0700);
    assert_int_equal(mode_of(file), 0600);
    assert_int_equal(unlink(file), 0);
    again = key_of(1);
    assert_memory_not_equal(&first, &again, sizeof first);
}
/* All ranks of a first run make it at the same time. */
static void many_at_once_make_one_file(void **state) {
    (void)state;
    enum { RANKS = 16 };
    int go[2], tell[2];
    char byte = 0;
    struct lab_key first, next;
    assert_int_equal(pipe(go), 0);
    assert_int_equal(pipe(tell), 0);
    for (int i = 0; i < RANKS; i++)
        if (fork() == 0) {
            (void)close(go[1]);
            (void)!read(go[0], &byte, 1); /* until all are there */
            next = key_of(7);
            _exit(write(tell[1], &next, sizeof next) != sizeof next);
        }
    (void)close(go[1]);
    for (int i = 0; i < RANKS; i++) {
        assert_int_equal(read(tell[0], &next, sizeof next), sizeof next);
        if (i == 0) first = next;
        assert_memory_equal(&first, &next, sizeof first);
        (void)wait(NULL);
    }
    (void)close(go[0]);
    (void)close(tell[0]);
    (void)close(tell[1]);
}
static void a_file_that_others_could_read_is_refused(void **state) {
    (void)state;
    (void)key_of(1);
    assert_int_equal(chmod(file, 0640), 0);
    is_not_given(
        "must be a file that only you can read: make yourself its owner and set its mode to 600");
    assert_int_equal(chmod(file, 0600), 0);
    assert_int_equal(chmod(folder, 0750), 0);
    is_not_given("is in a folder that others can open");
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(truncate(file, 3), 0);
    is_not_given("holds fewer than 16 bytes: remove that file");
    assert_int_equal(unlink(file), 0);
    assert_int_equal(symlink("/dev/zero", file), 0);
    is_not_given("cannot be read");
    assert_int_equal(unlink(file), 0);
    assert_int_equal(mkfifo(file, 0600), 0);
    is_not_given("must be a file that only you can read");
}
static void without_a_home_one_must_be_set(void **state) {
    (void)state;
    static const char *const homes[] = {NULL, "", "relative"};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        (void)unsetenv("HOME");
        if (homes[i]) setenv("HOME", homes[i], 1);
        is_not_given("cannot find a home folder (HOME)");
    }
}
static void one_that_is_set_stands_above_the_file(void **state) {
    (void)state;
    struct lab_key kept = key_of(1);
    setenv("ZEROLAB_SECRET", "sixteen letters!", 1);
    struct lab_key first = key_of(1);
    assert_memory_not_equal(&kept, &first, sizeof kept);
    setenv("ZEROLAB_SECRET", "sixteen letters?", 1);
    struct lab_key second = key_of(1);
    assert_memory_not_equal(&first, &second, sizeof first);
    setenv("ZEROLAB_SECRET", "too short", 1);
    is_not_given("ZEROLAB_SECRET has 9 characters: use 16 to 1024");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_of_nist),
        cmocka_unit_test(hmac_of_rfc_4231),
        cmocka_unit_test(a_proof_is_of_all_that_it_is_of),
        cmocka_unit_test(a_seal_holds),
        cmocka_unit_test_setup_teardown(a_file_is_made_once_and_for_its_user_alone, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(many_at_once_make_one_file, make_home, remove_home),
        cmocka_unit_test_setup_teardown(a_file_that_others_could_read_is_refused, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(without_a_home_one_must_be_set, make_home, remove_home),
        cmocka_unit_test_setup_teardown(one_that_is_set_stands_above_the_file, make_home,
                                        remove_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
