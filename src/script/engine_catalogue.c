/* Rows of the catalogues, as tables. */
#include "script/engine.h"
#include "script/sandbox.h"

/* engine.model(name) → { name, title, source, params, layers, hidden, heads, … } */
static int model(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    const struct account_model *m = account_model_find(name);
    if (!m)
        script_sandbox_fail(L, 0, "engine.model: unknown model '%.40s': see data/models.json",
                            name);
    const struct account_shape *s = &m->shape;
    lua_newtable(L);
    script_engine_set_text(L, "name", m->name);
    script_engine_set_text(L, "title", m->title);
    script_engine_set_text(L, "source", m->source);
    script_engine_set_count(L, "params", m->params);
    script_engine_set_count(L, "layers", s->layers);
    script_engine_set_count(L, "hidden", s->hidden);
    script_engine_set_count(L, "heads", s->heads);
    script_engine_set_count(L, "kv_heads", s->kv_heads);
    script_engine_set_count(L, "head_size", s->head_size);
    script_engine_set_count(L, "ffn", s->ffn);
    script_engine_set_count(L, "vocab", s->vocab);
    script_engine_set_count(L, "context", s->context);
    script_engine_set_count(L, "experts", s->experts);
    script_engine_set_count(L, "experts_active", s->experts_active);
    script_engine_set_flag(L, "tied", s->tied);
    return 1;
}

static const struct account_card *card_of(lua_State *L, const char *who) {
    const char *name = luaL_checkstring(L, 1);
    const struct account_card *c = account_card_find(name);
    if (!c)
        script_sandbox_fail(L, 0, "%s: unknown card '%.40s': see data/hardware.json", who, name);
    return c;
}

static void set_known(lua_State *L, const char *name, const char *text) {
    if (text) script_engine_set_text(L, name, text);
}

/* engine.card(name) → { name, title, source, label_bytes, driver_bytes, torch_bytes, usable_bytes,
 * reporter, explained, flops, memory_rate, bf16, link, net, host_link } */
static int card(lua_State *L) {
    char words[256];
    const struct account_card *c = card_of(L, "engine.card");
    lua_newtable(L);
    script_engine_set_text(L, "name", c->name);
    script_engine_set_text(L, "title", c->title);
    script_engine_set_text(L, "source", c->source);
    script_engine_set_count(L, "label_bytes", c->label_bytes);
    script_engine_set_count(L, "driver_bytes", c->driver_bytes);
    script_engine_set_count(L, "torch_bytes", c->torch_bytes);
    script_engine_set_count(L, "usable_bytes", account_card_bytes(c));
    script_engine_set_text(L, "reporter", account_reporter_name(account_card_reporter(c)));
    script_engine_set_text(L, "explained", account_card_explain(c, words, sizeof words));
    script_engine_set(L, "flops", c->flops);
    script_engine_set(L, "memory_rate", c->memory_rate);
    script_engine_set_flag(L, "bf16", c->bf16);
    set_known(L, "link", c->link);
    set_known(L, "net", c->net);
    set_known(L, "host_link", c->host_link);
    return 1;
}

/* engine.link(name) → { name, title, source, rate, wire, latency }: bytes per second in one
 * direction, seconds */
static int link(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    const struct account_link *l = account_link_find(name);
    if (!l)
        script_sandbox_fail(L, 0, "engine.link: unknown link '%.40s': see data/hardware.json",
                            name);
    lua_newtable(L);
    script_engine_set_text(L, "name", l->name);
    script_engine_set_text(L, "title", l->title);
    script_engine_set_text(L, "source", l->source);
    script_engine_set(L, "rate", l->rate);
    script_engine_set(L, "wire", l->wire);
    script_engine_set(L, "latency", l->latency);
    return 1;
}

/* engine.node(card) → { name, title, source, card, gpus, host_bytes, nvme_bytes, nvme_rate }, or
 * nil if none is catalogued */
static int node(lua_State *L) {
    const struct account_node *n = account_node_of(card_of(L, "engine.node"));
    if (!n) return 0;
    lua_newtable(L);
    script_engine_set_text(L, "name", n->name);
    script_engine_set_text(L, "title", n->title);
    script_engine_set_text(L, "source", n->source);
    script_engine_set_text(L, "card", n->card);
    script_engine_set_count(L, "gpus", n->gpus);
    script_engine_set_count(L, "host_bytes", n->host_bytes);
    script_engine_set_count(L, "nvme_bytes", n->nvme_bytes);
    script_engine_set(L, "nvme_rate", n->nvme_rate);
    return 1;
}

const luaL_Reg script_engine_catalogue[] = {
    {"model", model}, {"card", card}, {"link", link}, {"node", node}, {NULL, NULL},
};
