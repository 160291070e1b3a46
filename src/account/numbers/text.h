/* Text that is built piece by piece into a buffer of the caller's, and the few string helpers that
 * must not depend on the locale: the program that links the engine may have set any. */
#ifndef ACCOUNT_TEXT_H
#define ACCOUNT_TEXT_H

#include "account/numbers/numbers.h"

#if defined(__GNUC__)
#define ACCOUNT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ACCOUNT_PRINTF(text, first)
#endif

/* A buffer being filled. `out` always ends in a NUL; what does not fit is cut at a whole
 * character. */
struct account_text {
    char *out;
    size_t size, used;
};
struct account_text account_text(char *out, size_t size);
void account_add(struct account_text *t, const char *format, ...) ACCOUNT_PRINTF(2, 3);
/* A number with at most `digits` significant digits, trailing zeros dropped: "34.13", "0.0166",
 * "1e30". */
void account_add_number(struct account_text *t, double value, int digits);
/* The same to six digits, as a piece of what is added to `t`: `account_number(t, 2.5).text`. Empty
 * if `t` has no buffer, so that mistakes whose words nobody reads cost no formatting. */
struct account_number {
    char text[24];
};
struct account_number account_number(const struct account_text *t, double value);
/* The same with exactly so many digits after the point: "26.30", "0.1". */
void account_add_fixed(struct account_text *t, double value, int decimals);
/* A large count as it is written in a formula, exactly: "7e9", "13.01586432e9", "124.439808e6",
 * "64". */
void account_add_count(struct account_text *t, uint64_t count);
void account_add_value(struct account_text *t, double value, enum account_unit u, int digits);
/* "48.8 GB", as account_print_bytes(); "2.34 s", and "234 ms" below a second. */
void account_add_bytes(struct account_text *t, double bytes);
void account_add_seconds(struct account_text *t, double seconds);

/* Whether `value` is `truth` rightly rounded to so many digits (either way at a tie), both in the
 * unit of `scale`. */
bool account_is_rounded(double value, double truth, double scale, int digits);
/* The relative distance of a value from the truth. */
double account_distance(double value, double truth);

/* Fills the error (which may be NULL) and returns false, so that a check can end in `return
 * account_fail(…)`. */
bool account_fail(struct account_error *e, int column, const char *format, ...)
    ACCOUNT_PRINTF(3, 4);

/* Whether two names are the same, ASCII letters in either case. */
bool account_same(const char *a, const char *b);
/* The same for a name that ends after `length` bytes. */
bool account_same_n(const char *name, const char *text, size_t length);
bool account_is_digit(char c);
bool account_is_letter(char c);
/* Where the text goes on after white space. */
const char *account_skip(const char *s);
/* Bytes of the word at `s`, nothing but letters; 0 if there is none. */
size_t account_word(const char *s);
/* Where the text goes on behind this phrase, in either case, its words parted by white space; NULL
 * if it does not begin with it. */
const char *account_skip_phrase(const char *s, const char *phrase);
/* The 1-based column, in characters, of a place in a UTF-8 text. */
int account_column(const char *text, const char *at);

/* A decimal number as it stood in a text: digits × 10^exponent. */
struct account_decimal {
    /* as many as fit */
    uint64_t digits;
    int exponent;
    /* no digit had to be left out */
    bool exact;
    /* what was written behind an e; 0 if nothing was */
    int power;
    /* "37,375": its comma may have been meant as a decimal point */
    bool one_comma;
    double value;
};
/* Reads the number at `s`: digits in groups ("1 558", "1,558"), a point, an exponent. Returns where
 * it ends, or NULL if there is none. */
const char *account_scan(const char *s, struct account_decimal *out);
/* The same, of a number in digits or in words: "twelve and a half", "half". */
const char *account_scan_or_words(const char *s, struct account_decimal *out);
/* The part of one that `text` begins with: "half", "three quarters"; as account_read_words(). */
struct account_words;
const char *account_read_part(const char *text, struct account_words *out);
/* digits × 10^(exponent + shift) as a whole number; false if it is not whole or needs more than 64
 * bits. */
bool account_decimal_whole(const struct account_decimal *d, int shift, uint64_t *out);

#endif
