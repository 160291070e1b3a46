/* Every key of every kind of view, in each state that the course brings about. A view acts on a key
 * only if an action names it, so that the key line or the help does, and each key that is named
 * does something. */
#include "habits.h"
#include "place.h"
#include "unseen.h"

#include "lesson/parsed.h"
#include "screen/view.h"

#include <ctype.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "classroom/crowd.h"
#include "session/classes.h"

enum { CODES = 256, NAMED = 160 };

/* ── all keys there are ────────────────────────────────────────────────────────────────────────*/
static const char NAMES[] =
    "Enter Esc Tab S-Tab BS Del Up Down Left Right Home End PgUp PgDn C-Left C-Right C-Home C-End "
    "M-h M-g M-v M-x Space F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 C-a C-b C-c C-d C-e C-f C-g C-k "
    "C-l "
    "C-n C-o C-p C-q C-r C-s C-t C-u C-v C-w C-x C-y";

static size_t all_codes(uint32_t out[CODES]) {
    size_t count = 0;
    uint32_t code;
    for (const char *names = NAMES; (code = screen_key_named(&names)) != PRESS_NONE;)
        out[count++] = code;
    for (uint32_t c = '!'; c <= '~'; c++) out[count++] = c;
    return count;
}

/* ── the keys that a view names now ────────────────────────────────────────────────────────────*/
struct named {
    struct {
        uint32_t code;
        const struct action *action;
    } key[NAMED];
    size_t count;
};

static const struct action *action_of(const struct named *n, uint32_t code) {
    for (size_t i = 0; i < n->count; i++)
        if (n->key[i].code == code) return n->key[i].action;
    return NULL;
}

static void note_keys(void *to, const struct action *a, const char *keys) {
    struct named *n = to;
    uint32_t code;
    while ((code = screen_key_named(&keys)) != PRESS_NONE) {
        assert_null(action_of(n, code));
        assert_true(n->count < NAMED);
        n->key[n->count].code = code;
        n->key[n->count++].action = a;
    }
}

static struct named named_keys(const struct view *v) {
    struct named n = {.count = 0};
    screen_actions_each(v, note_keys, &n);
    return n;
}

/* ── an app without a terminal ─────────────────────────────────────────────────────────────────*/

static int wrong;
static bool made[VIEW_KINDS];

static void note_wrong(const char *where, uint32_t code, const char *what) {
    char caption[16];
    print_message("# %s: %s %s\n", where, screen_key_caption(code, true, caption, sizeof caption),
                  what);
    wrong++;
}

static struct view *make(const struct view_request *r) {
    struct base_message m = {0};
    struct view *v = screen_view_make(&app, r, &m);
    if (!v) fail_msg("%d, %s: %s", (int)r->kind, r->name ? r->name : "", m.what);
    if (!isupper((unsigned char)*v->does->name)) fail_msg("Help: %s", v->does->name);
    app.stack[app.depth++] = v;
    made[r->kind] = true;
    return v;
}

/* What a request leads to may not stay open. */
static void close_opened(void) {
    if (app.opening) app.opening->does->close(app.opening);
    app.opening = NULL;
}

static unsigned press(struct view *v, uint32_t code) {
    const struct key k = {.code = code, .target = -1};
    unsigned result = v->does->key ? v->does->key(v, &k) : VIEW_IGNORED;
    close_opened();
    return result;
}

/* ── both ways ─────────────────────────────────────────────────────────────────────────────────*/
static void does_what_it_names(struct view *v, const char *where) {
    const struct named n = named_keys(v);
    for (size_t i = 0; i < n.count; i++) {
        uint32_t code = n.key[i].code;
        const struct named then = named_keys(v);
        const struct action *now = action_of(&then, code);
        if (!now || now->act) continue; /* an action acts: the program calls it */
        if (press(v, code) == VIEW_IGNORED) note_wrong(where, code, "is named and does nothing");
        unseen_draw(v);
    }
}

static void names_what_it_does(struct view *v, const char *where) {
    uint32_t codes[CODES];
    size_t count = all_codes(codes);
    const struct named n = named_keys(v);
    bool types = screen_view_states(v).is[VIEW_TYPING];
    habits_note(v);
    for (size_t i = 0; i < count; i++) {
        const struct key k = {.code = codes[i], .target = -1};
        if (action_of(&n, codes[i]) || (types && screen_key_types(&k))) continue;
        if (press(v, codes[i]) != VIEW_IGNORED)
            note_wrong(where, codes[i], "works and is not named");
    }
}

