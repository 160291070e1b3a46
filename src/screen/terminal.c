/* terminal: curses, and nothing but curses: cells out, keys in, and the terminal as it was when we
 * go. */
#include "screen/terminal.h"
#include "screen/sequence.h"
#include "screen/signals.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* ── the cells that are on the screen, to find the rows of a new frame that differ ─────────────*/
struct shown {
    struct page_cell *cell;
    int rows, columns;
};

static void shown_free(struct shown *s) {
    free(s->cell);
    *s = (struct shown){0};
}

/* Makes it the frame's size; in another size, or with `anew`, nothing is known of the screen. */
static void shown_fit(struct shown *s, const struct frame *f, bool anew) {
    if (!anew && s->rows == f->all_rows && s->columns == f->columns) return;
    shown_free(s);
    s->cell = base_alloc((size_t)f->all_rows * (size_t)f->columns * sizeof *s->cell);
    s->rows = f->all_rows;
    s->columns = f->columns;
}

/* Bytes behind the end of a text count, too: at worst a cell is written once more. */
static bool same(const struct page_cell *a, const struct page_cell *b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Takes over a row of the frame: its cells that changed lie from `from` to before `to`, which are
 * equal if none did. */
static void shown_take(struct shown *s, const struct frame *f, int row, int *from, int *to) {
    const struct page_cell *now = page_row(f->page, row);
    struct page_cell *before = s->cell + (size_t)row * (size_t)f->columns;
    *from = *to = f->columns;
    if (same(now, before, f->columns)) return;
    for (*from = 0; same(now + *from, before + *from, 1);) ++*from;
    while (same(now + *to - 1, before + *to - 1, 1)) --*to;
    memcpy(before + *from, now + *from, (size_t)(*to - *from) * sizeof *now);
}

enum { FEW_ROWS = 2, PIECES_MS = 30, SEQUENCE_MS = 25 };
enum {
    MOST_CELLS = 1000
}; /* each way; curses counts in 16 bits, and a frame has a struct for each */
/* Far above KEY_MAX, where curses numbers the keys that a terminal's description adds. */
enum {
    KEY_PASTE_BEGINS = KEY_MAX + 1000,
    KEY_PASTE_ENDS,
    KEY_WORD_LEFT,
    KEY_WORD_RIGHT,
    KEY_FIRST,
    KEY_LAST,
    KEY_ALT_H,
    KEY_ALT_G,
    KEY_ALT_V,
    KEY_ALT_X,
};

struct screen_terminal {
    struct terminal base;
    SCREEN *screen;
    /* the pairs are set up for these; -1 at first */
    int theme, colours;
    struct shown shown;
    /* pasted text is to be marked; the mouse is to tell where it is dragged; both were asked for */
    bool brackets, drags, reports;
    /* the mouse's first button is held */
    bool holds;
    struct paste paste;
};

/* for atexit and for base's hook; there is one terminal in a program */
static struct screen_terminal *open_now;

/* ── giving the terminal back ──────────────────────────────────────────────────────────────────*/
/* Modes that curses does not set. They are set after those of curses, because the last of two modes
 * of the mouse wins. */
static void set_reports(struct screen_terminal *s, bool on) {
    if (on == s->reports) return;
    if (s->brackets) putp(on ? PASTE_ON : PASTE_OFF);
    if (s->drags) putp(on ? DRAGS_ON : DRAGS_OFF);
    fflush(stdout);
    s->reports = on;
}

static void give_back(void) {
    if (!open_now) return;
    set_reports(open_now, false);
    open_now = NULL;
    screen_signals_prepare("");
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
    if (brackets) base_text_puts(&reset, DRAGS_OFF "\033[?1000l\033[?1006l" PASTE_OFF);
    screen_signals_prepare(reset.s ? reset.s : "");
    base_text_free(&reset);
}

/* ── the mouse ─────────────────────────────────────────────────────────────────────────────────*/
/* All that a mouse sends, releases and other buttons, too: curses passes over an event that is not
 * wanted by waiting for the next one, without end, and nothing would move meanwhile. */
static void terminal_mouse(struct terminal *t, bool on) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    const mmask_t button =
        NCURSES_BUTTON_PRESSED | NCURSES_BUTTON_RELEASED | NCURSES_BUTTON_CLICKED;
    mmask_t wanted = REPORT_MOUSE_POSITION;
    for (int b = 1; b <= 5; b++) wanted |= NCURSES_MOUSE_MASK(b, button);
    set_reports(s, false);
    mousemask(on ? wanted : 0, NULL);
    s->drags = on && has_mouse();
}

