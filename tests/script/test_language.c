/* What the language makes of a lesson that is as it should be: the lesson as data, numbers from r, prose, and the engine's
 * answers. */
#include "script/opening.h"

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

/* ── expressions: each gives a text, compared with what it must be ───────────────────────────────*/

static const struct {
    const char *expression, *text;
} expressions[] = {
  /* pairs has an order */
    {"(function() local s = '' for k, v in pairs { b = 1, a = 2, 'x', 'y' } do s = s .. k .. v end "
     "return s end)()",                                                                     "1x2ya2b1"          },
    {"(function() local s = '' for k in pairs(string) do s = s .. k .. ' ' end return s end)()",
     ""                                                                                                              },
 /* prose */
    {"fill('${a} and ${b_2}', { a = 1, b_2 = 'two' })",                                          "1 and two"         },
    {"fill('$a {a} ${ a }', {})",                                                                "$a {a} ${ a }"     },
    {"fill('${x}', { x = 112e9 })",                                                              "112000000000"      },
    {"fill('${x}', { x = '${x} %1' })",                                                          "${x} %1"           },
    {"tostring(nil) .. tostring(true) .. tostring(1) .. tostring({})",                           "niltrue1table"     },
    {"tostring(setmetatable({}, { __tostring = function() return 'mine' end }))",                "mine"              },
    {"string.format('%5.2f|%-4d|%s|%q', 1.5, 7, 'x', 'y')",                                      " 1.50|7   |x|\"y\""},
    {"('a,b,c'):gsub(',', ';')",                                                                 "a;b;c"             },
    {"select(2, pcall(error, 'caught', 0))",                                                     "caught"            },
    {"select(2, xpcall(error, function(e) return e .. '!' end, 'caught', 0))",                   "caught!"           },
    {"table.concat({ select(2, pcall(function(...) return ... end, 1, 2, 3)) }, ' ')",           "1 2 3"             },
    {"table.concat(table.move({ 1, 2, 3 }, 1, 3, 2, { 0 }), ' ')",                               "0 1 2 3"           },
 /* numbers */
    {"engine.ledger({ params = 7.5e9, gpus = 64 }).total",                                       "120000000000"      },
    {"engine.ledger({ params = '7.5B', gpus = 64, stage = 1 }).total",                           "31406250000"       },
    {"engine.ledger({ params = 7.5e9, gpus = '64', stage = 2 }).total",                          "16640625000"       },
    {"engine.ledger({ params = 7500000000, gpus = 64, stage = 3 }).total",                       "1875000000"        },
    {"engine.ledger({ params = 10, gpus = 4, stage = 3 }).padding",                              "32"                },
    {"engine.ledger({ params = 7e9 }).master",                                                   "28000000000"       },
    {"engine.bytes_per_param({ precision = 'mixed-bf16' }).total",                               "16"                },
    {"engine.bytes_per_param({ params = 7e9, optimizer = 'adam8bit' }).moments",                 "2.03125"           },
    {"engine.solve({ kind = 'bytes', training = { params = 7e9 }, unit = 'GB' }).value",
     "112000000000"                                                                                                  },
    {"engine.solve({ kind = 'bytes', training = { params = 7e9 }, unit = 'GB' }).unit",          "GB"                },
    {"engine.solve({ kind = 'bytes', training = { params = 7e9 }, unit = 'GB' }).lines[3].id",
     "master"                                                                                                        },
    {"engine.solve({ kind = 'largest_params', training = {}, budget = '80GB' }).value",
     "5000000000"                                                                                                    },
    {"engine.mistake({ kind = 'bytes', training = { params = 7.5e9, gpus = 64, stage = 2 }, unit = "
     "'GB' }, 'no-master')",                                                                "16171875000"       },
    {"engine.mistake({ kind = 'convert', budget = '80GB', unit = 'GiB' }, 'no-master')",         "nil"               },
    {"engine.largest_params({}, 80e9)",                                                          "5000000000"        },
    {"engine.largest_params({ gpus = 8, stage = 3 }, '80GB')",                                   "40000000000"       },
    {"engine.fewest_gpus({ params = 7e9, stage = 3 }, '80GB')",                                  "2"                 },
    {"engine.fewest_gpus({ params = 7e9 }, 80e9)",                                               "nil"               },
    {"engine.model('llama-2-13b').params",                                                       "13015864320"       },
    {"engine.model('llama-2-13b').layers",                                                       "40"                },
    {"engine.card('a100-80g').label_bytes",                                                      "80000000000"       },
 /* printing */
    {"engine.gb(112e9)",                                                                         "112 GB"            },
    {"engine.gb('31.40625GB', 4)",                                                               "31.41 GB"          },
    {"engine.gib(112e9)",                                                                        "104 GiB"           },
    {"engine.bytes(112e9)",                                                                      "112 GB"            },
    {"engine.count(7e9) .. ' ' .. engine.count('13B')",                                          "7B 13B"            },
    {"engine.show(1.5e12, 'TB', 2)",                                                             "1.5 TB"            },
};

