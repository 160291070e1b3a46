/* memo export: a memo printed as Markdown, HTML or PDF, with what the check found. */
#include "command/memo_book.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file's name ends in, where no format is told; Markdown otherwise. */
static const char *find_format(const struct arguments *a) {
    static const char *const known[][2] = {
        {".html", "html"},
        {".htm",  "html"},
        {".pdf",  "pdf" }
    };
    const char *told = arguments_value(a, "format"), *file = arguments_value(a, "output");
    const char *ending = file ? strrchr(file, '.') : NULL;
    for (size_t i = 0; !told && ending && i < BASE_COUNT(known); i++)
        if (strcmp(ending, known[i][0]) == 0) told = known[i][1];
    return told ? told : "md";
}

static char *lay_out(const struct export_book *b, const char *format, size_t *length,
                     struct base_message *m) {
    bool markdown = strcmp(format, "md") == 0, pdf = strcmp(format, "pdf") == 0;
    char *text =
        markdown ? export_to_markdown(b, EXPORT_BODY, m) : export_to_html(b, EXPORT_BODY, "a4", m);
    *length = text ? strlen(text) : 0;
    if (!text || !pdf) return text;
    char *made = export_to_pdf(text, length, m);
    free(text);
    return made;
}

static bool write_out(const char *file, const char *text, size_t n, struct base_message *m) {
    if (file) return base_file_write(file, text, n, m);
    fwrite(text, 1, n, stdout);
    return true;
}

static bool print(const struct arguments *a, const struct memo_printed *p, struct base_message *m) {
    struct export_book book;
    size_t length;
    export_book_open(&book, 0);
    (arguments_has(a, "executive") ? memo_book_brief : memo_book_whole)(&book, p);
    char *text = lay_out(&book, find_format(a), &length, m);
    bool printed = text && write_out(arguments_value(a, "output"), text, length, m);
    free(text);
    export_book_free(&book);
    return printed;
}

static bool is_for_terminal(const struct arguments *a) {
    return strcmp(find_format(a), "pdf") == 0 && !arguments_value(a, "output") &&
           isatty(STDOUT_FILENO);
}

int memo_export(const struct arguments *a) {
    struct study_memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2) return say_error("which memo? `zerotutor memo export FILE -o memo.pdf`");
    if (is_for_terminal(a))
        return say_error("a PDF is nothing for a terminal: name a file with `-o FILE`, or write it "
                         "into a pipe");
    char *text = memo_file(a->operand[1], &length);
    if (!text) return COMMAND_USAGE;
    bool read = memo_held(text, length, &r, &m);
    bool printed = read && print(a, &(struct memo_printed){text, length, &r}, &m);
    int status = printed ? COMMAND_WELL
                 : read  ? say_message(&m)
                         : say_error("'%s': %s", a->operand[1], m.what);
    study_memo_free(&r);
    free(text);
    return status;
}
