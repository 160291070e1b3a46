/* The plays of the course's lessons from frame to frame: what is drawn keeps its place, a screen
 * with a question does not show its answer, and the hint for a wrong key is true and leaves the
 * question in sight. */
#include "place.h"
#include "unseen.h"

#include "lesson/data.h"
#include "screen/lesson.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PLAYS = 40, FAR = 6, LEAST_ASKING = 11 };
static const struct { int columns, rows; } sizes[] = {{80, 24}, {120, 40}, {200, 60}};

static struct view *view;

static const struct lesson_ask *asked(void) {
    return lesson_asked(session_dialogue(((struct lesson *)view)->session));
}

static void draw(void) {
    unseen_draw(view);
}

static void press(const char *name) {
    unseen_press(view, screen_key_named(&name));
}

/* A play of a lesson, at its opening. */
static void each_play(void (*does)(const char *where)) {
    const struct lesson_course *c = session_learner_course(app.learner);
    size_t plays = 0, asking = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        struct base_message m = {0};
        if (c->lesson[i].kind != LESSON_ORDINARY) continue;
        struct session *s = session_open(app.learner, c->lesson[i].id, &m);
        if (!s) fail_msg("%s", m.what);
        for (size_t k = 0; k < lesson_steps(session_lesson(s)); k++) {
            const json_t *step = lesson_step(session_lesson(s), k);
            const char *id = base_json_text(step, "id", "");
            if (!json_object_get(step, "play")) continue;
            char *where =
                base_format("%s/%s, %d columns", c->lesson[i].id, id, app.terminal->columns);
            view = screen_view_make(
                &app,
                &(struct view_request){.kind = VIEW_LESSON, .name = c->lesson[i].id, .step = id},
                &m);
            if (!view) fail_msg("%s: %s", where, m.what);
            draw();
            asking += json_object_get(step, "ask") != NULL;
            plays++;
            does(where);
            view->does->close(view);
            free(where);
        }
        session_close(s);
    }
    assert_true(plays == asking && asking >= LEAST_ASKING);
}

static void in_each_size(void (*does)(const char *where)) {
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        unseen_open(sizes[i].columns, sizes[i].rows, true);
        each_play(does);
        unseen_close();
    }
}

/* ── places ────────────────────────────────────────────────────────────────────────────────────*/
/* A row of the main column. */
static char *page_text_of(int row) {
    const struct frame *f = app.frame;
    struct base_text t = {0};
    for (int column = f->left; column < f->left + f->width; column++)
        base_text_puts(&t, page_cell(f->page, row, column)->text);
    return base_text_take(&t);
}

/* Of the main column, between its title and its last line. */
static char *body(void) {
    const struct frame *f = app.frame;
    struct base_text t = {0};
    for (int row = f->top; row < f->top + f->rows; row++) {
        char *line = page_text_of(row);
        base_text_printf(&t, "%s\n", line);
        free(line);
    }
    return base_text_take(&t);
}

/* Cells that are the same on two pages, the second moved down by so many rows. */
static int alike(const struct page *a, const struct page *b, int down) {
    const struct frame *f = app.frame;
    int same = 0;
    for (int row = f->top; row < f->top + f->rows; row++) {
        int other = row + down;
        if (other < f->top || other >= f->top + f->rows) continue;
        for (int column = f->left; column < f->left + f->width; column++) {
            const char *x = page_cell(a, row, column)->text;
            same += strcmp(x, " ") != 0 && strcmp(x, page_cell(b, other, column)->text) == 0;
        }
    }
    return same;
}

/* From its opening through the question to its end. */
static void stays(const char *where) {
    struct frame *first = app.frame;
    app.frame = NULL;
    draw();
    for (int frame = 1; frame < 60 && !lesson_play_is_over(asked()); frame++) {
        bool asks = asked()->play->question != NULL;
        press(asks ? "0" : "Right");
        int here = alike(first->page, app.frame->page, 0);
        for (int down = -FAR; down <= FAR; down++)
            if (alike(first->page, app.frame->page, down) > here) {
                char *text = body();
                fail_msg("%s: frame %d is moved by %d rows\n%s", where, frame, down, text);
            }
    }
    screen_frame_free(first);
}

