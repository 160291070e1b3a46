/* A flat buffer cut into shards: element by element where they fit, the padding at its end; over
 * them the tensors it is made of, under them who owns what. Of larger buffers a box a rank says
 * where its shard begins and ends.
 *
 *   {"kind":"flat","elements":10,"ranks":4,"names":[["w",6],["b",4]],"rank":1}
 *       names, and the rank that is drawn in another colour, may be left out
 *   {"kind":"flat","training":{"params":10,"gpus":4}}
 *       the same cut; for sliders */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NAMES = 16,
    MOST_ROWS = 4,
    WIDE_CELL = 4,
    LEAST_BOX = 9,
    MOST_BOX = 24,
    MOST_BOXES = 8,
    FEW = 3
};

struct name {
    const char *text;
    uint64_t from, to;
};
struct flat {
    /* a shard's */
    struct account_problem problem;
    uint64_t elements, size, padding;
    uint32_t ranks;
    /* that stands out; -1: none */
    int64_t rank;
    size_t names;
    struct name name[MOST_NAMES];
    /* element by element */
    bool fine;
    /* a line for each rank, if boxes do not fit */
    bool listed;
    /* columns of an element; else of a box */
    int cell;
    /* boxes in a row; rows of a box, and those that its words take */
    int across, high, lines;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static uint64_t shard(const struct flat *b, uint32_t rank, enum account_piece piece) {
    struct account_problem p = b->problem;
    struct account_solution s;
    struct account_error e;
    p.rank = rank;
    p.piece = piece;
    return account_solve(&p, &s, &e) ? (uint64_t)s.value : 0;
}

static bool read_names(const json_t *list, struct flat *b, struct base_message *m) {
    uint64_t at = 0;
    b->names = json_array_size(list);
    if (list && (b->names == 0 || b->names > MOST_NAMES))
        return base_fail(m, "names of a flat buffer are 1 to %d pairs, such as [\"w\",6]",
                         MOST_NAMES);
    for (size_t i = 0; i < b->names; i++) {
        const json_t *pair = json_array_get(list, i);
        const char *text = json_string_value(json_array_get(pair, 0));
        double length = json_number_value(json_array_get(pair, 1));
        if (!text || !(length >= 1) || length > 1e17)
            return base_fail(m,
                             "name %zu of the flat buffer is not a name and its elements, such "
                             "as [\"w\",6]",
                             i + 1);
        b->name[i] = (struct name){text, at, at + (uint64_t)length};
        at = b->name[i].to;
    }
    return !list || at == b->elements ||
           base_fail(m, "the names hold %llu elements, the buffer %llu: make their lengths add up",
                     (unsigned long long)at, (unsigned long long)b->elements);
}

/* Both as they stand in the spec, or a training's parameters and GPUs. */
static bool read_size(const json_t *spec, double *elements, int64_t *ranks,
                      struct base_message *m) {
    const json_t *training = json_object_get(spec, "training");
    struct account_training t;
    *elements = base_json_number(spec, "elements", 0);
    *ranks = base_json_int(spec, "ranks", 0);
    if (!training) return true;
    if (!page_training_read(training, &t, m)) return false;
    *elements = (double)t.params;
    *ranks = t.gpus;
    return true;
}

static bool read_flat(const json_t *spec, struct flat *b, struct base_message *m) {
    double elements;
    int64_t ranks;
    if (!read_size(spec, &elements, &ranks, m)) return false;
    if (!(elements >= 1) || elements > 1e17 || ranks < 1 || ranks > 1000000)
        return base_fail(m, "a flat buffer has elements and ranks, such as "
                            "{\"elements\":10,\"ranks\":4}");
    b->rank = base_json_int(spec, "rank", -1);
    if (b->rank < -1 || b->rank >= ranks)
        return base_fail(m, "rank cannot be %lld: with %lld ranks set 0 to %lld",
                         (long long)b->rank, (long long)ranks, (long long)ranks - 1);
    b->elements = (uint64_t)elements;
    b->ranks = (uint32_t)ranks;
    b->problem = account_problem_default();
    b->problem.kind = ACCOUNT_ASK_SHARD;
    b->problem.training.params = b->elements;
    b->problem.training.gpus = b->ranks;
    b->problem.unit = ACCOUNT_UNIT_PARAMS;
    b->size = shard(b, 0, ACCOUNT_PIECE_SIZE);
    b->padding = shard(b, 0, ACCOUNT_PIECE_PADDING);
    return read_names(json_object_get(spec, "names"), b, m);
}

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
/* Boxes of so many columns, with a line before each and after the last. */
static int boxes(int width, int box) {
    return box < width ? (width - 1) / (box + 1) : 0;
}

static int digits(uint64_t n) {
    int d = 1;
    for (; n >= 10; n /= 10) d++;
    return d;
}

/* The widest cells with which all shards stand in the fewest rows; thick ones may be wider. */
static bool lay_out_fine(const struct page *p, struct flat *b, struct page_flow f) {
    int least = digits(b->elements - 1) + 1, best = MOST_ROWS + 1;
    if (b->size > (uint64_t)f.width || b->ranks > 64) return false;
    for (int cell = WIDE_CELL * p->thick; cell >= least; cell--) {
        int across = boxes(f.width, cell * (int)b->size + 1), n = (int)b->ranks;
        int high = across > 0 ? (n + across - 1) / across : best;
        if (high >= best) continue;
        best = high;
        b->cell = cell;
        b->across = (n + high - 1) / high;
    }
    return best <= MOST_ROWS;
}

/* Boxes wide enough for the largest number and a dash; a list where fewer than a few fit. */
static void lay_out(const struct page *p, struct flat *b, struct page_flow f) {
    b->fine = lay_out_fine(p, b, f);
    if (b->fine) return;
    char *largest = page_tokens((double)b->elements);
    int least = page_measure(p, largest) + 1;
    int most = boxes(f.width, least < LEAST_BOX ? LEAST_BOX : least);
    b->listed = most < FEW && b->ranks > (uint32_t)most;
    most = b->listed || most > MOST_BOXES ? MOST_BOXES : most;
    b->across = b->ranks < (uint32_t)most ? (int)b->ranks : most;
    b->cell = (f.width - 1) / b->across - 1;
    b->cell = b->cell > MOST_BOX ? MOST_BOX : b->cell;
    free(largest);
}

static int box_width(const struct flat *b) {
    return b->fine ? b->cell * (int)b->size + 1 : b->cell;
}

/* ── boxes ─────────────────────────────────────────────────────────────────────────────────────*/
static unsigned role_of(const struct flat *b, uint32_t rank) {
    return b->rank == rank ? PAGE_ACCENT : PAGE_PLAIN;
}

static void draw_rule(struct page *p, const struct flat *b, int row, int left, int n,
                      const char *const sign[3]) {
    int box = box_width(b) + 1;
    for (int i = 0; i <= n * box; i++)
        page_put(p, row, left + i, PAGE_DIM, 0,
                 i == 0         ? sign[0]
                 : i == n * box ? sign[2]
                 : i % box == 0 ? sign[1]
                                : "─");
}

/* Numbers stand in the middle of their cells, padding fills them. */
static void draw_elements(struct page *p, const struct flat *b, uint32_t rank, int row, int left) {
    int middle = row + (b->high - 1) / 2, beside = b->cell > 3 ? b->cell / 2 - 1 : 0;
    uint64_t first = shard(b, rank, ACCOUNT_PIECE_FIRST), real = shard(b, rank, ACCOUNT_PIECE_REAL);
    for (uint64_t i = 0; i < b->size; i++) {
        int end = left + ((int)i + 1) * b->cell - beside;
        for (int y = row; i >= real && y < row + b->high; y++) page_right(p, y, end, PAGE_DIM, "·");
        if (i >= real) continue;
        char *text = base_format("%llu", (unsigned long long)(first + i));
        page_right(p, middle, end, role_of(b, rank), text);
        free(text);
    }
}

/* "3–5", "9", "nothing but padding". */
static char *range_text(const struct flat *b, uint32_t rank) {
    uint64_t first = shard(b, rank, ACCOUNT_PIECE_FIRST), real = shard(b, rank, ACCOUNT_PIECE_REAL);
    if (real == 0) return base_dup("padding");
    char *from = page_tokens((double)first), *to = page_tokens((double)(first + real - 1));
    char *text = real == 1 ? base_dup(from) : base_format("%s–%s", from, to);
    free(from);
    free(to);
    return text;
}

static void put_centred(struct page *p, int row, int left, int width, unsigned role,
                        const char *text) {
    int own = page_measure(p, text);
    if (own <= width) page_put(p, row, left + (width - own) / 2, role, 0, text);
}

/* First and last element, in two lines where they do not fit in one. */
static void draw_range(struct page *p, const struct flat *b, uint32_t rank, int row, int left) {
    char *text = range_text(b, rank), *dash = strstr(text, "–");
    row += (b->high - b->lines) / 2;
    if (b->lines > 1 && dash) {
        put_centred(p, row + 1, left, b->cell, role_of(b, rank), dash);
        *dash = '\0';
    }
    put_centred(p, row, left, b->cell, role_of(b, rank), text);
    free(text);
}

static bool needs_two(const struct page *p, const struct flat *b) {
    char *text = range_text(b, b->ranks > 1 ? b->ranks - 2 : 0);
    bool two = !b->fine && page_measure(p, text) > b->cell;
    free(text);
    return two;
}

/* The rank of a box. If not all fit, those before the last one are left out. */
static int64_t rank_at(const struct flat *b, uint32_t from, int i) {
    bool all = b->fine || b->ranks == (uint32_t)b->across;
    if (all) return (int64_t)from + i;
    return i + 1 == b->across ? (int64_t)b->ranks - 1 : i + 2 == b->across ? -1 : i;
}

static void draw_box(struct page *p, const struct flat *b, int64_t rank, int row, int left) {
    int width = box_width(b);
    if (rank < 0) {
        put_centred(p, row + (b->high - 1) / 2, left, width, PAGE_DIM, "…");
        return;
    }
    if (b->fine)
        draw_elements(p, b, (uint32_t)rank, row, left);
    else
        draw_range(p, b, (uint32_t)rank, row, left);
    char *label = base_format(width < 7 ? "r%lld" : "rank %lld", (long long)rank);
    put_centred(p, row + b->high + 1, left, width, role_of(b, (uint32_t)rank), label);
    free(label);
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/
/* Columns of an element in this row of boxes. */
static int column_of(const struct flat *b, uint32_t from, uint64_t element, bool end) {
    uint64_t first = (uint64_t)from * b->size, i = element - first;
    if (end) i--;
    int column = (int)(i / b->size) * (box_width(b) + 1) + 1 + (int)(i % b->size) * b->cell;
    return end ? column + b->cell : column;
}

/* Over the tensor's elements of this row. */
static void draw_name(struct page *p, const struct flat *b, uint32_t from, const struct name *n,
                      int row, int left) {
    uint64_t first = (uint64_t)from * b->size, last = first + (uint64_t)b->across * b->size;
    if (n->to <= first || n->from >= last) return;
    int start = left + column_of(b, from, n->from < first ? first : n->from, false);
    int end = left + column_of(b, from, n->to > last ? last : n->to, true);
    page_bracket(p, row, start, end, n->text);
}

/* Names of a large buffer: with how many elements each has, in a line. */
static void draw_name_list(struct page *p, const struct flat *b, struct page_flow f) {
    struct base_text line = {0};
    for (size_t i = 0; i < b->names; i++) {
        char *count = page_tokens((double)(b->name[i].to - b->name[i].from));
        base_text_puts(&line, i ? " · " : "");
        base_text_puts(&line, b->name[i].text);
        base_text_puts(&line, "\u00a0");
        base_text_puts(&line, count);
        free(count);
    }
    char *text = base_text_take(&line);
    page_text(p, f, text);
    free(text);
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
static void draw_boxes(struct page *p, const struct flat *b, uint32_t from, struct page_flow f) {
    static const char *const above[] = {"┌", "┬", "┐"}, *const under[] = {"└", "┴", "┘"};
    int row = p->height, left = f.indent, n = b->across;
    if (b->fine && from + (uint32_t)n > b->ranks) n = (int)(b->ranks - from);
    if (b->fine && b->names) {
        page_blank(p, 1);
        for (size_t i = 0; i < b->names; i++) draw_name(p, b, from, &b->name[i], row, left);
        row++;
    }
    draw_rule(p, b, row, left, n, above);
    draw_rule(p, b, row + b->high + 1, left, n, under);
    for (int k = 1; k <= b->high; k++)
        for (int i = 0; i <= n; i++)
            page_put(p, row + k, left + i * (box_width(b) + 1), PAGE_DIM, 0, "│");
    for (int i = 0; i < n; i++)
        draw_box(p, b, rank_at(b, from, i), row + 1, left + i * (box_width(b) + 1) + 1);
}

static void draw_list(struct page *p, const struct flat *b, struct page_flow f) {
    for (int i = 0; i < b->across; i++) {
        int64_t rank = rank_at(b, 0, i);
        int row = p->height;
        if (rank < 0) {
            page_put(p, row, f.indent, PAGE_DIM, 0, "…");
            continue;
        }
        char *range = range_text(b, (uint32_t)rank);
        int column = page_printf(p, row, f.indent, PAGE_DIM, "rank %lld", (long long)rank);
        page_put(p, row, column + 2, role_of(b, (uint32_t)rank), 0, range);
        free(range);
    }
}

/* The caller's. */
static char *sums_text(const struct flat *b) {
    char *elements = page_tokens((double)b->elements), *size = page_tokens((double)b->size),
         *all = page_tokens((double)(b->elements + b->padding)),
         *padding = page_tokens((double)b->padding);
    char *text =
        b->padding
            ? base_format("%s elements ÷ %u ranks, rounded up: %s on each, %s in total, %s of them "
                          "padding.",
                          elements, b->ranks, size, all, padding)
            : base_format("%s elements ÷ %u ranks: %s on each rank, and no padding.", elements,
                          b->ranks, size);
    free(elements);
    free(size);
    free(all);
    free(padding);
    return text;
}

static void say_sums(struct page *p, const struct flat *b, const json_t *spec, struct page_flow f) {
    json_t *was = json_object_get(spec, "before"),
           *moved = was ? json_pack("{sO}", "training", was) : NULL;
    struct flat then = {0};
    char *now = sums_text(b), *before = NULL;
    if (moved && read_flat(moved, &then, NULL)) before = sums_text(&then);
    f.role = PAGE_PLAIN;
    page_text_changed(p, f, now, before);
    free(before);
    free(now);
    json_decref(moved);
}

bool page_figure_flat(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct flat b = {0};
    if (!read_flat(spec, &b, m)) return false;
    lay_out(p, &b, f);
    b.lines = needs_two(p, &b) ? 2 : 1;
    b.high = p->thick > b.lines ? p->thick : b.lines;
    if (!b.fine && b.names) draw_name_list(p, &b, f);
    if (b.listed) draw_list(p, &b, f);
    for (uint32_t from = 0; !b.listed && from < (b.fine ? b.ranks : 1); from += (uint32_t)b.across)
        draw_boxes(p, &b, from, f);
    page_blank(p, 1);
    say_sums(p, &b, spec, f);
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* As many ranks are told one by one; of more the first ones and the last. */
enum { TOLD = 16 };

static void say_names(struct page *p, const struct flat *b, struct page_flow f) {
    for (size_t i = 0; i < b->names; i++) {
        const struct name *n = &b->name[i];
        char *count = page_tokens((double)(n->to - n->from)), *from = page_tokens((double)n->from),
             *to = page_tokens((double)(n->to - 1));
        page_say(p, f, "%s has %s elements, from %s to %s.", n->text, count, from, to);
        free(to);
        free(from);
        free(count);
    }
}

/* "elements 3 to 5", "element 9". */
static char *range_words(const struct flat *b, uint32_t rank) {
    char *range = range_text(b, rank), *dash = strstr(range, "–");
    char *words =
        dash ? base_format("elements %.*s to %s", (int)(dash - range), range, dash + strlen("–"))
             : base_format("element %s", range);
    free(range);
    return words;
}

static void say_rank(struct page *p, const struct flat *b, uint32_t rank, struct page_flow f) {
    uint64_t real = shard(b, rank, ACCOUNT_PIECE_REAL);
    char *range = range_words(b, rank), *padding = page_tokens((double)(b->size - real));
    if (real == 0)
        page_say(p, f, "Rank %u has nothing but %s of padding.", rank, padding);
    else if (real < b->size)
        page_say(p, f, "Rank %u has %s, and %s of padding.", rank, range, padding);
    else
        page_say(p, f, "Rank %u has %s.", rank, range);
    free(padding);
    free(range);
}

bool page_words_flat(struct page *p, struct page_flow f, const json_t *spec,
                     struct base_message *m) {
    struct flat b = {0};
    if (!read_flat(spec, &b, m)) return false;
    say_names(p, &b, f);
    for (uint32_t r = 0; r < b.ranks; r++)
        if (r + 1 < TOLD || r + 1 == b.ranks) say_rank(p, &b, r, f);
    char *sums = sums_text(&b);
    page_text(p, f, sums);
    free(sums);
    return true;
}
