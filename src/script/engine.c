#include "script/engine.h"

#include "account/account.h"
#include "script/library.h"
#include "script/sandbox.h"

#include <math.h>
#include <string.h>

#define DIGITS 3

/* ── Lua values in ───────────────────────────────────────────────────────────────────────────────*/

static int blame(lua_State *L, const char *who, const struct account_error *e) {
    return sandbox_fail(L, 0, "%s: %s", who, e->what);
}

/* The value at the top as the text that the engine reads: 7e9 is "7000000000", true is "on". Replaces it. */
static const char *as_text(lua_State *L, const char *who, const char *field) {
    char digits[40];
    if (lua_isboolean(L, -1)) {
        lua_pushstring(L, lua_toboolean(L, -1) ? "on" : "off");
    } else if (lua_isinteger(L, -1) || lua_type(L, -1) == LUA_TSTRING) {
        luaL_tolstring(L, -1, NULL);
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        double v = lua_tonumber(L, -1);
        snprintf(digits, sizeof digits, v == floor(v) && fabs(v) < 1e18 ? "%.0f" : "%.17g", v);
        lua_pushstring(L, digits);
    } else {
        sandbox_fail(L, 0, "%s: %s must be a number or a text, not a %s", who, field,
                     luaL_typename(L, -1));
    }
    lua_replace(L, -2);
    return lua_tostring(L, -1);
}

static void set_training(lua_State *L, int index, const char *who, const char *field,
                         struct account_training *t) {
    struct account_error e;
    if (lua_getfield(L, index, field) != LUA_TNIL &&
        !account_set(t, field, as_text(L, who, field), &e))
        blame(L, who, &e);
    lua_pop(L, 1);
}

static bool is_field(const char *name) {
    size_t n;
    const struct account_field *fields = account_fields(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].name, name) == 0) return true;
    return false;
}

/* Names of a table that are neither fields of a training nor among `more`. */
static void refuse_unknown(lua_State *L, int index, const char *who, const char *const *more) {
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        const char *const *m = more;
        while (name && *m && strcmp(*m, name) != 0) m++;
        if (!name) sandbox_fail(L, 0, "%s: fields have names, as in { params = 7e9 }", who);
        if (!*m && !is_field(name)) sandbox_fail(L, 0, "%s: there is no field '%.40s'", who, name);
    }
}

/* The fields in the engine's own order, `model` first, since it sets what others override. */
static struct account_training read_fields(lua_State *L, int index, const char *who) {
    static const char *const nothing_more[] = {NULL};
    struct account_training t = account_training_default();
    size_t n;
    const struct account_field *fields = account_fields(&n);
    if (!lua_istable(L, index))
        sandbox_fail(L, 0, "%s: a training is a table, as in { params = 7e9, gpus = 8 }, not a %s",
                     who, luaL_typename(L, index));
    refuse_unknown(L, index, who, nothing_more);
    set_training(L, index, who, "model", &t);
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].name, "model") != 0) set_training(L, index, who, fields[i].name, &t);
    return t;
}

static struct account_training read_training(lua_State *L, int index, const char *who) {
    struct account_training t = read_fields(L, index, who);
    struct account_error e;
    if (!account_check(&t, &e)) blame(L, who, &e);
    return t;
}

static const char *const problem_fields[] = {"kind",   "quantity",  "per", "unit",
                                             "budget", "tolerance", NULL};

/* A problem for which bytes are given and nothing is trained needs no training. */
static struct account_problem read_problem(lua_State *L, int index, const char *who) {
    static const char *const more[] = {"kind",      "quantity", "per", "unit", "budget",
                                       "tolerance", "training", "v",   NULL};
    struct account_problem p = account_problem_default();
    struct account_error e;
    if (!lua_istable(L, index))
        sandbox_fail(
            L, 0,
            "%s: a problem is a table, as in { kind = \"bytes\", training = { … } }, not a %s", who,
            luaL_typename(L, index));
    refuse_unknown(L, index, who, more);
    if (lua_getfield(L, index, "training") != LUA_TNIL)
        p.training = read_training(L, lua_gettop(L), who);
    lua_pop(L, 1);
    for (const char *const *f = problem_fields; *f; f++) {
        if (lua_getfield(L, index, *f) != LUA_TNIL &&
            !account_problem_set(&p, *f, as_text(L, who, *f), &e))
            blame(L, who, &e);
        lua_pop(L, 1);
    }
    return p;
}

