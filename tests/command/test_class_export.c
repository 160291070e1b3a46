/* Exports of a class, column by column against what the importing programs expect. */
#include "command/class_export.h"

#include "base/scratch.h"

#include <string.h>

static const char grades_text[] =
    "{\"zerotutor\":\"grades\",\"format\":1,\"class\":\"c1a55\",\"name\":\"sys-26\",\"lessons\":["
    "{\"id\":\"1.1\",\"title\":\"Bytes, in order\",\"items\":[\"a\",\"b\",\"c\",\"d\"]},"
    "{\"id\":\"1.2\",\"title\":\"Copies\",\"items\":[\"e\",\"f\"]}],\"learners\":["
    "{\"account\":\"ada\",\"handin\":\"01\",\"others\":[\"02\"],\"answers\":12,\"lessons\":["
    "{\"id\":\"1.1\",\"points\":3.5,\"of\":4,\"late\":1},{\"id\":\"1.2\",\"points\":2,\"of\":2}],"
    "\"items\":[{\"item\":\"1.1/a\",\"points\":0.8,\"right\":true,\"late\":1,\"try\":1,"
    "\"tries\":2,\"missing\":0,\"hints\":1,\"seconds\":21.5,\"mistake\":\"\"},"
    "{\"item\":\"1.1/b\",\"points\":0,\"right\":false,\"late\":0,\"try\":3,\"tries\":1,"
    "\"missing\":2,\"hints\":0,\"seconds\":4,\"mistake\":\"no-master\"}]},"
    "{\"account\":\"eve\",\"with\":\"mal\",\"handin\":\"03\",\"answers\":4,\"lessons\":["
    "{\"id\":\"1.1\",\"points\":4,\"of\":4},{\"id\":\"1.2\",\"points\":0.6,\"of\":2}],"
    "\"items\":[{\"item\":\"1.1/a\",\"points\":1,\"right\":true,\"late\":0,\"try\":1,\"tries\":1,"
    "\"missing\":0,\"hints\":0,\"seconds\":2}]},"
    "{\"account\":\"zoe\",\"handin\":\"04\",\"listed\":[]}]}";
static const char roster_text[] = "ada, Ada King Lovelace\nbob, =cmd|'/C calc'!A1\neve\n"
                                  "fay,\"+Fay, \"\"the\"\" O'Hara\"\n";

static char *exported(const char *format) {
    struct base_message m = {0};
    struct base_text t = {0};
    struct classroom_roster roster;
    assert_true(classroom_roster_parse(roster_text, strlen(roster_text), "roster", &roster, &m));
    struct class_export x = {.roster = &roster,
                             .grades = json_loads(grades_text, JSON_REJECT_DUPLICATES, NULL)};
    assert_non_null(x.grades);
    if (!command_class_write(&x, format, &t, &m)) fail_msg("%s", m.what);
    json_decref(x.grades);
    classroom_roster_free(&roster);
    return base_text_take(&t);
}

static void is(const char *format, const char *expected) {
    char *got = exported(format);
    if (strcmp(got, expected) != 0) fail_msg("%s:\n%s\nis not\n%s", format, got, expected);
    free(got);
}

/* Canvas's importer (lib/gradebook_importer.rb, and its sample) reads: columns "Student", "ID",
 * "SIS User ID", "SIS Login ID", "Section" in this order, then assignments by title; a row whose
 * first cell has "Points Possible", with blanks before it in Canvas's own files, whose cells of
 * people are empty; a learner by "SIS Login ID" if "ID" is empty; an empty cell leaves a grade. */
static void canvas_finds_its_columns(void **state) {
    (void)state;
    is("canvas",
       "Student,ID,SIS User ID,SIS Login ID,Section,\"1.1 Bytes, in order\",1.2 Copies\r\n"
       "    Points Possible,,,,,4,2\r\n"
       "Ada King Lovelace,,,ada,sys-26,3.5,2\r\n"
       "'=cmd|'/C calc'!A1,,,bob,sys-26,,\r\n"
       "eve,,,eve,sys-26,4,0.6\r\n"
       "\"'+Fay, \"\"the\"\" O'Hara\",,,fay,sys-26,,\r\n"); /* no other is on the roster */
}

