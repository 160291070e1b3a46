#include "script/engine.h"

#include "script/library.h"
#include "script/sandbox.h"

#include <string.h>

/* ── ledgers ───────────────────────────────────────────────────────────────────────────────────*/

/* engine.ledger(training) → { params = bytes, …, total = bytes, padding = bytes } of one GPU */
static int ledger(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.ledger");
    struct account_ledger l;
    struct account_error e;
    if (!account_ledger(&t, &l, &e)) script_fields_blame(L, "engine.ledger", &e);
    script_engine_push_ledger(L, &l);
    return 1;
}

/* A training that may leave its Ψ out, where it is what is asked for or does not matter. */
static struct account_training any_size(lua_State *L, const char *who) {
    struct account_training t = script_fields_of(L, 1, who);
    struct account_error e;
    if (t.params == 0) t.params = 1;
    if (!account_check(&t, &e)) script_fields_blame(L, who, &e);
    return t;
}

/* engine.bytes_per_param(training) → { params = 2, grads = 2, master = 4, moments = 8, total = 16 }
 * before sharding */
static int bytes_per_param(lua_State *L) {
    struct account_training t = any_size(L, "engine.bytes_per_param");
    double total = 0;
    lua_newtable(L);
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) {
        double bytes = account_bytes_per_param(&t, (enum account_category)c);
        script_engine_set(L, account_category_name((enum account_category)c), bytes);
        total += bytes;
    }
    script_engine_set(L, "total", total);
    return 1;
}

/* engine.largest_params(training, bytes) → Ψ */
static int largest_params(lua_State *L) {
    struct account_training t = any_size(L, "engine.largest_params");
    double bytes = script_fields_bytes(L, 2, "engine.largest_params");
    lua_pushinteger(L, (lua_Integer)account_largest_params(&t, (uint64_t)bytes));
    return 1;
}

/* engine.fewest_gpus(training, bytes) → N, or nil if no number is enough */
static int fewest_gpus(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.fewest_gpus");
    uint32_t n = account_fewest_gpus(&t, (uint64_t)script_fields_bytes(L, 2, "engine.fewest_gpus"));
    if (n == 0) return 0;
    lua_pushinteger(L, n);
    return 1;
}

/* ── problems ──────────────────────────────────────────────────────────────────────────────────*/

static void push_line(lua_State *L, const struct account_line *line) {
    lua_createtable(L, 0, 5);
    script_engine_set_text(L, "id", line->id);
    script_engine_set_text(L, "label", line->label);
    script_engine_set_text(L, "formula", line->formula);
    script_engine_set(L, "value", line->value);
    script_engine_set_text(L, "unit", account_unit_name(line->unit));
}

/* engine.solve(problem) → { value = …, unit = "GB", lines = { { id, label, formula, value, unit } …
 * } }; values in base units */
static int solve(lua_State *L) {
    struct account_problem p = script_fields_problem(L, 1, "engine.solve");
    struct account_solution s;
    struct account_error e;
    if (!account_solve(&p, &s, &e)) script_fields_blame(L, "engine.solve", &e);
    lua_newtable(L);
    script_engine_set(L, "value", s.value);
    script_engine_set_text(L, "unit", account_unit_name(s.unit));
    lua_createtable(L, (int)s.lines, 0);
    for (size_t i = 0; i < s.lines; i++) {
        push_line(L, &s.line[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "lines");
    return 1;
}

static bool is_mistake(const char *id) {
    size_t n;
    const struct account_mistake *all = account_mistakes(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].id, id) == 0) return true;
    return false;
}

static int check_mistake(lua_State *L) {
    const char *id = luaL_checkstring(L, 1);
    if (!is_mistake(id))
        script_sandbox_fail(L, (int)luaL_optinteger(L, 2, 0), "unknown mistake '%.40s'", id);
    return 0;
}

/* engine.mistake(problem, id) → what the mistake yields, its arithmetic and what is wrong; nil if
 * it does not apply */
static int mistake(lua_State *L) {
    struct account_problem p = script_fields_problem(L, 1, "engine.mistake");
    struct account_match match;
    lua_pushcfunction(L, check_mistake);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 0);
    if (!account_mistake_value(&p, luaL_checkstring(L, 2), &match)) return 0;
    script_engine_push(L, match.value);
    lua_pushstring(L, match.arithmetic);
    lua_pushstring(L, match.wrong);
    return 3;
}

/* engine.fields(problem, { name, … }) → those fields of the problem and its training as the engine
 * reads them, in text; for placeholders */
static int fields(lua_State *L) {
    struct account_problem p = script_fields_problem(L, 1, "problem");
    char text[96];
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_newtable(L);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; i++) {
        const char *name = lua_tostring(L, -1);
        const char *value = account_get(&p.training, name, text, sizeof text);
        if (!value) value = account_problem_get(&p, name, text, sizeof text);
        lua_pushstring(L, value);
        lua_settable(L, 3);
    }
    lua_pop(L, 1);
    return 1;
}

/* engine.field_names() → every field of a training, in the engine's order */
static int field_names(lua_State *L) {
    size_t n;
    const struct account_field *fields = account_fields(&n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushstring(L, fields[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* engine.title(field, choice) → the choice as people say it: ("optimizer", "adamw") → "AdamW";
 * itself where it has no other title */
static int title(lua_State *L) {
    const char *field = luaL_checkstring(L, 1), *choice = luaL_checkstring(L, 2), *name;
    size_t n;
    const struct account_field *f = account_fields(&n);
    while (n && strcmp(f->name, field) != 0) f++, n--;
    bool titled = n && f->choices && f->choices->title;
    for (size_t i = 0; titled && (name = f->choices->name(i)); i++)
        if (strcmp(name, choice) == 0) choice = f->choices->title(i);
    lua_pushstring(L, choice);
    return 1;
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/

static const luaL_Reg functions[] = {
    {"ledger", ledger},
    {"bytes_per_param", bytes_per_param},
    {"largest_params", largest_params},
    {"fewest_gpus", fewest_gpus},
    {"solve", solve},
    {"mistake", mistake},
    {"check_mistake", check_mistake},
    {"fields", fields},
    {"field_names", field_names},
    {"title", title},
    {NULL, NULL},
};

static const luaL_Reg *const shelves[] = {functions,           script_engine_step,
                                          script_engine_wires, script_engine_catalogue,
                                          script_engine_text,  script_engine_plans};

void script_engine_open(lua_State *L) {
    lua_newtable(L);
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) luaL_setfuncs(L, shelves[i], 0);
    script_library_read_only(L);
}
