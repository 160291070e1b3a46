#include "sheets.h"

#include "base/golden.h"
#include "page/said.h"

#include <stdlib.h>
#include <string.h>

void sheet_reads(const struct page *p, const char *text) {
    char *got = page_to_text(p);
    if (strcmp(got, text) != 0)
        print_error("the page reads\n%s<end>\nand not\n%s<end>\n", got, text);
    assert_true(strcmp(got, text) == 0);
    free(got);
}

void sheet_is(const struct page *p, const char *name) {
    char *got = page_to_text(p);
    golden_is("page", name, got);
    free(got);
}

static struct page_flow margins(int width) {
    return width < 8 ? (struct page_flow){0} : (struct page_flow){.indent = 1, .width = width - 2};
}

struct page *sheet_figure(int width, bool ascii, const char *spec) {
    struct base_message m = {0};
    struct page *p = page_new(width, ascii);
    json_t *figure = base_json_read(spec, strlen(spec), "spec", &m);
    if (!figure || !page_figure(p, margins(width), figure, &m)) fail_msg("%s: %s", spec, m.what);
    if (width == 80 && !ascii) said_holds(figure);
    json_decref(figure);
    return p;
}

struct page *sheet_markdown(int width, bool ascii, const char *markdown) {
    struct page *p = page_new(width, ascii);
    page_markdown(p, margins(width), markdown);
    return p;
}

char *sheet_row(const struct page *p, int row) {
    struct base_text out = {0};
    for (int column = 0; column < page_width(p); column++)
        base_text_puts(&out, page_cell(p, row, column)->text);
    return base_text_take(&out);
}

int sheet_cells(const struct page *p, int row, enum account_category c) {
    int n = 0;
    for (int column = 0; column < page_width(p); column++)
        n += page_cell(p, row, column)->role == PAGE_CATEGORY + (unsigned)c;
    return n;
}

/* ── figures whose specs are files ─────────────────────────────────────────────────────────────*/
struct page *sheet_drawn(const char *folder, const char *name, int width, bool ascii) {
    struct base_message m = {0};
    char *path = base_format("tests/page/%s/%s.json", folder, name);
    char *spec = base_file_read(path, 1 << 16, NULL, &m);
    if (!spec) fail_msg("%s: %s", path, m.what);
    struct page *p = sheet_figure(width, ascii, spec);
    free(spec);
    free(path);
    return p;
}

void sheet_pages(const char *folder, const char *name) {
    static const struct {
        int width;
        bool ascii;
    } pages[] = {{80, false}, {40, false}, {80, true}, {40, true}, {120, false}};
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        char *page = base_format("%s-%d%s", name, pages[i].width, pages[i].ascii ? "-ascii" : "");
        struct page *p = sheet_drawn(folder, name, pages[i].width, pages[i].ascii);
        sheet_is(p, page);
        page_free(p);
        free(page);
    }
}

void sheet_fits(const char *folder, const char *name) {
    for (int width = 1; width < 140; width++) {
        struct page *p = sheet_drawn(folder, name, width, width % 2);
        assert_int_equal(page_width(p), width);
        assert_in_range(page_height(p), 1, 800);
        for (int row = 0; width >= 40 && row < page_height(p); row++)
            if (strcmp(page_cell(p, row, width - 1)->text, " ") != 0)
                fail_msg("%s reaches the margin at %d columns", name, width);
        page_free(p);
    }
}

void sheet_refuses(const char *folder) {
    struct base_message m = {0};
    char *path = base_format("tests/page/%s/wrong.json", folder);
    json_t *wrong = base_json_read_file(path, &m), *row;
    size_t i;
    if (!wrong) fail_msg("%s: %s", path, m.what);
    assert_true(json_array_size(wrong) > 5);
    json_array_foreach(wrong, i, row) {
        const char *says = base_json_text(row, "says", NULL);
        struct page *p = page_new(60, false);
        if (page_figure(p, (struct page_flow){0}, json_object_get(row, "spec"), &m))
            fail_msg("%s: row %zu is drawn, and not refused with: %s", path, i + 1, says);
        if (!strstr(m.what, says))
            fail_msg("%s: row %zu says \"%s\", and not: %s", path, i + 1, m.what, says);
        assert_int_equal(page_height(p), 0);
        page_free(p);
    }
    json_decref(wrong);
    free(path);
}
