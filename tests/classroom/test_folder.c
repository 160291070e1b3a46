/* A class's folder: its modes, and files of others, which may be anything. */
#include "classroom/room.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char *in(void **state, const char *name) {
    char *below = base_format("class/handins/%s", name), *path = scratch_path(state, below);
    free(below);
    return path;
}

static void assert_refused(const struct classroom_folder *f, const char *name, const char *why) {
    struct base_message m = {0};
    struct classroom_file file;
    assert_false(classroom_read(f, CLASSROOM_HANDINS, name, CLASSROOM_ANYBODY, 1000, &file, &m));
    assert_null(file.text);
    if (!strstr(m.what, why)) fail_msg("'%s' does not say '%s'", m.what, why);
    /* what the system says of it would mislead */
    assert_null(strstr(m.what, "permitted"));
    assert_null(strstr(m.what, "levels of"));
    assert_null(strstr(m.what, "No such device"));
    assert_non_null(strstr(m.file, name));
}

static void the_places_have_their_modes_whatever_the_umask(void **state) {
    struct classroom_settings s;
    mode_t old = umask(0777);
    struct base_message m = {0};
    char *path = scratch_path(state, "strict");
    assert_true(mkdir(path, 0755) == 0 && chmod(path, 0755) == 0);
    classroom_close(classroom_make(path, &m));
    umask(old);
    for (int p = 0; p < CLASSROOM_PLACES; p++) {
        struct stat it;
        char *place = base_format("%s/%s", path, classroom_place_name((enum classroom_place)p));
        assert_int_equal(stat(place, &it), 0);
        assert_int_equal(it.st_mode & 07777, classroom_place_mode((enum classroom_place)p));
        free(place);
    }
    classroom_close(classroom_make(path, &m)); /* as after a program that was killed */
    assert_null(classroom_make(*state, &m));
    assert_non_null(strstr(m.what, "not empty"));
    assert_null(classroom_open(*state, &m));
    assert_non_null(strstr(m.what, "class.json"));
    free(path);
    classroom_close(room_open(state, &s));
}

static void a_file_comes_back_as_it_was_written(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_file file;
    struct classroom_folder *f = room_open(state, &s);
    assert_true(classroom_is_teacher(f));
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "a", 0644, "one\n", 4, &m));
    assert_true(classroom_append(f, CLASSROOM_HANDINS, "a", 4, "two\n", 4, &m));
    assert_false(classroom_append(f, CLASSROOM_HANDINS, "a", 4, "six\n", 4, &m));
    assert_int_equal(errno, ESTALE);
    assert_true(classroom_read(f, CLASSROOM_HANDINS, "a", geteuid(), 8, &file, &m));
    assert_string_equal(file.text, "one\ntwo\n");
    assert_int_equal(file.owner, geteuid());
    free(file.text);
    assert_false(classroom_read(f, CLASSROOM_HANDINS, "a", geteuid() + 1, 8, &file, &m));
    assert_non_null(strstr(m.what, "wrong account"));
    assert_false(classroom_read(f, CLASSROOM_HANDINS, "none", geteuid(), 8, &file, &m));
    assert_int_equal(errno, ENOENT);
    assert_true(classroom_remove(f, CLASSROOM_HANDINS, "a"));
    assert_false(classroom_remove(f, CLASSROOM_HANDINS, "a"));
    classroom_close(f);
}

static void what_is_no_plain_file_is_not_read(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    char *link_ = in(state, "link"), *pipe_ = in(state, "pipe"), *dir = in(state, "dir"),
         *hard = in(state, "hard"), *big = in(state, "big"), *door = in(state, "door");
    assert_int_equal(symlink("/etc/passwd", link_), 0);
    assert_int_equal(mkfifo(pipe_, 0666), 0);
    assert_int_equal(mkdir(dir, 0755), 0);
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "own", 0644, "x", 1, &m));
    char *own = in(state, "own");
    assert_int_equal(link(own, hard), 0);
    int fd = open(big, O_WRONLY | O_CREAT, 0644);
    assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0); /* sparse */
    close(fd);
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    bool short_enough = strlen(door) < sizeof at.sun_path;
    if (short_enough) memcpy(at.sun_path, door, strlen(door) + 1);
    int sock = socket(AF_UNIX, SOCK_STREAM, 0);
    bool bound = short_enough && bind(sock, (struct sockaddr *)&at, sizeof at) == 0;
    assert_refused(f, "link", "link");
    assert_refused(f, "pipe", "pipe");
    assert_refused(f, "dir", "folder");
    assert_refused(f, "hard", "second name");
    assert_refused(f, "own", "second name");
    assert_refused(f, "big", "too large");
    if (bound) assert_refused(f, "door", "socket");
    close(sock);
    free(link_), free(pipe_), free(dir), free(hard), free(big), free(door), free(own);
    classroom_close(f);
}

