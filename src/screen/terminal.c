/* terminal: curses, and nothing but curses: cells out, keys in, and the terminal as it was when we go. */
#include "screen/terminal.h"
#include "screen/sequence.h"
#include "screen/signals.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { FEW_ROWS = 2, PIECES_MS = 30, SEQUENCE_MS = 50, PASTE_MS = 1000 };
enum { KEY_PASTE_BEGINS = KEY_MAX + 1, KEY_PASTE_ENDS };
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

struct screen_terminal {
    struct terminal base;
    SCREEN *screen;
    int theme, colours;       /* the pairs are set up for these; -1 at first */
    struct paper_cell *shown; /* what is on the screen */
    int shown_rows, shown_columns;
    bool brackets; /* pasted text is asked to be marked */
    bool pasting, pasted_return;
};

static struct screen_terminal
    *open_now; /* for atexit and for base's hook; there is one terminal in a program */

/* ── giving the terminal back ────────────────────────────────────────────────────────────────────*/
static void give_back(void) {
    if (!open_now) return;
    if (open_now->brackets) putp(PASTE_OFF);
    open_now = NULL;
    signals_prepare("");
    endwin();
}

/* The strings that undo what curses did, for a crash, which may not call curses. */
static void prepare_crash(bool brackets) {
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    struct base_text reset = {0};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        const char *s = tigetstr(names[i]);
        if (s && s != (char *)-1) base_text_puts(&reset, s);
    }
    if (has_mouse()) base_text_puts(&reset, "\033[?1000l\033[?1006l");
    if (brackets) base_text_puts(&reset, PASTE_OFF);
    signals_prepare(reset.s ? reset.s : "");
    base_text_free(&reset);
}

/* ── colours ─────────────────────────────────────────────────────────────────────────────────────*/
/* True if they had to be set. */
static bool set_pairs(struct screen_terminal *s, enum paper_theme theme, int colours) {
    if (s->theme == (int)theme && s->colours == colours) return false;
    s->theme = (int)theme;
    s->colours = colours;
    for (unsigned role = 0; colours && role < PAPER_ROLES; role++) {
        const struct paper_style *look = paper_style(theme, role);
        if (colours >= 256)
            init_pair((short)(role + 1), look->colour, look->background);
        else
            init_pair((short)(role + 1), look->basic, -1);
    }
    return true;
}

static attr_t attributes_of(unsigned bits) {
    return ((bits & PAPER_BOLD) ? A_BOLD : 0) | ((bits & PAPER_UNDERLINE) ? A_UNDERLINE : 0) |
           ((bits & PAPER_REVERSE) ? A_REVERSE : 0) | ((bits & PAPER_ITALIC) ? A_ITALIC : 0);
}

/* What has the terminal's own colours has pair 0, as empty cells do: curses can then erase instead of writing blanks. */
static short pair_of(const struct screen_terminal *s, unsigned role,
                     const struct paper_style *look) {
    bool own = s->colours >= 256 ? look->colour < 0 && look->background < 0 : look->basic < 0;
    return s->colours == 0 || own ? 0 : (short)(role + 1);
}

