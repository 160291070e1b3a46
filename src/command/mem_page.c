/* command_mem_page: mem's answer for people: a heading, stages by category, bars of what must fit,
 * small print. */
#include "command/mem.h"

#include <unistd.h>

/* ── columns ───────────────────────────────────────────────────────────────────────────────────*/
#define BIT(c) (1u << (c))
#define BUFFERS                                                                                    \
    (BIT(ACCOUNT_GATHER) | BIT(ACCOUNT_REDUCE) | BIT(ACCOUNT_WORKSPACE) | BIT(ACCOUNT_STAGING))
struct column {
    const char *name;
    unsigned categories;
};
static const struct column each[] = {
    {"params", BIT(ACCOUNT_PARAMS)},           {"grads", BIT(ACCOUNT_GRADS)},
    {"master", BIT(ACCOUNT_MASTER)},           {"moments", BIT(ACCOUNT_MOMENTS)},
    {"activations", BIT(ACCOUNT_ACTIVATIONS)}, {"gather", BIT(ACCOUNT_GATHER)},
    {"reduce", BIT(ACCOUNT_REDUCE)},           {"workspace", BIT(ACCOUNT_WORKSPACE)},
    {"staging", BIT(ACCOUNT_STAGING)},         {"framework", BIT(ACCOUNT_FRAMEWORK)},
};
static const struct column joined[] = {
    {"params", BIT(ACCOUNT_PARAMS)},
    {"grads", BIT(ACCOUNT_GRADS)},
    {"optimizer", BIT(ACCOUNT_MASTER) | BIT(ACCOUNT_MOMENTS)},
    {"activ.", BIT(ACCOUNT_ACTIVATIONS)},
    {"buffers", BUFFERS},
    {"framework", BIT(ACCOUNT_FRAMEWORK)},
};
static const struct column few[] = {
    {"params", BIT(ACCOUNT_PARAMS)},
    {"grads", BIT(ACCOUNT_GRADS)},
    {"optim.", BIT(ACCOUNT_MASTER) | BIT(ACCOUNT_MOMENTS)},
    {"activ.", BIT(ACCOUNT_ACTIVATIONS)},
    {"other", BUFFERS | BIT(ACCOUNT_FRAMEWORK)},
};

static double sum(const struct account_ledger *l, unsigned categories) {
    double bytes = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (categories & BIT(c)) bytes += (double)l->bytes[c];
    return bytes;
}

/* The four of the model's states always, the others where there is any. */
static bool is_shown(const struct mem *m, const struct column *c) {
    bool any = c->categories & (BIT(ACCOUNT_PARAMS) | BIT(ACCOUNT_GRADS) | BIT(ACCOUNT_MASTER) |
                                BIT(ACCOUNT_MOMENTS));
    for (size_t i = 0; i < m->stages; i++)
        any = any || sum(&m->stage[i].memory.gpu, c->categories) > 0;
    return any;
}

/* ── stages by category ────────────────────────────────────────────────────────────────────────*/
static bool peaks_differ(const struct mem *m) {
    for (size_t i = 0; i < m->stages; i++)
        if (command_mem_peak(&m->stage[i])->ledger.total != m->stage[i].memory.gpu.total)
            return true;
    return false;
}

static void fill_heads(struct grid *g, const struct mem *m, const struct column *column,
                       size_t columns) {
    command_grid_head(g, account_unit_name(command_mem_unit(m)), 'l');
    for (size_t i = 0; i < columns; i++)
        if (is_shown(m, &column[i])) command_grid_head(g, column[i].name, 'd');
    command_grid_head(g, "total", 'd');
    if (peaks_differ(m)) command_grid_head(g, "peak", 'd');
    if (m->budget) command_grid_head(g, "fits", 'l');
}

static void fill(struct grid *g, const struct mem *m, const struct column *column, size_t columns) {
    fill_heads(g, m, column, columns);
    for (size_t s = 0; s < m->stages; s++) {
        const struct mem_stage *stage = &m->stage[s];
        const struct account_ledger *gpu = &stage->memory.gpu;
        command_grid_put(g, "stage %u", stage->training.stage);
        for (size_t i = 0; i < columns; i++)
            if (is_shown(m, &column[i]))
                command_grid_bytes(g, sum(gpu, column[i].categories), command_mem_unit(m));
        command_grid_bytes(g, (double)gpu->total, command_mem_unit(m));
        if (peaks_differ(m))
            command_grid_bytes(g, (double)command_mem_peak(stage)->ledger.total,
                               command_mem_unit(m));
        if (m->budget) command_grid_put(g, "%s", stage->fits);
    }
}

