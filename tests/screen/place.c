/* place: a world of its own for a test. */
#include "place.h"

#include "session/session.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/zerotutor-screen-XXXXXX", home[PATH_MAX];

/* Links root/name to a folder of the checkout, in which tests run. */
static void link_folder(const char *name, const char *folder) {
    char here[PATH_MAX], path[PATH_MAX];
    if (!realpath(folder, here)) abort();
    snprintf(path, sizeof path, "%.200s/%s", root, name);
    if (symlink(here, path) != 0) abort();
}

int place_open(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/zerotutor-screen-XXXXXX");
    if (!mkdtemp(root)) return -1;
    link_folder("lessons", "tests/screen/lessons");
    link_folder("lua", "lua");
    snprintf(home, sizeof home, "%.200s/home", root);
    setenv("ZEROTUTOR_SHARE", root, 1);
    setenv("ZEROTUTOR_HOME", home, 1);
    setenv("ZEROTUTOR_NOW", "1780480800", 1);
    setenv("TZ", "UTC", 1);
    return 0;
}

void place_mixed(void) {
    static const char *const files[][2] = {
        {"lessons/course.json", "tests/session/lessons/mixed.json"},
        {"lessons/mixed-a.lua", "tests/session/lessons/mixed-a.lua"},
        {"lessons/mixed-b.lua", "tests/session/lessons/mixed-b.lua"},
        {"lessons/mixed-c.lua", "tests/session/lessons/mixed-c.lua"},
        {"lessons/mixed-d.lua", "tests/session/lessons/mixed-d.lua"},
    };
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.200s/lessons", root);
    if (unlink(path) != 0 || mkdir(path, 0755) != 0) abort();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) link_folder(files[i][0], files[i][1]);
}

void place_course(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.200s/lessons", root);
    if (unlink(path) != 0) abort();
    link_folder("lessons", "lessons");
    link_folder("data", "data");
}

int place_open_course(void **state) {
    if (place_open(state) != 0) return -1;
    place_course();
    return 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at) {
    (void)s, (void)kind, (void)at;
    return remove(path);
}

int place_second_day(void **state) {
    struct base_message m = {0};
    if (place_open_course(state) != 0) return -1;
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = who ? session_open(who, "1.1", &m) : NULL;
    while (s && lesson_asked(session_dialogue(s)))
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_NEXT});
    if (s) session_close(s);
    if (who) session_learner_close(who);
    setenv("ZEROTUTOR_NOW", "1780567200", 1);
    return s ? 0 : -1;
}

int place_close(void **state) {
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *place_share(void) {
    return root;
}

const char *place_home(void) {
    return home;
}
