/* A memo as a file: begun once, saved whole, never over what another program wrote, its ends of
 * lines as they were. */
#include "session/school.h"
#include "session/session.h"

#include <signal.h>
#include <sys/wait.h>

enum { MOST = 1 << 20 };

static char *path_in(void **state, const char *name) {
    return scratch_path(state, name);
}

static void put(const char *path, const char *text, size_t n) {
    assert_true(base_file_write(path, text, n, NULL));
}

static char *get(const char *path) {
    char *text = base_file_read(path, MOST, NULL, NULL);
    assert_non_null(text);
    return text;
}

static void assert_file(const char *path, const char *text) {
    char *is = get(path);
    assert_string_equal(is, text);
    free(is);
}

static struct session_memo *open_memo(const char *path) {
    struct base_message m = {0};
    struct session_memo *f = session_memo_open(path, MOST, &m);
    if (!f) fail_msg("%s", m.what);
    return f;
}

static enum session_memo_found save(struct session_memo *f, const char *text) {
    struct base_message m = {0};
    return session_memo_save(f, text, strlen(text), &m);
}

static void lies_in_the_learners_folder(void **state) {
    char *path = session_memo_path("capstone");
    char *should = base_format("%s/home/memo/capstone.md", (const char *)*state);
    assert_string_equal(path, should);
    free(should);
    free(path);
}

static void is_begun_once(void **state) {
    char *path = session_memo_path("capstone"), *elsewhere = path_in(state, "no/such/folder.md");
    struct base_message m = {0};
    assert_false(session_memo_begin(elsewhere, "begun", &m));
    free(elsewhere);
    assert_true(session_memo_begin(path, "begun", &m));
    assert_true(session_memo_begin(path, "begun again", &m));
    assert_file(path, "begun");
    free(path);
}

static void is_saved(void **state) {
    char *path = path_in(state, "saved.md");
    put(path, "one", 3);
    struct session_memo *f = open_memo(path);
    assert_int_equal(save(f, "two\n"), SESSION_MEMO_SAME);
    assert_file(path, "two\n");
    assert_int_equal(save(f, ""), SESSION_MEMO_SAME);
    assert_file(path, "");
    session_memo_close(f);
    free(path);
}

static void what_others_wrote_stays(void **state) {
    char *path = path_in(state, "others.md");
    struct base_message m = {0};
    size_t n;
    put(path, "mine", 4);
    struct session_memo *f = open_memo(path);
    assert_int_equal(session_memo_look(f, &m), SESSION_MEMO_SAME);
    put(path, "theirs", 6);
    assert_int_equal(save(f, "mine, longer"), SESSION_MEMO_CHANGED);
    assert_file(path, "theirs");
    assert_string_equal(session_memo_text(f, &n), "theirs");
    assert_int_equal(n, 6);
    assert_int_equal(save(f, "both"), SESSION_MEMO_SAME);
    assert_file(path, "both");
    session_memo_close(f);
    free(path);
}

static void one_that_is_gone_is_made_again(void **state) {
    char *path = path_in(state, "gone.md");
    put(path, "mine", 4);
    struct session_memo *f = open_memo(path);
    unlink(path);
    assert_int_equal(save(f, "mine still"), SESSION_MEMO_SAME);
    assert_file(path, "mine still");
    session_memo_close(f);
    free(path);
}

static void lines_end_as_they_did(void **state) {
    char *path = path_in(state, "dos.md");
    size_t n;
    put(path, "one\r\ntwo\r\n", 10);
    struct session_memo *f = open_memo(path);
    assert_string_equal(session_memo_text(f, &n), "one\ntwo\n");
    assert_int_equal(save(f, "one\n2\n"), SESSION_MEMO_SAME);
    assert_file(path, "one\r\n2\r\n");
    session_memo_close(f);
    free(path);
}

static const struct {
    const char *name, *bytes;
    size_t n;
} JUNK[] = {
    {"a byte that is no UTF-8", "good\n\xff\n", 7},
    {"a zero", "good\n\0x", 7},
    {"an escape", "a\x1b[31m", 6},
    {"ends of lines, mixed", "one\ntwo\r\n", 9},
};

static void what_is_no_text_is_left_alone(void **state) {
    char *path = path_in(state, "junk.md");
    for (size_t i = 0; i < BASE_COUNT(JUNK); i++) {
        struct base_message m = {0};
        put(path, JUNK[i].bytes, JUNK[i].n);
        if (session_memo_open(path, MOST, &m)) fail_msg("%s was opened", JUNK[i].name);
        assert_non_null(strstr(m.what, "not UTF-8 text"));
        put(path, "good", 4);
        struct session_memo *f = open_memo(path);
        put(path, JUNK[i].bytes, JUNK[i].n);
        assert_int_equal(save(f, "mine"), SESSION_MEMO_UNREADABLE);
        size_t n;
        char *is = base_file_read(path, MOST, &n, NULL);
        assert_int_equal(n, JUNK[i].n);
        assert_memory_equal(is, JUNK[i].bytes, n);
        free(is);
        session_memo_close(f);
    }
    free(path);
}