/* ── colours ───────────────────────────────────────────────────────────────────────────────────*/
/* True if they had to be set. */
static bool set_pairs(struct screen_terminal *s, enum page_theme theme, int colours) {
    if (s->theme == (int)theme && s->colours == colours) return false;
    s->theme = (int)theme;
    s->colours = colours;
    for (unsigned role = 0; colours && role < PAGE_ROLES; role++) {
        struct page_style look = page_style(theme, role);
        if (colours >= 256)
            init_pair((short)(role + 1), look.colour, look.background);
        else
            init_pair((short)(role + 1), look.basic, -1);
    }
    return true;
}

static attr_t attributes_of(unsigned bits) {
    return ((bits & PAGE_BOLD) ? A_BOLD : 0) | ((bits & PAGE_UNDERLINE) ? A_UNDERLINE : 0) |
           ((bits & PAGE_REVERSE) ? A_REVERSE : 0) | ((bits & PAGE_ITALIC) ? A_ITALIC : 0);
}

/* What has the terminal's own colours has pair 0, as empty cells do: curses can then erase instead
 * of writing blanks. */
static short pair_of(const struct screen_terminal *s, unsigned role, struct page_style look) {
    bool own = s->colours >= 256 ? look.colour < 0 && look.background < 0 : look.basic < 0;
    return s->colours == 0 || own ? 0 : (short)(role + 1);
}

static void set_style(const struct screen_terminal *s, const struct page_cell *c) {
    struct page_style look = page_style((enum page_theme)s->theme, c->role);
    unsigned bits = page_style_attributes(look, c->attributes, s->colours);
    attr_set(attributes_of(bits), pair_of(s, c->role, look), NULL);
}

/* ── showing ───────────────────────────────────────────────────────────────────────────────────*/
static bool same_style(const struct page_cell *a, const struct page_cell *b) {
    return a->role == b->role && a->attributes == b->attributes;
}

static void show_cells(const struct screen_terminal *s, const struct frame *f, int row, int from,
                       int to) {
    const struct page_cell *cell = page_row(f->page, row);
    char run[4096];
    for (int column = from; column < to;) {
        const struct page_cell *first = cell + column;
        int start = column;
        size_t n = 0;
        for (; column < to && n + sizeof first->text < sizeof run; column++) {
            const struct page_cell *c = cell + column;
            if (*c->text && !same_style(c, first)) break;
            size_t length = strlen(c->text);
            memcpy(run + n, c->text, length);
            n += length;
        }
        set_style(s, first);
        mvaddnstr(row, start, run, (int)n);
    }
}

/* ── which rows to write ─────────────────────────────────────────────────────────────────────────
 * Curses compares cells too, but where many rows change it also looks for rows that moved, and
 * scrolls regions of the screen. Emulators inside other programs (recorders, multiplexers) often
 * scroll wrongly. So it is handed the rows that changed, to be written as they are, and the others
 * stay untouched. */
