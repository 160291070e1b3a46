/* stamp: whether what a file said still holds. */
#include "script/script.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Another number after every change, since nothing sets back when a file was last changed. */
static uint64_t state_of(const char *path) {
    struct stat s;
    char text[120];
    if (!path || stat(path, &s) != 0) return 0;
    snprintf(text, sizeof text, "%ju %ju %jd %jd %ld", (uintmax_t)s.st_dev, (uintmax_t)s.st_ino,
             (intmax_t)s.st_size, (intmax_t)s.st_ctim.tv_sec, s.st_ctim.tv_nsec);
    return base_hash(0, text);
}

/* Of all files, in whatever order the folder has them. */
static uint64_t language_state(void) {
    uint64_t sum = 0;
    char *folder = base_share_path("lua");
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *path = *e->d_name != '.' ? base_format("%s/%s", folder, e->d_name) : NULL;
        sum += state_of(path);
        free(path);
    }
    if (d) closedir(d);
    free(folder);
    return sum;
}

uint64_t script_stamp(const char *path) {
    char *program = base_program(), text[64];
    uint64_t own = state_of(path), language = language_state(), engine = state_of(program);
    free(program);
    if (!own || !language || !engine) return 0;
    snprintf(text, sizeof text, "%jx %jx %jx", (uintmax_t)own, (uintmax_t)language,
             (uintmax_t)engine);
    return base_hash(0, text);
}
