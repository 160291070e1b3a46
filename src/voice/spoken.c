/* spoken: how a text is said. Synthesisers leave out or misread signs and abbreviations, so each
 * has its words here. In both tables longer ones precede those with which they begin. */
#include "voice/voice.h"

#include <ctype.h>
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
    {"B", "byte%"},
    {"s", "second%"},
};
static const char *const sayings[][2] = {
    {"bf16", "B F sixteen"},
    {"fp32", "F P thirty-two"},
    {"fp16", "F P sixteen"},
    {"ZeRO++", "zero plus plus"},
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
    /* products of letters, of lesson 2.4 */
    {"2as", "2 a s"},
    {"5as", "5 a s"},
    {"log₂", "log two of"},
    {"Ψ (psi)", " psi"},
    {"Ψ", " psi"},
    {"α", "alpha"},
    {"β", "beta "},
    {"²", " squared"},
    {"√", "the square root of "},
    {"×", " times "},
    {"·", " times "},
    {"÷", " divided by "},
    {"/", " over "},
    {"−", " minus "},
    {"+", " plus "},
    {"=", " equals "},
    {"≈", " about "},
    {"≤", " at most "},
    {"≥", " at least "},
    {"^", " to the "},
    {"→", ", then "},
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

static bool is_digit(const char *text, const char *at) {
    return at >= text && isdigit((unsigned char)*at);
}

/* Whether the number that ends before `end` is 1. */
static bool is_one(const char *text, const char *end) {
    return end[-1] == '1' && !is_digit(text, end - 2) && (end - 2 < text || !strchr(".,", end[-2]));
}

static void say_unit(const char *unit, bool one, struct base_text *out) {
    const char *mark = strchr(unit, '%');
    base_text_add(out, " ", 1);
    base_text_add(out, unit, (size_t)(mark - unit));
    base_text_puts(out, one ? "" : "s");
    base_text_puts(out, mark + 1);
}

/* How much of `at` in `text` is a unit, which is said; 0: none. */
static size_t unit_at(const char *text, const char *at, struct base_text *out) {
    bool apart = *at == ' ', counted = is_digit(text, at - 1);
    if (!apart && !counted) return 0;
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        size_t n = strlen(units[i][0]);
        const char *unit = at + apart;
        if (strncmp(unit, units[i][0], n) != 0 || isalnum((unsigned char)unit[n])) continue;
        if (n == 1 && !(apart && counted)) continue;
        say_unit(units[i][1], counted && is_one(text, at), out);
        return n + apart;
    }
    return 0;
}

/* The same of "7e9", a number and a power of ten. */
static size_t power_at(const char *text, const char *at, struct base_text *out) {
    if (*at != 'e' || !is_digit(text, at - 1) || !is_digit(text, at + 1)) return 0;
    base_text_puts(out, " times 10 to the ");
    return 1;
}

static size_t saying_at(const char *at, struct base_text *out) {
    for (size_t i = 0; i < BASE_COUNT(sayings); i++) {
        size_t n = strlen(sayings[i][0]);
        if (strncmp(at, sayings[i][0], n) != 0) continue;
        base_text_puts(out, sayings[i][1]);
        return n;
    }
    return 0;
}

char *voice_spoken(const char *text) {
    struct base_text t = {0};
    for (const char *at = text; *at;) {
        size_t took = unit_at(text, at, &t);
        if (took == 0) took = power_at(text, at, &t);
        if (took == 0) took = saying_at(at, &t);
        if (took == 0) base_text_add(&t, at, took = 1);
        at += took;
    }
    return base_text_take(&t);
}
