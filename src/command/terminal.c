/* terminal: what standard output can show. */
#include "command/internal.h"

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

int command_terminal_columns(void) {
    int columns = size().ws_col;
    return columns ? columns : COLUMNS;
}

int command_terminal_rows(void) {
    int rows = size().ws_row;
    return rows ? rows : ROWS;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool command_terminal_dumb(void) {
    return strcmp(environment("TERM"), "dumb") == 0;
}

int command_terminal_colours(void) {
    if (!isatty(STDOUT_FILENO) || command_terminal_dumb() || *environment("NO_COLOR")) return 0;
    bool many = strstr(environment("TERM"), "256color") || *environment("COLORTERM");
    return many ? 256 : 8;
}

bool command_terminal_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool command_terminal_ascii(const struct arguments *a) {
    return command_arguments_has(a, "ascii") || !command_terminal_utf8();
}

struct page *command_terminal_page(bool ascii) {
    struct page *p = page_new(command_terminal_columns(), ascii);
    page_set_colours(p, command_terminal_colours());
    return p;
}

/* The learner's theme, or the terminal's if no record can be read yet. */
static enum page_theme theme(void) {
    struct base_message m = {0};
    char *path = session_record_path(), *kept = NULL;
    struct store *s = store_open_to_read(path, &m);
    if (s) kept = store_setting(s, "theme");
    enum page_theme chosen = page_theme_named(kept);
    store_close(s);
    free(kept);
    free(path);
    return chosen;
}

void command_terminal_print(struct page *p) {
    int colours = command_terminal_colours();
    char *text = colours ? page_to_ansi(p, theme(), colours) : page_to_text(p);
    fputs(text, stdout);
    free(text);
    page_free(p);
}
