/* A page as a picture in SVG, which has no terminal that knows its own foreground, so a theme here
 * names every colour. It is a grid of 9 × 20 units a cell: text in runs of one look, each stretched
 * to its cells so that columns hold in any font; blocks and lines are shapes, so that bars and
 * frames have no gaps. */
#include "page/internal.h"

#include <stdlib.h>
#include <string.h>

/* ── colours ───────────────────────────────────────────────────────────────────────────────────*/
/* A cell's role and attributes resolved to colours. */
struct look {
    uint32_t colour, background;
    /* the background is not the page's own */
    bool filled;
    unsigned attributes;
};

#define FONTS "'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,'Liberation Mono',monospace"

static const struct {
    uint32_t colour, background;
} themes[PAGE_THEMES] = {
    [PAGE_DARK] = {0xd4d7dd, 0x15181e},
    [PAGE_LIGHT] = {0x22262e, 0xfdfdfb},
    [PAGE_CONTRAST] = {0xffffff, 0x000000},
};

static struct look look_of(enum page_theme t, const struct page_cell *c) {
    struct page_style s = page_style(t, c->role);
    uint32_t ink = s.colour < 0 ? themes[t].colour : page_rgb(s.colour);
    uint32_t ground = s.background < 0 ? themes[t].background : page_rgb(s.background);
    unsigned attributes = page_style_attributes(s, c->attributes, 256);
    bool turned = attributes & PAGE_REVERSE;
    struct look look = {turned ? ground : ink, turned ? ink : ground, false,
                        attributes & ~(unsigned)PAGE_REVERSE};
    look.filled = look.background != themes[t].background;
    return look;
}

