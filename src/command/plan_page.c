/* plan's answer, for programs and for people. */
#include "command/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "selective": a field as it is set. Returns `out`. */
static const char *plan_field(const struct account_training *t, const char *name,
                              char out[static NAME_MOST]) {
    return account_get(t, name, out, NAME_MOST) ? out : "";
}

/* "none", "optimizer on host", "optimizer on host, params on nvme". Returns `out`. */
static const char *plan_offload(const struct account_training *t, char out[static NAME_MOST]) {
    char tier[NAME_MOST];
    size_t n = 0;
    *out = '\0';
    if (t->offload_optimizer)
        n = (size_t)snprintf(out, NAME_MOST, "optimizer on %s",
                             plan_field(t, "offload_optimizer", tier));
    if (t->offload_params)
        snprintf(out + n, NAME_MOST - n, "%sparams on %s", n ? ", " : "",
                 plan_field(t, "offload_params", tier));
    return *out ? out : "none";
}

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
/* Null where the clock knows no compute. */
static json_t *known(double value) {
    return value > 0 ? json_real(value) : json_null();
}

static json_t *row_json(const struct account_plan *r) {
    const struct account_training *t = &r->training;
    char checkpoint[NAME_MOST], offload[NAME_MOST];
    return json_pack("{si si ss si si ss si si si si ss sI sI sI so so ss so}", "stage",
                     (int)t->stage, "shard_group", (int)account_shard_ranks(t), "checkpoint",
                     plan_field(t, "checkpoint", checkpoint), "micro_batch", (int)t->batch,
                     "accumulate", (int)t->accumulate, "offload", plan_offload(t, offload), "tp",
                     (int)t->tp, "pp", (int)t->pp, "cp", (int)t->cp, "ep", (int)t->ep, "fits",
                     account_fit_name(r->measured.fits), "bytes_to_spare",
                     (json_int_t)r->measured.spare, "peak", (json_int_t)r->measured.peak,
                     "gathered", (json_int_t)r->measured.gathered, "seconds",
                     known(r->measured.seconds), "tokens_per_s", known(r->measured.tokens_per_s),
                     "reason", r->reason, "training", command_report_json(t));
}

static json_t *tree_json(const struct account_plans *p) {
    json_t *tree = json_array();
    for (size_t i = 0; i < p->forks; i++)
        json_array_append_new(tree,
                              json_pack("{ss ss ss}", "question", p->fork[i].question, "answer",
                                        p->fork[i].answer, "because", p->fork[i].because));
    return tree;
}

json_t *command_plan_json(const struct plan *p) {
    const struct account_training *t = &p->plans.base;
    uint32_t node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    json_t *plans = json_array();
    for (size_t i = 0; i < p->plans.count; i++) json_array_append_new(plans, row_json(&p->plan[i]));
    json_t *json = json_pack("{so so so sI sI sI so}", "chosen",
                             p->plans.found ? row_json(&p->plan[0]) : json_null(), "plans", plans,
                             "tree", tree_json(&p->plans), "tried", (json_int_t)p->plans.tried,
                             "global_batch", (json_int_t)p->plans.global_batch, "gpus_per_node",
                             (json_int_t)node, "training", command_report_json(&p->from.training));
    command_asked_add_notes(&p->from, json);
    return json;
}

