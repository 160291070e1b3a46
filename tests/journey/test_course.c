/* Every lesson of the course from its first step to its end, without a skin and through a pipe in
 * linear mode: once with each recognised mistake before each right answer, once with right answers
 * only. Each mistake must be named, and both leave the same record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/course.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const struct rehearsal_way ALL_MISTAKES = {.wrong = REHEARSE_ALL, .moves = true},
                                  ALL_RIGHT = {.wrong = 0};

/* What linear mode printed for these answers; the caller's. */
static char *linear(const struct home *h, const char *lesson, const struct rehearsal *lines) {
    struct base_message m = {0};
    char *file = base_format("%s/out", h->folder);
    char *command = base_format("%s '%s' learn %s --linear >'%s'", h->variable, getenv("ZEROTUTOR"),
                                lesson, file);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (size_t i = 0; i < lines->count; i++) fprintf(pipe, "%s\n", lines->said[i].text);
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: linear mode ended with status %d", lesson, status);
    size_t length;
    char *out = base_file_read(file, 64 << 20, &length, &m);
    if (!out) fail_msg("%s", m.what);
    free(command);
    free(file);
    return out;
}

static void says_each_mistake(const char *lesson, const char *transcript,
                              const struct rehearsal *lines) {
    char *words = course_words(transcript);
    for (size_t i = 0; i < lines->count; i++) {
        const struct rehearsed *r = &lines->said[i];
        if (r->mistake && !strstr(words, r->mistake->name))
            fail_msg("%s: %s is nowhere called \"%s\"", lesson, r->text, r->mistake->name);
    }
    free(words);
}

static void lesson_is_taken(const char *lesson, struct rehearsal_way way) {
    struct rehearsal lines;
    struct course_homes homes = course_homes(lesson);
    course_rehearse(&homes, lesson, way, &lines);
    char *transcript = linear(&homes.skin, lesson, &lines);
    says_each_mistake(lesson, transcript, &lines);
    course_same_record(&homes, lesson);
    if (way.wrong && lines.mistakes < 6) fail_msg("%s: few mistakes were recognised", lesson);
    free(transcript);
    rehearsal_free(&lines);
    course_homes_remove(&homes);
}

static void with_every_mistake(void **state) {
    lesson_is_taken(*state, ALL_MISTAKES);
}

static void with_right_answers(void **state) {
    lesson_is_taken(*state, ALL_RIGHT);
}

int main(void) {
    static const struct course_test ways[] = {
        {"every mistake", with_every_mistake},
        {"right answers", with_right_answers},
    };
    return course_run(ways, BASE_COUNT(ways));
}
