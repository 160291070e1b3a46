/* What the files share that write HTML. */
#ifndef COMMAND_EXPORT_HTML_H
#define COMMAND_EXPORT_HTML_H

#include "command/export.h"

struct html {
    struct base_text out;
    struct base_message *m;
    bool failed; /* a figure could not be drawn; the message says why */
};
void command_html_put(struct html *w, const char *html);
void command_html_plain(struct html *w, const char *text);
void command_html_words(struct html *w, const char *markdown); /* a few words, within a line */
/* A member of a block, "" if it has none. */
const char *command_html_text(const json_t *block, const char *name);

void command_html_figure(struct html *w, const json_t *block);
void command_html_scenes(struct html *w, const json_t *block);
void command_html_working(struct html *w, const json_t *block);
void command_html_listing(struct html *w, const json_t *block);

#endif
