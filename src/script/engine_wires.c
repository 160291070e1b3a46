/* Shards of a flat buffer, and collectives over links. */
#include "script/engine.h"
#include "script/sandbox.h"

#include <string.h>

/* ── shards ────────────────────────────────────────────────────────────────────────────────────*/

static lua_Integer whole_field(lua_State *L, const char *who, const char *name, lua_Integer usual,
                               lua_Integer least, lua_Integer most) {
    lua_Integer value = usual;
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        int whole = 0;
        value = lua_tointegerx(L, -1, &whole);
        if (!whole) value = least - 1;
    }
    lua_pop(L, 1);
    if (value < least || value > most)
        script_sandbox_fail(L, 0, "%s: %s must be a whole number from %lld to %lld", who, name,
                            (long long)least, (long long)most);
    return value;
}

static double piece(lua_State *L, struct account_problem *p, const char *name) {
    struct account_solution s;
    struct account_error e;
    if (!account_problem_set(p, "quantity", name, &e) || !account_solve(p, &s, &e))
        script_fields_blame(L, "engine.shard", &e);
    return s.value;
}

/* engine.shard { elements, ranks, rank } → { size, first, last, real, padding }: the rank's shard
 * of a flat buffer, its padding counted; `last` is its last real element (first - 1 if it has
 * none), `padding` that of all shards together */
static int shard(lua_State *L) {
    static const char *const needs = "engine.shard { elements = 10, ranks = 4, rank = 0 }";
    struct account_problem p = account_problem_default();
    struct account_error e;
    if (!lua_istable(L, 1))
        script_sandbox_fail(L, 0, "engine.shard takes a table, as in %s", needs);
    lua_Integer ranks = whole_field(L, "engine.shard", "ranks", 0, 1, 1000000);
    p.training.params =
        (uint64_t)whole_field(L, "engine.shard", "elements", 0, 1, 1000000000000000);
    p.training.gpus = (uint32_t)ranks;
    p.rank = (uint32_t)whole_field(L, "engine.shard", "rank", 0, 0, ranks - 1);
    if (!account_problem_set(&p, "kind", "shard", &e)) script_fields_blame(L, "engine.shard", &e);
    double first = piece(L, &p, "first"), real = piece(L, &p, "real");
    lua_newtable(L);
    script_engine_set(L, "size", piece(L, &p, "size"));
    script_engine_set(L, "first", first);
    script_engine_set(L, "last", first + real - 1);
    script_engine_set(L, "real", real);
    script_engine_set(L, "padding", piece(L, &p, "padding"));
    return 1;
}

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

static enum account_collective_kind collective(lua_State *L, const char *who) {
    lua_getfield(L, 1, "op");
    const char *name = luaL_optstring(L, -1, "");
    for (int c = 0; c < ACCOUNT_COLLECTIVES; c++)
        if (strcmp(account_collective_name((enum account_collective_kind)c), name) == 0) {
            lua_pop(L, 1);
            return (enum account_collective_kind)c;
        }
    script_sandbox_fail(
        L, 0,
        "%s: op must be all_reduce, reduce_scatter, all_gather, all_to_all or p2p, not '%.20s'",
        who, name);
}

/* The training that is given, or one whose card, link or net is named next to what is asked. */
static struct account_training links_of(lua_State *L, const char *who) {
    static const char *const names[] = {"gpu", "link", "net", NULL};
    if (lua_getfield(L, 1, "training") != LUA_TNIL) return script_fields_of(L, lua_gettop(L), who);
    lua_pop(L, 1);
    lua_newtable(L);
    for (const char *const *n = names; *n; n++) {
        lua_getfield(L, 1, *n);
        lua_setfield(L, -2, *n);
    }
    struct account_training t = script_fields_of(L, lua_gettop(L), who);
    lua_pop(L, 1);
    return t;
}

/* engine.collective_seconds { op = "all_reduce", bytes = "1GB", ranks = 16, per_node = 8, link =
 * "nvlink3", net = "ib-hdr" } ; or with `training`, whose GPUs and links they are → seconds */
static int collective_seconds(lua_State *L) {
    static const char *const who = "engine.collective_seconds";
    if (!lua_istable(L, 1))
        script_sandbox_fail(
            L, 0, "%s takes a table, as in { op = \"all_reduce\", bytes = 1e9, ranks = 8 }", who);
    enum account_collective_kind op = collective(L, who);
    struct account_training t = links_of(L, who);
    uint32_t ranks = (uint32_t)whole_field(L, who, "ranks", t.gpus, 1, 1000000);
    uint32_t usual = t.gpus_per_node ? t.gpus_per_node : ranks;
    uint32_t near = (uint32_t)whole_field(L, who, "per_node", usual, 1, 1000000);
    lua_getfield(L, 1, "bytes");
    double bytes = script_fields_bytes(L, lua_gettop(L), who);
    t.gpus = ranks;
    t.gpus_per_node = near < ranks ? near : 0;
    script_engine_push(
        L, account_collective_seconds(&t, op, ranks, near < ranks ? near : ranks, bytes));
    return 1;
}

/* engine.collective_factor { op = "all_reduce", ranks = 8 } → what one rank sends of each byte:
 * 1.75 */
static int collective_factor(lua_State *L) {
    static const char *const who = "engine.collective_factor";
    if (!lua_istable(L, 1))
        script_sandbox_fail(L, 0, "%s takes a table, as in { op = \"all_reduce\", ranks = 8 }",
                            who);
    enum account_collective_kind op = collective(L, who);
    lua_pushnumber(
        L, account_collective_factor(op, (uint32_t)whole_field(L, who, "ranks", 0, 1, 1000000)));
    return 1;
}

const luaL_Reg script_engine_wires[] = {
    {"shard", shard},
    {"collective_seconds", collective_seconds},
    {"collective_factor", collective_factor},
    {NULL, NULL},
};
