/* What a class gets while a lesson is taken: the hand-in, where the learner is, and a raised hand.
 */
#include "session/classes.h"
#include "session/pupil.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A learner who joined. */
struct pupil {
    struct classroom_settings s;
    struct session_class in;
    struct classroom_folder *f;
    char *path;
};

static struct pupil join(void **state) {
    struct pupil p = {0};
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    p.path = classes_make(state, "sys-26", &p.s);
    assert_true(session_class_join(p.path, NULL, &p.in, &m));
    p.f = classroom_open(p.path, &m);
    assert_non_null(p.f);
    return p;
}

static void part(struct pupil *p) {
    classroom_close(p->f);
    free(p->path);
}

static struct classroom_handin read_handin(const struct pupil *p) {
    struct classroom_handin h;
    struct base_message m = {0};
    char *name = base_format("%s" CLASSROOM_HANDIN_END, p->in.handin);
    if (!classroom_handin_read(p->f, CLASSROOM_HANDINS, name, &p->s, &h, &m))
        fail_msg("%s:%d: %s", m.file, m.line, m.what);
    free(name);
    return h;
}

static size_t count_handed(const struct pupil *p) {
    struct classroom_handin h = read_handin(p);
    size_t answers = h.answers;
    classroom_handin_free(&h);
    return answers;
}

static bool collect_row(void *to, json_t *row) {
    if (json_is_array(row)) json_array_append(to, row);
    return true;
}

/* The hand-in has the record's answers, all of them, each once and in order. */
static void assert_handed_all(const struct pupil *p, struct learner *who) {
    struct classroom_handin h = read_handin(p);
    json_t *rows = json_array();
    assert_true(store_rows(session_learner_store(who), "answer", collect_row, rows, NULL));
    assert_int_equal(h.answers, json_array_size(rows));
    for (size_t i = 0; i < h.answers; i++)
        assert_true(json_equal(h.answer[i].row, json_array_get(rows, i)));
    json_decref(rows);
    classroom_handin_free(&h);
}

static struct classroom_presence presence(const struct pupil *p) {
    struct classroom_presence now;
    struct base_message m = {0};
    if (!classroom_presence_read(p->f, p->in.handin, &p->s, &now, &m)) fail_msg("%s", m.what);
    return now;
}

static bool is_present(const struct pupil *p) {
    struct classroom_presence now;
    return classroom_presence_read(p->f, p->in.handin, &p->s, &now, NULL);
}

static void each_answer_is_handed_in(void **state) {
    struct pupil p = join(state);
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    free(read_events(s));
    assert_int_equal(count_handed(&p), 0); /* begun already */
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    assert_int_equal(count_handed(&p), 1);
    pass(s, LESSON_DO_ANSWER, "elephant");
    pass(s, LESSON_DO_ANSWER, "112 GB");
    assert_handed_all(&p, who);
    struct classroom_handin h = read_handin(&p);
    assert_true(h.answers >= 2 && h.head.seed == store_seed(session_learner_store(who)));
    size_t item = classroom_handin_column(&h, "item");
    assert_string_equal(json_string_value(json_array_get(h.answer[0].row, item)), "1.1/ddp-7b");
    assert_int_equal(h.answer[0].day, review_day(CLASSES_NOON, session_learner_rollover(who)));
    classroom_handin_free(&h);
    session_close(s);
    session_learner_close(who);
    part(&p);
}

static void a_file_that_was_removed_is_written_again(void **state) {
    struct pupil p = join(state);
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    char *path = base_format("%s/handins/%s" CLASSROOM_HANDIN_END, p.path, p.in.handin);
    free(read_events(s));
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    pass(s, LESSON_DO_ANSWER, "15");
    assert_int_equal(unlink(path), 0);
    pass(s, LESSON_DO_ANSWER, "16");
    assert_handed_all(&p, who);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* what stands in its place is waited for */
    pass(s, LESSON_DO_ANSWER, "17");
    char *line = session_class_line(who);
    assert_non_null(strstr(line, "waited"));
    assert_int_equal(rmdir(path), 0);
    pass(s, LESSON_DO_ANSWER, "18");
    assert_handed_all(&p, who);
    assert_null(session_class_line(who));
    session_close(s);
    session_learner_close(who);
    free(line), free(path);
    part(&p);
}

