/* Markdown onto a page: md4c reads it, each block flows below the last. HTML is not special: it
 * shows as the text it is. Indented code is off, because lessons are written inside indented
 * Lua. */
#include "page/internal.h"
#include "voice/voice.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 16, NARROWEST_TEXT = 8, COLUMNS = 64 };
/* bytes of a sign of right or wrong */
enum { SIGN = sizeof "✓" - 1 };

enum level_kind { BULLETS, NUMBERS, QUOTE, ITEM };
struct level {
    enum level_kind kind;
    bool tight;
    unsigned number;
    /* where it begins, and how far it moves its text */
    int indent, added;
    /* something was written in it */
    bool open;
};
struct writer {
    struct page *p;
    struct page_flow f;
    struct level level[LEVELS];
    int depth, indent;
    /* a blank row is due before the next block */
    bool gap;
    /* of the item whose first line is still to come */
    char marker[16];
    int marker_column;
    /* how deep in each */
    int heading, strong, emphasis, code, link;
    bool verbatim;
    /* the paragraph; what text goes to: it or a table's cell */
    struct page_ink ink, *pen;
    struct page_ink *cell;
    size_t cells, columns;
    char align[COLUMNS + 1];
};

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
/* A new row, with the bars of the quotes that it stands in: on a gap's row, those that were there
 * before it. */
static int new_row(struct writer *w, bool gap) {
    int row = w->p->height;
    page_blank(w->p, 1);
    for (int i = 0; i < w->depth && i < LEVELS; i++) {
        w->level[i].open = w->level[i].open || !gap;
        if (w->level[i].kind == QUOTE && w->level[i].added && w->level[i].open && !w->p->spoken)
            page_put(w->p, row, w->f.indent + w->level[i].indent, PAGE_DIM, 0,
                     w->p->ascii ? "|" : "▎");
    }
    return row;
}

static void begin_block(struct writer *w) {
    if (w->gap) new_row(w, true);
    w->gap = false;
}

static const struct level *innermost_list(const struct writer *w) {
    for (int i = (w->depth < LEVELS ? w->depth : LEVELS) - 1; i >= 0; i--) {
        if (w->level[i].kind == QUOTE) return NULL;
        if (w->level[i].kind != ITEM) return &w->level[i];
    }
    return NULL;
}

static void end_block(struct writer *w) {
    const struct level *list = innermost_list(w);
    w->gap = !(list && list->tight);
}

/* Draws the marker that is due, if it fits; returns where the text may start. */
static int draw_marker(struct writer *w, int row, int column) {
    int end = w->marker_column + base_width(w->marker) + 1;
    if (w->marker[0] && end < w->f.indent + w->f.width) {
        page_put(w->p, row, w->marker_column, PAGE_DIM, 0, w->marker);
        if (column < end) column = end;
    }
    w->marker[0] = '\0';
    return column;
}

static void draw_lines(struct writer *w, const struct page_line *line, size_t n) {
    int end = w->f.indent + w->f.width;
    for (size_t i = 0; i < n; i++) {
        int row = new_row(w, false), column = w->f.indent + w->indent;
        if (i == 0) column = draw_marker(w, row, column);
        if (w->verbatim) column += page_ink_hang(&w->ink, line[i].from, end - column);
        page_ink_draw(w->p, row, column, end, &w->ink, line[i]);
    }
}

static void flush(struct writer *w) {
    if (!w->ink.n && !w->marker[0]) return;
    begin_block(w);
    page_ink_say(&w->ink, w->verbatim);
    struct page_line *line = NULL, none = {0, 0};
    int width = w->f.width - w->indent;
    int late =
        w->marker[0] ? w->marker_column + base_width(w->marker) + 1 - w->f.indent - w->indent : 0;
    size_t n = w->verbatim ? page_ink_chop(&w->ink, width, &line)
                           : page_ink_wrap(&w->ink, late > 0 ? width - late : width, width, &line);
    draw_lines(w, n ? line : &none, n ? n : 1);
    free(line);
    page_ink_clear(&w->ink);
    end_block(w);
}

/* ── levels ────────────────────────────────────────────────────────────────────────────────────*/
static void enter_level(struct writer *w, struct level level, int add) {
    int most = w->f.width - w->indent - NARROWEST_TEXT;
    if (w->depth >= LEVELS || most < 0)
        add = 0;
    else if (add > most)
        add = most;
    level.indent = w->indent;
    level.added = add;
    if (w->depth < LEVELS) w->level[w->depth] = level;
    w->depth++;
    w->indent += add;
}

