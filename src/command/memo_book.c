/* memo_book: a memo as it is printed, whole or on one page. */
#include "command/memo_book.h"

#include <stdlib.h>
#include <string.h>

enum { PART_MOST = 420 }; /* bytes of a section that a page has room for */

/* ── how the check went ──────────────────────────────────────────────────────────────────────────*/
/* "14 right ✓, 1 rounded ≈". */
static char *say_counts(const struct study_memo_report *r) {
    struct base_text t = {0};
    for (int k = 0; k < STUDY_MEMO_KINDS; k++) {
        if (!r->kinds[k]) continue;
        const char *mark = memo_mark((enum study_memo_kind)k);
        base_text_printf(&t, "%s%zu %s%s%s", t.length ? ", " : "", r->kinds[k],
                         study_memo_kind_name((enum study_memo_kind)k), *mark ? " " : "", mark);
    }
    return base_text_take(&t);
}

static void add_verdict(json_t *to, const struct study_memo_report *r) {
    char *counts = say_counts(r);
    export_format(to, "> **Checked.** %s\n>\n> Figures, each held against the engine: %s.",
                  r->verdict, *counts ? counts : "none");
    free(counts);
}

static void add_rubric(json_t *to, const struct study_memo_report *r) {
    struct base_text t = {0};
    base_text_puts(&t, "| | points | what it asks |\n|:--|--:|:--|\n");
    for (size_t i = 0; i < STUDY_MEMO_ROWS; i++)
        if (r->row[i].name)
            base_text_printf(&t, "| %s | %d of %d | %s |\n", r->row[i].name, r->row[i].points,
                             r->row[i].most, r->row[i].asks);
    if (r->charged)
        base_text_printf(&t, "| unsupported figures | −%d | one point each from the third on |\n",
                         r->charged);
    export_text(to, t.s);
    base_text_free(&t);
}

/* Of all but what is right: the marks say that. */
static void add_findings(json_t *to, const struct study_memo_report *r) {
    struct base_text t = {0};
    for (size_t i = 0; i < r->count; i++) {
        const struct study_memo_finding *f = &r->finding[i];
        if (f->kind == STUDY_MEMO_RIGHT) continue;
        base_text_puts(&t, "- ");
        if (f->line) base_text_printf(&t, "line %d: ", f->line);
        base_text_printf(&t, "**%s**%s%s: %s\n", study_memo_kind_name(f->kind),
                         *f->figure ? ", " : "", f->figure, f->what);
    }
    if (r->left_off) base_text_printf(&t, "- and %zu more\n", r->left_off);
    if (t.length) export_text(to, t.s);
    base_text_free(&t);
}

/* What a page says of itself, wherever it is laid: that the memo was checked is no praise of it. */
static char *say_stamp(const struct study_memo_report *r) {
    size_t wrong =
        r->kinds[STUDY_MEMO_WRONG] + r->kinds[STUDY_MEMO_UNIT] + r->kinds[STUDY_MEMO_CONTRADICTORY];
    if (r->passes) return base_format("checked: passes with %d of 100", r->points);
    if (!wrong) return base_dup("checked: does NOT pass");
    return base_format("checked: does NOT pass, %zu statement%s wrong", wrong,
                       wrong == 1 ? "" : "s");
}

/* ── the two forms ───────────────────────────────────────────────────────────────────────────────*/
static void name_book(struct export_book *b, const struct memo_printed *p) {
    struct base_text line = {0};
    b->title = memo_title(p->text);
    if (p->report->has_scenario) study_scenario_write(&p->report->scenario, &line);
    b->about = base_text_take(&line);
    free(b->colophon);
    char *stamp = say_stamp(p->report);
    b->colophon =
        base_format("zerotutor %s · recipe %s · %s", command_version,
                    p->report->scenario.recipe ? p->report->scenario.recipe : "paper", stamp);
    free(stamp);
}

void memo_book_whole(struct export_book *b, const struct memo_printed *p) {
    const struct study_memo_report *r = p->report;
    char *marked = memo_marked(p->text, p->length, r), *body = memo_body(marked);
    name_book(b, p);
    add_verdict(b->body, r);
    export_text(b->body, body);
    if (r->decided) {
        export_heading(b->body, "Drawn from the decision");
        memo_book_stages(b->body, r);
        memo_book_ledger(b->body, r);
    }
    export_heading(b->body, "The check");
    add_rubric(b->body, r);
    add_findings(b->body, r);
    free(marked);
    free(body);
}

static void add_part(json_t *to, const char *marked, enum study_memo_section section) {
    char *text = memo_section(marked, section), *brief = memo_brief(text, PART_MOST);
    if (brief[strspn(brief, " \n")]) {
        export_heading(to, study_memo_section_title(section));
        export_text(to, brief);
    }
    free(brief);
    free(text);
}

void memo_book_brief(struct export_book *b, const struct memo_printed *p) {
    const struct study_memo_report *r = p->report;
    char *marked = memo_marked(p->text, p->length, r);
    name_book(b, p);
    add_verdict(b->body, r);
    add_part(b->body, marked, STUDY_MEMO_DECISION);
    if (r->decided) {
        memo_book_numbers(b->body, r);
        memo_book_stages(b->body, r);
    }
    add_part(b->body, marked, STUDY_MEMO_RISKS);
    add_part(b->body, marked, STUDY_MEMO_FIRST_HOUR);
    free(marked);
}
