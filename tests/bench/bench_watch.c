/* make bench: how long the teacher's screen takes to read a class of forty again and to lay it out,
 * when nothing changed. Asserts nothing; 100 ms is what it may take. The
 * class is $CLASS, such as `zerotutor class rehearse` makes one. */
#include "timing.h"

#include "screen/screen.h"

#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 50 };

int main(void) {
    struct base_message m = {0};
    const char *folder = getenv("CLASS");
    struct session_watch *w = folder ? session_watch_open(folder, &m) : NULL;
    double times[TIMES];
    if (!w) {
        printf("the teacher's screen: %s\n", folder ? m.what : "set CLASS to a class's folder");
        return 0;
    }
    for (int i = 0; i < TIMES; i++) {
        double begun = now_ms();
        session_watch_look(w, &m);
        struct page *p = page_new(80, false);
        screen_watch_page(p, w, true);
        page_free(p);
        times[i] = now_ms() - begun;
    }
    qsort(times, TIMES, sizeof *times, by_value);
    printf("the teacher's screen: %zu seats, %.1f ms, at most %.1f ms\n",
           session_watch_sight(w)->seats, times[TIMES / 2], times[TIMES - 1]);
    session_watch_close(w);
    return 0;
}
