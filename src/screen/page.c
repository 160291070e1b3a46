/* page: what a lesson has said on this step. */
#include "screen/page.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 1, INSET = 3, REMARK = 5, HINT_WIDTH = 8, SHORT = 60 };

static void free_block(struct block *b) {
    for (size_t i = 0; i < b->options; i++) free(b->option[i]);
    free(b->option);
    free(b->text);
    free(b->answer);
    free(b->of_line);
    json_decref(b->figure);
}

void screen_page_clear(struct said_page *p) {
    for (size_t i = 0; i < p->count; i++) free_block(&p->block[i]);
    free(p->block);
    page_free(p->laid);
    *p = (struct said_page){0};
}

/* What was laid out is no longer what it says. */
static void forget(struct said_page *p) {
    page_free(p->laid);
    p->laid = NULL;
    memset(p->height, 0, sizeof p->height);
}

void screen_page_begin(struct said_page *p) {
    forget(p);
    p->fresh = p->count;
}

static struct block *add(struct said_page *p) {
    forget(p);
    p->block = base_grow(p->block, p->count + 1, sizeof *p->block);
    p->block[p->count] = (struct block){0};
    return &p->block[p->count++];
}

static char *copy_of(const char *s) {
    return s && *s ? base_dup(s) : NULL;
}

static bool is_unreadable(const struct lesson_event *e) {
    return e->kind == LESSON_VERDICT && e->verdict && strcmp(e->verdict, "unreadable") == 0;
}

static void replace_figure(struct said_page *p, const struct lesson_event *e) {
    size_t i = p->count;
    forget(p);
    while (i-- > 0) {
        struct block *b = &p->block[i];
        if (!b->figure) continue;
        json_decref(b->figure);
        b->figure = json_incref((json_t *)e->figure);
        if (p->fresh == p->count) p->fresh = i; /* else other words are news as well */
        return;
    }
    *add(p) = (struct block){.kind = e->kind, .figure = json_incref((json_t *)e->figure)};
}

static void drop(struct said_page *p, size_t i) {
    forget(p);
    free_block(&p->block[i]);
    memmove(&p->block[i], &p->block[i + 1], (p->count - i - 1) * sizeof *p->block);
    p->count--;
    p->fresh -= p->fresh > i;
}

static bool says_again(const struct lesson_event *e, const struct block *b) {
    return (e->kind == LESSON_HINT || e->kind == LESSON_TROUBLE) && b->kind == e->kind &&
           b->level == e->level && b->text && e->text && strcmp(b->text, e->text) == 0;
}

static void drop_said_before(struct said_page *p, const struct lesson_event *e) {
    for (size_t i = p->count; i-- > 0;)
        if (says_again(e, &p->block[i])) drop(p, i);
}

void screen_page_answered(struct said_page *p, const struct lesson_event *e) {
    for (size_t i = p->count; i-- > 0;)
        if (p->block[i].unreadable || (e->of_line && p->block[i].of_line)) drop(p, i);
}

static void copy_options(struct block *b, const struct lesson_event *e) {
    b->option = e->options ? base_grow(NULL, e->options, sizeof *b->option) : NULL;
    for (size_t i = 0; i < e->options; i++) b->option[i] = base_dup(e->option[i]);
    b->options = e->options;
    b->said = e->said;
    b->truth = e->truth;
}

void screen_page_add(struct said_page *p, const struct lesson_event *e, const char *answer,
                     bool picked) {
    if (e->kind == LESSON_LEDGER) {
        replace_figure(p, e);
        return;
    }
    if (!(e->text && *e->text) && !e->figure && !answer && !e->options) return;
    drop_said_before(p, e);
    *add(p) = (struct block){.kind = e->kind,
                             .unreadable = is_unreadable(e),
                             .of_line = copy_of(e->of_line),
                             .tone = e->tone,
                             .right = e->right,
                             .level = e->level,
                             .text = copy_of(e->text),
                             .answer = copy_of(answer),
                             .picked = picked,
                             .figure = e->figure ? json_incref((json_t *)e->figure) : NULL};
    copy_options(&p->block[p->count - 1], e);
}

void screen_page_say(struct said_page *p, enum lesson_tone tone, const char *markdown) {
    *add(p) = (struct block){.kind = LESSON_SHOW, .tone = tone, .text = base_dup(markdown)};
}

bool screen_page_close_sources(struct said_page *p) {
    size_t i = 0;
    while (i < p->count && !p->block[i].sources) i++;
    bool open = i < p->count;
    if (open) drop(p, i);
    return open;
}

