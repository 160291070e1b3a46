/* The speed challenge's table: nicknames that are safe to show, and files that can be used. */
#include "classroom/room.h"

#include <string.h>

static void a_nickname_is_safe_to_show(void **state) {
    static const struct {
        const char *typed, *shown;
    } rows[] = {
        {"fox", "fox"},
        {"  a fox \n", "a fox"},
        {"red\033[31mfox", "red[31mfox"},
        {"\xe2\x80\xaexof", "xof"},                   /* turns the line round */
        {"f\xe2\x80\x8box", "fox"},                   /* hides */
        {"o\xcc\x88\xcc\x88\xcc\x88\xcc\x88x", "ox"}, /* piles up */
        {"\xe7\x8b\x90\xe7\x8b\xb8", "\xe7\x8b\x90\xe7\x8b\xb8"},
        {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnop"},
        {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
        {" \t ", ""},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char out[CLASSROOM_NICK];
        classroom_nickname(out, rows[i].typed);
        assert_string_equal(out, rows[i].shown);
    }
}

static void the_table_is_written_and_read(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_races read;
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_race race[] = {{"a", "all", 60000, false, 3, 5, 6},
                                    {"b", "traffic", 0, true, 2, 1, 9},
                                    {"c", "all", 60000, false, 9, 6, 7}};
    struct classroom_races all = {3, race};
    assert_true(classroom_races_read(f, &read, &m));
    assert_int_equal(read.count, 0);
    classroom_races_sort(&all);
    assert_true(classroom_races_write(f, &all, &m));
    assert_true(classroom_races_read(f, &read, &m));
    assert_int_equal(read.count, 3);
    assert_string_equal(read.race[0].nickname, "b"); /* who gained most, then the best */
    assert_string_equal(read.race[1].nickname, "c");
    assert_true(read.race[0].choose && read.race[0].ms == 0 && read.race[0].best == 9);
    assert_string_equal(read.race[0].subject, "traffic");
    classroom_races_free(&read);
    classroom_close(f);
}

static void a_table_that_cannot_be_is_refused(void **state) {
#define TABLE(race) "{\"zerotutor\":\"speed\",\"format\":1,\"race\":[" race "]}"
#define RACE(rest)  TABLE("{\"nickname\":\"fox\",\"subject\":\"all\",\"ms\":60000," rest "}")
    static const char *const rows[] = {
        "",
        "[]",
        "{}",
        "{\"zerotutor\":\"board\",\"format\":1}",
        "{\"zerotutor\":\"speed\",\"format\":2}",
        TABLE("1"),
        RACE("\"rounds\":0,\"first\":1,\"best\":2"),
        RACE("\"rounds\":1,\"first\":3,\"best\":2"),
        RACE("\"rounds\":1,\"first\":1,\"best\":99999"),
        RACE("\"rounds\":1,\"first\":-1,\"best\":2"),
        TABLE("{\"nickname\":\" \",\"ms\":1,\"rounds\":1,\"first\":1,\"best\":1}"),
    };
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        struct classroom_races read;
        assert_true(
            classroom_write(f, CLASSROOM_TOP, CLASSROOM_SPEED, 0644, rows[i], strlen(rows[i]), &m));
        assert_false(classroom_races_read(f, &read, &m));
        assert_int_equal(read.count, 0);
        assert_true(*m.what);
    }
    classroom_close(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nickname_is_safe_to_show),
        cmocka_unit_test_setup_teardown(the_table_is_written_and_read, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_table_that_cannot_be_is_refused, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
