/* said.h: a figure in words says what its drawing shows. Amounts are numbers with a unit of bytes,
 * time or bandwidth. Every amount that is drawn is said, but for the labels of an axis; and what is
 * said beyond that are parts, which add up to what they are parts of. */
#ifndef TESTS_PAGE_SAID_H
#define TESTS_PAGE_SAID_H

#include "page/page.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The unit that a text begins with, in base units; 0 if it is none. */
static inline double said_unit(const char *s, size_t *length) {
    static const struct {
        const char *name;
        double scale;
    } units[] = {
        {"B", 1},        {"bytes", 1},    {"byte", 1},   {"KB", 1e3},   {"kB", 1e3},
        {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},  {"KiB", 1024}, {"MiB", 0x1p20},
        {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12},
        {"s", 1},        {"ms", 1e-3},
    };
    *length = strcspn(s, " \n.,;:()+-");
    for (size_t i = 0; i < BASE_COUNT(units); i++)
        if (strlen(units[i].name) == *length && !strncmp(s, units[i].name, *length))
            return units[i].scale;
    return 0;
}

/* The next amount of a text as it is written, the caller's; *text moves behind it, NULL at the end.
 * Its value is in *value. */
static inline char *said_next(const char **text, double *value) {
    for (const char *s = *text; *s; s++) {
        if (*s < '0' || *s > '9') continue;
        size_t digits = strspn(s, "0123456789."), length;
        double scale = s[digits] == ' ' ? said_unit(s + digits + 1, &length) : 0;
        if (scale > 0) {
            *value = strtod(s, NULL) * scale;
            *text = s + digits + 1 + length;
            const char *unit = s + digits + 1;
            bool spelt = !strncmp(unit, "byte", strlen("byte")); /* "2 bytes" is "2 B" */
            return base_format("%.*s %.*s", (int)digits, s, spelt ? 1 : (int)length,
                               spelt ? "B" : unit);
        }
        s += digits - 1;
    }
    return NULL;
}

static inline bool said_is_in(const char *text, const char *amount) {
    double value;
    for (char *one; (one = said_next(&text, &value)); free(one))
        if (!strcmp(one, amount)) {
            free(one);
            return true;
        }
    return false;
}

/* Numbers and a unit, and nothing else: what stands under an axis. */
static inline bool said_is_axis(const char *row) {
    size_t length, digits = strspn(row, " 0123456789.");
    return digits > 0 && said_unit(row + digits, &length) > 0 && !row[digits + length];
}

/* Whether an amount of it is zero, as in the row of a pile that is gone: of what is not there
 * nothing is said. */
static inline bool said_is_gone(const char *row) {
    double value = 1;
    for (char *one; value > 0 && (one = said_next(&row, &value));) free(one);
    return !(value > 0);
}

/* "10.2 GB, of which params 5.1 GB and grads 5.1 GB": the parts are the whole, as they are
 * rounded. */
static inline void said_adds_up(const char *line) {
    const char *which = strstr(line, "of which "), *rest = which ? which + 9 : "";
    double whole = 0, part, sum = 0, last = 0; /* last: one of the whole's last digit */
    size_t parts = 0;
    const char *all = line;
    if (!which || strstr(line, "exposed")) return;
    for (char *one; (one = said_next(&line, &part)); free(one)) {
        if (line >= which) continue;
        const char *point = strchr(one, '.');
        whole = part;
        last = part / strtod(one, NULL) *
               (point ? pow(10, -(double)(strspn(point + 1, "0123456789"))) : 1);
    }
    const char *end = strpbrk(rest, ";") ? strpbrk(rest, ";") : strstr(rest, ". ");
    for (char *one; (one = said_next(&rest, &part)); free(one), parts++)
        if (!end || rest <= end + 1) sum += part;
    if (parts && !(fabs(sum - whole) <= 0.01 * whole + last / 2))
        fail_msg("the parts are %g of %g: %s", sum, whole, all);
}

static inline char *said_text(const json_t *spec, bool words) {
    struct base_message m = {0};
    int width = words ? 2000 : 120; /* a sentence is a line */
    struct page *p = page_new(width, false);
    struct page_flow f = {.width = width};
    if (!(words ? page_figure_words : page_figure)(p, f, spec, &m)) fail_msg("%s", m.what);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

/* A ledger says each pile in one sentence: "master: none, it was 28 GB." */
static inline void said_once(const char *words) {
    for (const char *line = words; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t name = strcspn(line, ":\n") + 1;
        for (const char *other = line; (other = strchr(other, '\n')) && *++other;)
            if (line[name - 1] == ':' && !strncmp(line, other, name))
                fail_msg("%.*s is said twice:\n%s", (int)name, line, words);
    }
}

static inline void said_holds(const json_t *spec) {
    char *drawn = said_text(spec, false), *words = said_text(spec, true), *rows = drawn, *row;
    char *lines = base_dup(words), *left = lines, *line;
    bool play = !strcmp(json_string_value(json_object_get(spec, "kind")), "play");
    assert_true(strspn(words, " \n") < strlen(words));
    if (strstr(words, "of which .")) fail_msg("a sum is said without its parts:\n%s", words);
    if (!strcmp(json_string_value(json_object_get(spec, "kind")), "ledger")) said_once(words);
    /* A frame of a play is its sentence, and the amounts beside it are of the frame alone. */
    if (play) rows = NULL;
    while (rows && (row = strsep(&rows, "\n"))) {
        const char *at = row;
        double value;
        if (said_is_axis(row) || said_is_gone(row)) continue;
        for (char *one; (one = said_next(&at, &value)); free(one))
            if (strncmp(at, " ┤", strlen(" ┤")) != 0 && !said_is_in(words, one)) /* no axis */
                fail_msg("%s is drawn and not said:\n%s", one, words);
    }
    while ((line = strsep(&left, "\n"))) said_adds_up(line);
    free(lines);
    free(words);
    free(drawn);
}

#endif