void screen_page_toggle_sources(struct said_page *p, const char *sources) {
    if (screen_page_close_sources(p)) return;
    screen_page_begin(p);
    *add(p) = (struct block){
        .kind = LESSON_SHOW, .tone = LESSON_QUIET, .sources = true, .text = base_dup(sources)};
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
char *screen_page_words(const struct said_page *p) {
    struct base_text words = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct block *b = &p->block[i];
        char *script = b->figure ? page_figure_script(b->figure) : NULL;
        base_text_printf(&words, "%s\n%s\n", b->text ? b->text : "", script ? script : "");
        free(script);
    }
    return base_text_take(&words);
}

const json_t *screen_page_figure(const struct said_page *p) {
    for (size_t i = p->count; i-- > 0;)
        if (p->block[i].figure) return p->block[i].figure;
    return NULL;
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
static const unsigned TONE_ROLE[LESSON_TONES] = {
    [LESSON_PLAIN] = PAGE_PLAIN, [LESSON_QUIET] = PAGE_DIM,       [LESSON_GOOD] = PAGE_PLAIN,
    [LESSON_BAD] = PAGE_PLAIN,   [LESSON_HINT_TONE] = PAGE_PLAIN, [LESSON_ASKING] = PAGE_PLAIN,
};

static int prose_width(const struct page *p) {
    return page_width(p) < FRAME_PROSE ? page_width(p) : FRAME_PROSE;
}

/* Flows go below what is there, so what stands next to a flow's first row is put last. */
static void lay_answer(struct page *p, const struct block *b) {
    int row = page_height(p), width = prose_width(p);
    bool named = b->of_line && page_measure(p, b->of_line) <= width / 2;
    const char *label = named ? b->of_line : "your answer";
    int column = INSET + page_measure(p, label) + 3;
    struct page_flow flow = {.indent = column, .width = width - column - 4, .role = PAGE_STRONG};
    (b->picked ? page_markdown : page_text)(p, flow, b->answer);
    page_put(p, row, INSET, PAGE_DIM, 0, label);
    if (b->tone != LESSON_QUIET)
        page_put(p, row, width - 2, b->right ? PAGE_GOOD : PAGE_BAD, 0, b->right ? "✓" : "✗");
}

/* The options as they were asked: ✓ at the right one, ✗ at another that was picked. */
static void lay_options(struct page *p, const struct block *b) {
    for (size_t i = 0; i < b->options; i++) {
        bool right = i + 1 == b->truth, said = i + 1 == b->said;
        int row = page_height(p);
        unsigned role = right ? PAGE_GOOD : said ? PAGE_BAD : PAGE_DIM;
        struct page_flow flow = {.indent = 5, .role = right || said ? PAGE_STRONG : PAGE_DIM};
        flow.width = page_width(p) - flow.indent - 2 * MARGIN;
        page_markdown(p, flow, b->option[i]);
        page_printf(p, row, INSET, role, "%zu", i + 1);
        if (right || said) page_put(p, row, MARGIN, role, PAGE_BOLD, right ? "✓" : "✗");
    }
}

/* What stands before a block's text, in the margin. */
static void lay_sign(struct page *p, const struct block *b, int row) {
    if (b->kind == LESSON_TROUBLE) page_put(p, row, MARGIN, PAGE_BAD, 0, "!");
    if (b->kind != LESSON_VERDICT || b->answer || b->options || b->tone == LESSON_QUIET) return;
    page_put(p, row, MARGIN, b->right ? PAGE_GOOD : PAGE_BAD, 0, b->right ? "✓" : "✗");
}

static bool is_inset(const struct block *b) {
    return b->kind == LESSON_VERDICT || b->kind == LESSON_HINT || b->kind == LESSON_TROUBLE;
}

static void lay_text(struct page *p, const struct block *b) {
    int indent = b->remark ? REMARK : is_inset(b) ? INSET : MARGIN, row = page_height(p);
    int label = b->kind == LESSON_HINT ? HINT_WIDTH : 0;
    bool said = b->kind == LESSON_VERDICT && !b->unreadable; /* of a guess too */
    struct page_flow flow = {.indent = indent + label,
                             .role = said ? PAGE_PLAIN : TONE_ROLE[b->tone]};
    flow.width = prose_width(p) - flow.indent - MARGIN;
    page_markdown(p, flow, b->text);
    if (label) page_printf(p, row, indent, PAGE_ACCENT, "hint %d", b->level);
    lay_sign(p, b, row);
}

static void lay_figure(struct page *p, const struct block *b, const struct screen_page_area *area) {
    struct base_message m = {0};
    struct page_flow flow = {
        .indent = MARGIN, .width = page_width(p) - 2 * MARGIN, .rows = area->rows};
    json_t *spec = area->apart ? json_copy(b->figure) : json_incref(b->figure);
    if (area->apart) json_object_set_new(spec, "apart", json_integer(area->apart));
    if (!page_figure(p, flow, spec, &m))
        page_text(p, (struct page_flow){.indent = INSET, .role = PAGE_BAD}, m.what);
    json_decref(spec);
}

/* Words that lead to a question. */
static bool leads_on(const struct said_page *p, size_t i) {
    return i + 1 < p->count && p->block[i + 1].tone == LESSON_ASKING;
}

/* Whether the page begins with a line such as "The same idea with fresh numbers:", which follows
 * the title without an empty row. */
static bool is_lead(const struct said_page *p) {
    return p->count > 0 && p->block[0].tone == LESSON_QUIET && !p->block[0].figure &&
           leads_on(p, 0);
}

/* Quiet words after a line of working belong to it, and stand right under it; not what follows the
 * whole working of an answer, which is quiet itself. */
static bool is_remark(const struct said_page *p, size_t i) {
    const struct block *b = &p->block[i], *before = i ? b - 1 : NULL;
    return before && !leads_on(p, i) && b->kind == LESSON_SHOW && b->tone == LESSON_QUIET &&
           b->text && !b->sources && before->kind == LESSON_SHOW && before->tone != LESSON_QUIET &&
           before->text && strncmp(before->text, "```", 3) == 0;
}

/* A verdict of a few words stands right under the answer. */
static bool is_short(const char *text) {
    return strlen(text) < SHORT && !strchr(text, '\n');
}

/* A guess among options needs no more words than its marks. */
static bool is_told_by_marks(const struct block *b) {
    return b->options > 0 && b->tone == LESSON_QUIET;
}

/* Marks are quiet: a line under the word, where lines can be drawn under words without a change of
 * colour. */
static void find_terms(struct page *p, int from, const struct screen_page_area *area,
                       struct terms *t) {
    bool mark = page_has_colours(p) && !page_ascii(p);
    if (area->glossary) screen_terms_find(t, area->glossary, p, from, page_height(p), mark);
}

/* Returns the row after its text. */
static int lay(struct page *p, const struct block *b, const struct screen_page_area *area,
               bool figure, struct terms *t) {
    if (b->options) lay_options(p, b);
    if (is_told_by_marks(b)) return page_height(p);
    if (b->options) page_blank(p, 1);
    if (b->answer) lay_answer(p, b);
    if (b->answer && b->text && !(is_short(b->text) && is_short(b->answer)))
        page_blank(p, area->thick != SCREEN_PAGE_BARE);
    int from = page_height(p);
    if (b->text) lay_text(p, b);
    find_terms(p, from, area, t);
    int end = page_height(p);
    if (b->text && figure) page_blank(p, 1);
    if (figure) lay_figure(p, b, area);
    return end;
}

/* ── what is read aloud ────────────────────────────────────────────────────────────────────────*/
static bool is_empty(const struct page *p, int row) {
    int column = 0;
    while (column < page_width(p) && strcmp(page_cell(p, row, column)->text, " ") == 0) column++;
    return column == page_width(p);
}

/* Finds a paragraph in rows [from, end): empty rows part paragraphs. */
static void find_spoken(const struct page *p, struct screen_page_spoken *s, int from, int end) {
    for (size_t i = 0; from < end; i++) {
        while (from < end && is_empty(p, from)) from++;
        s->from = s->to = from;
        while (s->to < end && !is_empty(p, s->to)) s->to++;
        if (i == s->paragraph || s->title) return;
        from = s->to;
    }
}

static void make_bold(struct page *p, int row) {
    for (int column = 0; column < page_width(p); column++) {
        const struct page_cell c = *page_cell(p, row, column);
        if (strcmp(c.text, " ") != 0 && *c.text)
            page_put(p, row, column, c.role, c.attributes | PAGE_BOLD, c.text);
    }
}

/* A line down the margin next to bold text: it is seen without colour too. */
static void mark_spoken(struct page *p, struct screen_page_spoken *s, const struct block *first) {
    find_spoken(p, s, s->title ? 0 : first->row, s->title ? first->row : first->text_end);
    for (int row = s->from; row < s->to; row++) {
        make_bold(p, row);
        page_put(p, row, 0, PAGE_ACCENT, PAGE_BOLD, row == s->from ? "▸" : "│");
    }
}

static bool has_figure(const struct said_page *p, size_t i, const struct screen_page_area *area) {
    bool answered = p->block[i].tone == LESSON_ASKING && i < p->fresh && p->fresh < p->count;
    return p->block[i].figure && !(answered && area->thick == SCREEN_PAGE_BARE);
}

static struct page *lay_out(struct said_page *p, const char *title,
                            const struct screen_page_area *area, const struct look *look) {
    struct page *page = page_new(area->width, look->ascii);
    page_set_colours(page, look->colours);
    page_set_thick(page, area->thick);
    p->terms.count = 0;
    if (title) page_text(page, (struct page_flow){.indent = MARGIN, .role = PAGE_TITLE}, title);
    for (size_t i = 0; i < p->count; i++) {
        p->block[i].remark = is_remark(p, i);
        if (i > 0 ? !p->block[i].remark : title && !is_lead(p)) page_blank(page, 1);
        p->block[i].row = page_height(page);
        p->block[i].text_end = lay(page, &p->block[i], area, has_figure(p, i, area), &p->terms);
    }
    if (area->spoken && p->count > 0) mark_spoken(page, area->spoken, &p->block[0]);
    return page;
}

/* What the layout depends on, apart from the blocks. */
static struct page_form form_of(const char *title, const struct screen_page_area *area,
                                const struct look *look) {
    return (struct page_form){.area = *area,
                              .ascii = look->ascii,
                              .titled = title != NULL,
                              .waits = area->glossary && session_glossary_waits(area->glossary),
                              .colours = look->colours};
}

/* Whether pages of two forms differ in nothing, or in how thick their bars are alone. */
static bool alike(const struct page_form *a, const struct page_form *b, bool thick) {
    const struct screen_page_area *x = &a->area, *y = &b->area;
    return x->width == y->width && x->rows == y->rows && (!thick || x->thick == y->thick) &&
           x->apart == y->apart && x->glossary == y->glossary && !x->spoken && !y->spoken &&
           a->ascii == b->ascii && a->titled == b->titled && a->waits == b->waits &&
           a->colours == b->colours;
}

const struct page *screen_page_lay(struct said_page *p, const char *title,
                                   struct screen_page_area area, const struct look *look) {
    struct page_form form = form_of(title, &area, look);
    if (p->laid && alike(&p->form, &form, true)) return p->laid;
    if (!p->laid || !alike(&p->form, &form, false)) forget(p);
    page_free(p->laid);
    p->laid = lay_out(p, title, &area, look);
    p->form = form;
    p->height[area.thick] = page_height(p->laid);
    return p->laid;
}

int screen_page_height(struct said_page *p, const char *title, struct screen_page_area area,
                       const struct look *look) {
    struct page_form form = form_of(title, &area, look);
    bool known = p->laid && alike(&p->form, &form, false) && p->height[area.thick] > 0;
    return known ? p->height[area.thick] : page_height(screen_page_lay(p, title, area, look));
}

int screen_page_title_rows(const struct said_page *p) {
    return p->count ? p->block[0].row : 0;
}

int screen_page_fresh_row(const struct said_page *p) {
    return p->fresh > 0 && p->fresh < p->count ? p->block[p->fresh].row : 0;
}

int screen_page_line_row(const struct said_page *p) {
    for (size_t i = 0; i < p->count; i++)
        if (p->block[i].of_line) return p->block[i].row;
    return -1;
}

bool screen_page_question(const struct said_page *p, int *from, int *to) {
    size_t i = p->count;
    while (i > 0 && p->block[i - 1].tone != LESSON_ASKING) i--;
    if (i == 0) return false;
    *from = p->block[i - 1].row;
    *to = p->block[i - 1].text_end;
    return true;
}

int screen_page_fresh_end(const struct said_page *p, int height) {
    return p->fresh + 1 < p->count ? p->block[p->fresh + 1].row - 1 : height;
}

int screen_page_block_from(const struct said_page *p, int row, int otherwise) {
    for (size_t i = 0; i < p->count; i++)
        if (p->block[i].row >= row) return p->block[i].row;
    return otherwise;
}

int screen_page_paragraph_from(const struct said_page *p, int row, int otherwise) {
    int height = page_height(p->laid);
    while (row > 0 && row < height && !is_empty(p->laid, row - 1)) row++;
    return row < height ? row : otherwise;
}
