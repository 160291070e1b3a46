#include "command/page.h"

#include "base/golden.h"
#include "command/run.h"
#include "tty/tty.h"

enum { WIDE = 120, TALL = 90, NAME_MOST = 40 };

json_t *page_json(const char *line, int status) {
    char *whole = base_format("%s --json", line);
    struct run r = run_line(whole, NULL);
    struct base_message m = {0};
    json_t *json = base_json_read(r.out, strlen(r.out), whole, &m);
    if (!json || r.status != status)
        fail_msg("%s: status %d: %s%s", whole, r.status, m.what, r.err);
    run_free(&r);
    free(whole);
    return json;
}

void page_is(const char *name, const char *line) {
    struct run r = run_line(line, NULL);
    if (*r.err) fail_msg("%s: %s", line, r.err);
    golden_is("command", name, r.out);
    run_free(&r);
}

void page_is_wide(const char *name, const char *line) {
    char *words = base_format("%s", line), *golden = base_format("%s-120", name);
    const char *argv[RUN_WORDS_MOST + 1] = {getenv("ZEROTUTOR")};
    size_t n = 1;
    for (char *word = strtok(words, " "); word && n < RUN_WORDS_MOST; word = strtok(NULL, " "))
        argv[n++] = word;
    struct tty *t = tty_open(WIDE, TALL, argv, NULL);
    tty_wait(t, "1e9 bytes");
    tty_settle(t);
    golden_is("command", golden, tty_text(t));
    assert_int_equal(tty_end(t), 0);
    free(golden);
    free(words);
}

void page_refused(const char *line, const char *error) {
    char *expected = base_format("zerotutor: %s\n", error);
    struct run r = run_line(line, NULL);
    if (r.status != 2 || strcmp(r.err, expected) != 0 || *r.out)
        fail_msg("%s: status %d, error \"%s\", not \"%s\"; output \"%s\"", line, r.status, r.err,
                 expected, r.out);
    run_free(&r);
    free(expected);
}

void page_has(const json_t *object, const char *members) {
    char name[NAME_MOST];
    for (int n; sscanf(members, "%39s%n", name, &n) == 1; members += n)
        if (!json_object_get(object, name)) fail_msg("there is no \"%s\"", name);
}

const json_t *page_item(const json_t *object, const char *array, size_t i) {
    const json_t *item = json_array_get(json_object_get(object, array), i);
    if (!item) fail_msg("\"%s\" has no element %zu", array, i);
    return item;
}