/* The words of the key line. */
static char *key_line(void) {
    char *text = page_to_text(app.frame->page), *end = text + strlen(text);
    while (end > text && end[-1] == '\n') *--end = '\0';
    char *last = strrchr(text, '\n'), *line = base_dup(last ? last + 1 : text);
    free(text);
    return line;
}

/* Where the line says "help" it has a word for each key, but for those that work alike on every
 * screen and in every field. */
static void says_more(struct view *v, const char *where) {
    static const char *const alike[] = {"S", "C-s", "C-l", "C-c"};
    const struct named n = named_keys(v);
    char *line = key_line();
    bool help = strstr(line, " help") != NULL, types = screen_view_states(v).is[VIEW_TYPING];
    for (size_t i = 0; help && i < n.count; i++) {
        const struct action *a = n.key[i].action;
        bool told = a->label ? strstr(line, a->label) != NULL : types;
        for (size_t k = 0; !told && k < BASE_COUNT(alike); k++)
            told = strcmp(a->keys, alike[k]) == 0;
        if (!told) note_wrong(where, n.key[i].code, "works, and the key line does not say more");
    }
    free(line);
}

static void check(const struct view_request *r, const char *where) {
    struct view *v = make(r);
    unseen_draw(v);
    says_more(v, where);
    names_what_it_does(v, where);
    does_what_it_names(v, where);
    app.depth--;
    v->does->close(v);
}

static void open_app(int columns, int rows) {
    wrong = 0;
    unseen_open(columns, rows, true);
}

static void close_app(void) {
    unseen_close();
    assert_int_equal(wrong, 0);
}

static struct session *open_session(const char *lesson) {
    struct base_message m = {0};
    struct session *s = session_open(app.learner, lesson, &m);
    if (!s) fail_msg("%s: %s", lesson, m.what);
    return s;
}

/* ── the views ─────────────────────────────────────────────────────────────────────────────────*/
static void keys_of_views_are_named(void **state) {
    static const struct {
        const char *where;
        struct view_request r;
    } views[] = {
        {"home", {.kind = VIEW_HOME}},
        {"search", {.kind = VIEW_SEARCH}},
        {"questions", {.kind = VIEW_SEARCH, .kinds = VIEW_QUESTIONS}},
        {"settings", {.kind = VIEW_SETTINGS}},
        {"labs", {.kind = VIEW_LABS}},
        {"job", {.kind = VIEW_JOB}},
        {"suspended", {.kind = VIEW_SUSPENDED}},
        {"term", {.kind = VIEW_ENTRY, .entry = SESSION_TERM, .name = "shard"}},
        {"progress", {.kind = VIEW_PROGRESS}},
        {"certificate", {.kind = VIEW_CERTIFICATE}},
        {"speed", {.kind = VIEW_SPEED}},
        {"map", {.kind = VIEW_MAP}},
        {"gate", {.kind = VIEW_GATE, .lesson = 6, .check = 5}},
        {"present", {.kind = VIEW_PRESENT, .name = "1.1"}},
        {"recording", {.kind = VIEW_RECORDING, .name = "data/runs/activations-1.jsonl"}},
    };
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        open_app(wide ? 160 : 80, wide ? 50 : 24);
        /* below them lies a page with terms */
        unseen_draw(
            make(&(struct view_request){.kind = VIEW_LESSON, .name = "1.1", .step = "four-piles"}));
        for (size_t i = 0; i < BASE_COUNT(views); i++) check(&views[i].r, views[i].where);
        struct session *s = open_session("1.1");
        check(&(struct view_request){.kind = VIEW_NOTE, .session = s}, "note");
        check(&(struct view_request){.kind = VIEW_NOTE, .session = s, .reports = true}, "report");
        session_close(s);
        char *memo = base_format("%s/memo.md", place_home());
        check(&(struct view_request){.kind = VIEW_MEMO, .name = memo, .begins = "# A memo\n"},
              "memo");
        free(memo);
        check(&(struct view_request){.kind = VIEW_HELP, .of = app.stack[0]}, "help");
        close_app();
    }
}

