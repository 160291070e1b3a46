/* A lesson in a class, on the full screen: the hand is raised with the keys of both ways of typing,
 * and a line says what waits. */
#include "launch.h"
#include "place.h"
#include "session/classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The class that the learner joined. */
struct room {
    char *path, *away;
    struct classroom_settings s;
    struct session_class in;
};

static struct room join(void) {
    struct room r = {.path = base_format("%s/../class", place_home()),
                     .away = base_format("%s/../away", place_home())};
    struct base_message m = {0};
    if (!base_make_dirs(place_home(), &m)) fail_msg("%s", m.what);
    classes_found(r.path, "sys-26", &r.s);
    if (!session_class_join(r.path, NULL, &r.in, &m)) fail_msg("%s", m.what);
    return r;
}

static void part(struct room *r) {
    free(r->path);
    free(r->away);
}

static bool hand_is_up(const struct room *r) {
    struct classroom_presence now;
    struct classroom_folder *f = classroom_open(r->path, NULL);
    bool up = f && classroom_presence_read(f, r->in.handin, &r->s, &now, NULL) && now.hand;
    classroom_close(f);
    return up;
}

static void a_hand_goes_up_and_down(void **state) {
    struct room r = join();
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    assert_false(hand_is_up(&r));
    tty_type(t, "H");
    tty_wait_row(t, 22, "Your hand is raised.");
    tty_wait_row(t, 0, "hand");
    assert_true(hand_is_up(&r));
    tty_type(t, "H");
    tty_wait_gone(t, "Your hand is raised.");
    assert_false(hand_is_up(&r));
    tty_send(t, "\033h", 2);
    tty_wait(t, "Your hand is raised.");
    tty_type(t, "<Esc>"); /* the lesson ends */
    tty_wait_gone(t, "Your hand is raised.");
    assert_false(hand_is_up(&r));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    part(&r);
}

/* In a field letters are typed, H among them. */
static void a_hand_goes_up_while_an_answer_is_typed(void **state) {
    struct room r = join();
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "]]]]]");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "4H");
    tty_wait(t, "4H");
    assert_false(hand_is_up(&r));
    tty_send(t, "\033h", 2);
    tty_wait(t, "Your hand is raised.");
    tty_wait(t, "4H");
    assert_true(hand_is_up(&r));
    assert_int_equal(rename(r.path, r.away), 0);
    tty_type(t, "<C-u>48<Enter>");
    tty_wait(t, "Your hand-in has waited since ");
    tty_send(t, "\033h", 2);
    tty_wait(t, "Cannot tell the class");
    assert_int_equal(rename(r.away, r.path), 0);
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "try 2");
    tty_type(t, "49<Enter>");
    tty_wait_gone(t, "Your hand-in has waited");
    tty_wait(t, "Your hand is raised.");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    part(&r);
}

/* A line of the teacher stands above the keys until the next thing that the learner does. A step
 * that is open is offered, and gone to when the key says so. */
static void what_the_teacher_says_is_seen(void **state) {
    struct room r = join();
    struct base_message m = {0};
    struct classroom_board b = {.lesson = "1.1"};
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    struct classroom_folder *f = classroom_open(r.path, &m);
    assert_true(f && classroom_board_nudge(&b, "", "look at the front", 0, &m));
    snprintf(b.step, sizeof b.step, "%s", "read");
    assert_true(classroom_board_write(f, &b, &m));
    classroom_close(f);
    tty_type(t, "]");
    tty_wait_row(t, 22, "Your teacher: look at the front");
    tty_type(t, "]");
    tty_wait_gone(t, "Your teacher");
    tty_wait_row(t, 22, "Open for all: 1.1");
    tty_type(t, "]]]");
    tty_wait(t, "your answer, in GB");
    tty_wait_row(t, 22, "Press Alt-g to go there.");
    tty_type(t, "4G");
    tty_wait(t, "4G"); /* typed */
    tty_send(t, "\033g", 2);
    tty_wait_gone(t, "Open for all");
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    part(&r);
}

static struct classroom_presence presence(const struct room *r) {
    struct classroom_presence now = {0};
    struct classroom_folder *f = classroom_open(r->path, NULL);
    if (f) classroom_presence_read(f, r->in.handin, &r->s, &now, NULL);
    classroom_close(f);
    return now;
}

