#include "script/engine.h"

#include "script/sandbox.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

_Noreturn void script_fields_blame(lua_State *L, const char *who, const struct account_error *e) {
    script_sandbox_fail(L, 0, "%s: %s", who, e->what);
}

/* The value at the top as the text that the engine reads: 7e9 is "7000000000", true is "on".
 * Replaces it. */
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
        script_sandbox_fail(L, 0, "%s: %s must be a number or a text, not a %s", who, field,
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
        script_fields_blame(L, who, &e);
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
        if (!name) script_sandbox_fail(L, 0, "%s: fields have names, as in { params = 7e9 }", who);
        if (!*m && !is_field(name))
            script_sandbox_fail(L, 0, "%s: unknown field '%.40s'", who, name);
    }
}

/* The fields in the engine's own order, `model` first, since it sets what others override. */
static struct account_training read_fields(lua_State *L, int index, const char *who,
                                           const char *const *more) {
    struct account_training t = account_training_default();
    size_t n;
    const struct account_field *fields = account_fields(&n);
    if (!lua_istable(L, index))
        script_sandbox_fail(L, 0,
                            "%s: a training is a table, as in { params = 7e9, gpus = 8 }, not a %s",
                            who, luaL_typename(L, index));
    refuse_unknown(L, index, who, more);
    set_training(L, index, who, "model", &t);
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].name, "model") != 0) set_training(L, index, who, fields[i].name, &t);
    return t;
}

struct account_training script_fields_of(lua_State *L, int index, const char *who) {
    static const char *const nothing_more[] = {NULL};
    return read_fields(L, index, who, nothing_more);
}

struct account_training script_fields_training(lua_State *L, int index, const char *who) {
    struct account_training t = script_fields_of(L, index, who);
    struct account_error e;
    if (!account_check(&t, &e)) script_fields_blame(L, who, &e);
    return t;
}

static const char *const problem_fields[] = {"kind",   "quantity",  "per",  "unit",
                                             "budget", "tolerance", "rank", NULL};

/* Whether the training says enough depends on what is asked: the engine tells when it solves. */
struct account_problem script_fields_problem(lua_State *L, int index, const char *who) {
    static const char *const more[] = {"kind",      "quantity", "per",      "unit", "budget",
                                       "tolerance", "rank",     "training", "v",    NULL};
    struct account_problem p = account_problem_default();
    struct account_error e;
    if (!lua_istable(L, index))
        script_sandbox_fail(
            L, 0,
            "%s: a problem is a table, as in { kind = \"bytes\", training = { … } }, not a %s", who,
            luaL_typename(L, index));
    refuse_unknown(L, index, who, more);
    if (lua_getfield(L, index, "training") != LUA_TNIL)
        p.training = script_fields_of(L, lua_gettop(L), who);
    lua_pop(L, 1);
    for (const char *const *f = problem_fields; *f; f++) {
        if (lua_getfield(L, index, *f) != LUA_TNIL &&
            !account_problem_set(&p, *f, as_text(L, who, *f), &e))
            script_fields_blame(L, who, &e);
        lua_pop(L, 1);
    }
    return p;
}

/* ── questions to the planner ──────────────────────────────────────────────────────────────────*/

/* Which fields of account_fields() the table gives, a bit each: the search leaves them as they
 * are. */
static uint64_t given(lua_State *L, int index) {
    size_t n;
    uint64_t mask = 0;
    const struct account_field *fields = account_fields(&n);
    for (size_t i = 0; i < n; i++) {
        if (lua_getfield(L, index, fields[i].name) != LUA_TNIL) mask |= UINT64_C(1) << i;
        lua_pop(L, 1);
    }
    return mask;
}

static uint64_t bytes_member(lua_State *L, int index, const char *name, const char *who) {
    double bytes = 0;
    if (lua_getfield(L, index, name) != LUA_TNIL)
        bytes = script_fields_bytes(L, lua_gettop(L), who);
    lua_pop(L, 1);
    if (!(bytes >= 0 && bytes <= 1e18))
        script_sandbox_fail(L, 0, "%s: %s is bytes, like 1TB", who, name);
    return (uint64_t)bytes;
}

struct account_question script_fields_question(lua_State *L, int index, const char *who) {
    static const char *const more[] = {"global_batch", "host_memory", "nvme_space", NULL};
    struct account_question q = {.training = read_fields(L, index, who, more)};
    struct account_error e;
    q.pinned = given(L, index);
    q.host_bytes = bytes_member(L, index, "host_memory", who);
    q.nvme_bytes = bytes_member(L, index, "nvme_space", who);
    if (lua_getfield(L, index, "global_batch") != LUA_TNIL &&
        !account_read_count(as_text(L, who, "global_batch"), &q.global_batch, &e))
        script_fields_blame(L, who, &e);
    lua_pop(L, 1);
    return q;
}

double script_fields_bytes(lua_State *L, int index, const char *who) {
    double bytes;
    struct account_error e;
    if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
    if (!account_read_bytes(luaL_checkstring(L, index), &bytes, &e))
        script_fields_blame(L, who, &e);
    return bytes;
}

enum account_unit script_fields_unit(lua_State *L, int index, const char *who) {
    enum account_unit unit;
    const char *name = luaL_checkstring(L, index);
    if (!account_unit_find(name, &unit))
        script_sandbox_fail(L, 0, "%s: unknown unit '%.20s'", who, name);
    return unit;
}

/* ── results as Lua values ─────────────────────────────────────────────────────────────────────*/
void script_engine_push(lua_State *L, double v) {
    if (v == floor(v) && fabs(v) < 9007199254740992.0)
        lua_pushinteger(L, (lua_Integer)v);
    else
        lua_pushnumber(L, v);
}

void script_engine_set(lua_State *L, const char *name, double value) {
    script_engine_push(L, value);
    lua_setfield(L, -2, name);
}

void script_engine_set_count(lua_State *L, const char *name, uint64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void script_engine_set_text(lua_State *L, const char *name, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

void script_engine_set_flag(lua_State *L, const char *name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void script_engine_push_ledger(lua_State *L, const struct account_ledger *l) {
    lua_createtable(L, 0, ACCOUNT_CATEGORIES + 2);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        script_engine_set_count(L, account_category_name((enum account_category)c), l->bytes[c]);
    script_engine_set_count(L, "total", l->total);
    script_engine_set_count(L, "padding", l->padding);
}
