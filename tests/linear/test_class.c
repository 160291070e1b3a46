/* A lesson in a class, line by line: the hand goes up and down, and what waits is said once. */
#include "linear/linear.h"
#include "session/classes.h"

#include <stdlib.h>
#include <unistd.h>

/* What lesson 1.1 prints for these lines, the caller's. */
static char *talk(const char *typed) {
    const struct linear_options o = {.lesson = "1.1", .ascii = true};
    char *text = NULL;
    size_t n = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &n);
    fputs(typed, in);
    rewind(in);
    assert_int_equal(linear_run(&o, in, out), 0);
    fclose(out);
    fclose(in);
    return text;
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, words)); at++) n++;
    return n;
}

static void the_hand_goes_up_and_down(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *alone = talk(":help\n:hand\n:quit\n");
    assert_non_null(strstr(alone, "you are in no class"));
    assert_null(strstr(alone, "raise your hand"));
    char *path = classes_make(state, "sys-26", &s);
    assert_true(session_class_join(path, NULL, &in, &m));
    char *said = talk(":help\n:hand\n:repeat\n:hand\n:quit\n");
    assert_non_null(strstr(said, "raise your hand"));
    assert_int_equal(count(said, "Your hand is raised."), 1);
    assert_int_equal(count(said, "Your hand is down"), 1);
    free(said), free(path), free(alone);
}

static void a_hand_in_that_waits_is_said_once(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s);
    assert_true(session_class_join(path, NULL, &in, &m));
    char *handins = base_format("%s/handins", path), *away = base_format("%s/away", path);
    assert_int_equal(rename(handins, away), 0);
    char *said = talk("\n14\n15\n:quit\n");
    assert_int_equal(count(said, "Your hand-in has waited since 10:33."), 1);
    assert_int_equal(rename(away, handins), 0);
    char *later = talk(":quit\n");
    assert_null(strstr(later, "waited"));
    struct classroom_handin h;
    struct classroom_folder *f = classroom_open(path, &m);
    char *name = base_format("%s" CLASSROOM_HANDIN_END, in.handin);
    assert_true(classroom_handin_read(f, CLASSROOM_HANDINS, name, &s, &h, &m));
    assert_int_equal(h.answers, 2);
    classroom_handin_free(&h);
    classroom_close(f);
    free(name), free(later), free(said), free(away), free(handins), free(path);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(the_hand_goes_up_and_down),
        AT_SCHOOL(a_hand_in_that_waits_is_said_once),
    };
    return cmocka_run_group_tests_name("class", tests, NULL, NULL);
}
