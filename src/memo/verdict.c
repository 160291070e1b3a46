/* The verdict: whether the decision fits, every claim holds, what is asked for is there, each
 * section says something, and every "look again" is answered. What a reviewer would ask next stands
 * next to it and decides nothing. */
#include "memo/inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WORDS = 2, LEAST_PROSE = 25 };

static void weigh(struct memo_report *r) {
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    r->peak = (uint64_t)d->value[MEMO_Q_PEAK][0];
    r->fits = account_fit(r->peak, d->is.card_bytes);
    r->spare = (int64_t)d->is.card_bytes - (int64_t)r->peak;
}

/* ── what is missing ───────────────────────────────────────────────────────────────────────────*/
/* Under its heading, or, in a memo without such a heading, anywhere. */
static bool says(const struct memo *m, enum memo_section s) {
    if (m->heading[s]) return m->words[s] >= LEAST_WORDS;
    if (s == MEMO_DECISION && m->report->decided) return true; /* its head says it */
    for (size_t i = 0; i < m->lines; i++)
        if (m->line[i].kind >= MEMO_HEADING && m->line[i].kind <= MEMO_ITEM &&
            memo_has_cue(m->line[i].text, s))
            return true;
    return false;
}

static size_t miss_sections(struct memo *m) {
    size_t missing = 0;
    for (int s = 0; s < MEMO_FIGURES; s++) {
        if (says(m, (enum memo_section)s)) continue;
        memo_write_finding(
            memo_tell(m, MEMO_MISSING, (enum memo_section)s), "nothing is written under *%s*: %s",
            memo_section_title((enum memo_section)s), memo_section_asks((enum memo_section)s));
        missing++;
    }
    return missing;
}

static size_t miss_claims(struct memo *m) {
    struct memo_report *r = m->report;
    size_t missing = 0;
    bool alternatives = false;
    for (size_t i = 0; i < r->asks; i++) {
        const struct memo_asked *a = &r->asked[i];
        alternatives |= a->quantity == MEMO_Q_S;
        if (a->there) continue;
        const char *where = a->quantity == MEMO_Q_PEAK         ? ", with the phase it is in"
                            : a->quantity == MEMO_Q_THROUGHPUT ? " or MFU"
                                                               : "";
        struct memo_finding *f = memo_tell(m, MEMO_MISSING, MEMO_FIGURES);
        if (a->quantity == MEMO_Q_S)
            memo_write_finding(f,
                               "the table of Figures has no claim for the alternative %s: add the "
                               "figure that rejects it",
                               r->config[a->config].name);
        else
            memo_write_finding(f, "the table of Figures has no claim for the decision's %s%s",
                               memo_quantity_name(a->quantity), where);
        missing++;
    }
    if (r->decided && !alternatives) {
        memo_write_finding(memo_tell(m, MEMO_MISSING, MEMO_REJECTED),
                           "no alternative is declared: add a line such as \"Alternative stage3: "
                           "stage 3\" to the head, and the figure that rejects it");
        missing++;
    }
    return missing;
}

static void miss_head(struct memo *m) {
    struct memo_report *r = m->report;
    if (!r->has_scenario && !m->report->refused)
        memo_write_finding(memo_tell(m, MEMO_MISSING, MEMO_SECTIONS),
                           "no scenario: add a line such as \"Scenario: 13e9 parameters, 8 × A100 "
                           "80 GB, sequence 2048, micro-batch 1\"");
    else if (r->has_scenario && !r->decided && !m->report->refused)
        memo_write_finding(memo_tell(m, MEMO_MISSING, MEMO_SECTIONS),
                           "no decision: add a line such as \"Decision: stage 2\" under the "
                           "scenario, with everything that you change");
}

/* ── the words of it ───────────────────────────────────────────────────────────────────────────*/
static bool breaks_limits(const struct memo_config *d, const struct memo_scenario *given) {
    const struct account_training *t = &d->is.training;
    bool off = t->offload_optimizer || t->offload_params,
         disk = t->offload_optimizer == ACCOUNT_NVME || t->offload_params == ACCOUNT_NVME;
    return (given->no_host && off) || (given->no_nvme && disk);
}

static bool misses_deadline(const struct memo_config *d) {
    return d->is.days > 0 && d->value[MEMO_Q_RUN][0] > d->is.days * 86400;
}

/* More than a node has, where the memo says how much that is. */
static bool overfills_host(const struct memo_config *d) {
    return d->is.host_bytes && d->value[MEMO_Q_HOST][0] > (double)d->is.host_bytes;
}

static size_t count_wrong(const struct memo_report *r) {
    return r->kinds[MEMO_UNIT] + r->kinds[MEMO_MISTAKE] + r->kinds[MEMO_WRONG] +
           r->kinds[MEMO_UNREADABLE];
}

