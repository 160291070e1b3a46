/* Killed, crowded, and out of room: what was acknowledged is there, and the file is sound. */
#include "store/inside.h"
#include "store/record.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static void assert_sound(struct store *s) {
    char *broken = store_broken(s);
    if (broken) fail_msg("%s", broken);
}

/* ── kill -9 ───────────────────────────────────────────────────────────────────────────────────*/

enum { KILLS = 20 };

/* Answers for ever, and says each try's number into the pipe once the store has acknowledged it. */
static _Noreturn void answer_for_ever(const char *path, int first, int acknowledge) {
    struct store *s = store_open(path, NULL);
    if (!s) _exit(1);
    struct lesson_journal j = store_journal(s);
    for (int try = first;; try++) {
        struct lesson_place p = {.step = "ddp-7b"};
        if (!record_answer(s, try, NULL) || write(acknowledge, &try, sizeof try) != sizeof try)
            _exit(2);
        if (!j.place_set(j.self, "1.1", &p, NULL)) _exit(3);
    }
}

/* Starts a writer, kills it after a while; the last try it acknowledged, 0 if none. */
static int run_and_kill(const char *path, int first, unsigned microseconds) {
    int pipe_ends[2], acknowledged = 0, try;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(pipe_ends[0]);
        answer_for_ever(path, first, pipe_ends[1]);
    }
    close(pipe_ends[1]);
    usleep(microseconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read(pipe_ends[0], &try, sizeof try) == sizeof try) acknowledged = try;
    close(pipe_ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return acknowledged;
}

/* From at once, which is in the middle of making the file, to well into the answers. */
static void nothing_acknowledged_is_lost_to_a_kill(void **state) {
    char *path = scratch_path(state, "learner.db");
    uint64_t chance = 20240603;
    int kept = 0, acknowledged_in_all = 0;
    for (int i = 0; i < KILLS; i++) {
        unsigned wait = (unsigned)(base_random(&chance) % (i < KILLS / 2 ? 12000 : 90000));
        int acknowledged = run_and_kill(path, kept + 1, wait);
        struct store *s = record_open(path);
        assert_sound(s);
        int now = record_count(s);
        int expected = acknowledged ? acknowledged : kept;
        assert_in_range(now, expected, expected + 1); /* one may have been kept and not yet told */
        store_close(s);
        acknowledged_in_all += acknowledged ? acknowledged - kept : 0;
        kept = now;
    }
    assert_true(acknowledged_in_all > 0);
    free(path);
}

/* ── two terminals, and thirty first starts ────────────────────────────────────────────────────*/

static void two_handles_see_each_others_answers(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *a = record_open(path), *b = record_open(path);
    assert_true(store_seed(a) == store_seed(b));
    for (int try = 1; try <= 20; try++) {
        assert_true(record_answer(try % 2 ? a : b, try, NULL));
        assert_int_equal(record_count(try % 2 ? b : a), try);
    }
    store_close(a);
    assert_true(record_answer(b, 21, NULL));
    store_close(b);
    free(path);
}

/* A callback may write: screens keep a place while they read. */
static void write_meanwhile(void *to, const struct store_item *i) {
    assert_true(store_set(to, i->item, "seen", NULL));
}

static void reading_and_writing_do_not_wait_for_each_other(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *a = record_open(path), *b = record_open(path);
    assert_true(record_answer(a, 1, NULL));
    assert_true(store_items(a, "", write_meanwhile, b, NULL));
    char *seen = store_setting(a, "1.1/ddp-7b");
    assert_string_equal(seen, "seen");
    free(seen);
    store_close(a);
    store_close(b);
    free(path);
}

/* Most races pass unseen once; hardly any passes so often. */
enum { CROWD = 8, EACH = 5, ROUNDS = 30 };