/* Moodle's sample (grade/tests/fixtures/grade_import.csv) has "First name", "Last name", "Email
 * address" and a column for each grade item. The form asks which column identifies a user: the
 * username does, since no address is known here. */
static void moodle_finds_its_columns(void **state) {
    (void)state;
    is("moodle",
       "First name,Last name,Email address,Username,\"1.1 Bytes, in order\",1.2 Copies\r\n"
       "Ada King,Lovelace,,ada,3.5,2\r\n"
       "'=cmd|'/C,calc'!A1,,bob,-,-\r\n"
       "eve,,,eve,4,0.6\r\n"
       "\"'+Fay, \"\"the\"\"\",O'Hara,,fay,-,-\r\n");
}

static void detail_has_a_row_for_each_item_and_learner(void **state) {
    (void)state;
    is("detail", "account,with,lesson,item,points,right,late,try,tries,missing,hints,seconds,"
                 "mistake\r\n"
                 "ada,,1.1,a,0.8,yes,1,1,2,0,1,21.5,\r\n"
                 "ada,,1.1,b,0,no,0,3,1,2,0,4,no-master\r\n"
                 "eve,mal,1.1,a,1,yes,0,1,1,0,0,2,\r\n");
}

/* ── DataShop ──────────────────────────────────────────────────────────────────────────────────*/
/* Column names of its tab-delimited import format (help page importFormatTd). Required are Anon
 * Student Id, Session Id, Time, a Level, Problem Name; outcomes are CORRECT, INCORRECT, HINT. */
static const char *const transaction[] = {"Anon Student Id",
                                          "Session Id",
                                          "Time",
                                          "Time Zone",
                                          "Student Response Type",
                                          "Tutor Response Type",
                                          "Level (Lesson)",
                                          "Problem Name",
                                          "Problem View",
                                          "Step Name",
                                          "Attempt At Step",
                                          "Outcome",
                                          "Input",
                                          "Feedback Classification",
                                          "Help Level",
                                          "Total Num Hints"};
#define ROW(at, line, try, typed, verdict, mistake, hints)                                         \
    "{\"time\":17954300" at ",\"item\":\"1.1/a\",\"line\":\"" line "\",\"try\":" try               \
    ",\"typed\":\"" typed "\",\"verdict\":\"" verdict "\",\"mistake\":\"" mistake                  \
    "\",\"hints\":" hints ",\"seconds\":3.0}\n"
/* A worksheet with a line that needed two attempts and a hint, and its whole, of which nothing is
 * typed; then fresh numbers with two hints; then the working. */
static const char judged[] = ROW("00", "", "1", "=2*13\\tGB", "mistake", "no-master", "0")
    ROW("10", "grads", "2", "?", "unreadable", "", "0")
        ROW("20", "grads", "2", "27", "wrong", "", "0")
            ROW("30", "grads", "2", "26", "rounded", "", "1")
                ROW("31", "", "2", "", "right", "", "1") ROW("40", "", "3", "7", "right", "", "2")
                    ROW("50", "", "4", "", "", "", "3");
/* the same account's, from a second machine */
static const char others[] = ROW(
    "55", "grads", "2", "26", "right", "",
    "1") "{\"time\":1795430062,\"item\":\"1.1/card\",\"line\":\"card\",\"try\":1,\"typed\":\"\","
         "\"verdict\":\"\",\"mistake\":\"\",\"hints\":0,\"seconds\":3.0}\n";

static char *transactions(void **state, bool lines) {
    struct base_message m = {0};
    struct base_text t = {0};
    struct classroom_roster none = {0};
    char *path = scratch_path(state, "class");
    struct classroom_folder *f = classroom_make(path, &m);
    assert_true(classroom_write(f, CLASSROOM_KEPT, "01.judged", 0600, judged, strlen(judged), &m));
    assert_true(classroom_write(f, CLASSROOM_KEPT, "02.judged", 0600, others, strlen(others), &m));
    struct class_export x = {.folder = f, .roster = &none, .lines = lines};
    x.grades = json_pack("{ss ss s[{ss ss s[s] s[]}]}", "class", "c1a55", "name", "sys-26",
                         "learners", "account", "ada", "handin", "01", "others", "02", "items");
    if (!command_class_write(&x, "datashop", &t, &m)) fail_msg("%s", m.what);
    json_decref(x.grades);
    classroom_close(f);
    free(path);
    return base_text_take(&t);
}

