/* A memo as a file: begun once, saved whole, never over what another program wrote, its ends of lines as they were. */
#include "sitting/school.h"
#include "sitting/sitting.h"

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

static struct sitting_memo *open_memo(const char *path) {
    struct base_message m = {0};
    struct sitting_memo *f = sitting_memo_open(path, MOST, &m);
    if (!f) fail_msg("%s", m.what);
    return f;
}

static enum sitting_memo_found save(struct sitting_memo *f, const char *text) {
    struct base_message m = {0};
    return sitting_memo_save(f, text, strlen(text), &m);
}

static void lies_in_the_learners_folder(void **state) {
    char *path = sitting_memo_path("capstone");
    char *should = base_format("%s/home/memo/capstone.md", (const char *)*state);
    assert_string_equal(path, should);
    free(should);
    free(path);
}

static void is_begun_once(void **state) {
    char *path = sitting_memo_path("capstone"), *elsewhere = path_in(state, "no/such/folder.md");
    struct base_message m = {0};
    assert_false(sitting_memo_begin(elsewhere, "begun", &m));
    free(elsewhere);
    assert_true(sitting_memo_begin(path, "begun", &m));
    assert_true(sitting_memo_begin(path, "begun again", &m));
    assert_file(path, "begun");
    free(path);
}

static void is_saved(void **state) {
    char *path = path_in(state, "saved.md");
    put(path, "one", 3);
    struct sitting_memo *f = open_memo(path);
    assert_int_equal(save(f, "two\n"), SITTING_MEMO_SAME);
    assert_file(path, "two\n");
    assert_int_equal(save(f, ""), SITTING_MEMO_SAME);
    assert_file(path, "");
    sitting_memo_close(f);
    free(path);
}

static void what_others_wrote_stays(void **state) {
    char *path = path_in(state, "others.md");
    struct base_message m = {0};
    size_t n;
    put(path, "mine", 4);
    struct sitting_memo *f = open_memo(path);
    assert_int_equal(sitting_memo_look(f, &m), SITTING_MEMO_SAME);
    put(path, "theirs", 6);
    assert_int_equal(save(f, "mine, longer"), SITTING_MEMO_CHANGED);
    assert_file(path, "theirs");
    assert_string_equal(sitting_memo_text(f, &n), "theirs");
    assert_int_equal(n, 6);
    assert_int_equal(save(f, "both"), SITTING_MEMO_SAME);
    assert_file(path, "both");
    sitting_memo_close(f);
    free(path);
}

static void one_that_is_gone_is_made_again(void **state) {
    char *path = path_in(state, "gone.md");
    put(path, "mine", 4);
    struct sitting_memo *f = open_memo(path);
    unlink(path);
    assert_int_equal(save(f, "mine still"), SITTING_MEMO_SAME);
    assert_file(path, "mine still");
    sitting_memo_close(f);
    free(path);
}

static void lines_end_as_they_did(void **state) {
    char *path = path_in(state, "dos.md");
    size_t n;
    put(path, "one\r\ntwo\r\n", 10);
    struct sitting_memo *f = open_memo(path);
    assert_string_equal(sitting_memo_text(f, &n), "one\ntwo\n");
    assert_int_equal(save(f, "one\n2\n"), SITTING_MEMO_SAME);
    assert_file(path, "one\r\n2\r\n");
    sitting_memo_close(f);
    free(path);
}

static const struct {
    const char *name, *bytes;
    size_t n;
} JUNK[] = {
    {"a byte that is no UTF-8", "good\n\xff\n", 7},
    {"a zero",                  "good\n\0x",    7},
    {"an escape",               "a\x1b[31m",    6},
    {"ends of lines, mixed",    "one\ntwo\r\n", 9},
};

static void what_is_no_text_is_left_alone(void **state) {
    char *path = path_in(state, "junk.md");
    for (size_t i = 0; i < BASE_COUNT(JUNK); i++) {
        struct base_message m = {0};
        put(path, JUNK[i].bytes, JUNK[i].n);
        if (sitting_memo_open(path, MOST, &m)) fail_msg("%s was opened", JUNK[i].name);
        assert_non_null(strstr(m.what, "no text"));
        put(path, "good", 4);
        struct sitting_memo *f = open_memo(path);
        put(path, JUNK[i].bytes, JUNK[i].n);
        assert_int_equal(save(f, "mine"), SITTING_MEMO_UNREADABLE);
        size_t n;
        char *is = base_file_read(path, MOST, &n, NULL);
        assert_int_equal(n, JUNK[i].n);
        assert_memory_equal(is, JUNK[i].bytes, n);
        free(is);
        sitting_memo_close(f);
    }
    free(path);
}

static void one_too_large_is_refused(void **state) {
    char *path = path_in(state, "large.md");
    struct base_message m = {0};
    put(path, "12345678901", 11);
    assert_null(sitting_memo_open(path, 10, &m));
    assert_non_null(strstr(m.what, "larger"));
    free(path);
}

static int cannot_be_saved(const char *path) {
    struct base_message m = {0};
    struct sitting_memo *f = sitting_memo_open(path, MOST, &m);
    if (!f) return 2;
    bool refused = sitting_memo_save(f, "mine", 4, &m) == SITTING_MEMO_UNWRITTEN;
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
            struct sitting_memo *f = sitting_memo_open(path, MOST, NULL);
            for (int i = 0;; i++) sitting_memo_save(f, texts[i & 1], 100000, NULL);
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

/* ── the learner's editor ────────────────────────────────────────────────────────────────────────*/
static void the_editor_gets_its_options_and_the_file(void **state) {
    char *path = path_in(state, "with a blank.md");
    struct base_message m = {0};
    put(path, "", 0);
    unsetenv("VISUAL");
    setenv("EDITOR", "sh -c 'printf %s \"$0\" >\"$1\"' an-option", 1);
    if (!sitting_memo_edit(path, &m)) fail_msg("%s", m.what);
    assert_file(path, "an-option");
    setenv("VISUAL", "false", 1);
    assert_false(sitting_memo_edit(path, &m));
    assert_non_null(strstr(m.what, "ended with status 1"));
    assert_file(path, "an-option");
    setenv("VISUAL", "/there/is/no/editor", 1);
    assert_false(sitting_memo_edit(path, &m));
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
        TEST(the_editor_gets_its_options_and_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
