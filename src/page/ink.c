/* Ink: bytes of text, each with a role and attributes, on their way onto a page. */
#include "page/internal.h"
#include "voice/voice.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unilbrk.h>

static void append(struct page_ink *ink, unsigned role, unsigned attributes, const char *s,
                   size_t n) {
    if (n == 0) return;
    if (ink->n + n > ink->capacity) {
        ink->capacity = (ink->n + n) * 2 + 32;
        ink->s = base_grow(ink->s, ink->capacity, 1);
        ink->role = base_grow(ink->role, ink->capacity, 1);
        ink->attributes = base_grow(ink->attributes, ink->capacity, 1);
    }
    memcpy(ink->s + ink->n, s, n);
    memset(ink->role + ink->n, (int)role, n);
    memset(ink->attributes + ink->n, (int)attributes, n);
    ink->n += n;
}

void page_ink_add(struct page_ink *ink, unsigned role, unsigned attributes, const char *s,
                  size_t n) {
    if (n == 0) return;
    char *clean = base_clean_dup(s, n, n * 3);
    bool ascii = ink->ascii && !ink->spoken; /* signs are said before they are replaced */
    char *text = ascii ? page_ascii_dup(clean, strlen(clean), role) : base_dup(clean);
    append(ink, role, attributes, text, strlen(text));
    free(text);
    free(clean);
}

void page_ink_clear(struct page_ink *ink) {
    ink->n = 0;
}

void page_ink_free(struct page_ink *ink) {
    free(ink->s);
    free(ink->role);
    free(ink->attributes);
    *ink = (struct page_ink){.ascii = ink->ascii, .spoken = ink->spoken};
}

/* ── for the ear ───────────────────────────────────────────────────────────────────────────────*/
/* Up to the end of what has the same role as the byte at `from`. */
static size_t role_end(const struct page_ink *ink, size_t from) {
    size_t end = from;
    while (end < ink->n && ink->role[end] == ink->role[from]) end++;
    return end;
}

/* Whether it is what one types, or code: formulas have signs that no keyboard has. "2*13 + …" has
 * none. */
static bool is_typed(const struct page_ink *ink, size_t from, size_t end) {
    static const char more[] = "…";
    if (ink->role[from] != PAGE_CODE) return false;
    while (from < end && (unsigned char)ink->s[from] < 0x80) from++;
    return from == end ||
           (end - from == sizeof more - 1 && memcmp(ink->s + from, more, sizeof more - 1) == 0);
}

/* Words, and for each of their bytes the offset in the ink of the sign that it replaces. */
struct saying {
    struct base_text words;
    size_t *from;
};

/* Says [at, end) of a text; returns where it stopped, as a sign may reach further. */
static size_t say_stretch(struct saying *to, const char *text, size_t at, size_t end, bool typed) {
    while (at < end) {
        size_t before = to->words.length,
               took = typed ? 0 : voice_words_at(text, text + at, &to->words);
        if (took == 0) base_text_add(&to->words, text + at, took = 1);
        to->from = base_grow(to->from, to->words.length + 1, sizeof *to->from);
        for (size_t i = before; i < to->words.length; i++) to->from[i] = at;
        at += took;
    }
    return at;
}

void page_ink_say(struct page_ink *ink, bool typed) {
    if (!ink->spoken || ink->n == 0) return;
    struct saying said = {0};
    struct page_ink as = {.ascii = ink->ascii};
    char *text = base_format("%.*s", (int)ink->n, ink->s);
    for (size_t from = 0; from < ink->n;) {
        size_t end = role_end(ink, from);
        from = say_stretch(&said, text, from, end, typed || is_typed(ink, from, end));
    }
    for (size_t i = 0, end; i < said.words.length; i = end) {
        size_t at = said.from[i];
        for (end = i + 1; end < said.words.length; end++)
            if (ink->role[said.from[end]] != ink->role[at] ||
                ink->attributes[said.from[end]] != ink->attributes[at])
                break;
        page_ink_add(&as, ink->role[at], ink->attributes[at], said.words.s + i, end - i);
    }
    page_ink_free(ink);
    *ink = as;
    ink->spoken = true;
    free(said.from);
    base_text_free(&said.words);
    free(text);
}

