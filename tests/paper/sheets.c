#include "sheets.h"

#include "base/golden.h"

#include <stdlib.h>
#include <string.h>

void sheet_reads(const struct paper *p, const char *text) {
    char *got = paper_to_text(p);
    if (strcmp(got, text) != 0)
        print_error("the page reads\n%s<end>\nand not\n%s<end>\n", got, text);
    assert_true(strcmp(got, text) == 0);
    free(got);
}

void sheet_is(const struct paper *p, const char *name) {
    char *got = paper_to_text(p);
    golden_is("paper", name, got);
    free(got);
}

static struct paper_flow margins(int width) {
    return width < 8 ? (struct paper_flow){0}
                     : (struct paper_flow){.indent = 1, .width = width - 2};
}

struct paper *sheet_figure(int width, bool ascii, const char *spec) {
    struct base_message m = {0};
    struct paper *p = paper_new(width, ascii);
    json_t *figure = base_json_read(spec, strlen(spec), "spec", &m);
    if (!figure || !paper_figure(p, margins(width), figure, &m)) fail_msg("%s: %s", spec, m.what);
    json_decref(figure);
    return p;
}

struct paper *sheet_markdown(int width, bool ascii, const char *markdown) {
    struct paper *p = paper_new(width, ascii);
    paper_markdown(p, margins(width), markdown);
    return p;
}

char *sheet_row(const struct paper *p, int row) {
    struct base_text out = {0};
    for (int column = 0; column < paper_width(p); column++)
        base_text_puts(&out, paper_cell(p, row, column)->text);
    return base_text_take(&out);
}
