/* command_memo_brief: parts of a memo by their headings, and as much of one as a page has room for. */
#include "command/memo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t line_length(const char *s) {
    return strcspn(s, "\n");
}

static const char *next_line(const char *s) {
    s += line_length(s);
    return *s ? s + 1 : s;
}

/* The line that names the memo: its first heading, where others of a lower rank come after. */
static const char *title_line(const char *text) {
    const char *title = NULL;
    for (const char *s = text; *s; s = next_line(s)) {
        if (!title && strncmp(s, "# ", 2) == 0) title = s;
        if (strncmp(s, "##", 2) == 0) return title;
        if (title && s != title && *s == '#') return NULL;
    }
    return title;
}

char *command_memo_title(const char *text) {
    const char *s = title_line(text);
    return s ? base_format("%.*s", (int)line_length(s + 2), s + 2) : base_dup("Memo");
}

/* A line of the head: "Scenario: …", "**Alternative full:** …"; `above`: it stands over what is printed. */
static bool is_head(const char *line, bool above) {
    static const char *const names[] = {"scenario", "recipe", "decision", "alternative ",
                                        "activations"};
    line += strspn(line, "*_-# ");
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if ((i < 2) != above || strncasecmp(line, names[i], n) != 0) continue;
        const char *colon = memchr(line + n, ':', line_length(line + n));
        if (colon && (i == 3 || strspn(line + n, "* ") == (size_t)(colon - line) - n)) return true;
    }
    return false;
}

/* What the head declares besides becomes a list. */
char *command_memo_body(const char *text) {
    struct base_text out = {0};
    const char *title = title_line(text);
    bool head = false;
    for (const char *s = text; *s; s = next_line(s)) {
        bool leading = !out.length && line_length(s) == 0, above = is_head(s, true);
        head = above || (head && is_head(s, false));
        if (s != title && !leading && !above)
            base_text_printf(&out, "%s%.*s\n", head ? "- " : "", (int)line_length(s), s);
    }
    return base_text_take(&out);
}

char *command_memo_section(const char *text, enum memo_section section) {
    struct base_text out = {0};
    const char *title = title_line(text);
    bool inside = false;
    for (const char *s = text; *s; s = next_line(s)) {
        if (*s == '#')
            inside = s != title && memo_section_of(s, line_length(s)) == section;
        else if (inside && !is_head(s, true))
            base_text_printf(&out, "%.*s\n", (int)line_length(s), s);
    }
    return base_text_take(&out);
}

/* The end of the last whole sentence, item or paragraph within `most` bytes. */
static size_t whole_end(const char *text, size_t most) {
    size_t end = 0;
    for (size_t i = 0; i < most; i++) {
        bool sentence = strchr(".!?", text[i]) && isspace((unsigned char)text[i + 1]);
        if (sentence || (text[i] == '\n' && text[i + 1] == '\n')) end = i + 1;
    }
    return end;
}

char *command_memo_brief(const char *text, size_t most) {
    size_t n = strlen(text);
    if (n <= most) return base_dup(text);
    size_t end = whole_end(text, most);
    if (end == 0)
        for (end = most; end > 0 && !isspace((unsigned char)text[end]);) end--;
    return base_format("%.*s …", (int)end, text);
}
