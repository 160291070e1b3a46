/* Colours as they are on a screen of our own: SVG and HTML have no terminal to ask for its foreground. */
#include "page/look.h"

#include <string.h>

static const struct {
    uint32_t colour, background;
} themes[PAGE_THEMES] = {
    [PAGE_DARK] = {0xd4d7dd, 0x15181e},
    [PAGE_LIGHT] = {0x22262e, 0xfdfdfb},
    [PAGE_CONTRAST] = {0xffffff, 0x000000},
};

uint32_t page_theme_colour(enum page_theme t) {
    return themes[t].colour;
}

uint32_t page_theme_background(enum page_theme t) {
    return themes[t].background;
}

struct page_look page_look(enum page_theme t, const struct page_cell *c) {
    const struct page_style *s = page_style(t, c->role);
    uint32_t ink = s->colour < 0 ? themes[t].colour : page_rgb(s->colour);
    uint32_t ground = s->background < 0 ? themes[t].background : page_rgb(s->background);
    unsigned attributes = s->attributes | c->attributes;
    bool turned = attributes & PAGE_REVERSE;
    struct page_look look = {turned ? ground : ink, turned ? ink : ground, false,
                             attributes & ~(unsigned)PAGE_REVERSE};
    look.filled = look.background != themes[t].background;
    return look;
}

bool page_look_same(struct page_look a, struct page_look b) {
    return a.colour == b.colour && a.background == b.background && a.attributes == b.attributes;
}

void page_xml_add(struct base_text *out, const char *s) {
    for (const char *end = s + strlen(s); s < end;) {
        const char *from = s;
        uint32_t code = base_utf8_next(&s, end);
        if (code == '&')
            base_text_puts(out, "&amp;");
        else if (code == '<')
            base_text_puts(out, "&lt;");
        else if (code == '>')
            base_text_puts(out, "&gt;");
        else if (code == '"')
            base_text_puts(out, "&quot;");
        else if (code == 0xfffe || code == 0xffff || code == 0xfffd)
            base_text_puts(out, "\ufffd");
        else if (code >= ' ' || code == '\n')
            base_text_add(out, from, (size_t)(s - from));
    }
}

int page_row_end(const struct page *p, int row, enum page_theme t) {
    int end = p->width;
    for (; end > 0; end--) {
        const struct page_cell *c = page_cell(p, row, end - 1);
        struct page_look look = page_look(t, c);
        if (strcmp(c->text, " ") != 0 || look.filled || look.attributes & PAGE_UNDERLINE) break;
    }
    return end;
}
