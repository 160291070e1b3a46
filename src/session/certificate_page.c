/* certificate_page: a printed page that carries its certificate's lines where its reader does not
 * see them, or under it, so that the page alone can be verified. One more line of the chain says
 * how it was printed, and its SHA-256:
 *
 *     {"page":{"form":"html","ascii":false,"dates":true,"program":"0.9"},"sha256":"…","link":"…"}
 *
 * All of the file but these lines is the page. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

#define FIRST "{\"zerotutor\":\"certificate\""
#define PAGE  "{\"page\":"

/* ── forms ─────────────────────────────────────────────────────────────────────────────────────*/
static const struct form {
    const char *name;
    /* the page goes on with this, after the lines; NULL: it has ended. It is copied, if `again`:
     * a PDF is read from its last lines, and one that has comments after them repeats them. */
    const char *rest;
    bool again;
    /* before the lines, before each of them, after them */
    const char *open, *mark, *close;
} forms[] = {
    {"txt", NULL, false,
     "\n The lines below are the answers. `zerotutor certificate verify` reads this file.\n\n", "",
     ""},
    {"md", NULL, false, "\n<!--\n", "", "-->\n"},
    {"html", "</body>", false, "<script type=\"text/plain\">\n", "", "</script>\n"},
    {"pdf", "startxref", true, "\n", "%", ""},
};

static const struct form *form_of(const json_t *page) {
    const char *name = base_json_text(page, "form", "");
    for (size_t i = 0; i < BASE_COUNT(forms); i++)
        if (strcmp(forms[i].name, name) == 0) return &forms[i];
    return NULL;
}

/* The last place of `what`, or the end. */
static size_t place_of(const char *text, size_t n, const char *what) {
    size_t length = what ? strlen(what) : 0;
    for (size_t at = n; length && at >= length; at--)
        if (memcmp(text + at - length, what, length) == 0) return at - length;
    return n;
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/
static void hash_page(const char *before, size_t n, const char *after, size_t more,
                      char out[HASH_HEX]) {
    struct hash_sha256 s;
    unsigned char sum[HASH_SHA256_BYTES];
    hash_sha256_begin(&s);
    hash_sha256_add(&s, before, n);
    hash_sha256_add(&s, after, more);
    hash_sha256_end(&s, sum);
    hash_hex_of(sum, out);
}

static void add_marked(struct base_text *t, const char *mark, const char *lines, size_t n) {
    for (const char *end; n > 0; n -= (size_t)(end - lines), lines = end) {
        end = (const char *)memchr(lines, '\n', n) + 1;
        base_text_puts(t, mark);
        base_text_add(t, lines, (size_t)(end - lines));
    }
}

static char *page_line(const struct session_certified *c, const json_t *page,
                       const char sha256[HASH_HEX]) {
    char link[HASH_HEX], end[HASH_LINK_BYTES + 1];
    json_t *line = json_pack("{sO ss}", "page", (json_t *)page, "sha256", sha256);
    char *text = json_dumps(line, JSON_COMPACT);
    size_t n = strlen(text) - 1;
    snprintf(link, sizeof link, "%s", c->last);
    hash_link_add(text, n, link, end);
    char *whole = base_format("%.*s%s\n", (int)n, text, end);
    free(text);
    json_decref(line);
    return whole;
}

char *session_certificate_carry(const struct session_certified *c, const json_t *page,
                                const char *printed, size_t n, size_t *length) {
    const struct form *f = form_of(page);
    struct base_text t = {0};
    char sha256[HASH_HEX];
    size_t at = place_of(printed, n, f->rest), to = f->again ? n : at;
    base_text_add(&t, printed, to);
    base_text_puts(&t, f->open);
    char *after = base_format("%s%.*s", f->close, (int)(n - at), printed + at);
    hash_page(t.s, t.length, after, strlen(after), sha256);
    char *last = page_line(c, page, sha256);
    add_marked(&t, f->mark, c->text, c->length);
    add_marked(&t, f->mark, last, strlen(last));
    base_text_puts(&t, after);
    *length = t.length;
    free(last);
    free(after);
    return base_text_take(&t);
}

/* ── in ────────────────────────────────────────────────────────────────────────────────────────*/
/* Where the first of the lines begins in a page, with its mark; NULL if there is none. */
static const char *find_lines(const char *text, size_t n, const char **mark) {
    for (size_t i = 0; i < BASE_COUNT(forms); i++) {
        char *first = base_format("\n%s" FIRST, forms[i].mark);
        const char *found = memmem(text, n, first, strlen(first));
        free(first);
        *mark = forms[i].mark;
        if (found) return found + 1;
    }
    return NULL;
}

/* The lines without their marks, up to the first that has none; returns where that begins. */
static const char *read_marked(const char *at, const char *end, const char *mark,
                               struct base_text *lines) {
    size_t n = strlen(mark);
    while ((size_t)(end - at) > n && memcmp(at, mark, n) == 0 && at[n] == '{') {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        base_text_add(lines, at + n, (size_t)(stop - at) - n);
        at = stop;
    }
    return at;
}

/* Takes the last line off, unchanged, if it is the page's. */
static char *take_page_line(struct base_text *lines) {
    size_t end = lines->length, from = end ? end - 1 : 0;
    while (from > 0 && lines->s[from - 1] != '\n') from--;
    if (!lines->s || strncmp(lines->s + from, PAGE, strlen(PAGE)) != 0) return NULL;
    char *line = base_dup(lines->s + from);
    lines->s[lines->length = from] = 0;
    return line;
}

void session_certificate_uncarry(char *file, size_t n, struct session_certified *c) {
    struct base_text lines = {0};
    const char *mark, *from = find_lines(file, n, &mark);
    *c = (struct session_certified){.text = file, .length = n};
    if (strncmp(file, FIRST, strlen(FIRST)) == 0 || !from) return;
    for (const char *s = file; s < from; s++) c->above += *s == '\n';
    const char *to = read_marked(from, file + n, mark, &lines);
    hash_page(file, (size_t)(from - file), to, (size_t)(file + n - to), c->sha256);
    c->line = take_page_line(&lines);
    c->whole = file;
    c->bytes = n;
    c->length = lines.length;
    c->text = base_text_take(&lines);
}

bool session_certificate_page_fits(const char *path, struct session_certified *c, bool *edited,
                                   struct base_message *m) {
    char link[HASH_HEX];
    if (!c->whole) return true;
    *edited = true;
    if (!c->line)
        return base_fail_at(m, path, 0,
                            "it does not verify: the line that belongs to its page was taken out");
    snprintf(link, sizeof link, "%s", c->last);
    size_t n = strlen(c->line);
    json_t *line = base_json_parse(c->line, n);
    c->page = json_incref(json_object_get(line, "page"));
    bool fits = n > 0 && hash_link_fits(c->line, n - 1, link) && form_of(c->page);
    c->fits = strcmp(base_json_text(line, "sha256", ""), c->sha256) == 0;
    json_decref(line);
    return fits || base_fail_at(m, path, 0,
                                "it does not verify: the line that belongs to its page was changed "
                                "after it was made");
}

void session_certified_free(struct session_certified *c) {
    if (c->text != c->whole) free(c->text);
    free(c->whole);
    free(c->line);
    json_decref(c->page);
    json_decref(c->says);
    *c = (struct session_certified){0};
}
