/* command_mem_moments: the phases of a step with the place of the peak, and what a node's other tiers hold. */
#include "command/grid.h"
#include "command/mem.h"

/* Phases say nothing while every moment is the same. */
static bool are_phases_alike(const struct mem *m) {
    for (size_t i = 0; i < m->stages; i++)
        if (command_mem_peak(&m->stage[i])->ledger.total != m->stage[i].memory.persistent.total)
            return false;
    return true;
}

static void fill_phases(struct grid *g, const struct mem *m, bool narrow) {
    command_grid_head(g, account_unit_name(command_mem_unit(m)), 'l');
    for (enum account_phase i = 0; i < ACCOUNT_PHASES && !narrow; i++)
        command_grid_head(g, account_phase_name(i), 'd');
    command_grid_head(g, "the peak is in", 'l');
    for (size_t s = 0; s < m->stages; s++) {
        const struct mem_stage *stage = &m->stage[s];
        command_grid_put(g, "stage %u", stage->training.stage);
        for (int i = 0; i < ACCOUNT_PHASES && !narrow; i++)
            command_grid_bytes(g, (double)stage->memory.phase[i].ledger.total, command_mem_unit(m));
        command_grid_put(g, "%s", command_mem_peak(stage)->where);
    }
}

static void put_phases(const struct mem *m, struct page *p) {
    struct grid g = {0};
    fill_phases(&g, m, false);
    if (command_grid_width(&g, p) > page_width(p) - 2) {
        command_grid_free(&g);
        fill_phases(&g, m, true);
    }
    command_grid_draw(&g, p);
}

static uint64_t tier_most(const struct mem *m, bool host) {
    uint64_t most = 0;
    for (size_t i = 0; i < m->stages; i++) {
        const struct account_memory *memory = &m->stage[i].memory;
        uint64_t total = host ? memory->host.total : memory->nvme.total;
        if (total > most) most = total;
    }
    return most;
}

/* One line a tier: what every node holds under each stage. The page of one stage has it in its ledger. */
static void put_tier(const struct mem *m, bool host, struct page *p) {
    struct base_text t = {0};
    char number[ASKED_UNIT_MOST];
    enum account_unit unit = command_asked_unit((double)tier_most(m, host));
    base_text_printf(&t, "%s, per node, %s:", host ? "Host" : "NVMe", account_unit_name(unit));
    for (size_t i = 0; i < m->stages; i++) {
        const struct account_memory *memory = &m->stage[i].memory;
        command_asked_number(number, (double)(host ? memory->host.total : memory->nvme.total),
                             unit);
        base_text_printf(&t, "%s stage %u %s", i ? "," : "", m->stage[i].training.stage, number);
    }
    page_text(p, (struct page_flow){.indent = 1}, t.s);
    base_text_free(&t);
}

void command_mem_moments(const struct mem *m, struct page *p) {
    bool host = m->stages > 1 && tier_most(m, true), nvme = m->stages > 1 && tier_most(m, false);
    if (!are_phases_alike(m)) put_phases(m, p);
    if (host) put_tier(m, true, p);
    if (nvme) put_tier(m, false, p);
    if (host || nvme) page_blank(p, 1);
}
