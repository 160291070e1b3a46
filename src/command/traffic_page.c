/* command_traffic_page: traffic's answer for people: totals by stage, then the legs of each. */
#include "command/grid.h"
#include "command/traffic.h"

/* ── totals ──────────────────────────────────────────────────────────────────────────────────────*/
/* What there is a column for: what any stage has. */
struct columns {
    bool op[ACCOUNT_COLLECTIVES], links, offload, seconds, exposed;
    enum account_unit unit;
    bool sends; /* to other ranks at all */
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
    c.unit = command_asked_unit(most);
    c.exposed = c.exposed && c.sends;
    return c;
}

static void put_totals_head(struct grid *g, const struct columns *c, bool split) {
    char name[ASKED_UNIT_MOST];
    command_grid_head(g, account_unit_name(c->unit), 'l');
    for (enum account_collective_kind k = 0; k < ACCOUNT_COLLECTIVES; k++)
        if (c->op[k] && split) command_grid_head(g, command_traffic_collective(k, name), 'd');
    if (c->sends) command_grid_head(g, "in all", 'd');
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

/* Collective by collective where the page is wide enough; the legs below tell them apart too. */
static void put_totals(const struct traffic *t, struct page *p) {
    struct columns c = columns_of(t);
    struct grid g = {0};
    fill_totals(&g, t, &c, true);
    if (command_grid_width(&g, p) > page_width(p) - 2) {
        command_grid_free(&g);
        fill_totals(&g, t, &c, false);
    }
    command_grid_draw(&g, p);
}

/* ── legs ────────────────────────────────────────────────────────────────────────────────────────*/
/* How much a page has room for. */
enum capacity { ALL, MIDDLING, STACKED }; /* stacked: collective and group under what is done */

static void put_legs_head(struct grid *g, const struct columns *c, enum capacity capacity) {
    command_grid_head(g, "what", 'l');
    if (capacity != STACKED) command_grid_head(g, "group", 'l');
    if (capacity != STACKED) command_grid_head(g, "collective", 'l');
    command_grid_head(g, account_unit_name(c->unit), 'd');
    if (c->links && capacity == ALL) command_grid_head(g, "inside", 'd');
    if (c->links && capacity == ALL) command_grid_head(g, "between", 'd');
    if (c->links) command_grid_head(g, "NIC", 'd');
    if (c->seconds) command_grid_head(g, "time", 'r');
    if (c->exposed) command_grid_head(g, "exposed", 'r');
    if (capacity == ALL) command_grid_head(g, "behind", 'l');
}

static void put_leg(struct grid *g, const struct columns *c, const struct traffic_stage *s,
                    size_t i, enum capacity capacity) {
    const struct account_collective *l = &s->traffic.collective[i];
    char name[ASKED_UNIT_MOST];
    command_traffic_collective(l->op, name);
    if (capacity == STACKED)
        command_grid_put(g, "%s\n  %s, %s %u", l->what, name, l->group, l->ranks);
    else
        command_grid_put(g, "%s", l->what);
    if (capacity != STACKED) command_grid_put(g, "%s %u", l->group, l->ranks);
    if (capacity != STACKED) command_grid_put(g, "%s", name);
    command_grid_bytes(g, (double)l->sent, c->unit);
    if (c->links && capacity == ALL) command_grid_bytes(g, (double)(l->sent - l->between), c->unit);
    if (c->links && capacity == ALL) command_grid_bytes(g, (double)l->between, c->unit);
    if (c->links) command_grid_bytes(g, (double)l->network, c->unit);
    if (c->seconds) command_grid_seconds(g, s->clock.collective[i]);
    if (c->exposed) command_grid_seconds(g, s->clock.exposed[i]);
    if (capacity == ALL) command_grid_put(g, "%s", command_traffic_window(l->window));
}

static void fill_legs(struct grid *g, const struct columns *c, const struct traffic_stage *s,
                      enum capacity capacity) {
    put_legs_head(g, c, capacity);
    for (size_t i = 0; i < s->traffic.collectives; i++) put_leg(g, c, s, i, capacity);
}

/* The sum under a stage's legs: what else takes time, and what the step comes to. */
static void put_step(const struct account_clock *c, struct page *p) {
    const struct {
        const char *name;
        double seconds;
    } parts[] = {
        {"forward",           c->forward     },
        {"backward",          c->backward    },
        {"update",            c->update      },
        {"offload",           c->offload     },
        {"exposed",           c->comm_exposed},
        {"pipeline's bubble", c->bubble      },
    };
    char text[ASKED_UNIT_MOST];
    struct base_text t = {0};
    if (!c->has_comm || !c->has_compute) return;
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        if (parts[i].seconds > 0)
            base_text_printf(&t, "%s%s %s", t.length ? " + " : "", parts[i].name,
                             command_asked_seconds(text, parts[i].seconds));
    base_text_printf(&t, " = %s a step", command_asked_seconds(text, c->step));
    account_print_count(text, sizeof text, c->tokens_per_s);
    command_asked_note(p, "%s, %s tokens/s.", t.s, text);
    base_text_free(&t);
    page_blank(p, 1);
}

/* "Host link: 13.5 GB down (562 ms), 13.5 GB up (562 ms) over PCIe 4.0 x16 (24 GB/s)." */
static void put_host(const struct traffic_stage *s, struct page *p) {
    const struct account_traffic *t = &s->traffic;
    char down[ASKED_UNIT_MOST], up[ASKED_UNIT_MOST], rate[ASKED_UNIT_MOST];
    char down_time[ASKED_UNIT_MOST], up_time[ASKED_UNIT_MOST];
    if (!t->offload_down && !t->offload_up) return;
    account_print_bytes(down, sizeof down, (double)t->offload_down);
    account_print_bytes(up, sizeof up, (double)t->offload_up);
    if (s->host_down < 0) {
        command_asked_note(p, "Host link: %s down, %s up; a --gpu brings its rate.", down, up);
    } else {
        struct account_link host = account_host_link(&s->training);
        account_print(rate, sizeof rate, host.rate, ACCOUNT_UNIT_GB_PER_S, 4);
        command_asked_note(p, "Host link: %s down in %s, %s up in %s, over %s (%s).", down,
                           command_asked_seconds(down_time, s->host_down), up,
                           command_asked_seconds(up_time, s->host_up), host.title, rate);
    }
}

/* Of one rank there is nothing but its host link. */
static void put_alone(const struct traffic_stage *s, struct page *p) {
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    put_host(s, p);
    page_blank(p, 1);
    put_step(&s->clock, p);
}

static void put_legs(const struct traffic *t, const struct traffic_stage *s, struct page *p) {
    struct columns c = columns_of(t);
    struct grid g = {0};
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    for (enum capacity capacity = ALL;; capacity++) {
        fill_legs(&g, &c, s, capacity);
        if (capacity == STACKED || command_grid_width(&g, p) <= page_width(p) - 2) break;
        command_grid_free(&g);
    }
    command_grid_draw(&g, p);
    put_host(s, p);
    put_step(&s->clock, p);
}

/* ── small print ─────────────────────────────────────────────────────────────────────────────────*/
static void put_link(const char *where, const struct account_link *l, struct base_text *t) {
    char rate[ASKED_UNIT_MOST];
    if (!(l->rate > 0)) return;
    account_print(rate, sizeof rate, l->rate, ACCOUNT_UNIT_GB_PER_S, 4);
    base_text_printf(t, "%s%s %s (%s).", t->length ? " " : "", where, l->name ? l->name : "", rate);
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
    if (text.length) command_asked_note(p, "%s", text.s);
    base_text_free(&text);
}

/* What the columns mean, and what would be known with more flags. */
static void put_notes(const struct traffic *t, const struct columns *columns, struct page *p) {
    const struct account_clock *c = &t->stage[0].clock;
    put_links(&t->asked, p);
    command_asked_note(
        p, "Sent: the bytes of a rank's memory that other ranks read. × Ψ: the data-parallel "
           "legs in parameters, for many ranks, as the ZeRO paper counts.");
    if (columns->links)
        command_asked_note(
            p, "NIC: what the network card of a GPU carries. NCCL's rings bring a byte into a "
               "node once, whoever reads it there, and the node's cards share that.");
    if (!c->has_comm)
        command_asked_note(
            p, "Times come with --link and --net, or with a --gpu that brings its own.");
    else if (!c->has_compute)
        command_asked_note(p, "What is exposed is known with a --gpu, a model, --batch and --seq.");
    else
        command_asked_efficiency(&t->asked, p);
}

void command_traffic_page(const struct traffic *t, struct page *p) {
    struct columns c = columns_of(t);
    command_asked_heading(&t->asked, "what each rank sends in a step", p);
    if (!c.sends)
        page_text(p, (struct page_flow){.indent = 1},
                  c.offload ? "To other ranks nothing: there is one. Over its host link:"
                            : "Nothing: one rank has nobody to send to.");
    if (!c.sends && c.offload) page_blank(p, 1);
    if (c.sends || c.offload) put_totals(t, p);
    for (size_t s = 0; s < t->stages; s++)
        if (c.sends)
            put_legs(t, &t->stage[s], p);
        else if (c.offload)
            put_alone(&t->stage[s], p);
    if (c.sends) put_notes(t, &c, p);
    command_asked_put_notes(&t->from, p);
    command_asked_convention(&t->asked, p);
}