static void one_too_large_is_refused(void **state) {
    char *path = path_in(state, "large.md");
    struct base_message m = {0};
    put(path, "12345678901", 11);
    assert_null(session_memo_open(path, 10, &m));
    assert_non_null(strstr(m.what, "too large"));
    free(path);
}

static int cannot_be_saved(const char *path) {
    struct base_message m = {0};
    struct session_memo *f = session_memo_open(path, MOST, &m);
    if (!f) return 2;
    bool refused = session_memo_save(f, "mine", 4, &m) == SESSION_MEMO_UNWRITTEN;
    return refused && strstr(m.what, "cannot write") ? 0 : 1;
}

static void a_folder_that_cannot_be_written_is_told(void **state) {
    char *path = path_in(state, "kept.md");
    put(path, "kept", 4);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(scratch_unprivileged(cannot_be_saved, path), 0);
    assert_file(path, "kept");
    free(path);
}

/* A writer that is killed at any moment leaves a whole text: an old one or a new one. */
static void killed_while_saving(void **state) {
    char *path = path_in(state, "killed.md"), *texts[2];
    for (int i = 0; i < 2; i++) {
        texts[i] = base_alloc(100001);
        memset(texts[i], 'a' + i, 100000);
    }
    put(path, texts[0], 100000);
    for (int kill_ms = 1; kill_ms <= 20; kill_ms++) {
        pid_t child = fork();
        if (child == 0) {
            struct session_memo *f = session_memo_open(path, MOST, NULL);
            for (int i = 0;; i++) session_memo_save(f, texts[i & 1], 100000, NULL);
        }
        usleep((useconds_t)kill_ms * 1000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        char *is = get(path);
        assert_true(strcmp(is, texts[0]) == 0 || strcmp(is, texts[1]) == 0);
        free(is);
    }
    for (int i = 0; i < 2; i++) free(texts[i]);
    free(path);
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
static void a_link_is_saved_through(void **state) {
    char *file = path_in(state, "notes.md"), *link = path_in(state, "link.md"), to[100] = "";
    put(file, "mine", 4);
    assert_int_equal(chmod(file, 0600), 0);
    assert_int_equal(symlink("notes.md", link), 0);
    struct session_memo *f = open_memo(link);
    assert_int_equal(save(f, "mine, longer"), SESSION_MEMO_SAME);
    put(file, "theirs", 6);
    assert_int_equal(save(f, "mine, longest"), SESSION_MEMO_CHANGED);
    assert_file(file, "theirs");
    assert_int_equal(readlink(link, to, sizeof to), 8);
    assert_string_equal(to, "notes.md");
    session_memo_close(f);
    free(link);
    free(file);
}

static void one_begun_through_a_link_leaves_the_link(void **state) {
    char *file = path_in(state, "notes.md"), *link = path_in(state, "link.md"), to[100];
    struct base_message m = {0};
    assert_int_equal(symlink("notes.md", link), 0);
    assert_true(session_memo_begin(link, "begun", &m));
    assert_file(file, "begun");
    assert_true(readlink(link, to, sizeof to) > 0);
    free(link);
    free(file);
}

static void a_link_into_nowhere_is_told(void **state) {
    char *link = path_in(state, "link.md"), *away = path_in(state, "away"), to[100];
    struct base_message m = {0};
    assert_int_equal(symlink("away/notes.md", link), 0);
    assert_false(session_memo_begin(link, "begun", &m));
    assert_non_null(strstr(m.what, "this is a link to"));
    assert_true(base_make_dirs(away, NULL));
    assert_true(session_memo_begin(link, "begun", &m));
    struct session_memo *f = open_memo(link);
    char *file = base_format("%s/notes.md", away);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(away), 0);
    assert_int_equal(session_memo_save(f, "mine", 4, &m), SESSION_MEMO_UNWRITTEN);
    assert_true(readlink(link, to, sizeof to) > 0);
    assert_true(base_make_dirs(away, NULL));
    assert_int_equal(save(f, "mine"), SESSION_MEMO_SAME);
    assert_file(file, "mine");
    session_memo_close(f);
    free(file);
    free(away);
    free(link);
}

/* ── at the same time ──────────────────────────────────────────────────────────────────────────*/
enum { ROUNDS = 40, WRITERS = 4 };

static int begins_and_finds_what_stays(const char *path, int which) {
    char mine[32];
    snprintf(mine, sizeof mine, "begun by %d", which);
    if (!session_memo_begin(path, mine, NULL)) return 100;
    char *is = base_file_read(path, MOST, NULL, NULL);
    int found = is && strncmp(is, "begun by ", 9) == 0 ? atoi(is + 9) : 101;
    free(is);
    return found;
}

/* Several programs begin the same memo: all of them find the one that is there in the end. */
static void begun_by_several_at_once_it_is_begun_once(void **state) {
    char *path = path_in(state, "begun.md");
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child[WRITERS];
        int go[2], status;
        char byte;
        assert_int_equal(pipe(go), 0);
        for (int i = 0; i < WRITERS; i++) {
            child[i] = fork();
            if (child[i] != 0) continue;
            close(go[1]);
            if (read(go[0], &byte, 1) < 0) _exit(102); /* all begin when the pipe is closed */
            _exit(begins_and_finds_what_stays(path, i));
        }
        close(go[0]);
        close(go[1]);
        int found[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            waitpid(child[i], &status, 0);
            found[i] = WEXITSTATUS(status);
        }
        char *last = get(path);
        for (int i = 0; i < WRITERS; i++) assert_int_equal(found[i], atoi(last + 9));
        free(last);
        unlink(path);
    }
    free(path);
}

