/* player: time for plays. Between frames, and while it stands still, nothing wakes up. */
#include "screen/player.h"

#include <stdlib.h>
#include <string.h>

enum { SLOWEST = -3, FASTEST = 3, LEAST_MS = 20, TRACK_LEAST = 8, TRACK_MOST = 40 };

static const struct lesson_slider *frames(const struct lesson_ask *ask) {
    return &ask->slider[0];
}

static int time_of(const struct player *p, const struct lesson_ask *ask) {
    int ms = (int)ask->play->ms;
    ms = p->speed < 0 ? ms << -p->speed : ms >> p->speed;
    return ms < LEAST_MS ? LEAST_MS : ms;
}

void screen_player_see(struct player *p, const struct lesson_ask *ask, bool motion) {
    if (!p->seen) {
        p->playing = !lesson_play_is_over(ask);
        p->due = base_ticks() + ask->play->opening_ms;
    }
    p->seen = true;
    p->playing &= motion;
}

void screen_player_show(struct player *p, const struct lesson_ask *ask) {
    if (!ask || lesson_play_is_over(ask)) p->playing = false;
    if (p->playing) p->due = base_ticks() + time_of(p, ask);
}

int screen_player_wait(const struct player *p, const struct lesson_ask *ask) {
    if (!p->playing || !ask || !ask->play || ask->play->question) return -1;
    int64_t left = p->due - base_ticks();
    return left < 0 ? 0 : (int)left;
}

int screen_player_toggle(struct player *p, const struct lesson_ask *ask) {
    p->playing = !p->playing;
    if (p->playing) p->due = base_ticks() + time_of(p, ask);
    return p->playing && lesson_play_is_over(ask) ? -(int)frames(ask)->position : 0;
}

void screen_player_faster(struct player *p, int by, const struct lesson_ask *ask) {
    p->speed += by;
    if (p->speed < SLOWEST) p->speed = SLOWEST;
    if (p->speed > FASTEST) p->speed = FASTEST;
    if (p->playing) p->due = base_ticks() + time_of(p, ask);
}

/* ── where one stands ──────────────────────────────────────────────────────────────────────────*/
/* "hop 2 of 6   ranks 4   speed ×2": what is as usual is left out. */
static char *state_text(const struct player *p, const struct lesson_ask *ask, bool motion) {
    struct base_text t = {0};
    base_text_puts(&t, frames(ask)->value);
    for (size_t i = 1; i < ask->sliders; i++)
        base_text_printf(&t, "   %s %s", ask->slider[i].label, ask->slider[i].value);
    if (motion && p->speed > 0) base_text_printf(&t, "   speed ×%d", 1 << p->speed);
    if (motion && p->speed < 0) base_text_printf(&t, "   speed 1/%d", 1 << -p->speed);
    return base_text_take(&t);
}

/* A cell for each frame, or a part of them each where there are more than cells. */
static int draw_track(struct player *p, const struct lesson_ask *ask, struct frame *f, int row,
                      int column, int space) {
    int count = (int)frames(ask)->count, cells = space < TRACK_MOST ? space : TRACK_MOST;
    if (cells > count) cells = count;
    bool same = p->frames == count && p->columns == f->columns;
    if (same && cells > p->cells) cells = p->cells; /* words come and go, the track stays */
    int here = count > 1 ? (int)frames(ask)->position * (cells - 1) / (count - 1) : 0;
    for (int i = 0; i < cells; i++) {
        page_put(f->page, row, f->left + column + i, i <= here ? PAGE_ACCENT : PAGE_DIM, 0,
                 i == here  ? "●"
                 : i < here ? "━"
                            : "─");
    }
    screen_frame_zone(f, row, column, cells, PRESS_NONE, PLAYER_TARGET);
    p->column = f->left + column;
    p->cells = cells;
    p->frames = count;
    p->columns = f->columns;
    return column + cells;
}

long screen_player_frame_at(const struct player *p, int column) {
    int last = p->cells - 1, at = column - p->column;
    at = at < 0 ? 0 : at > last ? last : at;
    return last > 0 ? (at * (p->frames - 1) + last / 2) / last : 0;
}

static void put(struct frame *f, int row, int column, int width, unsigned role, const char *text) {
    char *cut = page_cut(text, width - column, page_ascii(f->page));
    screen_frame_put(f, row, column, role, 0, cut);
    free(cut);
}

