/* spoken: how a text is said. Voices leave out or misread signs and abbreviations, so each has its
 * words here. In all tables longer ones precede those with which they begin. */
#include "voice/voice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Units are said after a number, in the plural except after 1, and as words, "in GB". One letter is
 * a unit only in "2 B": "7B" has none. */
static const char *const units[][2] = {
    {"Gb/s", "gigabit% per second"},
    {"GB/s", "gigabyte% per second"},
    {"MB/s", "megabyte% per second"},
    {"TB/s", "terabyte% per second"},
    {"kB", "kilobyte%"},
    {"KB", "kilobyte%"},
    {"MB", "megabyte%"},
    {"GB", "gigabyte%"},
    {"TB", "terabyte%"},
    {"KiB", "kibibyte%"},
    {"MiB", "mebibyte%"},
    {"GiB", "gibibyte%"},
    {"TiB", "tebibyte%"},
    {"µs", "microsecond%"},
    {"ms", "millisecond%"},
    {"min", "minute%"},
    {"B/param", "byte% per parameter"},
    {"B", "byte%"},
    {"s", "second%"},
};
/* Signs, which are said in words wherever a text is heard. */
static const char *const signs[][2] = {
    /* products of letters, of lesson 2.4 */
    {"2as", "2 a s"},       {"5as", "5 a s"},  {"log₂", "log two of"}, {"Ψ (psi)", "psi"},
    {"Ψ", "psi"},           {"α", "alpha"},    {"β", "beta"},          {"√", "the square root of"},
    {"′", "prime"},         {"×", "times"},    {"·", "times"},         {"÷", "divided by"},
    {"⁄", "over"},          {"−", "minus"},    {"++", "plus plus"},    {"+", "plus"},
    {"=", "equals"},        {"≈", "about"},    {"≤", "at most"},       {"≥", "at least"},
    {"→ ∞", "to infinity"}, {"∞", "infinity"}, {"→", ", then"},        {"^", "to the"},
};
/* Names that a synthesiser would misread, and marks that it would name. A screen reader has its own
 * way with them, and its user has to know how they are spelt. */
static const char *const names[][2] = {
    {"bf16", "B F sixteen"},
    {"fp32", "F P thirty-two"},
    {"fp16", "F P sixteen"},
    {"ZeRO-2/3", "zero two or three"},
    {"ZeRO-", "zero "},
    {"ZeRO", "zero"},
    {"DDP", "D D P"},
    {"FSDP2", "F S D P two"},
    {"FSDP", "F S D P"},
    {"PCIe", "P C I E"},
    {"NVLink", "N V link"},
    {"NVMe", "N V M E"},
    {"AdamW", "Adam W"},
    {"XL", "X L"},
    {"A100", "A one hundred"},
    {"H100", "H one hundred"},
    {"GPT-", "G P T "},
    {"Llama-3.1-8B", "Llama 3.1 8B"},
    {"NCCL", "nickel"},
    {"PyTorch", "pie torch"},
    {"GPU", "G P U"},
    {"–", " to "},
    {"…", "."},
    {"_", " "},
    {"“", ""},
    {"”", ""},
    {"’", "'"},
    {"\"", ""},
    {"*", ""},
    {"`", ""},
};
#define BLANK "\u00a0" /* keeps a number and its unit on one line */

static bool is_digit(const char *text, const char *at) {
    return at >= text && isdigit((unsigned char)*at);
}

static bool is_word(const char *text, const char *at) {
    return at >= text && (isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80);
}

/* Whether `what` ends before `at`. */
static bool follows(const char *text, const char *at, const char *what) {
    size_t n = strlen(what);
    return (size_t)(at - text) >= n && memcmp(at - n, what, n) == 0;
}

/* Adds words with one space before them and, if `next` goes on at once, behind them. */
static void say(struct base_text *out, const char *words, const char *next) {
    bool closes = *words == ',';
    while (closes && out->length > 0 && out->s[out->length - 1] == ' ')
        out->s[--out->length] = '\0';
    if (closes && out->length > 0 && out->s[out->length - 1] == '.') return; /* it was said */
    if (!closes && out->length > 0 && !strchr(" (\"\n", out->s[out->length - 1]))
        base_text_puts(out, " ");
    base_text_puts(out, words);
    if (*next && !strchr(" \n.,;:!?)\"", *next)) base_text_puts(out, " ");
}

/* Each of these returns how much of `at` in `text` it has said; 0: nothing. */

static size_t address_at(const char *text, const char *at, struct base_text *out) {
    if (is_word(text, at - 1) || !isalpha((unsigned char)*at)) return 0;
    size_t n = strcspn(at, " \n)");
    const char *mark = strstr(at, "://");
    if (!mark || mark >= at + n) return 0;
    base_text_add(out, at, n);
    return n;
}

