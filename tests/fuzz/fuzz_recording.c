/* Hostile recordings: whatever a file says, it is refused with a reason or played to its end, and every panel of it can be drawn. */
#include "base/base.h"
#include "paper/paper.h"
#include "trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(struct paper *p, const struct trial *t, const struct trial *other) {
    for (int panel = 0; panel < TRIAL_PANELS; panel++) {
        struct base_message m = {0};
        json_t *spec = trial_figure((enum trial_panel)panel, t, other);
        int width = paper_width(p) - 2;
        if (!paper_figure(p, (struct paper_flow){.indent = 1, .width = width}, spec, &m)) abort();
        json_decref(spec);
    }
}

/* One width each, so that more recordings are tried in an hour. */
static void show(const struct trial *t, int width, bool ascii) {
    struct paper *p = paper_new(width, ascii);
    draw(p, t, NULL);
    draw(p, t, t);
    free(paper_to_text(p));
    paper_free(p);
    free(trial_say_states(t));
    free(trial_machine(t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd = memfd_create("recording", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct base_message m = {0};
    struct trial *t = trial_replay(path, 0, &m);
    if (!t && !*m.what) abort(); /* refused without a reason */
    while (t && !trial_is_over(t)) trial_read(t);
    if (t) show(t, 38 + (int)(size % 81), size % 2);
    trial_free(t);
    close(fd);
    return 0;
}
