#include "experiment/lab.h"

#include <poll.h>

enum { PATIENCE = 20000 };

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

struct experiment *lab_start(const char *arguments, const char *fake) {
    struct base_message m = {0};
    set("ZEROLAB", "tests/experiment/zerolab.sh");
    set("FAKE", fake);
    struct experiment *t = experiment_start(arguments, &m);
    if (!t) fail_msg("%s", m.what);
    return t;
}

/* Fails if nothing has come since `last` for too long. A run on a busy machine may take longer. */
static void wait_for_more(struct experiment *t, int64_t last) {
    struct pollfd wait = {.fd = experiment_fd(t), .events = POLLIN};
    int due = experiment_due(t), left = (int)(last + PATIENCE - base_ticks());
    if (left < 0) fail_msg("%s: nothing more came", experiment_command(t));
    poll(&wait, 1, due < 0 || due > left ? left : due);
}

static void read_until(struct experiment *t, size_t steps) {
    int64_t last = base_ticks();
    while (!experiment_is_over(t) && experiment_state(t)->steps < steps)
        if (experiment_read(t))
            last = base_ticks();
        else
            wait_for_more(t, last);
}

void lab_finish(struct experiment *t) {
    read_until(t, SIZE_MAX);
}

void lab_steps(struct experiment *t, size_t steps) {
    read_until(t, steps);
    assert_true(experiment_state(t)->steps >= steps);
}

void lab_record(const char *arguments, const char *fake, const char *path) {
    struct base_message m = {0};
    struct experiment *t = lab_start(arguments, fake);
    if (!experiment_record(t, path, &m)) fail_msg("%s", m.what);
    lab_finish(t);
    assert_true(experiment_record_end(t, &m));
    experiment_free(t);
}

struct experiment *lab_replay(const char *path, double speed) {
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, speed, &m);
    if (!t) fail_msg("%s", m.what);
    return t;
}

void lab_trouble(const struct experiment *t, const char *text) {
    const char *trouble = experiment_state(t)->trouble;
    if (!strstr(trouble, text)) fail_msg("\"%s\" is not in \"%s\"", text, trouble);
}