static void nothing_from_before_or_after_is_handed_in(void **state) {
    struct base_message m = {0};
    classes_clock(CLASSES_NOON - 7200);
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    assert_null(session_in_class(who));
    assert_false(session_raise_hand(who, true, &m));
    session_close(s);
    session_learner_close(who);
    struct pupil p = join(state);
    who = open_learner();
    assert_non_null(session_in_class(who));
    s = sit(who, "1.1");
    free(read_events(s));
    assert_int_equal(count_handed(&p), 0);
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    assert_int_equal(count_handed(&p), 1);
    classes_clock(CLASSES_NOON + 3600); /* it is over, and the lesson goes on */
    pass(s, LESSON_DO_ANSWER, "15");
    assert_int_equal(count_handed(&p), 1);
    assert_false(is_present(&p));
    assert_false(session_raise_hand(who, true, &m));
    session_close(s);
    session_learner_close(who);
    assert_int_equal(count_handed(&p), 1);
    part(&p);
}

static void a_folder_that_is_away_stops_nobody(void **state) {
    struct pupil p = join(state);
    char *away = scratch_path(state, "away");
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    free(read_events(s));
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    assert_null(session_class_line(who));
    assert_int_equal(rename(p.path, away), 0);
    classes_clock(CLASSES_NOON + 60);
    char *said = act(s, LESSON_DO_ANSWER, "15");
    assert_true(strlen(said) > 0);
    classes_clock(CLASSES_NOON + 120);
    free(act(s, LESSON_DO_ANSWER, "16"));
    char *line = session_class_line(who);
    assert_string_equal(line, "Your hand-in has waited since 10:34.");
    assert_int_equal(rename(away, p.path), 0);
    classroom_close(p.f);
    p.f = classroom_open(p.path, NULL);
    assert_int_equal(count_handed(&p), 1);
    pass(s, LESSON_DO_NEXT, "");
    assert_null(session_class_line(who));
    assert_handed_all(&p, who);
    assert_int_equal(rename(p.path, away), 0);
    pass(s, LESSON_DO_ANSWER, "17");
    session_close(s);
    assert_int_equal(rename(away, p.path), 0);
    session_learner_close(who); /* tried again */
    who = open_learner();
    assert_handed_all(&p, who);
    session_learner_close(who);
    free(line), free(said), free(away);
    part(&p);
}

/* The folder is away until the class is over, however that ended; the learner starts again then. */
static void what_waits_when_the_class_ends_is_handed_in(void **state) {
    for (int closes = 0; closes < 2; closes++) {
        struct pupil p = join(state);
        struct base_message m = {0};
        char *away = scratch_path(state, "away");
        struct learner *who = open_learner();
        struct session *s = sit(who, "1.1");
        free(read_events(s));
        pass(s, LESSON_DO_NEXT, "");
        pass(s, LESSON_DO_ANSWER, "14");
        assert_int_equal(rename(p.path, away), 0);
        pass(s, LESSON_DO_ANSWER, "15");
        classes_clock(CLASSES_NOON + 60);
        pass(s, LESSON_DO_ANSWER, "16"); /* after the closing, if it was closed */
        session_close(s);
        session_learner_close(who);
        assert_int_equal(count_handed(&p), 1);
        assert_int_equal(rename(away, p.path), 0);
        p.s.closed = closes;
        if (closes) p.s.ends = CLASSES_NOON + 30;
        classes_write(p.path, &p.s);
        classes_clock(CLASSES_NOON + 4000);
        session_learner_close(open_learner()); /* in the own record again */
        assert_int_equal(count_handed(&p), 1);
        if (!session_class_hand_in(&m)) fail_msg("%s", m.what);
        assert_int_equal(count_handed(&p), closes ? 2 : 3);
        assert_true(session_class_leave(&m));
        free(away);
        part(&p);
        school_close(state);
        school_open(state);
    }
}

