#include "script/engine.h"

#include "script/fields.h"
#include "script/library.h"
#include "script/sandbox.h"

#include <math.h>
#include <string.h>

#define DIGITS 3

/* ── Lua values out ──────────────────────────────────────────────────────────────────────────────*/

/* Whole values as integers: "112000000000" reads better than "1.12e+11". */
static void push_value(lua_State *L, double v) {
    if (v == floor(v) && fabs(v) < 9007199254740992.0)
        lua_pushinteger(L, (lua_Integer)v);
    else
        lua_pushnumber(L, v);
}

static void set_value(lua_State *L, const char *name, double v) {
    push_value(L, v);
    lua_setfield(L, -2, name);
}

static void set_count(lua_State *L, const char *name, uint64_t v) {
    lua_pushinteger(L, (lua_Integer)v);
    lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

/* ── ledgers ─────────────────────────────────────────────────────────────────────────────────────*/

/* engine.ledger(training) → { params = bytes, …, total = bytes, padding = bytes } of one GPU */
static int ledger(lua_State *L) {
    struct account_training t = fields_training(L, 1, "engine.ledger");
    struct account_ledger l;
    struct account_error e;
    if (!account_ledger(&t, &l, &e)) fields_blame(L, "engine.ledger", &e);
    lua_newtable(L);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        set_count(L, account_category_name((enum account_category)c), l.bytes[c]);
    set_count(L, "total", l.total);
    set_count(L, "padding", l.padding);
    return 1;
}

/* A training that may leave its Ψ out, where it is what is asked for or does not matter. */
static struct account_training any_size(lua_State *L, const char *who) {
    struct account_training t = fields_of(L, 1, who);
    struct account_error e;
    if (t.params == 0) t.params = 1;
    if (!account_check(&t, &e)) fields_blame(L, who, &e);
    return t;
}

/* engine.bytes_per_param(training) → { params = 2, grads = 2, master = 4, moments = 8, total = 16 } before sharding */
static int bytes_per_param(lua_State *L) {
    struct account_training t = any_size(L, "engine.bytes_per_param");
    double total = 0;
    lua_newtable(L);
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) {
        double bytes = account_bytes_per_param(&t, (enum account_category)c);
        set_value(L, account_category_name((enum account_category)c), bytes);
        total += bytes;
    }
    set_value(L, "total", total);
    return 1;
}

/* engine.largest_params(training, bytes) → Ψ */
static int largest_params(lua_State *L) {
    struct account_training t = any_size(L, "engine.largest_params");
    double bytes = fields_bytes(L, 2, "engine.largest_params");
    lua_pushinteger(L, (lua_Integer)account_largest_params(&t, (uint64_t)bytes));
    return 1;
}

/* engine.fewest_gpus(training, bytes) → N, or nil if no number is enough */
static int fewest_gpus(lua_State *L) {
    struct account_training t = fields_training(L, 1, "engine.fewest_gpus");
    uint32_t n = account_fewest_gpus(&t, (uint64_t)fields_bytes(L, 2, "engine.fewest_gpus"));
    if (n == 0) return 0;
    lua_pushinteger(L, n);
    return 1;
}

/* ── problems ────────────────────────────────────────────────────────────────────────────────────*/

static void push_line(lua_State *L, const struct account_line *line) {
    lua_createtable(L, 0, 5);
    set_text(L, "id", line->id);
    set_text(L, "label", line->label);
    set_text(L, "formula", line->formula);
    set_value(L, "value", line->value);
    set_text(L, "unit", account_unit_name(line->unit));
}

/* engine.solve(problem) → { value = …, unit = "GB", lines = { { id, label, formula, value, unit } … } }; values in base units */
static int solve(lua_State *L) {
    struct account_problem p = fields_problem(L, 1, "engine.solve");
    struct account_solution s;
    struct account_error e;
    if (!account_solve(&p, &s, &e)) fields_blame(L, "engine.solve", &e);
    lua_newtable(L);
    set_value(L, "value", s.value);
    set_text(L, "unit", account_unit_name(s.unit));
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
        sandbox_fail(L, (int)luaL_optinteger(L, 2, 0), "there is no mistake '%.40s'", id);
    return 0;
}

/* engine.mistake(problem, id) → what the mistake yields, its arithmetic and its slip; nil if it does not apply */
static int mistake(lua_State *L) {
    struct account_problem p = fields_problem(L, 1, "engine.mistake");
    struct account_match match;
    lua_pushcfunction(L, check_mistake);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 0);
    if (!account_mistake_value(&p, luaL_checkstring(L, 2), &match)) return 0;
    push_value(L, match.value);
    lua_pushstring(L, match.arithmetic);
    lua_pushstring(L, match.slip);
    return 3;
}

