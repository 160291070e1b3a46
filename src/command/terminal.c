/* terminal: what standard output can show. */
#include "command/inside.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24 };

static struct winsize size(void) {
    struct winsize w = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0) w.ws_col = 0;
    return w;
}

int terminal_columns(void) {
    int columns = size().ws_col;
    return columns ? columns : COLUMNS;
}

int terminal_rows(void) {
    int rows = size().ws_row;
    return rows ? rows : ROWS;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool terminal_dumb(void) {
    return strcmp(environment("TERM"), "dumb") == 0;
}

int terminal_colours(void) {
    if (!isatty(STDOUT_FILENO) || terminal_dumb() || *environment("NO_COLOR")) return 0;
    bool many = strstr(environment("TERM"), "256color") || *environment("COLORTERM");
    return many ? 256 : 8;
}

bool terminal_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool terminal_ascii(const struct arguments *a) {
    return arguments_has(a, "ascii") || !terminal_utf8();
}

void terminal_print(struct paper *p) {
    int colours = terminal_colours();
    char *text = colours ? paper_to_ansi(p, PAPER_DARK, colours) : paper_to_text(p);
    fputs(text, stdout);
    free(text);
    paper_free(p);
}
