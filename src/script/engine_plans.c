/* The planner as lessons call it. */
#include "script/engine.h"

#include <stdlib.h>
#include <string.h>

enum { PLANS = 12 };

/* Whole numbers as such, other fields as text: it can be handed back as a training. */
static void set_field(lua_State *L, const char *name, const char *text) {
    size_t digits = strspn(text, "0123456789");
    if (digits > 0 && digits < 16 && !text[digits])
        script_engine_set_count(L, name, strtoull(text, NULL, 10));
    else
        script_engine_set_text(L, name, text);
}

static void set_training(lua_State *L, const struct account_training *t) {
    char text[96];
    size_t n;
    const struct account_field *field = account_fields(&n);
    for (size_t i = 0; i < n; i++)
        set_field(L, field[i].name, account_get(t, field[i].name, text, sizeof text));
}

static void push_plan(lua_State *L, const struct account_plan *p) {
    lua_newtable(L);
    set_training(L, &p->training);
    lua_newtable(L);
    set_training(L, &p->training);
    lua_setfield(L, -2, "training");
    script_engine_set_text(L, "fits", account_fit_name(p->measured.fits));
    script_engine_set(L, "spare", (double)p->measured.spare);
    script_engine_set_count(L, "peak", p->measured.peak);
    script_engine_set(L, "seconds", p->measured.seconds);
    script_engine_set(L, "tokens_per_s", p->measured.tokens_per_s);
    script_engine_set_text(L, "reason", p->reason);
}

static void push_fork(lua_State *L, const struct account_fork *f) {
    lua_createtable(L, 0, 3);
    script_engine_set_text(L, "question", f->question);
    script_engine_set_text(L, "answer", f->answer);
    script_engine_set_text(L, "because", f->because);
}

/* engine.plan { model, gpus, gpu, seq, global_batch … } → { found, chosen = the first plan or nil,
 * plans, tree, tried, global_batch } */
static int plan(lua_State *L) {
    struct account_question q = script_fields_question(L, 1, "engine.plan");
    struct account_plan plans[PLANS];
    struct account_plans all;
    struct account_error e;
    if (!account_plan(&q, plans, PLANS, &all, &e)) script_fields_blame(L, "engine.plan", &e);
    lua_newtable(L);
    script_engine_set_flag(L, "found", all.found);
    script_engine_set_flag(L, "timed", all.timed);
    script_engine_set_count(L, "tried", all.tried);
    script_engine_set_count(L, "global_batch", all.global_batch);
    lua_createtable(L, (int)all.count, 0);
    for (size_t i = 0; i < all.count; i++) {
        push_plan(L, &plans[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    if (all.found && all.count) {
        lua_rawgeti(L, -1, 1);
        lua_setfield(L, -3, "chosen");
    }
    lua_setfield(L, -2, "plans");
    lua_createtable(L, (int)all.forks, 0);
    for (size_t i = 0; i < all.forks; i++) {
        push_fork(L, &all.fork[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "tree");
    return 1;
}

const luaL_Reg script_engine_plans[] = {
    {"plan", plan},
    {NULL, NULL},
};
