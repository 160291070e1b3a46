/* What a teacher asks a class of learners at the front, and what their files say to it. */
#include "session/classes.h"
#include "session/pupil.h"

#include <string.h>

#define GUESS "tests/session/lessons/guess.lua"
#define FIRST "tests/session/lessons/first.lua"

struct hall {
    char *path;
    struct classroom_settings s;
    struct classroom_folder *f;
    struct session_asking *a;
};

static struct hall open_hall(void **state) {
    struct hall h = {.path = classes_make(state, "class", &h.s)};
    struct base_message m = {0};
    unsetenv("ZEROTUTOR_NOW");
    setenv("ZEROTUTOR_TICKS", "0", 1);
    h.s.synchronised = true; /* whoever writes the files here is one account */
    classes_write(h.path, &h.s);
    h.f = classroom_open(h.path, &m);
    h.a = session_asking_open(h.path, &m);
    if (!h.a) fail_msg("%s", m.what);
    return h;
}

static void close_hall(struct hall *h) {
    session_asking_close(h->a);
    classroom_close(h->f);
    free(h->path);
    unsetenv("ZEROTUTOR_TICKS");
}

static struct classroom_board board_of(const struct hall *h) {
    struct base_message m = {0};
    struct classroom_board b;
    assert_true(classroom_board_read(h->f, &b, &m));
    return b;
}

static void name_of(int i, char out[CLASSROOM_NAME]) {
    snprintf(out, CLASSROOM_NAME, "%032x", i + 1);
}

/* File `i` says that this account chose. */
static void choose(const struct hall *h, int i, const char *account, const char *vote, int round,
                   int choice) {
    struct base_message m = {0};
    struct classroom_presence p = {.round = round, .choice = choice};
    char name[CLASSROOM_NAME];
    name_of(i, name);
    snprintf(p.account, sizeof p.account, "%s", account);
    snprintf(p.vote, sizeof p.vote, "%s", vote);
    assert_true(classroom_presence_write(h->f, name, &p, &m));
}

static void leave(const struct hall *h, int i) {
    char name[CLASSROOM_NAME];
    name_of(i, name);
    classroom_presence_remove(h->f, name);
}

static void look(const struct hall *h) {
    struct base_message m = {0};
    if (!session_asking_look(h->a, &m)) fail_msg("%s", m.what);
}

static void a_vote_has_two_rounds_and_an_end(void **state) {
    struct hall h = open_hall(state);
    struct base_message m = {0};
    struct session_bars bars;
    struct session_slides *all = session_slides_open(GUESS, &m);
    assert_non_null(all);
    const struct session_slide *s = session_slides_at(all, 0);
    assert_false(session_asking_bars(h.a, s, &bars));
    assert_true(session_asking_vote(h.a, s, &m));
    struct classroom_board b = board_of(&h);
    const char *id = b.vote.id;
    assert_string_equal(b.vote.question, "How much is it?");
    assert_true(b.vote.options == 3 && b.vote.round == CLASSROOM_ALONE);
    assert_int_equal(b.vote.right, 0); /* learners can read it */
    choose(&h, 0, "ada", id, 1, 1);
    choose(&h, 1, "bob", id, 1, 3);
    choose(&h, 2, "bob", id, 1, 3);      /* another file of the same account */
    choose(&h, 3, "eve", id, 1, 4);      /* no such option */
    choose(&h, 4, "fay", "other", 1, 2); /* another vote */
    choose(&h, 5, "gil", id, 2, 2);      /* a round that has not begun */
    look(&h);
    leave(&h, 0); /* who left has voted */
    leave(&h, 2);
    look(&h);
    assert_true(session_asking_bars(h.a, s, &bars));
    assert_true(bars.count[0][0] == 1 && bars.count[0][1] == 0 && bars.count[0][2] == 1);
    assert_true(bars.of[0][0] == 2 && bars.of[1][0] == 0 && bars.right == 0);
    assert_int_equal(session_asking_voted(h.a), 2);
    assert_int_equal(session_asking_asked(h.a), 5); /* ada is gone */
    assert_true(session_asking_vote(h.a, s, &m));
    b = board_of(&h);
    assert_true(b.vote.round == CLASSROOM_TALKED && b.vote.right == 0);
    look(&h);
    assert_int_equal(session_asking_voted(h.a), 1); /* gil; the others said it of the first */
    choose(&h, 1, "bob", id, 2, 3);
    assert_true(session_asking_vote(h.a, s, &m)); /* the last ones are counted at the end */
    b = board_of(&h);
    assert_true(b.vote.round == CLASSROOM_SHOWN && b.vote.right == 3);
    assert_int_equal(session_asking_round(h.a, s), 0);
    assert_true(session_asking_bars(h.a, s, &bars));
    assert_true(bars.count[0][2] == 1 && bars.count[1][1] == 1 && bars.count[1][2] == 1);
    assert_true(session_asking_end(h.a, false, &m));
    b = board_of(&h);
    assert_string_equal(b.vote.id, "");
    session_asking_close(h.a);
    h.a = session_asking_open(h.path, &m); /* they were kept */
    assert_true(session_asking_bars(h.a, s, &bars) && bars.count[0][0] == 1);
    session_slides_close(all);
    close_hall(&h);
}