static void what_is_drawn_stays_at_its_place(void **state) {
    (void)state;
    in_each_size(stays);
}

/* ── questions ─────────────────────────────────────────────────────────────────────────────────*/
/* Questions that a test has checked, and those of them that name what they count. */
static size_t questions, nouns;

/* "hop" of "After how many hops does …"; empty if it does not name what it counts so. */
static void noun_of(const char *question, char out[32]) {
    const char *many = strcasestr(question, "how many ");
    size_t n = 0;
    for (const char *c = many ? many + 9 : ""; isalpha((unsigned char)*c) && n < 31; c++)
        out[n++] = *c;
    if (n > 0 && out[n - 1] == 's') n--;
    out[n == 2 && strncmp(out, "of", 2) == 0 ? 0 : n] = '\0';
}

/* Whether it has these words, parted by whatever is no letter or digit. */
static bool has_words(const char *text, const char *first, const char *second) {
    size_t length = strlen(first);
    for (const char *at = text; (at = strcasestr(at, first)) != NULL; at++) {
        const char *rest = at + length;
        if (at > text && isalnum((unsigned char)at[-1])) continue;
        if (*rest == 's') rest++;
        if (isalnum((unsigned char)*rest)) continue;
        rest += strspn(rest, " ");
        if (strncasecmp(rest, second, strlen(second)) == 0 &&
            !isalnum((unsigned char)rest[strlen(second)]))
            return true;
    }
    return false;
}

static void hides_its_answer(const char *where) {
    char noun[32], number[4] = "";
    press("Enter");
    const struct lesson_play *play = asked()->play;
    if (!play->question) return;
    noun_of(play->question, noun);
    questions++;
    nouns += *noun != '\0';
    char *text = body();
    press("0");
    char *told = body(), *is = strstr(told, "it is ");
    if (is)
        snprintf(number, sizeof number, "%.1s", is + 6);
    else if (strstr(told, "0, as you said"))
        strcpy(number, "0");
    else
        fail_msg("%s: the answer is not told\n%s", where, told);
    if (*noun && (has_words(text, noun, number) || has_words(text, number, noun)))
        fail_msg("%s: the answer, %s, is shown before:\n%s", where, number, text);
    free(told);
    free(text);
}

static void no_question_stands_next_to_its_answer(void **state) {
    (void)state;
    questions = nouns = 0;
    in_each_size(hides_its_answer);
    print_message("%zu questions, %zu nouns\n", questions, nouns);
    assert_true(questions >= BASE_COUNT(sizes) * LEAST_ASKING && nouns > 0);
}

/* The end is behind the question: one comes to it on the way there, and then past it. */
static void end_leads_to_its_question(const char *where) {
    press("End");
    if (!asked()->play->question) fail_msg("%s: End passes the question over", where);
    press("End");
    if (!lesson_play_is_over(asked())) fail_msg("%s: End stays at the question", where);
}

static void no_jump_passes_a_question_over(void **state) {
    (void)state;
    unseen_open(80, 24, true);
    each_play(end_leads_to_its_question);
    unseen_close();
}

/* One who steps does not step past it unawares, is asked again on the way back as long as there is
 * no answer, and goes on by hand after it. */
static void holds_at_its_question(const char *where) {
    const struct lesson *l = (const struct lesson *)view;
    while (!lesson_play_is_over(asked()) && !asked()->play->question) press("Right");
    size_t frame = asked()->slider[0].position;
    press("Right");
    if (asked()->slider[0].position != frame || !app.notice || !strstr(app.notice, "answer"))
        fail_msg("%s: a step passes the question by: %s", where, app.notice);
    press("Enter");
    if (asked()->play->question) fail_msg("%s: Enter stays", where);
    press("Left");
    if (!asked()->play->question) fail_msg("%s: it is not asked on the way back", where);
    press("0");
    if (asked()->play->question || l->input.player.playing)
        fail_msg("%s: an answer starts what was stepped", where);
    press("Left");
    if (asked()->play->question) fail_msg("%s: it is asked once more", where);
}