static double read_bytes(lua_State *L, int index, const char *who) {
    double bytes;
    struct account_error e;
    if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
    if (!account_read_bytes(luaL_checkstring(L, index), &bytes, &e)) blame(L, who, &e);
    return bytes;
}

static enum account_unit read_unit(lua_State *L, int index, const char *who) {
    enum account_unit unit;
    const char *name = luaL_checkstring(L, index);
    if (!account_unit_find(name, &unit))
        sandbox_fail(L, 0, "%s: there is no unit '%.20s'", who, name);
    return unit;
}

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
    struct account_training t = read_training(L, 1, "engine.ledger");
    struct account_ledger l;
    struct account_error e;
    if (!account_ledger(&t, &l, &e)) return blame(L, "engine.ledger", &e);
    lua_newtable(L);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        set_count(L, account_category_name((enum account_category)c), l.bytes[c]);
    set_count(L, "total", l.total);
    set_count(L, "padding", l.padding);
    return 1;
}

/* engine.bytes_per_param(training) → { params = 2, grads = 2, master = 4, moments = 8, total = 16 } before sharding */
static int bytes_per_param(lua_State *L) {
    struct account_training t = read_training(L, 1, "engine.bytes_per_param");
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

/* engine.largest_params(training, bytes) → Ψ; the training may leave its own out */
static int largest_params(lua_State *L) {
    struct account_training t = read_fields(L, 1, "engine.largest_params");
    double bytes = read_bytes(L, 2, "engine.largest_params");
    struct account_error e;
    if (t.params == 0) t.params = 1;
    if (!account_check(&t, &e)) return blame(L, "engine.largest_params", &e);
    lua_pushinteger(L, (lua_Integer)account_largest_params(&t, (uint64_t)bytes));
    return 1;
}

/* engine.fewest_gpus(training, bytes) → N, or nil if no number is enough */
static int fewest_gpus(lua_State *L) {
    struct account_training t = read_training(L, 1, "engine.fewest_gpus");
    uint32_t n = account_fewest_gpus(&t, (uint64_t)read_bytes(L, 2, "engine.fewest_gpus"));
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
    struct account_problem p = read_problem(L, 1, "engine.solve");
    struct account_solution s;
    struct account_error e;
    if (!account_solve(&p, &s, &e)) return blame(L, "engine.solve", &e);
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
        return sandbox_fail(L, (int)luaL_optinteger(L, 2, 0), "there is no mistake '%.40s'", id);
    return 0;
}

/* engine.mistake(problem, id) → what the mistake yields, its arithmetic and its slip; nil if it does not apply */
static int mistake(lua_State *L) {
    struct account_problem p = read_problem(L, 1, "engine.mistake");
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
    struct account_problem p = read_problem(L, 1, "problem");
    char text[96];
    size_t n;
    const struct account_field *training = account_fields(&n);
    lua_newtable(L);
    for (size_t i = 0; i < n; i++) {
        const char *value = account_get(&p.training, training[i].name, text, sizeof text);
        if (value) set_text(L, training[i].name, value);
    }
    for (const char *const *f = problem_fields; *f; f++) {
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
    if (!m)
        return sandbox_fail(L, 0, "engine.model: there is no model '%.40s' in data/models.json",
                            name);
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
    if (!c)
        return sandbox_fail(L, 0, "engine.card: there is no card '%.40s' in data/hardware.json",
                            name);
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
    return show_in(L, luaL_checknumber(L, 1), read_unit(L, 2, "engine.show"), 3);
}

/* engine.gb(bytes [, digits]) → "112 GB" */
static int gb(lua_State *L) {
    return show_in(L, read_bytes(L, 1, "engine.gb"), ACCOUNT_UNIT_GB, 2);
}

/* engine.gib(bytes [, digits]) → "104 GiB" */
static int gib(lua_State *L) {
    return show_in(L, read_bytes(L, 1, "engine.gib"), ACCOUNT_UNIT_GIB, 2);
}

/* engine.bytes(x) → "112 GB", in the decimal unit that reads best */
static int bytes(lua_State *L) {
    char out[64];
    lua_pushstring(L, account_print_bytes(out, sizeof out, read_bytes(L, 1, "engine.bytes")));
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
        return blame(L, "engine.count", &e);
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