/* A sum in the signs that one types, "(80 - 2*7)/4", is heard as it is typed. */
static size_t typed_at(const char *text, const char *at, struct base_text *out) {
    if (is_word(text, at - 1) || (*at != '(' && !isdigit((unsigned char)*at))) return 0;
    size_t n = strspn(at, "0123456789.()+-*/ ");
    while (n > 0 && at[n - 1] != ')' && !isdigit((unsigned char)at[n - 1])) n--;
    if (!memchr(at, '*', n)) return 0;
    base_text_add(out, at, n);
    return n;
}

static const char *begin_of_number(const char *text, const char *end) {
    while (end > text && (is_digit(text, end - 1) || strchr(".,", end[-1]))) end--;
    return end;
}

/* Whether a unit is said in the singular whose number ends before `end`, or that stands alone
 * there: "1 GB", "a GB", and "an 80 GB card", "80 GB cards". */
static bool is_single(const char *text, const char *end, const char *next) {
    const char *from = begin_of_number(text, end);
    return (end - from == 1 && *from == '1') || follows(text, from, " a ") ||
           follows(text, from, " an ") || follows(text, from, "per ") ||
           strncmp(next, " card", strlen(" card")) == 0;
}

/* Where the number ends that a unit at `at` counts; NULL: there is none. */
static const char *counted(const char *text, const char *at) {
    const char *end = follows(text, at, BLANK) ? at - strlen(BLANK)
                      : follows(text, at, " ") ? at - 1
                                               : at;
    bool sum = follows(text, end, ")") && is_digit(text, end - 2); /* "(2 + 4) B" */
    return sum || is_digit(text, end - 1) ? end : NULL;
}

static size_t unit_at(const char *text, const char *at, struct base_text *out) {
    const char *number = counted(text, at);
    if (!number && (is_word(text, at - 1) || follows(text, at, "\"")))
        return 0; /* as it is spelt */
    if (number == at && follows(text, begin_of_number(text, at), "-")) return 0; /* A100-80GB */
    if (number && follows(text, begin_of_number(text, number), "\"") &&
        strcspn(at, "\"") == strspn(at, "kKMGTiB"))
        return 0; /* the "80 GB" on a box */
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        size_t n = strlen(units[i][0]);
        bool word =
            strpbrk(units[i][0], "BG") || follows(text, at, "in ") || follows(text, at, "many ");
        if (strncmp(at, units[i][0], n) != 0 || is_word(text, at + n)) continue;
        if (number ? n == 1 && number == at : n == 1 || !word) continue;
        const char *mark = strchr(units[i][1], '%');
        char *unit =
            base_format("%.*s%s%s", (int)(mark - units[i][1]), units[i][1],
                        is_single(text, number ? number : at, at + n) ? "" : "s", mark + 1);
        say(out, unit, at + n);
        free(unit);
        return n;
    }
    return 0;
}

/* "7e9", a number and a power of ten. */
static size_t power_at(const char *text, const char *at, struct base_text *out) {
    static const char *const powers[][2] = {
        {"e3", "thousand"}, {"e6", "million"}, {"e9", "billion"}, {"e12", "trillion"}};
    if (*at != 'e' || !is_digit(text, at - 1) || !is_digit(text, at + 1)) return 0;
    for (size_t i = 0; i < BASE_COUNT(powers); i++) {
        size_t n = strlen(powers[i][0]);
        if (strncmp(at, powers[i][0], n) != 0 || isalnum((unsigned char)at[n])) continue;
        say(out, powers[i][1], at + n);
        return n;
    }
    say(out, "times 10 to the", at + 1);
    return 1;
}

/* How long the raised digit at `at` is, and which one it is; 0: there is none. */
static size_t raised_digit(const char *at, char *digit) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (size_t i = 0; i < BASE_COUNT(digits); i++) {
        size_t n = strlen(digits[i]);
        *digit = (char)('0' + i);
        if (strncmp(at, digits[i], n) == 0) return n;
    }
    return 0;
}

/* "2³⁰". */
static size_t raised_at(const char *text, const char *at, struct base_text *out) {
    struct base_text power = {0};
    size_t n = 0;
    char digit;
    (void)text;
    base_text_puts(&power, "to the ");
    for (size_t one; (one = raised_digit(at + n, &digit)) > 0; n += one)
        base_text_add(&power, &digit, 1);
    if (n > 0) say(out, strcmp(power.s, "to the 2") == 0 ? "squared" : power.s, at + n);
    base_text_free(&power);
    return n;
}

