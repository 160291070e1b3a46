/* signals: a pipe of letters, and waiting for the first of a letter, a key, an edited file or the
 * end of a time. */
#include "screen/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Handlers have no other way to know. */
static struct {
    struct termios before;
    int pipe[2];
    char reset[160];
} the = {.pipe = {-1, -1}};

static void crash(int signal_number) {
    if (*the.reset) {
        ssize_t written = write(STDOUT_FILENO, the.reset, strlen(the.reset));
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &the.before);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void note(int signal_number) {
    int saved = errno;
    char letter = signal_number == SIGWINCH  ? SIGNALS_RESIZE
                  : signal_number == SIGTSTP ? SIGNALS_STOP
                  : signal_number == SIGTERM ? SIGNALS_TERMINATE
                                             : SIGNALS_END;
    ssize_t written = write(the.pipe[1], &letter, 1);
    (void)written; /* a full pipe has enough to tell already */
    errno = saved;
}

/* A full stack has no room for a handler: the fatal ones run on another, our own if there is none
 * yet (sanitizers bring one). */
static void make_stack(void) {
    static _Alignas(16) char stack[64 << 10];
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE))
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
}

static void catch_all(void) {
    static const int noted[] = {SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGINT};
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,    SIGABRT, SIGQUIT, SIGTRAP,
                                SIGSYS,  SIGXCPU, SIGPROF, SIGVTALRM, SIGALRM, SIGUSR1, SIGUSR2};
    struct sigaction a = {.sa_handler = note, .sa_flags = 0};
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < BASE_COUNT(noted); i++) sigaction(noted[i], &a, NULL);
    a.sa_handler = crash;
    a.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < BASE_COUNT(fatal); i++) sigaction(fatal[i], &a, NULL);
}

bool screen_signals_open(struct base_message *m) {
    tcgetattr(STDIN_FILENO, &the.before);
    if (the.pipe[0] < 0 && pipe(the.pipe) != 0)
        return base_fail(m, "no pipe for signals: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(the.pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(the.pipe[i], F_SETFD, FD_CLOEXEC);
    }
    make_stack();
    catch_all();
    return true;
}

/* Readable when a letter waits. */
static int signals_fd(void) {
    return the.pipe[0];
}

enum signals_letter screen_signals_take(void) {
    char letter;
    return read(the.pipe[0], &letter, 1) == 1 ? (enum signals_letter)letter : SIGNALS_NONE;
}

void screen_signals_lend(bool lent) {
    if (lent)
        signal(SIGTSTP, SIG_DFL);
    else
        catch_all();
}

void screen_signals_stop(void) {
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    catch_all();
}

void screen_signals_prepare(const char *reset) {
    snprintf(the.reset, sizeof the.reset, "%s", reset);
}

/* ── waiting ───────────────────────────────────────────────────────────────────────────────────*/
/* A readable keyboard without anything to read is a closed terminal. */
static bool keyboard_gone(const struct pollfd *keyboard) {
    int waiting = 0;
    if (keyboard->revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
    return (keyboard->revents & POLLIN) &&
           (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0);
}

enum wait_result screen_wait_any(int watch, int timeout) {
    struct pollfd on[] = {{STDIN_FILENO, POLLIN, 0}, {signals_fd(), POLLIN, 0}, {watch, POLLIN, 0}};
    int ready = poll(on, BASE_COUNT(on), timeout);
    if (ready == 0) return WAIT_PASSED;
    if (ready < 0) return errno == EINTR ? WAIT_SIGNAL : WAIT_GONE;
    if (on[1].revents) return WAIT_SIGNAL;
    if (keyboard_gone(&on[0])) return WAIT_GONE;
    return on[2].revents ? WAIT_WATCHED : WAIT_KEY;
}

bool screen_wait_has_key(void) {
    struct pollfd keyboard = {STDIN_FILENO, POLLIN, 0};
    return poll(&keyboard, 1, 0) > 0 && (keyboard.revents & POLLIN);
}