static void collect_name(void *to, const char *name, bool fit) {
    base_text_printf(to, "%s%s ", name, fit ? "" : "!");
}

static void names_are_listed_safely_and_up_to_a_bound(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct base_text names = {0};
    uid_t crowd;
    struct classroom_folder *f = room_open(state, &s);
    char *odd = in(state, "\033[2Jx\nada: y"), *hidden = in(state, ".new");
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "fine", 0644, "", 0, &m));
    assert_true(base_file_write(odd, "", 0, &m) && base_file_write(hidden, "", 0, &m));
    assert_true(classroom_each(f, CLASSROOM_HANDINS, 10, collect_name, &names, &crowd, &m));
    assert_int_equal(crowd, CLASSROOM_ANYBODY);
    assert_non_null(strstr(names.s, "fine "));
    assert_non_null(strstr(names.s, "[2Jx ada: y! ")); /* on one line */
    assert_null(strchr(names.s, '\033'));
    assert_null(strstr(names.s, ".new"));
    base_text_free(&names);
    assert_true(classroom_each(f, CLASSROOM_HANDINS, 1, collect_name, &names, &crowd, &m));
    assert_int_equal(crowd, geteuid());
    base_text_free(&names);
    assert_false(classroom_is_name("../x") || classroom_is_name(".x") || classroom_is_name("") ||
                 classroom_is_name("a b"));
    free(odd), free(hidden);
    classroom_close(f);
}

/* Files of one account do not hide those of another, however many there are. Needs root. */
static void no_account_crowds_out_another(void **state) {
    enum { MANY = 500, CROWD = 65534 };
    struct classroom_settings s;
    struct base_message m = {0};
    struct base_text names = {0};
    uid_t crowd;
    if (geteuid() != 0) skip();
    struct classroom_folder *f = room_open(state, &s);
    for (int i = 0; i < MANY; i++) {
        char *name = base_format("junk-%d", i);
        int fd = classroom_create_file(f, CLASSROOM_HANDINS, name, 0644, &m);
        assert_true(fd >= 0 && fchown(fd, CROWD, CROWD) == 0);
        close(fd);
        free(name);
    }
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "fine", 0644, "", 0, &m));
    assert_true(classroom_handins_each(f, &s, collect_name, &names, &crowd, &m));
    assert_non_null(strstr(names.s, "fine "));
    assert_int_equal(crowd, CROWD);
    assert_true(names.length < MANY * strlen("junk-1 ") / 4);
    base_text_free(&names);
    classroom_close(f);
}

static void a_failed_write_leaves_what_was_there(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_file file;
    struct classroom_folder *f = room_open(state, &s);
    char *handins = scratch_path(state, "class/handins");
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "a", 0644, "old", 3, &m));
    if (geteuid() != 0) {
        assert_int_equal(chmod(handins, 0555), 0);
        assert_false(classroom_write(f, CLASSROOM_HANDINS, "a", 0644, "new", 3, &m));
        assert_int_equal(chmod(handins, 0755), 0);
    }
    char *dir = in(state, "dir");
    assert_int_equal(mkdir(dir, 0755), 0);
    assert_false(classroom_write(f, CLASSROOM_HANDINS, "dir", 0644, "new", 3, &m));
    assert_true(classroom_read(f, CLASSROOM_HANDINS, "a", geteuid(), 3, &file, &m));
    assert_string_equal(file.text, "old");
    free(file.text);
    free(dir), free(handins);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(the_places_have_their_modes_whatever_the_umask),
        IN_SCRATCH(a_file_comes_back_as_it_was_written),
        IN_SCRATCH(what_is_no_plain_file_is_not_read),
        IN_SCRATCH(names_are_listed_safely_and_up_to_a_bound),
        IN_SCRATCH(no_account_crowds_out_another),
        IN_SCRATCH(a_failed_write_leaves_what_was_there),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