static void leave_level(struct writer *w) {
    if (--w->depth < LEVELS) w->indent -= w->level[w->depth].added;
}

static void enter_item(struct writer *w) {
    struct level *list = w->depth && w->depth <= LEVELS ? &w->level[w->depth - 1] : NULL;
    if (list && list->kind == NUMBERS)
        snprintf(w->marker, sizeof w->marker, "%u.", list->number++);
    else
        snprintf(w->marker, sizeof w->marker, "%s", w->p->ascii ? "*" : "•");
    w->marker_column = w->f.indent + w->indent;
    enter_level(w, (struct level){.kind = ITEM}, base_width(w->marker) + 1);
}

static void enter_list(struct writer *w, enum level_kind kind, bool tight, unsigned number) {
    enter_level(w, (struct level){.kind = kind, .tight = tight, .number = number}, 0);
}

/* ── tables ────────────────────────────────────────────────────────────────────────────────────*/
static void enter_table(struct writer *w, const MD_BLOCK_TABLE_DETAIL *d) {
    size_t rows = d->head_row_count + d->body_row_count;
    w->columns = d->col_count;
    w->cell = base_alloc((rows * w->columns + 1) * sizeof *w->cell);
    w->cells = 0;
    memset(w->align, 'l', COLUMNS);
}

static void enter_cell(struct writer *w, MD_ALIGN align, bool head) {
    static const char letters[] = {[MD_ALIGN_DEFAULT] = 'l',
                                   [MD_ALIGN_LEFT] = 'l',
                                   [MD_ALIGN_CENTER] = 'c',
                                   [MD_ALIGN_RIGHT] = 'r'};
    if (head && w->cells < COLUMNS) w->align[w->cells] = letters[align];
    w->pen = &w->cell[w->cells++];
    w->pen->spoken = w->p->spoken;
    w->pen->ascii = w->p->ascii;
    w->strong += head;
}

static void leave_cell(struct writer *w, bool head) {
    page_ink_say(w->pen, false);
    w->pen = &w->ink;
    w->strong -= head;
}

/* The table is drawn on a page of its own, so that quotes can draw their bar next to it. */
static void leave_table(struct writer *w) {
    flush(w);
    begin_block(w);
    struct page *inner = page_new(w->f.width - w->indent, w->p->ascii);
    page_set_spoken(inner, w->p->spoken);
    page_table_draw(inner, (struct page_flow){0}, w->cell, w->columns ? w->cells / w->columns : 0,
                    w->columns, w->align, true);
    int top = w->p->height;
    for (int i = 0; i < inner->height; i++) new_row(w, false);
    page_paste(w->p, inner, top, w->f.indent + w->indent);
    page_free(inner);
    for (size_t i = 0; i < w->cells; i++) page_ink_free(&w->cell[i]);
    free(w->cell);
    w->cell = NULL;
    end_block(w);
}

/* ── md4c's events ─────────────────────────────────────────────────────────────────────────────*/
static void enter_code(struct writer *w) {
    w->verbatim = true;
    enter_level(w, (struct level){.kind = ITEM}, 2);
}

/* What the spaces between two columns are for the ear: ": " after the label, ", " before a remark,
 * and nothing at either side of "=". */
static const char *gap_words(bool first, char last, const char *next) {
    return *next == '=' || last == '=' ? " " : first ? ": " : ", ";
}

/* "params   2 B × 7e9   = 14 GB   yours: 1 GB ✗" as "params: 2 B × 7e9 = 14 GB, yours: 1 GB ✗". */
static void say_columns(struct base_text *t, const char *working) {
    static const char remark[] = "└─ ";
    bool begun = false, first = true; /* of a line */
    for (const char *at = working; *at;) {
        size_t spaces = strspn(at, " ");
        if (*at == '\n') begun = false, first = true;
        if (!begun && spaces > 0) {
            at += spaces;
        } else if (begun && spaces > 1 && at[spaces] != '\n' && at[spaces] != '\0') {
            base_text_puts(t, gap_words(first, at[-1], at + spaces));
            first = false;
            at += spaces;
        } else if (strncmp(at, remark, sizeof remark - 1) == 0) {
            at += sizeof remark - 1;
        } else {
            begun |= *at != ' ' && *at != '\n';
            base_text_printf(t, "%c", *at++);
        }
    }
}

