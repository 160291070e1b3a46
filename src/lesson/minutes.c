/* minutes.c: how long a lesson takes: the sum of its steps, each of which is read, looked at and
 * done. */
#include "lesson/parsed.h"

#include <ctype.h>
#include <string.h>

/* Silent reading of prose: Brysbaert 2019 (doi 10.1016/j.jml.2019.104047) finds 238 words a minute,
 * 175 to 300 for most adults, fewer in a second language. These texts are full of numbers. */
enum { WORDS_PER_MINUTE = 200, MINUTE = 60 };
/* Seconds of doing, in addition to the reading, and of looking at a figure. A problem's words are
 * made when it is asked: reading them is in its seconds. */
static const int DOING[LESSON_STEP_KINDS] = {
    [LESSON_PREDICT] = 10,   [LESSON_FIGURE] = 10, [LESSON_EXPLORE] = 30,
    [LESSON_WORKED] = 20,    [LESSON_MYTH] = 10,   [LESSON_PROBLEM] = LESSON_PROBLEM_SECONDS,
    [LESSON_SAY_ALOUD] = 30, [LESSON_RECAP] = 10,  [LESSON_ANIMATE] = 30,
    [LESSON_LAB] = 60,       [LESSON_READ] = 20,   [LESSON_MEMO] = 10 * MINUTE,
};
enum { LOOKING = 5 };

size_t lesson_text_words(const char *text) {
    size_t n = 0;
    bool counted = false; /* this word, which has a letter or a digit: a table's bars are none */
    for (const char *s = text; s != NULL && *s != '\0'; s++) {
        bool blank = *s == ' ' || *s == '\n', letter = isalnum((unsigned char)*s) || (*s & 0x80);
        n += letter && !counted;
        counted = !blank && (counted || letter);
    }
    return n;
}

double lesson_reading_seconds(size_t words) {
    return (double)words * MINUTE / WORDS_PER_MINUTE;
}

size_t lesson_words(const json_t *v) {
    size_t n = lesson_text_words(json_string_value(v)), i;
    json_t *each;
    const char *name;
    json_array_foreach(v, i, each) n += lesson_words(each);
    json_object_foreach((json_t *)v, name, each) n +=
        strcmp(name, "has") != 0 ? lesson_words(each) : 0;
    return n;
}

size_t lesson_step_figures(const json_t *step) {
    size_t n = json_object_get(step, "figure") != NULL;
    return n + (json_object_get(step, "after") != NULL);
}

double lesson_step_seconds(const struct lesson *l, size_t i) {
    static const char *const read[] = {"text",   "ask",   "reveal",   "claim", "because", "choices",
                                       "points", "model", "question", "notes", "try"};
    const json_t *json = l->step[i].json;
    if (!lesson_step_passed(l, i)) return 0;
    size_t words = 0;
    for (size_t k = 0; k < BASE_COUNT(read); k++)
        words += lesson_words(json_object_get(json, read[k]));
    bool sheet = strcmp(lesson_form(l, i), "sheet") == 0;
    return lesson_reading_seconds(words) + LOOKING * (double)lesson_step_figures(json) +
           (sheet ? LESSON_SHEET_SECONDS : DOING[l->step[i].kind]);
}

int lesson_minutes(const struct lesson *l) {
    double seconds = 0;
    for (size_t i = 0; i < l->count; i++) seconds += lesson_step_seconds(l, i);
    int minutes = (int)(seconds / MINUTE + 0.5);
    return minutes > 0 ? minutes : 1;
}
