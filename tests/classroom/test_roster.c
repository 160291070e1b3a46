/* The roster: accounts and names from a teacher's file, and what is wrong with it by its line. */
#include "classroom/room.h"

#include <errno.h>
#include <string.h>

static bool parse(const char *text, struct classroom_roster *r, struct base_message *m) {
    *m = (struct base_message){0};
    return classroom_roster_parse(text, strlen(text), "list", r, m);
}

static void accounts_and_names_are_read(void **state) {
    struct classroom_roster r;
    struct base_message m;
    (void)state;
    assert_true(
        parse("# sys-26\r\n\r\n ada , Ada Lovelace \r\neve # leaves at noon\n\tgrace,Grace, "
              "Hopper",
              &r, &m));
    assert_int_equal(r.people, 3);
    assert_string_equal(r.person[0].account, "ada");
    assert_string_equal(r.person[0].name, "Ada Lovelace");
    assert_string_equal(r.person[1].account, "eve");
    assert_string_equal(r.person[1].name, "");
    assert_string_equal(classroom_roster_find(&r, "grace")->name, "Grace, Hopper");
    assert_null(classroom_roster_find(&r, "gra"));
    classroom_roster_free(&r);
}

/* RFC 4180, as spreadsheets write it; what begins with no quote is as before. */
static void quoted_fields_are_read(void **state) {
    static const struct {
        const char *line, *account, *name;
    } rows[] = {
        {"bob,\"Bob, the Builder\"", "bob", "Bob, the Builder"},
        {"\"bob\",\"Bob\"\r", "bob", "Bob"},
        {"bob, \"Bob \"\"B\"\" Lee\" # late", "bob", "Bob \"B\" Lee"},
        {"bob,\"no # comment\"", "bob", "no # comment"},
        {"bob,\"\"", "bob", ""},
        {"\"bob\"", "bob", ""},
        {"bob,Bob \"B\" Lee", "bob", "Bob \"B\" Lee"},
        {"bob,\"=cmd|\"\"calc\"\"\"", "bob", "=cmd|\"calc\""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_roster r;
        struct base_message m;
        if (!parse(rows[i].line, &r, &m)) fail_msg("%s: %s", rows[i].line, m.what);
        assert_int_equal(r.people, 1);
        assert_string_equal(r.person[0].account, rows[i].account);
        assert_string_equal(r.person[0].name, rows[i].name);
        classroom_roster_free(&r);
    }
}

/* As joining names them: by the system's name, or as "uid 4000000001". */
static void a_number_is_that_account(void **state) {
    struct classroom_roster r;
    struct base_message m;
    (void)state;
    assert_true(parse("0, Root\n4000000001\nuid 4000000002, Ada\n", &r, &m));
    assert_string_equal(r.person[0].account, "root");
    assert_string_equal(r.person[1].account, "uid 4000000001");
    assert_string_equal(r.person[2].account, "uid 4000000002");
    classroom_roster_free(&r);
    assert_false(parse("root\nuid 0\n", &r, &m));
    assert_non_null(strstr(m.what, "line 1 lists root already"));
    classroom_roster_free(&r);
}

static void what_is_wrong_names_file_and_line(void **state) {
    char *account = base_alloc(200), *name = base_alloc(300);
    memset(account, 'a', 64);
    memset(name, 'x', 130);
    memcpy(name, "a,", 2);
    const struct {
        const char *text, *says;
        int line;
    } rows[] = {
        {"ada\n, Eve\n", "account before the comma is missing", 2},
        {",\n", "account before the comma is missing", 1},
        {"ada lovelace\n", "between the account and the name", 1},
        {"uid 7 seven\n", "between the account and the name", 1},
        {"ada\n\n# x\nada, again\n", "line 1 lists ada already", 4},
        {"a\033[2J\n", "plain UTF-8", 1},
        {"ada,\"Ada\n", "closing quote is missing", 1},
        {"eve\nada,\"Ada\" Lovelace\n", "something follows the closing quote", 2},
        {"ada, \xff\n", "plain UTF-8", 1},
        {account, "too long", 1},
        {name, "too long", 1},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_roster r;
        struct base_message m;
        assert_false(parse(rows[i].text, &r, &m));
        if (!strstr(m.what, rows[i].says)) fail_msg("'%s' does not say '%s'", m.what, rows[i].says);
        assert_string_equal(m.file, "list");
        assert_int_equal(m.line, rows[i].line);
        classroom_roster_free(&r);
    }
    free(account);
    free(name);
}

static void a_class_has_a_bounded_number_of_people(void **state) {
    struct base_text t = {0};
    struct classroom_roster r;
    struct base_message m;
    (void)state;
    for (int i = 0; i < CLASSROOM_PEOPLE; i++) base_text_printf(&t, "a%d\n", i);
    assert_true(parse(t.s, &r, &m));
    assert_int_equal(r.people, CLASSROOM_PEOPLE);
    classroom_roster_free(&r);
    base_text_puts(&t, "more\n");
    assert_false(parse(t.s, &r, &m));
    assert_int_equal(m.line, CLASSROOM_PEOPLE + 1);
    classroom_roster_free(&r);
    base_text_free(&t);
}

static void a_teachers_file_becomes_the_roster_whole_or_not_at_all(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_roster r;
    struct stat it;
    struct classroom_folder *f = room_open(state, &s);
    char *good = scratch_path(state, "good"), *bad = scratch_path(state, "bad"),
         *none = scratch_path(state, "none"), *kept = scratch_path(state, "class/roster");
    static const char text[] = "ada, Ada\n# late\neve\n";
    assert_true(base_file_write(good, text, strlen(text), &m));
    assert_true(base_file_write(bad, "ada\nada\n", 8, &m) && base_file_write(none, "#\n", 2, &m));

    assert_true(classroom_roster_read(f, &r, &m)); /* there is none: everybody */
    assert_int_equal(r.people, 0);
    classroom_roster_free(&r);

    assert_true(classroom_roster_take(f, good, &r, &m));
    assert_int_equal(r.people, 2);
    classroom_roster_free(&r);
    assert_int_equal(stat(kept, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0600);

    assert_false(classroom_roster_take(f, bad, &r, &m));
    assert_int_equal(m.line, 2);
    classroom_roster_free(&r);
    assert_false(classroom_roster_take(f, none, &r, &m));
    classroom_roster_free(&r);
    assert_false(classroom_roster_take(f, "/nowhere/roster", &r, &m));
    classroom_roster_free(&r);

    assert_true(classroom_roster_read(f, &r, &m)); /* the first is still there */
    assert_non_null(classroom_roster_find(&r, "eve"));
    classroom_roster_free(&r);
    free(good), free(bad), free(none), free(kept);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_and_names_are_read),
        cmocka_unit_test(quoted_fields_are_read),
        cmocka_unit_test(a_number_is_that_account),
        cmocka_unit_test(what_is_wrong_names_file_and_line),
        cmocka_unit_test(a_class_has_a_bounded_number_of_people),
        IN_SCRATCH(a_teachers_file_becomes_the_roster_whole_or_not_at_all),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