void command_plan_csv(const struct plan *p, FILE *out) {
    fputs("stage,shard_group,checkpoint,micro_batch,accumulate,offload,tp,pp,cp,ep,fits,"
          "bytes_to_spare,peak,seconds,tokens_per_s,reason\n",
          out);
    for (size_t i = 0; i < p->plans.count; i++) {
        const struct account_plan *r = &p->plan[i];
        const struct account_training *t = &r->training;
        char checkpoint[NAME_MOST], offload[NAME_MOST];
        fprintf(out, "%u,%u,%s,%u,%u,", t->stage, account_shard_ranks(t),
                plan_field(t, "checkpoint", checkpoint), t->batch, t->accumulate);
        command_report_csv(plan_offload(t, offload), out);
        fprintf(out, ",%u,%u,%u,%u,%s,%" PRId64 ",%" PRIu64 ",", t->tp, t->pp, t->cp, t->ep,
                account_fit_name(r->measured.fits), r->measured.spare, r->measured.peak);
        if (r->measured.seconds > 0) fprintf(out, "%.9g", r->measured.seconds);
        fputc(',', out);
        if (r->measured.tokens_per_s > 0) fprintf(out, "%.9g", r->measured.tokens_per_s);
        fputc(',', out);
        command_report_csv(r->reason, out);
        fputc('\n', out);
    }
}

/* ── for people ────────────────────────────────────────────────────────────────────────────────*/
enum { PROSE = 80 };

static int prose_width(const struct page *p) {
    return page_width(p) < PROSE ? page_width(p) : PROSE;
}

/* ── the answer ────────────────────────────────────────────────────────────────────────────────*/
/* "stage 2, full checkpointing, micro-batch 4 x 2 accumulated, tp 2"; spoken, "tensor parallel 2"
 */
static char *way(const struct account_training *t, bool spoken) {
    char value[NAME_MOST];
    struct base_text text = {0};
    base_text_printf(&text, "stage %u", t->stage);
    if (t->shard_group) base_text_printf(&text, " over groups of %u", t->shard_group);
    const char *checkpoint = t->checkpoint ? plan_field(t, "checkpoint", value) : "no";
    if (t->batch) /* of a bare Ψ nothing is known but its states */
        base_text_printf(&text, ", %s checkpointing, micro-batch %u × %u accumulated", checkpoint,
                         t->batch, t->accumulate);
    if (t->tp > 1)
        base_text_printf(&text, ", %s %u%s", spoken ? "tensor parallel" : "tp", t->tp,
                         !t->sp   ? ""
                         : spoken ? " with sequence parallel"
                                  : " with sp");
    if (t->pp > 1) base_text_printf(&text, ", %s %u", spoken ? "pipeline parallel" : "pp", t->pp);
    if (t->cp > 1) base_text_printf(&text, ", %s %u", spoken ? "context parallel" : "cp", t->cp);
    if (t->offload_optimizer || t->offload_params)
        base_text_printf(&text, ", %s", plan_offload(t, value));
    return base_text_take(&text);
}

static void put_pace(const struct account_plan *r, struct base_text *t) {
    char seconds[REPORT_UNIT_MOST], tokens[REPORT_UNIT_MOST];
    if (!(r->measured.seconds > 0)) return;
    account_print_count(tokens, sizeof tokens, r->measured.tokens_per_s);
    base_text_printf(t, ", %s per step, %s tokens/s",
                     command_report_seconds(seconds, r->measured.seconds), tokens);
}

/* What fits needs what it does not leave: its peak, and the buffers that any implementation adds to
 * a recipe without them. */
static char *measures(const struct account_plan *r) {
    char spare[REPORT_UNIT_MOST], needs[REPORT_UNIT_MOST], card[REPORT_UNIT_MOST];
    double holds = (double)account_card_bytes(r->training.card), left = (double)r->measured.spare;
    struct base_text t = {0};
    account_print_bytes(spare, sizeof spare, left < 0 ? -left : left);
    account_print_bytes(needs, sizeof needs, holds - left);
    account_print_bytes(card, sizeof card, holds);
    if (r->measured.fits == ACCOUNT_TOO_LARGE)
        base_text_printf(&t, "%s too much", spare);
    else
        base_text_printf(&t, "%s of %s, %s to spare", needs, card, spare);
    put_pace(r, &t);
    base_text_puts(&t, ".");
    return base_text_take(&t);
}

