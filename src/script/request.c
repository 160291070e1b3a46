
#include "script/script.h"
#include "script/wire.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── the language's files ──────────────────────────────────────────────────────────────────────*/

/* A request to load is a line of JSON that says how many bytes each text has, and the texts after
 * it: {"do":"load","lua":[{"name":"steps","bytes":10059} …],"name":"1.1.lua","bytes":22405}. As
 * strings of JSON they would be gone through letter by letter at both ends, while a learner waits
 * for the first page. */
struct load {
    json_t *files;
    struct base_text texts;
};

static bool is_lua(const char *name) {
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".lua") == 0 && name[0] != '.';
}

static bool add_file(struct load *l, const char *folder, const char *name, struct base_message *m) {
    size_t n;
    char *path = base_format("%s/%s", folder, name);
    char *text = base_file_read(path, REQUEST_LESSON, &n, m);
    free(path);
    if (!text) return false;
    json_array_append_new(
        l->files, json_pack("{s:s%, s:I}", "name", name, strlen(name) - 4, "bytes", (json_int_t)n));
    base_text_add(&l->texts, text, n);
    free(text);
    return true;
}

/* Adds the files of share/lua; false with the message if one cannot be read. */
static bool add_language(struct load *l, struct base_message *m) {
    char *folder = base_share_path("lua");
    DIR *d = folder ? opendir(folder) : NULL;
    if (!d) {
        base_fail(m, "the lesson language, %s, is missing; set ZEROTUTOR_SHARE or install again",
                  folder ? folder : "share/lua");
        free(folder);
        return false;
    }
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));)
        if (is_lua(e->d_name)) ok = add_file(l, folder, e->d_name, m);
    closedir(d);
    free(folder);
    return ok;
}

/* ── requests ──────────────────────────────────────────────────────────────────────────────────*/

static const char *refused(const char *text, size_t n) {
    if (n > REQUEST_LESSON) return "the lesson is over 256 KiB; make two of it";
    if (n > 0 && text[0] == '\033') return "this is compiled Lua; a lesson is text";
    if (memchr(text, 0, n)) return "the lesson holds a NUL byte; a lesson is text";
    if (!base_utf8_valid(text, n)) return "the lesson is not UTF-8";
    return NULL;
}

/* Editors on Windows begin a file with U+FEFF. */
static void skip_mark(const char **text, size_t *n) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = sizeof mark - 1;
    if (*n < length || memcmp(*text, mark, length) != 0) return;
    *text += length;
    *n -= length;
}

/* The line and the texts; the caller's. The name goes into JSON and into messages, and a file may
 * be called anything. */
static char *join(const struct load *l, const char *name, const char *text, size_t n) {
    struct base_text all = {0};
    char *clean = base_clean_dup(name, strlen(name), REQUEST_LESSON);
    json_t *head = json_pack("{s:s, s:O, s:s, s:I}", "do", "load", "lua", l->files, "name", clean,
                             "bytes", (json_int_t)n);
    char *line = json_dumps(head, JSON_COMPACT);
    base_text_printf(&all, "%s\n", line);
    base_text_add(&all, l->texts.s, l->texts.length);
    base_text_add(&all, text, n);
    free(line);
    json_decref(head);
    free(clean);
    return base_text_take(&all);
}

char *script_request_load(const char *name, const char *text, size_t n, struct base_message *m) {
    skip_mark(&text, &n);
    const char *why = refused(text, n);
    if (why) return base_fail_at(m, name, 0, "%s", why), NULL;
    struct load l = {.files = json_array()};
    char *all = add_language(&l, m) ? join(&l, name, text, n) : NULL;
    json_decref(l.files);
    base_text_free(&l.texts);
    if (!all || strlen(all) <= WIRE_MOST) return all;
    free(all);
    base_fail_at(m, name, 0, "the lesson cannot be sent to its worker; make it smaller");
    return NULL;
}

/* Gives `to` the next of the texts; false if fewer bytes are left than it should have. */
static bool take_text(json_t *to, const char **at, const char *end) {
    int64_t n = base_json_int(to, "bytes", -1);
    if (n < 0 || n > end - *at) return false;
    json_object_set_new(to, "text", json_stringn_nocheck(*at, (size_t)n));
    *at += n;
    return true;
}

json_t *script_request_read(const char *message, size_t n) {
    const char *line = memchr(message, '\n', n), *end = message + n, *at = line ? line + 1 : end;
    json_t *file, *request = json_loadb(message, line ? (size_t)(line - message) : n, 0, NULL);
    bool fits = request != NULL;
    size_t i;
    json_array_foreach(json_object_get(request, "lua"), i, file) {
        fits = fits && take_text(file, &at, end);
    }
    if (line) fits = fits && take_text(request, &at, end);
    if (fits && at == end) return request;
    json_decref(request);
    return NULL;
}

void script_request_call(char out[REQUEST_CALL], int fn, uint64_t seed) {
    snprintf(out, REQUEST_CALL, "{\"do\":\"call\",\"fn\":%d,\"seed\":\"%llu\"}", fn,
             (unsigned long long)seed);
}

char *script_request_calls(const struct script_call *call, size_t n) {
    struct base_text t = {0};
    char one[REQUEST_CALL];
    base_text_puts(&t, "{\"do\":\"calls\",\"calls\":[");
    for (size_t i = 0; i < n; i++) {
        script_request_call(one, call[i].fn, call[i].seed);
        base_text_printf(&t, "%s%s", i ? "," : "", one);
    }
    base_text_puts(&t, "]}");
    return base_text_take(&t);
}
