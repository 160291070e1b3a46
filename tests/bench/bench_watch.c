/* make bench: how long the teacher's screen takes to read a class of 40 and of 300 again and to lay
 * it out, when nothing changed, and when every tenth learner has answered and gone to another step
 * since. Asserts nothing; 100 ms is what it may take. */
#include "timing.h"

#include "classroom/crowd.h"
#include "screen/screen.h"

#include <stdio.h>
#include <unistd.h>

enum { TIMES = 20, ANSWERS = 40 };

struct class {
    struct classroom_folder *folder;
    struct classroom_settings settings;
    int people, steps;
};

/* A learner answers, right or wrong, and goes to the next step. */
static void answer(struct class *c, int i, int answers) {
    struct crowd_answer a[ANSWERS];
    const struct classroom_presence p = {.lesson = "1.3",
                                         .title = "A stage in one number",
                                         .number = 1 + (c->steps + i) % 14,
                                         .of = 14};
    static const char *const items[] = {"1.3/one-stage", "1.3/stage-by-lines", "1.1/one-number",
                                        "1.1/in-gib", "1.2/per-gpu"};
    for (int k = 0; k < answers; k++) {
        bool right = (i + k + c->steps) % 3 != 0;
        a[k] = (struct crowd_answer){items[(i + k) % 5], CROWD_PROBLEM, "24.5",
                                     right ? "right" : "mistake", right ? "" : "no-grads"};
    }
    crowd_hand_in(c->folder, &c->settings, i, a, answers);
    crowd_be_at(c->folder, i, &p, time(NULL));
}

static struct class make_class(const char *path, int people) {
    struct base_message m = {0};
    struct class c = {.people = people, .folder = classroom_make(path, &m)};
    classroom_settings_new(&c.settings, "bench");
    c.settings.synchronised = true;
    classroom_set(&c.settings, "lessons", "1.1:15,1.2:12,1.3:21", 0, &m);
    if (c.folder) classroom_settings_write(c.folder, &c.settings, &m);
    for (int i = 0; c.folder && i < people; i++) answer(&c, i, ANSWERS);
    return c;
}

static void measure(struct session_watch *w, struct class *c, bool changes) {
    double times[TIMES];
    struct base_message m = {0};
    for (int i = 0; i < TIMES; i++) {
        c->steps++;
        for (int k = i % 10; changes && k < c->people; k += 10) answer(c, k, 1);
        double begun = now_ms();
        session_watch_look(w, &m);
        struct page *p = page_new(80, false);
        screen_watch_page(p, w, true);
        page_free(p);
        times[i] = now_ms() - begun;
    }
    qsort(times, TIMES, sizeof *times, by_value);
    printf("the teacher's screen: %d learners%s, %.1f ms, at most %.1f ms\n", c->people,
           changes ? ", a tenth of them answered" : "", times[TIMES / 2], times[TIMES - 1]);
}

static void bench(int people) {
    struct base_message m = {0};
    char folder[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(folder)) return;
    char *path = base_format("%s/class", folder), *remove = base_format("rm -rf '%s'", folder);
    struct class c = make_class(path, people);
    struct session_watch *w = c.folder ? session_watch_open(path, &m) : NULL;
    if (w) {
        measure(w, &c, false);
        measure(w, &c, true);
    } else {
        printf("the teacher's screen: %s\n", m.what);
    }
    session_watch_close(w);
    classroom_close(c.folder);
    if (system(remove) != 0) printf("%s is left\n", folder);
    free(remove);
    free(path);
}

int main(void) {
    bench(40);
    bench(300);
    return 0;
}