static bool is_same_look(struct look a, struct look b) {
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

static int row_end(const struct page *p, int row, enum page_theme t) {
    int end = p->width;
    for (; end > 0; end--) {
        const struct page_cell *c = page_cell(p, row, end - 1);
        struct look look = look_of(t, c);
        if (strcmp(c->text, " ") != 0 || look.filled || look.attributes & PAGE_UNDERLINE) break;
    }
    return end;
}

/* ── shapes and text ───────────────────────────────────────────────────────────────────────────*/
enum { WIDE = 9, HIGH = 20, MARGIN = 14, BASELINE = 15 };

/* Shapes are relative path data from a cell's top left corner, filled. */
struct shape {
    const char *text, *path;
    double opacity;
};
static const struct shape shapes[] = {
    {"█", "h9v20h-9z", 1},
    {"▉", "h8v20h-8z", 1},
    {"▊", "h7v20h-7z", 1},
    {"▋", "h6v20h-6z", 1},
    {"▌", "h4.5v20h-4.5z", 1},
    {"▍", "h3.5v20h-3.5z", 1},
    {"▎", "h2.5v20h-2.5z", 1},
    {"▏", "h1.2v20h-1.2z", 1},
    {"▓", "h9v20h-9z", 0.8},
    {"▒", "h9v20h-9z", 0.6},
    {"░", "h9v20h-9z", 0.4},
    {"▁", "m0 17.5h9v2.5h-9z", 1},
    {"▔", "h9v2.5h-9z", 1},
    {"▂", "m0 15h9v5h-9z", 1},
    {"▃", "m0 12.5h9v7.5h-9z", 1},
    {"▄", "m0 10h9v10h-9z", 1},
    {"▅", "m0 7.5h9v12.5h-9z", 1},
    {"▆", "m0 5h9v15h-9z", 1},
    {"▇", "m0 2.5h9v17.5h-9z", 1},
    {"╱", "m0 20l7 -20h2l-7 20z", 0.9},
    {"◫", "m0 5h9v10h-9zm1 1v8h3v-8zm4 0v8h3v-8z", 1},
    {"◪", "m0 5h9v10h-9zm1 1v8l7 -8z", 1},
    {"─", "m0 9.5h9v1h-9z", 1},
    {"━", "m0 9h9v2h-9z", 1},
    {"│", "m4 0h1v20h-1z", 1},
    {"┃", "m3.5 0h2v20h-2z", 1},
    {"┆", "m4 1h1.4v4h-1.4zm0 7h1.4v4h-1.4zm0 7h1.4v4h-1.4z", 1},
    {"├", "m4 0h1v20h-1zm1 9.5h4v1h-4z", 1},
    {"┤", "m4 0h1v20h-1zm-4 9.5h4v1h-4z", 1},
    {"┼", "m4 0h1v20h-1zm-4 9.5h9v1h-9z", 1},
    {"┬", "m0 9.5h9v1h-9zm4 1h1v9.5h-1z", 1},
    {"┴", "m0 9.5h9v1h-9zm4 -9.5h1v9.5h-1z", 1},
    {"┌", "m4 9.5h5v1h-4v9.5h-1z", 1},
    {"┐", "m0 9.5h5v10.5h-1v-9.5h-4z", 1},
    {"└", "m4 0h1v9.5h4v1h-5z", 1},
    {"┘", "m4 0h1v10.5h-5v-1h4z", 1},
};

/* Eight dots, two across and four down, each there if its bit is set. Fonts often lack them, and
 * where they have them the width is another. */
static const struct shape braille = {.opacity = 1};

enum { BRAILLE = 0x2800, BRAILLE_DOTS = 8 };

static uint32_t braille_of(const char *text) {
    const char *s = text;
    uint32_t code = base_utf8_next(&s, text + strlen(text));
    return code >= BRAILLE && code < BRAILLE + (1U << BRAILLE_DOTS) ? code - BRAILLE : 0;
}

static const struct shape *find_shape(const char *text) {
    for (size_t i = 0; i < BASE_COUNT(shapes); i++)
        if (!strcmp(shapes[i].text, text)) return &shapes[i];
    return braille_of(text) ? &braille : NULL;
}

struct picture {
    struct base_text out;
    const struct page *p;
    enum page_theme theme;
};

static int x_of(int column) {
    return MARGIN + column * WIDE;
}

static int y_of(int row) {
    return MARGIN + row * HIGH;
}

static void add_ground(struct picture *s, int row, int from, int to, struct look look) {
    if (look.filled)
        base_text_printf(&s->out,
                         "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                         x_of(from), y_of(row), (to - from) * WIDE, HIGH, look.background);
}

/* The last two bits are the row that was added to Braille later. */
static void add_dots(struct base_text *out, int x, int y, uint32_t dots) {
    for (int i = 0; i < BRAILLE_DOTS; i++) {
        int across = i < 6 ? i / 3 : i - 6, down = i < 6 ? i % 3 : 3;
        if (dots >> i & 1)
            base_text_printf(out, "M%g %gh2.5v2.5h-2.5z", x + 1 + 4.5 * across,
                             y + 1.25 + 5 * down);
    }
}

static void add_shapes(struct picture *s, int row, int from, int to, struct look look,
                       const struct shape *shape) {
    base_text_printf(&s->out, "<path fill=\"#%06x\"", look.colour);
    if (shape->opacity < 1) base_text_printf(&s->out, " fill-opacity=\"%.1f\"", shape->opacity);
    base_text_puts(&s->out, " d=\"");
    for (int column = from; column < to; column++)
        if (shape->path)
            base_text_printf(&s->out, "M%d %d%s", x_of(column), y_of(row), shape->path);
        else
            add_dots(&s->out, x_of(column), y_of(row),
                     braille_of(page_cell(s->p, row, column)->text));
    base_text_puts(&s->out, "\"/>\n");
}

static bool is_blank_cell(const struct page *p, int row, int column) {
    return !strcmp(page_cell(p, row, column)->text, " ");
}

static void add_words(struct picture *s, int row, int from, int to, struct look look) {
    bool line = look.attributes & PAGE_UNDERLINE;
    while (!line && from < to && is_blank_cell(s->p, row, from)) from++;
    while (!line && from < to && is_blank_cell(s->p, row, to - 1)) to--;
    if (from >= to) return;
    base_text_printf(&s->out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"",
                     x_of(from), y_of(row) + BASELINE, (to - from) * WIDE, look.colour);
    if (look.attributes & PAGE_BOLD) base_text_puts(&s->out, " font-weight=\"bold\"");
    if (look.attributes & PAGE_ITALIC) base_text_puts(&s->out, " font-style=\"italic\"");
    if (line) base_text_puts(&s->out, " text-decoration=\"underline\"");
    base_text_puts(&s->out, ">");
    for (int column = from; column < to; column++)
        page_xml_add(&s->out, page_cell(s->p, row, column)->text);
    base_text_puts(&s->out, "</text>\n");
}

/* Text of the same look, or the same shape in it. */
static int run_end(const struct picture *s, int row, int from, int end) {
    const struct shape *shape = find_shape(page_cell(s->p, row, from)->text);
    struct look look = look_of(s->theme, page_cell(s->p, row, from));
    int to = from + 1;
    while (to < end && is_same_look(look, look_of(s->theme, page_cell(s->p, row, to))) &&
           find_shape(page_cell(s->p, row, to)->text) == shape)
        to++;
    return to;
}

static void add_svg_row(struct picture *s, int row) {
    int end = row_end(s->p, row, s->theme);
    for (int from = 0, to; from < end; from = to) {
        to = run_end(s, row, from, end);
        const struct page_cell *c = page_cell(s->p, row, from);
        struct look look = look_of(s->theme, c);
        const struct shape *shape = find_shape(c->text);
        add_ground(s, row, from, to, look);
        if (shape)
            add_shapes(s, row, from, to, look, shape);
        else
            add_words(s, row, from, to, look);
    }
}

/* `style`: what is added to the style sheet. */
static void open_svg(struct picture *s, const char *title, const char *style) {
    const struct page *p = s->p;
    int width = 2 * MARGIN + p->width * WIDE, height = 2 * MARGIN + p->height * HIGH;
    base_text_printf(&s->out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                     "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
                     width, height, width, height);
    page_xml_add(&s->out, title ? title : "");
    base_text_printf(&s->out,
                     "</title>\n<style>text{white-space:pre}%s</style>\n<rect width=\"%d\" "
                     "height=\"%d\" rx=\"6\" fill=\"#%06x\"/>\n",
                     style, width, height, themes[s->theme].background);
    base_text_puts(&s->out, "<g font-family=\"" FONTS
                            "\" font-size=\"15\" fill-rule=\"evenodd\" xml:space=\"preserve\">\n");
}

char *page_to_svg(const struct page *p, enum page_theme t, const char *title) {
    struct picture s = {.p = p, .theme = t};
    open_svg(&s, title, "");
    for (int row = 0; row < p->height; row++) add_svg_row(&s, row);
    base_text_puts(&s.out, "</g>\n</svg>\n");
    return base_text_take(&s.out);
}

/* ── SVG that plays ────────────────────────────────────────────────────────────────────────────*/
/* When each frame is seen, in percent of the whole: scripts do not run in a picture, animations of
 * a style sheet do. Whoever wants no motion, or cannot play it, sees the last frame. */
static char *time_frames(const struct page_film *film, size_t frames) {
    struct base_text style = {0};
    int whole = 0, at = 0;
    for (size_t i = 0; i < frames; i++) whole += film[i].ms;
    base_text_puts(&style, "\n.f{visibility:hidden}.f:last-child{visibility:visible}\n");
    for (size_t i = 0; i < frames; i++) {
        base_text_printf(&style, "@keyframes k%zu{", i);
        if (i > 0) base_text_puts(&style, "0%{visibility:hidden}");
        base_text_printf(&style, "%.3f%%{visibility:visible}", 100.0 * at / whole);
        at += film[i].ms;
        if (i + 1 < frames)
            base_text_printf(&style, "%.3f%%{visibility:hidden}", 100.0 * at / whole);
        base_text_printf(&style, "}\n#f%zu{animation:k%zu %dms step-end infinite}\n", i, i, whole);
    }
    base_text_puts(&style, "@media(prefers-reduced-motion:reduce){.f{animation:none!important}}\n");
    return base_text_take(&style);
}

/* Whether a row is the same in all frames: then it is drawn once. */
static bool stays(const struct page_film *film, size_t frames, int row) {
    for (size_t i = 1; i < frames; i++)
        for (int column = 0; column < film[0].page->width; column++)
            if (memcmp(page_cell(film[0].page, row, column), page_cell(film[i].page, row, column),
                       sizeof(struct page_cell)) != 0)
                return false;
    return true;
}

char *page_film_to_svg(const struct page_film *film, size_t frames, enum page_theme t,
                       const char *title) {
    struct picture s = {.p = film[0].page, .theme = t};
    char *style = time_frames(film, frames);
    open_svg(&s, title, style);
    free(style);
    for (int row = 0; row < s.p->height; row++)
        if (stays(film, frames, row)) add_svg_row(&s, row);
    for (size_t i = 0; i < frames; i++) {
        s.p = film[i].page;
        base_text_printf(&s.out, "<g class=\"f\" id=\"f%zu\">\n", i);
        for (int row = 0; row < s.p->height; row++)
            if (!stays(film, frames, row)) add_svg_row(&s, row);
        base_text_puts(&s.out, "</g>\n");
    }
    base_text_puts(&s.out, "</g>\n</svg>\n");
    return base_text_take(&s.out);
}
