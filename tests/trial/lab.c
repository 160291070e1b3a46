#include "trial/lab.h"

#include <poll.h>

enum { PATIENCE = 20000 };

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

struct trial *lab_start(const char *arguments, const char *fake) {
    struct base_message m = {0};
    set("ZEROLAB", "tests/trial/zerolab.sh");
    set("FAKE", fake);
    struct trial *t = trial_start(arguments, &m);
    if (!t) fail_msg("%s", m.what);
    return t;
}

static void wait_for_more(struct trial *t, int64_t until) {
    struct pollfd wait = {.fd = trial_fd(t), .events = POLLIN};
    int due = trial_due(t), left = (int)(until - base_ticks());
    if (left < 0) fail_msg("%s: nothing more came", trial_command(t));
    poll(&wait, 1, due < 0 || due > left ? left : due);
}

static void read_until(struct trial *t, size_t steps) {
    int64_t until = base_ticks() + PATIENCE;
    while (!trial_is_over(t) && trial_state(t)->steps < steps)
        if (!trial_read(t)) wait_for_more(t, until);
}

void lab_finish(struct trial *t) {
    read_until(t, SIZE_MAX);
}

void lab_steps(struct trial *t, size_t steps) {
    read_until(t, steps);
    assert_true(trial_state(t)->steps >= steps);
}

void lab_record(const char *arguments, const char *fake, const char *path) {
    struct base_message m = {0};
    struct trial *t = lab_start(arguments, fake);
    if (!trial_record(t, path, &m)) fail_msg("%s", m.what);
    lab_finish(t);
    assert_true(trial_record_end(t, &m));
    trial_free(t);
}

void lab_trouble(const struct trial *t, const char *text) {
    const char *trouble = trial_state(t)->trouble;
    if (!strstr(trouble, text)) fail_msg("\"%s\" is not in \"%s\"", text, trouble);
}
