/* Lessons that hang, explode, lie or forge: each ends in a message within half a second, in linear mode, in lint, and at the
 * full screen, where the tutor stays usable and the learner keeps what was answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/keys.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LIMIT_MS = 500 };

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lint_names_every_attack),
                                       cmocka_unit_test(linear_mode_survives_every_attack)};
    return cmocka_run_group_tests(tests, find, NULL);
}