/* Where the text of a page's row ends. */
static int end_of(const struct page *p, int row) {
    int end = page_width(p);
    while (end > 0 && strchr(" ", *page_cell(p, row, end - 1)->text)) end--;
    return end;
}

/* The digits that answer, each of which can be clicked, or where they have no room how far they
 * go. */
static void draw_digits(struct frame *f, int row, int column, int width, int digits) {
    if (column + 2 * digits > width) {
        char range[] = "0–9";
        range[strlen(range) - 1] = (char)('0' + digits - 1);
        screen_frame_put(f, row, column, PAGE_KEY, 0, range);
        return;
    }
    for (int i = 0; i < digits; i++) {
        char digit[2] = {(char)('0' + i), '\0'};
        screen_frame_put(f, row, column + 2 * i, PAGE_KEY, 0, digit);
        screen_frame_zone(f, row, column + 2 * i, 2, (uint32_t)*digit, -1);
    }
}

enum { MOST_ROWS = 4 };

static struct page *lay_question(const struct lesson_play *play, const struct frame *f, int width) {
    enum { LEAST_DIGITS = 5 };
    char *text = base_format("? %s", play->question);
    struct page *note = page_new(width, page_ascii(f->page));
    page_text(
        note,
        (struct page_flow){.indent = 1, .width = width - 1 - LEAST_DIGITS, .role = PAGE_ACCENT},
        text);
    free(text);
    return note;
}

static int question_rows(const struct page *note) {
    return page_height(note) < MOST_ROWS ? page_height(note) : MOST_ROWS;
}

int screen_player_takes(const struct lesson_ask *ask, const struct frame *f, int width) {
    if (!ask || !ask->play || !ask->play->question) return 0;
    struct page *note = lay_question(ask->play, f, width);
    int rows = question_rows(note) - 1;
    page_free(note);
    return rows;
}

/* A long question ends in `row`, and begins in the rows above it. No note covers it. */
static void draw_question(const struct lesson_play *play, struct frame *f, int row, int width) {
    struct page *note = lay_question(play, f, width);
    int rows = question_rows(note), top = row - rows + 1;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < (i + 1 < rows ? f->width : width); c++)
            page_put(f->page, top + i, f->left + c, PAGE_PLAIN, 0, " ");
    f->foot = rows;
    screen_frame_window(f, note, 0, rows, top, f->left);
    draw_digits(f, row, end_of(note, rows - 1) + 2, width, (int)play->digits);
    page_free(note);
}

const char *screen_player_keys(size_t option) {
    static const char *const keys[ACCOUNT_PLAY_OPTIONS] = {"< >", "( )", "{ }"};
    return keys[option];
}

/* A click on what an option is now, "ranks 4", is the key for its next value. */
static void zone_options(const struct lesson_ask *ask, struct frame *f, int row, int column,
                         int width) {
    column += base_width(frames(ask)->value);
    for (size_t i = 1; i < ask->sliders; i++) {
        const char *keys = screen_player_keys(i - 1);
        screen_key_named(&keys);
        int cells = base_width(ask->slider[i].label) + 1 + base_width(ask->slider[i].value);
        column += 3;
        if (column + cells <= width)
            screen_frame_zone(f, row, column, cells, screen_key_named(&keys), -1);
        column += cells;
    }
}

void screen_player_draw(struct player *p, const struct lesson_ask *ask, bool motion,
                        struct frame *f, int row, int width) {
    f->foot = 1; /* a hint does not hide it */
    if (ask->play->question) {
        draw_question(ask->play, f, row, width);
        return;
    }
    char *state = state_text(p, ask, motion);
    int space = width - 4 - base_width(state) - 3, column = 1;
    if (motion) screen_frame_zone(f, row, 1, 1, ' ', -1);
    if (motion)
        column = 2 + screen_frame_put(f, row, 1, PAGE_ACCENT, 0,
                                      p->playing ? (page_ascii(f->page) ? ">" : "▶")
                                                 : (page_ascii(f->page) ? "|" : "‖"));
    if (space >= TRACK_LEAST) column = draw_track(p, ask, f, row, column, space) + 2;
    put(f, row, column, width, PAGE_DIM, state);
    zone_options(ask, f, row, column, width);
    free(state);
}