static void put_answer(const struct plan *plan, struct page *p) {
    bool found = plan->plans.found;
    if (!plan->plans.count) {
        page_text(p, (struct page_flow){.indent = 1, .role = PAGE_BAD},
                  "No: this model and batch cannot be divided among these GPUs.");
        return;
    }
    const struct account_plan *r = &plan->plan[0];
    bool tight = r->measured.fits == ACCOUNT_TIGHT;
    char *how = way(&r->training, page_spoken(p)), *what = measures(r);
    char *line = base_format("%s %s",
                             !found  ? "No, nothing fits. The nearest:"
                             : tight ? "Tight:"
                                     : "Yes:",
                             how);
    unsigned role = !found ? PAGE_BAD : tight ? PAGE_WARN : PAGE_GOOD;
    page_text(p, (struct page_flow){.indent = 1, .role = role}, line);
    page_text(p, (struct page_flow){.indent = 1}, what);
    free(line);
    free(what);
    free(how);
}

/* ── the alternatives ──────────────────────────────────────────────────────────────────────────*/
static size_t shown(const struct plan *plan) {
    return plan->plans.count < PLANS_SHOWN ? plan->plans.count : PLANS_SHOWN;
}

/* only what differs between the plans, or is not as by default */
struct columns {
    bool shard, batch, tp, pp, cp, offload, pace;
};

static struct columns columns_of(const struct plan *plan) {
    struct columns c = {0};
    for (size_t i = 0; i < shown(plan); i++) {
        const struct account_training *t = &plan->plan[i].training;
        c.shard = c.shard || t->shard_group;
        c.batch = c.batch || t->batch;
        c.tp = c.tp || t->tp > 1;
        c.pp = c.pp || t->pp > 1;
        c.cp = c.cp || t->cp > 1;
        c.offload = c.offload || t->offload_optimizer || t->offload_params;
        c.pace = c.pace || plan->plan[i].measured.seconds > 0;
    }
    return c;
}

/* How many columns a page is wide enough for. */
enum width { WIDE, MEDIUM, NARROW };

static void put_heads(struct grid *g, const struct columns *c, enum width width) {
    command_grid_head(g, "", 'r');
    command_grid_head(g, "stage", 'l');
    if (c->shard) command_grid_head(g, "shard", 'r');
    if (c->batch && width <= MEDIUM) command_grid_head(g, "checkpoint", 'l');
    if (c->batch && width <= MEDIUM) command_grid_head(g, "batch", 'r');
    if (c->tp) command_grid_head(g, "tp", 'r');
    if (c->pp) command_grid_head(g, "pp", 'r');
    if (c->cp) command_grid_head(g, "cp", 'r');
    if (c->offload) command_grid_head(g, "offload", 'l');
    command_grid_head(g, "spare GB", 'd');
    if (c->pace) command_grid_head(g, "step", 'r');
    if (c->pace && width == WIDE) command_grid_head(g, "tokens/s", 'r');
}

/* Short enough for a column: "host", "host+params". */
static const char *offload(const struct account_training *t, char out[static NAME_MOST]) {
    char tier[NAME_MOST];
    snprintf(out, NAME_MOST, "%.20s%s%s",
             t->offload_optimizer ? plan_field(t, "offload_optimizer", tier) : "",
             t->offload_optimizer && t->offload_params ? "+" : "",
             t->offload_params ? "params" : "");
    return out;
}

