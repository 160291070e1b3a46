/* A table whose cells are the lesson's own text. */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200, MOST_COLUMNS = 16 };

static bool read_row(const json_t *row, size_t number, size_t columns, const char **cell,
                     struct base_message *m) {
    if (json_array_size(row) != columns)
        return base_fail(m, "row %zu of the table has %zu cells, not %zu", number,
                         json_array_size(row), columns);
    for (size_t i = 0; i < columns; i++) {
        cell[i] = json_string_value(json_array_get(row, i));
        if (!cell[i])
            return base_fail(m, "row %zu of the table: cell %zu is not text", number, i + 1);
    }
    return true;
}

bool page_figure_table(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    const json_t *head = json_object_get(spec, "head"), *rows = json_object_get(spec, "rows");
    size_t first = head ? 1 : 0, n = json_array_size(rows),
           columns = json_array_size(head ? head : json_array_get(rows, 0));
    if (n == 0 || n > MOST_ROWS || columns == 0 || columns > MOST_COLUMNS)
        return base_fail(m,
                         "a table has 1 to %d rows of 1 to %d cells: "
                         "{\"head\":[…],\"rows\":[[…],…],\"align\":\"lr\"}",
                         MOST_ROWS, MOST_COLUMNS);
    const char *align = base_json_text(spec, "align", ""),
               **cell = base_alloc((n + first) * columns * sizeof *cell);
    bool fine =
        strspn(align, "lrcd") == strlen(align) ||
        base_fail(m, "a table's align is a letter a column, l, r, c or d: not \"%s\"", align);
    if (head) fine = fine && read_row(head, 0, columns, cell, m);
    for (size_t i = 0; fine && i < n; i++)
        fine = read_row(json_array_get(rows, i), i + 1, columns, cell + (i + first) * columns, m);
    if (fine) page_table(p, f, cell, n + first, columns, align, head != NULL);
    free(cell);
    return fine;
}
