/* Where a learner is now: written, read, and never believed further than its owner. */
#include "classroom/room.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "00112233445566778899aabbccddeeff"

static struct classroom_presence somewhere(void) {
    struct classroom_presence p = {.lesson = "1.1",
                                   .step = "ddp-7b",
                                   .title = "Seven billion",
                                   .number = 4,
                                   .of = 12,
                                   .since = 60,
                                   .item = "1.1/ddp-7b",
                                   .tries = 2,
                                   .mistake = "gib-for-gb",
                                   .hand = true,
                                   .said = "why 16?",
                                   .vote = "v1",
                                   .round = 2,
                                   .choice = 3};
    char *account = classroom_account(geteuid());
    snprintf(p.account, sizeof p.account, "%s", account);
    free(account);
    return p;
}

static void it_comes_back_as_it_was_written(void **state) {
    struct classroom_settings s;
    struct classroom_presence p = somewhere(), back;
    struct base_message m = {0};
    struct stat it;
    unsetenv("ZEROTUTOR_NOW");
    struct classroom_folder *f = room_open(state, &s);
    assert_false(classroom_presence_read(f, NAME, &s, &back, &m));
    assert_true(classroom_presence_write(f, NAME, &p, &m));
    char *path = scratch_path(state, "class/handins/" NAME CLASSROOM_NOW_END);
    assert_int_equal(stat(path, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0644);
    assert_true(classroom_presence_read(f, NAME, &s, &back, &m));
    assert_int_equal(back.owner, geteuid());
    assert_true(back.since >= 60 && back.since < 60 + 100 && back.changed == it.st_mtime);
    back.since = 60;
    back.owner = p.owner;
    back.changed = p.changed;
    assert_string_equal(back.account, p.account);
    assert_string_equal(back.lesson, p.lesson);
    assert_string_equal(back.step, p.step);
    assert_string_equal(back.title, p.title);
    assert_string_equal(back.item, p.item);
    assert_string_equal(back.mistake, p.mistake);
    assert_string_equal(back.said, p.said);
    assert_string_equal(back.vote, p.vote);
    assert_true(back.number == 4 && back.of == 12 && back.tries == 2 && back.hand);
    assert_true(back.choice == 3 && back.round == 2);
    struct timespec old[2] = {{it.st_mtime - 500, 0}, {it.st_mtime - 500, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_true(classroom_presence_read(f, NAME, &s, &back, &m));
    assert_true(back.since >= 560 && back.since < 660);
    classroom_presence_remove(f, NAME);
    assert_false(classroom_presence_read(f, NAME, &s, &back, &m));
    free(path);
    classroom_close(f);
}

static void texts_of_others_are_safe_to_show(void **state) {
    struct classroom_settings s;
    struct classroom_presence p = somewhere(), back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    char *text =
        base_format("{\"zerotutor\":\"now\",\"account\":\"%s\",\"lesson\":\"a\\u001b[2J\\nb\","
                    "\"step\":7,\"number\":-3,\"of\":1e99,\"tries\":99999999999,"
                    "\"since\":-5,\"hand\":\"x\",\"vote\":[],\"title\":\"%0500d\"}",
                    p.account, 1);
    assert_true(classroom_write(f, CLASSROOM_HANDINS, NAME CLASSROOM_NOW_END, 0644, text,
                                strlen(text), &m));
    assert_true(classroom_presence_read(f, NAME, &s, &back, &m));
    assert_null(strpbrk(back.lesson, "\033\n"));
    assert_true(!*back.step && !back.number && !back.of && !back.tries && !back.hand);
    assert_int_equal(strlen(back.title), sizeof back.title - 1);
    free(text);
    static const char *const broken[] = {"", "{", "[]", "{\"zerotutor\":\"class\"}", "null"};
    for (size_t i = 0; i < BASE_COUNT(broken); i++) {
        assert_true(classroom_write(f, CLASSROOM_HANDINS, NAME CLASSROOM_NOW_END, 0644, broken[i],
                                    strlen(broken[i]), &m));
        assert_false(classroom_presence_read(f, NAME, &s, &back, &m));
    }
    classroom_close(f);
}

static void another_account_is_not_believed(void **state) {
    struct classroom_settings s;
    struct classroom_presence p = somewhere(), back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    snprintf(p.account, sizeof p.account, "eve");
    assert_true(classroom_presence_write(f, NAME, &p, &m));
    assert_false(classroom_presence_read(f, NAME, &s, &back, &m));
    assert_non_null(strstr(m.what, "eve"));
    s.synchronised = true;
    assert_true(classroom_presence_read(f, NAME, &s, &back, &m));
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(it_comes_back_as_it_was_written),
        IN_SCRATCH(texts_of_others_are_safe_to_show),
        IN_SCRATCH(another_account_is_not_believed),
    };
    return cmocka_run_group_tests_name("presence", tests, NULL, NULL);
}