static void datashop_finds_its_columns(void **state) {
    char *got = transactions(state, false), *row = strchr(got, '\n') + 1;
    struct base_text head = {0};
    for (size_t i = 0; i < BASE_COUNT(transaction); i++)
        base_text_printf(&head, "%s%s", i ? "\t" : "", transaction[i]);
    *strchr(got, '\n') = '\0';
    assert_string_equal(got, head.s);
    /* time, problem view, step, attempt at it, outcome, input, mistake, help level and hints */
    static const char *const rows[] = {
        "33:20 ATTEMPT RESULT 1 answer 1 INCORRECT '=2*13_GB no-master - -",
        "33:40 ATTEMPT RESULT 2 grads 1 INCORRECT 27 - - -",
        "33:50 HINT_REQUEST HINT_MSG 2 grads 2 HINT - - 1 3",
        "33:50 ATTEMPT RESULT 2 grads 3 CORRECT 26 - - -",
        "34:00 HINT_REQUEST HINT_MSG 3 answer 1 HINT - - 1 3",
        "34:00 HINT_REQUEST HINT_MSG 3 answer 2 HINT - - 2 3",
        "34:00 ATTEMPT RESULT 3 answer 3 CORRECT 7 - - -",
        "34:10 HINT_REQUEST HINT_MSG 4 answer 1 HINT - - 3 3",
        "34:15 ATTEMPT RESULT 2 grads 4 CORRECT 26 - - -",
    };
    struct base_text all = {0};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char c[11][16];
        assert_int_equal(sscanf(rows[i], "%15s %15s %15s %15s %15s %15s %15s %15s %15s %15s %15s",
                                c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10]),
                         11);
        base_text_printf(&all, "%.16s\tsys-26\t2026-11-23 10:%s\tUTC\t%s\t%s\t1.1\t1.1/a", row,
                         c[0], c[1], c[2]);
        for (size_t k = 3; k < 11; k++)
            base_text_printf(&all, "\t%s", strcmp(c[k], "-") == 0 ? "" : c[k]);
        base_text_puts(&all, "\n");
    }
    char *who = base_format("%.16s", row), *expected = base_text_take(&all), *blank;
    while ((blank = strchr(expected, '_')) && blank[1] == 'G') *blank = ' ';
    assert_string_equal(row, expected);
    assert_null(strstr(row, "ada"));
    free(expected);
    free(who);
    base_text_free(&head);
    free(got);
}

static void datashop_as_lines_has_the_same_columns(void **state) {
    char *got = transactions(state, true);
    *strchr(got, '\n') = '\0';
    json_t *one = json_loads(got, 0, NULL);
    assert_int_equal(json_object_size(one), BASE_COUNT(transaction));
    for (size_t i = 0; i < BASE_COUNT(transaction); i++)
        assert_non_null(json_object_get(one, transaction[i]));
    assert_string_equal(base_json_text(one, "Input", ""), "=2*13\tGB");
    json_decref(one);
    free(got);
}

/* ── cells ─────────────────────────────────────────────────────────────────────────────────────*/
static void no_cell_is_a_formula(void **state) {
    (void)state;
    static const char *const cells[][2] = {
        {"=1+1", "'=1+1"},     {"+49", "'+49"},     {"-2", "'-2"}, {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\t=1"},     {"a=1", "a=1"},      {"", "\"\""},  {"a \"b\"", "\"a \"\"b\"\"\""},
        {"=a,b", "\"'=a,b\""}, {"a\nb", "\"a\nb\""}};
    for (size_t i = 0; i < BASE_COUNT(cells); i++) {
        struct base_text t = {0};
        command_class_cell(&t, cells[i][0]);
        assert_string_equal(t.s, cells[i][1]);
        base_text_free(&t);
    }
}