static void a_line_of_the_teacher_stays(void **state) {
    struct hall h = open_hall(state);
    struct base_message m = {0};
    struct session_slides *all = session_slides_open(GUESS, &m);
    struct session_watch *w = session_watch_open(h.path, &m);
    assert_true(session_asking_vote(h.a, session_slides_at(all, 0), &m));
    assert_true(session_watch_nudge(w, -1, "look at the front", &m));
    struct classroom_board b = board_of(&h);
    assert_true(b.nudges == 1 && *b.vote.id);
    assert_true(session_asking_vote(h.a, session_slides_at(all, 0), &m));
    assert_int_equal(board_of(&h).nudges, 1);
    session_watch_close(w);
    session_slides_close(all);
    close_hall(&h);
    h.a = NULL;
}

/* One more row of a hand-in that has `rows` already. */
static void answer_in(const struct hall *h, int i, int rows, const char *item, int64_t time,
                      const char *line, int try, double value, const char *verdict,
                      const char *mistake) {
    struct base_message m = {0};
    char name[CLASSROOM_NAME], account[CLASSROOM_WORD];
    name_of(i, name);
    snprintf(account, sizeof account, "seat-%d", i);
    char *file = base_format("%s" CLASSROOM_HANDIN_END, name);
    const struct classroom_handin_head head = {.class = h->s.id,
                                               .account = account,
                                               .with = "",
                                               .course = "",
                                               .version = BASE_VERSION,
                                               .seed = classroom_seed(&h->s, account)};
    json_t *columns = json_pack("[ssssssss]", "id", "time", "item", "line", "try", "value",
                                "verdict", "mistake"),
           *row = json_pack("[iIssifss]", rows + 1, (json_int_t)time, item, line, try, value,
                            verdict, mistake);
    struct classroom_writing *w = classroom_handin_begin(h->f, file, &head, columns, &m);
    assert_non_null(w);
    assert_int_equal(classroom_handin_rows(w), rows);
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17));
    classroom_handin_add(w, text, strlen(text), 20779);
    assert_true(classroom_handin_end(w, &m));
    free(text);
    json_decref(row);
    json_decref(columns);
    free(file);
}

static void answer(const struct hall *h, int i, int rows, const char *item, int64_t time,
                   double value, const char *verdict, const char *mistake) {
    answer_in(h, i, rows, item, time, "", 1, value, verdict, mistake);
}

static void ticks(int64_t ms) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    setenv("ZEROTUTOR_TICKS", text, 1);
}

