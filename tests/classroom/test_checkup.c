/* What a teacher checks of a class's folder: each fault is found, and the command that is printed
 * fixes it. */
#include "classroom/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif

static void check(struct classroom_checkup *c) {
    c->check = "x";
    classroom_check_places(c);
    classroom_check_assistants(c);
    classroom_check_roster(c);
    classroom_check_handins(c);
    classroom_check_probe(c);
}

static void the_new_class_has_nothing_to_fix(void **state) {
    struct classroom_settings s;
    struct classroom_roster r = {0};
    mode_t old = umask(0);
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    umask(0777); /* what the checks make is as it must be, whatever the umask */
    check(&c);
    umask(old);
    for (size_t i = 0; i < c.findings; i++) fail_msg("%s", c.finding[i].text);
    classroom_checkup_free(&c);
    classroom_close(f);
}

static void a_wrong_mode_is_found_and_its_command_fixes_it(void **state) {
    static const struct {
        const char *name;
        mode_t mode;
        const char *says;
    } rows[] = {
        {".", 0777, "its own settings here"},
        {".", 0775, "its own settings here"},
        {".", 0700, "cannot enter"},
        {"class.json", 0666, "change the settings"},
        {"class.json", 0664, "change the settings"},
        {"class.json", 0600, "cannot read the settings"},
        {"roster", 0644, "see or change the roster"},
        {"roster", 0602, "see or change the roster"},
        {"board.json", 0646, "speak to the room"},
        {"handins", 0755, "list, replace or delete"},
        {"handins", 0777, "list, replace or delete"},
        {"handins", 0733, "could delete the hand-ins"},
        {"handins", 01700, "cannot hand in"},
        {"queue", 0777, "tickets are not safe"},
        {"queue", 01755, "cannot take turns"},
        {"feedback", 0755, "list the feedback"},
        {"feedback", 0700, "cannot read their feedback"},
        {"kept", 0755, "what you collected"},
    };
    struct classroom_settings s;
    struct classroom_roster r = {0};
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    assert_true(classroom_write(f, CLASSROOM_TOP, CLASSROOM_ROSTER, 0600, "root\n", 5, &m));
    assert_true(classroom_write(f, CLASSROOM_TOP, "board.json", 0644, "{}\n", 3, &m));
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
        char *below = base_format("class/%s", rows[i].name), *path = scratch_path(state, below);
        assert_int_equal(chmod(path, rows[i].mode), 0);
        classroom_check_places(&c);
        if (c.findings != 1)
            fail_msg("%s %04o: %zu findings", rows[i].name, (unsigned)rows[i].mode, c.findings);
        if (!strstr(c.finding->text, rows[i].says)) fail_msg("%s", c.finding->text);
        assert_int_equal(c.finding->weight, CLASSROOM_BROKEN);
        assert_int_equal(system(c.finding->fix), 0);
        classroom_checkup_free(&c);
        classroom_check_places(&c);
        if (c.findings) fail_msg("still: %s", c.finding->text);
        classroom_checkup_free(&c);
        free(path);
        free(below);
    }
    classroom_close(f);
}

/* Whoever may rename the class's folder, or one above it, may put another class in its place. */
static void a_folder_above_that_others_can_change_is_found(void **state) {
    static const struct {
        mode_t mode;
        enum classroom_weight weight;
        const char *says;
    } rows[] = {
        {0777, CLASSROOM_BROKEN, "could put another class in its place"},
        {0757, CLASSROOM_BROKEN, "could put another class in its place"},
        {0775, CLASSROOM_NOTED, "could put another class in its place"},
        {01777, CLASSROOM_FINE, NULL},
        {0755, CLASSROOM_FINE, NULL},
    };
    struct classroom_settings s;
    struct base_message m = {0};
    char *above = scratch_path(state, "above"), *path = scratch_path(state, "above/class");
    assert_int_equal(mkdir(above, 0755), 0);
    struct classroom_folder *f = classroom_make(path, &m);
    classroom_settings_new(&s, "sys-26");
    assert_true(f && classroom_settings_write(f, &s, &m));
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_checkup c = {.folder = f, .settings = &s};
        assert_int_equal(chmod(above, rows[i].mode), 0);
        classroom_check_places(&c);
        assert_int_equal(c.findings, rows[i].says != NULL);
        if (rows[i].says) {
            assert_non_null(strstr(c.finding->text, rows[i].says));
            assert_int_equal(c.finding->weight, rows[i].weight);
            assert_int_equal(system(c.finding->fix), 0);
        }
        classroom_checkup_free(&c);
        classroom_check_places(&c);
        assert_int_equal(c.findings, 0);
        classroom_checkup_free(&c);
    }
    free(path), free(above);
    classroom_close(f);
}

