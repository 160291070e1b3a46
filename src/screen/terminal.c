/* terminal: curses, and nothing but curses: cells out, keys in, and the terminal as it was when we go.
 *
 * Signals only write a letter into a pipe that is waited on beside the keyboard, so nothing happens between
 * two instructions of a view. Where there is no time for that (a crash) the terminal is given back by
 * writing the strings prepared at the start. */
#include "screen/terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

struct screen_terminal {
    struct terminal base;
    SCREEN *screen;
    int theme, colours; /* the pairs are set up for these; -1 at first */
};

/* What signal handlers and atexit need; there is one terminal in a program. */
static struct {
    struct screen_terminal *open;
    struct termios before;
    int pipe[2];
    char reset[160];
    volatile sig_atomic_t given_back;
} the = {
    .pipe = {-1, -1}
};

/* ── giving the terminal back ────────────────────────────────────────────────────────────────────*/
static void give_back(void) {
    if (!the.open || the.given_back) return;
    the.given_back = 1;
    endwin();
}

static void crash(int signal_number) {
    if (the.open && !the.given_back) {
        ssize_t written = write(STDOUT_FILENO, the.reset, strlen(the.reset));
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &the.before);
        the.given_back = 1;
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void note_signal(int signal_number) {
    int saved = errno;
    char letter = signal_number == SIGWINCH ? 'w' : signal_number == SIGTSTP ? 'z' : 'q';
    ssize_t written = write(the.pipe[1], &letter, 1);
    (void)written; /* a full pipe has enough to tell already */
    errno = saved;
}

static void catch_signals(void) {
    static const int noted[] = {SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGINT};
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
    struct sigaction a = {.sa_handler = note_signal, .sa_flags = 0};
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < BASE_COUNT(noted); i++) sigaction(noted[i], &a, NULL);
    a.sa_handler = crash;
    for (size_t i = 0; i < BASE_COUNT(fatal); i++) sigaction(fatal[i], &a, NULL);
}

/* The strings that undo what curses did, for the crash handler, which may not call curses. */
static void prepare_reset(void) {
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    size_t used = 0;
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        const char *s = tigetstr(names[i]);
        if (!s || s == (char *)-1 || used + strlen(s) >= sizeof the.reset - 32) continue;
        used += (size_t)snprintf(the.reset + used, sizeof the.reset - used, "%s", s);
    }
    if (has_mouse()) snprintf(the.reset + used, sizeof the.reset - used, "\033[?1000l\033[?1006l");
}

/* ── colours ─────────────────────────────────────────────────────────────────────────────────────*/
static void set_pairs(struct screen_terminal *s, enum paper_theme theme, int colours) {
    if (s->theme == (int)theme && s->colours == colours) return;
    s->theme = (int)theme;
    s->colours = colours;
    if (colours == 0) return;
    for (unsigned role = 0; role < PAPER_ROLES; role++) {
        const struct paper_style *look = paper_style(theme, role);
        if (colours >= 256)
            init_pair((short)(role + 1), look->colour, look->background);
        else
            init_pair((short)(role + 1), look->basic, -1);
    }
}

static attr_t attributes_of(unsigned bits) {
    return ((bits & PAPER_BOLD) ? A_BOLD : 0) | ((bits & PAPER_UNDERLINE) ? A_UNDERLINE : 0) |
           ((bits & PAPER_REVERSE) ? A_REVERSE : 0) | ((bits & PAPER_ITALIC) ? A_ITALIC : 0);
}

static void set_style(const struct screen_terminal *s, const struct paper_cell *c) {
    const struct paper_style *look = paper_style((enum paper_theme)s->theme, c->role);
    unsigned bits = c->attributes | (s->colours ? look->attributes : look->bare);
    attr_set(attributes_of(bits), s->colours ? (short)(c->role + 1) : 0, NULL);
}

/* ── showing ─────────────────────────────────────────────────────────────────────────────────────*/
static bool same_style(const struct paper_cell *a, const struct paper_cell *b) {
    return a->role == b->role && a->attributes == b->attributes;
}

