/* A lesson in a class, line by line: the hand goes up and down, and what waits is said once. */
#include "linear/linear.h"
#include "session/classes.h"

#include <stdlib.h>
#include <unistd.h>

/* What a lesson, or home (NULL), prints for these lines, the caller's. */
static char *talk_in(const char *lesson, const char *typed) {
    const struct linear_options o = {.lesson = lesson, .ascii = true};
    char *text = NULL;
    size_t n = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &n);
    fputs(typed, in);
    rewind(in);
    assert_int_equal(linear_run(&o, in, out), 0);
    fclose(out);
    fclose(in);
    return text;
}

static char *talk(const char *typed) {
    return talk_in("1.1", typed);
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, words)); at++) n++;
    return n;
}

static void the_hand_goes_up_and_down(void **state) {
    struct classroom_settings s;
    struct session_class in;
    classes_clock(CLASSES_NOON);
    char *alone = talk(":help\n:hand\n:quit\n");
    assert_non_null(strstr(alone, "you are not in a class"));
    assert_null(strstr(alone, "raise your hand"));
    char *path = classes_join(state, "sys-26", &s, &in);
    char *said = talk(":help\n:hand\n:repeat\n:hand\n:quit\n");
    assert_non_null(strstr(said, "raise your hand"));
    assert_int_equal(count(said, "Your hand is raised."), 1);
    assert_int_equal(count(said, "Your hand is down"), 1);
    free(said), free(path), free(alone);
}

static void a_hand_in_that_waits_is_said_once(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    char *path = classes_join(state, "sys-26", &s, &in);
    char *handins = base_format("%s/handins", path), *away = base_format("%s/away", path);
    assert_int_equal(rename(handins, away), 0);
    char *said = talk("\n14\n15\n:quit\n");
    assert_int_equal(count(said, "Your hand-in has waited since 10:33."), 1);
    assert_int_equal(rename(away, handins), 0);
    char *later = talk(":quit\n");
    assert_null(strstr(later, "waited"));
    struct classroom_handin h;
    struct classroom_folder *f = classroom_open(path, &m);
    char *name = base_format("%s" CLASSROOM_HANDIN_END, in.handin);
    assert_true(classroom_handin_read(f, CLASSROOM_HANDINS, name, &s, &h, &m));
    assert_int_equal(h.answers, 2);
    classroom_handin_free(&h);
    classroom_close(f);
    free(name), free(later), free(said), free(away), free(handins), free(path);
}

/* The teacher's board, with a step that is open for all or NULL, and a line for this hand-in. */
static void say_to(const char *path, const char *lesson, const char *step, const char *to,
                   const char *text) {
    struct base_message m = {0};
    struct classroom_board b = {0};
    struct classroom_folder *f = classroom_open(path, &m);
    assert_non_null(f);
    if (lesson) snprintf(b.lesson, sizeof b.lesson, "%s", lesson);
    if (lesson) snprintf(b.step, sizeof b.step, "%s", step);
    assert_true(!text || classroom_board_nudge(&b, to, text, CLASSES_NOON, &m));
    assert_true(classroom_board_write(f, &b, &m));
    classroom_close(f);
}

/* A class whose learners are asked one problem at the exit; its path, the caller's. */
static char *ask_at_exit(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    struct classroom_board b = {.exit = {.id = "0123", .items = 1, .item = {"1.1/ddp-7b"}}};
    char *path = classes_join(state, "sys-26", &s, &in);
    struct classroom_folder *f = classroom_open(path, &m);
    assert_true(classroom_board_write(f, &b, &m));
    classroom_close(f);
    return path;
}

/* Exit questions are counted at their end, and the lesson that was left for them opens again. */
static void exit_questions_lead_back(void **state) {
    char *path = ask_at_exit(state), *said = talk("\n:class\n1\n\n\n:quit\n");
    assert_int_equal(count(said, "ddp 7b"), 2); /* asked, and listed */
    const char *over = strstr(said, "0 of 1 right.");
    assert_non_null(over);
    assert_non_null(strstr(over, "It resumes there."));
    free(said), free(path);
}

/* It was raised in the lesson, which the questions interrupt. */
static void a_raised_hand_stays_up_in_exit_questions(void **state) {
    char *path = ask_at_exit(state), *said = talk("\n:hand\n:class\n:hand\n:quit\n");
    const char *asked = strstr(said, "ddp 7b");
    assert_non_null(asked);
    assert_int_equal(count(said, "Your hand is raised."), 1);
    assert_int_equal(count(said, "Your hand is down"), 1);
    assert_non_null(strstr(asked, "Your hand is down")); /* lowered there */
    free(said), free(path);
}

static void a_line_of_the_teacher_is_said_once(void **state) {
    struct classroom_settings s;
    struct session_class in;
    char *path = classes_join(state, "sys-26", &s, &in);
    say_to(path, NULL, NULL, "", "look at\nthe \033[31mfront");
    char *said = talk(":repeat\n:repeat\n\n:quit\n");
    assert_int_equal(count(said, "Your teacher: look at the [31mfront"), 1);
    assert_null(strchr(said, 27));
    say_to(path, NULL, NULL, "somebody-else", "not for you");
    char *other = talk(":repeat\n:quit\n");
    assert_null(strstr(other, "not for you"));
    say_to(path, NULL, NULL, in.handin, "for you");
    char *own = talk(":repeat\n:quit\n");
    assert_int_equal(count(own, "Your teacher: for you"), 1);
    free(own), free(other), free(said), free(path);
}

/* The last one. */
static void take_step(void *to, const struct learner_step *s) {
    free(*(char **)to);
    *(char **)to = base_dup(s->id);
}

