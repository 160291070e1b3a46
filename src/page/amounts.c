/* amounts: numbers of one kind as bars to one scale, each with its text:
 *   {"kind":"amounts","rows":[{"label":"yours","value":105e9,"text":"105 GB"},
 *                             {"label":"it is","value":210e9,"text":"210 GB"}]} */
#include "page/figure.h"

enum { GAP = 2, ROWS = 8, LEAST_CELLS = 6, MOST_CELLS = 60 };

struct amounts {
    size_t count;
    struct amount {
        const char *label, *text;
        double value;
    } row[ROWS];
    /* widths of the columns, and the largest number */
    int labels, texts;
    double most;
};

static int more(int a, int b) {
    return a > b ? a : b;
}

static bool read_amounts(const json_t *spec, struct amounts *a, struct base_message *m) {
    const json_t *list = json_object_get(spec, "rows");
    a->count = json_array_size(list);
    if (a->count < 1 || a->count > ROWS)
        return base_fail(m, "amounts have 1 to %d rows, each {\"label\":…,\"value\":…,\"text\":…}",
                         ROWS);
    for (size_t i = 0; i < a->count; i++) {
        const json_t *one = json_array_get(list, i);
        a->row[i] =
            (struct amount){base_json_text(one, "label", ""), base_json_text(one, "text", ""),
                            base_json_number(one, "value", 0)};
        a->labels = more(a->labels, base_width(a->row[i].label));
        a->texts = more(a->texts, base_width(a->row[i].text));
        if (a->row[i].value > a->most) a->most = a->row[i].value;
    }
    return true;
}

/* The last row is the one that the others are compared with. */
bool page_figure_amounts(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    struct amounts a = {0};
    if (!read_amounts(spec, &a, m)) return false;
    int cells = f.width - a.labels - a.texts - 2 * GAP, bars = f.indent + a.labels + GAP;
    cells = cells > MOST_CELLS ? MOST_CELLS : more(cells, LEAST_CELLS);
    for (size_t i = 0; i < a.count; i++) {
        const struct amount *one = &a.row[i];
        unsigned role = i + 1 == a.count ? PAGE_ACCENT : PAGE_DIM;
        int row = page_height(p);
        page_put(p, row, f.indent, PAGE_PLAIN, 0, one->label);
        if (one->value > 0) page_bar(p, row, bars, cells * one->value / a.most, role);
        page_put(p, row, bars + cells + GAP + a.texts - base_width(one->text), PAGE_STRONG, 0,
                 one->text);
    }
    return true;
}

bool page_words_amounts(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct amounts a = {0};
    if (!read_amounts(spec, &a, m)) return false;
    for (size_t i = 0; i < a.count; i++) page_say(p, f, "%s: %s.", a.row[i].label, a.row[i].text);
    return true;
}
