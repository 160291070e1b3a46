/* What of a memo is not said: comments, fenced blocks, what is struck out. Blanks take its place, so that lines and columns stay. */
#include "memo.h"

#include <string.h>

static void blank(char *s, const char *end) {
    for (; s < end; s++)
        if (*s != '\n') *s = ' ';
}

static void blank_comments(char *own, size_t length) {
    for (char *s = own; (s = strstr(s, "<!--"));) {
        char *end = strstr(s, "-->");
        end = end ? end + 3 : own + length;
        blank(s, end);
        s = end;
    }
}

/* "~~67 GB~~" within a line */
static void blank_struck(char *own) {
    for (char *s = own; (s = strstr(s, "~~"));) {
        char *end = strstr(s + 2, "~~"), *line = strchr(s, '\n');
        bool struck = end && end > s + 2 && (!line || end < line);
        if (struck) blank(s, end + 2);
        s = struck ? end + 2 : line ? line : s + strlen(s);
    }
}

static const char *fence_at(const char *s) {
    while (*s == ' ') s++;
    return strncmp(s, "```", 3) == 0 || strncmp(s, "~~~", 3) == 0 ? s : NULL;
}

/* A return alone ends a line, as it did on old machines. */
static void end_lines(char *s) {
    for (; (s = strchr(s, '\r')); s++)
        if (s[1] != '\n') *s = '\n';
}

/* From a line that opens a fence to the one that closes it; a fence that nothing closes is none. */
static void blank_fences(char *own) {
    char *open = NULL;
    for (char *s = own; s; s = strchr(s, '\n')) {
        s += *s == '\n';
        const char *fence = fence_at(s);
        if (fence && open) {
            char *end = strchr(s, '\n');
            blank(open, end ? end : s + strlen(s));
            open = NULL;
        } else if (fence)
            open = s;
    }
}

/* A blank by its name: "48.75&nbsp;GB" */
static void blank_entities(char *own) {
    static const char *const names[] = {"&nbsp;", "&thinsp;", "&#160;", "&#8239;"};
    for (char *s = own; (s = strchr(s, '&')); s++)
        for (size_t i = 0; i < BASE_COUNT(names); i++)
            if (strncmp(s, names[i], strlen(names[i])) == 0) blank(s, s + strlen(names[i]));
}

char *memo_blank(const char *text, size_t length) {
    char *own = base_alloc(length + 1);
    memcpy(own, text, length);
    own[length] = '\0';
    end_lines(own);
    blank_comments(own, length);
    blank_fences(own);
    blank_struck(own);
    blank_entities(own);
    memo_blank_math(own);
    return own;
}
