/* export_print: an exported document goes to a file or to standard output, as Markdown, HTML or
 * PDF. */
#include "command/export.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ── PDF ───────────────────────────────────────────────────────────────────────────────────────*/
enum { WORDS = 8, PDF_MOST = 1 << 28 };
#define PAGE  "\1" /* stands for the HTML's path */
#define PRINT "\2" /* for the PDF's, after what is before it */

#define CHROMIUM(name)                                                                             \
    { name, {"--headless", "--no-pdf-header-footer", "--print-to-pdf=" PRINT, PAGE}, true }
static const struct converter {
    const char *name;
    const char *word[WORDS];
    /* root cannot run it with its sandbox; the page is our own, and has no scripts */
    bool browser;
} converters[] = {
    {"weasyprint", {"--quiet", PAGE, PRINT}, false},
    CHROMIUM("chromium"),
    CHROMIUM("chromium-browser"),
    CHROMIUM("google-chrome"),
    CHROMIUM("google-chrome-stable"),
    CHROMIUM("microsoft-edge"),
};

/* a folder of our own, and what is in it */
struct desktop {
    char *folder, *page, *print;
};

static bool open_desktop(struct desktop *d, const char *html, struct base_message *m) {
    const char *tmp = getenv("TMPDIR");
    d->folder = base_format("%s/zerotutor-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(d->folder)) {
        base_fail_at(m, d->folder, 0, "cannot make this folder: %s: set TMPDIR", strerror(errno));
        *d->folder = '\0';
        return false;
    }
    d->page = base_format("%s/page.html", d->folder);
    d->print = base_format("%s/page.pdf", d->folder);
    return base_file_write(d->page, html, strlen(html), m);
}

static void close_desktop(struct desktop *d) {
    if (d->page) unlink(d->page);
    if (d->print) unlink(d->print);
    if (*d->folder) rmdir(d->folder);
    free(d->page);
    free(d->print);
    free(d->folder);
}

static char *fill_word(const char *word, const struct desktop *d) {
    size_t n = strcspn(word, PAGE PRINT);
    const char *path = word[n] == *PAGE ? d->page : word[n] == *PRINT ? d->print : "";
    return base_format("%.*s%s", (int)n, word, path);
}

static void fill_words(char **argv, const struct converter *c, const struct desktop *d) {
    size_t n = 0;
    argv[n++] = base_dup(c->name);
    if (c->browser && geteuid() == 0) argv[n++] = base_dup("--no-sandbox");
    for (size_t i = 0; i < WORDS && c->word[i]; i++) argv[n++] = fill_word(c->word[i], d);
    argv[n] = NULL;
}

/* Its exit status; -1 if there is no such program. What it says is not for our reader. */
static int convert(const struct converter *c, const struct desktop *d) {
    char *argv[WORDS + 3];
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    int status = -1;
    fill_words(argv, c, d);
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool runs = posix_spawnp(&pid, c->name, &quiet, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    if (runs) waitpid(pid, &status, 0);
    for (char **word = argv; *word; word++) free(*word);
    if (!runs || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *convert_any(const struct desktop *d, size_t *length, struct base_message *m) {
    for (size_t i = 0; i < BASE_COUNT(converters); i++) {
        int status = convert(&converters[i], d);
        if (status < 0) continue;
        char *pdf = status == 0 ? base_file_read(d->print, PDF_MOST, length, NULL) : NULL;
        if (!pdf)
            base_fail(m,
                      "%s made no PDF (it ended with %d): `--format html` can be printed from a "
                      "browser",
                      converters[i].name, status);
        return pdf;
    }
    base_fail(m, "no program here makes PDFs: install weasyprint or chromium, or print `--format "
                 "html` from a browser");
    return NULL;
}

/* HTML laid out as PDF by the first of the known converters that is installed. NULL with the
 * message filled. */
static char *export_to_pdf(const char *html, size_t *length, struct base_message *m) {
    struct desktop d = {0};
    char *pdf = open_desktop(&d, html, m) ? convert_any(&d, length, m) : NULL;
    close_desktop(&d);
    return pdf;
}

/* ── where it goes ─────────────────────────────────────────────────────────────────────────────*/
const char *command_export_format_of(const struct arguments *a) {
    static const char *const known[][2] = {
        {".html", "html"}, {".htm", "html"}, {".pdf", "pdf"}, {".txt", "txt"}};
    const char *told = command_arguments_value(a, "format"),
               *file = command_arguments_value(a, "output");
    const char *ending = file ? strrchr(file, '.') : NULL;
    for (size_t i = 0; !told && ending && i < BASE_COUNT(known); i++)
        if (strcmp(ending, known[i][0]) == 0) told = known[i][1];
    return told ? told : "md";
}

bool command_export_suits_output(const struct arguments *a) {
    bool pdf = strcmp(command_export_format_of(a), "pdf") == 0;
    if (!pdf || command_arguments_value(a, "output") || !isatty(STDOUT_FILENO)) return true;
    command_say_error(
        "a PDF cannot go to a terminal: name a file with `-o FILE`, or write it into a pipe");
    return false;
}

/* As a terminal of 80 columns shows it. */
static char *to_text(const struct export_book *b, unsigned parts, struct base_message *m) {
    enum { COLUMNS = 80 };
    char *markdown = command_export_to_markdown(b, parts, m);
    if (!markdown) return NULL;
    struct page *p = page_new(COLUMNS, false);
    page_markdown(p, (struct page_flow){.width = COLUMNS}, markdown);
    char *text = page_to_text(p);
    page_free(p);
    free(markdown);
    return text;
}

char *command_export_lay_out(const struct export_book *b, unsigned parts, const char *format,
                             const char *page, size_t *length, struct base_message *m) {
    char *text = strcmp(format, "md") == 0    ? command_export_to_markdown(b, parts, m)
                 : strcmp(format, "txt") == 0 ? to_text(b, parts, m)
                                              : command_export_to_html(b, parts, page, m);
    *length = text ? strlen(text) : 0;
    if (!text || strcmp(format, "pdf") != 0) return text;
    char *pdf = export_to_pdf(text, length, m);
    free(text);
    return pdf;
}

bool command_export_print(const struct export_book *b, unsigned parts, const struct export_way *w,
                          struct base_message *m) {
    size_t n;
    char *text = command_export_lay_out(b, parts, w->format, w->page ? w->page : "a4", &n, m);
    if (!text) return false;
    bool written = true;
    if (w->file)
        written = base_file_write(w->file, text, n, m);
    else
        fwrite(text, 1, n, stdout);
    free(text);
    return written;
}
