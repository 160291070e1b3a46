/* memo: what its verbs share. */
#ifndef COMMAND_MEMO_H
#define COMMAND_MEMO_H

#include "command/inside.h"
#include "study/study.h"

/* memo.c: the file of an operand whole; the caller's. NULL after the message was printed. */
char *memo_file(const char *path, size_t *length);
/* memo_page.c: a report for people and for programs. */
void memo_page(const struct study_memo_report *r, const char *name, bool all, struct paper *p);
json_t *memo_json(const struct study_memo_report *r);

#endif
