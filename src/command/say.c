/* say: errors, JSON, and "did you mean". */
#include "command/internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char command_version[] = BASE_VERSION;

enum { SAY_MOST = 2000 };

/* What was typed is repeated in errors, so it is cleaned of what would drive the terminal. */
int command_say_error(const char *format, ...) {
    char text[SAY_MOST];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char *clean = base_clean_dup(text, strlen(text), sizeof text);
    fflush(stdout);
    base_say_error(clean);
    free(clean);
    return COMMAND_USAGE;
}

int command_say_message(const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    return command_say_error("%s", base_message_text(m, text, sizeof text));
}

int command_say_json(json_t *json) {
    json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(json);
    return COMMAND_WELL;
}

/* ── did you mean ──────────────────────────────────────────────────────────────────────────────*/
enum { WORD_MOST = 40 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return a == b || (strchr("_-", a) && strchr("_-", b));
}

/* Levenshtein's distance, a row at a time: how many letters are put in, left out or changed. */
static size_t distance(const char *a, const char *b) {
    size_t row[WORD_MOST + 1], n = strlen(b);
    if (n > WORD_MOST || strlen(a) > WORD_MOST) return WORD_MOST;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t changed = corner + !same_letter(a[i], b[j]);
            corner = row[j + 1];
            row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
        }
    }
    return row[n];
}

bool command_nearest_try(struct nearest *n, const char *candidate) {
    size_t d = distance(n->word, candidate), length = strlen(n->word);
    bool begins = length > 1 && strncmp(n->word, candidate, length) == 0;
    if (begins) d = 1;
    size_t far = length > 5 ? 3 : length > 3 ? 2 : 1;
    if (d > far || (n->best && d >= n->distance)) return false;
    n->best = candidate;
    n->distance = d;
    return true;
}

int command_say_unknown(const char *what, const char *word, const char *best, const char *advice) {
    char name[WORD_MOST + 8] = "";
    if (best) snprintf(name, sizeof name, "%s%.*s", *word == '-' ? "--" : "", WORD_MOST, best);
    for (char *c = name; *c; c++)
        if (*c == '_') *c = '-';
    if (best) return command_say_error("unknown %s '%s': did you mean '%s'?", what, word, name);
    return command_say_error("unknown %s '%s': %s", what, word, advice);
}
