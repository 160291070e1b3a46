/* memo: what its verbs share. */
#ifndef COMMAND_MEMO_H
#define COMMAND_MEMO_H

#include "command/export.h"
#include "memo/memo.h"

/* A report for people and for programs. */
void command_memo_page(const struct memo_report *r, const char *name, bool all, struct page *p);
json_t *command_memo_json(const struct memo_report *r);

/* ── what is printed of a memo, as a book of blocks (memo_book.c) ──────────────────────────────*/
struct memo_printed {
    /* as it was written */
    const char *text;
    size_t length;
    const struct memo_report *report;
};
/* The memo whole, its figures marked; what the engine draws of its decision; the check, finding by
 * finding. */
void command_memo_book_whole(struct export_book *b, const struct memo_printed *p);
/* One page: the decision and its numbers, a figure, risks, what to measure first. */
void command_memo_book_brief(struct export_book *b, const struct memo_printed *p);

#endif