int page_ink_width(const struct page_ink *ink, size_t from, size_t to) {
    int width = 0;
    while (from < to) {
        size_t n = page_grapheme(ink->s + from, ink->s + to);
        width += page_grapheme_width(ink->s + from, n);
        from += n;
    }
    return width;
}

/* One style's run at a time, so that a grapheme is never split between two puts. */
static size_t run_end(const struct page_ink *ink, struct page_line line) {
    size_t at = line.from;
    while (at < line.to && ink->role[at] == ink->role[line.from] &&
           ink->attributes[at] == ink->attributes[line.from])
        at += page_grapheme(ink->s + at, ink->s + line.to);
    return at;
}

/* How much of [from, to) fits in `cells`. */
static size_t fitting(const struct page_ink *ink, size_t from, size_t to, int cells) {
    while (from < to) {
        size_t n = page_grapheme(ink->s + from, ink->s + to);
        cells -= page_grapheme_width(ink->s + from, n);
        if (cells < 0) break;
        from += n;
    }
    return from;
}

int page_ink_draw(struct page *p, int row, int column, int end, const struct page_ink *ink,
                  struct page_line line) {
    assert(line.to <= ink->n);
    if (line.from < line.to) line.to = fitting(ink, line.from, line.to, end - column);
    while (line.from < line.to) {
        size_t stop = run_end(ink, line), n = stop - line.from;
        char *run = base_alloc(n + 1);
        memcpy(run, ink->s + line.from, n);
        column = page_put(p, row, column, ink->role[line.from], ink->attributes[line.from], run);
        free(run);
        line.from = stop;
    }
    return column;
}

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
enum { WIDEST_PROSE = 80 };

struct page_flow page_flow_fit(const struct page *p, struct page_flow f) {
    if (f.indent < 0) f.indent = 0;
    if (f.indent >= p->width) f.indent = p->width - 1;
    int space = p->width - f.indent;
    if (f.width <= 0) f.width = space < WIDEST_PROSE ? space : WIDEST_PROSE;
    if (f.width > space) f.width = space;
    return f;
}

static bool is_unit(const char *s, size_t n) {
    static const char *const units[] = {
        "B",    "kB",   "KB", "MB", "GB",   "TB",  "KiB", "MiB",   "GiB",  "TiB", "GB/s", "Gb/s",
        "MB/s", "TB/s", "ms", "s",  "GPUs", "GPU", "%",   "bytes", "byte", "min", "bits", "bit"};
    for (size_t i = 0; i < BASE_COUNT(units); i++)
        if (strlen(units[i]) == n && !memcmp(units[i], s, n)) return true;
    return false;
}

static bool ends_word(char c) {
    return strchr(" \n.,;:!?)]", c) != NULL;
}

/* Forbids the break between a digit and its unit, and within a rate such as GB/s or a fraction such
 * as 1/β or Ψ/N: `at` is where the unit would start a line. */
static bool is_glued(const struct page_ink *ink, size_t at) {
    if (at < 2) return false;
    char before = ink->s[at - 2];
    bool digit = before >= '0' && before <= '9', slash = ink->s[at - 1] == '/';
    if (digit && slash) return true;
    if (!slash && !(digit && ink->s[at - 1] == ' ')) return false;
    size_t end = at;
    while (end < ink->n && !ends_word(ink->s[end])) end++;
    return (slash && end - at == 1) || is_unit(ink->s + at, end - at);
}

/* Forbids the break between "stage" and its number: at the head of a line "3 each" says another
 * thing. */
static bool is_numbered(const struct page_ink *ink, size_t at) {
    static const char *const named[] = {"stage", "rank", "lesson", "phase"};
    if (at < 2 || at >= ink->n || ink->s[at] < '0' || ink->s[at] > '9' || ink->s[at - 1] != ' ')
        return false;
    size_t from = at - 1;
    while (from > 0 && isalpha((unsigned char)ink->s[from - 1])) from--;
    for (size_t i = 0; i < BASE_COUNT(named); i++)
        if (at - 1 - from == strlen(named[i]) &&
            strncasecmp(ink->s + from, named[i], at - 1 - from) == 0)
            return true;
    return false;
}