/* Whether a word is a number, with or without letters behind it, or one letter, as in formulas. */
static bool is_operand(const char *word, size_t n) {
    return n == 1 || (n > 1 && isdigit((unsigned char)*word));
}
static bool is_operand_before(const char *text, const char *end) {
    const char *from = end;
    while (from > text && isalnum((unsigned char)from[-1])) from--;
    if (from == end) return end > text && (end[-1] == ')' || (unsigned char)end[-1] >= 0x80);
    bool in_name = from > text && strchr("-/", from[-1]); /* "ZeRO-2/3" */
    return is_operand(from, (size_t)(end - from)) && !in_name;
}
static bool is_operand_behind(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n])) n++;
    return is_operand(at, n) || *at == '(' || (unsigned char)*at >= 0x80;
}

/* "S/N", "(N − 1)/N", "n / N"; "tokens/s". */
static size_t slash_at(const char *text, const char *at, struct base_text *out) {
    if (*at != '/' || at == text) return 0;
    bool apart = follows(text, at, " ") && at[1] == ' ';
    bool rate = at[1] == 's' && !is_word(text, at + 2) && isalpha((unsigned char)at[-1]) &&
                is_word(text, at - 2);
    if (!rate && !(is_operand_before(text, at - apart) && is_operand_behind(at + 1 + apart)))
        return 0;
    say(out, rate ? "per second" : "over", at + 1 + rate);
    return 1 + rate;
}

/* "(N − 1)/N × S": a factor behind a fraction is not one of its denominator's. */
static size_t factor_at(const char *text, const char *at, struct base_text *out) {
    static const char sign[] = "×";
    if (strncmp(at, sign, sizeof sign - 1) != 0) return 0;
    const char *end = at - follows(text, at, " "), *from = end;
    while (from > text && !strchr(" (\n", from[-1]) && from[-1] != '/') from--;
    const char *slash = from - follows(text, from, " ") - 1;
    if (from == end || end[-1] == ')' || slash <= text || *slash != '/') return 0;
    bool apart = slash[1] == ' ';
    if (!is_operand_before(text, slash - apart) || !is_operand_behind(from)) return 0;
    say(out, ", times", at + sizeof sign - 1);
    return sizeof sign - 1;
}

/* "t · p" is a product; between words the point separates. */
static size_t point_at(const char *text, const char *at, struct base_text *out) {
    static const char point[] = " · ";
    const char *next = at + sizeof point - 1;
    if (strncmp(at, point, sizeof point - 1) != 0) return 0;
    if (is_operand_before(text, at) && is_operand_behind(next)) return 0;
    base_text_puts(out, ", ");
    return sizeof point - 1;
}

/* "0–3". */
static size_t range_at(const char *text, const char *at, struct base_text *out) {
    static const char dash[] = "–";
    const char *next = at + sizeof dash - 1;
    if (strncmp(at, dash, sizeof dash - 1) != 0) return 0;
    if (!is_digit(text, at - 1) || !is_digit(text, next)) return 0;
    say(out, "to", next);
    return sizeof dash - 1;
}

/* ── brackets ──────────────────────────────────────────────────────────────────────────────────
 * Voices leave them out, and "2 times N minus 1 over N" has three meanings. So a bracket of a
 * formula is said as "the quantity N minus 1,". Brackets of a sentence stay. */
static bool is_sign(const char *at) {
    static const char *const all[] = {"+", "−", "×", "÷", "·", "/"};
    size_t i = 0;
    while (i < BASE_COUNT(all) && strncmp(at, all[i], strlen(all[i])) != 0) i++;
    return i < BASE_COUNT(all);
}

/* Whether a sign of a formula ends before `at`, perhaps with a blank between. */
static bool follows_sign(const char *text, const char *at) {
    if (follows(text, at, " ")) at--;
    while (at > text && ((unsigned char)*--at & 0xc0) == 0x80) continue;
    return is_sign(at);
}

/* "2(N − 1)", "2 (N − 1)": a bracket behind a number or a letter is multiplied. "Stage 2 (4 + 12)"
 * is a remark. */
static bool is_factor(const char *text, const char *at) {
    if (follows(text, at, " ")) return is_digit(text, at - 2) && isalpha((unsigned char)at[1]);
    return !follows_sign(text, at) && is_operand_before(text, at);
}

/* The end of the bracket that opens at `at`; NULL if it is not part of a formula, or closes on
 * another line. A formula has a sign in the bracket, and continues before or behind it. */
static const char *end_of_quantity(const char *text, const char *at) {
    int depth = 0;
    bool calculates = false;
    const char *end = at;
    for (; *end && *end != '\n'; end++) {
        depth += (*end == '(') - (*end == ')');
        calculates |= end > at && is_sign(end);
        if (depth == 0) break;
    }
    if (*end != ')' || !calculates) return NULL;
    const char *next = end + 1 + (end[1] == ' ');
    bool product = is_word(text, end + 1) || (*next == 'B' && !is_word(text, next + 1));
    return product || is_sign(next) || follows_sign(text, at) || is_factor(text, at) ? end : NULL;
}

