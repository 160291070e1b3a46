/* command_plan_explain: the working of the first plan: its step's seconds and its memory. */
#include "command/mem.h"
#include "command/plan.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 3, LINES_MOST = 16 };
struct lines {
    char *cell[LINES_MOST * COLUMNS];
    size_t n;
};

/* Takes the formula. */
static void put(struct lines *l, const char *what, char *formula, double seconds) {
    char value[ASKED_UNIT_MOST];
    l->cell[l->n++] = base_dup(what);
    l->cell[l->n++] = formula;
    l->cell[l->n++] = base_dup(command_asked_seconds(value, seconds));
}

/* ── computing ───────────────────────────────────────────────────────────────────────────────────*/
static const char *teraflops(double flops, char out[static ASKED_UNIT_MOST]) {
    snprintf(out, ASKED_UNIT_MOST, "%.4g TFLOP", flops / 1e12);
    return out;
}

/* "10.6 TFLOP × 8 sequences ÷ (2 GPUs × 312 TFLOP/s × 0.5)"; fp32 runs at half the card's rate. */
static char *computing(const struct account_training *t, double each, double seconds) {
    char flops[ASKED_UNIT_MOST];
    double sequences = (double)t->batch * t->accumulate, ranks = (double)t->tp * t->pp * t->cp;
    double rate = t->card->flops / 1e12;
    double left = seconds > 0 ? each * sequences / ranks / seconds / t->card->flops : 0;
    return base_format("%s × %.0f sequences ÷ (%.0f GPU%s × %.4g TFLOP/s × %.4g)",
                       teraflops(each, flops), sequences, ranks, ranks > 1 ? "s" : "", rate, left);
}

static void put_computing(const struct account_training *t, const struct account_clock *c,
                          struct lines *l) {
    double model = account_model_flops(t), all = account_hardware_flops(t);
    double sum = c->forward + c->backward, forward = sum > 0 ? all * c->forward / sum : 0;
    char m[ASKED_UNIT_MOST], h[ASKED_UNIT_MOST];
    put(l, "FLOPs of a sequence",
        base_format("%s of the model, %s with what is computed again", teraflops(model, m),
                    teraflops(all, h)),
        -1);
    put(l, "forward", computing(t, forward, c->forward), c->forward);
    put(l, "backward", computing(t, all - forward, c->backward), c->backward);
}

/* ── the rest ────────────────────────────────────────────────────────────────────────────────────*/
static char *updating(const struct account_training *t, const struct account_clock *c) {
    char bytes[ASKED_UNIT_MOST], rate[ASKED_UNIT_MOST];
    if (t->offload_optimizer) return base_dup("states read and written in the host's memory");
    account_print_bytes(bytes, sizeof bytes, c->update * t->card->memory_rate);
    account_print(rate, sizeof rate, t->card->memory_rate, ACCOUNT_UNIT_GB_PER_S, 4);
    return base_format("%s of states read and written ÷ %s of the card's memory", bytes, rate);
}

static void put_waiting(const struct account_training *t, const struct account_clock *c,
                        struct lines *l) {
    char sent[ASKED_UNIT_MOST];
    put(l, "exposed",
        base_format("of %s of communication, what computing does not hide",
                    command_asked_seconds(sent, c->comm)),
        c->comm_exposed);
    put(l, "update", updating(t, c), c->update);
    if (c->offload > 0)
        put(l, "offload", base_dup("host link and disks, where nothing hides them"), c->offload);
    if (c->bubble > 0)
        put(l, "pipeline's bubble",
            base_format("(%u − 1) ÷ (%u × %u) × (forward + backward)", t->pp, t->accumulate,
                        t->interleave),
            c->bubble);
}

static void put_step(const struct account_training *t, struct page *p) {
    struct account_clock c;
    struct lines l = {0};
    if (!account_clock(t, &c, NULL) || !(c.step > 0)) return;
    put_computing(t, &c, &l);
    put_waiting(t, &c, &l);
    put(&l, "a step", base_dup("the seconds above"), c.step);
    page_blank(p, 1);
    page_put(p, page_height(p), 1, PAGE_STRONG, 0, "the first plan's step");
    page_table(p, (struct page_flow){.indent = 3}, (const char *const *)l.cell, l.n / COLUMNS,
               COLUMNS, "llr", false);
    for (size_t i = 0; i < l.n; i++) free(l.cell[i]);
}

static void put_need(const struct account_plan *r, struct page *p) {
    char peak[ASKED_UNIT_MOST], gathered[ASKED_UNIT_MOST], sum[ASKED_UNIT_MOST];
    if (!r->gathered) return;
    account_print_bytes(peak, sizeof peak, (double)r->peak);
    account_print_bytes(gathered, sizeof gathered, (double)r->gathered);
    account_print_bytes(sum, sizeof sum, (double)(r->peak + r->gathered));
    page_printf(p, page_height(p), 3, PAGE_DIM, "%s at the peak + %s gathered by stage 3 = %s",
                peak, gathered, sum);
}

bool command_plan_explain(const struct plan *plan, struct page *p, struct account_error *e) {
    const struct account_plan *r = &plan->plan[0];
    if (plan->plans.count) {
        put_step(&r->training, p);
        if (!command_mem_explain_one(&r->training, "the first plan's memory", p, e)) return false;
        put_need(r, p);
    }
    command_asked_sources(&plan->plans.base, p);
    return true;
}
