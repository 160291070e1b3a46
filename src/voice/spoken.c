/* spoken: how a text is said. Voices leave out or misread signs and abbreviations, so each has its
 * words here. In all tables longer ones precede those with which they begin. */
#include "voice/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* Each of these returns how much of `at` in `text` it has said; 0: nothing. */

static size_t address_at(const char *text, const char *at, struct base_text *out) {
    if (voice_is_word(text, at - 1) || !isalpha((unsigned char)*at)) return 0;
    size_t n = strcspn(at, " \n)");
    const char *mark = strstr(at, "://");
    if (!mark || mark >= at + n) return 0;
    base_text_add(out, at, n);
    return n;
}

/* A sum in the signs that one types, "(80 - 2*7)/4", is heard as it is typed. */
static size_t typed_at(const char *text, const char *at, struct base_text *out) {
    if (voice_is_word(text, at - 1) || (*at != '(' && !isdigit((unsigned char)*at))) return 0;
    size_t n = strspn(at, "0123456789.()+-*/ ");
    while (n > 0 && at[n - 1] != ')' && !isdigit((unsigned char)at[n - 1])) n--;
    if (!memchr(at, '*', n)) return 0;
    base_text_add(out, at, n);
    return n;
}

/* "7e9", a number and a power of ten. */
static size_t power_at(const char *text, const char *at, struct base_text *out) {
    static const char *const powers[][2] = {
        {"e3", "thousand"}, {"e6", "million"}, {"e9", "billion"}, {"e12", "trillion"}};
    if (*at != 'e' || !voice_is_digit(text, at - 1) || !voice_is_digit(text, at + 1)) return 0;
    for (size_t i = 0; i < BASE_COUNT(powers); i++) {
        size_t n = strlen(powers[i][0]);
        if (strncmp(at, powers[i][0], n) != 0 || isalnum((unsigned char)at[n])) continue;
        voice_say(out, powers[i][1], at + n);
        return n;
    }
    voice_say(out, "times 10 to the", at + 1);
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
    if (n > 0) voice_say(out, strcmp(power.s, "to the 2") == 0 ? "squared" : power.s, at + n);
    base_text_free(&power);
    return n;
}

/* "tokens/s". */
static size_t rate_at(const char *text, const char *at, struct base_text *out) {
    if (strncmp(at, "/s", 2) != 0 || voice_is_word(text, at + 2)) return 0;
    if (at == text || !isalpha((unsigned char)at[-1]) || !voice_is_word(text, at - 2)) return 0;
    voice_say(out, "per second", at + 2);
    return 2;
}

/* "0–3". */
static size_t range_at(const char *text, const char *at, struct base_text *out) {
    static const char dash[] = "–";
    const char *next = at + sizeof dash - 1;
    if (strncmp(at, dash, sizeof dash - 1) != 0) return 0;
    if (!voice_is_digit(text, at - 1) || !voice_is_digit(text, next)) return 0;
    voice_say(out, "to", next);
    return sizeof dash - 1;
}

/* Whether a line that follows a mark says the same, as its first word or its last. */
static bool is_verdict(const char *line) {
    static const char *const verdicts[] = {"right", "wrong", "close"};
    size_t n = strcspn(line, "\n");
    const char *end = line + n - (n > 0 && line[n - 1] == '.');
    for (size_t i = 0; i < BASE_COUNT(verdicts); i++)
        if (strncmp(line, verdicts[i], strlen(verdicts[i])) == 0 ||
            voice_follows(line, end, verdicts[i]))
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
            voice_say(out, marks[i][1], at + n);
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
    voice_say(out, signs[i][1], at + n);
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
        address_at, typed_at, voice_unit_at,    power_at, raised_at,
        rate_at,    range_at, voice_formula_at, mark_at,  sign_at};
    if (voice_formula_pauses(text, at)) voice_pause(out);
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
