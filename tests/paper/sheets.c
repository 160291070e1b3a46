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

/* ── figures whose specs are files ───────────────────────────────────────────────────────────────*/
struct paper *sheet_drawn(const char *folder, const char *name, int width, bool ascii) {
    struct base_message m = {0};
    char *path = base_format("tests/paper/%s/%s.json", folder, name);
    char *spec = base_file_read(path, 1 << 16, NULL, &m);
    if (!spec) fail_msg("%s: %s", path, m.what);
    struct paper *p = sheet_figure(width, ascii, spec);
    free(spec);
    free(path);
    return p;
}

void sheet_pages(const char *folder, const char *name) {
    static const struct {
        int width;
        bool ascii;
    } pages[] = {
        {80,  false},
        {40,  false},
        {80,  true },
        {40,  true },
        {120, false}
    };
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        char *page = base_format("%s-%d%s", name, pages[i].width, pages[i].ascii ? "-ascii" : "");
        struct paper *p = sheet_drawn(folder, name, pages[i].width, pages[i].ascii);
        sheet_is(p, page);
        paper_free(p);
        free(page);
    }
}

void sheet_fits(const char *folder, const char *name) {
    for (int width = 1; width < 140; width++) {
        struct paper *p = sheet_drawn(folder, name, width, width % 2);
        assert_int_equal(paper_width(p), width);
        assert_in_range(paper_height(p), 1, 800);
        for (int row = 0; width >= 40 && row < paper_height(p); row++)
            if (strcmp(paper_cell(p, row, width - 1)->text, " ") != 0)
                fail_msg("%s reaches the margin at %d columns", name, width);
        paper_free(p);
    }
}