static void a_second_name_that_changes_shows(void **state) {
    static const char *const with[] = {"", "bob", "bob", "", "eve", "bob", "bo"};
    struct pupil p = join(state);
    struct base_message m = {0};
    for (size_t i = 0; i < BASE_COUNT(with); i++) {
        assert_true(session_class_join(p.path, with[i], &p.in, &m));
        struct learner *who = open_learner();
        struct session *s = sit(who, "1.1");
        free(read_events(s));
        pass(s, LESSON_DO_GOTO, "ddp-7b");
        pass(s, LESSON_DO_ANSWER, "14");
        assert_handed_all(&p, who);
        session_close(s);
        session_learner_close(who);
    }
    struct classroom_handin h = read_handin(&p);
    assert_int_equal(h.answers, BASE_COUNT(with));
    assert_string_equal(h.with, "bob, eve, bo");
    classroom_handin_free(&h);
    part(&p);
}

static void where_the_learner_is_follows_the_steps(void **state) {
    struct pupil p = join(state);
    struct learner *who = open_learner();
    struct base_message m = {0};
    assert_false(is_present(&p));
    struct session *s = sit(who, "1.1");
    free(read_events(s));
    struct classroom_presence now = presence(&p);
    assert_string_equal(now.account, p.in.account);
    assert_string_equal(now.lesson, "1.1");
    assert_string_equal(now.step, "two-bytes");
    assert_string_equal(now.title, "Two bytes");
    assert_string_equal(now.item, "");
    assert_true(now.number == 1 && now.of == (int)lesson_steps(session_lesson(s)) - 1);
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "112000 GB");
    pass(s, LESSON_DO_ANSWER, "14");
    now = presence(&p);
    assert_string_equal(now.item, "1.1/ddp-7b");
    assert_true(now.number == 2 && now.tries == 2 && *now.mistake && !now.hand);
    assert_true(session_raise_hand(who, true, &m) && session_hand(who));
    assert_true(presence(&p).hand && presence(&p).tries == 2);
    char *line = session_class_line(who);
    assert_string_equal(line, "Your hand is raised.");
    assert_true(session_raise_hand(who, false, &m) && !presence(&p).hand);
    assert_true(session_raise_hand(who, true, &m));
    pass(s, LESSON_DO_NEXT, ""); /* another step: it stays up */
    assert_true(presence(&p).hand && presence(&p).tries == 0);
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_LEAVE});
    session_event(s); /* as the full screen leaves: it reads no further */
    session_close(s);
    now = presence(&p);
    assert_true(!now.hand && !*now.lesson && !session_hand(who));
    session_learner_close(who);
    assert_false(is_present(&p));
    free(line);
    part(&p);
}

static void board_says(const struct pupil *p, const char *vote, enum classroom_round round) {
    struct base_message m = {0};
    struct classroom_board b = {.nudges = 0};
    if (*vote) {
        b.vote = (struct classroom_vote){.question = "Which part?",
                                         .options = 3,
                                         .option = {"moments", "master", "grads"},
                                         .round = round};
        snprintf(b.vote.id, sizeof b.vote.id, "%s", vote);
    }
    assert_true(classroom_board_write(p->f, &b, &m));
}

static void ticks(int seconds) {
    char text[32];
    snprintf(text, sizeof text, "%d", seconds * 1000);
    setenv("ZEROTUTOR_TICKS", text, 1);
}

