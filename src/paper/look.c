/* Colours as they are on a screen of our own: SVG and HTML have no terminal to ask for its foreground. */
#include "paper/look.h"

#include <string.h>

static const struct {
    uint32_t colour, background;
} themes[PAPER_THEMES] = {
    [PAPER_DARK] = {0xd4d7dd, 0x15181e},
    [PAPER_LIGHT] = {0x22262e, 0xfdfdfb},
    [PAPER_CONTRAST] = {0xffffff, 0x000000},
};

uint32_t paper_theme_colour(enum paper_theme t) {
    return themes[t].colour;
}

uint32_t paper_theme_background(enum paper_theme t) {
    return themes[t].background;
}

struct paper_look paper_look(enum paper_theme t, const struct paper_cell *c) {
    const struct paper_style *s = paper_style(t, c->role);
    uint32_t ink = s->colour < 0 ? themes[t].colour : paper_rgb(s->colour);
    uint32_t ground = s->background < 0 ? themes[t].background : paper_rgb(s->background);
    unsigned attributes = s->attributes | c->attributes;
    bool turned = attributes & PAPER_REVERSE;
    struct paper_look look = {turned ? ground : ink, turned ? ink : ground, false,
                              attributes & ~(unsigned)PAPER_REVERSE};
    look.filled = look.background != themes[t].background;
    return look;
}

bool paper_look_same(struct paper_look a, struct paper_look b) {
    return a.colour == b.colour && a.background == b.background && a.attributes == b.attributes;
}

void paper_xml_add(struct base_text *out, const char *s) {
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

int paper_row_end(const struct paper *p, int row, enum paper_theme t) {
    int end = p->width;
    for (; end > 0; end--) {
        const struct paper_cell *c = paper_cell(p, row, end - 1);
        struct paper_look look = paper_look(t, c);
        if (strcmp(c->text, " ") != 0 || look.filled || look.attributes & PAPER_UNDERLINE) break;
    }
    return end;
}