static void write_changed_rows(struct screen_terminal *s, const struct frame *f) {
    int changed[FEW_ROWS], count = 0, from, to;
    for (int row = 0; row < f->all_rows; row++) {
        shown_take(&s->shown, f, row, &from, &to);
        if (from == to) continue;
        show_cells(s, f, row, from, to);
        if (count < FEW_ROWS) changed[count] = row;
        if (count >= FEW_ROWS) wredrawln(stdscr, row, 1);
        count++;
    }
    for (int i = 0; count > FEW_ROWS && i < FEW_ROWS; i++) wredrawln(stdscr, changed[i], 1);
}

static void terminal_show(struct terminal *t, const struct frame *f, enum page_theme theme,
                          int colours) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    shown_fit(&s->shown, f, set_pairs(s, theme, colours));
    write_changed_rows(s, f);
    bool visible =
        f->cursor_row >= 0 && f->cursor_row < f->all_rows && f->cursor_column < f->columns;
    curs_set(visible ? 1 : 0);
    if (visible) move(f->cursor_row, f->cursor_column);
    refresh();
    set_reports(s, true);
}

static void terminal_repaint(struct terminal *t) {
    (void)t;
    clearok(curscr, TRUE);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    int curses;
    uint32_t press;
} KEYS[] = {
    {KEY_ENTER, PRESS_ENTER},
    {KEY_BACKSPACE, PRESS_BACKSPACE},
    {KEY_DC, PRESS_DELETE},
    {KEY_UP, PRESS_UP},
    {KEY_DOWN, PRESS_DOWN},
    {KEY_LEFT, PRESS_LEFT},
    {KEY_RIGHT, PRESS_RIGHT},
    {KEY_HOME, PRESS_HOME},
    {KEY_END, PRESS_END},
    {KEY_FIND, PRESS_HOME},
    {KEY_SELECT, PRESS_END},
    {KEY_PPAGE, PRESS_PAGE_UP},
    {KEY_NPAGE, PRESS_PAGE_DOWN},
    {KEY_BTAB, PRESS_BACKTAB},
    {KEY_WORD_LEFT, PRESS_WORD_LEFT},
    {KEY_WORD_RIGHT, PRESS_WORD_RIGHT},
    {KEY_FIRST, PRESS_FIRST},
    {KEY_LAST, PRESS_LAST},
    {KEY_ALT_H, PRESS_ALT_H},
    {KEY_ALT_G, PRESS_ALT_G},
    {KEY_ALT_V, PRESS_ALT_V},
    {KEY_ALT_X, PRESS_ALT_X},
};

/* The next event of the mouse. Of a press and a move that came together curses hands over the move
 * first. */
static bool take_event(const struct screen_terminal *s, MEVENT *e) {
    MEVENT press;
    if (getmouse(e) != OK) return false;
    bool early = (e->bstate & REPORT_MOUSE_POSITION) && !s->holds;
    if (!early || getmouse(&press) != OK) return true;
    ungetmouse(e);
    *e = press;
    return true;
}

/* Where it is moved means something between a press of its first button and whatever ends that. */
static struct key mouse_key(struct screen_terminal *s) {
    MEVENT e;
    struct key k = {.target = -1};
    if (!take_event(s, &e)) return k;
    k.row = e.y;
    k.column = e.x;
    bool moves = e.bstate & REPORT_MOUSE_POSITION;
    if (!moves) s->holds = e.bstate & BUTTON1_PRESSED;
    if (e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) k.code = PRESS_CLICK;
    if (moves) k.code = s->holds ? PRESS_DRAG : PRESS_NONE;
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

/* What the system says of the window; false where it does not know. */
static bool window_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col) return false;
    *rows = size.ws_row < MOST_CELLS ? size.ws_row : MOST_CELLS;
    *columns = size.ws_col < MOST_CELLS ? size.ws_col : MOST_CELLS;
    return true;
}

/* resize_term() and not resizeterm(): that one would announce the new size as a key, without
 * end. */
