/* A class of forty as its teacher sees it, from files that forty programs wrote. */
#include "classroom/crowd.h"
#include "session/classes.h"
#include "session/pupil.h"

#include <string.h>

enum { PEOPLE = 40 };
static void hand_in(const struct classroom_folder *f, const struct classroom_settings *s, int i,
                    const char *verdict, const char *mistake) {
    const struct crowd_answer a = {"1.1/ddp-7b", CROWD_PROBLEM, "24.5", verdict, mistake};
    assert_true(crowd_hand_in(f, s, i, &a, 1));
}

static void be_at(const struct classroom_folder *f, int i, int number, bool hand) {
    const struct classroom_presence p = {
        .lesson = "1.1", .title = "Seven billion", .number = number, .of = 12, .hand = hand};
    assert_true(crowd_be_at(f, i, &p, time(NULL)));
}

/* An open class of this name, with many seats and one account. */
static struct classroom_folder *open_class(void **state, struct classroom_settings *s,
                                           char **path) {
    struct base_message m = {0};
    unsetenv("ZEROTUTOR_NOW");
    *path = classes_make(state, "class", s);
    s->synchronised = true;
    s->begins = base_now() - 60;
    s->ends = base_now() + 3600;
    classes_write(*path, s);
    return classroom_open(*path, &m);
}

static void the_teacher_sees_forty(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct session_slip slip;
    struct classroom_board board;
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    for (int i = 0; i < PEOPLE; i++) {
        hand_in(f, &s, i, i < 11 ? "mistake" : "right", i < 11 ? "no-grads" : "");
        be_at(f, i, 1 + i % 4, i == 7);
    }
    assert_true(classroom_write(f, CLASSROOM_HANDINS, "notes.txt", 0644, "x", 1, &m));
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    const struct classroom_overview *o = session_watch_overview(w);
    assert_int_equal(o->here, PEOPLE);
    assert_int_equal(o->slips, 1);
    assert_true(o->hands == 1 && o->at[3] == PEOPLE / 4 && o->slips == 1);
    assert_true(o->slip[0].made == 11 && o->slip[0].of == PEOPLE);
    assert_int_equal(session_watch_unread(w), 1);
    char *shown = session_watch_name(w, o->hand[0].seat, true),
         *hidden = session_watch_name(w, o->hand[0].seat, false);
    assert_string_equal(shown, "seat-7");
    assert_null(strstr(hidden, "seat-7"));
    session_watch_slip(w, &o->slip[0], &slip);
    assert_true(slip.typed == SESSION_TYPED && slip.explain && slip.question);
    assert_string_equal(slip.answer[0], "24.5");
    assert_non_null(slip.arithmetic);
    assert_non_null(strstr(slip.arithmetic, "÷ 8"));
    assert_non_null(slip.figure);
    session_slip_free(&slip);
    hand_in(f, &s, 20, "mistake", "no-grads"); /* what changes is seen */
    be_at(f, 21, 2, true);
    assert_true(session_watch_look(w, &m));
    o = session_watch_overview(w);
    assert_true(o->slip[0].made == 12 && o->hands == 2);
    assert_true(session_watch_nudge(w, (int)o->hand[0].seat, "look at the front", &m));
    assert_true(classroom_board_read(f, &board, &m));
    assert_string_equal(board.nudge[0].text, "look at the front");
    const struct classroom_seat *asked = &session_watch_sight(w)->seat[o->hand[0].seat];
    assert_true(classroom_nudge_is_to(&board.nudge[0], asked->handin));
    assert_null(strstr(board.nudge[0].to, asked->account)); /* learners can read the board */
    assert_null(strstr(board.nudge[0].to, asked->handin));
    session_watch_close(w);
    classroom_close(f);
    free(shown);
    free(hidden);
    free(path);
}

