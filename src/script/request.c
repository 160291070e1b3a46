
#include "script/script.h"
#include "script/wire.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ── the language's files ──────────────────────────────────────────────────────────────────────*/

static bool is_lua(const char *name) {
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".lua") == 0 && name[0] != '.';
}

static bool add_file(json_t *files, const char *folder, const char *name, struct base_message *m) {
    size_t n;
    char *path = base_format("%s/%s", folder, name);
    char *text = base_file_read(path, REQUEST_LESSON, &n, m);
    free(path);
    if (!text) return false;
    json_array_append_new(
        files, json_pack("{s:s%, s:s%}", "name", name, strlen(name) - 4, "text", text, n));
    free(text);
    return true;
}

/* [{"name", "text"} …] of share/lua; NULL with the message if one cannot be read. */
static json_t *language_files(struct base_message *m) {
    char *folder = base_share_path("lua");
    DIR *d = folder ? opendir(folder) : NULL;
    if (!d) {
        base_fail(m, "the lesson language, %s, is missing; set ZEROTUTOR_SHARE or install again",
                  folder ? folder : "share/lua");
        free(folder);
        return NULL;
    }
    json_t *files = json_array();
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));)
        if (is_lua(e->d_name)) ok = add_file(files, folder, e->d_name, m);
    closedir(d);
    free(folder);
    if (ok) return files;
    json_decref(files);
    return NULL;
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

/* The name goes into JSON and into messages, and a file may be called anything. */
static json_t *load_json(const char *name, const char *text, size_t n, json_t *language) {
    char *clean = base_clean_dup(name, strlen(name), REQUEST_LESSON);
    json_t *request = json_pack("{s:s, s:s, s:s%, s:o}", "do", "load", "name", clean, "text", text,
                                n, "lua", language);
    free(clean);
    return request;
}

char *script_request_load(const char *name, const char *text, size_t n, struct base_message *m) {
    skip_mark(&text, &n);
    const char *why = refused(text, n);
    if (why) return base_fail_at(m, name, 0, "%s", why), NULL;
    json_t *language = language_files(m);
    if (!language) return NULL;
    json_t *request = load_json(name, text, n, language);
    char *line = request ? json_dumps(request, JSON_COMPACT) : NULL;
    json_decref(request);
    if (line && strlen(line) <= WIRE_MOST) return line;
    free(line);
    base_fail_at(m, name, 0, "the lesson cannot be sent to its worker; make it smaller");
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