static void exit_questions_are_those_that_most_missed(void **state) {
    struct hall h = open_hall(state);
    struct base_message m = {0};
    struct session_bars bars;
    int64_t now = base_now();
    assert_false(session_asking_exit_bars(h.a, &bars));
    assert_false(session_asking_exit(h.a, &m)); /* no mistake yet */
    assert_non_null(strstr(m.what, "missed no problem"));
    answer(&h, 0, 0, "1.1/ddp-7b", now - 100, 1, "mistake", "no-grads");
    answer(&h, 1, 0, "1.1/ddp-7b", now - 100, 1, "right", "");
    answer(&h, 1, 1, "1.1/which", now - 90, 1, "wrong", "");
    answer(&h, 2, 0, "1.1/ddp-7b", now - 100, 1, "wrong", "");
    answer(&h, 2, 1, "1.1/ddp-7b", now - 80, 1, "right", ""); /* the second does not count */
    answer(&h, 2, 2, "9.9/no-such", now - 70, 1, "wrong", "");
    answer(&h, 2, 3, "1.1/two-bytes", now - 70, 1, "wrong", ""); /* no problem */
    look(&h);
    if (!session_asking_exit(h.a, &m)) fail_msg("%s", m.what);
    struct classroom_board b = board_of(&h);
    assert_int_equal(b.exit.items, 2);
    assert_string_equal(b.exit.item[0], "1.1/ddp-7b");
    assert_string_equal(b.exit.item[1], "1.1/which");
    assert_true(session_asking_exits(h.a) && session_asking_exit_bars(h.a, &bars));
    assert_true(bars.count[0][0] == 1 && bars.of[0][0] == 3 && bars.of[1][0] == 0);
    answer_in(&h, 0, 1, "1.1/ddp-7b", b.exit.at + 4, LESSON_FRESH_LINE, 3, 1, "noted", "");
    answer_in(&h, 0, 2, "1.1/ddp-7b", b.exit.at + 5, "", 2, 1, "wrong", ""); /* in the lesson */
    answer_in(&h, 0, 3, "1.1/ddp-7b", b.exit.at + 6, "", 3, 1, "right", "");
    answer_in(&h, 1, 2, "1.1/ddp-7b", b.exit.at + 4, LESSON_FRESH_LINE, 3, 1, "noted", "");
    answer_in(&h, 1, 3, "1.1/ddp-7b", b.exit.at + 5, "", 3, 1, "wrong", "");
    answer_in(&h, 2, 4, "1.1/ddp-7b", b.exit.at + 5, "", 3, 1, "wrong", ""); /* in the lesson */
    assert_true(session_asking_exit_bars(h.a, &bars) && bars.of[1][0] == 0); /* not read yet */
    ticks(3000);
    assert_true(session_asking_exit_bars(h.a, &bars));
    assert_true(bars.count[1][0] == 1 && bars.of[1][0] == 2 && bars.of[1][1] == 0);
    assert_true(session_asking_exit_end(h.a, &m) && !*board_of(&h).exit.id);
    assert_true(session_asking_exit_bars(h.a, &bars) && bars.count[1][0] == 1);
    close_hall(&h);
}

static void guesses_are_compared_with_the_first_ones(void **state) {
    struct hall h = open_hall(state);
    struct base_message m = {0};
    struct session_bars bars;
    struct session_slides *all = session_slides_open(GUESS, &m);
    const struct session_slide *s = session_slides_guess(all);
    assert_non_null(s);
    assert_false(session_asking_guesses(h.a, all, &bars));
    answer(&h, 0, 0, s->item, 100, 1, "noted", "");
    answer(&h, 0, 1, s->item, 200, 3, "noted", "");
    answer(&h, 1, 0, s->item, 100, 2, "noted", "");
    answer(&h, 2, 0, s->item, 100, 7, "noted", ""); /* no such option */
    ticks(3000);
    assert_true(session_asking_guesses(h.a, all, &bars));
    assert_true(bars.count[0][0] == 1 && bars.count[0][1] == 1 && bars.count[0][2] == 0);
    assert_true(bars.count[1][2] == 1 && bars.of[1][0] == 1 && bars.right == 3);
    assert_true(session_asking_vote(h.a, session_slides_again(all), &m));
    assert_true(session_asking_guesses(h.a, all, &bars) && bars.count[1][2] == 1); /* no vote yet */
    struct classroom_board b = board_of(&h);
    choose(&h, 0, "seat-0", b.vote.id, 1, 2);
    choose(&h, 1, "seat-1", b.vote.id, 1, 2);
    look(&h);
    assert_true(session_asking_guesses(h.a, all, &bars));
    assert_true(bars.count[1][1] == 2 && bars.count[1][2] == 0 && bars.of[1][2] == 2);
    assert_false(session_asking_bars(h.a, s, &bars)); /* the first slide was not voted on */
    session_slides_close(all);
    close_hall(&h);
}

/* Only what was guessed before the answer was seen is a guess: who made it in the lesson does not
 * count in a vote on it, and who makes it there after the vote does not count as the first. */
