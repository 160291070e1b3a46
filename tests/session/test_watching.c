/* A class of forty as its teacher sees it, from files that forty programs wrote. */
#include "session/classes.h"
#include "session/pupil.h"

#include <string.h>

enum { PEOPLE = 40 };
#define PROBLEM                                                                                    \
    "{\"problem\":{\"kind\":\"bytes\",\"training\":{\"params\":7e9,\"gpus\":8,\"stage\":1},"       \
    "\"quantity\":\"model_state\",\"unit\":\"GB\"}}"

static void name_of(int i, char out[CLASSROOM_NAME]) {
    snprintf(out, CLASSROOM_NAME, "%032x", i + 1);
}

static void hand_in(const struct classroom_folder *f, const struct classroom_settings *s, int i,
                    int rows, const char *verdict, const char *mistake) {
    struct base_message m = {0};
    char name[CLASSROOM_NAME], account[CLASSROOM_WORD];
    snprintf(account, sizeof account, "seat-%d", i);
    name_of(i, name);
    char *file = base_format("%s" CLASSROOM_HANDIN_END, name);
    const struct classroom_handin_head head = {.class = s->id,
                                               .account = account,
                                               .with = "",
                                               .course = "",
                                               .version = BASE_VERSION,
                                               .seed = classroom_seed(s, account)};
    json_t *columns = json_pack("[ssssss]", "id", "item", "problem", "typed", "verdict", "mistake");
    struct classroom_writing *w = classroom_handin_begin(f, file, &head, columns, &m);
    assert_non_null(w);
    for (int k = (int)classroom_handin_rows(w); k < rows; k++) {
        json_t *row = json_pack("[isssss]", k + 1, "1.1/ddp-7b", PROBLEM, "24.5", verdict, mistake);
        char *text = json_dumps(row, JSON_COMPACT);
        classroom_handin_add(w, text, strlen(text), 20779);
        free(text);
        json_decref(row);
    }
    assert_true(classroom_handin_end(w, &m));
    json_decref(columns);
    free(file);
}

static void be_at(const struct classroom_folder *f, int i, int number, bool hand) {
    struct base_message m = {0};
    struct classroom_presence p = {
        .lesson = "1.1", .title = "Seven billion", .number = number, .of = 12, .hand = hand};
    char name[CLASSROOM_NAME];
    name_of(i, name);
    snprintf(p.account, sizeof p.account, "seat-%d", i);
    assert_true(classroom_presence_write(f, name, &p, &m));
}

static void the_teacher_sees_forty(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct session_slip slip;
    struct classroom_board board;
    unsetenv("ZEROTUTOR_NOW");
    char *path = classes_make(state, "class", &s);
    s.synchronised = true;
    classes_write(path, &s);
    struct classroom_folder *f = classroom_open(path, &m);
    for (int i = 0; i < PEOPLE; i++) {
        hand_in(f, &s, i, 1, i < 11 ? "mistake" : "right", i < 11 ? "no-grads" : "");
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
    session_slip_free(&slip);
    hand_in(f, &s, 20, 2, "mistake", "no-grads"); /* what changes is seen */
    be_at(f, 21, 2, true);
    assert_true(session_watch_look(w, &m));
    o = session_watch_overview(w);
    assert_true(o->slip[0].made == 12 && o->hands == 2);
    assert_true(session_watch_nudge(w, (int)o->hand[0].seat, "look at the front", &m));
    assert_true(classroom_board_read(f, &board, &m));
    assert_string_equal(board.nudge[0].text, "look at the front");
    assert_true(strncmp(board.nudge[0].to, "seat-", 5) == 0);
    session_watch_close(w);
    classroom_close(f);
    free(shown);
    free(hidden);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_teacher_sees_forty, school_open, school_close),
    };
    return cmocka_run_group_tests_name("watching", tests, NULL, NULL);
}
