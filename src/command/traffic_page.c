/* traffic's answer, for programs and for people. */
#include "command/traffic.h"

#include <inttypes.h>
#include <string.h>

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
static const char *const windows[] = {
    [ACCOUNT_BARE] = "none",
    [ACCOUNT_BEHIND_FORWARD] = "forward",
    [ACCOUNT_BEHIND_BACKWARD] = "backward",
    [ACCOUNT_INSIDE_LAYER] = "layer",
};

/* What a window hides behind, for people. */
static const char *traffic_window(enum account_window w) {
    return windows[w];
}

const char *command_traffic_collective(enum account_collective_kind c,
                                       char out[static REPORT_UNIT_MOST]) {
    snprintf(out, REPORT_UNIT_MOST, "%s", account_collective_name(c));
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

/* seconds = calls × (start + factor × payload ÷ calls ÷ rate); the rate is null where pairs send by
 * themselves over two links. */
static void add_pace(const struct traffic_stage *s, const struct account_collective *l,
                     json_t *json) {
    struct account_pace pace;
    bool is_known = account_pace(&s->training, l, &pace);
    json_object_set_new(json, "start", known(is_known, pace.start));
    json_object_set_new(json, "factor", known(is_known, pace.factor));
    json_object_set_new(json, "rate", known(is_known && pace.rate > 0, pace.rate));
}

static json_t *collective_json(const struct traffic_stage *s, size_t i) {
    const struct account_collective *l = &s->traffic.collective[i];
    const struct account_clock *c = &s->clock;
    json_t *json = json_pack(
        "{ss ss ss si si sf sf so so so so ss so so}", "what", l->what, "group", l->group,
        "collective", account_collective_name(l->op), "ranks", (int)l->ranks, "per_node",
        (int)l->per_node, "calls", l->calls, "payload", l->payload, "sent", bytes_json(l->sent),
        "inside", bytes_json(l->sent - l->between), "between", bytes_json(l->between), "network",
        bytes_json(l->network), "behind", traffic_window(l->window), "seconds",
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
    json_t *collectives = json_array();
    for (size_t i = 0; i < t->collectives; i++)
        json_array_append_new(collectives, collective_json(s, i));
    return json_pack("{si so so so so so so so sf so so so}", "stage", (int)s->training.stage,
                     "sent", sent_json(t), "inside", bytes_json(t->inside), "between",
                     bytes_json(t->between), "network", bytes_json(t->network), "offload",
                     bytes_json(t->offload_down + t->offload_up), "offload_down",
                     bytes_json(t->offload_down), "offload_up", bytes_json(t->offload_up),
                     "volume_params", t->volume_params, "seconds", seconds_json(s), "tokens_per_s",
                     known(is_timed(&s->clock), s->clock.tokens_per_s), "collectives", collectives);
}

json_t *command_traffic_json(const struct traffic *t) {
    char recipe[NAME_MOST];
    json_t *stages = json_array();
    for (size_t i = 0; i < t->stages; i++) json_array_append_new(stages, stage_json(&t->stage[i]));
    json_t *json = json_pack("{so si ss? so so}", "params", bytes_json(t->asked.params), "world",
                             (int)t->asked.gpus, "recipe",
                             account_get(&t->asked, "recipe", recipe, sizeof recipe), "training",
                             command_report_json(&t->asked), "stages", stages);
    command_asked_add_notes(&t->from, json);
    return json;
}

/* A line for each collective; what follows from unknown links is left empty. */
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
            command_report_csv(l->what, out);
            fprintf(out,
                    ",%s,%s,%u,%u,%.15g,%.15g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,",
                    l->group, account_collective_name(l->op), l->ranks, l->per_node, l->calls,
                    l->payload, l->sent, l->sent - l->between, l->between, l->network,
                    traffic_window(l->window));
            if (c->has_comm) fprintf(out, "%.9g", c->collective[i]);
            fputc(',', out);
            if (is_timed(c)) fprintf(out, "%.9g", c->exposed[i]);
            fputc('\n', out);
        }
}

/* ── for people ────────────────────────────────────────────────────────────────────────────────*/
/* ── totals ────────────────────────────────────────────────────────────────────────────────────*/
/* What there is a column for: what any stage has. */
struct columns {
    bool op[ACCOUNT_COLLECTIVES], links, offload, seconds, exposed;
    enum account_unit unit;
    /* to other ranks at all */
    bool sends;
};

