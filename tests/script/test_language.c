/* What the language makes of a lesson that is as it should be: the lesson as data, numbers from r,
 * prose, and the engine's answers. */
#include "script/opening.h"

#include "base/fatal.h"

#include <dirent.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "tests/script/lessons/small.lua"

/* SCRIPT_WRITE=1 writes what came into the file; read the difference before you keep it. */
static void assert_json(const json_t *came, const char *path) {
    struct base_message m = {0};
    size_t n;
    char *text = json_dumps(came, JSON_INDENT(1) | JSON_SORT_KEYS);
    char *lines = base_format("%s\n", text);
    if (getenv("SCRIPT_WRITE")) assert_true(base_file_write(path, lines, strlen(lines), &m));
    char *file = base_file_read(path, 1 << 20, &n, &m);
    assert_non_null(file);
    assert_string_equal(lines, file);
    free(file);
    free(lines);
    free(text);
}

static void a_lesson_becomes_data(void **state) {
    (void)state;
    struct base_message m = {0};
    struct script *s = script_open(SMALL, NULL, &m);
    if (!s) fail_msg("line %d: %s", m.line, m.what);
    assert_json(script_lesson(s), "tests/script/lessons/small.json");
    script_close(s);
}

static void variants_become_data(void **state) {
    (void)state;
    struct base_message m = {0};
    struct script *s = script_open(SMALL, NULL, &m);
    assert_non_null(s);
    json_t *all = json_array();
    for (int fn = 1; fn <= 4; fn++) json_array_append_new(all, opening_call(s, fn, 42));
    assert_json(all, "tests/script/lessons/small-42.json");
    json_decref(all);
    script_close(s);
}

/* ── expressions: tests/script/expressions.txt, each a line with what it gives as text ─────────*/

#define EXPRESSIONS "tests/script/expressions.txt"
#define GIVES       " => "

/* The lesson's title is the expression's value. */
static void is_worth(void **state) {
    const char *line = *state, *gives = strstr(line, GIVES);
    assert_non_null(gives);
    char *text = base_format("return lesson { id = '0.1', "
                             "title = '=' .. tostring((%.*s)), say { id = 'a', 't' } }",
                             (int)(gives - line), line);
    struct script *s = opening_good(text);
    const char *title = base_json_text(script_lesson(s), "title", "");
    if (strcmp(title + 1, gives + strlen(GIVES)) != 0) fail_msg("%s is %s", line, title + 1);
    script_close(s);
    free(text);
}

/* ── placeholders: the ask of a problem, as the learner sees it ────────────────────────────────*/

#define SEVEN "kind = 'bytes', unit = 'GB', training = { params = 7e9, gpus = 8, stage = 2 }"
#define EIGHT                                                                                      \
    "kind = 'bytes', training = { params = 7e9, precision = 'fp32', optimizer = 'adam8bit' }"
#define CARD            "kind = 'largest_params', budget = '80GiB', training = { gpu = 'a100-80g' }"
#define ARTICLE(params) "kind = 'bytes', training = { params = " params " }"
#define BYTES           "kind = 'largest_params', budget = 80e9, training = {}"

#define STEP                                                                                       \
    "kind = 'peak', training = { model = 'llama-2-13b', gpus = 8, batch = 2, seq = 4096, "         \
    "checkpoint = 'full', link = 'nvlink3', net = '25GB/s', bucket = '25MB', tp = 4, "             \
    "recipe = 'deepspeed', accumulate = 8, offload_optimizer = 'host', efficiency = 0.4, stage = " \
    "1 }"

static const struct {
    const char *problem, *ask, *text;
} asks[] = {
    {SEVEN, "${params} on ${gpus} GPUs, in ${unit}", "7B on 8 GPUs, in GB"},
    {SEVEN, "stage ${stage}", "stage 2"},
    {SEVEN, "{other} {} {Params} $x^{2}$", "{other} {} {Params} $x^{2}$"},
    {SEVEN, "${A params} model, {an params}, {a cat}, {gpus a}",
     "A 7B model, {an params}, {a cat}, {gpus a}"},
    {SEVEN, "${a params}, {an gpus}: ${A gpus}-GPU node, ${a unit}",
     "a 7B, {an gpus}: An 8-GPU node, a GB"},
    {EIGHT, "${a precision} run, ${a optimizer}", "an fp32 run, an 8-bit Adam"},
    {CARD, "${A gpu}, ${a budget} card", "An NVIDIA A100 80GB SXM, an 80 GiB card"},
    {ARTICLE("8e9"), "${a params}", "an 8B"},
    {ARTICLE("8.03e9"), "${a params}", "an 8.03B"},
    {ARTICLE("11e9"), "${a params}", "an 11B"},
    {ARTICLE("110e9"), "${a params}", "a 110B"},
    {ARTICLE("18e6"), "${a params}", "an 18M"},
    {ARTICLE("1.8e9"), "${a params}", "a 1.8B"},
    {ARTICLE("87e6"), "${A params}", "An 87M"},
    {ARTICLE("800e9"), "${a params}", "an 800B"},
    {ARTICLE("13e9"), "${a params}", "a 13B"},
    {EIGHT, "${precision}, ${optimizer}", "fp32, 8-bit Adam"},
    {CARD, "${budget} of ${gpu}", "80 GiB of NVIDIA A100 80GB SXM"},
    {STEP, "${model}, ${batch} × ${seq} tokens, ${checkpoint}, ${flash}",
     "Llama 2 13B, 2 × 4096 tokens, full checkpointing, flash attention"},
    {STEP, "${a link}, ${net}, buckets of ${bucket}, ${recipe}",
     "an NVLink 3, A100, 25 GB/s, buckets of 25.0 MB, DeepSpeed"},
    {STEP, "${tp} × ${accumulate}, ${offload_optimizer}, ${efficiency}, {quantity}",
     "4 × 8, host, 40%, {quantity}"},
    {BYTES, "${budget}", "80 GB"},
};

