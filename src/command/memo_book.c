/* What is printed of a memo, as a book of blocks: whole with its figures marked, or one page of
 * it. */
#include "command/memo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ── figures ───────────────────────────────────────────────────────────────────────────────────*/
static const struct account_training *chosen(const struct memo_report *r) {
    return &r->config[MEMO_THE_DECISION].is.training;
}

/* ── figures ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *limit_of(const struct memo_report *r) {
    if (chosen(r)->card) return json_string(chosen(r)->card->name);
    if (r->config[MEMO_THE_DECISION].is.card_bytes)
        return json_integer((json_int_t)r->config[MEMO_THE_DECISION].is.card_bytes);
    return json_null();
}

static void add_figure(json_t *to, json_t *spec) {
    command_export_figure(to, spec);
    json_decref(spec);
}

/* Each stage at its own peak, so that the chosen one's bar is the peak that is told next to it. */
static void memo_book_stages(json_t *to, const struct memo_report *r) {
    json_t *bars = json_array();
    for (uint8_t stage = 0; stage <= 3; stage++) {
        const struct memo_config *c = &r->config[MEMO_STAGE_0 + stage];
        if (!c->known) continue;
        char *label =
            base_format("stage %u%s", stage, stage == chosen(r)->stage ? " (chosen)" : "");
        json_array_append_new(bars, json_pack("{ss so sb}", "label", label, "training",
                                              page_training_json(&c->is.training), "peak", true));
        free(label);
    }
    add_figure(to, json_pack("{ss ss so sb so}", "kind", "stack", "unit", "GB", "limit",
                             limit_of(r), "legend", true, "bars", bars));
}

/* A ledger sums up what is there at any time; the peak is what is there at once. */
static void say_peak(json_t *to, const struct memo_report *r) {
    char peak[32];
    struct account_ledger all;
    if (account_ledger(chosen(r), &all, NULL) && all.total == r->peak) return;
    account_print(peak, sizeof peak, (double)r->peak, ACCOUNT_UNIT_GB, 4);
    command_export_format(to, "At the peak a GPU holds %s of these.", peak);
}

static void memo_book_ledger(json_t *to, const struct memo_report *r) {
    add_figure(to,
               json_pack("{ss ss so so sI}", "kind", "ledger", "unit", "GB", "limit", limit_of(r),
                         "training", page_training_json(chosen(r)), "peak", (json_int_t)r->peak));
    if (r->peak) say_peak(to, r);
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
static void add(json_t *pairs, const char *what, double value, enum account_unit unit) {
    char text[40];
    account_print(text, sizeof text, value, unit, 4);
    json_array_append_new(pairs, json_pack("[ss]", what, text));
}

static void add_verdict(json_t *pairs, const struct memo_report *r) {
    static const char *const words[] = {"it fits", "it fits, tightly", "it does not fit"};
    char holds[32], *text;
    if (!r->config[MEMO_THE_DECISION].is.card_bytes) return;
    account_print(holds, sizeof holds, (double)r->config[MEMO_THE_DECISION].is.card_bytes,
                  ACCOUNT_UNIT_GB, 4);
    text = base_format("%s: %s", holds, words[r->fits]);
    json_array_append_new(pairs, json_pack("[ss]", "Share of the GPU's memory", text));
    free(text);
}

/* States, peak, memory to spare, bytes sent, step time: pairs, by the engine. */
static void memo_book_numbers(json_t *to, const struct memo_report *r) {
    static const struct {
        const char *what, *quantity;
        enum account_unit unit;
    } rows[] = {
        {"Model states per GPU", "model states", ACCOUNT_UNIT_GB},
        {"At the peak", "peak", ACCOUNT_UNIT_GB},
        {"Sent per rank and step", "sent per rank and step", ACCOUNT_UNIT_GB},
        {"A step takes", "step time", ACCOUNT_UNIT_SECONDS},
    };
    json_t *pairs = json_array();
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        double value = memo_value(&r->config[MEMO_THE_DECISION], rows[i].quantity);
        if (value > 0) add(pairs, rows[i].what, value, rows[i].unit);
        if (i == 1) add_verdict(pairs, r);
    }
    command_export_pairs(to, pairs);
}

/* The declared alternatives with what rejects them: states, peak, step. */
static void memo_book_alternatives(json_t *to, const struct memo_report *r) {
    struct base_text t = {0};
    for (size_t i = MEMO_FIRST_ALTERNATIVE; i < r->configs; i++) {
        const struct memo_config *c = &r->config[i];
        char states[32], peak[32], step[32];
        double seconds = memo_value(c, "step time");
        if (!c->line || !c->known) continue;
        account_print_bytes(states, sizeof states, memo_value(c, "model states"));
        account_print_bytes(peak, sizeof peak, memo_value(c, "peak"));
        memo_print(step, sizeof step, seconds, ACCOUNT_FIGURE_SECONDS);
        base_text_printf(&t, "| %s | %s | %s | %s |\n", c->name, states, peak,
                         seconds > 0 ? step : "");
    }
    if (t.length) {
        char *table =
            base_format("| rejected | model states | peak | step |\n|:--|--:|--:|--:|\n%s", t.s);
        command_export_text(to, table);
        free(table);
    }
    base_text_free(&t);
}

