/* What a training step sends, how long it takes, and what it holds at each moment. */
#include "script/engine.h"

/* ── traffic ───────────────────────────────────────────────────────────────────────────────────*/

static const char *window_name(enum account_window w) {
    static const char *const names[] = {"bare", "forward", "backward", "layer"};
    return names[w];
}

static void push_collective(lua_State *L, const struct account_collective *c) {
    lua_createtable(L, 0, 10);
    script_engine_set_text(L, "op", account_collective_name(c->op));
    script_engine_set_text(L, "what", c->what);
    script_engine_set_text(L, "group", c->group);
    script_engine_set_text(L, "window", window_name(c->window));
    script_engine_set_count(L, "ranks", c->ranks);
    script_engine_set(L, "calls", c->calls);
    script_engine_set(L, "payload", c->payload);
    script_engine_set_count(L, "sent", c->sent);
    script_engine_set_count(L, "between", c->between);
    script_engine_set_count(L, "network", c->network);
}

/* engine.traffic(training) → { all_reduce = bytes, …, total, inside, between, network,
 * volume_params, offload_down, offload_up, collectives } of one rank and step */
static int traffic(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.traffic");
    struct account_traffic all;
    struct account_error e;
    if (!account_traffic(&t, &all, &e)) script_fields_blame(L, "engine.traffic", &e);
    lua_newtable(L);
    for (int c = 0; c < ACCOUNT_COLLECTIVES; c++)
        script_engine_set_count(L, account_collective_name((enum account_collective_kind)c),
                                all.sent[c]);
    script_engine_set_count(L, "total", all.total);
    script_engine_set_count(L, "inside", all.inside);
    script_engine_set_count(L, "between", all.between);
    script_engine_set_count(L, "network", all.network);
    script_engine_set(L, "volume_params", all.volume_params);
    script_engine_set_count(L, "offload_down", all.offload_down);
    script_engine_set_count(L, "offload_up", all.offload_up);
    lua_createtable(L, (int)all.collectives, 0);
    for (size_t i = 0; i < all.collectives; i++) {
        push_collective(L, &all.collective[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "collectives");
    return 1;
}

/* ── seconds ───────────────────────────────────────────────────────────────────────────────────*/

/* engine.clock(training) → { comm, exposed, forward, backward, update, offload, bubble, step,
 * tokens_per_s, has_comm, has_compute } */
static int seconds_of_step(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.clock");
    struct account_clock c;
    struct account_error e;
    if (!account_clock(&t, &c, &e)) script_fields_blame(L, "engine.clock", &e);
    lua_newtable(L);
    script_engine_set(L, "comm", c.comm);
    script_engine_set(L, "exposed", c.comm_exposed);
    script_engine_set(L, "forward", c.forward);
    script_engine_set(L, "backward", c.backward);
    script_engine_set(L, "update", c.update);
    script_engine_set(L, "offload", c.offload);
    script_engine_set(L, "bubble", c.bubble);
    script_engine_set(L, "step", c.step);
    script_engine_set(L, "tokens_per_s", c.tokens_per_s);
    script_engine_set_flag(L, "has_comm", c.has_comm);
    script_engine_set_flag(L, "has_compute", c.has_compute);
    return 1;
}

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/

/* engine.activations(training) → { layer, kept, layers, working, embedding, head, logits, highest }
 * bytes on one GPU */
static int activations(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.activations");
    struct account_activations a;
    struct account_error e;
    if (!account_activations(&t, &a, &e)) script_fields_blame(L, "engine.activations", &e);
    lua_newtable(L);
    script_engine_set_count(L, "layer", a.layer);
    script_engine_set_count(L, "kept", a.kept);
    script_engine_set_count(L, "layers", a.layers);
    script_engine_set_count(L, "working", a.working);
    script_engine_set_count(L, "embedding", a.embedding);
    script_engine_set_count(L, "head", a.head);
    script_engine_set_count(L, "logits", a.logits);
    script_engine_set_count(L, "highest", a.highest);
    return 1;
}

static void push_phases(lua_State *L, const struct account_memory *m) {
    lua_createtable(L, 0, ACCOUNT_PHASES);
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        script_engine_push_ledger(L, &m->phase[p].ledger);
        script_engine_set_text(L, "where", m->phase[p].where);
        lua_setfield(L, -2, account_phase_name((enum account_phase)p));
    }
}

static void set_ledger(lua_State *L, const char *name, const struct account_ledger *l) {
    script_engine_push_ledger(L, l);
    lua_setfield(L, -2, name);
}

/* engine.memory(training) → { peak, where, phase, phases = { init, forward, backward, update },
 * persistent, host, nvme, highest } */
static int memory(lua_State *L) {
    struct account_training t = script_fields_training(L, 1, "engine.memory");
    struct account_memory m;
    struct account_error e;
    if (!account_memory(&t, &m, &e)) script_fields_blame(L, "engine.memory", &e);
    lua_newtable(L);
    script_engine_set_count(L, "peak", m.phase[m.peak].ledger.total);
    script_engine_set_text(L, "where", m.phase[m.peak].where);
    script_engine_set_text(L, "phase", account_phase_name(m.peak));
    push_phases(L, &m);
    lua_setfield(L, -2, "phases");
    set_ledger(L, "persistent", &m.persistent);
    set_ledger(L, "host", &m.host);
    set_ledger(L, "nvme", &m.nvme);
    lua_createtable(L, 0, ACCOUNT_CATEGORIES);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        script_engine_set_count(L, account_category_name((enum account_category)c), m.highest[c]);
    lua_setfield(L, -2, "highest");
    return 1;
}

const luaL_Reg script_engine_step[] = {
    {"traffic", traffic},
    {"clock", seconds_of_step},
    {"activations", activations},
    {"memory", memory},
    {NULL, NULL},
};
