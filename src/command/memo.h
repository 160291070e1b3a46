/* memo: what its verbs share. */
#ifndef COMMAND_MEMO_H
#define COMMAND_MEMO_H

#include "command/inside.h"
#include "memo/memo.h"

/* memo.c: the file of an operand whole; the caller's. NULL after the message was printed. */
char *command_memo_file(const char *path, size_t *length);
/* memo_read() with what the learner's own runs measured. */
bool command_memo_held(const char *text, size_t length, struct memo_report *r,
                       struct base_message *m);
/* command_memo_page.c: a report for people and for programs. */
void command_memo_page(const struct memo_report *r, const char *name, bool all, struct page *p);
json_t *command_memo_json(const struct memo_report *r);

/* command_memo_mark.c: the mark of a figure ("✓"), "" where there is none; the memo's text with its figures marked, the caller's. */
const char *command_memo_mark(enum memo_kind kind);
char *command_memo_marked(const char *text, size_t length, const struct memo_report *r);

/* command_memo_brief.c: parts of a memo; the caller's. The text without its title and scenario; what stands under a section's headings; of a text at most so many
 * bytes, ending with a whole sentence. */
char *command_memo_title(const char *text);
char *command_memo_body(const char *text);
char *command_memo_section(const char *text, enum memo_section section);
char *command_memo_brief(const char *text, size_t most);

/* command_memo_export.c */
int command_memo_export(const struct arguments *a);

/* command_memo_write.c */
int command_memo_write(const struct arguments *a);
int command_memo_edit(const struct arguments *a);

#endif