/* The board is looked at each five seconds, by a clock that the test moves. */
static void a_vote_is_seen_and_answered(void **state) {
    struct pupil p = join(state);
    struct base_message m = {0};
    ticks(100);
    struct learner *who = open_learner();
    assert_int_equal(session_class_wait(who), 0);
    assert_false(session_class_look(who)); /* no board yet */
    board_says(&p, "v1", CLASSROOM_ALONE);
    assert_int_equal(session_class_wait(who), 5000);
    ticks(104);
    assert_int_equal(session_class_wait(who), 1000);
    assert_false(session_class_look(who) || session_class_vote(who)); /* not yet */
    ticks(105);
    assert_true(session_class_look(who));
    assert_string_equal(session_class_vote(who)->question, "Which part?");
    char *asks = session_class_asks(who);
    assert_string_equal(asks, "Your teacher asks: Which part?");
    free(asks);
    assert_false(session_vote(who, 4, &m)); /* there is no such option */
    assert_false(session_vote(who, 0, &m) || is_present(&p));
    assert_true(session_vote(who, 2, &m)); /* no lesson was opened yet */
    struct classroom_presence now = presence(&p);
    assert_true(now.choice == 2 && now.round == 1 && strcmp(now.vote, "v1") == 0);
    assert_null(session_class_asks(who));
    struct session *s = sit(who, "1.1");
    free(read_events(s));
    assert_true(presence(&p).choice == 2 && *presence(&p).lesson); /* a lesson keeps it */
    session_close(s);
    assert_true(presence(&p).choice == 2 && !*presence(&p).lesson);
    board_says(&p, "v1", CLASSROOM_TALKED);
    ticks(120);
    assert_true(session_class_look(who));
    assert_int_equal(session_class_voted(who), 0);
    asks = session_class_asks(who);
    assert_string_equal(asks, "Your teacher asks again, after talking: Which part?");
    free(asks);
    assert_true(session_vote(who, 3, &m) && session_vote(who, 1, &m));
    assert_true(presence(&p).choice == 1 && presence(&p).round == 2);
    board_says(&p, "v1", CLASSROOM_SHOWN);
    ticks(130);
    assert_true(session_class_look(who) && !session_class_asks(who));
    assert_false(session_vote(who, 3, &m));
    board_says(&p, "", CLASSROOM_ALONE);
    ticks(140);
    assert_true(session_class_look(who) && !session_class_vote(who));
    session_learner_close(who);
    unsetenv("ZEROTUTOR_TICKS");
    part(&p);
}

/* A class that is over asks nothing, also of a program that is open. */
static void a_closed_class_asks_nothing(void **state) {
    struct pupil p = join(state);
    struct classroom_board b = {.exit = {"e1", 1, {"1.1/ddp-7b"}, 7}, .lesson = "1.1"};
    struct base_message m = {0};
    snprintf(b.step, sizeof b.step, "%s", "read");
    assert_true(classroom_board_write(p.f, &b, &m));
    ticks(100);
    struct learner *who = open_learner();
    assert_true(session_class_look(who) && session_class_exits(who));
    p.s.closed = true;
    classes_write(p.path, &p.s);
    ticks(106);
    assert_true(session_class_look(who) && !session_class_exits(who)); /* the board still asks */
    assert_false(session_class_open_step(who, &(struct session_open_step){0}));
    assert_int_equal(session_class_wait(who), -1);
    session_learner_close(who);
    unsetenv("ZEROTUTOR_TICKS");
    part(&p);
}

/* The record in use follows the class, also of a program that was started before it began. */
static void a_class_that_begins_and_ends_is_noticed(void **state) {
    struct pupil p = join(state);
    struct base_message m = {0};
    classes_clock(p.s.begins - 1);
    ticks(100);
    struct learner *who = open_learner();
    char *hours = session_class_hours(who);
    assert_true(hours && strncmp(hours, "sys-26 begins at ", 17) == 0);
    assert_false(session_class_look(who) || session_in_class(who) || session_learner_turns(who));
    classes_clock(p.s.begins);
    ticks(105);
    assert_true(session_class_look(who) && session_learner_turns(who));
    assert_int_equal(session_class_wait(who), -1);
    char *line = session_class_line(who);
    assert_string_equal(line, "sys-26 has begun. Leave this, and open it again to take part.");
    free(line);
    assert_true(session_learner_turn(&who, &m) && session_in_class(who));
    assert_int_equal(store_seed(session_learner_store(who)),
                     classroom_seed(&p.in.settings, p.in.account));
    assert_false(session_learner_turns(who));
    p.s.closed = true;
    classes_write(p.path, &p.s);
    ticks(110);
    assert_true(session_class_look(who) && session_learner_turns(who));
    assert_null(session_in_class(who));
    line = session_class_line(who);
    assert_string_equal(line, "sys-26 is over. Leave this to go back to your own record.");
    free(line);
    assert_true(session_learner_turn(&who, &m) && !session_learner_turns(who));
    assert_int_equal(session_class_wait(who), -1);
    session_learner_close(who);
    free(hours);
    unsetenv("ZEROTUTOR_TICKS");
    part(&p);
}