static void ask(const struct room *r, enum classroom_round round) {
    struct base_message m = {0};
    struct classroom_board b = {
        .vote = {.id = "v1",
                 .question = "Which part does one GPU keep whole?",
                 .options = 3,
                 .option = {"the moments", "the master weights", "the params and the gradients"},
                 .round = round}};
    struct classroom_folder *f = classroom_open(r->path, &m);
    assert_non_null(f);
    assert_true(classroom_board_write(f, &b, &m));
    classroom_close(f);
}

/* While a page is read, and while an answer is typed, which stays as it is. */
static void a_vote_is_answered_over_a_lesson(void **state) {
    struct room r = join();
    struct tty *t = launch((struct launch_options){.lesson = "1.1", .columns = 120, .rows = 24});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "]]]]]");
    tty_wait(t, "your answer, in GB");
    tty_wait(t, "Scratch paper");
    tty_type(t, "4");
    ask(&r, CLASSROOM_ALONE);
    tty_wait_row(t, 22, "Your teacher asks: Which part"); /* without a key */
    tty_wait_row(t, 22, "Alt-v answers");
    tty_type(t, "v");
    tty_wait(t, "4v"); /* typed */
    tty_send(t, "\033v", 2);
    tty_wait(t, "the params and the gradients");
    assert_false(tty_has(t, "your answer, in GB")); /* the step may show the vote's answer, */
    assert_false(tty_has(t, "Scratch paper"));      /* and so may what is next to it */
    tty_type(t, "3");
    tty_wait(t, "You chose 3.");
    tty_wait(t, "4v");
    assert_true(presence(&r).choice == 3 && presence(&r).round == 1);
    tty_type(t, "<BS>8<Enter>"); /* an answer looks at the board too */
    tty_wait_gone(t, "Your teacher asks");
    ask(&r, CLASSROOM_TALKED);
    tty_type(t, "<F7>");
    tty_wait_row(t, 22, "Your teacher asks again");
    tty_type(t, "<Esc><Down>"); /* home has it too */
    tty_wait_row(t, 22, "Your teacher asks again");
    tty_type(t, "v<Down><Enter>");
    tty_wait(t, "You chose 2.");
    assert_true(presence(&r).choice == 2 && presence(&r).round == 2);
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    part(&r);
}

/* Who started the tutor before the class did is told when it begins, and when it is over; at home
 * the other record is opened. */
static void a_class_begins_and_ends_meanwhile(void **state) {
    struct room r = join();
    (void)state;
    r.s.begins = base_now() + 3600;
    classes_write(r.path, &r.s);
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "H");
    tty_wait(t, "H does nothing here; ? lists");
    r.s.begins = base_now() - 60;
    classes_write(r.path, &r.s);
    tty_wait_row(t, 22, "sys-26 has begun. Leave this, and open it again to take part.");
    tty_type(t, "<Esc>");
    tty_wait(t, "Your class has begun. Your answers go to its record.");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "H");
    tty_wait(t, "Your hand is raised.");
    assert_true(hand_is_up(&r));
    r.s.closed = true;
    classes_write(r.path, &r.s);
    tty_wait_row(t, 22, "sys-26 is over. Leave this to go back to your own record.");
    tty_type(t, "<Esc>");
    tty_wait(t, "Your class is over. Your answers go to your own record again.");
    tty_wait(t, "▸ 1.1"); /* which the own record has only looked at */
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    part(&r);
}

static void without_a_class_there_is_no_hand(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "H");
    tty_wait(t, "H does nothing here; ? lists");
    tty_send(t, "\033h", 2);
    tty_settle(t);
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, place_open, place_close)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_hand_goes_up_and_down),
        IN_PLACE(a_hand_goes_up_while_an_answer_is_typed),
        IN_PLACE(what_the_teacher_says_is_seen),
        IN_PLACE(a_vote_is_answered_over_a_lesson),
        IN_PLACE(a_class_begins_and_ends_meanwhile),
        IN_PLACE(without_a_class_there_is_no_hand),
    };
    return cmocka_run_group_tests_name("class", tests, NULL, NULL);
}