static void check_steps(const char *lesson) {
    struct session *s = open_session(lesson);
    size_t steps = session_lesson(s)->count;
    for (size_t i = 0; i < steps; i++) {
        const char *step = session_lesson(s)->step[i].id;
        char *where = base_format("%s/%s", lesson, step);
        check(&(struct view_request){.kind = VIEW_LESSON, .name = lesson, .step = step}, where);
        free(where);
    }
    session_close(s);
}

static void keys_of_lessons_are_named(void **state) {
    (void)state;
    open_app(80, 24);
    const struct lesson_course *c = session_learner_course(app.learner);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) check_steps(c->lesson[i].id);
    check_steps("tests/screen/lessons/every_play.lua");
    close_app();
}

/* A lesson as it is taken, with a wrong answer to what asks for a number, and all that is said to
 * it. Where a key asks for it nothing is answered. */
static void go_on(struct view *v) {
    static const char *const ways[] = {"F5", "2", "Enter"};
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        const char *name = ways[i];
        const struct key k = {.code = screen_key_named(&name), .target = -1};
        const struct action *a = screen_actions_find(v, &k);
        if (!a || !a->act) continue;
        a->act(v, &k);
        close_opened();
        return;
    }
}

static void keys_are_named_all_the_way(void **state) {
    static const char *const lessons[] = {LEARNER_REVIEW, "1.1", "1.3", "2.1"};
    (void)state;
    open_app(80, 24);
    for (size_t i = 0; i < BASE_COUNT(lessons); i++) {
        struct view *v = make(&(struct view_request){.kind = VIEW_LESSON, .name = lessons[i]});
        for (int turn = 0; turn < 80; turn++) {
            unseen_draw(v);
            names_what_it_does(v, lessons[i]);
            const struct key four = {.code = '4', .target = -1};
            if (screen_view_states(v).is[VIEW_TYPING] && turn % 2) {
                v->does->key(v, &four);
                press(v, PRESS_ENTER);
            } else
                go_on(v);
        }
        v->does->close(v);
        app.depth--;
    }
    close_app();
}

/* ── what a view comes to by keys ──────────────────────────────────────────────────────────────*/
static struct view *top(void) {
    assert_true(app.depth > 0);
    return app.stack[app.depth - 1];
}

static void pop(void) {
    struct view *v = top();
    app.depth--;
    v->does->close(v);
}

/* As the program does it. */
static void press_one(const char *where, uint32_t code) {
    const struct key k = {.code = code, .target = -1};
    struct view *v = top();
    unseen_draw(v);
    const struct action *a = screen_actions_find(v, &k);
    unsigned result = a && a->act    ? a->act(v, &k)
                      : v->does->key ? v->does->key(v, &k)
                                     : VIEW_IGNORED;
    if (result == VIEW_IGNORED) note_wrong(where, code, "leads to it and does nothing");
    if (result & VIEW_LEAVE) pop();
    if (result & VIEW_OPEN) app.stack[app.depth++] = app.opening;
    app.opening = NULL;
}

static bool is_labelled(const struct view *v, const char *label) {
    const struct named n = named_keys(v);
    for (size_t i = 0; i < n.count; i++)
        if (n.key[i].action->label && strcmp(n.key[i].action->label, label) == 0) return true;
    return false;
}

/* What moves by itself is waited for. */
static void let_move(const char *label) {
    for (int turn = 0; turn < 2000 && !is_labelled(top(), label); turn++) {
        struct view *v = top();
        const struct key pace = {.code = PRESS_PACE, .target = -1},
                         watched = {.code = PRESS_WATCHED, .target = -1};
        int ms = v->does->pace ? v->does->pace(v) : -1,
            fd = v->does->watch ? v->does->watch(v) : -1;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, fd >= 0, ms);
        v->does->tick(v, ready > 0 ? &watched : &pace);
        unseen_draw(v);
    }
}

struct way {
    const char *where;
    struct view_request r;
    /* the keys that lead there */
    const char *keys;
    /* and what a key is called there and nowhere before */
    const char *label;
    bool moves;
};
static void check_way(const struct way *w) {
    size_t depth = app.depth;
    unseen_draw(make(&w->r));
    uint32_t code;
    for (const char *keys = w->keys; (code = screen_key_named(&keys)) != PRESS_NONE;)
        press_one(w->where, code);
    if (w->moves) let_move(w->label);
    unseen_draw(top());
    if (!is_labelled(top(), w->label)) fail_msg("%s: no key is called %s", w->where, w->label);
    names_what_it_does(top(), w->where);
    does_what_it_names(top(), w->where);
    while (app.depth > depth) pop();
}

