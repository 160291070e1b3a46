/* mem --over-time: the moments of a step, and what one GPU holds at each, as a curve, as JSON and
 * as CSV. */
#include "command/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* How many curves of several a terminal shows at a time; the least rows of one that shares it, of
 * one alone, and of one alone that is brief. */
enum { AT_A_TIME = 3, LEAST_ROWS = 7, LEAST_ALONE = 10, LEAST_BRIEF = 5, MOST_ROWS = 40 };

/* ── for people ────────────────────────────────────────────────────────────────────────────────*/
int command_mem_curve_rows(const struct mem *m, int others, bool brief) {
    int rows = command_terminal_rows(), least = brief            ? LEAST_BRIEF
                                                : m->stages == 1 ? LEAST_ALONE
                                                                 : LEAST_ROWS;
    rows = m->stages == 1 ? rows - others : rows / AT_A_TIME;
    return rows < least ? least : rows > MOST_ROWS ? MOST_ROWS : rows;
}

/* The parts of the peak; if brief, after the verdict, which the curve does not show. */
static void put_parts(const struct page_curve *c, bool brief, struct page_flow f, struct page *p) {
    char *verdict = brief ? page_curve_verdict(c) : base_dup(""), *parts = page_curve_parts(c),
         *text = base_format("%s%s%s", verdict, *verdict ? " " : "", parts);
    page_text(p, f, text);
    free(text);
    free(parts);
    free(verdict);
}

static void put_curve(const struct mem *m, const struct mem_stage *s, double reach,
                      struct mem_curves as, struct page *p) {
    struct page_curve c = {.unit = command_mem_unit(m),
                           .limit = {m->budget > 0, (double)m->budget, m->asked.card},
                           .reach = reach,
                           .rows = as.rows,
                           .moment = s->moment,
                           .count = s->moments,
                           .legend = true};
    page_printf(p, page_height(p), 1, PAGE_STRONG, "stage %u", s->training.stage);
    const struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    page_set_tight(p, as.brief);
    page_curve(p, f, &c);
    page_set_tight(p, false);
    put_parts(&c, as.brief, f, p);
    page_blank(p, 1);
}

void command_mem_curves(const struct mem *m, struct mem_curves as, struct page *p) {
    double reach = 0;
    for (size_t i = 0; i < m->stages; i++) {
        double peak = (double)command_mem_peak(&m->stage[i])->ledger.total;
        if (peak > reach) reach = peak;
    }
    for (size_t i = 0; i < m->stages; i++) put_curve(m, &m->stage[i], reach, as, p);
}

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
static json_t *moment_json(const struct account_timepoint *m) {
    char where[NAME_MOST];
    json_t *json = json_pack("{ss ss}", "where", account_timepoint_name(m, where, sizeof where),
                             "phase", account_phase_name(m->phase));
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        json_object_set_new(json, account_category_name(c),
                            json_integer((json_int_t)m->ledger.bytes[c]));
    json_object_set_new(json, "total", json_integer((json_int_t)m->ledger.total));
    return json;
}

void command_mem_add_moments(const struct mem *m, json_t *json) {
    json_t *stages = json_object_get(json, "stages");
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        json_t *list = json_array();
        for (size_t k = 0; k < s->moments; k++)
            json_array_append_new(list, moment_json(&s->moment[k]));
        json_object_set_new(json_array_get(stages, i), "over_time", list);
    }
}

void command_mem_moments_csv(const struct mem *m, FILE *out) {
    fputs("stage,where,phase,", out);
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        fprintf(out, "%s,", account_category_name(c));
    fputs("total\n", out);
    for (size_t i = 0; i < m->stages; i++) {
        const struct mem_stage *s = &m->stage[i];
        for (size_t k = 0; k < s->moments; k++) {
            const struct account_timepoint *now = &s->moment[k];
            char where[NAME_MOST];
            fprintf(out, "%u,%s,%s,", s->training.stage,
                    account_timepoint_name(now, where, sizeof where),
                    account_phase_name(now->phase));
            for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
                fprintf(out, "%" PRIu64 ",", now->ledger.bytes[c]);
            fprintf(out, "%" PRIu64 "\n", now->ledger.total);
        }
    }
}
