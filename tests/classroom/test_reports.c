/* What learners find wrong with questions: written, read with care, and kept next to a hand-in. */
#include "classroom/room.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "00112233445566778899aabbccddeeff"
#define ELSE "ffeeddccbbaa99887766554433221100"

static struct classroom_report wrong(int i) {
    struct classroom_report r = {.time = 1795430000 + i, .revision = 2, .try = 1};
    strcpy(r.item, "1.1/ddp-7b");
    strcpy(r.seed, "18446744073709551615");
    strcpy(r.program, "0.1.0");
    strcpy(r.statement, "How much does a GPU hold?");
    strcpy(r.typed, "14 GB");
    strcpy(r.verdict, "mistake");
    strcpy(r.mistake, "no-master");
    snprintf(r.wrong, sizeof r.wrong, "The card has %d GB.", i);
    return r;
}

static char *own_account(void) {
    return classroom_account(geteuid());
}

static void give(struct classroom_folder *f, const char *name, const struct classroom_settings *s,
                 size_t n) {
    struct classroom_report r[CLASSROOM_REPORTS_MOST + 1];
    struct base_message m = {0};
    char *account = own_account();
    for (size_t i = 0; i < n; i++) r[i] = wrong((int)i);
    assert_true(classroom_reports_write(f, CLASSROOM_HANDINS, name, s->id, account, r, n, &m));
    free(account);
}

static void hand_in(const struct classroom_folder *f, const struct classroom_settings *s,
                    const char *name) {
    struct base_message m = {0};
    char *account = own_account(), *file = base_format("%s" CLASSROOM_HANDIN_END, name);
    json_t *columns = json_pack("[s]", "item");
    struct classroom_handin_head head = {.class = s->id,
                                         .account = account,
                                         .with = "",
                                         .course = "",
                                         .version = BASE_VERSION,
                                         .seed = classroom_seed(s, account)};
    struct classroom_writing *w = classroom_handin_begin(f, file, &head, columns, &m);
    assert_non_null(w);
    assert_true(classroom_handin_end(w, &m));
    json_decref(columns);
    free(file);
    free(account);
}

/* How many reports are new; what is listed of this kind into *listed. */
static int64_t collect(const struct classroom_folder *f, const struct classroom_settings *s,
                       size_t *listed) {
    struct base_message m = {0};
    json_t *got = classroom_collect(f, s, &m), *one;
    size_t i;
    if (!got) fail_msg("%s", m.what);
    *listed = 0;
    json_array_foreach(json_object_get(got, "listed"), i, one) *listed +=
        strcmp(base_json_text(one, "kind", ""), "reports") == 0;
    int64_t fresh = base_json_int(got, "reports", -1);
    json_decref(got);
    return fresh;
}

static size_t kept(const struct classroom_folder *f, const struct classroom_settings *s) {
    struct classroom_reports r;
    struct base_message m = {0};
    classroom_reports_read(f, CLASSROOM_KEPT, NAME, s, &r, &m);
    size_t count = r.count;
    classroom_reports_free(&r);
    return count;
}