static void goes_on_after_its_question(const char *where) {
    struct lesson *l = (struct lesson *)view;
    while (!lesson_play_is_over(asked()) && !asked()->play->question) press("Right");
    l->input.player.by_hand = false; /* as if it had come here by itself */
    press("0");
    if (asked()->play->question || !l->input.player.playing)
        fail_msg("%s: an answer stops the play", where);
}

static void a_step_holds_at_a_question(void **state) {
    (void)state;
    unseen_open(80, 24, true);
    each_play(holds_at_its_question);
    unseen_close();
    unseen_open(80, 24, true);
    each_play(goes_on_after_its_question);
    unseen_close();
}

/* The text of the window's last rows, each blank once. */
static char *last_rows(int rows) {
    struct base_text t = {0};
    for (int row = app.frame->all_rows - 1 - rows; row < app.frame->all_rows - 1; row++) {
        char *line = page_text_of(row);
        for (const char *c = line; *c; c++)
            if (*c != ' ' || (t.length > 0 && t.s[t.length - 1] != ' '))
                base_text_printf(&t, "%c", *c);
        free(line);
    }
    return base_text_take(&t);
}

/* All rows of the page can be brought above the question. */
static void reaches_its_end(const char *where) {
    const struct lesson *l = (const struct lesson *)view;
    for (int i = 0; i < 9; i++) press("PgDn");
    if (l->top + l->capacity < l->height) fail_msg("%s: its end cannot be reached", where);
    if (l->capacity + app.frame->foot - 1 > app.frame->rows)
        fail_msg("%s: the question covers what it says", where);
}

static void shows_its_question(const char *where) {
    while (!lesson_play_is_over(asked()) && !asked()->play->question) press("Enter");
    if (lesson_play_is_over(asked())) return;
    questions++;
    char *text = last_rows(6);
    if (!strstr(text, asked()->play->question)) fail_msg("%s: cut: %s", where, text);
    free(text);
    reaches_its_end(where);
}

static void questions_are_whole_in_small_windows(void **state) {
    static const struct {
        int columns, rows;
    } small[] = {{FRAME_MIN_COLUMNS, FRAME_MIN_ROWS}, {60, 18}, {40, 12}};
    (void)state;
    questions = 0;
    for (size_t i = 0; i < BASE_COUNT(small); i++) {
        unseen_open(small[i].columns, small[i].rows, true);
        each_play(shows_its_question);
        unseen_close();
    }
    assert_true(questions >= BASE_COUNT(small) * LEAST_ASKING);
}

/* A digit that can be no answer is none, and is not offered. */
static void refuses_what_is_no_choice(const char *where) {
    while (!lesson_play_is_over(asked()) && !asked()->play->question) press("Enter");
    unsigned digits = asked()->play->digits;
    const struct key last = {.code = '0' + digits - 1, .target = -1},
                     beyond = {.code = '0' + digits, .target = -1};
    char *text = last_rows(6);
    if (!screen_actions_find(view, &last) || screen_actions_find(view, &beyond) ||
        (digits < 10 && strchr(strchr(text, '?'), (int)beyond.code)))
        fail_msg("%s: %u answers: %s", where, digits, text);
    questions += digits < 10;
    if (digits < 10) view->does->key(view, &beyond);
    if (!asked()->play->question) fail_msg("%s: %c is taken", where, (char)beyond.code);
    free(text);
}

static void what_is_no_choice_is_refused(void **state) {
    (void)state;
    questions = 0;
    unseen_open(80, 24, true);
    each_play(refuses_what_is_no_choice);
    unseen_close();
    assert_true(questions > 0);
}

/* A hint was for the keys of before. */
static void clears_the_hint(const char *where) {
    while (!lesson_play_is_over(asked()) && !asked()->play->question) {
        screen_app_notice(&app, base_dup("x does nothing here"));
        ((struct lesson *)view)->input.player.playing = true;
        ((struct lesson *)view)->input.player.due = 0;
        view->does->tick(view, &(struct key){.code = PRESS_PACE, .target = -1});
    }
    if (app.notice) fail_msg("%s: %s", where, app.notice);
}

static void no_hint_of_before_stands_above_a_question(void **state) {
    (void)state;
    unseen_open(80, 24, true);
    each_play(clears_the_hint);
    unseen_close();
}

