/* Every allocation that Lua makes fails in turn: making the state, opening the libraries, reading
 * the language, loading a lesson, calling its vary. Once alone, which Lua's emergency collection
 * survives without a difference nearly everywhere; and once with all that follow, which must end in
 * the message about memory. Either way the sandbox works again afterwards. The sandbox runs in this
 * process, so that a sanitizer sees it. */
#include "script/opening.h"

#include "script/wire.h"
#include "script/sandbox.h"

#include <stdlib.h>
#include <string.h>

#define SMALL "tests/script/lessons/small.lua"

struct requests {
    json_t *load, *call;
};

static json_t *parsed(const char *text, size_t n) {
    json_t *value = json_loadb(text, n, 0, NULL);
    if (!value) fail_msg("not JSON: %.*s", (int)n, text);
    return value;
}

static struct requests make_requests(void) {
    struct base_message m = {0};
    size_t n;
    char call[REQUEST_CALL];
    char *lesson = base_file_read(SMALL, 1 << 20, &n, &m);
    assert_non_null(lesson);
    char *load = script_request_load("small.lua", lesson, n, &m);
    if (!load) fail_msg("%s", m.what);
    script_request_call(call, 1, 42);
    struct requests r = {script_request_read(load, strlen(load)),
                         script_request_read(call, strlen(call))};
    assert_true(r.load && r.call);
    free(load);
    free(lesson);
    return r;
}

static bool answered(const struct sandbox *s, const char *is) {
    json_t *answer = parsed(s->message, s->n);
    bool so = strcmp(base_json_text(answer, "is", ""), is) == 0;
    if (!so) {
        assert_string_equal(base_json_text(answer, "is", ""), "error");
        assert_string_equal(base_json_text(answer, "text", ""), SANDBOX_TOO_LARGE);
    }
    json_decref(answer);
    return so;
}

/* Loads the lesson and calls its vary: true if both worked, else the message about memory was the
 * answer. */
static bool works(struct sandbox *s, const struct requests *r) {
    script_sandbox_load(s, r->load);
    if (!answered(s, "lesson")) return false;
    script_sandbox_call(s, r->call);
    return answered(s, "value");
}

/* The lesson is ours, so the state may be closed, which no worker does. */
static void free_sandbox(struct sandbox *s) {
    if (s->L) lua_close(s->L);
    free(s);
}

struct life {
    /* through: nothing was left to fail */
    bool started, worked, through;
};
enum { AGAIN = 11 }; /* every so many failures: what comes after is tried */
/* A lesson's life with allocations from number `first` failing, `count` of them. When they no
 * longer fail, it works in the same sandbox. */
static struct life live(const struct requests *r, size_t first, size_t count) {
    struct sandbox *s = script_sandbox_new(SANDBOX_MEMORY, NULL);
    assert_non_null(s);
    s->fail_from = first;
    s->fail_count = count;
    struct life life = {.started = script_sandbox_start(s)};
    assert_true(life.started == (s->L != NULL));
    life.worked = life.started && works(s, r);
    life.through = s->allocations < first;
    s->fail_from = 0;
    if (life.through) assert_true(life.worked);
    if (life.started && !life.worked && first % AGAIN == 0) assert_true(works(s, r));
    free_sandbox(s);
    return life;
}

/* Lua collects its garbage and asks once more, but while it starts, and (since 5.4.6) while it
 * moves its stack, which doubles. */
static void each_failure_alone_is_survived(void **state) {
    const struct requests *r = *state;
    size_t told = 0;
    struct life life = {0};
    for (size_t i = 1; !life.through; i++) {
        life = live(r, i, 1);
        told += life.started && !life.worked;
    }
    assert_true(told < 10);
}

static void each_failure_and_all_after_are_told(void **state) {
    const struct requests *r = *state;
    for (size_t i = 1; !live(r, i, SIZE_MAX).through; i++) {
    }
}

/* Everything goes back that was taken. */
static void nothing_is_lost(void **state) {
    const struct requests *r = *state;
    struct sandbox *s = script_sandbox_new(SANDBOX_MEMORY, NULL);
    assert_true(s && script_sandbox_start(s));
    script_sandbox_load(s, r->load);
    assert_true(answered(s, "lesson"));
    assert_true(s->used > 0 && s->used < 2 << 20);
    lua_close(s->L);
    s->L = NULL;
    assert_int_equal(s->used, 0);
    free_sandbox(s);
}

static void a_small_cap_is_told(void **state) {
    const struct requests *r = *state;
    for (size_t most = 8 << 10; most < 1 << 20; most += 16 << 10) {
        struct sandbox *s = script_sandbox_new(most, NULL);
        if (script_sandbox_start(s)) {
            script_sandbox_load(s, r->load);
            answered(s, "lesson");
            assert_true(s->used <= most);
        }
        free_sandbox(s);
    }
}

static int set_up(void **state) {
    struct requests *r = base_alloc(sizeof *r);
    *r = make_requests();
    *state = r;
    return 0;
}

static int tear_down(void **state) {
    struct requests *r = *state;
    json_decref(r->load);
    json_decref(r->call);
    free(r);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failure_alone_is_survived),
        cmocka_unit_test(each_failure_and_all_after_are_told),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(a_small_cap_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
