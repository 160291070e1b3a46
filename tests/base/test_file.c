/* Files: read whole, written whole or not at all, whatever stands in the way. */
#include "base/base.h"

#include "base/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static char *slurp(const char *path) {
    size_t n;
    char *text = base_file_read(path, 1 << 20, &n, NULL);
    assert_non_null(text);
    assert_int_equal(strlen(text), n);
    return text;
}

static void assert_holds(const char *path, const char *expected) {
    char *text = slurp(path);
    assert_string_equal(text, expected);
    free(text);
}

static int names_in(const char *folder) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/

static void bytes_come_back_as_they_were(void **state) {
    char *path = scratch_path(state, "bytes");
    char bytes[40000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * 7);
    assert_true(base_file_write(path, bytes, sizeof bytes, NULL));
    size_t n;
    char *again = base_file_read(path, sizeof bytes, &n, NULL);
    assert_int_equal(n, sizeof bytes);
    assert_memory_equal(again, bytes, n);
    assert_int_equal(again[n], '\0');
    free(again);
    free(path);
}

static void an_empty_file_is_an_empty_text(void **state) {
    char *path = scratch_path(state, "empty");
    assert_true(base_file_write(path, "", 0, NULL));
    assert_holds(path, "");
    free(path);
}

static void what_claims_no_size_is_read_too(void **state) {
    (void)state;
    size_t n;
    char *text = base_file_read("/proc/self/stat", 1 << 20, &n, NULL);
    if (!text) skip();
    assert_true(n > 10);
    free(text);
}

static void a_file_too_large_is_refused_by_its_size(void **state) {
    char *path = scratch_path(state, "large");
    struct base_message m = {0};
    size_t n;
    assert_true(base_file_write(path, "12345", 5, NULL));
    free(base_file_read(path, 5, &n, NULL));
    assert_int_equal(n, 5);
    assert_null(base_file_read(path, 4, &n, &m));
    assert_string_equal(m.what, "the file is too large: at most 4 bytes are read");
    free(path);
}

static void the_first_line_is_read_alone(void **state) {
    char *path = scratch_path(state, "lines");
    struct base_message m = {0};
    assert_true(base_file_write(path, "first\nsecond\n", 13, NULL));
    char *line = base_file_line(path, 6, &m);
    assert_string_equal(line, "first");
    free(line);
    assert_null(base_file_line(path, 5, &m));
    assert_non_null(strstr(m.what, "no end within 5 bytes"));
    assert_true(base_file_write(path, "first", 5, NULL));
    assert_null(base_file_line(path, 100, &m));
    assert_null(base_file_line(*state, 100, &m)); /* a folder */
    free(path);
}

static void what_cannot_be_read_is_named(void **state) {
    struct base_message m = {0};
    assert_null(base_file_read(*state, 100, NULL, &m)); /* a folder */
    assert_string_equal(m.file, *state);
    assert_string_equal(m.what, "this is a folder: name a file in it");
    char *path = scratch_path(state, "none");
    assert_null(base_file_read(path, 100, NULL, &m));
    assert_string_equal(m.file, path);
    assert_string_equal(m.what, "file not found: check its name");
    free(path);
}