static const struct lesson_speed_options TYPED = {.seed = 1}, PICKED = {.choose = true, .seed = 1},
                                         CLOCKED = {.ms = 60000, .seed = 1};

static void keys_of_what_follows_are_named(void **state) {
    static const struct way ways[] = {
        {"speed, typing", {.kind = VIEW_SPEED, .round = &TYPED}, "Enter", "check", false},
        {"speed, picking", {.kind = VIEW_SPEED, .round = &PICKED}, "Enter", "answer", false},
        {"speed, clocked", {.kind = VIEW_SPEED, .round = &CLOCKED}, "Enter", "skip", false},
        {"speed, paused", {.kind = VIEW_SPEED, .round = &TYPED}, "Enter Esc", "continue", false},
        {"speed, over", {.kind = VIEW_SPEED, .round = &TYPED}, "Enter Esc q", "again", false},
        {"speed, missed",
         {.kind = VIEW_SPEED, .round = &TYPED},
         "Enter 1 Enter Esc q",
         "missed ones",
         false},
        {"speed, again",
         {.kind = VIEW_SPEED, .round = &TYPED},
         "Enter 1 Enter Esc q Enter",
         "solution",
         false},
        {"speed, told",
         {.kind = VIEW_SPEED, .round = &TYPED},
         "Enter 1 Enter Esc q Enter F3",
         "report",
         false},
        {"review, card", {.kind = VIEW_LESSON, .name = LEARNER_REVIEW}, "", "turn", false},
        {"review, turned",
         {.kind = VIEW_LESSON, .name = LEARNER_REVIEW},
         "Enter",
         "knew it",
         false},
        {"review, known", {.kind = VIEW_LESSON, .name = LEARNER_REVIEW}, "Enter 1", "undo", false},
        {"memo, sum",
         {.kind = VIEW_MEMO, .name = "memo.md", .begins = "# A"},
         "F4",
         "result",
         false},
        {"memo, result",
         {.kind = VIEW_MEMO, .name = "memo.md", .begins = "# A"},
         "F4 2 * 3 Enter",
         "insert",
         false},
        {"memo, find",
         {.kind = VIEW_MEMO, .name = "memo.md", .begins = "# A"},
         "C-f A",
         "previous",
         false},
        {"memo, typed",
         {.kind = VIEW_MEMO, .name = "memo.md", .begins = "# A"},
         "x",
         "undo",
         false},
        {"memo, undone",
         {.kind = VIEW_MEMO, .name = "memo.md", .begins = "# A"},
         "x F9",
         "redo",
         false},
        {"run", {.kind = VIEW_LAB, .name = "replicas"}, "", "stop", false},
        {"run, over", {.kind = VIEW_LAB, .name = "replicas"}, "", "again", true},
        {"run, one of many", {.kind = VIEW_LAB, .name = "first-weighing"}, "", "all runs", true},
        {"run, all in one", {.kind = VIEW_LAB, .name = "first-weighing"}, "", "one run", true},
    };
    char stand_in[PATH_MAX];
    (void)state;
    assert_non_null(realpath("tests/experiment/zerolab.sh", stand_in));
    setenv("ZEROLAB", stand_in, 1);
    for (int wide = 0; wide < 2; wide++) {
        open_app(wide ? 160 : 80, wide ? 50 : 24);
        for (size_t i = 0; i < BASE_COUNT(ways); i++) {
            struct way w = ways[i];
            char *memo = w.r.name ? base_format("%s/%d-%s", place_home(), wide, w.r.name) : NULL;
            if (w.r.kind == VIEW_MEMO) w.r.name = memo;
            check_way(&w);
            if (w.r.kind == VIEW_MEMO) unlink(memo);
            free(memo);
        }
        close_app();
    }
    unsetenv("ZEROLAB");
}

