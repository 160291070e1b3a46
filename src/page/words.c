/* Figures in words: how the sentences are written that stand for drawings where no reader looks at
 * them. Each kind's own sentences are next to its drawing, and come from what the drawing reads. */
#include "page/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, LONGEST = 1000 };

/* Whether a unit begins here, behind a blank: " GB", " ms". */
static bool is_unit(const char *at) {
    size_t n;
    if (*at != ' ') return false;
    n = strcspn(++at, " ,.;:)");
    return (n > 0 && n < 4 && at[n - 1] == 'B') || (n == 1 && *at == 's') ||
           (n == 2 && strncmp(at, "ms", 2) == 0);
}

/* "14.000 GB" as "14 GB": zeros at the end keep columns even, and a listener has no columns. */
static void trim_zeros(char *text) {
    for (char *at = text; (at = strchr(at, '.')) != NULL; at++) {
        char *end = at + 1 + strspn(at + 1, "0123456789"), *from = end;
        if (at == text || !isdigit((unsigned char)at[-1]) || end == at + 1 || !is_unit(end))
            continue;
        while (from[-1] == '0') from--;
        from -= from[-1] == '.';
        memmove(from, end, strlen(end) + 1);
    }
}

void page_say(struct page *p, struct page_flow f, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    size_t size = (size_t)vsnprintf(NULL, 0, format, list) + 1;
    char *text = base_alloc(size);
    vsnprintf(text, size, format, again);
    va_end(again);
    va_end(list);
    if (p->spoken) trim_zeros(text);
    page_text(p, f, text);
    free(text);
}

/* ── below a drawing ───────────────────────────────────────────────────────────────────────────*/
struct page *page_sentences(const struct page *p) {
    struct page *sentences = page_new(LONGEST, p->ascii);
    sentences->spoken = p->spoken;
    return sentences;
}

/* All that is in these rows but the blanks, and the full stop at their end; the caller's. */
static char *letters_of(const struct page *p, int from, int to) {
    struct base_text out = {0};
    for (int row = from; row < to; row++)
        for (int column = 0; column < p->width; column++) {
            const char *text = page_cell(p, row, column)->text;
            if (*text != ' ') base_text_puts(&out, text);
        }
    if (out.length && out.s[out.length - 1] == '.') out.s[--out.length] = '\0';
    return base_text_take(&out);
}

/* Whether one of the rows begins with these letters, and those below go on with them. */
static bool has_sentence(const struct page *p, int rows, const char *letters) {
    bool has = false;
    for (int row = 0; row < rows && !has; row++) {
        char *drawn = letters_of(p, row, rows);
        has = strncmp(drawn, letters, strlen(letters)) == 0;
        free(drawn);
    }
    return has;
}

void page_tell(struct page *p, struct page_flow f, const struct page *sentences) {
    int drawn = p->height;
    char *all = page_to_text(sentences), *rest = all, *line;
    f.role = PAGE_DIM;
    for (int row = 0; (line = strsep(&rest, "\n")); row++) {
        char *letters = letters_of(sentences, row, row + 1);
        if (*letters && !has_sentence(p, drawn, letters)) {
            page_blank(p, p->height == drawn);
            page_text_said(p, f, line);
        }
        free(letters);
    }
    free(all);
}

/* How many digits of a number follow its point. */
static int decimals_of(const char *number, const char *end) {
    const char *point = memchr(number, '.', (size_t)(end - number));
    return point ? (int)(end - point) - 1 : 0;
}

/* Whether two numbers are one, as far as both are written: "1.75" and "1.8", but not "1.5" and "2",
 * whose zeros may have been left out. Steps over them. */
static bool same_number(const char **a, const char **b) {
    char *end_a, *end_b;
    double x = strtod(*a, &end_a), y = strtod(*b, &end_b);
    int digits_a = decimals_of(*a, end_a), digits_b = decimals_of(*b, end_b);
    double least = pow(10, -(digits_a < digits_b ? digits_a : digits_b));
    double most = digits_a == digits_b ? 0 : fmin(least * 0.5000001, x * 0.05);
    *a = end_a;
    *b = end_b;
    return fabs(x - y) <= most;
}

/* Whether two sentences say the same: one page may write more decimals than another. */
static bool same_sentence(const char *a, const char *b) {
    while (*a && *b) {
        bool numbers = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        if (numbers ? !same_number(&a, &b) : *a++ != *b++) return false;
    }
    return *a == *b;
}

static bool was_said(const struct page *before, const char *line) {
    char *all = page_to_text(before), *rest = all, *was;
    bool said = false;
    while (!said && (was = strsep(&rest, "\n"))) said = same_sentence(line, was);
    free(all);
    return said;
}

void page_tell_new(struct page *p, struct page_flow f, const struct page *sentences,
                   const struct page *before) {
    char *all = page_to_text(sentences), *rest = all, *line;
    int from = p->height;
    while ((line = strsep(&rest, "\n")))
        if (*line && !was_said(before, line)) page_text_said(p, f, line);
    if (p->height == from) page_text(p, f, "Nothing changed.");
    free(all);
}

/* ── counts ────────────────────────────────────────────────────────────────────────────────────*/
/* "13B" with another end for its letter. */
static void put_count(char *out, size_t size, uint64_t n, bool words) {
    static const struct {
        char letter;
        const char *power, *word;
    } ends[] = {
        {'K', "e3", " thousand"},
        {'M', "e6", " million"},
        {'B', "e9", " billion"},
        {'T', "e12", " trillion"},
    };
    char count[24];
    account_print_count(count, sizeof count, (double)n);
    size_t last = strlen(count) - 1;
    for (size_t i = 0; i < BASE_COUNT(ends); i++) {
        if (count[last] != ends[i].letter) continue;
        count[last] = '\0';
        snprintf(out, size, "%s%s", count, words ? ends[i].word : ends[i].power);
        return;
    }
    snprintf(out, size, "%s", count);
}

const char *page_count_power(char out[static 32], uint64_t n) {
    put_count(out, 32, n, false);
    return out;
}

const char *page_count_words(char out[static 48], uint64_t n) {
    put_count(out, 48, n, true);
    return out;
}

char *page_rate_words(const char *rate) {
    size_t n = strlen(rate), unit = strlen(" B");
    if (n <= unit || strcmp(rate + n - unit, " B") != 0) return base_dup(rate);
    return base_format("%.*s byte%s", (int)(n - unit), rate,
                       strncmp(rate, "1 ", 2) == 0 ? "" : "s");
}

/* ── lists ─────────────────────────────────────────────────────────────────────────────────────*/
void page_list_add(struct base_text *out, size_t i, size_t count, const char *item) {
    base_text_puts(out, i == 0 ? "" : i + 1 == count ? " and " : ", ");
    base_text_puts(out, item);
}

char *page_parts(const uint64_t bytes[ACCOUNT_CATEGORIES], enum account_unit unit) {
    struct base_text out = {0};
    size_t count = 0, n = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) count += bytes[c] > 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        char amount[32];
        if (!bytes[c]) continue;
        account_print(amount, sizeof amount, (double)bytes[c], unit, DIGITS);
        char *item = base_format("%s %s", account_category_words((enum account_category)c), amount);
        page_list_add(&out, n++, count, item);
        free(item);
    }
    return base_text_take(&out);
}