/* The words of the option, which the learner's file may have as anything. */
static void a_choice_is_shown_in_words(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct session_slip slip;
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    const struct crowd_answer a = {
        "1.1/pick",
        "{\"choices\":[{\"text\":\"the moments\"},{\"text\":\"the **grads**\\u001b[2J\"}]}", "2",
        "wrong", ""};
    assert_true(crowd_hand_in(f, &s, 0, &a, 1));
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    session_watch_slip(w, &session_watch_overview(w)->slip[0], &slip);
    assert_int_equal(slip.typed, 1);
    assert_string_equal(slip.answer[0], "2: the grads[2J");
    session_slip_free(&slip);
    session_watch_close(w);
    classroom_close(f);
    free(path);
}

static void a_step_is_open_for_all(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_board board;
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    assert_true(session_watch_steps(w, "1.1") > 2);
    assert_int_equal(session_watch_steps(w, "9.9"), 0);
    struct session_watch_step step = session_watch_step(w, "1.1", 1);
    assert_true(*step.id);
    assert_string_equal(session_watch_step(w, "1.1", 1000).id, "");
    assert_true(session_watch_open_step(w, "1.1", step.id, &m));
    assert_true(classroom_board_read(f, &board, &m));
    assert_string_equal(board.lesson, "1.1");
    assert_string_equal(board.step, step.id);
    assert_true(session_watch_open_step(w, NULL, NULL, &m));
    assert_true(classroom_board_read(f, &board, &m));
    assert_string_equal(board.lesson, "");
    session_watch_close(w);
    classroom_close(f);
    free(path);
}

/* Two at one keyboard are called as the roster calls them; who is not on it, by the account. */
static void a_pair_has_its_names(void **state) {
    static const char roster[] = "seat-0, Ada Lovelace\nseat-1, \"Bob \"\"B\"\" Lee\"\n";
    static const struct {
        const char *with, *name;
    } rows[] = {{"seat-1", "Ada Lovelace and Bob \"B\" Lee"}, {"eve", "Ada Lovelace and eve"}};
    struct classroom_settings s;
    struct base_message m = {0};
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    assert_true(
        classroom_write(f, CLASSROOM_TOP, CLASSROOM_ROSTER, 0600, roster, strlen(roster), &m));
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_presence p = {.lesson = "1.1", .number = 1, .of = 12};
        snprintf(p.with, sizeof p.with, "%s", rows[i].with);
        assert_true(crowd_be_at(f, 0, &p, time(NULL)));
        struct session_watch *w = session_watch_open(path, &m);
        assert_non_null(w);
        assert_int_equal(session_watch_sight(w)->seats, i + 1); /* a partner has no other seat */
        char *shown = session_watch_name(w, 0, true), *hidden = session_watch_name(w, 0, false);
        assert_string_equal(shown, rows[i].name);
        assert_string_equal(hidden, "seat 1, two people");
        free(hidden);
        free(shown);
        session_watch_close(w);
    }
    classroom_close(f);
    free(path);
}

static void one_learner_gets_more_time(void **state) {
    struct classroom_settings s, now;
    struct base_message m = {0};
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    be_at(f, 3, 1, false);
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    assert_int_equal(session_watch_extra(w, 0), 0);
    assert_int_equal(session_watch_extend(w, 0, 10, &m), 10);
    assert_true(session_watch_look(w, &m));
    assert_int_equal(session_watch_extend(w, 0, 5, &m), 15);
    assert_true(classroom_settings_read(f, &now, &m));
    assert_int_equal(classroom_due(&now, "seat-3", "1.1"), s.ends + 15 * 60);
    assert_int_equal(classroom_due(&now, "seat-4", "1.1"), s.ends);
    assert_int_equal(now.lesson[0].minutes, s.lesson[0].minutes); /* the course's are not written */
    assert_true(session_watch_look(w, &m));
    assert_int_equal(session_watch_extend(w, 0, -60, &m), 0);
    assert_true(classroom_settings_read(f, &now, &m));
    assert_int_equal(now.extensions, 0);
    session_watch_close(w);
    classroom_close(f);
    free(path);
}

