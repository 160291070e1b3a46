/* What happened, a line each: the last of them. What is too long for its line is cut, and seen to be; the very last is told whole.
 *
 *   {"kind":"lab-log","runs":[{"label":"stage 2","lines":["…"],"broken":0}],"rows":8} */
#include "page/lab.h"

#include <string.h>

enum { ROWS = 8, MOST_ROWS = 500 };

static void draw_line(struct page *p, struct page_flow f, const char *text) {
    int row = p->height, end = f.indent + f.width;
    bool cut = page_measure(p, text) > f.width;
    struct page_ink ink = {.ascii = p->ascii};
    page_blank(p, 1);
    page_ink_add(&ink, PAGE_PLAIN, 0, text, strlen(text));
    page_ink_draw(p, row, f.indent, end - cut, &ink, (struct page_line){0, ink.n});
    if (cut) page_put(p, row, end - 1, PAGE_DIM, 0, p->ascii ? ">" : "›");
    page_ink_free(&ink);
}

static void draw_run(struct page *p, struct page_flow f, const json_t *run, size_t rows,
                     bool label) {
    const json_t *lines = json_object_get(run, "lines");
    size_t n = json_array_size(lines);
    int64_t broken = base_json_int(run, "broken", 0);
    const char *name = base_json_text(run, "label", "");
    if (label && *name) page_put(p, p->height, f.indent, PAGE_STRONG, 0, name);
    if (!n) page_lab_note(p, f, "Nothing happened yet.");
    for (size_t i = n > rows ? n - rows : 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(lines, i));
        if (text && i + 1 == n)
            page_text(p, f, text);
        else
            draw_line(p, f, text ? text : "");
    }
    if (broken > 0)
        page_lab_note(p, f, "%lld %s passed over.", (long long)broken,
                      broken == 1 ? "line was no event and was" : "lines were no events and were");
}

bool page_figure_lab_log(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    const json_t *runs[LAB_RUNS];
    size_t n;
    int64_t rows = base_json_int(spec, "rows", ROWS);
    if (!page_lab_runs(spec, runs, &n, m)) return false;
    for (size_t i = 0; i < n; i++)
        draw_run(p, f, runs[i], rows < 1 ? 1 : rows > MOST_ROWS ? MOST_ROWS : (size_t)rows, n > 1);
    return true;
}
