/* What a teacher gives back, as the learner's program reads it: the teacher's own file or none. */
#include "session/pupils.h"

#include "base/scratch.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { ANSWERS = 8 };

/* A class that this account teaches and takes; its hand-in is graded. */
static struct classroom_folder *graded(void **state, struct session_class *c) {
    struct base_message m = {0};
    struct classroom_settings s;
    char *home = scratch_path(state, "home"), *path = scratch_path(state, "class");
    setenv("ZEROTUTOR_HOME", home, 1);
    struct classroom_folder *f = classroom_make(path, &m);
    assert_true(session_class_settings("sys-26", &s, &m));
    s.begins = base_now() - 3600;
    s.lesson[s.lessons++] = (struct classroom_lesson){.id = "1.1"};
    assert_true(classroom_settings_write(f, &s, &m));
    if (!session_class_join(path, NULL, c, &m)) fail_msg("%s", m.what);
    size_t n;
    struct pupils_row *row = pupils_answers(pupils, &s, c->account, ANSWERS);
    char *text = pupils_text(pupils, &s, c->account, row, ANSWERS, 1, &n),
         *name = base_format("%s.handin", c->handin);
    assert_true(classroom_write(f, CLASSROOM_HANDINS, name, 0644, text, n, &m));
    json_decref(classroom_collect(f, &s, &m));
    json_t *grades = session_class_grade(f, &s, NULL, &m);
    if (!grades) fail_msg("%s", m.what);
    json_decref(grades);
    pupils_free(row, ANSWERS);
    free(name);
    free(text);
    free(path);
    free(home);
    return f;
}

static void points_and_a_remark_come_back(void **state) {
    struct base_message m = {0};
    struct session_class c;
    struct classroom_folder *f = graded(state, &c);
    char *line = session_feedback_line();
    assert_non_null(line);
    free(line);
    assert_true(session_class_leave(&m)); /* whoever left can still read it */
    line = session_feedback_line();
    assert_non_null(line);
    assert_ptr_equal(strstr(line, "sys-26: "), line);
    assert_non_null(strstr(line, " of 5 points"));
    assert_null(strstr(line, "remark"));
    free(line);
    assert_true(
        session_class_remark(f, &c.settings, c.account, "Look at *grads*\033[2J\n# again", &m));
    line = session_feedback_line();
    assert_non_null(strstr(line, "and a remark"));
    free(line);
    json_t *feedback = session_feedback(&c, &m);
    char *words = session_feedback_words(feedback, c.settings.name);
    assert_non_null(strstr(words, "> Look at \\*grads\\*")); /* its marks are text */
    assert_null(strchr(words, '\033'));
    assert_null(strstr(words, "\n# again"));
    assert_non_null(strstr(words, "| 1.1/one\\-number | "));
    free(words);
    json_decref(feedback);
    assert_true(session_class_remark(f, &c.settings, c.account, "", &m)); /* taken back */
    line = session_feedback_line();
    assert_null(strstr(line, "remark"));
    free(line);
    assert_false(session_class_remark(f, &c.settings, "stranger", "hello", &m));
    assert_non_null(strstr(m.what, "stranger"));
    classroom_close(f);
}

/* What lies in its place is not read: a link, another class's, a text, nothing. */
static void only_the_teachers_file_is_read(void **state) {
    struct base_message m = {0};
    struct session_class c;
    struct classroom_folder *f = graded(state, &c);
    char *name = base_format("%s.json", c.handin),
         *path = base_format("%s/feedback/%s", classroom_path(f), name),
         *away = scratch_path(state, "away");
    static const char *const texts[] = {
        "", "[]", "{\"zerotutor\":\"feedback\",\"format\":1,\"class\":\"another\"}",
        "{\"zerotutor\":\"feedback\",\"format\":2}", "{\"zerotutor\":\"grades\",\"format\":1}"};
    if (geteuid() == 0) { /* another account's */
        assert_int_equal(chown(path, 65534, 65534), 0);
        assert_null(session_feedback(&c, &m));
        assert_int_equal(chown(path, 0, 0), 0);
        json_t *again = session_feedback(&c, &m);
        assert_non_null(again);
        json_decref(again);
    }
    assert_int_equal(rename(path, away), 0);
    assert_int_equal(symlink(away, path), 0);
    assert_null(session_feedback(&c, &m));
    assert_int_equal(unlink(path), 0);
    assert_null(session_feedback_line());
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        assert_true(
            classroom_write(f, CLASSROOM_FEEDBACK, name, 0644, texts[i], strlen(texts[i]), &m));
        if (session_feedback(&c, &m)) fail_msg("%s is taken for feedback", texts[i]);
    }
    free(away);
    free(path);
    free(name);
    classroom_close(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(points_and_a_remark_come_back, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(only_the_teachers_file_is_read, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, pupils_begin, pupils_end);
}
