/* launch: the full-screen program in a terminal. */
#include "launch.h"
#include "screen/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void launch_main(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--app") != 0) return;
    if (argc < 4) exit(2); /* never the tests once more, which would start this again */
    struct screen_options o = {.lesson = *argv[2] ? argv[2] : NULL,
                               .watch = argc > 4 && *argv[4] ? argv[4] : NULL,
                               .ascii = strcmp(argv[3], "ascii") == 0};
    exit(screen_run(&o));
}

struct tty *launch(struct launch_options s) {
    static char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) abort();
    self[n] = '\0';
    const char *argv[] = {self,
                          "--app",
                          s.lesson ? s.lesson : "",
                          s.ascii ? "ascii" : "unicode",
                          s.watch ? s.watch : "",
                          NULL};
    const char *shell[] = {"bash", "-mc", s.shell, self, NULL};
    return tty_open(s.columns ? s.columns : 80, s.rows ? s.rows : 24, s.shell ? shell : argv,
                    s.environment);
}
