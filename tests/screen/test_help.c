/* What the help says of the keys. */
#include "account/account.h"
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* The keys of a row, "   b B   Larger or smaller buckets", which blanks part from what they do.
 */
static size_t keys_of(const char *row, int indent, char *out, size_t size) {
    size_t at = strspn(row, " ");
    const char *gap = at == (size_t)indent ? strstr(row + at, "  ") : NULL;
    size_t n = gap ? (size_t)(gap - row) - at : 0;
    snprintf(out, size, "%.*s", (int)n, row + at);
    return n;
}

/* Fails if a key of a single letter stands in two rows. */
static void assert_once(struct tty *t, const char *play) {
    bool seen[128] = {false};
    int row, indent = 0;
    tty_find(t, "^C", &row, &indent);
    for (int i = 0; i < tty_rows(t); i++) {
        char keys[64];
        if (!keys_of(tty_row(t, i), indent, keys, sizeof keys)) continue;
        for (char *key = strtok(keys, " "); key; key = strtok(NULL, " ")) {
            unsigned char c = (unsigned char)*key;
            if (key[1] || c >= sizeof seen) continue;
            if (seen[c]) fail_msg("%s: %c does two things\n%s", play, c, tty_text(t));
            seen[c] = true;
        }
    }
    if (!seen['?'] || !seen['w']) tty_fail(t, "%s: not all keys are listed", play);
}

/* Beside a page with cards, too, and whatever options a play has. */
static void a_key_does_one_thing_in_a_play(void **state) {
    struct tty *t = launch((struct launch_options){
        .lesson = "tests/screen/lessons/every_play.lua", .columns = 140, .rows = 60});
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        tty_wait_row(t, 0, plays[i]->name);
        tty_type(t, "?");
        tty_wait(t, "Save this screen as a picture in your folder");
        if (!tty_has(t, plays[i]->option[0].help)) tty_fail(t, "the help is not on this play");
        assert_once(t, plays[i]->name);
        tty_type(t, "<Esc>]");
    }
    tty_kill(t);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_key_does_one_thing_in_a_play, place_open, place_close),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
