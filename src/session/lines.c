/* lines: files of JSON lines, of which the first says what the file is. Of a record the last one
 * says how many stand above it, and their SHA-256. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

#define LAST "{\"lines\":" /* how the last line begins */

char *session_lines_seal(const char *text, size_t n) {
    char sha256[HASH_HEX];
    size_t lines = 0;
    for (size_t i = 0; i < n; i++) lines += text[i] == '\n';
    hash_hex("", text, n, sha256);
    return base_format(LAST "%zu,\"sha256\":\"%s\"}\n", lines, sha256);
}

void session_lines_add(struct base_text *t, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT);
    base_text_puts(t, text);
    base_text_add(t, "\n", 1);
    free(text);
    json_decref(line);
}

json_t *session_lines_next(struct session_lines *f, struct base_message *m) {
    const char *end = memchr(f->at, '\n', (size_t)(f->end - f->at));
    size_t n = (size_t)((end ? end : f->end) - f->at);
    json_error_t e;
    json_t *line = json_loadb(f->at, n, JSON_REJECT_DUPLICATES, &e);
    f->line++;
    f->at += n + (end != NULL);
    if (!line) base_fail_at(m, f->path, f->line, "this line is not JSON: %s", e.text);
    return line;
}

bool session_lines_head(json_t *head, const struct session_lines *f, const char *what,
                        int64_t format, int64_t schema, struct base_message *m) {
    int64_t its = base_json_int(head, "format", 0), version = base_json_int(head, "schema", 0);
    if (strcmp(base_json_text(head, "zerotutor", ""), what) != 0 || its <= 0)
        return base_fail_at(m, f->path, 0, "zerotutor did not write this %s", what);
    return (its <= format && version <= schema) ||
           base_fail_at(m, f->path, 0,
                        "a newer zerotutor wrote this (format %lld, version %lld; this program "
                        "reads %lld and %lld): update zerotutor",
                        (long long)its, (long long)version, (long long)format, (long long)schema);
}

bool session_lines_end(struct session_lines *f, struct base_message *m) {
    bool whole = f->end > f->text && f->end[-1] == '\n';
    f->last = whole ? f->end - 1 : f->end;
    while (f->last > f->text && f->last[-1] != '\n') f->last--;
    return (whole && strncmp(f->last, LAST, strlen(LAST)) == 0) ||
           base_fail_at(m, f->path, 0,
                        "its end is missing, so the file was cut off: export it again");
}

bool session_lines_fit(const struct session_lines *f) {
    char *seal = session_lines_seal(f->text, (size_t)(f->last - f->text));
    size_t n = strlen(seal);
    bool same = (size_t)(f->end - f->last) == n && memcmp(f->last, seal, n) == 0;
    free(seal);
    return same;
}
