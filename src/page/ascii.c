/* What stands for a character on a page of ASCII. Mostly one for one, so that columns stay columns;
 * two or three letters only where one would say something else (≤ is not <). */
#include "page/internal.h"

#include <string.h>
#include <strings.h>
#include <uninorm.h>

struct swap {
    uint32_t code;
    const char *ascii;
};
/* Sorted by code point. A space that keeps a line together is one until it is in its cell. */
static const struct swap swaps[] = {
    {0x00a0, "\u00a0"}, {0x00a7, "S"},   {0x00a9, "(c)"},    {0x00ab, "\""},     {0x00ad, ""},
    {0x00b0, "deg"},    {0x00b1, "+/-"}, {0x00b5, "u"},      {0x00b7, "."},      {0x00bb, "\""},
    {0x00bc, "1/4"},    {0x00bd, "1/2"}, {0x00be, "3/4"},    {0x00d7, "x"},      {0x00df, "ss"},
    {0x00e6, "ae"},     {0x00f7, "/"},   {0x00f8, "o"},      {0x02d9, "'"},      {0x0394, "D"},
    {0x03a3, "S"},      {0x03a8, "Psi"}, {0x03b1, "a"},      {0x03b2, "b"},      {0x03b3, "g"},
    {0x03b4, "d"},      {0x03b5, "e"},   {0x03bb, "l"},      {0x03bc, "u"},      {0x03c0, "pi"},
    {0x03c3, "s"},      {0x03c8, "p"},   {0x2007, "\u2007"}, {0x2009, " "},      {0x2010, "-"},
    {0x2011, "-"},      {0x2012, "-"},   {0x2013, "-"},      {0x2014, "-"},      {0x2015, "-"},
    {0x2018, "'"},      {0x2019, "'"},   {0x201a, "'"},      {0x201c, "\""},     {0x201d, "\""},
    {0x201e, "\""},     {0x2022, "*"},   {0x2026, "..."},    {0x202f, "\u202f"}, {0x2032, "'"},
    {0x2044, "/"},      {0x2082, "2"},   {0x20ac, "EUR"},    {0x2190, "<-"},     {0x2191, "^"},
    {0x2192, "->"},     {0x2193, "v"},   {0x2194, "<->"},    {0x21b5, "Enter"},  {0x21d2, "=>"},
    {0x2208, "in"},     {0x2211, "sum"}, {0x2212, "-"},      {0x221a, "sqrt "},  {0x221e, "inf"},
    {0x2248, "~"},      {0x2260, "!="},  {0x2264, "<="},     {0x2265, ">="},     {0x2308, "["},
    {0x2309, "]"},      {0x230a, "["},   {0x230b, "]"},      {0x23ce, "Enter"},  {0x2500, "-"},
    {0x2501, "-"},      {0x2502, "|"},   {0x2503, "|"},      {0x2504, "-"},      {0x2506, "|"},
    {0x2508, "-"},      {0x250a, "|"},   {0x254c, "-"},      {0x254e, "|"},      {0x2550, "="},
    {0x2551, "|"},      {0x2571, "/"},   {0x2572, "\\"},     {0x2573, "x"},      {0x2581, "_"},
    {0x2582, "_"},      {0x2583, "_"},   {0x2584, "="},      {0x2585, "="},      {0x2586, "#"},
    {0x2587, "#"},      {0x2588, "#"},   {0x2589, "#"},      {0x258a, "#"},      {0x258b, "#"},
    {0x258c, "#"},      {0x258d, "|"},   {0x258e, "|"},      {0x258f, "|"},      {0x2591, "."},
    {0x2592, "="},      {0x2593, "%"},   {0x2594, "-"},      {0x25a0, "#"},      {0x25a1, "."},
    {0x25aa, "*"},      {0x25ab, "o"},   {0x25b2, "^"},      {0x25b6, ">"},      {0x25b8, ">"},
    {0x25b9, ">"},      {0x25ba, ">"},   {0x25bc, "v"},      {0x25be, "v"},      {0x25c0, "<"},
    {0x25c2, "<"},      {0x25c6, "*"},   {0x25c7, "o"},      {0x25c9, "@"},      {0x25cb, "o"},
    {0x25cf, "*"},      {0x25d0, "%"},   {0x25d4, "~"},      {0x25d5, "+"},      {0x25e6, "o"},
    {0x25ea, "/"},      {0x25eb, "H"},   {0x2605, "*"},      {0x2606, "*"},      {0x2697, "*"},
    {0x26a0, "!"},      {0x2713, "+"},   {0x2714, "+"},      {0x2717, "x"},      {0x2718, "x"},
    {0x276f, ">"},      {0x27e8, "<"},   {0x27e9, ">"},
};