static struct columns columns_of(const struct traffic *t) {
    struct columns c = {0};
    double most = 0;
    for (size_t s = 0; s < t->stages; s++) {
        const struct account_traffic *traffic = &t->stage[s].traffic;
        const struct account_clock *clock = &t->stage[s].clock;
        for (int k = 0; k < ACCOUNT_COLLECTIVES; k++) c.op[k] = c.op[k] || traffic->sent[k];
        c.links = c.links || traffic->between;
        c.offload = c.offload || traffic->offload_down || traffic->offload_up;
        c.seconds = c.seconds || clock->has_comm;
        c.exposed = c.exposed || (clock->has_comm && clock->has_compute);
        double host = (double)(traffic->offload_down + traffic->offload_up);
        c.sends = c.sends || traffic->collectives;
        if ((double)traffic->total > most) most = (double)traffic->total;
        if (!traffic->collectives && host > most) most = host;
    }
    c.unit = command_report_unit(most);
    c.exposed = c.exposed && c.sends;
    return c;
}

static void put_totals_head(struct grid *g, const struct columns *c, bool split) {
    char name[REPORT_UNIT_MOST];
    command_grid_head(g, account_unit_name(c->unit), 'l');
    for (enum account_collective_kind k = 0; k < ACCOUNT_COLLECTIVES; k++)
        if (c->op[k] && split) command_grid_head(g, command_traffic_collective(k, name), 'd');
    if (c->sends) command_grid_head(g, "total", 'd');
    if (c->links) command_grid_head(g, "inside", 'd');
    if (c->links) command_grid_head(g, "between", 'd');
    if (c->links) command_grid_head(g, "NIC", 'd');
    if (c->offload) command_grid_head(g, "host link", 'd');
    if (c->sends) command_grid_head(g, "× Ψ", 'd');
    if (c->seconds && c->sends) command_grid_head(g, "time", 'r');
    if (c->exposed) command_grid_head(g, "exposed", 'r');
}

static void put_stage(struct grid *g, const struct columns *c, const struct traffic_stage *s,
                      bool split) {
    const struct account_traffic *t = &s->traffic;
    command_grid_put(g, "stage %u", s->training.stage);
    for (int k = 0; k < ACCOUNT_COLLECTIVES; k++)
        if (c->op[k] && split) command_grid_bytes(g, (double)t->sent[k], c->unit);
    if (c->sends) command_grid_bytes(g, (double)t->total, c->unit);
    if (c->links) command_grid_bytes(g, (double)t->inside, c->unit);
    if (c->links) command_grid_bytes(g, (double)t->between, c->unit);
    if (c->links) command_grid_bytes(g, (double)t->network, c->unit);
    if (c->offload) command_grid_bytes(g, (double)(t->offload_down + t->offload_up), c->unit);
    if (c->sends) command_grid_put(g, "%.4g", t->volume_params);
    if (c->seconds && c->sends) command_grid_seconds(g, s->clock.comm);
    if (c->exposed) command_grid_seconds(g, s->clock.comm_exposed);
}

static void fill_totals(struct grid *g, const struct traffic *t, const struct columns *c,
                        bool split) {
    put_totals_head(g, c, split);
    for (size_t s = 0; s < t->stages; s++) put_stage(g, c, &t->stage[s], split);
}

/* "Of these 34.17 GB stay inside its node and 39.05 GB go to others." */
static void say_links(struct base_text *t, const struct columns *c, uint64_t inside,
                      uint64_t between, uint64_t network) {
    const char *unit = account_unit_name(c->unit);
    char stay[REPORT_UNIT_MOST], go[REPORT_UNIT_MOST], nic[REPORT_UNIT_MOST];
    if (!c->links) return;
    base_text_printf(t,
                     " Of these, %s %s stay inside the node and %s %s go to other nodes. The NIC "
                     "carries %s %s.",
                     command_report_number(stay, (double)inside, c->unit), unit,
                     command_report_number(go, (double)between, c->unit), unit,
                     command_report_number(nic, (double)network, c->unit), unit);
}

