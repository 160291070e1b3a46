/* numbers: reading and printing quantities. The lowest wing; it knows nothing of training.
 *
 * In flows text: what a learner typed ("2 × 13e9 B ÷ 8", "about sixteen gigabytes"), what a memo
 * says ("48.75 GB", "66–68 GB"), or the value of a flag ("7.5e9", "80GiB", "400 Gb/s"). Out come
 * values in base units: bytes, parameters, GPUs, bytes per parameter, seconds. In the other
 * direction flow values, and out comes text in the unit that is asked for.
 *
 * There are three readers, because three kinds of text differ:
 *
 *   account_read_count(), account_read_bytes(), account_read_rate()
 *                            a field's value: one number with one kind of unit, or an error
 *   account_read_answer()    an answer: an expression, read in the likeliest of several ways
 *   account_read_figure()    a number in running prose, up to where the number ends
 *
 * All of them use the rest of this wing: text.h scans decimal numbers exactly, suffix.c reads
 * units, words.c numbers in words, phrases.c what people write before and after a number,
 * dimension.h says what an expression measures, and expression.h reads an expression in one way at
 * a time. Decimal and binary prefixes are never confused: GB is 1e9 bytes, GiB is 2^30 bytes.
 *
 * There is one rounding in the engine, account_print_fixed(): halves go away from zero. Whatever
 * shows the same value with the same number of digits shows the same text. No function depends on
 * the locale. */
#ifndef ACCOUNT_NUMBERS_H
#define ACCOUNT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why something could not be read, or does not fit together. */
struct account_error {
    /* What is wrong and what to do, without a full stop at its end. */
    char what[240];
    /* The 1-based column, in characters, of the text that was read; 0 if there is none. */
    int column;
};

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/

/* The unit in which an answer is asked. Base units are bytes, parameters, GPUs, bytes per
 * parameter, seconds. */
enum account_unit {
    ACCOUNT_UNIT_NONE,
    ACCOUNT_UNIT_B,
    ACCOUNT_UNIT_KB,
    ACCOUNT_UNIT_MB,
    ACCOUNT_UNIT_GB,
    ACCOUNT_UNIT_TB,
    ACCOUNT_UNIT_KIB,
    ACCOUNT_UNIT_MIB,
    ACCOUNT_UNIT_GIB,
    ACCOUNT_UNIT_TIB,
    /* Printed as 13B, 350M. */
    ACCOUNT_UNIT_PARAMS,
    /* Billions of parameters. */
    ACCOUNT_UNIT_BILLION,
    ACCOUNT_UNIT_GPUS,
    ACCOUNT_UNIT_B_PER_PARAM,
    ACCOUNT_UNIT_SECONDS,
    ACCOUNT_UNIT_MS,
    ACCOUNT_UNIT_GB_PER_S,
    ACCOUNT_UNITS
};
/* "GB", "GiB", "B/param" … */
const char *account_unit_name(enum account_unit u);
/* In base units: GB is 1e9. */
double account_unit_scale(enum account_unit u);
bool account_unit_find(const char *name, enum account_unit *out);

/* ── values of fields ──────────────────────────────────────────────────────────────────────────*/

/* A count such as "13B", "7.5e9", "350M", "1 558 M", "124439808", "eight" (K, M, B or G, T are
 * decimal); whole after scaling. */
bool account_read_count(const char *text, uint64_t *out, struct account_error *e);
/* Bytes such as "80GiB", "31.4 GB", "2.5e9"; decimal and binary never confused; "80G" is
 * decimal. */
bool account_read_bytes(const char *text, double *out, struct account_error *e);
/* A rate such as "25GB/s", "400 Gb/s" (bits), in bytes per second. */
bool account_read_rate(const char *text, double *out, struct account_error *e);

/* ── printing ──────────────────────────────────────────────────────────────────────────────────*/

/* "13B", "7.5B", "124.4M": the shortest name with at most 4 significant digits. */
const char *account_print_count(char *out, size_t size, double count);
/* A value of base units in the unit asked, `digits` significant digits, trailing zeros dropped,
 * with the unit's name: "31.4 GB". */
const char *account_print(char *out, size_t size, double value, enum account_unit u, int digits);
/* Four significant digits, more where the whole part has more: "34.13", "37375". */
int account_digits(double value, enum account_unit u);
/* The number alone, with so many digits after the point, whatever they are: "26.3", "0.10". Halves
 * go away from zero, as in account_print(): a column, a figure and the text next to them show the
 * same. */
