#include "script/opening.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct script *opening_good(const char *text) {
    struct base_message m = {0};
    struct script *s = script_open_text("good.lua", text, strlen(text), NULL, &m);
    if (!s) fail_msg("good.lua:%d: %s", m.line, m.what);
    return s;
}

json_t *opening_call(struct script *s, int fn, uint64_t seed) {
    struct base_message m = {0};
    struct lesson_source source = script_source(s);
    json_t *value = source.call(source.self, fn, seed, &m);
    if (!value) fail_msg("line %d: %s", m.line, m.what);
    return value;
}

char *opening_with_vary(const char *form, const char *body) {
    return base_format("return lesson { id = '0.1', title = 't', problem { id = 'p', "
                       "form = '%s', ask = 'a', vary = function(r) %s end } }",
                       form, body);
}

int opening_descriptors(void) {
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n;
}

int opening_worker(void) {
    int worker = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char path[300], line[400] = "", state = 'Z';
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *f = fopen(path, "r");
        const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
        if (f) fclose(f);
        if (end && sscanf(end, ") %c %d", &state, &parent) == 2 && parent == getpid() &&
            state != 'Z')
            worker = atoi(e->d_name);
    }
    if (d) closedir(d);
    return worker;
}

bool opening_childless(void) {
    return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}
