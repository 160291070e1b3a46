/* JSON: where it is broken, what is read leniently, and members as text. */
#include "base/base.h"

#include "base/scratch.h"

#include <string.h>

static const struct broken {
    const char *text;
    int line;
    const char *says;
} brokens[] = {
    {"", 1, "not valid JSON"},
    {"{\"a\": 1,\n \"b\" 2}", 2, "':' expected"},
    {"{\n\n\"a\": [1, 2}", 3, "']' expected"},
    {"[1, 2", 1, "end of file"},
    {"{\"a\":1,\n\"a\":2}", 2, "duplicate"},
    {"{\"a\":\"\xC3(\"}", 1, "decode byte"},
    {"{} {}", 1, "end of file"},
    {"{\"a\":1e999}", 1, "real number overf"},
    {"{\"a\":99999999999999999999}", 1, "too big"},
    {"{\"a\": nul}", 1, "invalid token"},
};

static void broken_json_is_named_with_file_and_line(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(brokens); i++) {
        const struct broken *b = &brokens[i];
        struct base_message m = {0};
        assert_null(base_json_read(b->text, strlen(b->text), "course.json", &m));
        assert_string_equal(m.file, "course.json");
        if (m.line != b->line || !strstr(m.what, b->says))
            fail_msg("%s: line %d: %s", b->text, m.line, m.what);
    }
}

static void a_file_is_read_or_blamed(void **state) {
    char *path = scratch_path(state, "a.json");
    struct base_message m = {0};
    assert_null(base_json_read_file(path, &m));
    assert_string_equal(m.file, path);
    assert_non_null(strstr(m.what, "file not found"));

    assert_true(base_file_write(path, "{\n\"a\": }", 8, NULL));
    assert_null(base_json_read_file(path, &m));
    assert_string_equal(m.file, path);
    assert_int_equal(m.line, 2);

    assert_true(base_file_write(path, "{\"a\": [1, {\"b\": null}]}", 23, NULL));
    json_t *json = base_json_read_file(path, &m);
    assert_non_null(json);
    assert_int_equal(json_array_size(json_object_get(json, "a")), 2);
    json_decref(json);
    free(path);
}

static json_t *parsed(const char *text) {
    json_t *json = base_json_read(text, strlen(text), "test", NULL);
    assert_non_null(json);
    return json;
}

static void members_of_another_type_are_otherwise(void **state) {
    (void)state;
    json_t *o =
        parsed("{\"t\":\"x\",\"i\":7,\"r\":7.5,\"w\":13e9,\"big\":1e300,\"yes\":true,\"no\":"
               "false,\"z\":null}");
    assert_string_equal(base_json_text(o, "t", "?"), "x");
    assert_string_equal(base_json_text(o, "i", "?"), "?");
    assert_string_equal(base_json_text(o, "none", "?"), "?");
    assert_int_equal(base_json_int(o, "i", -1), 7);
    assert_int_equal(base_json_int(o, "w", -1), 13000000000);
    assert_int_equal(base_json_int(o, "r", -1), -1);
    assert_int_equal(base_json_int(o, "big", -1), -1);
    assert_int_equal(base_json_int(o, "t", -1), -1);
    assert_true(base_json_number(o, "i", -1) == 7 && base_json_number(o, "r", -1) == 7.5);
    assert_true(base_json_number(o, "yes", -1) == -1);
    assert_true(base_json_bool(o, "yes", false) && !base_json_bool(o, "no", true));
    assert_true(base_json_bool(o, "z", true) && !base_json_bool(o, "i", false));
    assert_string_equal(base_json_text(NULL, "t", "no object"), "no object");
    json_decref(o);
}

/* ── members as text ───────────────────────────────────────────────────────────────────────────*/

static const struct field {
    const char *json, *text;
} fields[] = {
    {"\"mixed-bf16\"", "mixed-bf16"},
    {"\"\"", ""},
    {"16", "16"},
    {"-3", "-3"},
    {"9223372036854775807", "9223372036854775807"},
    {"13015864320", "13015864320"},
    {"7e9", "7000000000"},
    {"64.0", "64"},
    {"7.5e9", "7500000000"},
    {"0.005", "0.005"},
    {"2.03125", "2.03125"},
    {"0.1", "0.1"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"1e300", "1e+300"},
    {"true", "on"},
    {"false", "off"},
};

static bool collect(void *self, const char *name, const char *text, struct base_message *m) {
    (void)m;
    base_text_printf(self, "%s=%s;", name, text);
    return true;
}

static void every_scalar_is_text(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(fields); i++) {
        char *json = base_format("{\"f\":%s,\"skipped\":null}", fields[i].json);
        char *expected = base_format("f=%s;", fields[i].text);
        json_t *o = parsed(json);
        struct base_text got = {0};
        assert_true(base_json_fields(o, collect, &got, NULL));
        assert_string_equal(got.s, expected);
        base_text_free(&got);
        json_decref(o);
        free(json);
        free(expected);
    }
}

static bool refuse_b(void *self, const char *name, const char *text, struct base_message *m) {
    collect(self, name, text, m);
    return strcmp(name, "b") != 0 || base_fail(m, "no b here");
}

static void the_first_refusal_ends_it(void **state) {
    (void)state;
    json_t *o = parsed("{\"a\":1,\"b\":2,\"c\":3}");
    struct base_text got = {0};
    struct base_message m = {0};
    assert_false(base_json_fields(o, refuse_b, &got, &m));
    assert_string_equal(got.s, "a=1;b=2;");
    assert_string_equal(m.what, "no b here");
    base_text_free(&got);
    json_decref(o);
}

static void nested_members_and_other_values_are_refused(void **state) {
    (void)state;
    const char *const refused[] = {"{\"gpus\":[8]}", "{\"gpus\":{\"n\":8}}", "[1,2]"};
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        json_t *o = parsed(refused[i]);
        struct base_text got = {0};
        struct base_message m = {0};
        assert_false(base_json_fields(o, collect, &got, &m));
        assert_non_null(strstr(m.what, i < 2 ? "\"gpus\" must be" : "an object"));
        assert_int_equal(got.length, 0);
        base_text_free(&got);
        json_decref(o);
    }
    assert_false(base_json_fields(NULL, collect, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_json_is_named_with_file_and_line),
        cmocka_unit_test_setup_teardown(a_file_is_read_or_blamed, scratch_make, scratch_remove),
        cmocka_unit_test(members_of_another_type_are_otherwise),
        cmocka_unit_test(every_scalar_is_text),
        cmocka_unit_test(the_first_refusal_ends_it),
        cmocka_unit_test(nested_members_and_other_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