/* Signs that begin a word stay with it: --seed, :quit, ->. */
static bool only_signs_before(const struct page_ink *ink, size_t at) {
    size_t from = at;
    while (from > 0 && strchr("-:/(", ink->s[from - 1]) != NULL) from--;
    return from < at && (from == 0 || ink->s[from - 1] == ' ' || ink->s[from - 1] == '\n');
}

/* Whether a word goes on behind its hyphen at `at`. */
static bool is_within(const struct page_ink *ink, size_t at) {
    return ink->spoken && at >= 2 && ink->s[at - 1] == '-' && ink->s[at - 2] != ' ';
}

static char *find_breaks(const struct page_ink *ink) {
    char *breaks = base_alloc(ink->n + 1);
    if (ink->n) u8_possible_linebreaks((const uint8_t *)ink->s, ink->n, "UTF-8", breaks);
    for (size_t i = 0; i < ink->n; i++)
        if (breaks[i] == UC_BREAK_POSSIBLE && (is_glued(ink, i) || is_numbered(ink, i) ||
                                               is_within(ink, i) || only_signs_before(ink, i)))
            breaks[i] = UC_BREAK_PROHIBITED;
    return breaks;
}

struct lines {
    struct page_line *line;
    size_t n, capacity;
};

static void add_line(struct lines *l, const struct page_ink *ink, size_t from, size_t to) {
    assert(from <= to && to <= ink->n);
    while (to > from && ink->s[to - 1] == ' ') to--;
    if (l->n == l->capacity) {
        l->capacity = l->capacity * 2 + 8;
        l->line = base_grow(l->line, l->capacity, sizeof *l->line);
    }
    l->line[l->n++] = (struct page_line){from, to};
}

/* The end of the line that starts at `from`: where it must end, may end, or, with no such place,
 * has to: behind a blank, if there is one. *next is where the next starts. */
static size_t line_end(const struct page_ink *ink, const char *breaks, size_t from, int width,
                       size_t *next) {
    size_t chance = from, blank = from;
    int cells = 0;
    for (size_t at = from; at < ink->n;) {
        if (ink->s[at] == '\n') {
            *next = at + 1;
            return at;
        }
        if (breaks && breaks[at] == UC_BREAK_POSSIBLE) chance = at;
        if (at > from && ink->s[at - 1] == ' ') blank = at;
        size_t n = page_grapheme(ink->s + at, ink->s + ink->n);
        cells += page_grapheme_width(ink->s + at, n);
        if (cells > width && ink->s[at] != ' ' && at > from)
            return *next = chance > from ? chance : blank > from ? blank : at;
        at += n;
    }
    return *next = ink->n;
}

/* Where the words of the line that starts at `start` begin: behind its indentation, and behind the
 * mark of a remark, in Unicode or ASCII. */
static size_t text_of_line(const struct page_ink *ink, size_t start) {
    static const char *const marks[] = {"└─ ", "+- "};
    size_t text = start;
    while (text < ink->n && ink->s[text] == ' ') text++;
    for (size_t i = 0; i < BASE_COUNT(marks); i++) {
        size_t n = strlen(marks[i]);
        if (text + n <= ink->n && memcmp(ink->s + text, marks[i], n) == 0) return text + n;
    }
    return text;
}

int page_ink_hang(const struct page_ink *ink, size_t from, int width) {
    size_t start = from;
    while (start > 0 && ink->s[start - 1] != '\n') start--;
    if (start == from) return 0;
    size_t text = text_of_line(ink, start);
    if (text > from) text = from;
    int cells = page_ink_width(ink, start, text);
    return cells < width / 2 ? cells : width / 2;
}

static size_t break_ink(const struct page_ink *ink, const char *breaks, bool hangs, int first,
                        int width, struct page_line **out) {
    struct lines lines = {0};
    int capacity = first;
    for (size_t from = 0; from < ink->n;) {
        size_t next, end = line_end(ink, breaks, from, capacity, &next);
        assert(next > from); /* every line takes something, so that the text ends */
        add_line(&lines, ink, from, end);
        from = next;
        capacity = hangs ? width - page_ink_hang(ink, from, width) : width;
    }
    *out = lines.line;
    return lines.n;
}

size_t page_ink_wrap(const struct page_ink *ink, int first, int width, struct page_line **out) {
    char *breaks = find_breaks(ink);
    size_t n = break_ink(ink, breaks, false, first, width, out);
    free(breaks);
    return n;
}

