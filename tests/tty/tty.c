/* tty: starting, waiting, ending. */
#include "tty/inside.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

enum { PATIENCE_MS = 100000, QUIET_MS = 30, SETTLE_MOST_MS = 2000, SLICE_MS = 50, REST_MS = 10 };

void tty_check(bool well, const char *what) {
    if (well) return;
    perror(what);
    abort();
}

int64_t tty_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ── the emulator tells ────────────────────────────────────────────────────────────────────────*/
static int on_property(VTermProp property, VTermValue *value, void *user) {
    struct tty *t = user;
    if (property == VTERM_PROP_CURSORVISIBLE) t->cursor_visible = value->boolean;
    if (property == VTERM_PROP_ALTSCREEN) t->alternate = value->boolean;
    if (property == VTERM_PROP_MOUSE) t->mouse = value->number;
    return 1;
}

static int on_damage(VTermRect r, void *user) {
    struct tty *t = user;
    t->damage += (size_t)(r.end_row - r.start_row) * (size_t)(r.end_col - r.start_col);
    return 1;
}

static const VTermScreenCallbacks CALLBACKS = {.damage = on_damage, .settermprop = on_property};

static void make_emulator(struct tty *t) {
    t->vt = vterm_new(t->rows, t->columns);
    vterm_set_utf8(t->vt, 1);
    t->screen = vterm_obtain_screen(t->vt);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_set_callbacks(t->screen, &CALLBACKS, t);
    vterm_screen_reset(t->screen, 1);
    t->cursor_visible = true;
}

/* ── starting ──────────────────────────────────────────────────────────────────────────────────*/
static void set_environment(const char *const *list) {
    for (; list && *list; list++) {
        char *name = strdup(*list), *value = strchr(name, '=');
        *value++ = '\0';
        if (*value)
            setenv(name, value, 1);
        else
            unsetenv(name);
        free(name);
    }
}

static const char *const USUAL[] = {
    "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", "NO_MOTION=",
    "COLORFGBG=",          "LINES=",         "COLUMNS=",  NULL};

