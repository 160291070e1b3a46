/* memo: what its verbs share. */
#ifndef COMMAND_MEMO_H
#define COMMAND_MEMO_H

#include "command/internal.h"
#include "memo/memo.h"

/* command_memo_page.c: a report for people and for programs. */
void command_memo_page(const struct memo_report *r, const char *name, bool all, struct page *p);
json_t *command_memo_json(const struct memo_report *r);

#endif
