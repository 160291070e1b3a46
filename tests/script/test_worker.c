/* The life of a worker: killed and started anew, opened a thousand times, asked for the same
 * numbers again. */
#include "script/opening.h"

#include "script/guard.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALL "tests/script/lessons/small.lua"

static struct script *open_small(void) {
    struct base_message m = {0};
    struct script *s = script_open(SMALL, NULL, &m);
    if (!s) fail_msg("%s:%d: %s", m.file, m.line, m.what);
    return s;
}

static void assert_same_variant(struct script *s, const json_t *first) {
    json_t *again = opening_call(s, 1, 42);
    assert_true(json_equal(first, again));
    json_decref(again);
}

/* Waits until the killed worker's socket is closed, which is when the tutor can know. */
static void kill_worker(void) {
    siginfo_t info;
    int pid = opening_worker();
    assert_true(pid > 0);
    kill(pid, SIGKILL);
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

static void a_killed_worker_is_started_anew(void **state) {
    (void)state;
    struct script *s = open_small();
    json_t *first = opening_call(s, 1, 42);
    int pid = opening_worker();
    kill_worker();
    assert_same_variant(s, first);
    assert_int_not_equal(opening_worker(), pid);
    kill_worker();
    assert_same_variant(s, first);
    json_decref(first);
    script_close(s);
    assert_true(opening_childless());
}

/* What a lesson keeps between calls is there until the source is started anew. */
static void a_restart_forgets(void **state) {
    (void)state;
    char *text = opening_with_vary(
        "order", "n = (n or 0) + 1 return { ask = tostring(n), items = { 'a', 'b' } }");
    struct script *s = opening_good(text);
    struct lesson_source source = script_source(s);
    static const char *const asks[] = {"1", "2", NULL, "1", NULL, "1"};
    for (size_t i = 0; i < BASE_COUNT(asks); i++) {
        if (!asks[i]) {
            source.restart(source.self);
            source.restart(source.self);
            assert_true(opening_childless());
            continue;
        }
        json_t *v = opening_call(s, 1, 1);
        assert_string_equal(base_json_text(v, "ask", ""), asks[i]);
        json_decref(v);
    }
    script_close(s);
    free(text);
}

static void a_byte_order_mark_is_no_part_of_a_lesson(void **state) {
    (void)state;
    struct script *s = opening_good("\xEF\xBB\xBFreturn lesson { id = '0.1', title = 't', "
                                    "say { id = 'a', 't' } }");
    script_close(s);
    struct base_message m = {0};
    const char twice[] = "\xEF\xBB\xBF\n\xEF\xBB\xBF";
    assert_null(script_open_text("x.lua", twice, strlen(twice), NULL, &m));
    assert_int_equal(m.line, 2);
}

/* A name that is no text, and one that would drive a terminal. */
static void a_file_may_be_called_anything(void **state) {
    static const char *const names[] = {"\033[2J\n.lua", "\xff\xfe.lua"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        struct base_message m = {0};
        assert_null(script_open_text(names[i], "\nx(", 3, NULL, &m));
        assert_int_equal(m.line, 2);
        assert_null(strpbrk(m.file, "\033\n"));
        assert_true(base_utf8_valid(m.file, strlen(m.file)));
    }
}

static void kill_soon(int pid) {
    assert_true(pid > 0);
    if (fork() != 0) return;
    usleep(20000);
    kill(pid, SIGKILL);
    _exit(0);
}

/* Killed while it works: this call tells, the next works. */
static void a_worker_killed_at_work_is_told(void **state) {
    (void)state;
    char *text =
        opening_with_vary("order", "if r:int(1, 2) == 1 then return { items = { 'a', 'b' } } end "
                                   "while true do end");
    struct script *s = opening_good(text);
    struct lesson_source source = script_source(s);
    struct base_message m = {0};
    uint64_t quick = 1, endless = 1;
    /* draws 1, see script_language_push_chance() */
    while (base_random(&(uint64_t){quick}) % 2 != 0) quick++;
    while (base_random(&(uint64_t){endless}) % 2 != 1) endless++;
    json_decref(opening_call(s, 1, quick));
    kill_soon(opening_worker());
    assert_null(source.call(source.self, 1, endless, &m));
    assert_string_equal(m.what, "the lesson's worker died (Killed); the next try starts a new one");
    wait(NULL);
    json_decref(opening_call(s, 1, quick));
    script_close(s);
    free(text);
}

/* A worker inherits all that the tutor has mapped, and its own limit begins above that. */
static void a_tutor_of_any_size_can_start_one(void **state) {
    (void)state;
    size_t large = (size_t)3 << 30;
    void *held = mmap(NULL, large, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(held != MAP_FAILED);
    struct script *s = open_small();
    json_t *variant = opening_call(s, 1, 42);
    assert_non_null(variant);
    json_decref(variant);
    script_close(s);
    munmap(held, large);
}

static void the_same_seed_gives_the_same_numbers(void **state) {
    (void)state;
    struct script *s = open_small(), *other = open_small();
    json_t *first = opening_call(s, 1, 42), *elsewhere = opening_call(other, 1, 42);
    assert_true(json_equal(first, elsewhere));
    int different = 0;
    for (uint64_t seed = 43; seed < 63; seed++) {
        json_t *v = opening_call(s, 1, seed);
        different += !json_equal(first, v);
        json_decref(v);
    }
    assert_true(different > 5);
    assert_same_variant(s, first);
    json_decref(first);
    json_decref(elsewhere);
    script_close(s);
    script_close(other);
}

/* Nothing of one lesson is seen by another, and nothing by the tutor's own. */
static void globals_stay_at_home(void **state) {
    (void)state;
    char *sets = opening_with_vary("order", "shared = 1 say = nil return { items = { 'a', 'b' } }");
    char *reads = opening_with_vary("order", "return { items = { tostring(shared), type(say) } }");
    struct script *a = opening_good(sets), *b = opening_good(reads);
    json_decref(opening_call(a, 1, 1));
    json_t *v = opening_call(b, 1, 1);
    const json_t *items = json_object_get(v, "items");
    assert_string_equal(json_string_value(json_array_get(items, 0)), "nil");
    assert_string_equal(json_string_value(json_array_get(items, 1)), "function");
    json_decref(v);
    script_close(a);
    script_close(b);
    free(sets);
    free(reads);
}

static void an_unknown_function_is_told(void **state) {
    (void)state;
    struct script *s = open_small();
    struct lesson_source source = script_source(s);
    const int none[] = {0, -1, 5, 1000000};
    for (size_t i = 0; i < BASE_COUNT(none); i++) {
        struct base_message m = {0};
        assert_null(source.call(source.self, none[i], 1, &m));
        assert_non_null(strstr(m.what, "no function number"));
    }
    script_close(s);
}

static void soft_limits_are_the_callers(void **state) {
    (void)state;
    struct base_message m = {0};
    struct script_limits limits = {.soft_ms = 30, .hard_ms = 60};
    const char *text = "while true do end";
    assert_null(script_open_text("x.lua", text, strlen(text), &limits, &m));
    assert_non_null(strstr(m.what, "longer than 30 ms"));
}

static const struct {
    const char *text, *what;
    size_t n;
} no_lessons[] = {
    {"\033Lua\x54\0\x19\x93", "compiled Lua", 8},
    {"return lesson {} \0 end", "NUL byte", 22},
    {"-- \xff\xfe", "not UTF-8", 5},
    {"", "must end in: return lesson", 0},
};

static void what_is_no_text_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(no_lessons); i++) {
        struct base_message m = {0};
        assert_null(script_open_text("x.lua", no_lessons[i].text, no_lessons[i].n, NULL, &m));
        if (!strstr(m.what, no_lessons[i].what))
            fail_msg("expected %s, came: %s", no_lessons[i].what, m.what);
    }
}