static struct key resized(struct terminal *t) {
    window_size(&t->rows, &t->columns);
    if (is_term_resized(t->rows, t->columns)) resize_term(t->rows, t->columns);
    shown_free(&((struct screen_terminal *)t)->shown);
    clearok(curscr, TRUE);
    return (struct key){PRESS_RESIZE, t->rows, t->columns, -1};
}

/* Steps back while another has the terminal, and comes back with whatever size it has then. */
static struct key step_back(struct terminal *t, void (*use)(void *to), void *to) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    set_reports(s, false);
    endwin();
    use(to);
    return resized(t);
}

static void stop(void *to) {
    (void)to;
    screen_signals_stop();
}

static struct key suspend(struct terminal *t) {
    if (t->rest) t->rest(t->of, true);
    struct key k = step_back(t, stop, NULL);
    if (t->rest) t->rest(t->of, false);
    return k;
}

static void terminal_lend(struct terminal *t, void (*use)(void *to), void *to) {
    screen_signals_lend(true);
    step_back(t, use, to);
    screen_signals_lend(false);
}

/* The next character; curses takes some of a single byte for keys, which they are not within a
 * sequence. */
static int next_character(wint_t *code) {
    int kind = get_wch(code);
    char *bytes = kind == KEY_CODE_YES ? keybound((int)*code, 0) : NULL;
    if (bytes && strlen(bytes) == 1) {
        *code = (unsigned char)*bytes;
        kind = OK;
    }
    free(bytes);
    return kind;
}

/* What follows an Esc at once is a sequence that curses does not know, or Alt and a key: it is
 * passed over. Another key that was only pressed soon after is kept. False if there was no
 * sequence. */
static bool pass_over_sequence(void) {
    struct sequence s = {0};
    enum sequence_step step = SEQUENCE_GOES_ON;
    wint_t code = 0;
    wtimeout(stdscr, 0);
    while (step == SEQUENCE_GOES_ON) {
        int kind = next_character(&code);
        if (kind == ERR) break;
        step = kind == KEY_CODE_YES ? SEQUENCE_BROKEN : screen_sequence_take(&s, (uint32_t)code);
        if (step == SEQUENCE_BROKEN && kind == KEY_CODE_YES) ungetch((int)code);
        if (step == SEQUENCE_BROKEN && kind == OK) unget_wch((wchar_t)code);
        wtimeout(stdscr, SEQUENCE_MS);
    }
    wtimeout(stdscr, PIECES_MS);
    return s.kind != SEQUENCE_BEGINS || step == SEQUENCE_ENDS;
}

/* Whether more text waits than anyone types ahead. */
static bool text_waits(void) {
    wint_t code = 0;
    int waiting = 0;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting < PASTE_AHEAD) return false;
    wtimeout(stdscr, PIECES_MS);
    int kind = next_character(&code);
    if (kind == KEY_CODE_YES) ungetch((int)code);
    if (kind == OK) unget_wch((wchar_t)code);
    return kind == OK && screen_paste_takes((uint32_t)code);
}

/* A paste without marks begins with an Enter that text waits behind, and ends with a key that is no
 * text. */
static void watch_for_bare_paste(struct paste *p, int kind, wint_t code) {
    bool text = kind == OK && screen_paste_takes((uint32_t)code);
    bool enter = kind == OK && (code == '\r' || code == '\n');
    if (p->bare && !text) screen_paste_end(p);
    if (!p->going_on && enter && text_waits()) screen_paste_begin_bare(p);
}

/* The next key that curses has or gets; false if there is none. */
static bool take_key(struct terminal *t, struct key *k) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    wint_t code = 0;
    int kind = get_wch(&code);
    *k = (struct key){.target = -1};
    if (kind == ERR) return false;
    watch_for_bare_paste(&s->paste, kind, code);
    if (kind == KEY_CODE_YES && code == KEY_PASTE_BEGINS)
        screen_paste_begin(&s->paste);
    else if (kind == KEY_CODE_YES && code == KEY_PASTE_ENDS)
        screen_paste_end(&s->paste);
    else if (s->paste.going_on)
        *k = screen_paste_key(&s->paste, kind == OK ? (uint32_t)code : 0);
    else if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        *k = mouse_key(s);
    else
        k->code = kind == KEY_CODE_YES ? named_key(code) : screen_key_of_character((uint32_t)code);
    if (k->code == PRESS_ESC && pass_over_sequence()) k->code = PRESS_NONE;
    if (k->code == PRESS_CTRL('z')) *k = suspend(t);
    return true;
}

