/* outline: the steps of the lesson that is open. */
#include "screen/outline.h"

#include <stdlib.h>
#include <string.h>

void screen_outline_free(struct outline *o) {
    for (size_t i = 0; i < o->count; i++) {
        free(o->step[i].id);
        free(o->step[i].title);
    }
    free(o->step);
    *o = (struct outline){0};
}

static void add_step(struct outline *o, const struct session *session, const char *id, size_t n) {
    char *name = base_format("%.*s", (int)n, id);
    const char *title = session_step_title(session, name);
    o->step = base_grow(o->step, o->count + 1, sizeof *o->step);
    o->step[o->count++] =
        (struct outline_step){.id = name,
                              .title = *title ? base_dup(title) : screen_frame_words(name),
                              .came = session_step_came(session, name)};
}

/* The order of the steps is a setting of the record, kept there when a lesson is opened: ids with a
 * blank between. */
void screen_outline_read(struct outline *o, struct store *s, const struct session *session) {
    const char *lesson = session_lesson_id(session);
    char *name = base_format("outline/%s", lesson);
    char *ids = store_setting(s, name);
    screen_outline_free(o);
    for (const char *id = ids; id && *id;) {
        size_t n = strcspn(id, " ");
        if (n) add_step(o, session, id, n);
        id += n + (id[n] == ' ');
    }
    free(ids);
    free(name);
}

static void draw_step(const struct outline *o, struct frame *f, int row, size_t i, size_t here) {
    static const struct {
        const char *sign;
        unsigned role;
    } signs[] = {
        [LESSON_CAME_NOT] = {"·",  PAGE_DIM },
        [LESSON_CAME_RIGHT] = {"●", PAGE_GOOD},
        [LESSON_CAME_WRONG] = {"◐", PAGE_WARN}
    };
    const struct outline_step *s = &o->step[i];
    char *text = screen_frame_cut(s->title, f->pane_width - 5, page_ascii(f->page));
    if (i == here) page_put(f->page, row, f->pane_left, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(f->page, row, f->pane_left + 2, signs[s->came].role, 0, signs[s->came].sign);
    page_put(f->page, row, f->pane_left + 4,
             i == here  ? PAGE_STRONG
             : i < here ? PAGE_PLAIN
                        : PAGE_DIM,
             0, text);
    screen_frame_zone(f, row, f->pane_left - f->left, f->pane_width, PRESS_NONE,
                      OUTLINE_TARGET + (int)i);
    free(text);
}

static size_t find_step(const struct outline *o, const char *id) {
    size_t i = 0;
    while (i < o->count && !(id && strcmp(o->step[i].id, id) == 0)) i++;
    return i;
}

void screen_outline_draw(const struct outline *o, struct frame *f, const char *here) {
    size_t at = find_step(o, here), rows = (size_t)f->rows;
    if (!f->pane_width || at == o->count) return;
    size_t first = at > rows / 2 ? at - rows / 2 : 0;
    size_t last = o->count > rows ? o->count - rows : 0; /* that first may be */
    if (first > last) first = last;
    for (size_t r = 0; r < rows && first + r < o->count; r++)
        draw_step(o, f, f->top + (int)r, first + r, at);
}
