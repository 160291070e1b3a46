/* certificate_save: a certificate as a file: its lines alone, or in a page that carries them; and
 * whether such a page is the one that is printed of them. */
#include "command/export.h"

#include "session/session.h"

#include <stdlib.h>
#include <string.h>

/* ── a page ────────────────────────────────────────────────────────────────────────────────────*/
static char *draw(const json_t *says, bool ascii) {
    struct page *p = page_new(80, ascii);
    page_put(p, 0, 1, PAGE_TITLE, 0, "Certificate");
    page_blank(p, 1);
    page_certificate(p, (struct page_flow){.indent = 1, .width = 78}, says);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

static char *print_book(const json_t *says, const char *form, size_t *n, struct base_message *m) {
    struct export_book b;
    char *words = page_certificate_words(says);
    command_export_book_open(&b, 0);
    free(b.colophon); /* no number of it is drawn */
    b.colophon = base_format("zerotutor %s", command_version);
    b.title = base_dup("Certificate");
    b.about = base_dup("ZeRO: which stage, what it saves, what it costs");
    command_export_text(b.body, words);
    char *text = command_export_lay_out(&b, EXPORT_BODY, form, "a4", n, m);
    command_export_book_free(&b);
    free(words);
    return text;
}

/* The page with the certificate in it, as `how` says; the caller's, NULL with the message filled.
 */
static char *print(const struct session_certified *c, const json_t *how, size_t *length,
                   struct base_message *m) {
    const char *form = base_json_text(how, "form", "");
    bool text = strcmp(form, "txt") == 0;
    json_t *says = json_copy(c->says);
    json_object_set(says, "dates", json_object_get(how, "dates"));
    size_t n = 0;
    char *page =
        text ? draw(says, base_json_bool(how, "ascii", false)) : print_book(says, form, &n, m);
    if (page && text) n = strlen(page);
    char *whole = page ? session_certificate_carry(c, how, page, n, length) : NULL;
    json_decref(says);
    free(page);
    return whole;
}

/* ── a file ────────────────────────────────────────────────────────────────────────────────────*/
/* By what its name ends in. */
static const struct ending {
    const char *ending;
    /* "": the lines alone */
    const char *form;
} endings[] = {{".cert", ""},    {".txt", "txt"}, {".html", "html"},
               {".htm", "html"}, {".pdf", "pdf"}, {".md", "md"}};

static const char *form_of(const char *file) {
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < BASE_COUNT(endings); i++)
        if (strcmp(dot, endings[i].ending) == 0) return endings[i].form;
    return NULL;
}

bool command_certificate_ends(const char *file) {
    return form_of(file) != NULL;
}

/* A page that was read is printed as it was; else as the file's name says. The caller's. */
static json_t *how_to_print(const struct session_certified *c, const char *file, bool ascii) {
    const char *form = form_of(file);
    json_t *how = json_copy(c->page);
    if (how) json_object_set_new(how, "program", json_string(command_version));
    if (!how && form && *form)
        how = json_pack("{ss sb sb ss}", "form", form, "ascii", ascii, "dates",
                        base_json_bool(c->says, "dates", true), "program", command_version);
    return how;
}

bool command_certificate_save(const struct session_certified *c, const char *file, bool ascii,
                              struct base_message *m) {
    json_t *how = how_to_print(c, file, ascii);
    size_t n = c->length;
    char *page = how ? print(c, how, &n, m) : NULL;
    bool saved = (page || !how) && base_file_write(file, page ? page : c->text, n, m);
    free(page);
    json_decref(how);
    return saved;
}

/* ── whether a page is its own ─────────────────────────────────────────────────────────────────*/
enum { QUOTE_MOST = 60, QUOTE_BEFORE = 24 };

/* The part of a line that is quoted: from a word or two before the difference. */
static char *quote(const char *line, size_t n, size_t differs) {
    size_t from = differs > QUOTE_BEFORE ? differs - QUOTE_BEFORE : 0;
    while (from > 0 && from < differs && line[from - 1] != ' ') from++;
    while (from < differs && line[from] == ' ') from++;
    return base_clean_dup(line + from, n - from, QUOTE_MOST);
}

static bool fail_line(const char *file, int at, const char *is, const char *should,
                      struct base_message *m) {
    size_t n = strcspn(is, "\n"), k = strcspn(should, "\n"), differs = 0;
    while (differs < n && differs < k && is[differs] == should[differs]) differs++;
    char *says = quote(is, n, differs), *shows = quote(should, k, differs);
    base_fail_at(m, file, at,
                 "it does not verify: its answers hold, but this line of its page was changed. It "
                 "says \"%s\", and its answers show \"%s\"",
                 says, shows);
    free(shows);
    free(says);
    return false;
}

/* The first line in which a file is another than it should be. */
static bool name_line(const char *file, const char *is, const char *should,
                      struct base_message *m) {
    for (int line = 1;; line++) {
        size_t n = strcspn(is, "\n"), k = strcspn(should, "\n");
        if (n != k || memcmp(is, should, n) != 0 || !is[n] || !should[k])
            return fail_line(file, line, is, should, m);
        is += n + 1;
        should += k + 1;
    }
}

bool command_certificate_is_its_page(const struct session_certified *c, const char *file,
                                     struct base_message *m) {
    bool ours = strcmp(base_json_text(c->page, "program", ""), command_version) == 0,
         pdf = strcmp(base_json_text(c->page, "form", ""), "pdf") == 0;
    size_t n;
    if (!c->whole) return true;
    char *again = ours && !pdf ? print(c, c->page, &n, m) : NULL;
    bool same = again ? n == c->bytes && memcmp(again, c->whole, n) == 0 : c->fits;
    if (!same && again)
        name_line(file, c->whole, again, m);
    else if (!same)
        base_fail_at(m, file, 0,
                     "it does not verify: its answers hold, but its page was changed after it was "
                     "made (its SHA-256 differs)");
    free(again);
    return same;
}
