/* A power cut cannot be tried here; that every byte was handed to the disk before a call returns
 * can. SQLite's writes go through a hook that counts, and this program's own fdatasync() and
 * fsync() stand before the C library's. */
#include "store/inside.h"
#include "store/record.h"

#include <string.h>
#include <sys/syscall.h>

enum { FDS = 256 };
static bool unsynced[FDS]; /* files written since they were synced last */
static int syncs;

static int synced(int fd) {
    syncs++;
    if (fd >= 0 && fd < FDS) unsynced[fd] = false;
    return 0;
}

int fdatasync(int fd) {
    return synced(fd);
}

int fsync(int fd) {
    return synced(fd);
}

static void written(int fd) {
    if (fd >= 0 && fd < FDS) unsynced[fd] = true;
}

static ssize_t count_write(int fd, const void *data, size_t n) {
    written(fd);
    return syscall(SYS_write, fd, data, n);
}

/* Single bytes only make room for the shared memory, which no power cut outlives. */
static ssize_t count_pwrite(int fd, const void *data, size_t n, off_t at) {
    if (n > 1) written(fd);
    return syscall(SYS_pwrite64, fd, data, n, at);
}

static int hook(void **state) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)count_write);
    vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)count_pwrite);
    vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)count_pwrite);
    return scratch_make(state);
}

static int dirty(void) {
    int n = 0;
    for (int fd = 0; fd < FDS; fd++) n += unsynced[fd];
    return n;
}

static bool keep_answer(struct store *s) {
    return record_answer(s, 1, NULL);
}

static bool keep_place(struct store *s) {
    struct lesson_journal j = store_journal(s);
    return j.place_set(j.self, "1.1", &(struct lesson_place){.step = "recap", .finished = true},
                       NULL);
}

static bool keep_setting(struct store *s) {
    return store_set(s, "theme", "dark", NULL);
}

static bool (*const keeps[])(struct store *s) = {keep_answer, keep_place, keep_setting};

static void all_is_synced_before_a_call_returns(void **state) {
    for (int network = 0; network <= 1; network++) {
        char *path = scratch_path(state, network ? "rollback.db" : "log.db");
        memset(unsynced, 0, sizeof unsynced);
        struct store *s = store_open_as(path, network, NULL);
        assert_non_null(s);
        assert_true(syncs > 0);
        assert_int_equal(dirty(), 0);
        for (size_t i = 0; i < BASE_COUNT(keeps); i++) {
            syncs = 0;
            assert_true(keeps[i](s));
            assert_true(syncs > 0);
            assert_int_equal(dirty(), 0);
        }
        store_close(s);
        free(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_is_synced_before_a_call_returns, hook, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
