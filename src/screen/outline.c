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
    free(o->aside);
    *o = (struct outline){0};
}

static void add_step(struct outline *o, const struct session *session, const char *id, size_t n) {
    char *name = base_format("%.*s", (int)n, id);
    const char *title = session_step_title(session, name);
    o->step = base_grow(o->step, o->count + 1, sizeof *o->step);
    o->step[o->count++] =
        (struct outline_step){.id = name,
                              .title = *title ? base_dup(title) : base_words(name),
                              .came = session_step_came(session, name),
                              .opened = session_step_is_opened(session, name),
                              .asks = session_is_forward(session) || /* cards, too */
                                      session_step_asks(session, name)};
}

static void take_step(void *to, const struct learner_step *s) {
    struct outline *o = to;
    o->step = base_grow(o->step, o->count + 1, sizeof *o->step);
    o->step[o->count++] =
        (struct outline_step){.id = base_dup(s->id),
                              .title = *s->title ? base_dup(s->title) : base_words(s->id),
                              .came = s->came,
                              .opened = s->opened,
                              .asks = s->asks};
}

void screen_outline_of(struct outline *o, struct learner *who, size_t lesson) {
    screen_outline_free(o);
    session_learner_steps(who, lesson, take_step, o);
}

size_t screen_outline_find(const struct outline *o, const char *id, bool *listed) {
    size_t i = 0;
    while (i < o->count && !(id && strcmp(o->step[i].id, id) == 0)) i++;
    *listed = i < o->count;
    bool aside = !*listed && id && o->aside && strcmp(o->aside, id) == 0;
    return aside ? o->before : i;
}

void screen_outline_reach(struct outline *o, const char *id) {
    bool listed;
    size_t at = screen_outline_find(o, id, &listed);
    o->reached = at < o->count || !id ? at : 0;
}

static void put_aside(struct outline *o, const struct session *session) {
    const struct lesson *l = session_lesson(session);
    const char *here = lesson_where(session_dialogue(session));
    bool listed;
    screen_outline_find(o, here, &listed);
    if (listed) return;
    o->aside = base_dup(here);
    for (size_t i = 0; i < o->count; i++)
        o->before += lesson_find(l, o->step[i].id) < lesson_find(l, here);
}

/* The order of the steps is a setting of the record, kept there when a lesson is opened: ids with a
 * blank between. */
void screen_outline_read(struct outline *o, struct store *s, const struct session *session) {
    const char *lesson = lesson_id(session_lesson(session));
    char *name = base_format("outline/%s", lesson);
    char *ids = store_setting(s, name);
    screen_outline_free(o);
    for (const char *id = ids; id && *id;) {
        size_t n = strcspn(id, " ");
        if (n) add_step(o, session, id, n);
        id += n + (id[n] == ' ');
    }
    put_aside(o, session);
    screen_outline_reach(o, lesson_reached(session_dialogue(session)));
    free(ids);
    free(name);
}

const char *const screen_outline_signs =
    "In the list of steps a sign is full once the step is done, half full after a wrong answer, a "
    "dash or an s if you skipped it, and empty if it is still to come.";

/* What asks nothing is done once one has come past it, and what was not answered is skipped, as is
 * what a jump left out. */
static enum page_strength strength_of(const struct outline_step *s, bool passed) {
    if (s->came == LESSON_CAME_WRONG) return PAGE_BEGUN;
    if (s->came == LESSON_CAME_RIGHT) return PAGE_SOLID;
    return !passed ? PAGE_NOT_MET : s->asks || !s->opened ? PAGE_SKIPPED : PAGE_SOLID;
}

static void draw_step(const struct outline *o, struct page *p, size_t i, size_t here, bool listed,
                      const char *sign) {
    const struct outline_step *s = &o->step[i];
    int row = page_height(p);
    int right = page_width(p) - 1;
    char *text = page_cut(s->title, *sign ? right - 5 : right - 3, page_ascii(p));
    bool open = listed && i == here;
    bool passed = here == o->count || i < o->reached;
    unsigned role = open ? PAGE_STRONG : passed ? PAGE_PLAIN : PAGE_DIM;
    page_blank(p, 1);
    if (open) page_put(p, row, 0, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_strength_put(p, row, 2, strength_of(s, passed));
    page_put(p, row, 4, role, 0, text);
    page_put(p, row, right, PAGE_ACCENT, 0, sign);
    free(text);
}

/* The step that stands in the first of so many rows. */
static size_t find_first(const struct outline *o, size_t at, size_t space, int *by) {
    int last = o->count > space ? (int)(o->count - space) : 0; /* that it may be */
    int first = at < o->count && at > space / 2 ? (int)(at - space / 2) : 0;
    if (first > last) first = last;
    if (*by > last - first) *by = last - first;
    if (*by < -first) *by = -first;
    return (size_t)(first + *by);
}

size_t screen_outline_draw(const struct outline *o, struct page *p, int rows, const char *here,
                           int *by) {
    bool listed;
    size_t at = screen_outline_find(o, here, &listed), space = rows > 0 ? (size_t)rows : 0;
    if (!space || (here && at == o->count)) return o->count;
    size_t first = find_first(o, at, space, by), end = first + space;
    for (size_t i = first; i < end && i < o->count; i++) {
        bool more = i + 1 == end && end < o->count;
        draw_step(o, p, i, at, listed, i == first && first > 0 ? "▲" : more ? "▼" : "");
    }
    return first;
}

void screen_outline_zones(const struct outline *o, struct frame *f, size_t first, int row, int rows,
                          int column, int width) {
    int sign = column + width - 1;
    if (rows > 0 && first > 0) screen_frame_zone(f, row, sign, 1, PRESS_NONE, OUTLINE_UP);
    if (rows > 0 && first + (size_t)rows < o->count)
        screen_frame_zone(f, row + rows - 1, sign, 1, PRESS_NONE, OUTLINE_DOWN);
    for (int r = 0; r < rows; r++)
        screen_frame_zone(f, row + r, column, width, PRESS_NONE, OUTLINE_TARGET + (int)first + r);
}