/* From the fullest set of columns to none: the first that the page is wide enough for. */
static void put_table(const struct mem *m, struct page *p) {
    static const struct {
        const struct column *column;
        size_t columns;
    } sets[] = {
        {each, BASE_COUNT(each)},
        {joined, BASE_COUNT(joined)},
        {few, BASE_COUNT(few)},
        {NULL, 0},
    };
    for (size_t i = 0; i < BASE_COUNT(sets); i++) {
        struct grid g = {0};
        fill(&g, m, sets[i].column, sets[i].columns);
        if (!sets[i].columns || command_grid_width(&g, p) <= page_width(p) - 2) {
            command_grid_draw(&g, p);
            return;
        }
        command_grid_free(&g);
    }
}

/* ── one stage, a category a line ──────────────────────────────────────────────────────────────*/
enum { TIERS_MOST = 5 };
struct tiers {
    size_t count;
    const char *name[TIERS_MOST];
    const struct account_ledger *ledger[TIERS_MOST];
};

static void add_tier(struct tiers *t, const char *name, const struct account_ledger *l) {
    if (!l->total) return;
    t->name[t->count] = name;
    t->ledger[t->count++] = l;
}

static struct tiers tiers_of(const struct mem_stage *s) {
    struct tiers t = {0};
    bool same = command_mem_peak(s)->ledger.total == s->memory.gpu.total;
    add_tier(&t, "each GPU", &s->memory.gpu);
    if (!same) add_tier(&t, "between steps", &s->memory.persistent);
    if (!same) add_tier(&t, "at the peak", &command_mem_peak(s)->ledger);
    add_tier(&t, "host, per node", &s->memory.host);
    add_tier(&t, "NVMe, per node", &s->memory.nvme);
    return t;
}

static bool any_of(const struct tiers *t, int c) {
    for (size_t i = 0; i < t->count; i++)
        if (t->ledger[i]->bytes[c]) return true;
    return false;
}

static void put_ledger(const struct mem *m, struct page *p) {
    struct tiers t = tiers_of(&m->stage[0]);
    struct grid g = {0};
    command_grid_head(&g, account_unit_name(command_mem_unit(m)), 'l');
    for (size_t i = 0; i < t.count; i++) command_grid_head(&g, t.name[i], 'd');
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!any_of(&t, c)) continue;
        command_grid_put(&g, "%s", account_category_words((enum account_category)c));
        for (size_t i = 0; i < t.count; i++)
            command_grid_bytes(&g, (double)t.ledger[i]->bytes[c], command_mem_unit(m));
    }
    command_grid_put(&g, "in total");
    for (size_t i = 0; i < t.count; i++)
        command_grid_bytes(&g, (double)t.ledger[i]->total, command_mem_unit(m));
    command_grid_draw(&g, p);
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static void put_bars(const struct mem *m, struct page *p) {
    struct page_bars b = {.count = m->stages, .unit = command_mem_unit(m), .legend = true};
    char label[ASKED_STAGES][16], fits[ASKED_STAGES][16];
    b.limit = (struct page_limit){m->budget > 0, (double)m->budget, m->asked.card};
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        snprintf(label[i], sizeof label[i], "stage %u", s->training.stage);
        if (s->fits) snprintf(fits[i], sizeof fits[i], page_spoken(p) ? "fits: %s" : "%s", s->fits);
        b.bar[i] = (struct page_bars_one){.label = label[i],
                                          .ledger = command_mem_peak(s)->ledger,
                                          .note = s->fits ? fits[i] : NULL,
                                          .role = s->role};
    }
    page_bars(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, &b);
    page_blank(p, 1);
}

/* ── the instants of a step ────────────────────────────────────────────────────────────────────*/
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

/* One line a tier: what every node holds under each stage. The page of one stage has it in its
 * ledger. */
static void put_tier(const struct mem *m, bool host, struct page *p) {
    struct base_text t = {0};
    char number[REPORT_UNIT_MOST];
    enum account_unit unit = command_report_unit((double)tier_most(m, host));
    base_text_printf(&t, "%s, per node, %s:", host ? "Host" : "NVMe", account_unit_name(unit));
    for (size_t i = 0; i < m->stages; i++) {
        const struct account_memory *memory = &m->stage[i].memory;
        command_report_number(number, (double)(host ? memory->host.total : memory->nvme.total),
                              unit);
        base_text_printf(&t, "%s stage %u %s", i ? "," : "", m->stage[i].training.stage, number);
    }
    page_text(p, (struct page_flow){.indent = 1}, t.s);
    base_text_free(&t);
}