static void say_time(struct base_text *t, const struct columns *c, double seconds, double exposed) {
    char text[REPORT_UNIT_MOST];
    if (c->seconds) base_text_printf(t, " This takes %s", command_report_seconds(text, seconds));
    if (c->seconds && c->exposed)
        base_text_printf(t, ", of which %s are exposed", command_report_seconds(text, exposed));
    if (c->seconds) base_text_puts(t, ".");
}

/* "Under stage 3 each rank sends 44.3 GB, 3Ψ: 14.77 GB by reduce-scatter, 29.53 GB by all-gather."
 */
static void say_stage(struct page *p, const struct columns *c, const struct traffic_stage *s) {
    const struct account_traffic *t = &s->traffic;
    const char *unit = account_unit_name(c->unit), *between = ": ";
    char text[REPORT_UNIT_MOST], name[REPORT_UNIT_MOST];
    struct base_text said = {0};
    if (c->sends)
        base_text_printf(&said, "Under stage %u each rank sends %s %s, %.4gΨ", s->training.stage,
                         command_report_number(text, (double)t->total, c->unit), unit,
                         t->volume_params);
    for (enum account_collective_kind k = 0; k < ACCOUNT_COLLECTIVES; k++) {
        if (!t->sent[k]) continue;
        base_text_printf(&said, "%s%s %s by %s", between,
                         command_report_number(text, (double)t->sent[k], c->unit), unit,
                         command_traffic_collective(k, name));
        between = ", ";
    }
    if (c->sends) base_text_puts(&said, ".");
    say_links(&said, c, t->inside, t->between, t->network);
    if (c->sends) say_time(&said, c, s->clock.comm, s->clock.comm_exposed);
    if (c->offload)
        base_text_printf(
            &said, "%sUnder stage %u its host link carries %s %s.", c->sends ? " " : "",
            s->training.stage,
            command_report_number(text, (double)(t->offload_down + t->offload_up), c->unit), unit);
    page_text(p, (struct page_flow){.indent = 1}, said.s);
    base_text_free(&said);
}

/* Collective by collective where the page is wide enough; the rows below tell them apart too. */
static void put_totals(const struct traffic *t, struct page *p) {
    struct columns c = columns_of(t);
    struct grid g = {0};
    for (size_t s = 0; s < t->stages && page_spoken(p); s++) say_stage(p, &c, &t->stage[s]);
    if (page_spoken(p)) {
        page_blank(p, 1);
        return;
    }
    fill_totals(&g, t, &c, true);
    if (command_grid_width(&g, p) > page_width(p) - 2) {
        command_grid_free(&g);
        fill_totals(&g, t, &c, false);
    }
    command_grid_draw(&g, p);
}

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/
/* How many columns a page is wide enough for. */
enum width { WIDE, MEDIUM, STACKED }; /* stacked: collective and group under what is done */

/* "backward", in a sentence; "" if nothing hides it. */
static const char *hides_behind(const struct account_collective *l) {
    return l->window == ACCOUNT_BARE           ? ""
           : l->window == ACCOUNT_INSIDE_LAYER ? "its layer"
                                               : windows[l->window];
}

static void put_collectives_head(struct grid *g, const struct columns *c, enum width width) {
    command_grid_head(g, "what", 'l');
    if (width != STACKED) command_grid_head(g, "group", 'l');
    if (width != STACKED) command_grid_head(g, "collective", 'l');
    command_grid_head(g, account_unit_name(c->unit), 'd');
    if (c->links && width == WIDE) command_grid_head(g, "inside", 'd');
    if (c->links && width == WIDE) command_grid_head(g, "between", 'd');
    if (c->links) command_grid_head(g, "NIC", 'd');
    if (c->seconds) command_grid_head(g, "time", 'r');
    if (c->exposed) command_grid_head(g, "exposed", 'r');
    if (width != STACKED) command_grid_head(g, "behind", 'l');
}