/* A class for the people of one group is a choice. */
static void a_class_for_a_group_is_no_fault(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s};
    char *path = scratch_path(state, "class");
    assert_int_equal(chmod(path, 0750), 0);
    classroom_check_places(&c);
    assert_int_equal(c.findings, 1);
    assert_int_equal(c.finding->weight, CLASSROOM_FINE);
    assert_non_null(strstr(c.finding->text, "only accounts in the group "));
    assert_null(c.finding->fix);
    classroom_checkup_free(&c);
    free(path);
    classroom_close(f);
}

static void a_place_that_is_gone_or_a_link_is_found(void **state) {
    struct classroom_settings s;
    struct classroom_roster r = {0};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    char *queue = scratch_path(state, "class/queue"), *kept = scratch_path(state, "class/kept");
    assert_true(classroom_remove(f, CLASSROOM_KEPT, CLASSROOM_SETTINGS));
    assert_true(rmdir(queue) == 0 && rmdir(kept) == 0 && symlink("/etc", kept) == 0);
    classroom_check_places(&c);
    assert_int_equal(c.findings, 2);
    assert_non_null(strstr(c.finding[0].text, "queue"));
    assert_int_equal(system(c.finding[0].fix), 0);
    assert_non_null(strstr(c.finding[1].text, "not a folder"));
    assert_non_null(strstr(c.finding[1].fix, "kept.away && mkdir -m 0700 "));
    classroom_checkup_free(&c);
    classroom_check_places(&c);
    assert_int_equal(c.findings, 1);
    classroom_checkup_free(&c);
    free(queue), free(kept);
    classroom_close(f);
}

static void assistants_and_roster_name_accounts_that_there_are(void **state) {
    struct classroom_settings s;
    struct classroom_person people[] = {{.account = "no-such-account"}, {.account = "root"}};
    struct classroom_roster r = {2, people};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    s.assistants = 2;
    strcpy(s.assistant[0], "no-such-assistant");
    strcpy(s.assistant[1], "daemon");
    classroom_check_assistants(&c);
    assert_int_equal(c.findings, 2);
    assert_non_null(strstr(c.finding[0].text, "no account no-such-assistant"));
    assert_non_null(strstr(c.finding[1].text, "daemon assists you and cannot list"));
    assert_non_null(strstr(c.finding[1].fix, "setfacl -m u:daemon:rx "));
    classroom_checkup_free(&c);
    classroom_check_roster(&c);
    assert_int_equal(c.findings, 1);
    assert_non_null(strstr(c.finding[0].text, "no-such-account"));
    classroom_checkup_free(&c);
    s.synchronised = true; /* then accounts are other machines' */
    classroom_check_roster(&c);
    assert_int_equal(c.findings, 0);
    classroom_checkup_free(&c);
    classroom_close(f);
}

/* A slip in an account's name gives somebody no more time, and nobody would notice. */
static void more_time_is_for_accounts_of_the_class(void **state) {
    struct classroom_settings s;
    struct classroom_person people[] = {{.account = "root"}};
    struct classroom_roster listed = {1, people}, none = {0};
    struct classroom_folder *f = room_open(state, &s);
    s.extensions = 3;
    s.extension[0] = (struct classroom_extension){"daemon", "", 60};
    s.extension[1] = (struct classroom_extension){"no such", "1.1", 60};
    s.extension[2] = (struct classroom_extension){"uid 2001", "", 60};
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &none};
    classroom_check_roster(&c);
    assert_int_equal(c.findings, 1);
    assert_non_null(strstr(c.finding->text, "more time is set for no such"));
    assert_non_null(strstr(c.finding->fix, " 'extend=no such/1.1+0m'"));
    classroom_checkup_free(&c);
    c.roster = &listed;
    classroom_check_roster(&c);
    assert_int_equal(c.findings, 3);
    assert_non_null(strstr(c.finding[0].fix, " extend=daemon+0m"));
    classroom_checkup_free(&c);
    classroom_close(f);
}

