/* What the teacher says to the room: written, read, and taken with care. */
#include "classroom/room.h"

#include <string.h>

#define HEAD "{\"zerotutor\":\"board\",\"format\":1,"

static void it_comes_back_as_it_was_written(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_board b = {.lesson = "1.3", .step = "ladder"}, back;
    struct classroom_folder *f = room_open(state, &s);
    b.vote = (struct classroom_vote){.id = "v1",
                                     .question = "Which part?",
                                     .options = 3,
                                     .option = {"moments", "master", "grads"},
                                     .round = CLASSROOM_TALKED,
                                     .right = 3};
    b.exit = (struct classroom_exit){"e1", 2, {"1.3/one-stage", "1.1/in-gib"}, 1002};
    assert_true(classroom_board_read(f, &back, &m)); /* none yet */
    assert_true(back.nudges == 0 && !*back.vote.id && !*back.lesson && !*m.what);
    assert_true(classroom_board_nudge(&b, "", "look at the front", 1000, &m));
    assert_true(classroom_board_nudge(&b, "ruth", "try the ladder", 1001, &m));
    for (enum classroom_round r = CLASSROOM_ALONE; r <= CLASSROOM_SHOWN; r++) {
        b.vote.round = r;
        assert_true(classroom_board_write(f, &b, &m));
        assert_true(classroom_board_read(f, &back, &m));
        assert_memory_equal(&back, &b, sizeof b);
    }
    assert_string_equal(classroom_board_nudge_to(&back, "ruth")->text, "try the ladder");
    assert_string_equal(classroom_board_nudge_to(&back, "bob")->text, "look at the front");
    assert_null(
        strstr(back.nudge[1].to, "ruth")); /* others read the board; a digest has only 0–9, a–f */
    classroom_close(f);
}

static void a_full_board_drops_the_oldest(void **state) {
    struct classroom_board b = {.nudges = 0};
    struct base_message m;
    (void)state;
    assert_null(classroom_board_nudge_to(&b, "ada"));
    assert_false(classroom_board_nudge(&b, "", "  \n ", 0, &m));
    for (int i = 0; i <= CLASSROOM_NUDGES; i++)
        assert_true(classroom_board_nudge(&b, "", "line\twith\ttabs", i, &m));
    assert_int_equal(b.nudges, CLASSROOM_NUDGES);
    assert_int_equal(b.nudge[0].at, 1);
    assert_int_equal(b.nudge[CLASSROOM_NUDGES - 1].at, CLASSROOM_NUDGES);
    assert_string_equal(b.nudge[0].text, "line with tabs");
}

/* What a board may hold, and what makes it unusable: then nothing of it is taken. */
static void each_board_is_taken_or_refused(void **state) {
    static const struct {
        const char *text;
        /* in the message; NULL: it is taken */
        const char *says;
    } rows[] = {
        {HEAD "\"nudges\":[],\"open\":null,\"vote\":null}", NULL},
        {HEAD "\"more\":{\"of\":\"a later version\"}}", NULL},
        {HEAD "\"nudges\":[{\"id\":\"a\",\"to\":\"\",\"text\":\"\\u001b[2Jhey\",\"at\":1}]}", NULL},
        {"", "board.json"},
        {"[]", "not a board"},
        {"{\"zerotutor\":\"now\"}", "not a board"},
        {"{\"zerotutor\":\"board\",\"format\":2}", "newer"},
        {HEAD "\"nudges\":[{\"text\":\"no id\"}]}", "nudges"},
        {HEAD "\"nudges\":[{\"id\":\"a\",\"text\":7}]}", "nudges"},
        {HEAD "\"open\":{\"lesson\":\"1.1\"}}", "open"},
        {HEAD "\"vote\":{\"id\":\"v\",\"options\":[\"one\"]}}", "vote"},
        {HEAD "\"vote\":{\"options\":[\"one\",\"two\"]}}", "vote"},
        {HEAD "\"vote\":{\"id\":\"v\",\"options\":[\"one\",\"two\"],\"right\":3}}", "vote"},
        {HEAD "\"exit\":{\"id\":\"e\",\"items\":[\"1.1/a\"]}}", NULL},
        {HEAD "\"exit\":{\"items\":[\"1.1/a\"]}}", "exit"},
        {HEAD "\"exit\":{\"id\":\"e\",\"items\":[]}}", "exit"},
        {HEAD "\"exit\":{\"id\":\"e\",\"items\":[\"1.1/a\",7]}}", "exit"},
        {HEAD "\"exit\":{\"id\":\"e\",\"items\":[\"1\",\"2\",\"3\",\"4\"]}}", "exit"},
        {HEAD "\"vote\":{\"id\":\"v\",\"options\":[1,2,3,4,5,6,7,8,9,10]}}", "vote"},
    };
    struct classroom_settings s;
    static const struct classroom_board empty;
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        struct classroom_board b;
        assert_true(classroom_write(f, CLASSROOM_TOP, CLASSROOM_BOARD, 0644, rows[i].text,
                                    strlen(rows[i].text), &m));
        bool taken = classroom_board_read(f, &b, &m);
        assert_int_equal(taken, rows[i].says == NULL);
        for (size_t k = 0; k < b.nudges; k++) assert_null(strchr(b.nudge[k].text, 27));
        if (taken) continue;
        char text[700];
        assert_non_null(strstr(base_message_text(&m, text, sizeof text), rows[i].says));
        assert_memory_equal(&b, &empty, sizeof b);
    }
    classroom_close(f);
}

static void an_enormous_board_is_refused(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_board b;
    struct classroom_folder *f = room_open(state, &s);
    enum { SIZE = 1 << 20 };
    char *text = base_alloc(SIZE);
    memset(text, ' ', SIZE);
    assert_true(classroom_write(f, CLASSROOM_TOP, CLASSROOM_BOARD, 0644, text, SIZE, &m));
    assert_false(classroom_board_read(f, &b, &m));
    assert_true(*m.what);
    free(text);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(it_comes_back_as_it_was_written),
        cmocka_unit_test(a_full_board_drops_the_oldest),
        IN_SCRATCH(each_board_is_taken_or_refused),
        IN_SCRATCH(an_enormous_board_is_refused),
    };
    return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
