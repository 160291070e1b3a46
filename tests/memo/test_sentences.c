/* Sentences about a scenario, right, foreign and false, as data: tests/memo/sentences/NAME.tsv has
 * rows `head <TAB> sentence <TAB> expectation`, where the head's lines are parted by " / "
 * ("Scenario: … / Decision: stage 2"; a head that is empty is the one of the row before).
 *
 * right    is true of the scenario: nothing is shown to look at again
 * foreign  has figures that are not the engine's (measured, of a data set, of another model):
 *          the same
 * false    names a quantity and a configuration and is wrong: it is shown to look at again, or
 *          the engine's differing value is said */
#include "memo/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { RIGHT, FOREIGN, FALSE, SORTS };
static const char *const sorts[SORTS] = {"right", "foreign", "false"};

struct tally {
    size_t rows[SORTS], again[SORTS], caught;
};

static char *memo_of(const char *head, const char *sentence) {
    struct base_text t = {0};
    for (const char *s = head; *s;) {
        const char *end = strstr(s, " / ");
        size_t n = end ? (size_t)(end - s) : strlen(s);
        base_text_printf(&t, "%.*s\n", (int)n, s);
        s += n + (end ? 3 : 0);
    }
    base_text_printf(&t, "\n## Memory\n\n%s\n", sentence);
    return base_text_take(&t);
}

static bool is_caught(const struct memo_report *r) {
    for (size_t i = 0; i < r->count; i++)
        if (r->finding[i].kind == MEMO_AGAIN ||
            (r->finding[i].differs && strstr(r->finding[i].what, "the engine says")))
            return true;
    return false;
}

static void try_row(const char *file, int line, const char *head, const char *sentence, int sort,
                    struct tally *t) {
    struct memo_report r;
    struct base_message m = {0};
    char *memo = memo_of(head, sentence);
    if (!memo_read(memo, strlen(memo), NULL, &r, &m)) fail_msg("%s:%d: %s", file, line, m.what);
    if (!r.has_scenario || r.refused)
        fail_msg("%s:%d: the head cannot be read: %s", file, line,
                 r.count ? r.finding[0].what : "");
    bool again = r.kinds[MEMO_AGAIN] > 0, caught = is_caught(&r);
    t->rows[sort]++;
    t->again[sort] += again;
    t->caught += sort == FALSE && caught;
    if (sort != FALSE && again)
        print_message("%s:%d: %s is shown to look at again: %s\n", file, line, sorts[sort],
                      sentence);
    if (sort == FALSE && !caught)
        print_message("%s:%d: nothing is said of: %s\n", file, line, sentence);
    memo_free(&r);
    free(memo);
}

static void try_file(const char *name, struct tally *t) {
    struct base_message m = {0};
    char *path = base_format("tests/memo/sentences/%s", name),
         *text = base_file_read(path, 4 << 20, NULL, &m), *head = NULL;
    if (!text) fail_msg("%s", m.what);
    int number = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        number++;
        if (!*line || *line == '#') continue;
        char *own = strsep(&line, "\t"), *sentence = strsep(&line, "\t");
        int sort = 0;
        while (line && sort < SORTS && strcmp(line, sorts[sort]) != 0) sort++;
        if (*own) head = own;
        if (!line || !sentence || sort == SORTS || !head)
            fail_msg("%s:%d: no row `head, sentence, right|foreign|false`", name, number);
        try_row(name, number, head, sentence, sort, t);
    }
    free(text);
    free(path);
}

static void no_true_sentence_is_doubted_and_false_ones_are_seen(void **state) {
    struct tally t = {0};
    DIR *folder = opendir("tests/memo/sentences");
    (void)state;
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".tsv") == 0) try_file(e->d_name, &t);
    }
    closedir(folder);
    print_message(
        "%zu right, %zu foreign, %zu false: %zu of them seen, %zu shown to look at again\n",
        t.rows[RIGHT], t.rows[FOREIGN], t.rows[FALSE], t.caught, t.again[FALSE]);
    assert_true(t.rows[RIGHT] && t.rows[FOREIGN] && t.rows[FALSE]);
    assert_int_equal(t.again[RIGHT] + t.again[FOREIGN], 0);
    assert_true(100 * t.caught >= 98 * t.rows[FALSE]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_true_sentence_is_doubted_and_false_ones_are_seen)};
    return cmocka_run_group_tests_name("memo/sentences", tests, NULL, NULL);
}