/* In the course only whether it fits, until the memo claims the peak. */
static void say_fit(const struct memo *m, struct base_text *t) {
    const struct memo_report *r = m->report;
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    bool fits = r->fits != ACCOUNT_TOO_LARGE;
    char peak[32], card[32], spare[32];
    account_print_bytes(peak, sizeof peak, (double)r->peak);
    account_print_bytes(card, sizeof card, (double)d->is.card_bytes);
    account_print_bytes(spare, sizeof spare, (double)(r->spare < 0 ? -r->spare : r->spare));
    if (!d->is.card_bytes || !d->known)
        base_text_puts(t, " The check cannot say whether the decision fits, because the card's "
                          "memory is not known.");
    else if (m->context->course && !r->claimed[MEMO_THE_DECISION][MEMO_Q_PEAK])
        base_text_printf(t, " The decision %s.", fits ? "fits" : "does not fit");
    else
        base_text_printf(t,
                         " The decision %s: it needs %s of %s usable in %s (recipe: %s), %s%s%s.",
                         fits ? "fits" : "does not fit", peak, card, account_phase_name(d->peak),
                         account_recipe_name(&d->is.training), fits ? "and leaves " : "", spare,
                         fits ? "" : " too much");
}

static const char *reason(const struct memo *m, size_t claims, size_t sections) {
    const struct memo_report *r = m->report;
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    if (m->report->refused) return "a line of its head cannot be read";
    if (!r->has_scenario) return "no scenario is declared";
    if (!r->decided) return "no decision is declared";
    if (!d->is.card_bytes || !d->known)
        return "the scenario names no card, so the memo cannot say whether it fits";
    if (r->fits == ACCOUNT_TOO_LARGE) return "it does not fit";
    if (breaks_limits(d, &r->config[MEMO_THE_SCENARIO].is))
        return "it offloads, which the scenario rules out";
    if (overfills_host(d)) return "the host has less memory than it needs";
    if (misses_deadline(d)) return "it misses the deadline";
    if (count_wrong(r)) return "not every claim holds";
    if (claims) return "required claims are missing";
    if (sections) return "a section is empty";
    if (m->prose < LEAST_PROSE) return "it is not argued";
    if (r->kinds[MEMO_AGAIN]) return "it has figures to look at again";
    return NULL;
}

static void say_counts(const struct memo_report *r, struct base_text *t) {
    static const struct {
        enum memo_kind kind;
        const char *one, *several;
    } said[] = {
        {MEMO_UNREADABLE, "%zu line or cell cannot be read", "%zu lines or cells cannot be read"},
        {MEMO_WRONG, "%zu claim does not hold", "%zu claims do not hold"},
        {MEMO_AGAIN, "%zu figure to look at again", "%zu figures to look at again"},
        {MEMO_MISSING, "%zu thing is missing", "%zu things are missing"},
        {MEMO_CHECKED, "%zu figure was checked by its writer",
         "%zu figures were checked by their writer"},
    };
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        size_t n = said[i].kind == MEMO_WRONG
                       ? r->kinds[MEMO_UNIT] + r->kinds[MEMO_MISTAKE] + r->kinds[MEMO_WRONG]
                       : r->kinds[said[i].kind];
        char words[80];
        if (!n) continue;
        (void)snprintf(words, sizeof words, n == 1 ? said[i].one : said[i].several, n);
        base_text_printf(t, " %c%s.", words[0], words + 1);
    }
}

void memo_decide(struct memo *m) {
    struct memo_report *r = m->report;
    struct base_text t = {0};
    if (r->has_scenario && r->decided) weigh(r);
    miss_head(m);
    size_t claims = r->has_scenario ? miss_claims(m) : 0, sections = miss_sections(m);
    const char *why = reason(m, claims, sections);
    r->passes = why == NULL;
    base_text_printf(&t, "%s%s.", why ? "Does not pass: " : "Passes", why ? why : "");
    if (r->has_scenario && r->decided) say_fit(m, &t);
    say_counts(r, &t);
    snprintf(r->verdict, sizeof r->verdict, "%s", t.s);
    base_text_free(&t);
    memo_review(m);
    if (r->decided) memo_draw_questions(m);
}

/* What is to be done, then what is only noted; at most so many of each. */
static void add_words(const struct memo_report *r, bool notes, size_t most, struct base_text *t) {
    size_t found = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        bool open = memo_is_open(f->kind) || f->kind == MEMO_CHECKED;
        if (notes ? f->kind != MEMO_NOTE : !open) continue;
        if (found++ >= most) continue;
        base_text_puts(t, "\n\n- ");
        if (f->line) base_text_printf(t, "line %d, ", f->line);
        base_text_printf(t, "**%s**%s%s: %s", memo_kind_name(f->kind), *f->figure ? ", " : "",
                         f->figure, f->what);
    }
    if (found > most) base_text_printf(t, "\n\n- and %zu more", found - most);
}

char *memo_words(const struct memo_report *r, size_t most) {
    struct base_text t = {0};
    base_text_printf(&t, "**%s**", r->verdict);
    add_words(r, false, most, &t);
    add_words(r, true, most, &t);
    return base_text_take(&t);
}