static void put_collective(struct grid *g, const struct columns *c, const struct traffic_stage *s,
                           size_t i, enum width width) {
    const struct account_collective *l = &s->traffic.collective[i];
    char name[REPORT_UNIT_MOST];
    command_traffic_collective(l->op, name);
    if (width == STACKED)
        command_grid_put(g, "%s\n  %s, %s %u%s%s", l->what, name, l->group, l->ranks,
                         l->window == ACCOUNT_BARE ? "" : ", behind ", hides_behind(l));
    else
        command_grid_put(g, "%s", l->what);
    if (width != STACKED) command_grid_put(g, "%s %u", l->group, l->ranks);
    if (width != STACKED) command_grid_put(g, "%s", name);
    command_grid_bytes(g, (double)l->sent, c->unit);
    if (c->links && width == WIDE) command_grid_bytes(g, (double)(l->sent - l->between), c->unit);
    if (c->links && width == WIDE) command_grid_bytes(g, (double)l->between, c->unit);
    if (c->links) command_grid_bytes(g, (double)l->network, c->unit);
    if (c->seconds) command_grid_seconds(g, s->clock.collective[i]);
    if (c->exposed) command_grid_seconds(g, s->clock.exposed[i]);
    if (width != STACKED) command_grid_put(g, "%s", traffic_window(l->window));
}

static void fill_legs(struct grid *g, const struct columns *c, const struct traffic_stage *s,
                      enum width width) {
    put_collectives_head(g, c, width);
    for (size_t i = 0; i < s->traffic.collectives; i++) put_collective(g, c, s, i, width);
}

/* "To reduce gradients, each rank sends 29.53 GB by all-reduce in its shard group of 64 ranks. This
 * runs behind backward." */
static void say_collective(struct page *p, const struct columns *c, const struct traffic_stage *s,
                           size_t i) {
    const struct account_collective *l = &s->traffic.collective[i];
    char text[REPORT_UNIT_MOST], name[REPORT_UNIT_MOST];
    struct base_text said = {0};
    base_text_printf(&said, "To %s, each rank sends %s %s by %s in its %s group of %u rank%s.",
                     l->what, command_report_number(text, (double)l->sent, c->unit),
                     account_unit_name(c->unit), command_traffic_collective(l->op, name), l->group,
                     l->ranks, l->ranks == 1 ? "" : "s");
    say_links(&said, c, l->sent - l->between, l->between, l->network);
    say_time(&said, c, s->clock.collective[i], s->clock.exposed[i]);
    if (l->window != ACCOUNT_BARE) base_text_printf(&said, " It runs behind %s.", hides_behind(l));
    page_text(p, (struct page_flow){.indent = 1}, said.s);
    base_text_free(&said);
}

/* The sum under a stage's collectives: what else takes time, and what the step comes to. */
static void put_step(const struct account_clock *c, struct page *p) {
    const struct {
        const char *name;
        double seconds;
    } parts[] = {
        {"forward", c->forward}, {"backward", c->backward},    {"update", c->update},
        {"offload", c->offload}, {"exposed", c->comm_exposed}, {"pipeline's bubble", c->bubble},
    };
    char text[REPORT_UNIT_MOST];
    struct base_text t = {0};
    if (!c->has_comm || !c->has_compute) return;
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        if (parts[i].seconds > 0)
            base_text_printf(&t, "%s%s %s", t.length ? " + " : "", parts[i].name,
                             command_report_seconds(text, parts[i].seconds));
    base_text_printf(&t, " = %s a step", command_report_seconds(text, c->step));
    account_print_count(text, sizeof text, c->tokens_per_s);
    command_report_note(p, "%s, %s tokens/s.", t.s, text);
    base_text_free(&t);
    page_blank(p, 1);
}

/* "Host link: 13.5 GB down (562 ms), 13.5 GB up (562 ms) over PCIe 4.0 x16 (24 GB/s)." */
static void put_host(const struct traffic_stage *s, struct page *p) {
    const struct account_traffic *t = &s->traffic;
    char down[REPORT_UNIT_MOST], up[REPORT_UNIT_MOST], rate[REPORT_UNIT_MOST];
    char down_time[REPORT_UNIT_MOST], up_time[REPORT_UNIT_MOST];
    if (!t->offload_down && !t->offload_up) return;
    account_print_bytes(down, sizeof down, (double)t->offload_down);
    account_print_bytes(up, sizeof up, (double)t->offload_up);
    if (s->host_down < 0) {
        command_report_note(p, "Host link: %s down, %s up (set --gpu for times).", down, up);
    } else {
        struct account_link host = account_host_link(&s->training);
        account_print(rate, sizeof rate, host.rate, ACCOUNT_UNIT_GB_PER_S, 4);
        command_report_note(p, "Host link: %s down in %s, %s up in %s, over %s (%s).", down,
                            command_report_seconds(down_time, s->host_down), up,
                            command_report_seconds(up_time, s->host_up), host.title, rate);
    }
}

