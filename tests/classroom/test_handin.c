/* A hand-in: written, cut off, edited, copied, and written by two at a time; by programs that are
 * killed, and to disks that are full. */
#include "classroom/room.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "00112233445566778899aabbccddeeff" CLASSROOM_HANDIN_END

struct desk {
    struct classroom_folder *f;
    struct classroom_settings s;
    char *account, *path;
    struct classroom_handin_head head;
    json_t *columns;
};

static struct desk open_desk(void **state) {
    struct desk d = {0};
    d.f = room_open(state, &d.s);
    d.account = classroom_account(geteuid());
    d.path = scratch_path(state, "class/handins/" NAME);
    d.head = (struct classroom_handin_head){.class = d.s.id,
                                            .account = d.account,
                                            .with = "bob",
                                            .course = "c0ffee",
                                            .version = "0.1.0",
                                            .seed = classroom_seed(&d.s, d.account)};
    d.head.class = base_dup(d.s.id);
    d.columns = json_pack("[sss]", "id", "item", "typed");
    return d;
}

static void close_desk(struct desk *d) {
    classroom_close(d->f);
    json_decref(d->columns);
    free((char *)d->head.class);
    free(d->account);
    free(d->path);
}

/* Hands in the rows from, from + step … up to n of a record. */
static bool sync_some(const struct desk *d, int from, int step, int n, struct base_message *m) {
    struct classroom_writing *w = classroom_handin_begin(d->f, NAME, &d->head, d->columns, m);
    if (!w) return false;
    for (int i = from; i <= n; i += step) {
        char *row = base_format("[%d,\"1.1/a\",\"%d GB, \\\"day\\\":7\"]", i, i * 17);
        classroom_handin_add(w, row, strlen(row), 20000 + i);
        free(row);
    }
    return classroom_handin_end(w, m);
}

static bool sync_rows(const struct desk *d, int n, struct base_message *m) {
    return sync_some(d, 1, 1, n, m);
}

/* Exactly the rows 1 … n are there. */
static void assert_rows(const struct desk *d, int n) {
    struct classroom_handin h;
    struct base_message m = {0};
    if (!classroom_handin_read(d->f, CLASSROOM_HANDINS, NAME, &d->s, &h, &m))
        fail_msg("%s:%d: %s", m.file, m.line, m.what);
    assert_false(h.torn);
    assert_int_equal(h.answers, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(json_integer_value(json_array_get(h.answer[i].row, 0)), i + 1);
        assert_int_equal(h.answer[i].day, 20001 + i);
        assert_int_equal(h.answer[i].line, i + 3);
    }
    classroom_handin_free(&h);
}

static char *text_of(const struct desk *d, size_t *n) {
    char *text = base_file_read(d->path, 1 << 20, n, NULL);
    assert_non_null(text);
    return text;
}