/* ── parts of a memo ───────────────────────────────────────────────────────────────────────────*/
static size_t line_length(const char *s) {
    return strcspn(s, "\n");
}

static const char *next_line(const char *s) {
    s += line_length(s);
    return *s ? s + 1 : s;
}

/* The line that names the memo: its first heading, where others of a lower rank come after. */
static const char *title_line(const char *text) {
    const char *title = NULL;
    for (const char *s = text; *s; s = next_line(s)) {
        if (!title && strncmp(s, "# ", 2) == 0) title = s;
        if (strncmp(s, "##", 2) == 0) return title;
        if (title && s != title && *s == '#') return NULL;
    }
    return title;
}

/* The memo's title, or "Memo" if it has none. The caller owns it. */
static char *memo_title(const char *text) {
    const char *s = title_line(text);
    return s ? base_format("%.*s", (int)line_length(s + 2), s + 2) : base_dup("Memo");
}

/* A line of the head: "Scenario: …", "**Alternative full:** …"; `above`: it stands over what is
 * printed. */
static bool is_head(const char *line, bool above) {
    static const char *const names[] = {"scenario", "recipe", "decision", "alternative ",
                                        "activations"};
    line += strspn(line, "*_-# ");
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if ((i < 2) != above || strncasecmp(line, names[i], n) != 0) continue;
        const char *colon = memchr(line + n, ':', line_length(line + n));
        if (colon && (i == 3 || strspn(line + n, "* ") == (size_t)(colon - line) - n)) return true;
    }
    return false;
}

/* What the head declares besides becomes a list. */
static char *memo_body(const char *text) {
    struct base_text out = {0};
    const char *title = title_line(text);
    bool head = false;
    for (const char *s = text; *s; s = next_line(s)) {
        bool leading = !out.length && line_length(s) == 0, above = is_head(s, true);
        head = above || (head && is_head(s, false));
        if (s != title && !leading && !above)
            base_text_printf(&out, "%s%.*s\n", head ? "- " : "", (int)line_length(s), s);
    }
    return base_text_take(&out);
}

static char *command_memo_section(const char *text, enum memo_section section) {
    struct base_text out = {0};
    const char *title = title_line(text);
    bool inside = false;
    for (const char *s = text; *s; s = next_line(s)) {
        if (*s == '#')
            inside = s != title && memo_section_of(s, line_length(s)) == section;
        else if (inside && !is_head(s, true))
            base_text_printf(&out, "%.*s\n", (int)line_length(s), s);
    }
    return base_text_take(&out);
}

/* The end of the last whole sentence, item or paragraph within `most` bytes. */
static size_t whole_end(const char *text, size_t most) {
    size_t end = 0;
    for (size_t i = 0; i < most; i++) {
        bool sentence = strchr(".!?", text[i]) && isspace((unsigned char)text[i + 1]);
        if (sentence || (text[i] == '\n' && text[i + 1] == '\n')) end = i + 1;
    }
    return end;
}

static char *memo_brief(const char *text, size_t most) {
    size_t n = strlen(text);
    if (n <= most) return base_dup(text);
    size_t end = whole_end(text, most);
    if (end == 0)
        for (end = most; end > 0 && !isspace((unsigned char)text[end]);) end--;
    return base_format("%.*s …", (int)end, text);
}

/* ── figures in the text ───────────────────────────────────────────────────────────────────────*/
#define NARROW_SPACE " "
static const char *const marks[MEMO_KINDS] = {
    [MEMO_RIGHT] = "✓",      [MEMO_ROUNDED] = "≈", [MEMO_UNIT] = "✗",
    [MEMO_MISTAKE] = "✗",    [MEMO_WRONG] = "✗",   [MEMO_KNOWN] = "✓",
    [MEMO_UNREADABLE] = "✗", [MEMO_CHECKED] = "≈", [MEMO_AGAIN] = "?",
};

/* The mark of a figure, such as "✓". "" if it has none. */
static const char *memo_mark(enum memo_kind kind) {
    return marks[kind] ? marks[kind] : "";
}

struct place {
    /* bytes of the text before the mark */
    size_t at;
    enum memo_kind kind;
};

static int by_place(const void *a, const void *b) {
    size_t x = ((const struct place *)a)->at, y = ((const struct place *)b)->at;
    return (x > y) - (x < y);
}

/* Where each line begins; the caller's. */
static size_t *line_starts(const char *text, size_t length, size_t *lines) {
    size_t n = 1;
    for (size_t i = 0; i < length; i++) n += text[i] == '\n';
    size_t *start = base_alloc(n * sizeof *start);
    *lines = 1;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n') start[(*lines)++] = i + 1;
    return start;
}