static void who_has_seen_the_answer_does_not_guess(void **state) {
    struct hall h = open_hall(state);
    struct base_message m = {0};
    struct session_bars bars;
    struct session_slides *all = session_slides_open(GUESS, &m);
    const struct session_slide *s = session_slides_guess(all);
    int64_t now = base_now();
    answer(&h, 0, 0, s->item, now - 100, 1, "noted", ""); /* and saw the answer */
    look(&h);
    assert_true(session_asking_vote(h.a, s, &m));
    struct classroom_board b = board_of(&h);
    choose(&h, 0, "seat-0", b.vote.id, 1, 3);
    choose(&h, 1, "seat-1", b.vote.id, 1, 2);
    look(&h);
    assert_int_equal(session_asking_knowing(h.a), 1);
    assert_int_equal(session_asking_voted(h.a), 1);
    assert_int_equal(session_asking_asked(h.a), 1);
    assert_true(session_asking_bars(h.a, s, &bars));
    assert_true(bars.count[0][1] == 1 && bars.count[0][2] == 0);
    answer(&h, 1, 0, s->item, now + 100, 3, "noted", "");
    answer(&h, 2, 0, s->item, now + 100, 3, "noted", "");
    ticks(3000);
    assert_true(session_asking_guesses(h.a, all, &bars));
    assert_true(bars.count[0][0] == 1 && bars.count[0][1] == 1 && bars.count[0][2] == 0);
    assert_int_equal(bars.of[0][0], 2);
    assert_true(session_asking_vote(h.a, session_slides_again(all), &m));
    assert_int_equal(session_asking_knowing(h.a), 0); /* all may vote again */
    session_slides_close(all);
    close_hall(&h);
}

/* The learner's side: as the board says, with numbers of another try. */
static void a_learner_answers_them_as_problems(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "class", &s);
    struct classroom_folder *f = classroom_open(path, &m);
    struct classroom_board b = {
        .exit = {"e1", 3, {"1.1/ddp-7b", "1.1/no-such", "../../etc/passwd"}, 7}};
    assert_true(session_class_join(path, NULL, &in, &m));
    struct learner *who = open_learner();
    assert_false(session_class_exits(who));
    assert_null(session_open(who, LEARNER_EXIT, &m)); /* none are asked */
    assert_non_null(strstr(m.what, "no exit questions"));
    assert_true(classroom_board_write(f, &b, &m));
    session_class_look(who);
    assert_true(session_class_exits(who));
    struct session *lesson = sit(who, "1.1");
    pass(lesson, LESSON_DO_GOTO, "ddp-7b");
    pass(lesson, LESSON_DO_ANSWER, "14");  /* now its second try is open, unanswered */
    assert_true(session_class_exits(who)); /* that was in the lesson */
    struct session *it = session_open(who, LEARNER_EXIT, &m);
    if (!it) fail_msg("%s", m.what);
    free(read_events(it));
    assert_false(session_class_exits(who)); /* opened */
    assert_string_equal(lesson_asked(session_dialogue(it))->unit, "GB");
    session_do(it, &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = "14"});
    free(read_events(it));
    session_close(it);
    session_close(lesson);
    char *name = base_format("%s" CLASSROOM_HANDIN_END, in.handin);
    struct classroom_handin h;
    assert_true(classroom_handin_read(f, CLASSROOM_HANDINS, name, &s, &h, &m));
    static const struct {
        int try;
        const char *line;
    } rows[] = {{1, ""}, {2, "passed"}, {3, LESSON_FRESH_LINE}, {3, ""}};
    assert_int_equal(h.answers, BASE_COUNT(rows));
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const json_t *row = h.answer[i].row;
        assert_int_equal(
            json_integer_value(json_array_get(row, classroom_handin_column(&h, "try"))),
            rows[i].try);
        assert_string_equal(
            json_string_value(json_array_get(row, classroom_handin_column(&h, "line"))),
            rows[i].line);
        assert_string_equal(
            json_string_value(json_array_get(row, classroom_handin_column(&h, "item"))),
            "1.1/ddp-7b");
    }
    classroom_handin_free(&h);
    assert_false(session_class_exits(who)); /* answered */
    session_learner_close(who);
    classroom_close(f);
    free(name);
    free(path);
}

static struct classroom_presence presence_in(const struct classroom_folder *f,
                                             const struct session_class *in) {
    struct classroom_presence now;
    assert_true(classroom_presence_read(f, in->handin, &in->settings, &now, NULL));
    return now;
}

/* Whoever leaves them can open those that are left again. A sheet that was half filled in the
 * lesson begins with other numbers, and the learner is then where the lesson was left. */