const char *account_print_fixed(char *out, size_t size, double value, enum account_unit u,
                                int decimals);
/* How many digits after the point a column of such values needs, so that the smallest says
 * something: none if all are whole. */
int account_decimals(const double *values, size_t count, enum account_unit u);
/* Bytes in the decimal unit that reads best: "112 GB", "62.0 MB", "0 B". */
const char *account_print_bytes(char *out, size_t size, double bytes);

/* ── answers as typed ──────────────────────────────────────────────────────────────────────────*/

/* A number in words: "sixteen", "two hundred and eight", "twelve and a half", "nine point five". */
struct account_words {
    double value;
    /* The power of ten of the last digit that was said: -1 in "nine point five". */
    int last;
    /* What the first word multiplies by, as in "13 billion"; 0 if it stands for itself. */
    double scale;
};
/* Reads the one that `text` begins with; white space and line breaks part its words. Returns where
 * it ends, or NULL if there is none. */
const char *account_read_words(const char *text, struct account_words *out);

/* What a learner typed: a number or an expression, bare or with units. */
struct account_reading {
    /* In base units if `explicit_unit`, else as typed. */
    double value;
    /* G, GB, GiB, e9 … said which unit was meant. */
    bool explicit_unit;
    /* 13B was typed where bytes are meant: worth an ungraded hint. */
    bool count_suffix;
    /* The unit said, or NONE. */
    enum account_unit unit;
};
/* Expressions have + - * × x / ÷ ^ ( ), numbers, suffixes (K M G T B, KB…TiB, e9); "about" and ~
 * may stand before, and of several with = between them the last is the answer, if they agree. This
 * is the likeliest reading; account_judge() knows what was asked and tries others too. The error
 * names the column. */
bool account_read_answer(const char *text, struct account_reading *out, struct account_error *e);

/* ── figures in running text ─────────────────────────────────────────────────────────────────────
 * A number with a unit as people write it in a sentence: "48.75 GB", "~190 ms", "66–68 GB", "13.7k
 * tokens/s", "14,790 tokens per second". */
enum account_measure {
    /* A bare number. */
    ACCOUNT_FIGURE_NOTHING,
    ACCOUNT_FIGURE_BYTES,
    ACCOUNT_FIGURE_SECONDS,
    ACCOUNT_FIGURE_TOKENS_PER_S,
    ACCOUNT_FIGURE_BYTES_PER_S,
    ACCOUNT_FIGURE_BYTES_PER_PARAM,
    ACCOUNT_FIGURE_PARAMS,
    ACCOUNT_FIGURE_TOKENS,
    /* "22 %" is 0.22. */
    ACCOUNT_FIGURE_SHARES,
    /* "1.5×" */
    ACCOUNT_FIGURE_TIMES,
    ACCOUNT_FIGURE_GPU_HOURS,
    ACCOUNT_MEASURES
};
struct account_figure {
    /* Base units; the same unless it is a range. */
    double low, high;
    /* Half of one in its last digit. */
    double half;
    /* The same if zeros at its end are rounding: 50 is ± 5. */
    double loose;
    /* With its point or comma taken otherwise: 1.199 for 1199. 0 if there is only one way. */
    double other;
    /* Significant digits. */
    int digits;
    /* "about", "~"; "66–68" */
    bool hedged, range;
    /* A unit of bits. */
    bool bits;
    enum account_measure measure;
    /* Of the unit. */
    double scale;
    /* "GB", "" */
    const char *unit;
    /* Where in the text the number begins, behind "about". */
    const char *number;
};
/* Reads the figure that `text` begins with, a word such as "about" before it included; it may have
 * no unit. Returns where it ends, NULL if none begins here. Linear in what it reads. */
const char *account_read_figure(const char *text, struct account_figure *out);
/* Whether `text` begins with a unit that figures may have; fills measure, scale and unit. */
bool account_read_unit(const char *text, struct account_figure *out);
/* Gives a bare number the unit that stands elsewhere, as in a table's head. */
void account_figure_in(struct account_figure *f, const struct account_figure *unit);
/* Whether a value (base units) is what the figure says, within half of its last digit; "about"
 * allows one digit less. */
bool account_figure_is(const struct account_figure *f, double truth);

#endif