/* The places of figures, in the text's order; the caller's. */
static struct place *find_places(const char *text, size_t length, const struct memo_report *r,
                                 size_t *count) {
    size_t lines, n = 0, *start = line_starts(text, length, &lines);
    struct place *place = base_alloc((r->count + 1) * sizeof *place);
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        if (f->length <= 0 || f->line < 1 || (size_t)f->line > lines || !marks[f->kind]) continue;
        if (f->differs) continue; /* of another quantity it is right, and not of what is named */
        size_t at = start[f->line - 1] + (size_t)f->column + (size_t)f->length;
        if (at <= length) place[n++] = (struct place){at, f->kind};
    }
    free(start);
    qsort(place, n, sizeof *place, by_place);
    *count = n;
    return place;
}

/* Without "<!-- what belongs here -->", which a new memo has under its headings. */
static char *without_comments(char *text) {
    char *out = text;
    for (const char *s = text; *s;) {
        const char *end = strncmp(s, "<!--", 4) == 0 ? strstr(s, "-->") : NULL;
        if (end)
            s = end + 3;
        else
            *out++ = *s++;
    }
    *out = '\0';
    return text;
}

/* The memo's text with its figures marked. The caller owns it. */
static char *memo_marked(const char *text, size_t length, const struct memo_report *r) {
    size_t count, from = 0;
    struct place *place = find_places(text, length, r, &count);
    struct base_text out = {0};
    for (size_t i = 0; i < count; i++) {
        bool again = i && place[i].at == place[i - 1].at && place[i].kind == place[i - 1].kind;
        base_text_add(&out, text + from, place[i].at - from);
        from = place[i].at;
        if (!again) base_text_printf(&out, NARROW_SPACE "%s", marks[place[i].kind]);
    }
    base_text_add(&out, text + from, length - from);
    free(place);
    return without_comments(base_text_take(&out));
}

/* ── the book ──────────────────────────────────────────────────────────────────────────────────*/
enum { PART_MOST = 420 }; /* bytes of a section that fit on a page */

/* ── how the check went ────────────────────────────────────────────────────────────────────────*/
/* "14 right ✓, 1 rounded ≈". */
static char *say_counts(const struct memo_report *r) {
    struct base_text t = {0};
    for (int k = 0; k < MEMO_KINDS; k++) {
        if (!r->kinds[k]) continue;
        const char *mark = memo_mark((enum memo_kind)k);
        base_text_printf(&t, "%s%zu %s%s%s", t.length ? ", " : "", r->kinds[k],
                         memo_kind_name((enum memo_kind)k), *mark ? " " : "", mark);
    }
    return base_text_take(&t);
}

static void add_check(json_t *to, const struct memo_report *r) {
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

/* ── the two forms ─────────────────────────────────────────────────────────────────────────────*/
static void name_book(struct export_book *b, const struct memo_printed *p) {
    struct base_text line = {0};
    b->title = memo_title(p->text);
    if (p->report->has_scenario)
        memo_scenario_write(&p->report->config[MEMO_THE_SCENARIO].is, &line);
    b->about = base_text_take(&line);
    free(b->colophon);
    char *stamp = say_stamp(p->report);
    b->colophon =
        base_format("zerotutor %s · recipe %s · %s", command_version,
                    p->report->has_scenario
                        ? account_recipe_name(&p->report->config[MEMO_THE_DECISION].is.training)
                        : "paper",
                    stamp);
    free(stamp);
}

void command_memo_book_whole(struct export_book *b, const struct memo_printed *p) {
    const struct memo_report *r = p->report;
    char *marked = memo_marked(p->text, p->length, r), *body = memo_body(marked);
    name_book(b, p);
    add_check(b->body, r);
    command_export_text(b->body, body);
    if (r->decided) {
        command_export_heading(b->body, "Drawn from the decision");
        memo_book_stages(b->body, r);
        memo_book_ledger(b->body, r);
    }
    command_export_heading(b->body, "The check");
    add_findings(b->body, r);
    free(marked);
    free(body);
}

static void add_part(json_t *to, const char *marked, enum memo_section section) {
    char *text = command_memo_section(marked, section), *brief = memo_brief(text, PART_MOST);
    if (brief[strspn(brief, " \n")]) {
        command_export_heading(to, memo_section_title(section));
        command_export_text(to, brief);
    }
    free(brief);
    free(text);
}

void command_memo_book_brief(struct export_book *b, const struct memo_printed *p) {
    const struct memo_report *r = p->report;
    char *marked = memo_marked(p->text, p->length, r);
    name_book(b, p);
    add_check(b->body, r);
    add_part(b->body, marked, MEMO_DECISION);
    if (r->decided) {
        memo_book_numbers(b->body, r);
        memo_book_stages(b->body, r);
    }
    add_part(b->body, marked, MEMO_REJECTED);
    if (r->has_scenario) memo_book_alternatives(b->body, r);
    add_part(b->body, marked, MEMO_RISKS);
    add_part(b->body, marked, MEMO_FIRST_HOUR);
    free(marked);
}