#ifdef __linux__
/* u::rwx u:WHO:r-x g::-wx m::rwx o::-wx, as Linux keeps it; false if this file system has no such
 * lists. */
static bool grant(const char *path, uid_t who) {
    const struct {
        uint16_t tag, rights;
        uint32_t who;
    } entries[] = {{0x01, 7, UINT32_MAX},
                   {0x02, 5, who},
                   {0x04, 3, UINT32_MAX},
                   {0x10, 7, UINT32_MAX},
                   {0x20, 3, UINT32_MAX}};
    unsigned char list[4 + sizeof entries] = {2};
    memcpy(list + 4, entries, sizeof entries);
    return setxattr(path, "system.posix_acl_access", list, sizeof list, 0) == 0;
}

static void an_access_list_is_for_assistants_only(void **state) {
    enum { DAEMON = 1, STRANGER = 54321 };
    struct classroom_settings s;
    struct classroom_roster r = {0};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    char *handins = scratch_path(state, "class/handins");
    s.assistants = 1;
    strcpy(s.assistant[0], "daemon");
    if (grant(handins, DAEMON)) {
        check(&c); /* the modes of the group are the mask now, and all is well */
        assert_int_equal(c.findings, 0);
        assert_true(grant(handins, STRANGER));
        check(&c);
        assert_int_equal(c.findings, 2);
        assert_non_null(strstr(c.finding[0].text, "daemon assists you and cannot list"));
        assert_non_null(strstr(c.finding[1].text, "uid 54321 may list"));
        assert_int_equal(c.finding[1].weight, CLASSROOM_BROKEN);
        assert_non_null(strstr(c.finding[1].fix, "setfacl -x u:54321 "));
    } else
        print_message("this file system has no access control lists\n");
    classroom_checkup_free(&c);
    free(handins);
    classroom_close(f);
}
#endif

/* ── hand-ins ──────────────────────────────────────────────────────────────────────────────────*/
#define ONE   "00000000000000000000000000000001"
#define TWO   "00000000000000000000000000000002"
#define THREE "00000000000000000000000000000003"
#define FOUR  "00000000000000000000000000000004"

static void hand_in(const struct classroom_folder *f, const struct classroom_settings *s,
                    const char *file, const char *account) {
    struct base_message m = {0};
    json_t *columns = json_pack("[s]", "item");
    struct classroom_handin_head head = {.class = s->id,
                                         .account = account,
                                         .with = "",
                                         .course = "",
                                         .version = BASE_VERSION,
                                         .seed = classroom_seed(s, account)};
    struct classroom_writing *w = classroom_handin_begin(f, file, &head, columns, &m);
    if (!w) fail_msg("%s", m.what);
    assert_true(classroom_handin_end(w, &m));
    json_decref(columns);
}

static bool says(const struct classroom_checkup *c, const char *text) {
    for (size_t i = 0; i < c->findings; i++)
        if (strstr(c->finding[i].text, text)) return true;
    return false;
}

static void hand_ins_are_of_the_owner_once_and_of_the_roster(void **state) {
    struct classroom_settings s;
    struct classroom_person people[] = {{.account = "somebody-else"}};
    struct classroom_roster r = {1, people};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    char *own = classroom_account(geteuid());
    hand_in(f, &s, ONE ".handin", own);
    hand_in(f, &s, TWO ".handin", own);
    hand_in(f, &s, THREE ".handin", "eve");
    classroom_check_handins(&c);
    assert_int_equal(c.findings, 3);
    assert_true(says(&c, "it says that it is eve's"));
    assert_true(says(&c, "has 2 hand-ins"));
    assert_true(says(&c, "is not on the roster"));
    classroom_checkup_free(&c);
    s.synchronised = true; /* then no owner can be verified */
    classroom_check_handins(&c);
    assert_false(says(&c, "it says that it is eve's"));
    assert_true(says(&c, "eve handed in and is not on the roster"));
    classroom_checkup_free(&c);
    free(own);
    classroom_close(f);
}

