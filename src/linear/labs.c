/* labs: the named labs as a list, under the questions that they answer. What is typed for one opens
 * it as a lesson of one step, which asks before its runs and after them. */
#include "linear/inside.h"

#include <string.h>

/* The question of the lesson that lab `i` is the first of, and its labs; where the next lesson's
 * begin. */
static size_t add_lesson(struct base_text *t, size_t i) {
    const char *lesson = experiment_lab_at(i)->lesson;
    base_text_printf(t, "%s **%s**\n\n", lesson, experiment_lesson_asks(lesson));
    for (; i < experiment_labs() && !strcmp(experiment_lab_at(i)->lesson, lesson); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        base_text_printf(t, "- `%s`: %s, %u min\n", lab->name, lab->title, lab->minutes);
    }
    base_text_puts(t, "\n");
    return i;
}

void linear_print_labs(struct talk *t) {
    struct base_text text = {0};
    for (size_t i = 0; i < experiment_labs();) i = add_lesson(&text, i);
    base_text_printf(&text,
                     "Type a lab's name, such as `%s`, to open it: it asks for your guess, and "
                     "runs.",
                     experiment_lab_at(0)->name);
    linear_print_markdown(t, PAGE_PLAIN, text.s);
    base_text_free(&text);
}

char *linear_lab_meant(const char *line) {
    static const char word[] = LEARNER_LAB;
    size_t n = sizeof word - 1;
    if (strncmp(line, word, n) == 0 && line[n] == ' ') line += n + strspn(line + n, " ");
    return experiment_lab_find(line) ? base_format(LEARNER_LAB "/%s", line) : NULL;
}
