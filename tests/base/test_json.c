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

/* ── the quick reader beside jansson's ─────────────────────────────────────────────────────────*/
static const char *const documents[] = {
    "{}",
    "[]",
    " [ ] ",
    "[[],{}]",
    "{\"a\":1,\"b\":[true,false,null]}",
    "",
    "[0,-0,-1,12,999999999999999999,-999999999999999999,9223372036854775807,-9223372036854775808]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[01]",
    "[-]",
    "[+1]",
    "[.5]",
    "[1.]",
    "[1e]",
    "[1e+]",
    "[1.5,-2.25e3,1E-7,0.1,5e-324,1.7976931348623157e308,107200000000.0,1e1]",
    "[1e309]",
    "[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\n\\t\\\\\\/\\\"\\b\\f\\r\"]",
    "[\"\\u0000\"]",
    "[\"\\ud83d\"]",
    "[\"\\ud83dx\"]",
    "[\"\\ude00\"]",
    "[\"\\ud83d\\u0041\"]",
    "[\"\\u12\"]",
    "[\"\\uFfFf\\uabCD\"]",
    "[\"\\x\"]",
    "[\"\\",
    "[\"",
    "[\"a",
    "[\"\x01\"]",
    "[\"a\tb\"]",
    "[\"Ψ → é 𝄞\"]",
    "[\"\xC3(\"]",
    "[\"\xC0\x80\"]",
    "[\"\xED\xA0\x80\"]",
    "[\"\xF4\x90\x80\x80\"]",
    "[\"\x80\"]",
    "{\"a\":1,\"a\":2}",
    "{\"\":0}",
    "{\"\\u00e9\":[{}]}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1",
    "{",
    "[}",
    "[nul]",
    "[nulls]",
    "[true1]",
    "1",
    "\"a\"",
    "null",
    "[] []",
    "[]\n\r\t ",
    "\xEF\xBB\xBF[]",
    "{\"answer\":[1,1795651765,\"1.1/one-number\",\"\",1,-3889803905518030669,"
    "\"{\\\"ask\\\":\\\"AdamW\\\"}\",1,1,\"107.2\",107200000000.0,\"right\",\"\",0,30.0],"
    "\"day\":20783,\"link\":\"24201ecfb23c6fa5\"}",
    "{\"a name of more than a hundred and twenty-eight bytes, which does not fit where short ones "
    "are copied to, as it goes on and on\":1}",
};

static void read_by_both(const char *text, size_t n) {
    json_t *theirs = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL),
           *ours = base_json_parse(text, n);
    char *a = theirs ? json_dumps(theirs, 0) : NULL, *b = ours ? json_dumps(ours, 0) : NULL;
    if (!a != !b || (a && strcmp(a, b) != 0)) /* order and digits, too */
        fail_msg("%.*s: %s, and not %s", (int)n, text, b ? b : "refused", a ? a : "refused");
    free(a);
    free(b);
    json_decref(ours);
    json_decref(theirs);
}

static void the_quick_reader_reads_as_jansson_does(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(documents); i++)
        for (size_t n = 0; n <= strlen(documents[i]); n++) read_by_both(documents[i], n);
    read_by_both("[\"a\0b\"]", 7);
    read_by_both("[]\0", 3);
}

/* Bytes that mean something, put anywhere; not a NUL, which jansson passes over after a number. */
static void what_is_broken_anywhere_is_refused_alike(void **state) {
    static const char bytes[] = "{}[],:\"\\0189.-+eEu \ntfn\x01\x80\xC3\xE2\xFF";
    uint64_t chance = 7;
    (void)state;
    for (int i = 0; i < 30000; i++) {
        const char *from = documents[base_random(&chance) % BASE_COUNT(documents)];
        char *text = base_dup(from);
        size_t n = strlen(text);
        for (uint64_t k = base_random(&chance) % 3; n && k < 3; k++)
            text[base_random(&chance) % n] = bytes[base_random(&chance) % (sizeof bytes - 1)];
        read_by_both(text, n);
        free(text);
    }
}

static void depth_has_an_end(void **state) {
    static char text[5000];
    (void)state;
    for (size_t depth = 2046; depth < 2051; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        read_by_both(text, 2 * depth);
    }
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
        cmocka_unit_test(the_quick_reader_reads_as_jansson_does),
        cmocka_unit_test(what_is_broken_anywhere_is_refused_alike),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test_setup_teardown(a_file_is_read_or_blamed, scratch_make, scratch_remove),
        cmocka_unit_test(members_of_another_type_are_otherwise),
        cmocka_unit_test(every_scalar_is_text),
        cmocka_unit_test(the_first_refusal_ends_it),
        cmocka_unit_test(nested_members_and_other_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