static int open_and_answer(const char *path, int who) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (!s) return fprintf(stderr, "# %s\n", m.what), 1;
    struct lesson_journal j = store_journal(s);
    for (int try = 1; try <= EACH; try++) {
        char *item = base_format("crowd/%d", who);
        struct lesson_answer a = {
            .item = item, .line = "", .try = try, .typed = "", .verdict = "right", .mistake = ""};
        if (!j.answer(j.self, &a, &m)) return fprintf(stderr, "# %s\n", m.what), 2;
        free(item);
    }
    store_close(s);
    return 0;
}

static void count_right(void *to, const struct store_item *i) {
    *(int *)to += i->right;
}

static void meet(const char *path) {
    pid_t child[CROWD];
    for (int i = 0; i < CROWD; i++)
        if ((child[i] = fork()) == 0) _exit(open_and_answer(path, i));
    for (int i = 0; i < CROWD; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
}

static void a_crowd_opens_a_new_file_at_once(void **state) {
    for (int round = 0; round < ROUNDS; round++) {
        char *path = base_format("%s/%d.db", (const char *)*state, round);
        meet(path);
        struct store *s = record_open(path);
        int right = 0;
        assert_sound(s);
        assert_true(store_items(s, "crowd/", count_right, &right, NULL));
        assert_int_equal(right, CROWD * EACH);
        store_close(s);
        free(path);
    }
}

static void a_lock_that_stays_is_told(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    sqlite3 *other;
    struct base_message m = {0};
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_true(store_sql_run(other, "BEGIN IMMEDIATE"));
    sqlite3_busy_timeout(s->db, 50);
    assert_false(record_answer(s, 1, &m));
    assert_string_equal(
        m.what,
        "cannot keep the answer: another program keeps it locked: close that one, and try again");
    assert_true(store_sql_run(other, "ROLLBACK"));
    assert_true(record_answer(s, 1, &m));
    assert_int_equal(record_count(s), 1);
    sqlite3_close(other);
    store_close(s);
    free(path);
}

/* ── a full disk, for which a limit on files' sizes stands ─────────────────────────────────────*/

static void limit_files(rlim_t size) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Answers until the disk is full; then there is room again. */
static int fill_the_disk(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, NULL);
    if (!s) return 1;
    limit_files(200000);
    int try = 1;
    while (try < 10000 && record_answer(s, try, &m)) try++;
    if (try == 10000 || !strstr(m.what, "cannot keep the answer: the disk")) return 2;
    if (record_count(s) != try - 1) return 3;
    limit_files(RLIM_INFINITY);
    if (!record_answer(s, try, &m)) return 4; /* the same question, sent again */
    if (record_count(s) != try) return 5;
    char *broken = store_broken(s);
    store_close(s);
    return broken ? 6 : 0;
}

static int make_on_a_full_disk(const char *path) {
    struct base_message m = {0};
    limit_files(9000);
    struct store *s = store_open(path, &m);
    if (s) return 1;
    if (!strstr(m.what, "the disk")) return 2;
    limit_files(RLIM_INFINITY);
    s = store_open(path, NULL);
    if (!s || !record_answer(s, 1, NULL) || store_broken(s)) return 3;
    store_close(s);
    return 0;
}

static int in_child(int (*body)(const char *path), const char *path) {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        _exit(body(path));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_full_disk_loses_only_what_was_refused(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_int_equal(in_child(fill_the_disk, path), 0);
    struct store *s = record_open(path);
    assert_sound(s);
    assert_true(record_count(s) > 1);
    store_close(s);
    free(path);
}

static void a_record_begun_on_a_full_disk_is_made_later(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_int_equal(in_child(make_on_a_full_disk, path), 0);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(nothing_acknowledged_is_lost_to_a_kill),
        IN_SCRATCH(two_handles_see_each_others_answers),
        IN_SCRATCH(reading_and_writing_do_not_wait_for_each_other),
        IN_SCRATCH(a_crowd_opens_a_new_file_at_once),
        IN_SCRATCH(a_lock_that_stays_is_told),
        IN_SCRATCH(a_full_disk_loses_only_what_was_refused),
        IN_SCRATCH(a_record_begun_on_a_full_disk_is_made_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