/* Where one stands in a play, and whether it plays, is seen next to a hint. */
static void shows_its_bar(const char *where) {
    int row = app.frame->all_rows - 2;
    char *before = page_text_of(row);
    screen_frame_note(app.frame, "x does nothing here");
    char *now = page_text_of(row), *above = page_text_of(row - 1);
    if (strcmp(before, now) != 0 || !strstr(above, "x does nothing here"))
        fail_msg("%s: %s\n%s", where, above, now);
    free(above);
    free(now);
    free(before);
}

/* What a stage shards flies apart until a key is pressed, also one that the view's table has. */
static void any_key_ends_a_flight(void **state) {
    struct base_message m = {0};
    (void)state;
    unseen_open(80, 24, true);
    const char *keys = "Space PgDn 7";
    for (uint32_t code; (code = screen_key_named(&keys)) != PRESS_NONE;) {
        view = screen_view_make(
            &app, &(struct view_request){.kind = VIEW_LESSON, .name = "1.3", .step = "climb"}, &m);
        if (!view) fail_msg("%s", m.what);
        draw();
        press("Right");
        assert_true(((struct lesson *)view)->flight > 0);
        unseen_press(view, code);
        assert_int_equal(((struct lesson *)view)->flight, 0);
        view->does->close(view);
    }
    unseen_close();
}

static void a_hint_hides_no_bar(void **state) {
    (void)state;
    unseen_open(80, 24, true);
    each_play(shows_its_bar);
    unseen_close();
}

/* ── keys that do nothing ──────────────────────────────────────────────────────────────────────*/
/* A key that a hint names does what the hint says. */
static void check_hint(const char *where, const struct key *k) {
    if (screen_actions_find(view, k)) return;
    char *hint = screen_actions_hint(view, k), *does = strstr(hint, " does: ");
    if (does) {
        char *name = strchr(hint, ';') + 2;
        *does = '\0';
        const char *named = name;
        const struct key other = {.code = screen_key_named(&named), .target = -1};
        const struct action *a = screen_actions_find(view, &other);
        if (!a || strcmp(a->help, does + 7) != 0)
            fail_msg("%s: %s does not: %s", where, name, does + 7);
    } else if (strstr(hint, "not now"))
        assert_true(asked()->play->question && strchr("/+-=", (char)k->code));
    else if (!strstr(hint, "? lists the keys that do"))
        fail_msg("%s: %s", where, hint);
    free(hint);
}

static void check_hints(const char *where) {
    for (uint32_t c = '!'; c <= '~'; c++) check_hint(where, &(struct key){.code = c, .target = -1});
}

/* A hint is drawn over the frame. */
static void keeps_its_question(const char *where) {
    int row = app.frame->all_rows - 2;
    char *before = page_text_of(row);
    screen_frame_note(app.frame, "x does nothing here; ? lists the keys that do");
    char *after = page_text_of(row);
    if (strcmp(before, after) != 0) fail_msg("%s: a hint covers the question: %s", where, before);
    free(after);
    free(before);
}

static void hints_are_true(const char *where) {
    check_hints(where);
    press("Space");
    check_hints(where);
    press("Enter");
    check_hints(where);
    if (asked()->play->question) keeps_its_question(where);
    press("End");
    check_hints(where);
}

static void a_wrong_key_says_what_is_true(void **state) {
    (void)state;
    unseen_open(80, 24, true);
    each_play(hints_are_true);
    unseen_close();
}

#define IN_COURSE(f) cmocka_unit_test_setup_teardown(f, place_open_course, place_close)
int main(void) {
    const struct CMUnitTest tests[] = {
        IN_COURSE(what_is_drawn_stays_at_its_place),
        IN_COURSE(no_question_stands_next_to_its_answer),
        IN_COURSE(no_jump_passes_a_question_over),
        IN_COURSE(a_step_holds_at_a_question),
        IN_COURSE(questions_are_whole_in_small_windows),
        IN_COURSE(what_is_no_choice_is_refused),
        IN_COURSE(no_hint_of_before_stands_above_a_question),
        IN_COURSE(a_hint_hides_no_bar),
        IN_COURSE(any_key_ends_a_flight),
        IN_COURSE(a_wrong_key_says_what_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