struct tty *tty_open(int columns, int rows, const char *const *argv,
                     const char *const *environment) {
    struct tty *t = calloc(1, sizeof *t);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    tty_check(t != NULL, "calloc");
    t->columns = columns;
    t->rows = rows;
    make_emulator(t);
    t->pid = forkpty(&t->master, NULL, NULL, &size);
    tty_check(t->pid >= 0, "forkpty");
    if (t->pid == 0) {
        set_environment(USUAL);
        set_environment(environment);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        perror(argv[0]);
        _exit(127);
    }
    return t;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* Bytes at the end of `s` that begin a character of UTF-8 and do not end it. */
static size_t cut_at_end(const char *s, size_t n) {
    for (size_t back = 1; back <= 3 && back <= n; back++) {
        unsigned char c = (unsigned char)s[n - back];
        if ((c & 0xc0) == 0x80) continue;
        size_t whole = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

bool tty_pump(struct tty *t, int ms) {
    char buffer[16384];
    struct pollfd p = {t->master, POLLIN, 0};
    if (t->master < 0 || poll(&p, 1, ms) <= 0) return false;
    memcpy(buffer, t->begun, t->begun_bytes);
    ssize_t n = read(t->master, buffer + t->begun_bytes, sizeof buffer - t->begun_bytes);
    if (n <= 0) return false; /* the program has closed its side */
    t->bytes += (uint64_t)n;
    size_t all = t->begun_bytes + (size_t)n;
    t->begun_bytes = cut_at_end(buffer, all);
    memcpy(t->begun, buffer + all - t->begun_bytes, t->begun_bytes);
    vterm_input_write(t->vt, buffer, all - t->begun_bytes);
    tty_flush(t);
    return true;
}

void tty_flush(struct tty *t) {
    char buffer[512];
    size_t n;
    while ((n = vterm_output_read(t->vt, buffer, sizeof buffer)) > 0) tty_send(t, buffer, n);
}

void tty_send(struct tty *t, const void *bytes, size_t n) {
    const char *s = bytes;
    while (n > 0 && t->master >= 0) {
        ssize_t sent = write(t->master, s, n);
        /* it has ended: the next wait tells */
        if (sent < 0 && errno != EINTR && errno != EAGAIN) return;
        if (sent > 0) s += sent, n -= (size_t)sent;
    }
}

/* Whether it still computes or waits for a core, as far as the system tells: on a busy machine a
 * frame may come in two parts that are far from each other. */
static bool is_busy(const struct tty *t) {
    char path[32], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)t->pid);
    FILE *f = fopen(path, "r");
    if (!f) return false;
    if (!fgets(line, sizeof line, f)) *line = 0;
    fclose(f);
    const char *state = strrchr(line, ')'); /* after the program's name */
    return state && strncmp(state, ") R", 3) == 0;
}

/* Reads until nothing came for that long and it has nothing left to compute. */
static void drain(struct tty *t, int quiet, int64_t until) {
    while ((tty_pump(t, quiet) || is_busy(t)) && tty_now() < until) continue;
}

void tty_settle(struct tty *t) {
    drain(t, QUIET_MS, tty_now() + SETTLE_MOST_MS);
}

/* ── waiting ───────────────────────────────────────────────────────────────────────────────────*/
static bool row_has(struct tty *t, int row, const char *text) {
    return strstr(tty_row(t, row < 0 ? t->rows - 1 : row), text) != NULL;
}

static bool has_ended(struct tty *t) {
    siginfo_t ended = {0};
    waitid(P_PID, (id_t)t->pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == t->pid;
}

static bool is_so(struct tty *t, int row, bool any_row, const char *text) {
    return any_row ? tty_has(t, text) : row_has(t, row, text);
}

static bool came_to_be(struct tty *t, int row, bool any_row, bool wanted, const char *text) {
    int64_t until = tty_now() + PATIENCE_MS;
    while (is_so(t, row, any_row, text) != wanted) {
        /* asked before reading: what it wrote last is then still to come */
        bool ended = has_ended(t);
        if (tty_now() > until || (!tty_pump(t, SLICE_MS) && ended)) return false;
    }
    drain(t, REST_MS, tty_now() + SETTLE_MOST_MS); /* the rest of the frame it came with */
    return is_so(t, row, any_row, text) == wanted;
}

void tty_wait(struct tty *t, const char *text) {
    if (!came_to_be(t, 0, true, true, text)) tty_fail(t, "waited for \"%s\" in any row", text);
}

void tty_wait_row(struct tty *t, int row, const char *text) {
    if (!came_to_be(t, row, false, true, text))
        tty_fail(t, "waited for \"%s\" in row %d", text, row);
}

void tty_wait_gone(struct tty *t, const char *text) {
    if (!came_to_be(t, 0, true, false, text)) tty_fail(t, "waited for \"%s\" to go", text);
}

void tty_fail(struct tty *t, const char *format, ...) {
    va_list arguments;
    struct tty_cursor c = tty_cursor(t);
    fprintf(stderr, "\n┌ the screen, %dx%d, cursor %d,%d%s\n", t->columns, t->rows, c.row, c.column,
            c.visible ? "" : " (hidden)");
    for (int row = 0; row < t->rows; row++) fprintf(stderr, "│%s\n", tty_row(t, row));
    fprintf(stderr, "└ ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    kill(t->pid, SIGKILL);
    fail();
    abort(); /* fail() does not return */
}

/* ── doing and ending ──────────────────────────────────────────────────────────────────────────*/
void tty_resize(struct tty *t, int columns, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    t->columns = columns;
    t->rows = rows;
    vterm_set_size(t->vt, rows, columns);
    tty_check(ioctl(t->master, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
    tty_settle(t);
}

void tty_signal(struct tty *t, int signal_number) {
    kill(t->pid, signal_number);
}

static void release(struct tty *t) {
    if (t->master >= 0) close(t->master);
    vterm_free(t->vt);
    free(t->text);
    free(t);
}

int tty_end(struct tty *t) {
    int64_t until = tty_now() + PATIENCE_MS;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(t->pid, &status, WNOHANG)) == 0) {
        if (tty_now() > until) tty_fail(t, "waited for the program to end");
        if (!tty_pump(t, 10)) poll(NULL, 0, 5);
    }
    release(t);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void tty_hang_up(struct tty *t) {
    close(t->master);
    t->master = -1;
}

void tty_kill(struct tty *t) {
    kill(t->pid, SIGKILL);
    waitpid(t->pid, NULL, 0);
    release(t);
}

pid_t tty_pid(const struct tty *t) {
    return t->pid;
}

unsigned long tty_sleeps(const struct tty *t) {
    char path[64], line[128];
    unsigned long count = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)t->pid);
    FILE *f = fopen(path, "r");
    tty_check(f != NULL, path);
    while (fgets(line, sizeof line, f)) sscanf(line, "voluntary_ctxt_switches: %lu", &count);
    fclose(f);
    return count;
}
