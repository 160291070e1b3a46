/* Every way an editor saves must be noticed once, and nothing else. Each is tried with inotify and
 * with the file's times alone. */
#include "script/opening.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char folder[64], file[80], other[80];
};

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* ── how editors save ──────────────────────────────────────────────────────────────────────────*/

static void overwrite(const struct place *p) {
    write_file(p->file, "return 2");
}

static void rename_over(const struct place *p) {
    write_file(p->other, "return 3");
    assert_int_equal(rename(p->other, p->file), 0);
}

static void delete_and_create(const struct place *p) {
    unlink(p->file);
    write_file(p->file, "return 4");
}

static void back_up_and_create(const struct place *p) {
    assert_int_equal(rename(p->file, p->other), 0);
    write_file(p->file, "return 5");
    unlink(p->other);
}

static void append(const struct place *p) {
    int fd = open(p->file, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, " -- more", 8), 8);
    close(fd);
}

/* ── what is no edit ───────────────────────────────────────────────────────────────────────────*/

static void touch(const struct place *p) {
    assert_int_equal(utimensat(AT_FDCWD, p->file, NULL, 0), 0);
}

static void save_the_same(const struct place *p) {
    write_file(p->file, "return 1");
}

static void save_another_file(const struct place *p) {
    write_file(p->other, "return 9");
}

static void leave_it_empty(const struct place *p) {
    write_file(p->file, "");
}

static void grow_too_large(const struct place *p) {
    assert_int_equal(truncate(p->file, 1 << 20), 0);
}

static void delete (const struct place *p) {
    unlink(p->file);
}

static void nothing(const struct place *p) {
    (void)p;
}

static const struct way {
    const char *name;
    void (*save)(const struct place *p);
    bool edit;
} ways[] = {
    {"overwrite", overwrite, true},
    {"rename over", rename_over, true},
    {"delete and create", delete_and_create, true},
    {"back up and create", back_up_and_create, true},
    {"append", append, true},
    {"touch", touch, false},
    {"save the same", save_the_same, false},
    {"save another file", save_another_file, false},
    {"leave it empty", leave_it_empty, true},
    {"grow too large", grow_too_large, true},
    {"delete", delete, false},
    {"nothing", nothing, false},
};

static bool readable(int fd) {
    return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) == 1;
}

static struct place new_place(void) {
    struct place p = {.folder = "/tmp/zerotutor-watch-XXXXXX"};
    assert_non_null(mkdtemp(p.folder));
    snprintf(p.file, sizeof p.file, "%s/1.1.lua", p.folder);
    snprintf(p.other, sizeof p.other, "%s/1.1.lua~", p.folder);
    write_file(p.file, "return 1");
    return p;
}

static void remove_place(const struct place *p) {
    unlink(p->file);
    unlink(p->other);
    rmdir(p->folder);
}

static void assert_noticed_once(const struct way *way, const struct place *p,
                                struct script_watch *w) {
    assert_false(script_watch_changed(w));
    way->save(p);
    if (way->edit && script_watch_fd(w) >= 0) assert_true(readable(script_watch_fd(w)));
    assert_int_equal(script_watch_changed(w), way->edit);
    if (script_watch_fd(w) >= 0) assert_false(readable(script_watch_fd(w)));
    assert_false(script_watch_changed(w));
    write_file(p->file, "return 8"); /* and the next one too, whatever became of the file */
    assert_true(script_watch_changed(w));
}

static void is_noticed_once(void **state) {
    struct place p = new_place();
    struct script_watch *w = script_watch_open(p.file);
    assert_noticed_once(*state, &p, w);
    script_watch_close(w);
    remove_place(&p);
}

/* Without a descriptor to be had there is no inotify. */
static void is_noticed_by_its_times(void **state) {
    struct place p = new_place();
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max});
    struct script_watch *w = script_watch_open(p.file);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(script_watch_fd(w), -1);
    write_file(p.file, "return 0"); /* its content could not be read either */
    assert_true(script_watch_changed(w));
    write_file(p.file, "return 1");
    assert_true(script_watch_changed(w));
    assert_noticed_once(*state, &p, w);
    script_watch_close(w);
    remove_place(&p);
}

/* A save seen half way is one more change when it is whole, never none. */
static void a_save_in_two_halves_ends_whole(void **state) {
    (void)state;
    struct place p = new_place();
    struct script_watch *w = script_watch_open(p.file);
    int fd = open(p.file, O_WRONLY | O_TRUNC);
    assert_false(script_watch_changed(w));
    assert_int_equal(write(fd, "return", 6), 6);
    script_watch_changed(w);
    assert_int_equal(write(fd, " 7", 2), 2);
    close(fd);
    if (script_watch_fd(w) >= 0) assert_true(readable(script_watch_fd(w)));
    assert_true(script_watch_changed(w));
    script_watch_close(w);
    remove_place(&p);
}

static void a_file_in_the_working_folder(void **state) {
    (void)state;
    char before[4096];
    struct place p = new_place();
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(p.folder), 0);
    struct script_watch *w = script_watch_open("1.1.lua");
    overwrite(&p);
    assert_true(script_watch_changed(w));
    script_watch_close(w);
    assert_int_equal(chdir(before), 0);
    remove_place(&p);
}

static void a_missing_file_is_noticed_when_it_comes(void **state) {
    (void)state;
    struct place p = new_place();
    unlink(p.file);
    struct script_watch *w = script_watch_open(p.file);
    assert_false(script_watch_changed(w));
    overwrite(&p);
    assert_true(script_watch_changed(w));
    script_watch_close(w);
    remove_place(&p);
}

static void watching_leaves_no_descriptor(void **state) {
    (void)state;
    struct place p = new_place();
    int before = opening_descriptors();
    for (int i = 0; i < 100; i++) script_watch_close(script_watch_open(p.file));
    assert_int_equal(opening_descriptors(), before);
    remove_place(&p);
}

int main(void) {
    struct CMUnitTest tests[2 * BASE_COUNT(ways) + 4] = {
        cmocka_unit_test(a_save_in_two_halves_ends_whole),
        cmocka_unit_test(a_file_in_the_working_folder),
        cmocka_unit_test(a_missing_file_is_noticed_when_it_comes),
        cmocka_unit_test(watching_leaves_no_descriptor),
    };
    struct CMUnitTest *next = tests + 4;
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        void *way = (void *)&ways[i];
        *next++ = (struct CMUnitTest){ways[i].name, is_noticed_once, NULL, NULL, way};
        *next++ = (struct CMUnitTest){ways[i].name, is_noticed_by_its_times, NULL, NULL, way};
    }
    return _cmocka_run_group_tests("watching a file", tests, BASE_COUNT(tests), NULL, NULL);
}