static void the_line_of_labs_is_seen(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    const struct classroom_placed *place;
    const struct classroom_wish wish = {
        .kind = CLASSROOM_CPU, .slots = 1, .ranks = 1, .minutes = 1, .lab = "stage-ladder"};
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    assert_int_equal(session_watch_line(w, &place), 0);
    struct classroom_wait *wait = classroom_wait_begin(path, &s, &wish, &m);
    assert_non_null(wait);
    while (!classroom_wait_look(wait)) continue;
    assert_true(session_watch_look(w, &m));
    assert_int_equal(session_watch_line(w, &place), 1);
    assert_string_equal(place[0].ticket->wish.lab, "stage-ladder");
    assert_int_equal(place[0].turn->stand, CLASSROOM_RUNNING);
    char *hidden = session_watch_whose(w, place[0].ticket, false);
    assert_string_equal(hidden, "somebody");
    free(hidden);
    classroom_wait_end(wait);
    session_watch_close(w);
    classroom_close(f);
    free(path);
}

/* Only those with a nickname are in the table, by that name; and by no other learner's. */
static void the_table_of_the_challenge_has_those_who_opted_in(void **state) {
    static const char round[] = "{\"v\":1,\"ms\":60000,\"asked\":12,\"right\":%d}";
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_races read;
    char *path;
    struct classroom_folder *f = open_class(state, &s, &path);
    static const char *const nicknames[] = {"fox", NULL, "Seat-1", "\\u001b[31mowl"};
    for (int i = 0; i < 4; i++) {
        char *name = base_format("{\"nickname\":\"%s\"}", nicknames[i] ? nicknames[i] : ""),
             *first = base_format(round, 3), *best = base_format(round, 4 + i);
        const struct crowd_answer a[] = {{"speed/all", first, "", "noted", ""},
                                         {"speed/all", best, "", "noted", ""},
                                         {CLASSROOM_NICKNAME, name, "", "noted", ""}};
        assert_true(crowd_hand_in(f, &s, i, a, nicknames[i] ? 3 : 2));
        free(best), free(first), free(name);
    }
    struct session_watch *w = session_watch_open(path, &m);
    assert_non_null(w);
    assert_true(classroom_races_read(f, &read, &m));
    assert_int_equal(read.count, 2);
    assert_string_equal(read.race[0].nickname, "[31mowl");
    assert_int_equal(read.race[0].best - read.race[0].first, 4);
    assert_string_equal(read.race[1].nickname, "fox");
    classroom_races_free(&read);
    const struct crowd_answer same[] = {
        {"speed/all", "{\"v\":1,\"ms\":60000,\"asked\":9,\"right\":9}", "", "noted", ""},
        {CLASSROOM_NICKNAME, "{\"nickname\":\"FOX\"}", "", "noted", ""}};
    assert_true(crowd_hand_in(f, &s, 7, same, 2));
    assert_true(session_watch_look(w, &m));
    assert_true(classroom_races_read(f, &read, &m));
    assert_int_equal(read.count, 2); /* taken */
    classroom_races_free(&read);
    const struct crowd_answer gone = {CLASSROOM_NICKNAME, "{\"nickname\":\"\"}", "", "noted", ""};
    assert_true(crowd_hand_in(f, &s, 0, &gone, 1));
    assert_true(session_watch_look(w, &m));
    assert_true(classroom_races_read(f, &read, &m));
    assert_int_equal(read.count, 2); /* and given up */
    classroom_races_free(&read);
    session_watch_close(w);
    classroom_close(f);
    free(path);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(the_teacher_sees_forty),
        AT_SCHOOL(a_choice_is_shown_in_words),
        AT_SCHOOL(a_step_is_open_for_all),
        AT_SCHOOL(a_pair_has_its_names),
        AT_SCHOOL(one_learner_gets_more_time),
        AT_SCHOOL(the_line_of_labs_is_seen),
        AT_SCHOOL(the_table_of_the_challenge_has_those_who_opted_in),
    };
    return cmocka_run_group_tests_name("watching", tests, NULL, NULL);
}