static void put_row(struct grid *g, const struct columns *c, const struct plan *plan, size_t i,
                    enum width width) {
    const struct account_plan *r = &plan->plan[i];
    const struct account_training *t = &r->training;
    char value[NAME_MOST], tokens[REPORT_UNIT_MOST];
    command_grid_put(g, "%zu", i + 1);
    command_grid_put(g, "%u", t->stage);
    if (c->shard) command_grid_put(g, "%u", account_shard_ranks(t));
    if (c->batch && width <= MEDIUM) command_grid_put(g, "%s", plan_field(t, "checkpoint", value));
    if (c->batch && width <= MEDIUM) command_grid_put(g, "%u × %u", t->batch, t->accumulate);
    if (c->tp) command_grid_put(g, "%u", t->tp);
    if (c->pp) command_grid_put(g, "%u", t->pp);
    if (c->cp) command_grid_put(g, "%u", t->cp);
    if (c->offload) command_grid_put(g, "%s", offload(t, value));
    command_grid_put(
        g, "%s",
        account_print_fixed(value, sizeof value, (double)r->measured.spare, ACCOUNT_UNIT_GB, 2));
    if (c->pace) command_grid_seconds(g, r->measured.seconds > 0 ? r->measured.seconds : -1);
    account_print_count(tokens, sizeof tokens, r->measured.tokens_per_s);
    if (c->pace && width == WIDE)
        command_grid_put(g, "%s", r->measured.tokens_per_s > 0 ? tokens : "");
}

static void fill(struct grid *g, const struct columns *c, const struct plan *plan,
                 enum width width) {
    put_heads(g, c, width);
    for (size_t i = 0; i < shown(plan); i++) put_row(g, c, plan, i, width);
}

/* "Each of plans 5 to 8: fits, but …", or the numbers in the margin. */
static void put_reason(const char *reason, size_t from, size_t to, struct page *p) {
    bool one = to == from + 1, spoken = page_spoken(p);
    char *which = one ? base_format("%zu", to)
                      : base_format(spoken ? "%zu to %zu" : "%zu-%zu", from + 1, to),
         *said = base_format("%s %s: %s.", one ? "Plan" : "Each of plans", which, reason);
    int row = page_height(p);
    int indent = spoken ? 1 : 7;
    page_text(p, (struct page_flow){.indent = indent, .width = prose_width(p) - 1 - indent},
              spoken ? said : reason);
    if (!spoken) page_put(p, row, 1, PAGE_PLAIN, 0, which);
    free(said);
    free(which);
}

/* Plans that lost for the same reason, one after another, share a line. */
static void put_reasons(const struct plan *plan, struct page *p) {
    for (size_t from = 0, to; from < shown(plan); from = to) {
        for (to = from + 1; to < shown(plan); to++)
            if (strcmp(plan->plan[to].reason, plan->plan[from].reason) != 0) break;
        put_reason(plan->plan[from].reason, from, to, p);
    }
    page_blank(p, 1);
}

/* A row as sentences. */
static void say_plans(const struct plan *plan, struct page *p) {
    for (size_t i = 0; i < shown(plan); i++) {
        char *how = way(&plan->plan[i].training, true), *needs = measures(&plan->plan[i]),
             *text = base_format("Plan %zu uses %s. It needs %s", i + 1, how, needs);
        page_text(p, (struct page_flow){.indent = 1, .width = prose_width(p) - 2}, text);
        free(text);
        free(needs);
        free(how);
    }
    page_blank(p, 1);
}

static void draw_plans(const struct plan *plan, struct page *p) {
    struct columns c = columns_of(plan);
    struct grid g = {0};
    for (enum width width = WIDE;; width++) {
        fill(&g, &c, plan, width);
        if (width == NARROW || command_grid_width(&g, p) <= page_width(p) - 2) break;
        command_grid_free(&g);
    }
    command_grid_draw(&g, p);
}

static void put_alternatives(const struct plan *plan, struct page *p) {
    if (!shown(plan)) return;
    page_blank(p, 1);
    (page_spoken(p) ? say_plans : draw_plans)(plan, p);
    put_reasons(plan, p);
}

/* ── the tree ──────────────────────────────────────────────────────────────────────────────────*/
/* "1. Does it fit with stage 1? Answer: no." */
static void put_fork(size_t number, const struct account_fork *f, struct page *p) {
    if (page_spoken(p)) {
        char *text = base_format("%zu. %s Answer: %s.", number, f->question, f->answer);
        page_text(p, (struct page_flow){.indent = 1}, text);
        free(text);
        return;
    }
    int row = page_height(p);
    char *question = base_format("%zu  %s", number, f->question);
    int column = page_put(p, row, 1, PAGE_PLAIN, 0, question);
    page_put(p, row, column + 2, PAGE_STRONG, 0, f->answer);
    free(question);
}