static size_t quantity_at(const char *text, const char *at, struct base_text *out) {
    if (*at == '(' && end_of_quantity(text, at)) {
        say(out, is_factor(text, at) ? "times the quantity" : "the quantity", at + 1);
        return 1;
    }
    if (*at != ')') return 0;
    const char *open = at;
    for (int depth = 1; depth > 0 && open > text;) {
        open--;
        depth += (*open == ')') - (*open == '(');
    }
    if (*open != '(' || end_of_quantity(text, open) != at) return 0;
    /* "2(N − 1) hops": a product counts the noun behind it. */
    bool counts = is_factor(text, open) && at[1] == ' ' && isalpha((unsigned char)at[2]) &&
                  isalpha((unsigned char)at[3]);
    bool goes_on = at[1] && !strchr("\n.,;:!?)", at[1]) && !counts;
    if (goes_on) say(out, is_word(text, at + 1) ? ", times" : ",", at + 1);
    return 1;
}

/* "⌈n / N⌉". */
static size_t ceiling_at(const char *text, const char *at, struct base_text *out) {
    static const char opens[] = "⌈", closes[] = "⌉";
    (void)text;
    if (strncmp(at, closes, strlen(closes)) == 0) {
        say(out, ",", at + strlen(closes));
        return strlen(closes);
    }
    if (strncmp(at, opens, strlen(opens)) != 0) return 0;
    say(out, "the ceiling of", at + strlen(opens));
    return strlen(opens);
}

/* Whether a line that follows a mark says the same, as its first word or its last. */
static bool is_verdict(const char *line) {
    static const char *const verdicts[] = {"right", "wrong", "close"};
    size_t n = strcspn(line, "\n");
    const char *end = line + n - (n > 0 && line[n - 1] == '.');
    for (size_t i = 0; i < BASE_COUNT(verdicts); i++)
        if (strncmp(line, verdicts[i], strlen(verdicts[i])) == 0 || follows(line, end, verdicts[i]))
            return true;
    return false;
}

/* A mark behind what it is of, or before it. */
static size_t mark_at(const char *text, const char *at, struct base_text *out) {
    static const char *const marks[][3] = {{"✓", ", right", "right: "},
                                           {"✗", ", wrong", "wrong: "}};
    for (size_t i = 0; i < BASE_COUNT(marks); i++) {
        size_t n = strlen(marks[i][0]);
        if (strncmp(at, marks[i][0], n) != 0) continue;
        const char *next = at + n + strspn(at + n, " ");
        bool before =
            at == text || at[-1] == '\n' || (at - text > 1 && memcmp(at - 2, ": ", 2) == 0);
        if (!before || *next == '\0') {
            say(out, marks[i][1], at + n);
            return n;
        }
        if (!is_verdict(next)) base_text_puts(out, marks[i][2]);
        return (size_t)(next - at);
    }
    return 0;
}

/* The row of a table that a text begins with; `rows` if there is none. */
static size_t row_at(const char *const (*table)[2], size_t rows, const char *at) {
    size_t i = 0;
    while (i < rows && strncmp(at, table[i][0], strlen(table[i][0])) != 0) i++;
    return i;
}

static size_t sign_at(const char *text, const char *at, struct base_text *out) {
    size_t i = row_at(signs, BASE_COUNT(signs), at);
    (void)text;
    if (i == BASE_COUNT(signs)) return 0;
    size_t n = strlen(signs[i][0]);
    say(out, signs[i][1], at + n);
    return n;
}

static size_t name_at(const char *at, struct base_text *out) {
    size_t i = row_at(names, BASE_COUNT(names), at);
    if (i == BASE_COUNT(names)) return 0;
    base_text_puts(out, names[i][1]);
    return strlen(names[i][0]);
}

size_t voice_words_at(const char *text, const char *at, struct base_text *out) {
    static size_t (*const tries[])(const char *, const char *, struct base_text *) = {
        address_at, typed_at,  unit_at,     power_at,   raised_at, slash_at, point_at,
        range_at,   factor_at, quantity_at, ceiling_at, mark_at,   sign_at};
    size_t took = 0;
    for (size_t i = 0; took == 0 && i < BASE_COUNT(tries); i++) took = tries[i](text, at, out);
    return took;
}

static char *say_all(const char *text, bool with_names) {
    struct base_text t = {0};
    for (const char *at = text; *at;) {
        size_t took = with_names ? name_at(at, &t) : 0;
        if (took == 0) took = voice_words_at(text, at, &t);
        if (took == 0) base_text_add(&t, at, took = 1);
        at += took;
    }
    return base_text_take(&t);
}

char *voice_words(const char *text) {
    return say_all(text, false);
}

char *voice_spoken(const char *text) {
    return say_all(text, true);
}
