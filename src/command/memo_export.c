/* memo export: a memo printed as Markdown, HTML or PDF, with what the check found. */
#include "command/memo_book.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool print(const struct arguments *a, const struct memo_printed *p, struct base_message *m) {
    struct export_book book;
    command_export_book_open(&book, 0);
    (command_arguments_has(a, "executive") ? command_memo_book_brief
                                           : command_memo_book_whole)(&book, p);
    const struct export_way way = {.format = command_export_format_of(a),
                                   .file = command_arguments_value(a, "output")};
    bool printed = command_export_print(&book, EXPORT_BODY, &way, m);
    command_export_book_free(&book);
    return printed;
}

/* What lays pages out takes its time over a book; whoever signs reads a few pages. */
static bool suits_pages(const struct arguments *a, size_t length) {
    enum { PDF_MOST = 128 << 10 };
    bool pdf = strcmp(command_export_format_of(a), "pdf") == 0;
    if (!pdf || length <= PDF_MOST || command_arguments_has(a, "executive")) return true;
    command_say_error(
        "'%s' has %zu KiB: a PDF is made of a memo of up to %d KiB, some forty pages. "
        "Shorten it, print one page of it with --executive, or name an .html file",
        a->operand[1], length >> 10, PDF_MOST >> 10);
    return false;
}

/* A file of another kind than is written here would only look like one. */
static bool suits_name(const struct arguments *a) {
    static const char *const endings[] = {".md", ".markdown", ".txt", ".html", ".htm", ".pdf"};
    const char *file = command_arguments_value(a, "output"),
               *slash = file ? strrchr(file, '/') : NULL;
    const char *ending = file ? strrchr(slash ? slash : file, '.') : NULL;
    if (!ending || command_arguments_has(a, "format")) return true;
    for (size_t i = 0; i < BASE_COUNT(endings); i++)
        if (strcasecmp(ending, endings[i]) == 0) return true;
    command_say_error(
        "'%s' is no kind of file that is written here: name one that ends in .md, .html or "
        ".pdf, or say --format",
        file);
    return false;
}

/* An export has marks and the check in it: written over the memo, it would be all that is left of it. */
static bool spares_memo(const struct arguments *a) {
    const char *file = command_arguments_value(a, "output");
    struct stat to, memo;
    if (!file || stat(file, &to) || stat(a->operand[1], &memo)) return true;
    if (to.st_dev != memo.st_dev || to.st_ino != memo.st_ino) return true;
    command_say_error("'%s' is the memo itself: name another file, so that what you wrote is kept",
                      file);
    return false;
}

int command_memo_export(const struct arguments *a) {
    struct memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2)
        return command_say_error("which memo? `zerotutor memo export FILE -o memo.pdf`");
    if (!suits_name(a) || !command_export_suits_output(a) || !spares_memo(a)) return COMMAND_USAGE;
    char *text = command_memo_file(a->operand[1], &length);
    if (!text) return COMMAND_USAGE;
    if (!suits_pages(a, length)) {
        free(text);
        return COMMAND_USAGE;
    }
    bool read = command_memo_held(text, length, &r, &m);
    bool printed = read && print(a, &(struct memo_printed){text, length, &r}, &m);
    int status = printed ? COMMAND_WELL
                 : read  ? command_say_message(&m)
                         : command_say_error("'%s': %s", a->operand[1], m.what);
    memo_free(&r);
    free(text);
    return status;
}