static void what_is_no_hand_in_is_found_and_not_read(void **state) {
    struct classroom_settings s, other;
    struct classroom_roster r = {0};
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &r};
    char *own = classroom_account(geteuid());
    classroom_settings_new(&other, "another");
    hand_in(f, &other, ONE ".handin", own);
    char *fifo = scratch_path(state, "class/handins/" TWO ".handin"),
         *away = scratch_path(state, "class/handins/" THREE ".now");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(symlink("/etc/passwd", away), 0);
    assert_true(classroom_write(f, CLASSROOM_HANDINS, FOUR ".now", 0644, "{", 1, &m));
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "notes.txt", 0644, "x", 1, &m));
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "\033[2J", 0644, "x", 1, &m));
    classroom_check_handins(&c);
    assert_int_equal(c.findings, 5);
    assert_true(says(&c, "another class"));
    assert_true(says(&c, "a pipe"));
    assert_true(says(&c, "is a link"));
    assert_true(says(&c, FOUR ".now"));
    assert_true(says(&c, "2 files in handins/"));
    for (size_t i = 0; i < c.findings; i++)
        if (c.finding[i].weight == CLASSROOM_BROKEN) assert_int_equal(system(c.finding[i].fix), 0);
    classroom_checkup_free(&c);
    classroom_check_handins(&c);
    assert_false(says(&c, "a pipe") || says(&c, "is a link") || says(&c, FOUR ".now"));
    classroom_checkup_free(&c);
    free(own), free(fifo), free(away);
    classroom_close(f);
}

#ifdef __linux__
/* ── a clock that is off, a file system without locks ──────────────────────────────────────────*/
/* In place of the C library's, in this program. */
static time_t clock_error;
static bool no_locks;

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec + clock_error;
    return now.tv_sec + clock_error;
}

int fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    long with = va_arg(list, long);
    va_end(list);
    if (no_locks && (command == F_SETLK || command == F_GETLK)) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, with);
}

static void a_clock_that_is_off_and_missing_locks_are_found(void **state) {
    static const struct {
        time_t error;
        bool no_locks;
        const char *says, *fix;
        enum classroom_weight weight;
    } rows[] = {
        {-3600, false, "60 minutes behind the file server's", "timedatectl", CLASSROOM_NOTED},
        {7200, false, "120 minutes ahead of the file server's", "timedatectl", CLASSROOM_NOTED},
        {50, false, NULL, NULL, CLASSROOM_FINE},
        {0, true, "this file system has no locks", NULL, CLASSROOM_BROKEN},
        {0, false, NULL, NULL, CLASSROOM_FINE},
    };
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_checkup c = {.folder = f, .settings = &s};
        clock_error = rows[i].error;
        no_locks = rows[i].no_locks;
        classroom_check_probe(&c);
        clock_error = 0;
        no_locks = false;
        if (c.findings != (rows[i].says != NULL)) fail_msg("row %zu: %zu findings", i, c.findings);
        if (rows[i].says) {
            assert_non_null(strstr(c.finding->text, rows[i].says));
            assert_int_equal(c.finding->weight, rows[i].weight);
            assert_true(!rows[i].fix || strstr(c.finding->fix, rows[i].fix));
        }
        classroom_checkup_free(&c);
    }
    classroom_close(f);
}
#endif

static void words_are_quoted_for_a_shell(void **state) {
    static const char *const words[] = {"/srv/sys-26", "", "a b", "it's", "$(reboot)", "-x;'y'"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        char *quoted = classroom_quoted(words[i]), *line = base_format("printf %%s %s", quoted),
             back[64];
        FILE *shell = popen(line, "r");
        size_t n = fread(back, 1, sizeof back - 1, shell);
        back[n] = '\0';
        pclose(shell);
        assert_string_equal(back, words[i]);
        free(line);
        free(quoted);
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(the_new_class_has_nothing_to_fix),
        IN_SCRATCH(a_wrong_mode_is_found_and_its_command_fixes_it),
        IN_SCRATCH(a_folder_above_that_others_can_change_is_found),
        IN_SCRATCH(a_class_for_a_group_is_no_fault),
        IN_SCRATCH(a_place_that_is_gone_or_a_link_is_found),
        IN_SCRATCH(assistants_and_roster_name_accounts_that_there_are),
#ifdef __linux__
        IN_SCRATCH(more_time_is_for_accounts_of_the_class),
        IN_SCRATCH(an_access_list_is_for_assistants_only),
#endif
        IN_SCRATCH(hand_ins_are_of_the_owner_once_and_of_the_roster),
        IN_SCRATCH(what_is_no_hand_in_is_found_and_not_read),
#ifdef __linux__
        IN_SCRATCH(a_clock_that_is_off_and_missing_locks_are_found),
#endif
        cmocka_unit_test(words_are_quoted_for_a_shell),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
