/* print: pages go out as text, or with colours where they are wanted. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, NARROWEST = 20 };

struct page *linear_print_begin(const struct talk *t) {
    int width = t->options->width ? t->options->width : COLUMNS;
    struct page *p = page_new(width < NARROWEST ? NARROWEST : width, t->ascii);
    page_set_colours(p, t->colours);
    return p;
}

void linear_print_page(struct talk *t, struct page *p) {
    char *text = t->colours ? page_to_ansi(p, t->theme, t->colours) : page_to_text(p);
    size_t n = strlen(text), skip = t->blank && *text == '\n';
    fputs(text + skip, t->out);
    if (n) t->blank = n < 2 ? *text == '\n' : strcmp(text + n - 2, "\n\n") == 0;
    free(text);
    page_free(p);
}

void linear_print_markdown(struct talk *t, unsigned role, const char *markdown) {
    struct page *p = linear_print_begin(t);
    page_markdown(p, (struct page_flow){.role = role}, markdown);
    page_blank(p, 1);
    linear_print_page(t, p);
}
