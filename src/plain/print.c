/* print: pages go out as text, or with colours where they are wanted. */
#include "plain/inside.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, NARROWEST = 20 };

struct paper *print_begin(const struct talk *t) {
    int width = t->options->width ? t->options->width : COLUMNS;
    return paper_new(width < NARROWEST ? NARROWEST : width, t->ascii);
}

void print_page(struct talk *t, struct paper *p) {
    char *text = t->colours ? paper_to_ansi(p, t->theme, t->colours) : paper_to_text(p);
    size_t n = strlen(text), skip = t->blank && *text == '\n';
    fputs(text + skip, t->out);
    if (n) t->blank = n < 2 ? *text == '\n' : strcmp(text + n - 2, "\n\n") == 0;
    free(text);
    paper_free(p);
}

void print_markdown(struct talk *t, unsigned role, const char *markdown) {
    struct paper *p = print_begin(t);
    paper_markdown(p, (struct paper_flow){.role = role}, markdown);
    paper_blank(p, 1);
    print_page(t, p);
}
