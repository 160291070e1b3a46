/* traffic_data: traffic's answer for programs. */
#include "command/traffic.h"

#include <inttypes.h>
#include <string.h>

static const char *const windows[] = {
    [ACCOUNT_BARE] = "none",
    [ACCOUNT_BEHIND_FORWARD] = "forward",
    [ACCOUNT_BEHIND_BACKWARD] = "backward",
    [ACCOUNT_INSIDE_LAYER] = "layer",
};

const char *command_traffic_window(enum account_window w) {
    return windows[w];
}

const char *command_traffic_collective(enum account_collective_kind c,
                                       char out[static ASKED_UNIT_MOST]) {
    snprintf(out, ASKED_UNIT_MOST, "%s", account_collective_name(c));
    for (char *at = out; *at; at++)
        if (*at == '_') *at = '-';
    return out;
}

static json_t *bytes_json(uint64_t bytes) {
    return json_integer((json_int_t)bytes);
}

/* Null where what it follows from is unknown. */
static json_t *known(bool is_known, double value) {
    return is_known ? json_real(value) : json_null();
}

static json_t *sent_json(const struct account_traffic *t) {
    json_t *json = json_object();
    for (enum account_collective_kind c = 0; c < ACCOUNT_COLLECTIVES; c++)
        json_object_set_new(json, account_collective_name(c), bytes_json(t->sent[c]));
    json_object_set_new(json, "total", bytes_json(t->total));
    return json;
}

static bool is_timed(const struct account_clock *c) {
    return c->has_comm && c->has_compute;
}

/* seconds = calls × (start + factor × payload ÷ calls ÷ rate); the rate is null where pairs send by themselves over two links. */
static void add_pace(const struct traffic_stage *s, const struct account_collective *l,
                     json_t *json) {
    struct account_pace pace;
    bool is_known = account_pace(&s->training, l, &pace);
    json_object_set_new(json, "start", known(is_known, pace.start));
    json_object_set_new(json, "factor", known(is_known, pace.factor));
    json_object_set_new(json, "rate", known(is_known && pace.rate > 0, pace.rate));
}

static json_t *leg_json(const struct traffic_stage *s, size_t i) {
    const struct account_collective *l = &s->traffic.collective[i];
    const struct account_clock *c = &s->clock;
    json_t *json = json_pack(
        "{ss ss ss si si sf sf so so so so ss so so}", "what", l->what, "group", l->group,
        "collective", account_collective_name(l->op), "ranks", (int)l->ranks, "per_node",
        (int)l->per_node, "calls", l->calls, "payload", l->payload, "sent", bytes_json(l->sent),
        "inside", bytes_json(l->sent - l->between), "between", bytes_json(l->between), "network",
        bytes_json(l->network), "behind", command_traffic_window(l->window), "seconds",
        known(c->has_comm, c->collective[i]), "exposed", known(is_timed(c), c->exposed[i]));
    add_pace(s, l, json);
    return json;
}

static json_t *seconds_json(const struct traffic_stage *s) {
    const struct account_clock *c = &s->clock;
    return json_pack(
        "{so so so so so so so so so so}", "host_down", known(s->host_down >= 0, s->host_down),
        "host_up", known(s->host_up >= 0, s->host_up), "comm", known(c->has_comm, c->comm),
        "exposed", known(is_timed(c), c->comm_exposed), "forward",
        known(c->has_compute, c->forward), "backward", known(c->has_compute, c->backward), "update",
        known(c->has_compute, c->update), "offload", known(c->has_compute, c->offload), "bubble",
        known(c->has_compute, c->bubble), "step", known(is_timed(c), c->step));
}

static json_t *stage_json(const struct traffic_stage *s) {
    const struct account_traffic *t = &s->traffic;
    json_t *legs = json_array();
    for (size_t i = 0; i < t->collectives; i++) json_array_append_new(legs, leg_json(s, i));
    return json_pack("{si so so so so so so so sf so so so}", "stage", (int)s->training.stage,
                     "sent", sent_json(t), "inside", bytes_json(t->inside), "between",
                     bytes_json(t->between), "network", bytes_json(t->network), "offload",
                     bytes_json(t->offload_down + t->offload_up), "offload_down",
                     bytes_json(t->offload_down), "offload_up", bytes_json(t->offload_up),
                     "volume_params", t->volume_params, "seconds", seconds_json(s), "tokens_per_s",
                     known(is_timed(&s->clock), s->clock.tokens_per_s), "legs", legs);
}

json_t *command_traffic_json(const struct traffic *t) {
    char recipe[NAME_MOST];
    json_t *stages = json_array();
    for (size_t i = 0; i < t->stages; i++) json_array_append_new(stages, stage_json(&t->stage[i]));
    json_t *json = json_pack("{so si ss? so so}", "params", bytes_json(t->asked.params), "world",
                             (int)t->asked.gpus, "recipe",
                             account_get(&t->asked, "recipe", recipe, sizeof recipe), "training",
                             command_asked_json(&t->asked), "stages", stages);
    command_asked_add_notes(&t->from, json);
    return json;
}

/* A leg a line; what follows from unknown links is left empty. */
void command_traffic_csv(const struct traffic *t, FILE *out) {
    fputs("stage,what,group,collective,ranks,per_node,calls,payload,sent,inside,between,network,"
          "behind,"
          "seconds,exposed\n",
          out);
    for (size_t s = 0; s < t->stages; s++)
        for (size_t i = 0; i < t->stage[s].traffic.collectives; i++) {
            const struct account_collective *l = &t->stage[s].traffic.collective[i];
            const struct account_clock *c = &t->stage[s].clock;
            fprintf(out, "%u,", t->stage[s].training.stage);
            command_asked_csv(l->what, out);
            fprintf(out,
                    ",%s,%s,%u,%u,%.15g,%.15g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,",
                    l->group, account_collective_name(l->op), l->ranks, l->per_node, l->calls,
                    l->payload, l->sent, l->sent - l->between, l->between, l->network,
                    command_traffic_window(l->window));
            if (c->has_comm) fprintf(out, "%.9g", c->collective[i]);
            fputc(',', out);
            if (is_timed(c)) fprintf(out, "%.9g", c->exposed[i]);
            fputc('\n', out);
        }
}