static struct key take_signal(struct terminal *t) {
    const struct key gone = {PRESS_GONE, 0, 0, -1};
    switch (screen_signals_take()) {
    case SIGNALS_RESIZE: return resized(t);
    case SIGNALS_STOP: return suspend(t);
    case SIGNALS_TERMINATE: t->status = 128 + SIGTERM; return gone;
    case SIGNALS_END: return gone;
    default: return (struct key){.target = -1};
    }
}

static bool terminal_pending(struct terminal *t) {
    (void)t;
    return screen_wait_has_key();
}

/* What came while curses had nothing to read; no key where it may have something now. */
static struct key wait_for_more(struct screen_terminal *s, int watch, int timeout) {
    static const uint32_t became[] = {[WAIT_PASSED] = PRESS_PACE,
                                      [WAIT_KEY] = PRESS_NONE,
                                      [WAIT_SIGNAL] = PRESS_NONE,
                                      [WAIT_WATCHED] = PRESS_WATCHED,
                                      [WAIT_GONE] = PRESS_GONE};
    enum wait_result came =
        screen_wait_any(watch, s->paste.going_on ? screen_paste_patience(&s->paste) : timeout);
    bool lost = came == WAIT_PASSED && s->paste.going_on;
    if (lost) screen_paste_end(&s->paste);
    return (struct key){lost ? PRESS_NONE : became[came], 0, 0, -1};
}

/* Signals go before keys, of which there may be many. Then curses is asked: it may have read
 * further than we know. It waits a moment, since a character of several bytes may come in pieces,
 * and curses drops what is there of one when it has to hurry. */
static struct key terminal_read(struct terminal *t, int watch, int timeout) {
    struct key k = {.target = -1};
    wtimeout(stdscr, timeout < 0 ? PIECES_MS : 0);
    while (k.code == PRESS_NONE) {
        k = take_signal(t);
        bool taken = k.code == PRESS_NONE && take_key(t, &k);
        if (taken && k.code == PRESS_NONE) k.code = PRESS_PACE; /* a drawing may be owed */
        if (k.code == PRESS_NONE) k = wait_for_more((struct screen_terminal *)t, watch, timeout);
    }
    return k;
}

/* ── opening and closing ───────────────────────────────────────────────────────────────────────*/
static void terminal_close(struct terminal *t) {
    struct screen_terminal *s = (struct screen_terminal *)t;
    give_back();
    delscreen(s->screen);
    shown_free(&s->shown);
    free(s);
}

static const struct terminal_operations OVER_CURSES = {.show = terminal_show,
                                                       .read = terminal_read,
                                                       .pending = terminal_pending,
                                                       .mouse = terminal_mouse,
                                                       .repaint = terminal_repaint,
                                                       .lend = terminal_lend,
                                                       .close = terminal_close};

static bool speaks_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Whether the environment asks for UTF-8; a locale that is not installed is taken to mean it.
 * Curses is given UTF-8 whatever was asked for: in other locales it writes rows of equal characters
 * by a command (REP) that not every terminal has. Only ASCII is sent there. Numbers stay C's, so
 * that 31.4 is written 31.4 everywhere. */
static bool choose_characters(void) {
    bool installed = setlocale(LC_CTYPE, ""), asked = speaks_utf8();
    if (!asked) setlocale(LC_CTYPE, "C.UTF-8");
    return (asked || !installed) && speaks_utf8();
}