static void set_style(const struct screen_terminal *s, const struct paper_cell *c) {
    const struct paper_style *look = paper_style((enum paper_theme)s->theme, c->role);
    unsigned bits = c->attributes | (s->colours ? look->attributes : look->bare);
    attr_set(attributes_of(bits), pair_of(s, c->role, look), NULL);
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

/* ── which rows to write ─────────────────────────────────────────────────────────────────────────
 * Curses compares cells too, but where many rows change it also looks for rows that moved, and scrolls regions of the screen.
 * Emulators inside other programs (recorders, multiplexers) often scroll wrongly. So it is handed the rows that changed, to be
 * written as they are, and the others stay untouched. */
static void forget_shown(struct screen_terminal *s, int rows, int columns) {
    free(s->shown);
    s->shown = base_alloc((size_t)rows * (size_t)columns * sizeof *s->shown);
    s->shown_rows = rows;
    s->shown_columns = columns;
}

/* Takes over a row; whether it is another than before. */
static bool take_row(struct screen_terminal *s, const struct frame *f, int row) {
    bool other = false;
    for (int column = 0; column < f->columns; column++) {
        const struct paper_cell *now = paper_cell(f->paper, row, column);
        struct paper_cell *before = &s->shown[row * f->columns + column];
        if (same_style(now, before) && strcmp(now->text, before->text) == 0) continue;
        *before = *now;
        other = true;
    }
    return other;
}

static void write_changed_rows(struct screen_terminal *s, const struct frame *f) {
    int changed[FEW_ROWS], count = 0;
    for (int row = 0; row < f->all_rows; row++) {
        if (!take_row(s, f, row)) continue;
        show_row(s, f, row);
        if (count < FEW_ROWS) changed[count] = row;
        if (count >= FEW_ROWS) wredrawln(stdscr, row, 1);
        count++;
    }
    for (int i = 0; count > FEW_ROWS && i < FEW_ROWS; i++) wredrawln(stdscr, changed[i], 1);
}

static void terminal_show(struct terminal *t, const struct frame *f, enum paper_theme theme,
                          int colours) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    bool anew = s->shown_rows != f->all_rows || s->shown_columns != f->columns;
    if (set_pairs(s, theme, colours) || anew) forget_shown(s, f->all_rows, f->columns);
    write_changed_rows(s, f);
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

/* resize_term() and not resizeterm(): that one would announce the new size as a key, without end. */
static struct key resized(struct terminal *t) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        t->rows = size.ws_row;
        t->columns = size.ws_col;
    }
    if (is_term_resized(t->rows, t->columns)) resize_term(t->rows, t->columns);
    ((struct screen_terminal *)t)->shown_rows = 0;
    clearok(curscr, TRUE);
    return (struct key){PRESS_RESIZE, t->rows, t->columns, -1};
}

/* Steps back to the shell, and comes back with whatever size the terminal has then. */
static struct key suspend(struct terminal *t) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    if (s->brackets) putp(PASTE_OFF);
    endwin();
    signals_stop();
    if (s->brackets) putp(PASTE_ON);
    return resized(t);
}

/* What follows an Esc at once is a sequence that curses does not know, or Alt and a key: it is passed over. Another key that was only
 * pressed soon after is kept. False if there was no sequence. */
static bool pass_over_sequence(void) {
    struct sequence s = {0};
    enum sequence_step step = SEQUENCE_GOES_ON;
    wint_t code = 0;
    wtimeout(stdscr, 0);
    while (step == SEQUENCE_GOES_ON) {
        int kind = get_wch(&code);
        if (kind == ERR) break;
        step = kind == KEY_CODE_YES ? SEQUENCE_BROKEN : sequence_take(&s, (uint32_t)code);
        if (step == SEQUENCE_BROKEN && kind == KEY_CODE_YES) ungetch((int)code);
        if (step == SEQUENCE_BROKEN && kind == OK) unget_wch((wchar_t)code);
        wtimeout(stdscr, SEQUENCE_MS);
    }
    wtimeout(stdscr, PIECES_MS);
    return s.length > 1 || step == SEQUENCE_ENDS;
}

/* A pasted character: ends of lines are blanks in a field, and everything else that is no text is dropped. */
static void take_pasted(struct screen_terminal *s, int kind, wint_t code, struct key *k) {
    bool line = code == '\r' || code == '\n' || code == '\t';
    bool second = code == '\n' && s->pasted_return;
    s->pasted_return = code == '\r';
    k->target = KEY_PASTED;
    if (kind == OK && line && !second) k->code = ' ';
    if (kind == OK && code >= ' ' && code != 0x7f) k->code = (uint32_t)code;
}

/* The next key that curses has or gets; false if there is none. */
static bool take_key(struct terminal *t, struct key *k) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    wint_t code = 0;
    int kind = get_wch(&code);
    *k = (struct key){.target = -1};
    if (kind == ERR) return false;
    if (kind == KEY_CODE_YES && (code == KEY_PASTE_BEGINS || code == KEY_PASTE_ENDS)) {
        s->pasting = code == KEY_PASTE_BEGINS;
        return true;
    }
    if (s->pasting) {
        take_pasted(s, kind, code, k);
        return true;
    }
    if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        *k = mouse_key();
    else
        k->code = kind == KEY_CODE_YES ? named_key(code) : typed_key(code);
    if (k->code == PRESS_ESC && pass_over_sequence()) k->code = PRESS_NONE;
    if (k->code == PRESS_CTRL('z')) *k = suspend(t);
    return true;
}

static struct key take_signal(struct terminal *t) {
    switch (signals_take()) {
    case SIGNALS_RESIZE: return resized(t);
    case SIGNALS_STOP: return suspend(t);
    case SIGNALS_END: return (struct key){PRESS_GONE, 0, 0, -1};
    default: return (struct key){.target = -1};
    }
}