static void they_come_back_as_they_were_written(void **state) {
    struct classroom_settings s;
    struct classroom_reports back;
    struct base_message m = {0};
    struct stat it;
    struct classroom_folder *f = room_open(state, &s);
    give(f, NAME, &s, 2);
    char *path = scratch_path(state, "class/handins/" NAME CLASSROOM_REPORTS_END);
    assert_int_equal(stat(path, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0644);
    assert_true(classroom_reports_read(f, CLASSROOM_HANDINS, NAME, &s, &back, &m));
    assert_int_equal(back.count, 2);
    assert_false(back.cut);
    for (int i = 0; i < 2; i++) {
        struct classroom_report was = wrong(i);
        json_t *a = classroom_report_json(&was), *b = classroom_report_json(&back.report[i]);
        assert_int_equal(json_object_size(a), 11);
        assert_true(json_equal(a, b));
        json_decref(a), json_decref(b);
    }
    classroom_reports_free(&back);
    free(path);
    classroom_close(f);
}

static void the_teacher_keeps_what_went_away(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    size_t listed;
    give(f, NAME, &s, 3);
    assert_int_equal(collect(f, &s, &listed), 0); /* nothing was handed in with them */
    assert_true(listed == 1 && kept(f, &s) == 0);
    hand_in(f, &s, NAME);
    assert_int_equal(collect(f, &s, &listed), 3);
    assert_true(listed == 0 && kept(f, &s) == 3);
    assert_int_equal(collect(f, &s, &listed), 0);
    give(f, NAME, &s, 1);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(kept(f, &s), 3);
    give(f, NAME, &s, 4);
    assert_int_equal(collect(f, &s, &listed), 1);
    assert_int_equal(kept(f, &s), 4);
    struct classroom_report other = wrong(77);
    struct base_message m = {0};
    char *account = own_account();
    give(f, NAME, &s, CLASSROOM_REPORTS_MOST + 1);
    assert_int_equal(collect(f, &s, &listed), CLASSROOM_REPORTS_MOST - 4);
    strcpy(other.wrong, "One more.");
    assert_true(classroom_reports_write(f, CLASSROOM_HANDINS, NAME, s.id, account, &other, 1, &m));
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(kept(f, &s), CLASSROOM_REPORTS_MOST);
    free(account);
    classroom_close(f);
}

/* ── files of others ───────────────────────────────────────────────────────────────────────────*/
static void put(struct classroom_folder *f, const char *text) {
    struct base_message m = {0};
    assert_true(classroom_write(f, CLASSROOM_HANDINS, NAME CLASSROOM_REPORTS_END, 0644, text,
                                strlen(text), &m));
}

static void texts_of_others_are_safe_to_show(void **state) {
    struct classroom_settings s;
    struct classroom_reports back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    char *account = own_account(),
         *head = base_format("{\"zerotutor\":\"reports\",\"format\":1,\"class\":\"%s\","
                             "\"account\":\"%s\"}\n",
                             s.id, account),
         *text = base_format("%s{\"wrong\":\"a\\u001b[2J\\nb\\u202e\",\"item\":7,\"time\":-3,"
                             "\"revision\":1e99,\"try\":[],\"seed\":\"%0500d\"}\n"
                             "{\"wrong\":\"second\"}\n[]\n{\"wrong\":\"third\"}\n",
                             head, 1);
    put(f, text);
    assert_true(classroom_reports_read(f, CLASSROOM_HANDINS, NAME, &s, &back, &m));
    assert_true(back.count == 2 && back.cut);
    const struct classroom_report *r = &back.report[0];
    assert_null(strpbrk(r->wrong, "\033\n"));
    assert_null(strstr(r->wrong, "\u202e"));
    assert_int_equal(strlen(r->seed), sizeof r->seed - 1);
    assert_true(!*r->item && !r->time && !r->revision && !r->try);
    classroom_reports_free(&back);
    free(text);
    text = base_format("%s{\"wrong\":\"whole\"}\n{\"wrong\":\"torn\"}", head);
    put(f, text);
    assert_true(classroom_reports_read(f, CLASSROOM_HANDINS, NAME, &s, &back, &m));
    assert_true(back.count == 1 && back.cut);
    classroom_reports_free(&back);
    free(text);
    free(head);
    free(account);
    classroom_close(f);
}

/* A file that cannot be used is listed, and stops nothing. */
static void hostile_files_are_listed(void **state) {
    static const char *const broken[] = {
        "",
        "{",
        "[]\n",
        "null\n",
        "{\"zerotutor\":\"handin\"}\n",
        "{\"zerotutor\":\"reports\",\"format\":9}\n",
        "{\"zerotutor\":\"reports\",\"format\":1,\"class\":\"other\",\"account\":\"a\"}\n"};
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    char *path = scratch_path(state, "class/handins/" NAME CLASSROOM_REPORTS_END),
         *away = scratch_path(state, "class/class.json");
    size_t listed;
    hand_in(f, &s, NAME);
    for (size_t i = 0; i < BASE_COUNT(broken); i++) {
        put(f, broken[i]);
        assert_int_equal(collect(f, &s, &listed), 0);
        assert_int_equal(listed, 1);
    }
    assert_int_equal(unlink(path) | symlink(away, path), 0);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    assert_int_equal(unlink(path) | mkfifo(path, 0666), 0);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    assert_int_equal(unlink(path) | mkdir(path, 0755), 0);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    assert_int_equal(rmdir(path), 0);
    give(f, NAME, &s, 1);
    assert_int_equal(truncate(path, 64 << 20), 0); /* enormous, and empty */
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    assert_int_equal(kept(f, &s), 0);
    free(away);
    free(path);
    classroom_close(f);
}

static void another_account_is_not_believed(void **state) {
    struct classroom_settings s;
    struct classroom_report r = wrong(1);
    struct classroom_reports back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    size_t listed;
    hand_in(f, &s, NAME);
    assert_true(classroom_reports_write(f, CLASSROOM_HANDINS, NAME, s.id, "eve", &r, 1, &m));
    assert_false(classroom_reports_read(f, CLASSROOM_HANDINS, NAME, &s, &back, &m));
    assert_non_null(strstr(m.what, "eve"));
    classroom_reports_free(&back);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    s.synchronised = true; /* readable, but next to the hand-in of somebody else */
    assert_true(classroom_reports_read(f, CLASSROOM_HANDINS, NAME, &s, &back, &m));
    classroom_reports_free(&back);
    assert_int_equal(collect(f, &s, &listed), 0);
    assert_int_equal(listed, 1);
    classroom_close(f);
}

static void the_doctor_looks_at_them(void **state) {
    struct classroom_settings s;
    struct classroom_roster roster = {0};
    struct classroom_folder *f = room_open(state, &s);
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &roster};
    give(f, NAME, &s, 2);
    classroom_check_handins(&c);
    assert_int_equal(c.findings, 0);
    put(f, "{}\n");
    give(f, ELSE, &s, 1);
    classroom_check_handins(&c);
    assert_int_equal(c.findings, 1);
    assert_non_null(strstr(c.finding[0].text, NAME CLASSROOM_REPORTS_END));
    assert_non_null(strstr(c.finding[0].fix, "rm -rf -- "));
    classroom_checkup_free(&c);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(they_come_back_as_they_were_written),
        IN_SCRATCH(the_teacher_keeps_what_went_away),
        IN_SCRATCH(texts_of_others_are_safe_to_show),
        IN_SCRATCH(hostile_files_are_listed),
        IN_SCRATCH(another_account_is_not_believed),
        IN_SCRATCH(the_doctor_looks_at_them),
    };
    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
