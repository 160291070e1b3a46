/* Every key of every kind of view, in each state that the course brings about. A view acts on a key
 * only if an action names it, so that the key line or the help does, and each key that is named
 * does something. */
#include "place.h"

#include "lesson/parsed.h"
#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 256, NAMED = 160 };

/* ── all keys there are ────────────────────────────────────────────────────────────────────────*/
static const char NAMES[] =
    "Enter Esc Tab S-Tab BS Del Up Down Left Right Home End PgUp PgDn C-Left C-Right C-Home C-End "
    "M-h M-g M-v Space F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 C-a C-b C-c C-d C-e C-f C-g C-k C-l "
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

static void note_keys(void *to, const struct action *a) {
    struct named *n = to;
    uint32_t code;
    for (const char *keys = a->keys; (code = screen_key_named(&keys)) != PRESS_NONE;) {
        if (action_of(n, code)) continue;
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
static struct app app;

static int wrong;

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
    app.stack[app.depth++] = v;
    return v;
}

static void draw(struct view *v) {
    screen_frame_free(app.frame);
    enum frame_layout layout = v->does->layout ? v->does->layout(v)
                               : v->does->pane ? FRAME_PANE
                                               : FRAME_ALONE;
    app.frame = screen_frame_new(app.terminal->columns, app.terminal->rows, false, layout);
    v->does->draw(v, app.frame);
    screen_actions_draw(v, app.frame);
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
        draw(v);
    }
}

static void names_what_it_does(struct view *v, const char *where) {
    uint32_t codes[CODES];
    size_t count = all_codes(codes);
    const struct named n = named_keys(v);
    bool types = screen_view_states(v).is[VIEW_TYPING];
    for (size_t i = 0; i < count; i++) {
        const struct key k = {.code = codes[i], .target = -1};
        if (action_of(&n, codes[i]) || (types && screen_key_types(&k))) continue;
        if (press(v, codes[i]) != VIEW_IGNORED)
            note_wrong(where, codes[i], "works and is not named");
    }
}

static void check(const struct view_request *r, const char *where) {
    struct view *v = make(r);
    draw(v);
    names_what_it_does(v, where);
    does_what_it_names(v, where);
    app.depth--;
    v->does->close(v);
}

static void open_app(int columns, int rows) {
    struct base_message m = {0};
    wrong = 0;
    app = (struct app){.make = screen_view_make, .still = true, .voice_sought = true};
    app.learner = session_learner_open(NULL, &m);
    if (!app.learner) fail_msg("%s", m.what);
    app.terminal = screen_terminal_of_keys("", columns, rows, true, 256);
    screen_look_read(&app);
}

static void close_app(void) {
    while (app.depth > 0) {
        struct view *v = app.stack[--app.depth];
        v->does->close(v);
    }
    screen_app_notice(&app, NULL);
    screen_frame_free(app.frame);
    app.terminal->does->close(app.terminal);
    session_learner_close(app.learner);
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
        draw(
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
    static const char *const ways[] = {"F5", "Enter"};
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
    static const char *const lessons[] = {"1.1", "1.3", "2.1"};
    (void)state;
    open_app(80, 24);
    for (size_t i = 0; i < BASE_COUNT(lessons); i++) {
        struct view *v = make(&(struct view_request){.kind = VIEW_LESSON, .name = lessons[i]});
        for (int turn = 0; turn < 80; turn++) {
            draw(v);
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

#define ON_SECOND_DAY(test) cmocka_unit_test_setup_teardown(test, place_second_day, place_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_SECOND_DAY(keys_of_views_are_named),
        ON_SECOND_DAY(keys_of_lessons_are_named),
        ON_SECOND_DAY(keys_are_named_all_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
