/* What an author gets wrong, and what the language says to it: tests/script/mistakes.txt. A block
 * is a line with the line that is blamed and the message (a shell pattern), and under it the steps
 * of a lesson, which so begin in line 2. Slips in what vary returns show when it is called; they
 * blame the step. */
#include "script/opening.h"

#include "base/fatal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define MISTAKES "tests/script/mistakes.txt"
#define HEAD     "-- "

/* The lesson's message, or that of its first vary; the test fails if there is none. */
static void message_of(const char *text, struct base_message *m) {
    struct script *s = script_open_text("mistake.lua", text, strlen(text), NULL, m);
    if (!s) return;
    struct lesson_source source = script_source(s);
    json_t *value = source.call(source.self, 1, 1, m);
    if (value) fail_msg("nothing was said to it: %s", text);
    script_close(s);
}

static void is_told(void **state) {
    const char *block = *state;
    struct base_message m = {0};
    int line;
    char pattern[200];
    if (sscanf(block, HEAD "%d: %199[^\n]", &line, pattern) != 2) fail_msg("no mistake: %s", block);
    char *text = base_format("return lesson { id = '0.1', title = 't', %s\n}", block);
    message_of(text, &m);
    if (fnmatch(pattern, m.what, 0) != 0) fail_msg("expected %s, came: %s", pattern, m.what);
    if (m.line != line) fail_msg("line %d was blamed for: %s", m.line, m.what);
    assert_string_equal(m.file, "mistake.lua");
    free(text);
}

/* Where the block after this one begins, cut off from it; NULL at the end. */
static char *next_block(char *block) {
    char *next = strstr(block, "\n" HEAD);
    if (!next) return NULL;
    *next = '\0';
    return next + 1;
}

int main(void) {
    struct base_message m;
    char *text = base_file_read(MISTAKES, 1 << 20, NULL, &m);
    if (!text) fatal("%s", m.what);
    struct CMUnitTest *tests = NULL;
    size_t n = 0;
    for (char *block = text; block; n++) {
        char *next = next_block(block);
        tests = base_grow(tests, n + 1, sizeof *tests);
        char *name = base_format("%.*s", (int)strcspn(block, "\n"), block);
        tests[n] = (struct CMUnitTest){name, is_told, NULL, NULL, block};
        block = next;
    }
    int failed = _cmocka_run_group_tests("mistakes of authors", tests, n, NULL, NULL);
    for (size_t i = 0; i < n; i++) free((char *)tests[i].name);
    free(tests);
    free(text);
    return failed;
}