static void exit_questions_can_be_opened_again(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    char *path = classes_join(state, "class", &s, &in);
    struct classroom_folder *f = classroom_open(path, &m);
    struct classroom_board b = {
        .exit = {"e1", 2, {"1.1/sheet-7b", "1.1/ddp-7b"}, CLASSES_NOON + 60},
        .lesson = "1.1",
        .step = "deck"};
    struct session_open_step open;
    assert_true(classroom_board_write(f, &b, &m));
    struct learner *who = open_learner();
    struct session *lesson = sit(who, "1.1");
    pass(lesson, LESSON_DO_GOTO, "sheet-7b");
    pass(lesson, LESSON_DO_ANSWER, "1"); /* its first line */
    classes_clock(CLASSES_NOON + 61);
    assert_true(session_raise_hand(who, true, &m));
    assert_true(session_class_open_step(who, &open));
    struct session *it = sit(who, LEARNER_EXIT);
    free(read_events(it));
    assert_false(session_class_open_step(who, &open)); /* nobody is called away from these */
    const struct lesson_ask *ask = lesson_asked(session_dialogue(it));
    assert_string_equal(ask->sheet[ask->line].id, "moments"); /* and not the next line */
    pass(it, LESSON_DO_GOTO, "1.1/ddp-7b");
    pass(it, LESSON_DO_ANSWER, "14");
    assert_string_equal(presence_in(f, &in).lesson, LEARNER_EXIT);
    session_close(it);
    assert_string_equal(presence_in(f, &in).lesson, "1.1");
    assert_string_equal(presence_in(f, &in).step, "sheet-7b");
    assert_true(session_class_open_step(who, &open));
    assert_true(presence_in(f, &in).hand && session_hand(who)); /* it was raised all the time */
    assert_true(session_class_exits(who));                      /* the sheet is left */
    it = sit(who, LEARNER_EXIT);
    free(read_events(it));
    assert_int_equal(lesson_steps(session_lesson(it)), 2); /* with the last page */
    session_close(it);
    session_close(lesson);
    session_learner_close(who);
    classroom_close(f);
    free(path);
}

/* A ledger has the lines that are given before its answer is shown, as on a learner's screen. */
static void a_ledgers_slide_shows_what_is_given(void **state) {
    struct base_message m = {0};
    (void)state;
    struct session_slides *all = session_slides_open("1.1", &m);
    if (!all) fail_msg("%s", m.what);
    size_t ledgers = 0;
    for (size_t i = 0; i < session_slides_count(all); i++) {
        const struct session_slide *s = session_slides_at(all, i);
        if (!s->given) continue;
        ledgers++;
        assert_non_null(s->answer);
        assert_non_null(strchr(s->given, '?'));
        assert_null(strchr(s->answer, '?'));
        assert_true(strlen(s->given) < strlen(s->answer));
    }
    assert_true(ledgers > 0);
    session_slides_close(all);
}

/* What a lesson's steps become. */
static void slides_are_made_of_steps(void **state) {
    struct base_message m = {0};
    (void)state;
    assert_null(session_slides_open("9.9", &m));
    assert_non_null(strstr(m.what, "unknown lesson '9.9'"));
    struct session_slides *all = session_slides_open(FIRST, &m);
    assert_non_null(all);
    assert_int_equal(session_slides_count(all), 6); /* without the cards */
    const struct session_slide *said = session_slides_at(all, 0),
                               *number = session_slides_at(all, 1),
                               *which = session_slides_at(all, 3),
                               *move = session_slides_at(all, 4);
    assert_string_equal(said->text, "A parameter in bf16 takes **two bytes**."); /* one sentence */
    assert_true(!said->answer && !said->options && !said->figure);
    assert_string_equal(number->text, "How many GB for 7B parameters?");
    assert_non_null(strstr(number->answer, "112 GB"));
    assert_null(strstr(number->text, "112"));
    assert_true(which->options == 2 && which->right == 1 && !which->guess);
    assert_string_equal(which->question, "Which is larger?");
    assert_string_equal(which->answer, "8 bytes a parameter");
    assert_non_null(move->figure);
    assert_null(session_slides_guess(all));
    session_slides_close(all);
    all = session_slides_open("tests/session/lessons/lab.lua", &m);
    assert_non_null(all);
    size_t n = session_slides_count(all);
    assert_true(n > 6);                                       /* the ring's frames */
    assert_true(session_slides_at(all, n - 2)->options >= 2); /* what the lab asks */
    for (size_t i = 0; i + 3 < n; i++) assert_non_null(session_slides_at(all, i)->figure);
    session_slides_close(all);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(slides_are_made_of_steps),
        AT_SCHOOL(a_ledgers_slide_shows_what_is_given),
        AT_SCHOOL(a_vote_has_two_rounds_and_an_end),
        AT_SCHOOL(a_line_of_the_teacher_stays),
        AT_SCHOOL(exit_questions_can_be_opened_again),
        AT_SCHOOL(exit_questions_are_those_that_most_missed),
        AT_SCHOOL(guesses_are_compared_with_the_first_ones),
        AT_SCHOOL(who_has_seen_the_answer_does_not_guess),
        AT_SCHOOL(a_learner_answers_them_as_problems),
    };
    return cmocka_run_group_tests_name("asking", tests, NULL, NULL);
}
