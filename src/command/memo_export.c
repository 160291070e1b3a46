/* memo export: a memo printed as Markdown, HTML or PDF, with what the check found. */
#include "command/memo_book.h"

#include <stdlib.h>

static bool print(const struct arguments *a, const struct memo_printed *p, struct base_message *m) {
    struct export_book book;
    export_book_open(&book, 0);
    (arguments_has(a, "executive") ? memo_book_brief : memo_book_whole)(&book, p);
    const struct export_way way = {.format = export_format_of(a),
                                   .file = arguments_value(a, "output")};
    bool printed = export_print(&book, EXPORT_BODY, &way, m);
    export_book_free(&book);
    return printed;
}

int memo_export(const struct arguments *a) {
    struct study_memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2) return say_error("which memo? `zerotutor memo export FILE -o memo.pdf`");
    if (!export_suits_output(a)) return COMMAND_USAGE;
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
