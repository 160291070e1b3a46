/* Messages: the only way an error travels between modules. */
#include "base/base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A text that was cut may end inside a character: what is left of that goes, and nothing else. */
static void trim_broken_tail(char *s) {
    size_t n = strlen(s), last = n;
    while (last && n - last < 3 && (s[last - 1] & 0xC0) == 0x80) last--;
    if (last) last--;
    if (!base_utf8_valid(s + last, n - last)) s[last] = '\0';
}

/* What was typed, and names of files, go into messages, and messages go to terminals, a line
 * each. */
static void clean(char *s, size_t size) {
    for (char *c = s; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    char *safe = base_clean_dup(s, strlen(s), size - 1);
    memcpy(s, safe, strlen(safe) + 1);
    free(safe);
}

static void fill(struct base_message *m, const char *file, int line, const char *format,
                 va_list args) {
    struct base_message made = {.line = line}; /* apart: the arguments may point into *m */
    vsnprintf(made.what, sizeof made.what, format, args);
    snprintf(made.file, sizeof made.file, "%s", file);
    trim_broken_tail(made.what);
    trim_broken_tail(made.file);
    clean(made.what, sizeof made.what);
    clean(made.file, sizeof made.file);
    *m = made;
}

bool base_fail(struct base_message *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (m) fill(m, "", 0, format, args);
    va_end(args);
    return false;
}

bool base_fail_at(struct base_message *m, const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (m) fill(m, file ? file : "", line, format, args);
    va_end(args);
    return false;
}

const char *base_message_text(const struct base_message *m, char *out, size_t size) {
    if (!m->file[0])
        snprintf(out, size, "%s", m->what);
    else if (m->line > 0)
        snprintf(out, size, "%s:%d: %s", m->file, m->line, m->what);
    else
        snprintf(out, size, "%s: %s", m->file, m->what);
    return out;
}

char *base_fold(const char *text, int columns) {
    struct base_text out = {0};
    int used = 0;
    for (const char *word = text; *word;) {
        size_t blanks = strspn(word, " "), n = strcspn(word + blanks, " ");
        char *one = base_format("%.*s", (int)n, word + blanks);
        int width = base_width(one);
        bool fits = !out.length || used + (int)blanks + width <= columns;
        if (out.length) base_text_puts(&out, fits ? "" : "\n");
        if (fits) base_text_add(&out, word, blanks);
        used = fits ? used + (int)blanks + width : width;
        base_text_puts(&out, one);
        free(one);
        word += blanks + n;
    }
    return base_text_take(&out);
}

void base_say_error(const char *text) {
    struct winsize w = {0};
    bool terminal = isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col;
    char *line = base_format("zerotutor: %s", text),
         *lines = terminal ? base_fold(line, w.ws_col) : base_dup(line);
    fprintf(stderr, "%s\n", lines);
    free(lines);
    free(line);
}