static void set_modes(void) {
    raw(); /* ^S, ^Z and ^C are keys */
    noecho();
    nonl();
    set_escdelay(25);
    keypad(stdscr, TRUE);
    define_key("\033h", KEY_ALT_H); /* as nearly all terminals send Alt and a letter */
    define_key("\033g", KEY_ALT_G);
    define_key("\033v", KEY_ALT_V);
    define_key("\033x", KEY_ALT_X);
    intrflush(stdscr, FALSE);
    mouseinterval(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
}

/* Ctrl with arrows, Home and End, as xterm and those that follow it send them: descriptions of
 * terminals have no common name for them. */
static void name_control_keys(void) {
    define_key("\033[1;5D", KEY_WORD_LEFT);
    define_key("\033[1;5C", KEY_WORD_RIGHT);
    define_key("\033[1;5H", KEY_FIRST);
    define_key("\033[1;5F", KEY_LAST);
}

/* Pasted text comes between two marks then, so that its lines are not taken for keys. Only
 * terminals that speak like xterm are asked. */
static bool knows_brackets(void) {
    const char *move_to = tigetstr("cup");
    if (!move_to || move_to == (char *)-1 || strncmp(move_to, "\033[", 2) != 0) return false;
    define_key(PASTE_BEGINS, KEY_PASTE_BEGINS);
    define_key(PASTE_ENDS, KEY_PASTE_ENDS);
    name_control_keys();
    return true;
}

static void restore(const char *name, char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    free(value);
}

/* Curses starts with the window's size, whatever LINES and COLUMNS say. They carry it: left to
 * itself curses asks the system, whose size may be huge, or the terminal's description, which for
 * the Linux console has none and would be refused. */
static SCREEN *start_sized(int rows, int columns) {
    const char *lines = getenv("LINES"), *cols = getenv("COLUMNS");
    char *lines_before = lines ? base_dup(lines) : NULL,
         *cols_before = cols ? base_dup(cols) : NULL, number[16];
    snprintf(number, sizeof number, "%d", rows);
    setenv("LINES", number, 1);
    snprintf(number, sizeof number, "%d", columns);
    setenv("COLUMNS", number, 1);
    use_env(TRUE);
    SCREEN *screen = newterm(NULL, stdout, stdin);
    use_env(FALSE);
    restore("LINES", lines_before);
    restore("COLUMNS", cols_before);
    return screen;
}

struct terminal *screen_terminal_open(struct base_message *m) {
    static bool registered;
    const char *kind = getenv("TERM");
    bool unicode = choose_characters();
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        base_fail(m, "this is not a terminal: add --linear to read and answer line by line");
        return NULL;
    }
    if (!screen_signals_open(m)) return NULL;
    int rows = 0, columns = 0;
    bool sized = window_size(&rows, &columns);
    SCREEN *screen = sized ? start_sized(rows, columns) : newterm(NULL, stdout, stdin);
    if (!screen) {
        base_fail(m,
                  "unknown terminal type (TERM=%s): set TERM to a type in this machine's terminfo, "
                  "or add --linear",
                  kind ? kind : "");
        return NULL;
    }
    struct screen_terminal *s = base_alloc(sizeof *s);
    set_modes();
    if (sized) resize_term(rows, columns);
    bool brackets = knows_brackets();
    prepare_crash(brackets);
    *s = (struct screen_terminal){.base = {.does = &OVER_CURSES,
                                           .columns = COLS,
                                           .rows = LINES,
                                           .colours = has_colors() ? COLORS >= 256 ? 256 : 8 : 0,
                                           .unicode = unicode},
                                  .screen = screen,
                                  .theme = -1,
                                  .colours = -1,
                                  .brackets = brackets};
    open_now = s;
    if (!registered) atexit(give_back);
    registered = true;
    base_on_death(give_back);
    return &s->base;
}
