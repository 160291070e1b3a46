/* A page as plain text. */
#include "page/internal.h"

#include <string.h>

/* The column after the last cell that is not blank. */
static int row_end(const struct page *p, int row) {
    int end = p->width;
    while (end > 0 && !strcmp(page_cell(p, row, end - 1)->text, " ")) end--;
    return end;
}

char *page_to_text(const struct page *p) {
    struct base_text out = {0};
    for (int row = 0; row < p->height; row++) {
        for (int column = 0, end = row_end(p, row); column < end; column++)
            base_text_puts(&out, page_cell(p, row, column)->text);
        base_text_puts(&out, "\n");
    }
    return base_text_take(&out);
}

/* ── for a terminal ────────────────────────────────────────────────────────────────────────────*/
struct pen {
    /* -1: the terminal's own */
    int colour, background;
    unsigned attributes;
};
static const struct pen resting = {-1, -1, 0};

static struct pen pen_of(const struct page_cell *c, enum page_theme t, int colours) {
    struct page_style s = page_style(t, c->role);
    unsigned attributes = page_style_attributes(s, c->attributes, colours < 8 ? 0 : colours);
    if (colours >= 256) return (struct pen){s.colour, s.background, attributes};
    return (struct pen){colours < 8 ? -1 : s.basic, -1, attributes};
}

static bool same(struct pen a, struct pen b) {
    return a.colour == b.colour && a.background == b.background && a.attributes == b.attributes;
}

static void add_colour(struct base_text *out, int colour, int base, int colours) {
    if (colours >= 256)
        base_text_printf(out, ";%d;5;%d", base + 8, colour);
    else
        base_text_printf(out, ";%d", base + colour);
}

/* From one pen to the next: by adding where nothing has to go, else from a reset. */
static void change(struct base_text *out, struct pen from, struct pen to, int colours) {
    static const struct {
        unsigned attribute, code;
    } codes[] = {{PAGE_BOLD, 1}, {PAGE_ITALIC, 3}, {PAGE_UNDERLINE, 4}, {PAGE_REVERSE, 7}};
    bool loses = (from.attributes & ~to.attributes) || (from.colour >= 0 && to.colour < 0) ||
                 (from.background >= 0 && to.background < 0);
    struct base_text list = {0};
    if (loses) {
        base_text_puts(&list, ";0");
        from = resting;
    }
    for (size_t i = 0; i < BASE_COUNT(codes); i++)
        if (to.attributes & ~from.attributes & codes[i].attribute)
            base_text_printf(&list, ";%u", codes[i].code);
    if (to.colour != from.colour) add_colour(&list, to.colour, 30, colours);
    if (to.background != from.background) add_colour(&list, to.background, 40, colours);
    char *s = base_text_take(&list);
    base_text_printf(out, "\033[%sm", strcmp(s, ";0") ? s + 1 : "");
    base_text_free(&(struct base_text){.s = s});
}

/* Blank cells at a row's end are left out unless something shows in them. */
static bool shows(const struct page_cell *c, struct pen pen) {
    return strcmp(c->text, " ") != 0 || pen.background >= 0 ||
           pen.attributes & (PAGE_UNDERLINE | PAGE_REVERSE);
}

static void add_row(struct base_text *out, const struct page *p, int row, enum page_theme t,
                    int colours) {
    int end = p->width;
    while (end > 0 &&
           !shows(page_cell(p, row, end - 1), pen_of(page_cell(p, row, end - 1), t, colours)))
        end--;
    struct pen now = resting;
    for (int column = 0; column < end; column++) {
        const struct page_cell *c = page_cell(p, row, column);
        struct pen next = pen_of(c, t, colours);
        bool matters = shows(c, next) || shows(c, now);
        if (matters && !same(now, next)) {
            change(out, now, next, colours);
            now = next;
        }
        base_text_puts(out, c->text);
    }
    if (!same(now, resting)) change(out, now, resting, colours);
    base_text_puts(out, "\n");
}

char *page_to_ansi(const struct page *p, enum page_theme t, int colours) {
    struct base_text out = {0};
    for (int row = 0; row < p->height; row++) add_row(&out, p, row, t, colours);
    return base_text_take(&out);
}