/* A readable keyboard without anything to read is a closed terminal. */
static bool keyboard_gone(const struct pollfd *keyboard) {
    int waiting = 0;
    if (keyboard->revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
    return (keyboard->revents & POLLIN) &&
           (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0);
}

static bool terminal_pending(struct terminal *t) {
    struct pollfd keyboard = {STDIN_FILENO, POLLIN, 0};
    (void)t;
    return poll(&keyboard, 1, 0) > 0 && (keyboard.revents & POLLIN);
}

/* Signals go before keys, of which there may be many. Then curses is asked: it may have read further than we know. It waits a
 * moment, since a character of several bytes may
 * come in pieces, and curses drops what is there of one when it has to hurry. */
static struct key terminal_read(struct terminal *t, int watch, int timeout) {
    wtimeout(stdscr, timeout < 0 ? PIECES_MS : 0);
    for (;;) {
        struct key k = take_signal(t);
        bool taken = k.code == PRESS_NONE && take_key(t, &k);
        if (k.code != PRESS_NONE) return k;
        if (taken) return (struct key){PRESS_PACE, 0, 0, -1}; /* a drawing may be owed */
        struct pollfd on[] = {
            {STDIN_FILENO, POLLIN, 0},
            {signals_fd(), POLLIN, 0},
            {watch,        POLLIN, 0}
        };
        bool *pasting = &((struct screen_terminal *)t)->pasting;
        int ready = poll(on, BASE_COUNT(on), *pasting ? PASTE_MS : timeout);
        if (ready == 0 && *pasting) { /* its end was lost */
            *pasting = false;
            continue;
        }
        if (ready == 0) return (struct key){PRESS_PACE, 0, 0, -1};
        if (ready < 0 && errno != EINTR) return (struct key){PRESS_GONE, 0, 0, -1};
        if (ready < 0) continue;
        if (on[1].revents) continue;
        if (keyboard_gone(&on[0])) return (struct key){PRESS_GONE, 0, 0, -1};
        if (on[2].revents) return (struct key){PRESS_WATCHED, 0, 0, -1};
    }
}

/* ── opening and closing ─────────────────────────────────────────────────────────────────────────*/
static void terminal_close(struct terminal *t) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    give_back();
    delscreen(s->screen);
    free(s->shown);
    free(s);
}

static const struct terminal_operations OVER_CURSES = {.show = terminal_show,
                                                       .read = terminal_read,
                                                       .pending = terminal_pending,
                                                       .repaint = terminal_repaint,
                                                       .close = terminal_close};

/* Characters as the environment says; where it names a UTF-8 locale that is not installed, C.UTF-8 stands in.
 * Numbers stay C's, so that 31.4 is written 31.4 everywhere. */
static bool choose_characters(void) {
    if (!setlocale(LC_CTYPE, "")) setlocale(LC_CTYPE, "C.UTF-8");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void set_modes(void) {
    raw(); /* ^S, ^Z and ^C are keys */
    noecho();
    nonl();
    set_escdelay(25);
    keypad(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
}

/* Pasted text comes between two marks then, so that its lines are not taken for keys. Only terminals that speak like xterm are asked. */
static bool ask_for_brackets(void) {
    const char *move_to = tigetstr("cup");
    if (!move_to || move_to == (char *)-1 || strncmp(move_to, "\033[", 2) != 0) return false;
    define_key("\033[200~", KEY_PASTE_BEGINS);
    define_key("\033[201~", KEY_PASTE_ENDS);
    putp(PASTE_ON);
    return true;
}

struct terminal *terminal_open(struct base_message *m) {
    static bool registered;
    const char *kind = getenv("TERM");
    bool unicode = choose_characters();
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        base_fail(m, "this is no terminal: add --linear to read and answer line by line");
        return NULL;
    }
    if (!signals_open(m)) return NULL;
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
    bool brackets = ask_for_brackets();
    prepare_crash(brackets);
    *s = (struct screen_terminal){
        .base = {&OVER_CURSES, COLS, LINES, has_colors() ? COLORS >= 256 ? 256 : 8 : 0, unicode},
        .screen = screen,
        .theme = -1,
        .colours = -1,
        .brackets = brackets
    };
    open_now = s;
    if (!registered) atexit(give_back);
    registered = true;
    base_on_death(give_back);
    return &s->base;
}
