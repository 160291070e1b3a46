/* memo: what its verbs share. */
#ifndef COMMAND_MEMO_H
#define COMMAND_MEMO_H

#include "command/inside.h"
#include "memo/memo.h"

/* memo.c: the file of an operand whole; the caller's. NULL after the message was printed. */
char *memo_file(const char *path, size_t *length);
/* memo_read() with what the learner's own runs measured. */
bool memo_held(const char *text, size_t length, struct memo_report *r, struct base_message *m);
/* memo_page.c: a report for people and for programs. */
void memo_page(const struct memo_report *r, const char *name, bool all, struct paper *p);
json_t *memo_json(const struct memo_report *r);

/* memo_mark.c: the mark of a figure ("✓"), "" where there is none; the memo's text with its figures marked, the caller's. */
const char *memo_mark(enum memo_kind kind);
char *memo_marked(const char *text, size_t length, const struct memo_report *r);

/* memo_brief.c: parts of a memo; the caller's. The text without its title and scenario; what stands under a section's headings; of a text at most so many
 * bytes, ending with a whole sentence. */
char *memo_title(const char *text);
char *memo_body(const char *text);
char *memo_section(const char *text, enum memo_section section);
char *memo_brief(const char *text, size_t most);

/* memo_export.c */
int memo_export(const struct arguments *a);

/* memo_write.c */
int memo_write(const struct arguments *a);
int memo_edit(const struct arguments *a);

#endif