/* Another program writes the file, and goes on only when that was seen: one that is written over
 * unseen is waited for in vain. */
_Noreturn static void write_and_await(const char *path, int seen) {
    for (int i = 0; i < ROUNDS; i++) {
        char theirs[30], byte;
        snprintf(theirs, sizeof theirs, "theirs %d\n", i);
        if (!base_file_write(path, theirs, strlen(theirs), NULL)) _exit(1);
        if (read(seen, &byte, 1) != 1) _exit(2);
    }
    _exit(0);
}

static void no_write_of_another_is_saved_over(void **state) {
    enum { MOST_SAVES = 20000 };
    char *path = path_in(state, "raced.md");
    struct base_message m = {0};
    int seen[2], met = 0;
    size_t n;
    put(path, "mine", 4);
    struct session_memo *f = open_memo(path);
    assert_int_equal(pipe(seen), 0);
    pid_t other = fork();
    if (other == 0) write_and_await(path, seen[0]);
    for (int i = 0; i < MOST_SAVES && met < ROUNDS; i++) {
        char mine[30];
        snprintf(mine, sizeof mine, "mine %d\n", i);
        enum session_memo_found found = session_memo_save(f, mine, strlen(mine), &m);
        if (found == SESSION_MEMO_SAME) continue;
        assert_int_equal(found, SESSION_MEMO_CHANGED);
        assert_int_equal(atoi(session_memo_text(f, &n) + 7), met++);
        assert_int_equal(write(seen[1], "x", 1), 1);
    }
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    assert_int_equal(met, ROUNDS);
    session_memo_close(f);
    close(seen[0]);
    close(seen[1]);
    free(path);
}

static void what_is_kept_takes_a_free_name(void **state) {
    static const char *const names[] = {"memo.md~", "memo.md~2", "memo.md~3"};
    char *path = path_in(state, "memo.md");
    put(path, "theirs", 6);
    struct session_memo *f = open_memo(path);
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        char *should = path_in(state, names[i]), *kept = session_memo_keep(f, "mine", 4, NULL);
        assert_string_equal(kept, should);
        assert_file(kept, "mine");
        free(kept);
        free(should);
    }
    assert_file(path, "theirs");
    session_memo_close(f);
    free(path);
}

/* ── the learner's editor ──────────────────────────────────────────────────────────────────────*/
static void the_editor_gets_its_options_and_the_file(void **state) {
    char *path = path_in(state, "with a blank.md");
    struct base_message m = {0};
    put(path, "", 0);
    unsetenv("VISUAL");
    setenv("EDITOR", "sh -c 'printf %s \"$0\" >\"$1\"' an-option", 1);
    if (!session_memo_edit(path, &m)) fail_msg("%s", m.what);
    assert_file(path, "an-option");
    setenv("VISUAL", "false", 1);
    assert_false(session_memo_edit(path, &m));
    assert_non_null(strstr(m.what, "ended with status 1"));
    assert_file(path, "an-option");
    setenv("VISUAL", "/there/is/no/editor", 1);
    assert_false(session_memo_edit(path, &m));
    assert_non_null(strstr(m.what, "set EDITOR"));
    unsetenv("VISUAL");
    unsetenv("EDITOR");
    free(path);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        TEST(lies_in_the_learners_folder),
        TEST(is_begun_once),
        TEST(is_saved),
        TEST(what_others_wrote_stays),
        TEST(one_that_is_gone_is_made_again),
        TEST(lines_end_as_they_did),
        TEST(what_is_no_text_is_left_alone),
        TEST(one_too_large_is_refused),
        TEST(a_folder_that_cannot_be_written_is_told),
        TEST(killed_while_saving),
        TEST(a_link_is_saved_through),
        TEST(one_begun_through_a_link_leaves_the_link),
        TEST(a_link_into_nowhere_is_told),
        TEST(begun_by_several_at_once_it_is_begun_once),
        TEST(no_write_of_another_is_saved_over),
        TEST(what_is_kept_takes_a_free_name),
        TEST(the_editor_gets_its_options_and_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