/* A working without columns, in words. */
static void say_working(struct base_text *t, const char *working) {
    struct base_text line = {0};
    say_columns(&line, working);
    char *words = voice_words(line.length ? line.s : "");
    base_text_puts(t, words);
    base_text_free(&line);
    free(words);
}

/* Columns stand two cells apart, and a result stays with its "=". */
static void squeeze_columns(struct base_text *t, const char *working) {
    bool begun = false; /* of a line */
    while (*working) {
        size_t spaces = strspn(working, " "), least = begun && spaces > 2 ? 2 : spaces;
        base_text_printf(t, "%*s", (int)least, "");
        working += spaces;
        if (!*working) break;
        begun = *working != '\n';
        bool equals = strncmp(working, "= ", 2) == 0;
        base_text_printf(t, equals ? "=\u00a0" : "%c", *working);
        working += equals ? 2 : 1;
    }
}

/* A line of it is wider than that. */
static bool is_wide(const struct page_ink *ink, int width) {
    for (size_t from = 0, to; from < ink->n; from = to + 1) {
        for (to = from; to < ink->n && ink->s[to] != '\n';) to++;
        if (page_ink_width(ink, from, to) > width) return true;
    }
    return false;
}

/* Writes a working anew, which has one role throughout. */
static void rewrite_working(struct page_ink *ink, void write(struct base_text *, const char *)) {
    struct base_text said = {0};
    struct page_ink words = {.ascii = ink->ascii, .spoken = ink->spoken};
    char *working = base_format("%.*s", (int)ink->n, ink->n ? ink->s : "");
    write(&said, working);
    if (ink->n) page_ink_add(&words, ink->role[0], ink->attributes[0], said.s, strlen(said.s));
    page_ink_free(ink);
    *ink = words;
    base_text_free(&said);
    free(working);
}

/* For the ear a working has no columns and no marks, and on a page that is too narrow its columns
 * move together. Code of a language is left as it is. */
static void leave_code(struct writer *w, const MD_BLOCK_CODE_DETAIL *d) {
    if (w->p->spoken && !d->lang.size)
        rewrite_working(&w->ink, say_working);
    else if (!d->lang.size && is_wide(&w->ink, w->f.width - w->indent))
        rewrite_working(&w->ink, squeeze_columns);
    while (w->ink.n && w->ink.s[w->ink.n - 1] == '\n') w->ink.n--;
    flush(w);
    leave_level(w);
    w->verbatim = false;
}

static void draw_rule(struct writer *w) {
    flush(w);
    begin_block(w);
    int row = new_row(w, false);
    if (!w->p->spoken) page_rule(w->p, row, w->f.indent + w->indent, w->f.width - w->indent);
    end_block(w);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *self) {
    struct writer *w = self;
    if (w->ink.n || (type == MD_BLOCK_LI && w->marker[0])) flush(w);
    switch (type) {
    case MD_BLOCK_QUOTE: enter_level(w, (struct level){.kind = QUOTE}, 2); break;
    case MD_BLOCK_UL: enter_list(w, BULLETS, ((MD_BLOCK_UL_DETAIL *)detail)->is_tight, 0); break;
    case MD_BLOCK_OL:
        enter_list(w, NUMBERS, ((MD_BLOCK_OL_DETAIL *)detail)->is_tight,
                   ((MD_BLOCK_OL_DETAIL *)detail)->start);
        break;
    case MD_BLOCK_LI: enter_item(w); break;
    case MD_BLOCK_HR: draw_rule(w); break;
    case MD_BLOCK_H: w->heading = (int)((MD_BLOCK_H_DETAIL *)detail)->level; break;
    case MD_BLOCK_CODE: enter_code(w); break;
    case MD_BLOCK_TABLE: enter_table(w, detail); break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        enter_cell(w, ((MD_BLOCK_TD_DETAIL *)detail)->align, type == MD_BLOCK_TH);
        break;
    default: break;
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *self) {
    struct writer *w = self;
    switch (type) {
    case MD_BLOCK_QUOTE:
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        leave_level(w);
        end_block(w);
        break;
    case MD_BLOCK_LI:
        flush(w);
        leave_level(w);
        break;
    case MD_BLOCK_H:
        flush(w);
        w->heading = 0;
        break;
    case MD_BLOCK_P: flush(w); break;
    case MD_BLOCK_CODE: leave_code(w, detail); break;
    case MD_BLOCK_TABLE: leave_table(w); break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: leave_cell(w, type == MD_BLOCK_TH); break;
    default: break;
    }
    return 0;
}

static int *span_depth(struct writer *w, MD_SPANTYPE type) {
    switch (type) {
    case MD_SPAN_EM: return &w->emphasis;
    case MD_SPAN_STRONG: return &w->strong;
    case MD_SPAN_CODE: return &w->code;
    case MD_SPAN_A: return &w->link;
    default: return NULL;
    }
}

static int enter_span(MD_SPANTYPE type, void *detail, void *self) {
    (void)detail;
    int *depth = span_depth(self, type);
    if (depth) ++*depth;
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *self) {
    (void)detail;
    int *depth = span_depth(self, type);
    if (depth) --*depth;
    return 0;
}

static unsigned role_now(const struct writer *w) {
    if (w->code || w->verbatim) return PAGE_CODE;
    if (w->link) return PAGE_TERM;
    if (w->heading) return w->heading <= 2 ? PAGE_TITLE : PAGE_STRONG;
    return w->strong ? PAGE_STRONG : w->f.role;
}

/* The colour of a sign of right or wrong that begins the text; PAGE_PLAIN if none does. */
static unsigned sign_at(const char *s, size_t n) {
    if (n < SIGN) return PAGE_PLAIN;
    return memcmp(s, "✓", SIGN) == 0   ? PAGE_GOOD
           : memcmp(s, "✗", SIGN) == 0 ? PAGE_BAD
                                       : PAGE_PLAIN;
}

/* Signs have their colours wherever they are. */
static void add(struct writer *w, const char *s, size_t n) {
    unsigned attributes = w->emphasis ? PAGE_ITALIC : 0;
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned sign = sign_at(s + i, n - i);
        if (sign == PAGE_PLAIN) continue;
        page_ink_add(w->pen, role_now(w), attributes, s + from, i - from);
        page_ink_add(w->pen, sign, attributes, s + i, SIGN);
        from = i + SIGN;
    }
    page_ink_add(w->pen, role_now(w), attributes, s + from, n - from);
}