static void show_row(const struct screen_terminal *s, const struct frame *f, int row) {
    char run[4096];
    for (int column = 0; column < f->columns;) {
        const struct paper_cell *first = paper_cell(f->paper, row, column);
        int start = column;
        size_t n = 0;
        for (; column < f->columns && n + sizeof first->text < sizeof run; column++) {
            const struct paper_cell *c = paper_cell(f->paper, row, column);
            if (*c->text && !same_style(c, first)) break;
            n += (size_t)snprintf(run + n, sizeof run - n, "%s", c->text);
        }
        set_style(s, first);
        mvaddnstr(row, start, run, (int)n);
    }
}

static void terminal_show(struct terminal *t, const struct frame *f, enum paper_theme theme,
                          int colours) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    set_pairs(s, theme, colours);
    for (int row = 0; row < f->all_rows; row++) show_row(s, f, row);
    bool visible =
        f->cursor_row >= 0 && f->cursor_row < f->all_rows && f->cursor_column < f->columns;
    curs_set(visible ? 1 : 0);
    if (visible) move(f->cursor_row, f->cursor_column);
    refresh();
}

static void terminal_repaint(struct terminal *t) {
    (void)t;
    clearok(curscr, TRUE);
}

/* ── keys ────────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    int curses;
    uint32_t press;
} KEYS[] = {
    {KEY_ENTER,     PRESS_ENTER    },
    {KEY_BACKSPACE, PRESS_BACKSPACE},
    {KEY_DC,        PRESS_DELETE   },
    {KEY_UP,        PRESS_UP       },
    {KEY_DOWN,      PRESS_DOWN     },
    {KEY_LEFT,      PRESS_LEFT     },
    {KEY_RIGHT,     PRESS_RIGHT    },
    {KEY_HOME,      PRESS_HOME     },
    {KEY_END,       PRESS_END      },
    {KEY_FIND,      PRESS_HOME     },
    {KEY_SELECT,    PRESS_END      },
    {KEY_PPAGE,     PRESS_PAGE_UP  },
    {KEY_NPAGE,     PRESS_PAGE_DOWN},
    {KEY_BTAB,      PRESS_BACKTAB  },
};
static const struct {
    wint_t code;
    uint32_t press;
} CONTROLS[] = {
    {'\r', PRESS_ENTER    },
    {'\n', PRESS_ENTER    },
    {'\t', PRESS_TAB      },
    {0x1b, PRESS_ESC      },
    {0x7f, PRESS_BACKSPACE},
    {0x08, PRESS_BACKSPACE},
};

static struct key mouse_key(void) {
    MEVENT e;
    struct key k = {.target = -1};
    if (getmouse(&e) != OK) return k;
    k.row = e.y;
    k.column = e.x;
    if (e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) k.code = PRESS_CLICK;
    if (e.bstate & BUTTON4_PRESSED) k.code = PRESS_WHEEL_UP;
    if (e.bstate & BUTTON5_PRESSED) k.code = PRESS_WHEEL_DOWN;
    return k;
}

static uint32_t named_key(wint_t code) {
    if (code >= KEY_F(1) && code <= KEY_F(12)) return PRESS_F1 + (uint32_t)(code - KEY_F(1));
    for (size_t i = 0; i < BASE_COUNT(KEYS); i++)
        if (KEYS[i].curses == (int)code) return KEYS[i].press;
    return PRESS_NONE;
}

static uint32_t typed_key(wint_t code) {
    for (size_t i = 0; i < BASE_COUNT(CONTROLS); i++)
        if (CONTROLS[i].code == code) return CONTROLS[i].press;
    if (code >= 1 && code <= 26) return PRESS_CTRL('a' + code - 1);
    return code < ' ' ? PRESS_NONE : (uint32_t)code;
}

static struct key resized(struct terminal *t) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        t->rows = size.ws_row;
        t->columns = size.ws_col;
        resizeterm(t->rows, t->columns);
    }
    return (struct key){PRESS_RESIZE, t->rows, t->columns, -1};
}

/* Steps back to the shell, and comes back with whatever size the terminal has then. */
static struct key suspend(struct terminal *t) {
    endwin();
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    catch_signals();
    clearok(curscr, TRUE);
    return resized(t);
}

/* What curses has for us already; PRESS_NONE if nothing. */
static bool take_key(struct terminal *t, struct key *k) {
    wint_t code = 0;
    int kind = get_wch(&code);
    *k = (struct key){.target = -1};
    if (kind == ERR) return false;
    if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        *k = mouse_key();
    else if (kind == KEY_CODE_YES && code == KEY_RESIZE)
        *k = resized(t);
    else
        k->code = kind == KEY_CODE_YES ? named_key(code) : typed_key(code);
    if (k->code == PRESS_CTRL('z')) *k = suspend(t);
    return true;
}