static void a_step_that_is_open_is_gone_to_when_asked(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    char *path = classes_join(state, "sys-26", &s, &in);
    struct learner *who = session_learner_open(NULL, &m);
    char *step = NULL;
    session_learner_steps(who, 0, take_step, &step);
    session_learner_close(who);
    say_to(path, "1.1", step, "", NULL);
    char *stays = talk("\n:quit\n");
    assert_int_equal(count(stays, "Type :follow to go there"), 1);
    char *goes = talk(":follow\n:where\n:follow\n:quit\n");
    assert_non_null(strstr(goes, "No other step is open for all."));
    say_to(path, "7.7", "nowhere", "", NULL); /* of no lesson here */
    char *none = talk("\n:follow\n:quit\n");
    assert_null(strstr(none, "Type :follow to go there"));
    assert_non_null(strstr(none, "No other step is open for all."));
    free(none), free(goes), free(stays), free(step), free(path);
}

static void a_vote_is_printed_once_and_answered(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    struct classroom_board b = {.vote = {.id = "v1",
                                         .question = "Which part stays whole?",
                                         .options = 2,
                                         .option = {"the moments", "the params"},
                                         .round = CLASSROOM_ALONE}};
    classes_clock(CLASSES_NOON);
    char *alone = talk(":vote 2\n:quit\n");
    assert_non_null(strstr(alone, "Unknown command :vote 2"));
    char *path = classes_join(state, "sys-26", &s, &in);
    struct classroom_folder *f = classroom_open(path, &m);
    assert_true(classroom_board_write(f, &b, &m));
    char *said = talk(":repeat\n:vote\n:vote 3\n:vote two\n:vote 2\n:vote\n:vote 1\n:quit\n");
    assert_int_equal(count(said, "Your teacher asks: Which part stays whole?"), 2);
    assert_int_equal(count(said, "2  the params"), 2);
    assert_int_equal(count(said, "choose a number from 1 to 2"), 2);
    assert_int_equal(count(said, "You chose 2."), 1);
    assert_int_equal(count(said, "Nothing waits for your vote."), 1);
    assert_int_equal(count(said, "You chose 1."), 1); /* another choice, while it is open */
    classroom_close(f);
    free(said), free(path), free(alone);
}

/* What was typed and cannot be opened is said, and asked for again. */
static void no_word_at_home_ends_the_program(void **state) {
    (void)state;
    char *said = talk_in(NULL, "feedback\n9.9\n:class\nexit\n1.1\n:where\n:quit\n");
    assert_int_equal(count(said, "you have joined no class, so there is no feedback"), 1);
    assert_non_null(strstr(said, "Unknown lesson."));
    assert_non_null(strstr(said, "Press Enter to continue, or type your answer."));
    free(said);
}

/* What a teacher is told of the class, and what it says to learners, for these lines. */
static char *watch(const char *path, const char *typed) {
    const struct linear_options o = {.ascii = true};
    char *text = NULL;
    size_t n = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &n);
    fputs(typed, in);
    rewind(in);
    assert_int_equal(linear_watch(&o, path, true, in, out), 0);
    fclose(out);
    fclose(in);
    return text;
}

static void a_teacher_watches_line_by_line(void **state) {
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    struct classroom_board b;
    char *path = classes_join(state, "sys-26", &s, &in);
    unsetenv("ZEROTUTOR_NOW"); /* a teacher's clock is the file server's */
    s.lesson[s.lessons++] = (struct classroom_lesson){.id = "1.1", .minutes = 15};
    s.begins = base_now() - 34 * 60 - 10;
    s.ends = s.begins + 90 * 60;
    classes_write(path, &s);
    free(talk(":hand\n\n14\n15\n:quit\n"));
    char *said =
        watch(path, "learners\nmistake 1\nall Look at the front.\nto 9 x\nto 1 Well done.\n"
                    "exit\nopen 2\nopen 99\nnames\nlearners\nlabs\nspeed\nfoo\n"
                    ":repeat\n?\n:quit\n");
    assert_non_null(strstr(said, "class> :repeat\nsys-26, minute 34 of 90."));
    assert_non_null(strstr(said, "repeat: says the room again."));
    assert_non_null(strstr(said, "Mistake 1: 1 of 1 in "));
    assert_non_null(strstr(said, "A learner typed: 15"));
    assert_non_null(strstr(said, "Type a number from 1 to 1"));
    assert_non_null(strstr(said, "Learners are asked the exit questions."));
    assert_non_null(strstr(said, "1: seat 1: "));
    assert_non_null(strstr(said, "No lab runs and no lab waits."));
    assert_non_null(strstr(said, "Unknown word 'foo'."));
    struct classroom_folder *f = classroom_open(path, &m);
    assert_true(classroom_board_read(f, &b, &m));
    assert_int_equal(b.nudges, 2);
    assert_string_equal(b.nudge[0].text, "Look at the front.");
    assert_true(classroom_nudge_is_to(&b.nudge[1], in.handin));
    assert_true(*b.exit.id && *b.step && strcmp(b.lesson, "1.1") == 0);
    classroom_close(f);
    free(said), free(path);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(the_hand_goes_up_and_down),
        AT_SCHOOL(a_hand_in_that_waits_is_said_once),
        AT_SCHOOL(a_line_of_the_teacher_is_said_once),
        AT_SCHOOL(exit_questions_lead_back),
        AT_SCHOOL(a_raised_hand_stays_up_in_exit_questions),
        AT_SCHOOL(a_step_that_is_open_is_gone_to_when_asked),
        AT_SCHOOL(a_teacher_watches_line_by_line),
        AT_SCHOOL(no_word_at_home_ends_the_program),
        AT_SCHOOL(a_vote_is_printed_once_and_answered),
    };
    return cmocka_run_group_tests_name("class", tests, NULL, NULL);
}