/* The lesson's title is the expression's value. */
static void is_worth(void **state) {
    const char *const *pair = *state;
    char *text = base_format("return lesson { id = '0.1', minutes = 1, title = '=' .. "
                             "tostring((%s)), say { id = 'a', 't' } }",
                             pair[0]);
    struct script *s = opening_good(text);
    const char *title = base_json_text(script_lesson(s), "title", "");
    if (strcmp(title + 1, pair[1]) != 0) fail_msg("%s is %s, not %s", pair[0], title + 1, pair[1]);
    script_close(s);
    free(text);
}

/* ── placeholders: the ask of a problem, as the learner sees it ──────────────────────────────────*/

static const struct {
    const char *ask, *problem, *text;
} asks[] = {
    {"{params} on {gpus} GPUs, stage {stage}, in {unit}",
     "kind = 'bytes', training = { params = 7e9, gpus = 8, stage = 2 }, unit = 'GB'",                                 "7B on 8 GPUs, stage 2, in GB"  },
    {"{precision}, {optimizer}",
     "kind = 'bytes', training = { params = 7e9, precision = 'fp32', optimizer = 'adam8bit' }, "
     "unit = 'GB'",                                                                                                   "fp32, 8-bit Adam"              },
    {"{budget} of {gpu}",
     "kind = 'largest_params', training = { gpu = 'a100-80g' }, budget = '80GiB'",                                    "80 GiB of NVIDIA A100 80GB SXM"},
    {"{budget}",                                          "kind = 'largest_params', training = {}, budget = 80e9",    "80 GB"                         },
    {"{other} {} {Params} $x^{2}$",                       "kind = 'bytes', training = { params = 7e9 }, unit = 'GB'",
     "{other} {} {Params} $x^{2}$"                                                                                                                    },
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
        opening_good("return lesson { id = '0.1', title = 't', minutes = 1, say { id = 'a', [[\n"
                     "    One line.\n\n      * indented\n    the end   \n\n  ]] } }");
    const json_t *step = json_array_get(json_object_get(script_lesson(s), "steps"), 0);
    assert_string_equal(base_json_text(step, "text", ""), "One line.\n\n  * indented\nthe end");
    script_close(s);
}

/* ── chance ──────────────────────────────────────────────────────────────────────────────────────*/

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

/* ── the files ───────────────────────────────────────────────────────────────────────────────────*/

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

int main(void) {
    struct CMUnitTest tests[BASE_COUNT(expressions) + 7] = {
        cmocka_unit_test(a_lesson_becomes_data),
        cmocka_unit_test(variants_become_data),
        cmocka_unit_test(placeholders_are_filled),
        cmocka_unit_test(prose_is_tidied),
        cmocka_unit_test(numbers_are_splitmix64),
        cmocka_unit_test(chance_is_fair),
        cmocka_unit_test(every_file_of_the_language_is_lua),
    };
    for (size_t i = 0; i < BASE_COUNT(expressions); i++)
        tests[7 + i] = (struct CMUnitTest){expressions[i].expression, is_worth, NULL, NULL,
                                           (void *)&expressions[i]};
    return _cmocka_run_group_tests("the language", tests, BASE_COUNT(tests), NULL, NULL);
}