static void a_long_file_is_refused(void **state) {
    (void)state;
    struct base_message m = {0};
    size_t n = (256u << 10) + 1;
    char *text = base_alloc(n + 1);
    memset(text, '\n', n);
    assert_null(script_open_text("x.lua", text, n, NULL, &m));
    assert_non_null(strstr(m.what, "over 256 KiB"));
    char path[] = "/tmp/zerotutor-long-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    close(fd);
    assert_null(script_open(path, NULL, &m));
    assert_string_not_equal(m.what, "");
    unlink(path);
    assert_null(script_open(path, NULL, &m));
    free(text);
}

static long resident_pages(void) {
    long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &size, &resident), 2);
    fclose(f);
    return resident;
}

static void open_and_close(int times) {
    for (int i = 0; i < times; i++) {
        struct script *s = open_small();
        json_decref(opening_call(s, 1, (uint64_t)i));
        script_close(s);
    }
}

static void a_thousand_lessons_leave_nothing(void **state) {
    (void)state;
    open_and_close(20); /* what is kept once is kept now */
    int descriptors = opening_descriptors();
    long pages = resident_pages();
    open_and_close(GUARD_SANITIZED ? 100 : 1000);
    assert_int_equal(opening_descriptors(), descriptors);
    assert_true(opening_childless());
    long grown = (resident_pages() - pages) * sysconf(_SC_PAGESIZE);
    /* sanitizers keep what is freed */
    if (!GUARD_SANITIZED && grown > 256 << 10) fail_msg("%ld bytes grown", grown);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_worker_is_started_anew),
        cmocka_unit_test(a_worker_killed_at_work_is_told),
        cmocka_unit_test(a_restart_forgets),
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_lesson),
        cmocka_unit_test(a_file_may_be_called_anything),
        cmocka_unit_test(a_tutor_of_any_size_can_start_one),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(globals_stay_at_home),
        cmocka_unit_test(an_unknown_function_is_told),
        cmocka_unit_test(soft_limits_are_the_callers),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(a_long_file_is_refused),
        cmocka_unit_test(a_thousand_lessons_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