/* ── worksheets ────────────────────────────────────────────────────────────────────────────────*/
static char *sheet_of(const char *folder, const char *name) {
    struct base_message m = {0};
    char *path = base_format("%s/%s", folder, name),
         *text = base_file_read(path, 1 << 22, NULL, &m);
    if (!text) fail_msg("%s: %s", m.file, m.what);
    free(path);
    return text;
}

static void each_account_has_a_sheet_and_a_key_with_its_own_numbers(void **state) {
    struct base_message m = {0};
    struct classroom_settings s;
    struct classroom_roster roster;
    size_t written;
    char *path = scratch_path(state, "class"), *to = scratch_path(state, "sheets");
    struct classroom_folder *f = classroom_make(path, &m);
    classroom_settings_new(&s, "sys-26");
    s.lesson[s.lessons++] = (struct classroom_lesson){.id = "1.1"};
    s.lesson[s.lessons++] = (struct classroom_lesson){.id = "lab stage-ladder"};
    assert_true(classroom_roster_parse("ada, Ada <b>\neve\n7001\n", 22, "roster", &roster, &m));
    if (!command_class_sheets(f, &s, &roster, to, &written, &m)) fail_msg("%s", m.what);
    assert_int_equal(written, 3);
    free(sheet_of(to, "uid-7001.html"));
    char *ada = sheet_of(to, "ada.html"), *eve = sheet_of(to, "eve.html"),
         *key = sheet_of(to, "ada.key.html"), *other = sheet_of(to, "eve.key.html");
    assert_non_null(strstr(ada, "sys-26: Ada &lt;b&gt;"));
    assert_non_null(strstr(eve, "sys-26: eve"));
    assert_string_not_equal(strstr(ada, "<h2"), strstr(eve, "<h2"));
    assert_string_not_equal(strstr(key, "<body"), strstr(other, "<body"));
    free(other);
    free(key);
    free(eve);
    free(ada);
    classroom_roster_free(&roster);
    classroom_close(f);
    free(to);
    free(path);
}

/* A row for each option; a formula in a question is text. */
static void votes_have_their_two_rounds(void **state) {
    struct base_message m = {0};
    struct classroom_votes all = {0};
    struct classroom_counted c = {.item = "1.3/which-first",
                                  .at = 1795430000,
                                  .vote = {.id = "v1",
                                           .question = "=1+1, which?",
                                           .options = 2,
                                           .option = {"moments", "grads"},
                                           .right = 2},
                                  .count = {{2, 1}, {0, 3}}};
    char *path = scratch_path(state, "class");
    struct classroom_folder *f = classroom_make(path, &m);
    struct class_export x = {.folder = f};
    struct base_text t = {0}, lines = {0};
    classroom_votes_add(&all, &c);
    assert_true(classroom_votes_write(f, &all, &m));
    assert_true(command_class_write(&x, "votes", &t, &m));
    assert_string_equal(t.s,
                        "time,item,question,option,text,right,alone,after talking\r\n"
                        "2026-11-23 10:33,1.3/which-first,\"'=1+1, which?\",1,moments,no,2,0\r\n"
                        "2026-11-23 10:33,1.3/which-first,\"'=1+1, which?\",2,grads,yes,1,3\r\n");
    x.lines = true;
    assert_true(command_class_write(&x, "votes", &lines, &m));
    assert_non_null(strstr(lines.s, "\"option\":2,\"text\":\"grads\",\"right\":true,\"alone\":1,"
                                    "\"talked\":3}\n"));
    classroom_votes_free(&all);
    classroom_close(f);
    base_text_free(&t);
    base_text_free(&lines);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canvas_finds_its_columns),
        cmocka_unit_test(moodle_finds_its_columns),
        cmocka_unit_test(detail_has_a_row_for_each_item_and_learner),
        cmocka_unit_test_setup_teardown(votes_have_their_two_rounds, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(datashop_finds_its_columns, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(datashop_as_lines_has_the_same_columns, scratch_make,
                                        scratch_remove),
        cmocka_unit_test(no_cell_is_a_formula),
        cmocka_unit_test_setup_teardown(each_account_has_a_sheet_and_a_key_with_its_own_numbers,
                                        scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