static void add_entity(struct writer *w, const char *s, size_t n) {
    static const char *const known[][2] = {
        {"&amp;", "&"},   {"&lt;", "<"},        {"&gt;", ">"},     {"&quot;", "\""},
        {"&apos;", "'"},  {"&nbsp;", "\u00a0"}, {"&times;", "×"},  {"&divide;", "÷"},
        {"&ndash;", "–"}, {"&mdash;", "—"},     {"&hellip;", "…"}, {"&Psi;", "Ψ"}};
    for (size_t i = 0; i < BASE_COUNT(known); i++)
        if (strlen(known[i][0]) == n && !memcmp(known[i][0], s, n)) {
            add(w, known[i][1], strlen(known[i][1]));
            return;
        }
    char digits[12] = "", out[4];
    if (n < 4 || s[1] != '#' || n - 3 >= sizeof digits) {
        add(w, s, n);
        return;
    }
    bool hex = s[2] == 'x' || s[2] == 'X';
    memcpy(digits, s + 2 + hex, n - 3 - hex);
    unsigned long code = strtoul(digits, NULL, hex ? 16 : 10);
    bool bad = code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
    add(w, out, base_utf8_put(out, bad ? 0xfffd : (uint32_t)code));
}

static int text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *self) {
    struct writer *w = self;
    switch (type) {
    case MD_TEXT_NULLCHAR: add(w, "\ufffd", 3); break;
    case MD_TEXT_BR: add(w, "\n", 1); break;
    case MD_TEXT_SOFTBR: add(w, " ", 1); break;
    case MD_TEXT_ENTITY: add_entity(w, s, n); break;
    default: add(w, s, n); break;
    }
    return 0;
}

void page_markdown_parse(const char *markdown, const MD_PARSER *calls, void *self) {
    MD_PARSER parser = *calls;
    parser.flags =
        MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_COLLAPSEWHITESPACE;
    size_t n = strlen(markdown);
    char *clean = base_clean_dup(markdown, n, n * 3 + 1);
    md_parse(clean, (MD_SIZE)strlen(clean), &parser, self);
    free(clean);
}

void page_markdown(struct page *p, struct page_flow f, const char *markdown) {
    static const MD_PARSER parser = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = text,
    };
    struct writer w = {
        .p = p, .f = page_flow_fit(p, f), .ink = {.ascii = p->ascii, .spoken = p->spoken}};
    w.pen = &w.ink;
    page_markdown_parse(markdown, &parser, &w);
    page_ink_free(&w.ink);
}