static const struct {
    const char *fill, *letter;
} fills[ACCOUNT_CATEGORIES] = {
    [ACCOUNT_PARAMS] = {"█", "P"},      [ACCOUNT_GRADS] = {"▓", "G"},
    [ACCOUNT_MASTER] = {"▒", "M"},      [ACCOUNT_MOMENTS] = {"░", "V"},
    [ACCOUNT_ACTIVATIONS] = {"╱", "A"}, [ACCOUNT_GATHER] = {"◫", "g"},
    [ACCOUNT_REDUCE] = {"◪", "r"},      [ACCOUNT_WORKSPACE] = {"·", "w"},
    [ACCOUNT_STAGING] = {"╳", "x"},     [ACCOUNT_FRAMEWORK] = {"˙", "f"},
};

const char *page_fill(const struct page *p, enum account_category c) {
    return p->ascii ? fills[c].letter : fills[c].fill;
}

/* What stands for a code point on an ASCII page; NULL if nothing does. */
static const char *ascii_find(uint32_t code) {
    size_t low = 0, high = BASE_COUNT(swaps);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (swaps[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < BASE_COUNT(swaps) && swaps[low].code == code ? swaps[low].ascii : NULL;
}

static bool is_fill(uint32_t code) {
    static const uint32_t signs[] = {0x2571, 0x25eb, 0x25ea, 0x00b7, 0x02d9};
    if (code >= 0x2580 && code <= 0x259f) return true;
    for (size_t i = 0; i < BASE_COUNT(signs); i++)
        if (signs[i] == code) return true;
    return false;
}

/* ⁰ to ⁹ and ⁻ as ASCII; 0 for anything else. */
static char superscript(uint32_t code) {
    if (code == 0x00b9) return '1';
    if (code == 0x00b2 || code == 0x00b3) return (char)('2' + (code - 0x00b2));
    if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) return (char)('0' + (code - 0x2070));
    return code == 0x207b ? '-' : '\0';
}

/* é is e; what has no letter under its accents is a question mark a cell. */
static void add_nearest(struct base_text *out, uint32_t code) {
    ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
    int n = uc_canonical_decomposition(code, parts);
    if (n > 0 && parts[0] < 0x80) {
        base_text_add(out, &(char){(char)parts[0]}, 1);
        return;
    }
    if (n > 0 && parts[0] != code) {
        add_nearest(out, parts[0]);
        return;
    }
    for (int width = base_code_width(code); width > 0; width--) base_text_puts(out, "?");
}

static void add_ascii(struct base_text *out, uint32_t code, unsigned role) {
    bool category = role >= PAGE_CATEGORY && role < PAGE_ROLES;
    unsigned which = (role - PAGE_CATEGORY) % ACCOUNT_CATEGORIES;
    const char *swap = ascii_find(code);
    if (code < 0x80)
        base_text_add(out, &(char){(char)code}, 1);
    else if (category && is_fill(code))
        base_text_puts(out, fills[which].letter);
    else if (swap)
        base_text_puts(out, swap);
    else if (code >= 0x2500 && code < 0x2580)
        base_text_puts(out, "+");
    else if (code >= 0x2800 && code < 0x2900)
        base_text_puts(out, code == 0x2800 ? " " : ".");
    else
        add_nearest(out, code);
}

/* Where `s` goes on behind a sign and its name in brackets if `swap` is that name: "Ψ (psi)". */
static const char *skip_name(const char *s, const char *end, const char *swap) {
    size_t n = strlen(swap);
    bool named = (size_t)(end - s) >= n + 3 && strncmp(s, " (", 2) == 0 &&
                 strncasecmp(s + 2, swap, n) == 0 && s[n + 2] == ')';
    return named ? s + n + 3 : s;
}

char *page_ascii_dup(const char *s, size_t n, unsigned role) {
    struct base_text out = {0};
    bool raised = false;
    for (const char *end = s + n; s < end;) {
        uint32_t code = base_utf8_next(&s, end);
        char digit = superscript(code);
        if (digit && !raised) base_text_puts(&out, "^");
        raised = digit != '\0';
        if (digit)
            base_text_add(&out, &digit, 1);
        else
            add_ascii(&out, code, role);
        const char *name = code < 0x80 ? NULL : ascii_find(code);
        if (name && *name) s = skip_name(s, end, name);
    }
    return base_text_take(&out);
}
