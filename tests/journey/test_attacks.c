/* Lessons that hang, explode, lie or forge: each ends in a message within half a second, in linear
 * mode, in lint, and at the full screen, where the tutor stays usable and the learner keeps what
 * was answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/keys.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* That it ends: how soon, the deadlines say, which are of the processor it gets. */
enum { LIMIT_MS = 5000 };

static glob_t attacks;

static int find(void **state) {
    (void)state;
    char *pattern = base_format("%s/tests/script/attacks/*.lua", base_share());
    int failed = glob(pattern, 0, NULL, &attacks);
    free(pattern);
    return failed || attacks.gl_pathc < 20 ? -1 : 0;
}

/* Runs a command line, and returns its exit status; its output goes to `out`, its time to `ms`. */
static int run(const char *command, char **out, int64_t *ms) {
    int64_t start = base_ticks();
    struct base_text t = {0};
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char piece[512];
    for (size_t n; (n = fread(piece, 1, sizeof piece, pipe)) > 0;) base_text_add(&t, piece, n);
    int status = pclose(pipe);
    *ms = base_ticks() - start;
    *out = base_text_take(&t);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ends_soon(const char *what, const char *format, bool may_be_well) {
    struct home h = home_new("attack");
    for (size_t i = 0; i < attacks.gl_pathc; i++) {
        char *command = base_format(format, h.variable, getenv("ZEROTUTOR"), attacks.gl_pathv[i]),
             *out;
        int64_t ms;
        int status = run(command, &out, &ms);
        bool named = strstr(out, strrchr(attacks.gl_pathv[i], '/') + 1) != NULL;
        bool good = status >= (may_be_well ? 0 : 1) && status <= 2 && ms <= LIMIT_MS &&
                    (named || status == 0);
        if (!good)
            fail_msg("%s %s: status %d after %d ms:\n%s", what, attacks.gl_pathv[i], status,
                     (int)ms, out);
        free(out);
        free(command);
    }
    home_remove(&h);
}

static void lint_names_every_attack(void **state) {
    (void)state;
    ends_soon("lint", "%s '%s' lint --seeds 1 '%s' 2>&1", false);
}

static void linear_mode_survives_every_attack(void **state) {
    (void)state;
    ends_soon("learn --linear", "yes '' | head -50 | %s '%s' learn '%s' --linear 2>&1", true);
}

/* ── at the full screen ────────────────────────────────────────────────────────────────────────*/
static const char BEFORE[] =
    "return lesson { id = '0.1', title = 'Attacked', revision = 1,\n"
    "problem { id = 'good', form = 'choice', vary = function(r) return { ask = 'Which?',\n"
    "  choices = { { text = 'this', right = true, because = 'it is' },\n"
    "              { text = 'that', because = 'it is not' } } } end },\n"
    "problem { id = 'bad', form = 'number', ask = 'a', vary = function(r)\n";
static const char AFTER[] = "\nend },\nrecap { id = 'end', text = 'The lesson continues.' } }";

static char *wrapped(const char *attack, const struct home *h) {
    struct base_message m = {0};
    char *body = base_file_read(attack, 1 << 20, NULL, &m), *path;
    if (!body) fail_msg("%s", m.what);
    char *text = base_format("%s%s%s", BEFORE, body, AFTER);
    path = base_format("%s/attack.lua", h->folder);
    assert_true(base_file_write(path, text, strlen(text), &m));
    free(text);
    free(body);
    return path;
}

static void survives_on_screen(const char *attack) {
    struct home h = home_new("attacked");
    char *path = wrapped(attack, &h);
    struct tty *t =
        tty_open(80, 24, (const char *const[]){getenv("ZEROTUTOR"), "learn", path, NULL},
                 (const char *const[]){h.variable, NULL});
    tty_wait(t, "Which?");
    tty_type(t, "1<Enter>");
    tty_wait(t, "Right");
    int64_t start = base_ticks();
    tty_send(t, "\r", 1);
    tty_wait(t, "could not be made");
    int64_t ms = base_ticks() - start;
    if (ms > LIMIT_MS) tty_fail(t, "%s: the message came after %d ms", attack, (int)ms);
    tty_type(t, "<Enter>");
    tty_wait(t, "The lesson continues.");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    assert_int_equal(home_count(&h), 1);
    free(path);
    home_remove(&h);
}

/* What does not even load never comes to a screen: lint and linear mode have it. */
static bool loads(const char *attack) {
    return !strstr(attack, "/attacks/syntax");
}

/* Each costs a program and a deadline: every fifth here, all of them in `make test-all`. */
static void the_screen_survives_attacks(void **state) {
    (void)state;
    size_t step = getenv("TEST_ALL") ? 1 : 5;
    for (size_t i = 0; i < attacks.gl_pathc; i += step)
        if (loads(attacks.gl_pathv[i])) survives_on_screen(attacks.gl_pathv[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lint_names_every_attack),
                                       cmocka_unit_test(linear_mode_survives_every_attack),
                                       cmocka_unit_test(the_screen_survives_attacks)};
    return cmocka_run_group_tests(tests, find, NULL);
}