static void put_text(const struct desk *d, const char *text, size_t n) {
    FILE *out = fopen(d->path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
}

/* It is read up to `answers`, and this is said of line `line`. */
static void assert_fault(const struct desk *d, enum classroom_fault fault, size_t answers, int line,
                         const char *what) {
    struct classroom_handin h;
    struct base_message m = {0};
    assert_false(classroom_handin_read(d->f, CLASSROOM_HANDINS, NAME, &d->s, &h, &m));
    if (!strstr(m.what, what)) fail_msg("'%s' does not say '%s'", m.what, what);
    assert_int_equal(h.fault, fault);
    assert_int_equal(h.answers, answers);
    assert_int_equal(m.line, line);
    classroom_handin_free(&h);
}

/* ── hashes ────────────────────────────────────────────────────────────────────────────────────*/
static void a_link_follows_from_the_one_before(void **state) {
    (void)state;
    /* sha256sum, of "", of "abc", of HEX and {"a":1 */
    static const char empty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                      abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    char hex[HASH_HEX], link_[HASH_HEX], end[HASH_LINK_BYTES + 1];
    hash_hex("", "", 0, hex);
    assert_string_equal(hex, empty);
    hash_hex("a", "bc", 2, hex);
    assert_string_equal(hex, abc);
    memcpy(link_, hex, sizeof link_);
    hash_link_add("{\"a\":1", 6, link_, end);
    char *text = base_format("%s{\"a\":1", abc), *line = base_format("{\"a\":1%s", end);
    hash_hex("", text, strlen(text), hex);
    assert_string_equal(link_, hex);
    memcpy(link_, abc, sizeof link_);
    assert_true(hash_link_fits(line, strlen(line), link_));
    assert_string_equal(link_, hex);
    assert_false(hash_link_fits(line, strlen(line), link_));
    for (size_t i = 0; i < strlen(line); i++) {
        memcpy(link_, abc, sizeof link_);
        line[i] ^= 1;
        assert_false(hash_link_fits(line, strlen(line), link_) || hash_link_fits(line, i, link_));
        assert_string_equal(link_, abc);
        line[i] ^= 1;
    }
    free(line), free(text);
}

/* ── what is written is read ───────────────────────────────────────────────────────────────────*/
static void rows_go_there_and_come_back(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    struct classroom_handin h;
    struct stat it;
    mode_t old = umask(0077);
    assert_true(sync_rows(&d, 0, &m));
    assert_rows(&d, 0);
    assert_true(sync_rows(&d, 3, &m) && sync_rows(&d, 3, &m) && sync_rows(&d, 5, &m));
    umask(old);
    assert_rows(&d, 5);
    assert_int_equal(stat(d.path, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0644);
    assert_true(classroom_handin_read(d.f, CLASSROOM_HANDINS, NAME, &d.s, &h, &m));
    assert_string_equal(h.head.with, "bob");
    assert_string_equal(h.head.course, "c0ffee");
    assert_true(h.head.seed == d.head.seed && h.length == (size_t)it.st_size);
    assert_int_equal(classroom_handin_column(&h, "typed"), 2);
    assert_int_equal(classroom_handin_column(&h, "none"), 3);
    classroom_handin_free(&h);
    close_desk(&d);
}

/* At every byte, in the first lines too. */
static void whatever_was_cut_off_is_written_again(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    assert_true(sync_rows(&d, 3, &m));
    size_t n;
    char *text = text_of(&d, &n);
    for (size_t cut = 0; cut < n; cut += 7) {
        struct classroom_handin h;
        assert_int_equal(truncate(d.path, (off_t)cut), 0);
        bool read = classroom_handin_read(d.f, CLASSROOM_HANDINS, NAME, &d.s, &h, &m);
        assert_true(read || h.fault == CLASSROOM_NO_HANDIN);
        assert_true(h.answers < 3);
        if (read) assert_true(h.torn == (h.length < cut));
        classroom_handin_free(&h);
        assert_true(sync_rows(&d, 3, &m));
        size_t again;
        char *whole = text_of(&d, &again);
        assert_int_equal(again, n);
        assert_memory_equal(whole, text, n);
        free(whole);
    }
    free(text);
    close_desk(&d);
}

static void garbage_behind_it_is_cut_off(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    static const char zeros[600], line[] = "{\"answer\":[9,\"1.1/a\",\"x\"],\"day\":1}\n";
    const struct {
        const char *text;
        size_t n;
    } tails[] = {{zeros, sizeof zeros}, {line, sizeof line - 1}, {"\n\n\n", 3}, {"{", 1}};
    for (size_t i = 0; i < BASE_COUNT(tails); i++) {
        assert_true(sync_rows(&d, 4, &m));
        int fd = open(d.path, O_WRONLY | O_APPEND);
        assert_int_equal(write(fd, tails[i].text, tails[i].n), tails[i].n);
        close(fd);
        assert_true(sync_rows(&d, 4, &m));
        assert_rows(&d, 4);
    }
    close_desk(&d);
}

/* ── what is wrong is named ────────────────────────────────────────────────────────────────────*/
static void the_first_changed_line_is_named(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    assert_true(sync_rows(&d, 6, &m));
    size_t n, length;
    char *text = text_of(&d, &n), *line = text;
    for (int number = 1; number <= 8; number++, line += length + 1) {
        length = strcspn(line, "\n");
        if (number <= 2) continue;
        char *typed = strstr(line, " GB") - 1, was = *typed;
        *typed = was == '7' ? '8' : '7';
        put_text(&d, text, n);
        assert_fault(&d, CLASSROOM_CHANGED, (size_t)number - 3, number, "chain");
        *typed = was;
        char *without = base_format("%.*s%s", (int)(line - text), text, line + length + 1);
        if (number < 8) {
            put_text(&d, without, strlen(without));
            assert_fault(&d, CLASSROOM_CHANGED, (size_t)number - 3, number, "chain");
        }
        free(without);
    }
    put_text(&d, text, n);
    assert_rows(&d, 6);
    free(text);
    close_desk(&d);
}

/* Whoever changes a line can compute the links again: it is still no row that the record has. */
static void put_chain(const struct desk *d, const char *first, const char *second,
                      const char *third) {
    struct base_text t = {0};
    char link_[HASH_HEX], end[HASH_LINK_BYTES + 1];
    base_text_printf(&t, "%s\n%s\n", first, second);
    hash_hex("", t.s, t.length, link_);
    hash_link_add(third, strlen(third), link_, end);
    base_text_printf(&t, "%s%s\n", third, end);
    put_text(d, t.s, t.length);
    base_text_free(&t);
}

static char *head_line(const struct desk *d, const char *class, const char *account, int format,
                       uint64_t seed) {
    (void)d;
    return base_format(
        "{\"zerotutor\":\"handin\",\"format\":%d,\"class\":\"%s\",\"account\":\"%s\","
        "\"seed\":%lld,\"course\":\"\",\"version\":\"0.1.0\"}",
        format, class, account, (long long)seed);
}

static void what_is_no_hand_in_of_this_learner_is_told_apart(void **state) {
    static const char table[] = "{\"table\":\"answer\",\"columns\":[\"id\"]}",
                      row[] = "{\"answer\":[1],\"day\":2";
    struct desk d = open_desk(state);
    const char *me = d.account;
    uint64_t mine = classroom_seed(&d.s, me), eves = classroom_seed(&d.s, "eve");
    char *fine = head_line(&d, d.s.id, me, 1, mine), *eve = head_line(&d, d.s.id, "eve", 1, eves);
    const struct {
        char *first;
        const char *second, *third;
        enum classroom_fault fault;
        int line;
        const char *what;
    } rows[] = {
        {head_line(&d, "0123", me, 1, mine), table, row, CLASSROOM_OTHER_CLASS, 1, "another class"},
        {head_line(&d, d.s.id, me, 2, mine), table, row, CLASSROOM_NEWER, 1, "newer"},
        {head_line(&d, d.s.id, me, 0, mine), table, row, CLASSROOM_NO_HANDIN, 1, "did not write"},
        {base_dup(eve), table, row, CLASSROOM_OTHER_ACCOUNT, 1, "eve"},
        {head_line(&d, d.s.id, me, 1, eves), table, row, CLASSROOM_OTHER_ACCOUNT, 1, "drawn"},
        {head_line(&d, d.s.id, "a\\u001b[2J", 1, mine), table, row, CLASSROOM_NO_HANDIN, 1,
         "account"},
        {base_dup("[]"), table, row, CLASSROOM_NO_HANDIN, 1, "did not write"},
        {base_dup(fine), "{}", row, CLASSROOM_NO_HANDIN, 2, "columns"},
        {base_dup(fine), "{\"table\":\"answer\",\"columns\":[7]}", row, CLASSROOM_NO_HANDIN, 2,
         "columns"},
        {base_dup(fine), table, "{\"answer\":[1,2],\"day\":2", CLASSROOM_CHANGED, 3,
         "not an answer"},
        {base_dup(fine), table, "{\"answer\":[[[1]]],\"day\":2", CLASSROOM_CHANGED, 3,
         "not an answer"},
        {base_dup(fine), table, "{\"answer\":[1],\"day\":\"x\"", CLASSROOM_CHANGED, 3,
         "not an answer"},
        {base_dup(fine), table, "{\"answer\":[1],\"answer\":[1],\"day\":1", CLASSROOM_CHANGED, 3,
         "not an answer"},
        {base_dup(fine), table, "{\"x\":1", CLASSROOM_CHANGED, 3, "not an answer"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        put_chain(&d, rows[i].first, rows[i].second, rows[i].third);
        assert_fault(&d, rows[i].fault, 0, rows[i].line, rows[i].what);
        free(rows[i].first);
    }
    put_chain(&d, eve, table, row);
    d.s.synchronised = true; /* then all files have one owner */
    struct classroom_handin h;
    assert_true(classroom_handin_read(d.f, CLASSROOM_HANDINS, NAME, &d.s, &h, NULL));
    assert_int_equal(h.answers, 1);
    classroom_handin_free(&h);
    struct base_message m = {0};
    assert_false(sync_rows(&d, 1, &m)); /* and it is not ours to go on with */
    assert_non_null(strstr(m.what, "not your hand-in"));
    free(fine), free(eve);
    close_desk(&d);
}

static void deep_and_long_lines_end_well(void **state) {
    struct desk d = open_desk(state);
    char *fine = head_line(&d, d.s.id, d.account, 1, d.head.seed), *deep = base_alloc(1 << 20);
    memset(deep, '[', 1 << 19);
    char *third = base_format("{\"answer\":%s", deep);
    put_chain(&d, fine, "{\"table\":\"answer\",\"columns\":[\"id\"]}", third);
    assert_fault(&d, CLASSROOM_CHANGED, 0, 3, "not an answer");
    put_text(&d, deep, 1 << 19);
    assert_fault(&d, CLASSROOM_NO_HANDIN, 0, 0, "no whole line");
    assert_int_equal(truncate(d.path, (off_t)1 << 40), 0);
    assert_fault(&d, CLASSROOM_UNREAD, 0, 0, "too large");
    struct base_message m = {0};
    assert_false(sync_rows(&d, 1, &m));
    assert_non_null(strstr(m.what, "larger"));
    free(third), free(deep), free(fine);
    close_desk(&d);
}

static void what_stands_in_its_place_is_not_written_to(void **state) {
    struct desk d = open_desk(state);
    char *other = scratch_path(state, "other");
    struct base_message m = {0};
    assert_true(base_file_write(other, "keep", 4, &m));
    assert_int_equal(symlink(other, d.path), 0);
    assert_false(sync_rows(&d, 1, &m));
    assert_non_null(strstr(m.what, "link"));
    assert_int_equal(unlink(d.path) | link(other, d.path), 0);
    assert_false(sync_rows(&d, 1, &m));
    assert_non_null(strstr(m.what, "second name"));
    assert_int_equal(unlink(d.path) | mkfifo(d.path, 0600), 0);
    assert_false(sync_rows(&d, 1, &m));
    assert_non_null(strstr(m.what, "pipe"));
    assert_int_equal(unlink(d.path) | mkdir(d.path, 0700), 0);
    assert_false(sync_rows(&d, 1, &m));
    assert_int_equal(rmdir(d.path), 0);
    size_t n;
    char *text = base_file_read(other, 100, &n, &m);
    assert_string_equal(text, "keep");
    assert_true(sync_rows(&d, 1, &m));
    assert_rows(&d, 1);
    free(text), free(other);
    close_desk(&d);
}

/* ── killed, full, away, and two at a time ─────────────────────────────────────────────────────*/
static void a_writer_may_be_killed_at_any_moment(void **state) {
    enum { TIMES = 50, STEP = 40 };
    struct desk d = open_desk(state);
    struct base_message m = {0};
    srand(20781);
    for (int i = 0, rows = 0; i < TIMES; i++, rows += STEP / 8) {
        int told[2];
        assert_int_equal(pipe(told), 0);
        pid_t child = fork();
        if (child == 0) {
            for (int k = 0; k < STEP; k++)
                if (!sync_rows(&d, rows + k, NULL) || write(told[1], "x", 1) != 1) _exit(1);
            _exit(0);
        }
        close(told[1]);
        char x;
        for (int wait_ = rand() % (STEP / 4); wait_ >= 0 && read(told[0], &x, 1) == 1;) wait_--;
        for (volatile int spin = rand() % 300000; spin > 0;) spin--;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(told[0]);
        assert_true(sync_rows(&d, rows + STEP, &m));
        assert_rows(&d, rows + STEP);
    }
    close_desk(&d);
}

static void a_full_disk_loses_nothing(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    assert_true(sync_rows(&d, 3, &m));
    struct stat it;
    assert_int_equal(stat(d.path, &it), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit full = {(rlim_t)it.st_size + 250, (rlim_t)it.st_size + 250};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &full);
        struct base_message why = {0};
        _exit(sync_rows(&d, 9, &why) || !strstr(why.what, "cannot add"));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_rows(&d, 3);
    assert_true(sync_rows(&d, 9, &m));
    assert_rows(&d, 9);
    close_desk(&d);
}

static void a_folder_that_is_away_for_a_while_loses_nothing(void **state) {
    struct desk d = open_desk(state);
    struct base_message m = {0};
    char *handins = scratch_path(state, "class/handins"), *away = scratch_path(state, "class/x");
    assert_true(sync_rows(&d, 2, &m));
    assert_int_equal(rename(handins, away), 0);
    assert_false(sync_rows(&d, 3, &m));
    assert_int_equal(rename(away, handins), 0);
    assert_int_equal(chmod(d.path, 0444) | chmod(handins, 0555), 0);
    if (geteuid() != 0) assert_false(sync_rows(&d, 4, &m));
    assert_int_equal(chmod(d.path, 0644) | chmod(handins, 01733), 0);
    assert_true(sync_rows(&d, 5, &m));
    assert_rows(&d, 5);
    free(away), free(handins);
    close_desk(&d);
}

/* Each writes rows that the others do not have, so that what one writes over is seen. */
static void two_terminals_may_answer_at_the_same_time(void **state) {
    enum { WRITERS = 4, ROWS = 240 };
    struct desk d = open_desk(state);
    struct base_message m = {0};
    struct classroom_handin h;
    for (int i = 1; i <= WRITERS; i++) {
        if (fork() != 0) continue;
        bool fine = true;
        for (int n = i; fine && n <= ROWS; n += WRITERS) fine = sync_some(&d, i, WRITERS, n, NULL);
        _exit(!fine);
    }
    for (int left = WRITERS; left > 0;) { /* the chain is whole all the time */
        int status;
        bool read = classroom_handin_read(d.f, CLASSROOM_HANDINS, NAME, &d.s, &h, &m);
        if (!read && h.fault == CLASSROOM_CHANGED) fail_msg("line %d: %s", m.line, m.what);
        classroom_handin_free(&h);
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0) assert_int_equal(status, 0);
        left -= ended > 0;
    }
    bool found[ROWS + 1] = {false};
    assert_true(classroom_handin_read(d.f, CLASSROOM_HANDINS, NAME, &d.s, &h, &m));
    assert_int_equal(h.answers, ROWS);
    for (size_t i = 0; i < h.answers; i++) {
        json_int_t id = json_integer_value(json_array_get(h.answer[i].row, 0));
        assert_true(id >= 1 && id <= ROWS && !found[id]);
        found[id] = true;
    }
    classroom_handin_free(&h);
    close_desk(&d);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_follows_from_the_one_before),
        IN_SCRATCH(rows_go_there_and_come_back),
        IN_SCRATCH(whatever_was_cut_off_is_written_again),
        IN_SCRATCH(garbage_behind_it_is_cut_off),
        IN_SCRATCH(the_first_changed_line_is_named),
        IN_SCRATCH(what_is_no_hand_in_of_this_learner_is_told_apart),
        IN_SCRATCH(deep_and_long_lines_end_well),
        IN_SCRATCH(what_stands_in_its_place_is_not_written_to),
        IN_SCRATCH(a_writer_may_be_killed_at_any_moment),
        IN_SCRATCH(a_full_disk_loses_nothing),
        IN_SCRATCH(a_folder_that_is_away_for_a_while_loses_nothing),
        IN_SCRATCH(two_terminals_may_answer_at_the_same_time),
    };
    return cmocka_run_group_tests_name("handin", tests, NULL, NULL);
}