/* One that was left before it began is waited for no longer. */
static void a_class_that_was_left_does_not_begin(void **state) {
    struct pupil p = join(state);
    struct base_message m = {0};
    classes_clock(p.s.begins - 1);
    struct learner *who = open_learner();
    assert_true(session_class_wait(who) >= 0 && session_class_leave(&m));
    assert_false(session_class_look(who) || session_learner_turns(who));
    assert_int_equal(session_class_wait(who), -1);
    session_learner_close(who);
    part(&p);
}

static void without_a_class_no_board_is_looked_at(void **state) {
    (void)state;
    struct learner *who = open_learner();
    assert_int_equal(session_class_wait(who), -1);
    assert_false(session_class_look(who) || session_class_vote(who));
    session_learner_close(who);
}

/* An older program began the file with fewer columns, and in another order. */
static void columns_follow_the_file_that_was_begun(void **state) {
    struct pupil p = join(state);
    struct base_message m = {0};
    char *name = base_format("%s" CLASSROOM_HANDIN_END, p.in.handin);
    const struct classroom_handin_head head = {.class = p.s.id,
                                               .account = p.in.account,
                                               .with = "",
                                               .course = "",
                                               .version = "0.0.1",
                                               .seed = classroom_seed(&p.s, p.in.account)};
    json_t *columns = json_pack("[sss]", "item", "typed", "of_old");
    struct classroom_writing *w = classroom_handin_begin(p.f, name, &head, columns, &m);
    assert_non_null(w);
    assert_true(classroom_handin_end(w, &m));
    for (int i = 0; i < 2; i++) { /* the second program finds what the first one gave */
        struct learner *who = open_learner();
        struct session *s = sit(who, "1.1");
        free(read_events(s));
        if (i == 0) pass(s, LESSON_DO_NEXT, "");
        if (i == 0) pass(s, LESSON_DO_ANSWER, "14");
        session_close(s);
        session_learner_close(who);
        assert_int_equal(count_handed(&p), 1);
    }
    struct classroom_handin h = read_handin(&p);
    char *row = json_dumps(h.answer[0].row, JSON_COMPACT);
    assert_string_equal(row, "[\"1.1/ddp-7b\",\"14\",null]");
    free(row);
    classroom_handin_free(&h);
    json_decref(columns);
    free(name);
    part(&p);
}

/* Answers as two terminals would, and is killed. */
static void answer_for_ever(int told) {
    struct learner *who = open_learner();
    struct session *s = sit(who, "1.1");
    free(read_events(s));
    pass(s, LESSON_DO_GOTO, "ddp-7b");
    for (int i = 0; i < 200; i++) {
        pass(s, LESSON_DO_ANSWER, "14");
        if (write(told, "x", 1) != 1) _exit(1);
    }
    _exit(0);
}