/* A pipe that nobody writes would be waited for, a device might never end. */
static void only_files_are_read(void **state) {
    char *fifo = scratch_path(state, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const paths[] = {fifo, "/dev/zero", "/dev/null"};
    alarm(10); /* a reader that waits ends the test */
    for (size_t i = 0; i < BASE_COUNT(paths); i++) {
        struct base_message m = {0};
        assert_null(base_file_read(paths[i], 100, NULL, &m));
        assert_string_equal(m.file, paths[i]);
        assert_string_equal(m.what, "this is a pipe or a device: name a file");
    }
    alarm(0);
    free(fifo);
}

static int read_without_rights(const char *path) {
    struct base_message m = {0};
    return base_file_read(path, 100, NULL, &m) ||
           !strstr(m.what, "Permission denied: ask its owner");
}

static void a_forbidden_file_is_named(void **state) {
    char *path = scratch_path(state, "secret");
    assert_true(base_file_write(path, "x", 1, NULL));
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(scratch_unprivileged(read_without_rights, path), 0);
    free(path);
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/

static void a_rewrite_replaces_all_and_keeps_the_modes(void **state) {
    char *path = scratch_path(state, "kept");
    assert_true(base_file_write(path, "a long first text", 17, NULL));
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(base_file_write(path, "short", 5, NULL));
    assert_holds(path, "short");
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    assert_int_equal(names_in(*state), 1);
    free(path);
}

static int write_without_rights(const char *path) {
    struct base_message m = {0};
    return base_file_write(path, "new", 3, &m) ||
           !strstr(m.what, "cannot write: Permission denied") || strcmp(m.file, path) != 0;
}

static void an_unwritable_folder_leaves_the_old_file(void **state) {
    char *path = scratch_path(state, "old");
    assert_true(base_file_write(path, "old", 3, NULL));
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(*state, 0555), 0);
    assert_int_equal(scratch_unprivileged(write_without_rights, path), 0);
    assert_int_equal(chmod(*state, 0755), 0);
    assert_holds(path, "old");
    assert_int_equal(names_in(*state), 1);
    free(path);
}

/* The limit of a file's size stands for a disk that fills up in the middle. */
static int write_on_a_full_disk(const char *path) {
    static char much[50000];
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){20000, 20000}) != 0) return 2;
    struct base_message m = {0};
    return base_file_write(path, much, sizeof much, &m) ||
           !strstr(m.what, "cannot write: File too large");
}

static void a_full_disk_leaves_the_old_file_and_nothing_beside(void **state) {
    char *path = scratch_path(state, "old");
    assert_true(base_file_write(path, "old", 3, NULL));
    assert_int_equal(chmod(*state, 0777), 0);
    assert_int_equal(scratch_unprivileged(write_on_a_full_disk, path), 0);
    assert_holds(path, "old");
    assert_int_equal(names_in(*state), 1);
    free(path);
}

static void what_a_dead_writer_left_is_in_nobodys_way(void **state) {
    char *path = scratch_path(state, "f");
    char *left = base_format("%s.%ld-0.new", path, (long)getpid());
    int fd = open(left, O_WRONLY | O_CREAT, 0600);
    close(fd);
    assert_true(base_file_write(path, "here", 4, NULL));
    assert_holds(path, "here");
    assert_holds(left, "");
    free(left);
    free(path);
}