static void is_asked(const char *ask, const char *problem, const char *expected) {
    char *body = base_format("return { ask = [[%s]], problem = { %s } }", ask, problem);
    char *text = opening_with_vary("number", body);
    struct script *s = opening_good(text);
    json_t *variant = opening_call(s, 1, 1);
    assert_string_equal(base_json_text(variant, "ask", ""), expected);
    json_decref(variant);
    script_close(s);
    free(text);
    free(body);
}

static void placeholders_are_filled(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(asks); i++)
        is_asked(asks[i].ask, asks[i].problem, asks[i].text);
}

static void prose_is_tidied(void **state) {
    (void)state;
    struct script *s =
        opening_good("return lesson { id = '0.1', title = 't', say { id = 'a', [[\n"
                     "    One line.\n\n      * indented\n    the end   \n\n  ]] } }");
    const json_t *step = json_array_get(json_object_get(script_lesson(s), "steps"), 0);
    assert_string_equal(base_json_text(step, "text", ""), "One line.\n\n  * indented\nthe end");
    script_close(s);
}

/* ── chance ────────────────────────────────────────────────────────────────────────────────────*/

/* r:int(1, 1000), drawn here as the language must draw it. */
static void numbers_are_splitmix64(void **state) {
    (void)state;
    char *text = opening_with_vary(
        "order",
        "local t = {} for i = 1, 50 do t[i] = tostring(r:int(1, 1000)) end return { items = t }");
    struct script *s = opening_good(text);
    json_t *variant = opening_call(s, 1, 20190101);
    uint64_t stream = 20190101;
    for (size_t i = 0; i < 50; i++) {
        char expected[8];
        snprintf(expected, sizeof expected, "%d", (int)(base_random(&stream) % 1000) + 1);
        assert_string_equal(json_string_value(json_array_get(json_object_get(variant, "items"), i)),
                            expected);
    }
    json_decref(variant);
    script_close(s);
    free(text);
}

static void chance_is_fair(void **state) {
    (void)state;
    char *text = opening_with_vary(
        "order",
        "local n = { 0, 0, 0 } local yes = 0 for i = 1, 3000 do "
        "local k = r:shuffle { 1, 2, 3 }[1] n[k] = n[k] + 1 "
        "k = r:pick { 1, 2, 3 } n[k] = n[k] + 1 yes = yes + (r:chance(0.25) and 1 or 0) end "
        "for k = 1, 3 do assert(n[k] > 1800 and n[k] < 2200, n[k]) end "
        "assert(yes > 600 and yes < 900, yes) assert(not r:chance(0) and r:chance(1)) "
        "assert(r:int(5, 5) == 5 and r:int(-3, -3) == -3) return { items = { 'a', 'b' } }");
    struct script *s = opening_good(text);
    for (uint64_t seed = 1; seed <= 20; seed++) json_decref(opening_call(s, 1, seed));
    script_close(s);
    free(text);
}

/* ── the files ─────────────────────────────────────────────────────────────────────────────────*/

static void every_file_of_the_language_is_lua(void **state) {
    (void)state;
    char *folder = base_share_path("lua");
    DIR *d = opendir(folder);
    int files = 0;
    assert_non_null(d);
    lua_State *L = luaL_newstate();
    for (struct dirent *e; (e = readdir(d));) {
        char *path = base_format("%s/%s", folder, e->d_name);
        if (strstr(e->d_name, ".lua") && ++files && luaL_loadfilex(L, path, "t") != LUA_OK)
            fail_msg("%s", lua_tostring(L, -1));
        free(path);
    }
    assert_true(files > 5);
    lua_close(L);
    closedir(d);
    free(folder);
}

/* The file's lines that are no comments. */
static size_t expressions(char *text, struct CMUnitTest **tests) {
    size_t n = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "--", 2) == 0) continue;
        *tests = base_grow(*tests, n + 1, sizeof **tests);
        (*tests)[n++] = (struct CMUnitTest){line, is_worth, NULL, NULL, line};
    }
    return n;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_becomes_data),
        cmocka_unit_test(variants_become_data),
        cmocka_unit_test(placeholders_are_filled),
        cmocka_unit_test(prose_is_tidied),
        cmocka_unit_test(numbers_are_splitmix64),
        cmocka_unit_test(chance_is_fair),
        cmocka_unit_test(every_file_of_the_language_is_lua),
    };
    struct base_message m;
    char *text = base_file_read(EXPRESSIONS, 1 << 20, NULL, &m);
    if (!text) fatal("%s", m.what);
    struct CMUnitTest *more = NULL;
    size_t n = expressions(text, &more);
    int failed = cmocka_run_group_tests_name("the language", tests, NULL, NULL);
    failed += _cmocka_run_group_tests("expressions", more, n, NULL, NULL);
    free(more);
    free(text);
    return failed;
}
