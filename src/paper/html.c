/* A page as a <pre> with spans: styles inline, so that it can be pasted anywhere. */
#include "paper/look.h"

static void open_span(struct base_text *out, struct paper_look look) {
    base_text_printf(out, "<span style=\"color:#%06x", look.colour);
    if (look.filled) base_text_printf(out, ";background:#%06x", look.background);
    if (look.attributes & PAPER_BOLD) base_text_puts(out, ";font-weight:bold");
    if (look.attributes & PAPER_ITALIC) base_text_puts(out, ";font-style:italic");
    if (look.attributes & PAPER_UNDERLINE) base_text_puts(out, ";text-decoration:underline");
    base_text_puts(out, "\">");
}

static void add_row(struct base_text *out, const struct paper *p, int row, enum paper_theme t) {
    struct paper_look plain = paper_look(t, &(struct paper_cell){0}), now = plain;
    for (int column = 0, end = paper_row_end(p, row, t); column < end; column++) {
        const struct paper_cell *c = paper_cell(p, row, column);
        struct paper_look look = paper_look(t, c);
        if (!paper_look_same(look, now)) {
            if (!paper_look_same(now, plain)) base_text_puts(out, "</span>");
            if (!paper_look_same(look, plain)) open_span(out, look);
            now = look;
        }
        paper_xml_add(out, c->text);
    }
    base_text_puts(out, paper_look_same(now, plain) ? "\n" : "</span>\n");
}

char *paper_to_html(const struct paper *p, enum paper_theme t) {
    struct base_text out = {0};
    base_text_printf(&out,
                     "<pre style=\"color:#%06x;background:#%06x;font-family:" PAPER_FONTS
                     ";line-height:1.25;padding:1em;overflow-x:auto\">",
                     paper_theme_colour(t), paper_theme_background(t));
    for (int row = 0; row < p->height; row++) add_row(&out, p, row, t);
    base_text_puts(&out, "</pre>\n");
    return base_text_take(&out);
}
