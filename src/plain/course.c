/* course: the course as a list, and the question which lesson to take. */
#include "plain/inside.h"

#include <stdlib.h>
#include <string.h>

static const char *state(const struct desk_progress *p, char *out, size_t size) {
    if (p->finished)
        snprintf(out, size, "done, %zu of %zu right", p->right, p->graded);
    else if (p->step_number)
        snprintf(out, size, "at step %d", p->step_number);
    else
        snprintf(out, size, "%s", p->opened ? "begun" : "");
    return out;
}

static void print_phase(struct talk *t, int phase) {
    const struct study_course *c = desk_course(t->desk);
    const char *cell[BASE_COUNT(c->lesson) * 4];
    char done[BASE_COUNT(c->lesson)][48], minutes[BASE_COUNT(c->lesson)][16];
    size_t n = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        struct desk_progress progress = desk_progress(t->desk, i);
        if (c->lesson[i].phase != phase || !progress.exists) continue;
        snprintf(minutes[n], sizeof minutes[n], "%d min", c->lesson[i].minutes);
        cell[n * 4] = c->lesson[i].id;
        cell[n * 4 + 1] = c->lesson[i].title;
        cell[n * 4 + 2] = minutes[n];
        cell[n * 4 + 3] = state(&progress, done[n], sizeof done[n]);
        n++;
    }
    if (n == 0) return;
    struct paper *p = print_begin(t);
    paper_printf(p, 0, 0, PAPER_TITLE, "%d  %s", phase + 1, c->phase_title[phase]);
    paper_table(p, (struct paper_flow){.indent = 3}, cell, n, 4, "llrl", false);
    paper_blank(p, 1);
    print_page(t, p);
}

/* What an empty line takes. */
static const char *next_id(struct talk *t) {
    size_t i = desk_next(t->desk);
    return i < desk_course(t->desk)->lessons ? desk_course(t->desk)->lesson[i].id : NULL;
}

static void print_question(struct talk *t) {
    const char *next = next_id(t);
    char *text = next ? base_format("Which lesson? An empty line takes %s, `:quit` leaves.", next)
                      : base_dup("Every lesson is done. Which one again? `:quit` leaves.");
    print_markdown(t, PAPER_PLAIN, text);
    free(text);
}

char *choose_lesson(struct talk *t, bool *ended) {
    const struct study_course *c = desk_course(t->desk);
    for (size_t i = 0; i < c->phases; i++) print_phase(t, (int)i);
    for (;;) {
        print_question(t);
        char *line = read_line(t);
        *ended = !line;
        if (!line || strcmp(line, ":quit") == 0) {
            free(line);
            return NULL;
        }
        const char *id = *line ? line : next_id(t);
        size_t i = id ? desk_find(t->desk, id) : c->lessons;
        bool found = i < c->lessons && c->lesson[i].file;
        if (!found)
            print_markdown(t, PAPER_BAD, "There is no such lesson yet. Type an id, such as `1.1`.");
        free(line);
        if (found) return base_dup(c->lesson[i].id);
    }
}
