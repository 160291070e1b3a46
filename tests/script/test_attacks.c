/* Each file under tests/script/attacks is a lesson that means no good: its first line says in which
 * line it is stopped, and with what message (a shell pattern). It is tried twice, as a lesson and
 * as the body of a problem's vary; both must end in that message within half a second, and the
 * lesson around the second must go on. */
#include "script/script.h"

#include "base/fatal.h"

#include <dirent.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ATTACKS "tests/script/attacks"
#define MOST_MS 5000

#define BEFORE                                                                                     \
    "return lesson { id = '0.1', title = 't', problem { id = 'good', form = "                      \
    "'order', "                                                                                    \
    "vary = function(r) return { ask = 'a', items = { 'b', 'c' } } end }, problem { id = 'bad', "  \
    "form = 'number', ask = 'a', vary = function(r) "
#define AFTER "\nend } }"

struct attack {
    char *text;
    int line;
    char pattern[200];
};

/* What must be stopped by the clock gets the tutor's own limits; what must be stopped before, more
 * time: how fast memory fills is the machine's business. */
static struct script_limits limits_for(const struct attack *a) {
    bool by_clock = strstr(a->pattern, "takes longer") != NULL;
    return by_clock ? (struct script_limits){0}
                    : (struct script_limits){.soft_ms = 400, .hard_ms = 500};
}

static struct attack read_attack(const char *name) {
    struct attack a = {0};
    struct base_message m;
    char *path = base_format(ATTACKS "/%s", name);
    a.text = base_file_read(path, 1 << 20, NULL, &m);
    if (!a.text || sscanf(a.text, "-- %d: %199[^\n]", &a.line, a.pattern) != 2)
        fail_msg("%s: the first line must be -- LINE: PATTERN", path);
    free(path);
    return a;
}

static void assert_stopped(const struct attack *a, const struct base_message *m, int64_t began) {
    int64_t took = base_ticks() - began;
    if (fnmatch(a->pattern, m->what, 0) != 0)
        fail_msg("expected %s, came: %s", a->pattern, m->what);
    assert_int_equal(m->line, a->line);
    assert_string_equal(m->file, "attack.lua");
    for (const char *c = m->what; *c; c++) assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    if (took > MOST_MS) fail_msg("it took %d ms", (int)took);
}

static void as_a_lesson(const struct attack *a) {
    struct base_message m = {0};
    struct script_limits limits = limits_for(a);
    int64_t began = base_ticks();
    struct script *s = script_open_text("attack.lua", a->text, strlen(a->text), &limits, &m);
    assert_null(s);
    assert_stopped(a, &m, began);
}

static void assert_goes_on(struct lesson_source source) {
    struct base_message m = {0};
    json_t *value = source.call(source.self, 1, 7, &m);
    if (!value) fail_msg("the good problem no longer works: %s", m.what);
    json_decref(value);
}

static void as_a_function(const struct attack *a) {
    struct base_message m = {0};
    char *text = base_format("%s%s%s", BEFORE, a->text, AFTER);
    struct script_limits limits = limits_for(a);
    int64_t began = base_ticks();
    struct script *s = script_open_text("attack.lua", text, strlen(text), &limits, &m);
    if (s) {
        struct lesson_source source = script_source(s);
        began = base_ticks();
        assert_null(source.call(source.self, 2, 7, &m));
        assert_stopped(a, &m, began);
        assert_goes_on(source);
    } else {
        assert_stopped(a, &m, began); /* it is no Lua at all */
    }
    script_close(s);
    free(text);
}

static void is_stopped(void **state) {
    struct attack a = read_attack(*state);
    as_a_lesson(&a);
    as_a_function(&a);
    free(a.text);
}

static int is_attack(const struct dirent *e) {
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

int main(void) {
    struct dirent **found;
    int n = scandir(ATTACKS, &found, is_attack, alphasort);
    if (n < 1) fatal("no attacks under " ATTACKS);
    struct CMUnitTest *tests = base_alloc((size_t)n * sizeof *tests);
    for (int i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){found[i]->d_name, is_stopped, NULL, NULL, found[i]->d_name};
    int failed = _cmocka_run_group_tests("attacks", tests, (size_t)n, NULL, NULL);
    for (int i = 0; i < n; i++) free(found[i]);
    free(found);
    free(tests);
    return failed;
}