static struct key take_signal(struct terminal *t) {
    char letters[16];
    ssize_t n = read(the.pipe[0], letters, sizeof letters);
    struct key k = {.target = -1};
    for (ssize_t i = 0; i < n && k.code != PRESS_GONE; i++) {
        if (letters[i] == 'q') k.code = PRESS_GONE;
        if (letters[i] == 'w') k = resized(t);
        if (letters[i] == 'z') k = suspend(t);
    }
    return k;
}

/* A readable keyboard without anything to read is a closed terminal. */
static bool keyboard_gone(const struct pollfd *keyboard) {
    int waiting = 0;
    if (keyboard->revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
    return (keyboard->revents & POLLIN) &&
           (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0);
}

static struct key terminal_read(struct terminal *t, int watch, int timeout) {
    for (;;) {
        struct key k;
        while (take_key(t, &k))
            if (k.code != PRESS_NONE) return k;
        struct pollfd on[] = {
            {STDIN_FILENO, POLLIN, 0},
            {the.pipe[0],  POLLIN, 0},
            {watch,        POLLIN, 0}
        };
        int ready = poll(on, BASE_COUNT(on), timeout);
        if (ready == 0) return (struct key){PRESS_PACE, 0, 0, -1};
        if (ready < 0 && errno != EINTR) return (struct key){PRESS_GONE, 0, 0, -1};
        if (ready < 0) continue;
        if (on[1].revents) k = take_signal(t);
        if (k.code != PRESS_NONE) return k;
        if (keyboard_gone(&on[0])) return (struct key){PRESS_GONE, 0, 0, -1};
        if (on[2].revents) return (struct key){PRESS_WATCHED, 0, 0, -1};
    }
}

/* ── opening and closing ─────────────────────────────────────────────────────────────────────────*/
static void terminal_close(struct terminal *t) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    give_back();
    the.open = NULL;
    delscreen(s->screen);
    free(s);
}

static const struct terminal_operations OVER_CURSES = {.show = terminal_show,
                                                       .read = terminal_read,
                                                       .repaint = terminal_repaint,
                                                       .close = terminal_close};

/* Characters as the environment says; where it names a UTF-8 locale that is not installed, C.UTF-8 stands in.
 * Numbers stay C's, so that 31.4 is written 31.4 everywhere. */
static bool choose_characters(void) {
    if (!setlocale(LC_CTYPE, "")) setlocale(LC_CTYPE, "C.UTF-8");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool open_pipe(void) {
    if (the.pipe[0] >= 0) return true;
    if (pipe(the.pipe) != 0) return false;
    for (int i = 0; i < 2; i++) {
        fcntl(the.pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(the.pipe[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static void set_modes(void) {
    raw(); /* ^S, ^Z and ^C are keys */
    noecho();
    nonl();
    set_escdelay(25);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
}

struct terminal *terminal_open(struct base_message *m) {
    static bool registered;
    const char *kind = getenv("TERM");
    bool unicode = choose_characters();
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        base_fail(m, "this is no terminal: add --linear to read and answer line by line");
        return NULL;
    }
    tcgetattr(STDIN_FILENO, &the.before);
    if (!open_pipe()) {
        base_fail(m, "no pipe: %s", strerror(errno));
        return NULL;
    }
    catch_signals();
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen) {
        base_fail(m,
                  "the terminal is of an unknown kind (TERM=%s): set TERM to one that is known "
                  "here, or add --linear",
                  kind ? kind : "");
        return NULL;
    }
    struct screen_terminal *s = base_alloc(sizeof *s);
    set_modes();
    prepare_reset();
    *s = (struct screen_terminal){
        .base = {&OVER_CURSES, COLS, LINES, has_colors() ? COLORS >= 256 ? 256 : 8 : 0, unicode},
        .screen = screen,
        .theme = -1,
        .colours = -1
    };
    the.open = s;
    the.given_back = 0;
    if (!registered) atexit(give_back);
    registered = true;
    base_on_death(give_back);
    return &s->base;
}
