/* A page as a <pre> with spans: styles inline, so that it can be pasted anywhere. */
#include "page/look.h"

static void open_span(struct base_text *out, struct page_look look) {
    base_text_printf(out, "<span style=\"color:#%06x", look.colour);
    if (look.filled) base_text_printf(out, ";background:#%06x", look.background);
    if (look.attributes & PAGE_BOLD) base_text_puts(out, ";font-weight:bold");
    if (look.attributes & PAGE_ITALIC) base_text_puts(out, ";font-style:italic");
    if (look.attributes & PAGE_UNDERLINE) base_text_puts(out, ";text-decoration:underline");
    base_text_puts(out, "\">");
}

static void add_row(struct base_text *out, const struct page *p, int row, enum page_theme t) {
    struct page_look plain = page_look(t, &(struct page_cell){0}), now = plain;
    for (int column = 0, end = page_row_end(p, row, t); column < end; column++) {
        const struct page_cell *c = page_cell(p, row, column);
        struct page_look look = page_look(t, c);
        if (!page_look_same(look, now)) {
            if (!page_look_same(now, plain)) base_text_puts(out, "</span>");
            if (!page_look_same(look, plain)) open_span(out, look);
            now = look;
        }
        page_xml_add(out, c->text);
    }
    base_text_puts(out, page_look_same(now, plain) ? "\n" : "</span>\n");
}

char *page_to_html(const struct page *p, enum page_theme t) {
    struct base_text out = {0};
    base_text_printf(&out,
                     "<pre style=\"color:#%06x;background:#%06x;font-family:" PAGE_FONTS
                     ";line-height:1.25;padding:1em;overflow-x:auto\">",
                     page_theme_colour(t), page_theme_background(t));
    for (int row = 0; row < p->height; row++) add_row(&out, p, row, t);
    base_text_puts(&out, "</pre>\n");
    return base_text_take(&out);
}
