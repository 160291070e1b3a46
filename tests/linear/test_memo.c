/* A memo in the linear skin: where its file lies, what the check says, and what cannot be
 * checked. */
#include "linear/linear.h"
#include "session/school.h"
#include "session/session.h"

#define LESSON "tests/screen/lessons/memo.lua"

/* What is printed while this is typed; the caller's. */
static char *talk(const char *typed, int status) {
    struct linear_options o = {.lesson = LESSON};
    char *text = NULL;
    size_t n = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &n);
    fputs(typed, in);
    rewind(in);
    assert_int_equal(linear_run(&o, in, out), status);
    fclose(out);
    fclose(in);
    return text;
}

static void assert_says(const char *typed, int status, const char *const *words) {
    char *said = talk(typed, status);
    for (size_t i = 0; words[i]; i++)
        if (!strstr(said, words[i])) fail_msg("\"%s\" is not in:\n%s", words[i], said);
    free(said);
}

static void put(const char *text, size_t n) {
    char *path = session_memo_path("capstone");
    struct base_message m = {0};
    assert_true(session_memo_begin(path, "", &m));
    assert_true(base_file_write(path, text, n, &m));
    free(path);
}

static void the_file_is_named_and_made(void **state) {
    char *path = session_memo_path("capstone");
    (void)state;
    assert_says("\n:quit\n", 0,
                (const char *const[]){"Your memo is this file:", path, "Type check", NULL});
    assert_int_equal(access(path, R_OK), 0);
    free(path);
}

static void it_is_checked_as_often_as_one_likes(void **state) {
    (void)state;
    assert_says("\ncheck\nnonsense\ncheck\n\n\n", 0,
                (const char *const[]){"Does not pass", "missing:", "type edit or check",
                                      "It was written.", NULL});
}

static void one_that_passes_brings_another_case(void **state) {
    size_t n;
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, &n, NULL);
    (void)state;
    put(good, n);
    assert_says("\ncheck\n:fresh\n:quit\n", 0,
                (const char *const[]){"Passes", "capstone-2.md", NULL});
    free(good);
}

/* With the memo out of sight; each is answered, left or asked again. */
static void questions_follow_one_that_passes(void **state) {
    size_t n;
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, &n, NULL);
    (void)state;
    put(good, n);
    assert_says("\ncheck\n1 GB\n:quit\n", 0,
                (const char *const[]){"Question 1 of 3.", "your answer, in", "it is",
                                      "Question 2 of 3.", NULL});
    free(good);
}

static void one_that_is_no_text_is_told(void **state) {
    (void)state;
    put("\xff\xfe\0x", 4);
    assert_says("\ncheck\n:quit\n", 0, (const char *const[]){"the file is unchanged", NULL});
}

static void without_a_terminal_there_is_no_editor(void **state) {
    (void)state;
    assert_says("\nedit\n:quit\n", 0, (const char *const[]){"this is not a terminal", NULL});
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        TEST(the_file_is_named_and_made),          TEST(it_is_checked_as_often_as_one_likes),
        TEST(one_that_passes_brings_another_case), TEST(questions_follow_one_that_passes),
        TEST(one_that_is_no_text_is_told),         TEST(without_a_terminal_there_is_no_editor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
