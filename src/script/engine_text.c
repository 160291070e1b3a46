/* Values as text. */
#include "script/engine.h"

#include <math.h>
#include <stdio.h>

#define DIGITS 3

static int digits_of(lua_State *L, int index) {
    int digits = (int)luaL_optinteger(L, index, DIGITS);
    luaL_argcheck(L, digits >= 1 && digits <= 17, index, "must be 1 to 17");
    return digits;
}

static int show_in(lua_State *L, double value, enum account_unit unit, int digits_at) {
    char out[64];
    lua_pushstring(L, account_print(out, sizeof out, value, unit, digits_of(L, digits_at)));
    return 1;
}

/* engine.show(value, "GiB" [, digits]) → "104 GiB"; the value is in base units */
static int show(lua_State *L) {
    return show_in(L, luaL_checknumber(L, 1), script_fields_unit(L, 2, "engine.show"), 3);
}

/* engine.gb(bytes [, digits]) → "112 GB" */
static int gb(lua_State *L) {
    return show_in(L, script_fields_bytes(L, 1, "engine.gb"), ACCOUNT_UNIT_GB, 2);
}

/* engine.gib(bytes [, digits]) → "104 GiB" */
static int gib(lua_State *L) {
    return show_in(L, script_fields_bytes(L, 1, "engine.gib"), ACCOUNT_UNIT_GIB, 2);
}

/* engine.bytes(x) → "112 GB", in the decimal unit that reads best */
static int bytes(lua_State *L) {
    char out[64];
    lua_pushstring(L,
                   account_print_bytes(out, sizeof out, script_fields_bytes(L, 1, "engine.bytes")));
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
        script_fields_blame(L, "engine.count", &e);
    lua_pushstring(L, account_print_count(out, sizeof out, x));
    return 1;
}

/* A value and what follows it, " GB" or "%", `digits` significant ones, trailing zeros dropped. */
static int push_number(lua_State *L, double value, int digits, const char *unit) {
    char number[64];
    account_print(number, sizeof number, value, ACCOUNT_UNIT_NONE, digits);
    lua_pushfstring(L, "%s%s", number, unit);
    return 1;
}

/* engine.seconds(s [, digits]) → "1.2 s", "45.5 ms", "12 µs" */
static int seconds(lua_State *L) {
    static const struct {
        double least, scale;
        const char *unit;
    } units[] = {
        {1, 1, " s"},
        {1e-3, 1e3, " ms"},
        {0, 1e6, " µs"},
    };
    double s = luaL_checknumber(L, 1);
    size_t i = 0;
    if (s == 0) return push_number(L, 0, DIGITS, " s");
    while (fabs(s) < units[i].least) i++;
    return push_number(L, s * units[i].scale, digits_of(L, 2), units[i].unit);
}

/* engine.rate(bytes_per_s [, digits]) → "300 GB/s" */
static int rate(lua_State *L) {
    return show_in(L, luaL_checknumber(L, 1), ACCOUNT_UNIT_GB_PER_S, 2);
}

/* engine.percent(0.074 [, digits]) → "7.4%" */
static int percent(lua_State *L) {
    return push_number(L, luaL_checknumber(L, 1) * 100, digits_of(L, 2), "%");
}

const luaL_Reg script_engine_text[] = {
    {"show", show},       {"gb", gb},     {"gib", gib},         {"bytes", bytes}, {"count", count},
    {"seconds", seconds}, {"rate", rate}, {"percent", percent}, {NULL, NULL},
};