/* ── a class ───────────────────────────────────────────────────────────────────────────────────*/
/* Somebody wants help, and many make one mistake. */
static void people(const char *path, struct classroom_settings *s) {
    static const struct crowd_answer answers[] = {
        {"1.3/one-stage", CROWD_PROBLEM, "24.5", "mistake", "no-grads"}};
    const struct classroom_presence p = {
        .lesson = "1.3", .number = 8, .of = 14, .tries = 1, .hand = true};
    struct base_message m = {0};
    struct classroom_folder *f = classroom_open(path, &m);
    struct classroom_board b = {.vote = {.id = "v1",
                                         .question = "Which part does one GPU keep whole?",
                                         .options = 3,
                                         .option = {"the moments", "the params", "the gradients"},
                                         .round = CLASSROOM_ALONE}};
    s->synchronised = true;
    bool set = f && classroom_set(s, "lessons", "1.1:15,1.3:21", 0, &m);
    if (!set) fail_msg("%s", m.what);
    s->cores = 4;
    classes_write(path, s);
    for (int i = 0; i < 6; i++) {
        assert_true(crowd_hand_in(f, s, i, answers, 1));
        assert_true(crowd_be_at(f, i, &p, time(NULL) - 20));
    }
    assert_true(classroom_board_write(f, &b, &m));
    classroom_close(f);
}

static void keys_of_a_class_are_named(void **state) {
    char *path = base_format("%s/../class", place_home()), stand_in[PATH_MAX];
    struct classroom_settings s;
    struct session_class in;
    struct base_message m = {0};
    (void)state;
    assert_non_null(realpath("tests/experiment/zerolab.sh", stand_in));
    setenv("ZEROLAB", stand_in, 1);
    classes_found(path, "sys-26", &s);
    people(path, &s);
    if (!session_class_join(path, NULL, &in, &m)) fail_msg("%s", m.what);
    const struct classroom_wish all = {
        .kind = CLASSROOM_CPU, .slots = 4, .ranks = 4, .lab = "stage-ladder"};
    struct classroom_wait *holder = classroom_wait_begin(path, &s, &all, &m);
    if (!holder || !classroom_wait_look(holder)) fail_msg("%s", m.what);
    const struct view_request watch = {.kind = VIEW_WATCH, .name = path},
                              slides = {.kind = VIEW_PRESENT, .name = "1.1", .folder = path};
    const struct way ways[] = {
        {"asked", {.kind = VIEW_LESSON, .name = "1.1", .step = "four-piles"}, "", "vote", false},
        {"vote", {.kind = VIEW_VOTE}, "", "choose", false},
        {"in a class", {.kind = VIEW_LESSON, .name = "1.1"}, "", "hand", false},
        {"waiting", {.kind = VIEW_LAB, .name = "replicas"}, "", "continue", false},
        {"watch", watch, "", "extra time", false},
        {"watch, slip", watch, "End", "open", false},
        {"watch, slip open", watch, "End Enter", "back", false},
        {"watch, learners", watch, "Tab", "nudge", false},
        {"watch, steps", watch, "G", "open", false},
        {"watch, a step open", watch, "G Enter", "take back", false},
        {"watch, closed again", watch, "G Enter", "open", false},
        {"watch, labs", watch, "l", "back", false},
        {"watch, speed", watch, "s", "back", false},
        {"watch, writing", watch, "N", "send", false},
        {"watch, minutes", watch, "E", "send", false},
        {"slides", slides, "", "exit questions", false},
        {"slides, shown", slides, "Space", "show", false},
    };
    for (int wide = 0; wide < 2; wide++) {
        open_app(wide ? 160 : 80, wide ? 50 : 24);
        app.attends = true;
        session_class_look(app.learner);
        for (size_t i = 0; i < BASE_COUNT(ways); i++) check_way(&ways[i]);
        close_app();
    }
    classroom_wait_end(holder);
    unsetenv("ZEROLAB");
    free(path);
}

/* All views of the tests before. */
static void a_letter_has_one_word_and_a_word_one_letter(void **state) {
    (void)state;
    for (size_t i = 0; i < VIEW_KINDS; i++)
        if (!made[i]) fail_msg("no view of kind %zu was looked at", i);
    habits_check();
}

#define ON_SECOND_DAY(test) cmocka_unit_test_setup_teardown(test, place_second_day, place_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_SECOND_DAY(keys_of_views_are_named),
        ON_SECOND_DAY(keys_of_lessons_are_named),
        ON_SECOND_DAY(keys_are_named_all_the_way),
        ON_SECOND_DAY(keys_of_what_follows_are_named),
        ON_SECOND_DAY(keys_of_a_class_are_named),
        cmocka_unit_test(a_letter_has_one_word_and_a_word_one_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