static void put_tree(const struct account_plans *plans, struct page *p) {
    for (size_t i = 0; i < plans->forks; i++) {
        const struct account_fork *f = &plans->fork[i];
        put_fork(i + 1, f, p);
        char *why =
            base_format("%s%s", f->because, f->needs_host ? ": say it with --host-memory" : "");
        page_text(p, (struct page_flow){.indent = 4, .width = prose_width(p) - 5, .role = PAGE_DIM},
                  why);
        free(why);
    }
    if (plans->forks) page_blank(p, 1);
}

/* "Each step: 64 sequences of 4096 tokens, on 8 GPUs of one node." */
static void put_question(const struct plan *plan, struct page *p) {
    const struct account_training *t = &plan->plans.base;
    uint32_t node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    if (!plan->plans.global_batch) return;
    command_report_note(
        p, "Each step trains on %" PRIu64 " sequences of %u tokens, with %u GPU%s per node.",
        plan->plans.global_batch, t->seq, node, node == 1 ? "" : "s");
}

/* Why there are no times: what the clock did not find. */
static void put_untimed(const struct plan *plan, struct page *p) {
    const struct account_training *t = &plan->plans.base;
    const struct account_card *card = t->card;
    bool leaves = t->gpus_per_node && t->gpus_per_node < t->gpus;
    bool link = t->link.rate > 0 || card->link, net = t->net.rate > 0 || card->net;
    const char *name = card->name;
    if (!t->shape.family)
        command_report_note(p, "Times need a --model: a bare count gives only bytes.");
    else if (!(card->flops > 0))
        command_report_note(p, "No time: the computing rate of %s is not known.", name);
    else if (t->gpus > 1 && !link)
        command_report_note(
            p,
            "No time: the rate of the link between the %s of a node is not known (--link). Plans "
            "are ranked by what they compute, and by what they send as if over PCIe 4.0.",
            name);
    else if (leaves && !net)
        command_report_note(
            p,
            "No time: the rate of the net between nodes with %s is not known (--net). Plans are "
            "ranked by what they compute, and by what they send as if over PCIe 4.0.",
            name);
    else if (!plan->plans.found)
        command_report_note(p, "No time is shown, because nothing fits.");
    else
        command_report_note(p, "No time: the rate of the node's NVMe is not known.");
}

/* How peak and need are related. */
static void put_gathered(const struct plan *plan, struct page *p) {
    char bytes[REPORT_UNIT_MOST], peak[REPORT_UNIT_MOST];
    const struct account_plan *r = &plan->plan[0];
    if (!plan->plans.count || !r->measured.gathered) return;
    account_print_bytes(bytes, sizeof bytes, (double)r->measured.gathered);
    account_print_bytes(peak, sizeof peak, (double)r->measured.peak);
    command_report_note(p,
                        "It needs its peak of %s, as mem counts it, and %s that stage 3 gathers. "
                        "The recipe counts no buffers, but every implementation has them.",
                        peak, bytes);
}

void command_plan_page(const struct plan *plan, struct page *p) {
    char *about = base_format("what to do, of %zu ways tried", plan->plans.tried);
    command_report_heading(&plan->question.training, about, p);
    put_answer(plan, p);
    put_question(plan, p);
    put_alternatives(plan, p);
    put_tree(&plan->plans, p);
    if (plan->plans.count && plan->plan[0].measured.seconds > 0)
        command_report_efficiency(&plan->question.training, p);
    else
        put_untimed(plan, p);
    put_gathered(plan, p);
    command_asked_put_notes(&plan->from, p);
    command_report_convention(&plan->question.training, p);
    free(about);
}
