/* wait: for what comes first. */
#include "screen/wait.h"
#include "screen/signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A readable keyboard without anything to read is a closed terminal. */
static bool keyboard_gone(const struct pollfd *keyboard) {
    int waiting = 0;
    if (keyboard->revents & (POLLHUP | POLLERR | POLLNVAL)) return true;
    return (keyboard->revents & POLLIN) &&
           (ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0);
}

enum wait_result screen_wait_any(int watch, int timeout) {
    struct pollfd on[] = {
        {STDIN_FILENO,        POLLIN, 0},
        {screen_signals_fd(), POLLIN, 0},
        {watch,               POLLIN, 0}
    };
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
