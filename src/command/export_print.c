/* A book in the format that was asked for, into a file or to standard output. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *command_export_format_of(const struct arguments *a) {
    static const char *const known[][2] = {
        {".html", "html"},
        {".htm",  "html"},
        {".pdf",  "pdf" }
    };
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
        "a PDF is nothing for a terminal: name a file with `-o FILE`, or write it into a "
        "pipe");
    return false;
}

static char *lay_out(const struct export_book *b, unsigned parts, const char *format,
                     const char *page, size_t *length, struct base_message *m) {
    bool markdown = strcmp(format, "md") == 0;
    char *text = markdown ? command_export_to_markdown(b, parts, m)
                          : command_export_to_html(b, parts, page, m);
    *length = text ? strlen(text) : 0;
    if (!text || strcmp(format, "pdf") != 0) return text;
    char *pdf = command_export_to_pdf(text, length, m);
    free(text);
    return pdf;
}

bool command_export_print(const struct export_book *b, unsigned parts, const struct export_way *w,
                          struct base_message *m) {
    size_t n;
    char *text = lay_out(b, parts, w->format, w->page ? w->page : "a4", &n, m);
    if (!text) return false;
    bool written = true;
    if (w->file)
        written = base_file_write(w->file, text, n, m);
    else
        fwrite(text, 1, n, stdout);
    free(text);
    return written;
}
