#include "lab/json.h"

#include <inttypes.h>
#include <math.h>

static void quoted(FILE *f, const char *text) {
    (void)fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') (void)fputc('\\', f);
        if (*c < ' ' || *c == 0x7f)
            (void)fprintf(f, "\\u%04x", *c);
        else
            (void)fputc(*c, f);
    }
    (void)fputc('"', f);
}

static void before(struct lab_json *j, const char *key) {
    if (j->comma) (void)fputc(',', j->file);
    j->comma = true;
    if (!key) return;
    quoted(j->file, key);
    (void)fputc(':', j->file);
}

void lab_json_open(struct lab_json *j, const char *key, char bracket) {
    before(j, key);
    (void)fputc(bracket, j->file);
    j->comma = false;
}

void lab_json_close(struct lab_json *j, char bracket) {
    (void)fputc(bracket, j->file);
    j->comma = true;
}

void lab_json_end(struct lab_json *j) {
    (void)fputc('\n', j->file);
    j->comma = false;
}

void lab_json_text(struct lab_json *j, const char *key, const char *text) {
    before(j, key);
    quoted(j->file, text);
}

void lab_json_count(struct lab_json *j, const char *key, uint64_t n) {
    before(j, key);
    (void)fprintf(j->file, "%" PRIu64, n);
}

void lab_json_integer(struct lab_json *j, const char *key, int64_t n) {
    before(j, key);
    (void)fprintf(j->file, "%" PRId64, n);
}

void lab_json_real(struct lab_json *j, const char *key, double x, int digits) {
    before(j, key);
    if (isfinite(x))
        (void)fprintf(j->file, "%.*g", digits, x);
    else
        (void)fputs("null", j->file);
}

void lab_json_flag(struct lab_json *j, const char *key, bool is) {
    before(j, key);
    (void)fputs(is ? "true" : "false", j->file);
}

void lab_json_null(struct lab_json *j, const char *key) {
    lab_json_real(j, key, NAN, 1);
}

void lab_json_hash(struct lab_json *j, const char *key, uint64_t hash) {
    char text[24];
    (void)snprintf(text, sizeof text, "%016" PRIx64, hash);
    lab_json_text(j, key, text);
}

void lab_json_categories(struct lab_json *j, const char *key, const uint64_t *bytes) {
    lab_json_open(j, key, '{');
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        lab_json_count(j, account_category_name((enum account_category)c), bytes[c]);
    lab_json_close(j, '}');
}

void lab_json_sent(struct lab_json *j, const uint64_t *sent) {
    uint64_t total = 0;
    lab_json_open(j, "sent", '{');
    for (int i = 0; i < LAB_SENT; i++) {
        if (i == LAB_ALL_TO_ALL && sent[i] == 0) continue;
        lab_json_count(j, lab_collective_name((enum lab_collective)i), sent[i]);
        total += sent[i];
    }
    lab_json_count(j, "total", total);
    lab_json_close(j, '}');
}