/* The phases of a step, and what other tiers hold. */
static void mem_moments(const struct mem *m, struct page *p) {
    bool host = m->stages > 1 && tier_most(m, true), nvme = m->stages > 1 && tier_most(m, false);
    if (!are_phases_alike(m)) put_phases(m, p);
    if (host) put_tier(m, true, p);
    if (nvme) put_tier(m, false, p);
    if (host || nvme) page_blank(p, 1);
}

/* ── small print ───────────────────────────────────────────────────────────────────────────────*/
static void put_fits(const struct mem *m, struct page *p) {
    const struct account_card *card = m->asked.card;
    char bytes[REPORT_UNIT_MOST], words[256];
    account_print_bytes(bytes, sizeof bytes, (double)m->budget);
    if (!m->over_time)
        command_report_note(p,
                            "\"yes\" means that the peak fits in the %s that %s. \"tight\" means "
                            "that less than a tenth of it is left.",
                            bytes, account_reporter_name(account_card_reporter(card)));
    command_report_note(p, "%s", account_card_explain(card, words, sizeof words));
}

/* What stands in the peak although the recipe's own count leaves it out. */
static void put_implied(const struct mem *m, struct page *p) {
    char bytes[REPORT_UNIT_MOST];
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        uint64_t gathered = s->memory.implied;
        if (!gathered || !s->memory.highest[ACCOUNT_GATHER]) continue;
        account_print_bytes(bytes, sizeof bytes, (double)gathered);
        command_report_note(
            p,
            "Gather buffer: stage 3 gathers whole layers to compute, %s of them. The "
            "paper does not count this memory, but every implementation needs it.",
            bytes);
    }
}

/* Where the peak is before the first step, which nobody looks for there. */
static void put_init(const struct mem *m, struct page *p) {
    bool any = false;
    for (size_t i = 0; i < m->stages; i++) any |= m->stage[i].memory.peak == ACCOUNT_INIT;
    if (any)
        command_report_note(
            p, "Init: the parameters and a second, flat copy of them, which this recipe makes "
               "on the GPU if there is room for both, else on the host.");
}

static void put_sums(const struct mem *m, struct page *p) {
    bool said = page_spoken(p) && !peaks_differ(m); /* the bars say the same */
    if (m->stages == 1 && !(said && tiers_of(&m->stage[0]).count == 1))
        put_ledger(m, p);
    else if (m->stages > 1 && !said)
        put_table(m, p);
    put_bars(m, p);
    mem_moments(m, p);
}

static void lay(const struct mem *m, struct mem_curves as, struct page *p) {
    command_report_heading(&m->asked,
                           m->over_time ? "a GPU's memory over a step" : "what each GPU keeps", p);
    if (m->over_time)
        command_mem_curves(m, as, p);
    else
        put_sums(m, p);
    if (m->budget) put_fits(m, p);
    put_implied(m, p);
    put_init(m, p);
    command_asked_put_notes(&m->from, p);
    if (!m->asked.batch && !m->asked.seq)
        command_report_note(p, "Activations are not counted: set --batch and --seq to add them.");
    command_report_convention(&m->asked, p);
}

static int height_of(const struct mem *m, struct mem_curves as, const struct page *p) {
    struct page *tried = page_new(page_width(p), page_ascii(p));
    page_set_colours(tried, command_terminal_colours());
    lay(m, as, tried);
    int height = page_height(tried);
    page_free(tried);
    return height;
}

/* A curve grows with the terminal as long as all of the page, and the prompt below, stay on it. */
static struct mem_curves grow(const struct mem *m, bool brief, const struct page *p) {
    struct mem_curves as = {command_mem_curve_rows(m, command_terminal_rows(), brief), brief};
    int others = height_of(m, as, p) + 1 - as.rows;
    return (struct mem_curves){command_mem_curve_rows(m, others, brief), brief};
}

/* If a terminal is too low for a curve and its text, the page leaves out the sentence that says the
 * same as the curve, so that the heading stays in sight. */
void command_mem_page(const struct mem *m, struct page *p) {
    struct mem_curves as = {0};
    if (m->over_time) as = grow(m, false, p);
    if (m->over_time && m->stages == 1 && isatty(STDOUT_FILENO) && !page_spoken(p) &&
        height_of(m, as, p) >= command_terminal_rows())
        as = grow(m, true, p);
    lay(m, as, p);
}
