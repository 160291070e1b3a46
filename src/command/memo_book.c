/* memo_book: a memo as it is printed, whole or on one page. */
#include "command/memo_book.h"

#include <stdlib.h>
#include <string.h>

enum { PART_MOST = 420 }; /* bytes of a section that a page has room for */

/* ── how the check went ──────────────────────────────────────────────────────────────────────────*/
/* "14 right ✓, 1 rounded ≈". */
static char *say_counts(const struct memo_report *r) {
    struct base_text t = {0};
    for (int k = 0; k < MEMO_KINDS; k++) {
        if (!r->kinds[k]) continue;
        const char *mark = command_memo_mark((enum memo_kind)k);
        base_text_printf(&t, "%s%zu %s%s%s", t.length ? ", " : "", r->kinds[k],
                         memo_kind_name((enum memo_kind)k), *mark ? " " : "", mark);
    }
    return base_text_take(&t);
}

static void add_verdict(json_t *to, const struct memo_report *r) {
    char *counts = say_counts(r);
    command_export_format(to, "> **Checked.** %s\n>\n> Claims and figures: %s.", r->verdict,
                          *counts ? counts : "none");
    free(counts);
}

/* What is to be done, what was answered, what a reviewer asks; the marks say the rest. */
static void add_findings(json_t *to, const struct memo_report *r) {
    struct base_text t = {0};
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        if (!memo_is_open(f->kind) && f->kind != MEMO_CHECKED && f->kind != MEMO_NOTE) continue;
        base_text_puts(&t, "- ");
        if (f->line) base_text_printf(&t, "line %d: ", f->line);
        base_text_printf(&t, "**%s**%s%s: %s\n", memo_kind_name(f->kind), *f->figure ? ", " : "",
                         f->figure, f->what);
    }
    if (r->left_off) base_text_printf(&t, "- and %zu more\n", r->left_off);
    if (t.length) command_export_text(to, t.s);
    base_text_free(&t);
}

/* What a page says of itself, wherever it is laid: that the memo was checked is no praise of it. */
static char *say_stamp(const struct memo_report *r) {
    size_t wrong = r->kinds[MEMO_WRONG] + r->kinds[MEMO_UNIT] + r->kinds[MEMO_MISTAKE];
    if (r->passes) return base_dup("checked: passes");
    if (!wrong) return base_dup("checked: does NOT pass");
    return base_format("checked: does NOT pass, %zu claim%s wrong", wrong, wrong == 1 ? "" : "s");
}

/* ── the two forms ───────────────────────────────────────────────────────────────────────────────*/
static void name_book(struct export_book *b, const struct memo_printed *p) {
    struct base_text line = {0};
    b->title = command_memo_title(p->text);
    if (p->report->has_scenario)
        memo_scenario_write(&p->report->config[MEMO_THE_SCENARIO].is, &line);
    b->about = base_text_take(&line);
    free(b->colophon);
    char *stamp = say_stamp(p->report);
    b->colophon = base_format(
        "zerotutor %s · recipe %s · %s", command_version,
        p->report->has_scenario ? p->report->config[MEMO_THE_DECISION].is.recipe : "paper", stamp);
    free(stamp);
}

void command_memo_book_whole(struct export_book *b, const struct memo_printed *p) {
    const struct memo_report *r = p->report;
    char *marked = command_memo_marked(p->text, p->length, r), *body = command_memo_body(marked);
    name_book(b, p);
    add_verdict(b->body, r);
    command_export_text(b->body, body);
    if (r->decided) {
        command_export_heading(b->body, "Drawn from the decision");
        command_memo_book_stages(b->body, r);
        command_memo_book_ledger(b->body, r);
    }
    command_export_heading(b->body, "The check");
    add_findings(b->body, r);
    free(marked);
    free(body);
}

static void add_part(json_t *to, const char *marked, enum memo_section section) {
    char *text = command_memo_section(marked, section),
         *brief = command_memo_brief(text, PART_MOST);
    if (brief[strspn(brief, " \n")]) {
        command_export_heading(to, memo_section_title(section));
        command_export_text(to, brief);
    }
    free(brief);
    free(text);
}

void command_memo_book_brief(struct export_book *b, const struct memo_printed *p) {
    const struct memo_report *r = p->report;
    char *marked = command_memo_marked(p->text, p->length, r);
    name_book(b, p);
    add_verdict(b->body, r);
    add_part(b->body, marked, MEMO_DECISION);
    if (r->decided) {
        command_memo_book_numbers(b->body, r);
        command_memo_book_stages(b->body, r);
    }
    add_part(b->body, marked, MEMO_REJECTED);
    if (r->has_scenario) command_memo_book_alternatives(b->body, r);
    add_part(b->body, marked, MEMO_RISKS);
    add_part(b->body, marked, MEMO_FIRST_HOUR);
    free(marked);
}