static void no_answer_is_lost_or_doubled_by_a_kill(void **state) {
    enum { TIMES = 12, TERMINALS = 2 };
    struct pupil p = join(state);
    srand(26);
    for (int i = 0; i < TIMES; i++) {
        int told[2];
        pid_t child[TERMINALS];
        char x;
        assert_int_equal(pipe(told), 0);
        for (int k = 0; k < TERMINALS; k++)
            if ((child[k] = fork()) == 0) answer_for_ever(told[1]);
        close(told[1]);
        for (int wait_ = 1 + rand() % 8; wait_ > 0 && read(told[0], &x, 1) == 1;) wait_--;
        for (volatile int spin = rand() % 300000; spin > 0;) spin--;
        for (int k = 0; k < TERMINALS; k++) kill(child[k], SIGKILL);
        for (int k = 0; k < TERMINALS; k++) assert_int_equal(waitpid(child[k], NULL, 0), child[k]);
        close(told[0]);
        struct base_message m = {0};
        if (!session_class_hand_in(&m)) fail_msg("%s", m.what);
        struct learner *who = open_learner();
        assert_handed_all(&p, who);
        session_learner_close(who);
    }
    assert_true(count_handed(&p) >= TIMES);
    part(&p);
}

static size_t reported(const struct pupil *p, struct classroom_report *first) {
    struct classroom_reports r;
    struct base_message m = {0};
    classroom_reports_read(p->f, CLASSROOM_HANDINS, p->in.handin, &p->s, &r, &m);
    size_t count = r.count;
    if (count) *first = r.report[0];
    classroom_reports_free(&r);
    return count;
}

/* To the class only while it runs, and what could not be written goes along later. */
static void a_report_reaches_the_class(void **state) {
    classes_clock(CLASSES_NOON);
    struct learner *who = open_learner();
    struct base_message m = {0};
    struct classroom_report first = {0};
    struct session *s = sit(who, "1.1");
    char *told;
    free(read_events(s));
    free(session_report(s, "Before the class.", &told, &m));
    assert_null(told);
    session_close(s);
    session_learner_close(who);
    struct pupil p = join(state);
    char *path = base_format("%s/handins/%s" CLASSROOM_REPORTS_END, p.path, p.in.handin);
    who = open_learner();
    s = sit(who, "1.1");
    free(read_events(s));
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "14");
    assert_int_equal(mkdir(path, 0700), 0);
    free(session_report(s, "It has\n24 GB.", &told, &m));
    assert_non_null(strstr(told, "did not reach the class"));
    free(told);
    assert_int_equal(reported(&p, &first), 0);
    assert_int_equal(rmdir(path), 0);
    classes_clock(CLASSES_NOON + 60);
    free(session_report(s, "Again.", &told, &m));
    assert_string_equal(told, "The class sys-26 has it, too.");
    free(told);
    assert_int_equal(reported(&p, &first), 2);
    assert_string_equal(first.wrong, "It has 24 GB.");
    assert_string_equal(first.item, "1.1/ddp-7b");
    assert_string_equal(first.typed, "14");
    assert_true(*first.seed && *first.verdict && first.revision && first.time == CLASSES_NOON);
    classes_clock(p.s.ends + 1);
    free(session_report(s, "After the class.", &told, &m));
    assert_null(told);
    assert_int_equal(reported(&p, &first), 2);
    session_close(s);
    session_learner_close(who);
    free(path);
    part(&p);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(each_answer_is_handed_in),
        AT_SCHOOL(a_file_that_was_removed_is_written_again),
        AT_SCHOOL(nothing_from_before_or_after_is_handed_in),
        AT_SCHOOL(a_folder_that_is_away_stops_nobody),
        AT_SCHOOL(what_waits_when_the_class_ends_is_handed_in),
        AT_SCHOOL(a_second_name_that_changes_shows),
        AT_SCHOOL(where_the_learner_is_follows_the_steps),
        AT_SCHOOL(a_vote_is_seen_and_answered),
        AT_SCHOOL(a_closed_class_asks_nothing),
        AT_SCHOOL(a_class_that_begins_and_ends_is_noticed),
        AT_SCHOOL(a_class_that_was_left_does_not_begin),
        AT_SCHOOL(without_a_class_no_board_is_looked_at),
        AT_SCHOOL(columns_follow_the_file_that_was_begun),
        AT_SCHOOL(a_report_reaches_the_class),
        AT_SCHOOL(no_answer_is_lost_or_doubled_by_a_kill),
    };
    return cmocka_run_group_tests_name("classwork", tests, NULL, NULL);
}