/* engine.fields(problem) → every field of the problem and its training as the engine reads it, in text; for placeholders */
static int fields(lua_State *L) {
    struct account_problem p = fields_problem(L, 1, "problem");
    char text[96];
    size_t n;
    const struct account_field *training = account_fields(&n);
    lua_newtable(L);
    for (size_t i = 0; i < n; i++) {
        const char *value = account_get(&p.training, training[i].name, text, sizeof text);
        if (value) set_text(L, training[i].name, value);
    }
    for (const char *const *f = fields_of_problem; *f; f++) {
        const char *value = account_problem_get(&p, *f, text, sizeof text);
        if (value) set_text(L, *f, value);
    }
    return 1;
}

/* ── catalogues ──────────────────────────────────────────────────────────────────────────────────*/

/* engine.model(name) → { name, title, source, params, layers, hidden, heads, … } */
static int model(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    const struct account_model *m = account_model_find(name);
    if (!m) sandbox_fail(L, 0, "engine.model: there is no model '%.40s' in data/models.json", name);
    const struct account_shape *s = &m->shape;
    lua_newtable(L);
    set_text(L, "name", m->name);
    set_text(L, "title", m->title);
    set_text(L, "source", m->source);
    set_count(L, "params", m->params);
    set_count(L, "layers", s->layers);
    set_count(L, "hidden", s->hidden);
    set_count(L, "heads", s->heads);
    set_count(L, "kv_heads", s->kv_heads);
    set_count(L, "head_size", s->head_size);
    set_count(L, "ffn", s->ffn);
    set_count(L, "vocab", s->vocab);
    set_count(L, "context", s->context);
    return 1;
}

/* engine.card(name) → { name, title, source, label_bytes, usable_bytes } */
static int card(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    const struct account_card *c = account_card_find(name);
    if (!c) sandbox_fail(L, 0, "engine.card: there is no card '%.40s' in data/hardware.json", name);
    lua_newtable(L);
    set_text(L, "name", c->name);
    set_text(L, "title", c->title);
    set_text(L, "source", c->source);
    set_count(L, "label_bytes", c->label_bytes);
    set_count(L, "usable_bytes", c->usable_bytes);
    return 1;
}

/* ── printing ────────────────────────────────────────────────────────────────────────────────────*/

static int show_in(lua_State *L, double value, enum account_unit unit, int digits_at) {
    char out[64];
    int digits = (int)luaL_optinteger(L, digits_at, DIGITS);
    luaL_argcheck(L, digits >= 1 && digits <= 17, digits_at, "must be 1 to 17");
    lua_pushstring(L, account_print(out, sizeof out, value, unit, digits));
    return 1;
}

/* engine.show(value, "GiB" [, digits]) → "104 GiB"; the value is in base units */
static int show(lua_State *L) {
    return show_in(L, luaL_checknumber(L, 1), fields_unit(L, 2, "engine.show"), 3);
}

/* engine.gb(bytes [, digits]) → "112 GB" */
static int gb(lua_State *L) {
    return show_in(L, fields_bytes(L, 1, "engine.gb"), ACCOUNT_UNIT_GB, 2);
}

/* engine.gib(bytes [, digits]) → "104 GiB" */
static int gib(lua_State *L) {
    return show_in(L, fields_bytes(L, 1, "engine.gib"), ACCOUNT_UNIT_GIB, 2);
}

/* engine.bytes(x) → "112 GB", in the decimal unit that reads best */
static int bytes(lua_State *L) {
    char out[64];
    lua_pushstring(L, account_print_bytes(out, sizeof out, fields_bytes(L, 1, "engine.bytes")));
    return 1;
}

/* engine.count(x) → "7B" */
static int count(lua_State *L) {
    char out[64];
    uint64_t exact;
    struct account_error e;
    double x = 0;
    if (lua_type(L, 1) == LUA_TNUMBER)
        x = lua_tonumber(L, 1);
    else if (account_read_count(luaL_checkstring(L, 1), &exact, &e))
        x = (double)exact;
    else
        fields_blame(L, "engine.count", &e);
    lua_pushstring(L, account_print_count(out, sizeof out, x));
    return 1;
}

static const luaL_Reg functions[] = {
    {"ledger",          ledger         },
    {"bytes_per_param", bytes_per_param},
    {"largest_params",  largest_params },
    {"fewest_gpus",     fewest_gpus    },
    {"solve",           solve          },
    {"mistake",         mistake        },
    {"check_mistake",   check_mistake  },
    {"fields",          fields         },
    {"model",           model          },
    {"card",            card           },
    {"show",            show           },
    {"gb",              gb             },
    {"gib",             gib            },
    {"bytes",           bytes          },
    {"count",           count          },
    {NULL,              NULL           },
};

void engine_open(lua_State *L) {
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    library_read_only(L);
}