/* Code and arithmetic break at spaces only, and a number keeps its unit: columns, names and numbers
 * stay whole. */
static char *find_spaces(const struct page_ink *ink) {
    char *breaks = base_alloc(ink->n + 1);
    for (size_t i = 1, text = text_of_line(ink, 0); i < ink->n; i++) {
        if (ink->s[i - 1] == '\n') text = text_of_line(ink, i);
        bool word = i > text && ink->s[i - 1] == ' ' && ink->s[i] != ' ';
        breaks[i] = word && !is_glued(ink, i) ? UC_BREAK_POSSIBLE : UC_BREAK_PROHIBITED;
    }
    return breaks;
}

size_t page_ink_chop(const struct page_ink *ink, int width, struct page_line **out) {
    char *spaces = find_spaces(ink);
    size_t n = break_ink(ink, spaces, true, width, width, out);
    free(spaces);
    return n;
}

static void put_ink(struct page *p, struct page_flow f, const struct page_ink *ink) {
    struct page_line *line;
    size_t n = page_ink_wrap(ink, f.width, f.width, &line);
    for (size_t i = 0; i < n; i++) {
        int row = p->height;
        page_blank(p, 1);
        page_ink_draw(p, row, f.indent, f.indent + f.width, ink, line[i]);
    }
    free(line);
}

static void put_text(struct page *p, struct page_flow f, const char *text, bool said) {
    f = page_flow_fit(p, f);
    struct page_ink ink = {.ascii = p->ascii, .spoken = p->spoken};
    page_ink_add(&ink, f.role, 0, text, strlen(text));
    page_ink_say(&ink, said);
    put_ink(p, f, &ink);
    page_ink_free(&ink);
}

void page_text(struct page *p, struct page_flow f, const char *text) {
    put_text(p, f, text, false);
}

void page_text_said(struct page *p, struct page_flow f, const char *text) {
    put_text(p, f, text, true);
}

/* ── what has changed ──────────────────────────────────────────────────────────────────────────*/
/* The next number from a place on, with its unit; false if there is none. */
static bool next_number(const struct page_ink *ink, size_t from, struct page_line *out) {
    while (from < ink->n && !(isdigit((unsigned char)ink->s[from]) &&
                              (from == 0 || strchr(" (", ink->s[from - 1]) != NULL)))
        from++;
    size_t to = from;
    while (to < ink->n && (ink->s[to] != ' ' || is_glued(ink, to + 1))) to++;
    *out = (struct page_line){from, to};
    while (to > from && strchr(".,:;)", ink->s[to - 1]) != NULL) out->to = --to;
    return from < to;
}

static size_t numbers_of(const struct page_ink *ink) {
    struct page_line at = {0};
    size_t n = 0;
    while (next_number(ink, at.to, &at)) n++;
    return n;
}

/* Whether the sentence of before has it: in the same place if it has as many numbers, else
 * anywhere. */
static bool has_number(const struct page_ink *before, const char *number, size_t length,
                       size_t place, bool as_many) {
    struct page_line at = {0};
    for (size_t i = 0; next_number(before, at.to, &at); i++)
        if ((!as_many || i == place) && at.to - at.from == length &&
            memcmp(before->s + at.from, number, length) == 0)
            return true;
    return false;
}

void page_text_changed(struct page *p, struct page_flow f, const char *text, const char *before) {
    f = page_flow_fit(p, f);
    struct page_ink now = {.ascii = p->ascii, .spoken = p->spoken}, then = {.ascii = p->ascii};
    struct page_line at = {0};
    page_ink_add(&now, f.role, 0, text, strlen(text));
    if (before) page_ink_add(&then, f.role, 0, before, strlen(before));
    bool as_many = numbers_of(&now) == numbers_of(&then);
    for (size_t i = 0; before && next_number(&now, at.to, &at); i++)
        if (!has_number(&then, now.s + at.from, at.to - at.from, i, as_many))
            memset(now.role + at.from, PAGE_ACCENT, at.to - at.from);
    page_ink_say(&now, false);
    put_ink(p, f, &now);
    page_ink_free(&then);
    page_ink_free(&now);
}
