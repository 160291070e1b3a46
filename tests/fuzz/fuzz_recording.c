/* Hostile recordings: whatever a file says, it is refused with a reason or played to its end, and
 * every panel of it can be drawn. */
#include "base/base.h"
#include "page/page.h"
#include "experiment/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(struct page *p, const struct experiment *t, const struct experiment *other) {
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    const struct page_lab l = {
        .run = {experiment_state(t), other ? experiment_state(other) : NULL}};
    for (int panel = 0; panel < EXPERIMENT_PANELS; panel++)
        page_lab(p, f, (enum experiment_panel)panel, &l);
}

/* One width each, so that more recordings are tried in an hour. */
static void show(const struct experiment *t, int width, bool ascii) {
    struct page *p = page_new(width, ascii);
    draw(p, t, NULL);
    draw(p, t, t);
    free(page_to_text(p));
    page_free(p);
    free(experiment_say_states(t));
    free(experiment_machine(t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd = memfd_create("recording", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, 0, &m);
    if (!t && !*m.what) abort(); /* refused without a reason */
    while (t && !experiment_is_over(t)) experiment_read(t);
    if (t) show(t, 38 + (int)(size % 81), size % 2);
    experiment_free(t);
    close(fd);
    return 0;
}