/* Of one rank there is nothing but its host link. */
static void put_alone(const struct traffic_stage *s, struct page *p) {
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    put_host(s, p);
    page_blank(p, 1);
    put_step(&s->clock, p);
}

static void put_collectives(const struct traffic *t, const struct traffic_stage *s,
                            struct page *p) {
    struct columns c = columns_of(t);
    struct grid g = {0};
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    for (size_t i = 0; i < s->traffic.collectives && page_spoken(p); i++)
        say_collective(p, &c, s, i);
    for (enum width width = WIDE; !page_spoken(p); width++) {
        fill_legs(&g, &c, s, width);
        if (width == STACKED || command_grid_width(&g, p) <= page_width(p) - 2) break;
        command_grid_free(&g);
    }
    if (page_spoken(p))
        page_blank(p, 1);
    else
        command_grid_draw(&g, p);
    put_host(s, p);
    put_step(&s->clock, p);
}

/* ── small print ───────────────────────────────────────────────────────────────────────────────*/
static void put_link(const char *where, const struct account_link *l, struct base_text *t) {
    char rate[REPORT_UNIT_MOST];
    if (!(l->rate > 0)) return;
    account_print(rate, sizeof rate, l->rate, ACCOUNT_UNIT_GB_PER_S, 4);
    base_text_printf(t, l->name ? "%s%s %s (%s)." : "%s%s %s%s.", t->length ? " " : "", where,
                     l->name ? l->name : "", rate);
}

static void put_links(const struct account_training *t, struct page *p) {
    struct base_text text = {0};
    struct account_link inside = t->link, between = t->net;
    const struct account_link *found;
    if (!inside.name && t->card && t->card->link && (found = account_link_find(t->card->link)))
        inside = *found;
    if (!between.name && t->card && t->card->net && (found = account_link_find(t->card->net)))
        between = *found;
    put_link("Inside a node", &inside, &text);
    put_link("Between nodes", &between, &text);
    if (text.length) command_report_note(p, "%s", text.s);
    base_text_free(&text);
}

/* What the columns mean, and what would be known with more flags. */
static void put_notes(const struct traffic *t, const struct columns *columns, struct page *p) {
    const struct account_clock *c = &t->stage[0].clock;
    put_links(&t->asked, p);
    command_report_note(
        p,
        "Sent: the bytes of a rank's memory that other ranks read. %s: what data parallelism "
        "sends, in parameters, for many ranks, as the ZeRO paper counts.",
        page_spoken(p) ? "The amount in Ψ" : "× Ψ");
    if (columns->links)
        command_report_note(
            p, "NIC: the bytes that a GPU's network card carries. NCCL's rings bring each byte "
               "into a node once, for all ranks there, and the node's cards share that work.");
    if (!c->has_comm)
        command_report_note(p, "Times need --link and --net, or a --gpu with known links.");
    else if (!c->has_compute)
        command_report_note(p, "Exposed time needs a --gpu, a model, --batch and --seq.");
    else
        command_report_efficiency(&t->asked, p);
}

void command_traffic_page(const struct traffic *t, struct page *p) {
    struct columns c = columns_of(t);
    command_report_heading(&t->asked, "what each rank sends in a step", p);
    if (!c.sends)
        page_text(p, (struct page_flow){.indent = 1},
                  c.offload
                      ? "Nothing to other ranks, because there is only one. Over its host link:"
                      : "Nothing: one rank has no other rank to send to.");
    if (!c.sends && c.offload) page_blank(p, 1);
    if (c.sends || c.offload) put_totals(t, p);
    for (size_t s = 0; s < t->stages; s++)
        if (c.sends)
            put_collectives(t, &t->stage[s], p);
        else if (c.offload)
            put_alone(&t->stage[s], p);
    if (c.sends) put_notes(t, &c, p);
    command_asked_put_notes(&t->from, p);
    command_report_convention(&t->asked, p);
}