static void a_folder_is_not_written_over(void **state) {
    struct base_message m = {0};
    char *path = scratch_path(state, "folder");
    assert_true(base_make_dirs(path, NULL));
    assert_false(base_file_write(path, "x", 1, &m));
    assert_string_equal(m.file, path);
    assert_int_equal(names_in(*state), 1);
    free(path);
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
struct linked {
    char *file, *link,
        *to; /* the link is in a folder of its own, and leads from there to the file */
};

static struct linked link_to_file(void **state, const char *to) {
    struct linked l = {scratch_path(state, "file"), scratch_path(state, "here/link"),
                       base_dup(to ? to : "../file")};
    char *here = scratch_path(state, "here");
    assert_true(base_make_dirs(here, NULL));
    assert_int_equal(symlink(l.to, l.link), 0);
    free(here);
    return l;
}

static void assert_still_links(struct linked *l) {
    char to[1000] = "";
    assert_true(readlink(l->link, to, sizeof to - 1) > 0);
    assert_string_equal(to, l->to);
    free(l->file);
    free(l->link);
    free(l->to);
}

static void a_link_stays_and_its_file_is_written(void **state) {
    struct linked l = link_to_file(state, NULL);
    struct stat s;
    assert_true(base_file_write(l.file, "old", 3, NULL));
    assert_int_equal(chmod(l.file, 0604), 0);
    assert_true(base_file_write(l.link, "new", 3, NULL));
    assert_holds(l.file, "new");
    assert_int_equal(stat(l.file, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0604);
    assert_still_links(&l);
}

static void a_link_to_a_link_is_followed_to_the_file(void **state) {
    struct linked l = link_to_file(state, NULL);
    char *second = scratch_path(state, "second");
    assert_int_equal(symlink(l.link, second), 0); /* absolute, to a relative one */
    assert_true(base_file_write(l.file, "old", 3, NULL));
    assert_true(base_file_write(second, "new", 3, NULL));
    assert_holds(l.file, "new");
    assert_still_links(&l);
    free(second);
}

static void a_link_to_nothing_makes_its_file(void **state) {
    struct linked l = link_to_file(state, NULL);
    assert_true(base_file_write(l.link, "new", 3, NULL));
    assert_holds(l.file, "new");
    assert_still_links(&l);
}

static const char *const LEAD_NOWHERE[] = {"../no/such/file", "link"};

static void a_link_that_leads_nowhere_stays_and_is_told(void **state) {
    for (size_t i = 0; i < BASE_COUNT(LEAD_NOWHERE); i++) {
        struct linked l = link_to_file(state, LEAD_NOWHERE[i]);
        struct base_message m = {0};
        assert_false(base_file_write(l.link, "new", 3, &m));
        assert_non_null(strstr(m.what, i == 0 ? "this is a link to" : "symbolic links"));
        assert_string_equal(m.file, l.link);
        char *link = base_dup(l.link);
        assert_still_links(&l);
        assert_int_equal(unlink(link), 0);
        free(link);
    }
}

/* Somebody else's link in a folder such as /tmp may lead to any file of one's own. */
static void a_strangers_link_in_a_shared_folder_is_not_followed(void **state) {
    struct linked l = link_to_file(state, NULL);
    char *here = scratch_path(state, "here");
    struct base_message m = {0};
    assert_true(base_file_write(l.file, "old", 3, NULL));
    bool strange = lchown(l.link, 12345, 12345) == 0;
    if (strange) {
        assert_int_equal(chmod(here, 01777), 0);
        assert_false(base_file_write(l.link, "new", 3, &m));
        assert_non_null(strstr(m.what, "Permission denied"));
        assert_holds(l.file, "old");
    }
    assert_still_links(&l);
    free(here);
    if (!strange) skip(); /* only root can make one */
}

/* A rename would put a file in their place. */
static void only_files_are_written_over(void **state) {
    char *fifo = scratch_path(state, "fifo");
    struct base_message m = {0};
    struct stat s;
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_false(base_file_write(fifo, "x", 1, &m));
    assert_string_equal(m.what, "this is a pipe or a device: name a file");
    assert_true(stat(fifo, &s) == 0 && S_ISFIFO(s.st_mode));
    assert_int_equal(names_in(*state), 1);
    free(fifo);
}

/* ── not over what others wrote ────────────────────────────────────────────────────────────────*/
static void what_is_there_is_not_created_again(void **state) {
    char *path = scratch_path(state, "one");
    assert_int_equal(base_file_create(path, "first", 5, NULL), BASE_WROTE);
    assert_int_equal(base_file_create(path, "second", 6, NULL), BASE_DIFFERS);
    assert_holds(path, "first");
    assert_int_equal(names_in(*state), 1);
    free(path);
}

/* The other program writes while the new content is being made ready: at the first look, or just
 * before the two change places. */
struct other {
    const char *path;
    int looks, writes_at;
};

static bool holds_mine(void *self, const char *path) {
    struct other *o = self;
    char *is = base_file_read(path, 100, NULL, NULL);
    bool mine = !is || strcmp(is, "mine") == 0;
    free(is);
    if (++o->looks == o->writes_at) assert_true(base_file_write(o->path, "theirs", 6, NULL));
    return mine;
}

static void what_another_writes_meanwhile_stays(void **state) {
    char *path = scratch_path(state, "raced");
    for (int at = 0; at <= 1; at++) {
        struct other o = {path, 0, at};
        struct stat s;
        assert_true(base_file_write(path, "mine", 4, NULL));
        assert_int_equal(chmod(path, 0600), 0);
        enum base_wrote wrote = base_file_replace(path, "more", 4, holds_mine, &o, NULL);
        assert_int_equal(wrote, at ? BASE_DIFFERS : BASE_WROTE);
        assert_holds(path, at ? "theirs" : "more");
        assert_int_equal(stat(path, &s), 0);
        assert_int_equal(s.st_mode & 0777, 0600);
        assert_int_equal(names_in(*state), 1);
    }
    free(path);
}

static void one_that_is_gone_is_created_unless_another_did(void **state) {
    char *path = scratch_path(state, "gone");
    for (int at = 0; at <= 1; at++) {
        struct other o = {path, 0, at};
        unlink(path);
        enum base_wrote wrote = base_file_replace(path, "more", 4, holds_mine, &o, NULL);
        assert_int_equal(wrote, at ? BASE_DIFFERS : BASE_WROTE);
        assert_holds(path, at ? "theirs" : "more");
    }
    free(path);
}

/* ── folders ───────────────────────────────────────────────────────────────────────────────────*/

static const struct making {
    const char *name;
    bool made;
} makings[] = {
    {"a", true},     {"b/c/d", true}, {"b/c/d", true}, /* again */
    {"e//f/", true}, {"file", false}, {"file/deep", false},
};

static void folders_are_made_all_the_way(void **state) {
    char *file = scratch_path(state, "file");
    assert_true(base_file_write(file, "", 0, NULL));
    free(file);
    for (size_t i = 0; i < BASE_COUNT(makings); i++) {
        char *path = scratch_path(state, makings[i].name);
        struct base_message m = {0};
        struct stat s;
        assert_int_equal(base_make_dirs(path, &m), makings[i].made);
        if (makings[i].made)
            assert_true(stat(path, &s) == 0 && S_ISDIR(s.st_mode));
        else
            assert_string_equal(m.what,
                                "cannot make this folder: Not a directory: set ZEROTUTOR_HOME (or "
                                "--store) to a place that you may write to");
        free(path);
    }
}

static void relative_folders_are_made_here(void **state) {
    char here[1000];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(*state), 0);
    bool made =
        base_make_dirs("x/y", NULL) && base_make_dirs(".", NULL) && access("x/y", F_OK) == 0;
    assert_int_equal(chdir(here), 0);
    assert_true(made);
}

static int make_without_rights(const char *path) {
    struct base_message m = {0};
    return base_make_dirs(path, &m) || !strstr(m.what, "Permission denied");
}

static void a_forbidden_folder_is_named(void **state) {
    char *path = scratch_path(state, "sub/folder");
    assert_int_equal(chmod(*state, 0555), 0);
    assert_int_equal(scratch_unprivileged(make_without_rights, path), 0);
    assert_int_equal(chmod(*state, 0755), 0);
    free(path);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(bytes_come_back_as_they_were),
        IN_SCRATCH(an_empty_file_is_an_empty_text),
        cmocka_unit_test(what_claims_no_size_is_read_too),
        IN_SCRATCH(a_file_too_large_is_refused_by_its_size),
        IN_SCRATCH(the_first_line_is_read_alone),
        IN_SCRATCH(what_cannot_be_read_is_named),
        IN_SCRATCH(only_files_are_read),
        IN_SCRATCH(a_forbidden_file_is_named),
        IN_SCRATCH(a_rewrite_replaces_all_and_keeps_the_modes),
        IN_SCRATCH(an_unwritable_folder_leaves_the_old_file),
        IN_SCRATCH(a_full_disk_leaves_the_old_file_and_nothing_beside),
        IN_SCRATCH(what_a_dead_writer_left_is_in_nobodys_way),
        IN_SCRATCH(a_folder_is_not_written_over),
        IN_SCRATCH(a_link_stays_and_its_file_is_written),
        IN_SCRATCH(a_link_to_a_link_is_followed_to_the_file),
        IN_SCRATCH(a_link_to_nothing_makes_its_file),
        IN_SCRATCH(a_link_that_leads_nowhere_stays_and_is_told),
        IN_SCRATCH(a_strangers_link_in_a_shared_folder_is_not_followed),
        IN_SCRATCH(only_files_are_written_over),
        IN_SCRATCH(what_is_there_is_not_created_again),
        IN_SCRATCH(what_another_writes_meanwhile_stays),
        IN_SCRATCH(one_that_is_gone_is_created_unless_another_did),
        IN_SCRATCH(folders_are_made_all_the_way),
        IN_SCRATCH(relative_folders_are_made_here),
        IN_SCRATCH(a_forbidden_folder_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
