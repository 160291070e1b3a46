/* lesson_draw: the lesson's screen. The page on top, the input under it; when they do not fit
 * together, the input stands at the bottom and the page is a window above it. */
#include "screen/lesson.h"
#include "screen/list.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_LEAST = 4 };  /* rows that an input leaves for the page and the gap, if that is all */
enum { MORE = 10 };       /* cells of the sign that there is more */
enum { PINNED_PART = 4 }; /* at most one row in so many is a title that stays */

/* Whether the window does not yet reach the page's end. */
static bool more_below(const struct lesson *l) {
    return l->top + l->capacity < l->height;
}

bool screen_lesson_turns(const struct lesson *l) {
    if (l->folded) return true;
    bool read = l->unfolded || screen_input_typed(&l->input);
    return more_below(l) && (!read || l->seen < l->height);
}

void screen_lesson_scroll(struct lesson *l, int by) {
    int last = l->height > l->capacity ? l->height - l->capacity : 0;
    if (last < l->last) last = l->last;
    l->top += by;
    if (l->top > last) l->top = last;
    if (l->top < 0) l->top = 0;
}

/* The page's end, or as near to it as the question can be read. A figure below the question gives
 * way. */
static void show_end(struct lesson *l) {
    const struct said_page *page = screen_lesson_page(l);
    int end = l->height - l->capacity, from, to;
    if (screen_page_question(page, &from, &to)) {
        int top = to - l->capacity > from ? to - l->capacity : from;
        if (top < end) end = top;
    }
    if (end > l->top) l->top = screen_page_block_from(page, end, end);
    l->seen = l->height;
}

/* An input that waits comes with the last of what is above it. */
void screen_lesson_turn(struct lesson *l) {
    bool comes = l->folded && l->height - (l->capacity - l->takes) <= l->seen;
    if (!comes && more_below(l)) screen_lesson_scroll(l, l->capacity > 2 ? l->capacity - 1 : 1);
    if (!comes) return;
    l->unfolded = l->to_end = true;
    l->top = 0;
}

/* ── the title ─────────────────────────────────────────────────────────────────────────────────*/
/* After a blank, as after a sign, it follows without a point. */
static void add_part(struct base_text *t, const char *part) {
    bool follows = t->length > 0 && t->s[t->length - 1] != ' ';
    base_text_printf(t, "%s%s", follows ? " · " : "", part);
}

/* What is left of the clock of an explanation. */
static void add_clock(const struct lesson *l, struct base_text *t) {
    int left;
    if (!session_clock(l->session, &left)) return;
    char *clock = left >= 0 ? base_format("%d:%02d", left / 60, left % 60) : NULL;
    add_part(t, clock ? clock : "time is up");
    free(clock);
}

/* Which words of a page are on, if they are not its usual ones. */
static void add_wording(const struct lesson *l, struct base_text *t) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    if (!ask || !ask->words || l->looking) return;
    if (strcmp(ask->words, "briefly") == 0) add_part(t, "briefly");
    if (strcmp(ask->words, "slowly") == 0) add_part(t, "slowly");
}

/* A bookmark, a raised hand, a note, other words, the clock. */
static struct base_text marks_of(const struct lesson *l) {
    struct base_text t = {0};
    base_text_puts(&t, l->bookmark ? "★ " : "");
    if (session_hand(l->view.app->learner)) add_part(&t, "hand");
    if (l->note) add_part(&t, "note");
    add_wording(l, &t);
    add_clock(l, &t);
    return t;
}

/* A click on the bookmark or the note in the title is the key that made it. */
static void zone_marks(const struct lesson *l, struct frame *f, const char *right) {
    static const struct { const char *mark, *keys; } marks[] = {{"★", "b"}, {"note", "A F11"}};
    for (size_t i = 0; i < BASE_COUNT(marks); i++) {
        const char *at = strstr(right, marks[i].mark), *keys = marks[i].keys;
        int column = f->width - 1 - base_width(at ? at : "");
        bool zoned = false;
        while (at && *keys && !zoned) {
            const struct key k = {.code = screen_key_named(&keys), .target = -1};
            zoned = screen_actions_find(&l->view, &k) != NULL;
            if (zoned) screen_frame_zone(f, 0, column, base_width(marks[i].mark), k.code, -1);
        }
    }
}

_Static_assert((int)LEARNER_SOLID == (int)PAGE_SOLID && (int)LEARNER_WEAK == (int)PAGE_WEAK &&
                   (int)LEARNER_PASSED_OVER == (int)PAGE_SKIPPED,
               "the strengths are the same in both");
enum { SIGNS_GAP = 3 };

/* "Review  3 of 7                   about 2 min left   ●●◔○○○○": how far it has come, and how each
 * thing came out. On a terminal that is too narrow for the signs they are left out. */
static void draw_forward_title(const struct lesson *l, struct frame *f) {
    int minutes = session_minutes_left(l->session), signs = l->steps ? (int)l->steps - 1 : 0;
    char *heading = session_heading(l->session),
         *far = session_how_far(l->session, l->step, l->steps, "/"),
         *left = base_format("%s  %s", heading, l->steps ? far : ""),
         *time = base_format("about %d min left", minutes);
    struct base_text right = marks_of(l);
    if (minutes > 0) add_part(&right, time);
    int room = f->width - 4 - base_width(left) - base_width(right.s);
    if (signs + SIGNS_GAP > room) signs = 0;
    if (signs > 0) base_text_printf(&right, "%*s", SIGNS_GAP + signs, "");
    screen_frame_title(f, left, right.s);
    zone_marks(l, f, right.s);
    for (int i = 0; i < signs; i++)
        page_strength_put(f->page, 0, f->left + f->width - 1 - signs + i,
                          (enum page_strength)session_step_strength(l->session, (size_t)i));
    base_text_free(&right);
    free(time);
    free(left);
    free(far);
    free(heading);
}

static void draw_title(const struct lesson *l, struct frame *f) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool plays = ask && ask->play && l->title; /* a frame has no row for its step's title */
    char *id = base_words(lesson_id(session_lesson(l->session))),
         *left = plays ? base_format("%s  %s", id, l->title) : session_heading(l->session);
    char *far = session_how_far(l->session, l->step, l->steps, "/");
    int try = l->looking ? l->past_try : ask && ask->graded ? ask->counted : 1;
    char *tries = base_format("try %d", try);
    struct base_text right = marks_of(l);
    if (try > 1) add_part(&right, tries);
    if (l->steps) add_part(&right, far);
    /* "step 8 / 15" is "8 / 15" rather than that the title is cut */
    char *step = strstr(right.s, "step ");
    if (step && base_width(left) + base_width(right.s) + 4 > f->width)
        memmove(step, step + strlen("step "), strlen(step + strlen("step ")) + 1);
    screen_frame_title(f, left, right.s);
    zone_marks(l, f, right.s);
    base_text_free(&right);
    free(tries);
    free(left);
    free(id);
    free(far);
}

/* Rows of the title that stay while scenes go by under it, in a window that has room for both. */
static int pinned_rows(const struct lesson *l) {
    const struct lesson_ask *ask = l->looking ? NULL : lesson_asked(session_dialogue(l->session));
    int title = screen_page_title_rows(screen_lesson_page(l));
    return ask && ask->scenes && title <= l->capacity / PINNED_PART ? title : 0;
}

/* A figure that a slider changed is shown whole, if there is room; else its end, where the totals
 * are. A scene keeps its beginning in view. */
static void keep_figure(struct lesson *l) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    int from = screen_page_fresh_row(screen_lesson_page(l)),
        end = screen_page_fresh_end(screen_lesson_page(l), l->height);
    bool whole = end - from <= l->capacity;
    if (ask && ask->scenes)
        l->top = from - pinned_rows(l);
    else if (end > l->top + l->capacity || (!whole && end <= l->top))
        l->top = end - l->capacity;
    else if (whole && from < l->top)
        l->top = from;
}

enum { EMPTY_PART = 8 }; /* one row, and one in so many, may stay empty for that */

/* Where the window begins that is to show all from `wanted` on: above that a block, or else a
 * paragraph, is shown whole or not at all, unless much of the window would then be empty. */
static int begin_window(const struct lesson *l, int wanted, int end) {
    const struct said_page *page = screen_lesson_page(l);
    int block = screen_page_block_from(page, wanted, end),
        paragraph = screen_page_paragraph_from(page, wanted, end),
        least = wanted + 1 + l->capacity / EMPTY_PART;
    return block <= least ? block : paragraph <= least ? paragraph : wanted;
}

/* The line that is read aloud is shown whole, or as much of it as there is room for. */
static void follow_voice(struct lesson *l) {
    const struct screen_page_spoken *s = &l->aloud.spot;
    if (s->from < l->top || s->to - s->from > l->capacity)
        l->top = s->from;
    else if (s->to > l->top + l->capacity)
        l->top = s->to - l->capacity;
    l->aloud.follow = false;
}

/* A third of the way in each drawing, the one that answers the key included; one row at least. */
static int glide(int from, int to) {
    int way = to - from;
    return from + (way / 3 ? way / 3 : (way > 0) - (way < 0));
}

/* Whether a window that begins at row `top` has lost a part of the question. */
static bool cuts_question(const struct lesson *l, int top) {
    int from, to;
    return top > (screen_page_question(screen_lesson_page(l), &from, &to) ? from : 0);
}

/* Of what was said last, its end is shown, unless its beginning would then be lost. An answer's
 * feedback that does not fit with its question begins at the top. */
static void follow(struct lesson *l) {
    int fresh = screen_page_fresh_row(screen_lesson_page(l)) - pinned_rows(l),
        end = l->height - l->capacity;
    int wanted = end < fresh && !(l->looking && cuts_question(l, end)) ? end : fresh;
    if (l->follow) l->last = l->top = wanted > 0 ? begin_window(l, wanted, end) : 0;
    if (l->moved) keep_figure(l);
    if (l->to_end) show_end(l);
    if (l->aloud.follow) follow_voice(l);
    l->follow = l->moved = l->to_end = false;
    screen_lesson_scroll(l, 0);
    l->shown = l->view.app->look.motion ? glide(l->shown, l->top) : l->top;
    if (l->seen < l->top + l->capacity) l->seen = l->top + l->capacity;
}

/* The rows of the option under the cursor: they are shown together where there is room. */
static int end_of_focus(const struct input_spot *spot, int from) {
    int to = from + 1;
    while (from < INPUT_ROWS && to < INPUT_ROWS && spot->target[from] >= 0 &&
           spot->target[to] == spot->target[from])
        to++;
    return to;
}

static void put_bins(struct frame *f, const struct input_spot *spot, int by) {
    for (size_t i = 0; i < spot->bins; i++) {
        const struct input_bin *b = &spot->bin[i];
        screen_frame_zone(f, b->row + by, b->column, b->width, PRESS_NONE, INPUT_BIN + (int)i);
    }
}

/* The field's cells within the window; the box is kept as it lies on the terminal. */
static void put_box(struct lesson *l, struct frame *f, struct input_box box, int row, int rows) {
    l->input.box = box;
    l->input.box.column += f->left;
    for (int r = box.row; r < box.row + box.rows; r++)
        if (r >= row && r < row + rows)
            screen_frame_zone(f, r, box.column, box.width, PRESS_NONE, INPUT_FIELD);
}

/* What of the options is out of view is told at the margin. */
static void put_signs(struct frame *f, int column, bool above, bool below, int row, int rows) {
    if (above) page_put(f->page, row, column, PAGE_ACCENT, 0, "▲");
    if (below) page_put(f->page, row + rows - 1, column, PAGE_ACCENT, 0, "▼");
}

static void put_input(struct lesson *l, struct frame *f, const struct page *input,
                      const struct input_spot *spot, int row, int rows) {
    int pinned = spot->pinned < rows ? spot->pinned : 0;
    int height = page_height(input) - pinned, window = rows - pinned;
    int focus = spot->cursor_row < 0 ? 0 : spot->cursor_row;
    screen_list_keep_in_view(&l->input_top, height, window, focus, end_of_focus(spot, focus));
    int top = l->input_top;
    screen_frame_window(f, input, top, window, row, f->left);
    screen_frame_window(f, input, height, pinned, row + window, f->left);
    put_signs(f, f->left + page_width(input) - 1, top > 0, top + window < height, row, window);
    if (pinned) put_bins(f, spot, row + window - height);
    struct input_box box = spot->box;
    box.row += row - top;
    put_box(l, f, box, row, window);
    for (int r = 0; r < window && top + r < INPUT_ROWS; r++) {
        int target = spot->target[top + r];
        if (target >= 0) screen_frame_zone(f, row + r, 0, f->width, PRESS_NONE, target);
    }
    if (spot->cursor_row >= 0)
        screen_frame_cursor(f, row + spot->cursor_row - top, spot->cursor_column);
}

/* In a window of another size the old rows mean nothing. */
static void note_size(struct lesson *l, const struct frame *f) {
    if (l->columns == f->columns && l->rows == f->all_rows) return;
    l->columns = f->columns;
    l->rows = f->all_rows;
    l->last = l->seen = l->stands = 0;
    if (screen_page_fresh_row(screen_lesson_page(l)) > 0) l->follow = true;
}

/* Next to a page that fits, an input may take what is left of the body; next to a longer one half
 * of it. Sliders, worksheets and the lines of a solution grow as figures do. */
static void size_input(struct lesson *l, const struct frame *f) {
    int left = f->rows - l->height - 1, half = f->rows / 2;
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool grows = ask && (ask->form == LESSON_SLIDERS || ask->lines > 0);
    l->input.columns = f->width < FRAME_PROSE || grows ? f->width : FRAME_PROSE;
    l->input.capacity = left > half ? left : half;
    l->input.half = half;
}

enum { LOW = 16 };

/* Whether there are options, or a field in which nothing is typed yet, that can wait until the
 * question above them was read. */
static bool can_wait(const struct lesson *l) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool empty = l->input.does->typing && !screen_input_typed(&l->input);
    return !l->looking && !l->unfolded && ask && (ask->options > 0 || empty);
}

/* In a low window they wait if all does not fit in it. */
static bool folds(const struct lesson *l, const struct frame *f, int rows) {
    return can_wait(l) && f->all_rows < LOW && l->height + 1 + rows > f->rows;
}

/* In every window they wait while the question is below it. */
static bool hides_question(const struct lesson *l) {
    int from, to;
    return can_wait(l) && screen_page_question(screen_lesson_page(l), &from, &to) &&
           to > l->top + l->capacity;
}

bool screen_lesson_shows(const struct lesson *l, int row) {
    return row >= l->shown + pinned_rows(l) && row < l->shown + l->capacity;
}

/* Puts the verdict on a sheet's line below the sheet, if there is room for both, so that the sheet
 * keeps its place. Returns the first row of the page that moves below the input, or -1. */
static int below_input(const struct lesson *l, const struct frame *f, int rows) {
    const struct lesson_ask *ask = l->looking ? NULL : lesson_asked(session_dialogue(l->session));
    bool room = l->height + 1 + rows <= f->rows;
    return room && ask && ask->form == LESSON_LINE ? screen_page_line_row(screen_lesson_page(l))
                                                   : -1;
}

/* The row of the frame for a row of the page. */
static int frame_row(const struct lesson *l, const struct frame *f, int row) {
    return f->top + row - l->shown + (l->below >= 0 && row >= l->below ? l->below_by : 0);
}

static void draw_page(const struct lesson *l, struct frame *f, const struct page *page) {
    int pinned = pinned_rows(l);
    if (l->below >= 0) {
        screen_frame_window(f, page, 0, l->below, f->top, f->left);
        screen_frame_window(f, page, l->below, l->height - l->below, frame_row(l, f, l->below),
                            f->left);
        return;
    }
    screen_frame_window(f, page, 0, pinned, f->top, f->left);
    screen_frame_window(f, page, l->shown + pinned, l->capacity - pinned, f->top + pinned, f->left);
}

/* Where the page shows a term, a click explains it. */
static void put_terms(const struct lesson *l, struct frame *f) {
    const struct terms *terms = &screen_lesson_page(l)->terms;
    for (size_t i = 0; i < terms->count; i++) {
        const struct terms_span *t = &terms->span[i];
        if (screen_lesson_shows(l, t->row))
            screen_frame_zone(f, frame_row(l, f, t->row), t->column, t->width, PRESS_NONE,
                              TERMS_TARGET + (int)i);
    }
}

/* Where the text of a row begins. */
static int text_begins(const struct page *p, int row) {
    int column = 0;
    while (column < page_width(p) && *page_cell(p, row, column)->text == ' ') column++;
    return column;
}

/* A click on a numbered line that the page lists, or on those below that belong to it, does what
 * the number's key does. One on the last paragraph of a lesson's last page, which names the lesson
 * that comes next, does what Enter does. */
static void put_ways(const struct lesson *l, struct frame *f, const struct page *page) {
    size_t number = screen_lesson_leads(l);
    bool last = l->over;
    for (int row = page_height(page), end = row; (last || number > 0) && row-- > 0;) {
        int column = text_begins(page, row);
        const char *first = page_cell(page, row, column)->text;
        bool blank = column >= page_width(page);
        bool listed = number > 0 && *first == '0' + (int)number &&
                      *page_cell(page, row, column + 1)->text == '.';
        last = last && !blank && !listed;
        if (blank || last) end = row;
        for (int r = row; last ? r == row : listed && r < end; r++)
            if (screen_lesson_shows(l, r))
                screen_frame_zone(f, f->top + r - l->shown, column, page_width(page) - column,
                                  listed ? (uint32_t)*first : PRESS_ENTER, 0);
        if (!listed) continue;
        end = row;
        number--;
    }
}

/* The page and the input under it. */
struct layers {
    const struct page *page;
    struct page *input;
    struct input_spot spot;
};

static struct screen_page_area area_of(const struct lesson *l, const struct frame *f, int thick) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    return (struct screen_page_area){
        .width = f->width,
        .rows = ask && ask->play ? f->rows : 0,
        .thick = thick,
        .apart = screen_lesson_apart(l),
        .glossary = l->pane.glossary,
        .spoken = screen_lesson_speaks(l) ? (struct screen_page_spoken *)&l->aloud.spot : NULL};
}

/* The title above the page; a play has none. */
static const char *title_of(const struct lesson *l) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    return ask && ask->play ? NULL : l->title;
}

static void draw_input(struct lesson *l, const struct frame *f, struct layers *a) {
    struct input reading = {.does = &screen_input_next}; /* nothing is answered meanwhile */
    page_free(a->input);
    size_input(l, f);
    a->input = page_new(l->input.columns, l->view.app->look.ascii);
    screen_input_draw(l->looking ? &reading : &l->input, a->input, &a->spot);
}

static bool fits(const struct lesson *l, const struct layers *a, const struct frame *f) {
    int rows = page_height(a->input);
    return l->height + (rows > 0) + rows <= f->rows;
}

/* A figure that grows lower under its sliders leaves them where they are. */
static void stand(struct lesson *l) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool sliders = ask && ask->form == LESSON_SLIDERS && !ask->play;
    if (sliders && l->height < l->stands) l->height = l->stands;
    l->stands = sliders ? l->height : 0;
}

/* Whether page and input fit with bars so thick. */
static bool fits_with(struct lesson *l, const struct frame *f, struct layers *a, int thick) {
    l->height = screen_page_height(screen_lesson_page(l), title_of(l), area_of(l, f, thick),
                                   &l->view.app->look);
    draw_input(l, f, a);
    return fits(l, a, f);
}

/* How thick bars are that leave room for the rest; 1 if none do. What an answer brought is read
 * with its question: a figure and a gap between them give way to that. */
static int find_thick(struct lesson *l, const struct frame *f, struct layers *a) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool grows = screen_page_figure(screen_lesson_page(l)) && !(ask && ask->play);
    int thick = grows ? screen_frame_thick(f) : 1;
    while (!fits_with(l, f, a, thick) && thick > 1) thick--;
    return l->looking && !fits(l, a, f) ? SCREEN_PAGE_BARE : thick;
}

/* Bars are as thick as the terminal has room for, unless the page would then not fit. A play takes
 * the rows that there are. */
static struct layers lay_out(struct lesson *l, const struct frame *f) {
    struct layers a = {0};
    int thick = find_thick(l, f, &a);
    a.page = screen_page_lay(screen_lesson_page(l), title_of(l), area_of(l, f, thick),
                             &l->view.app->look);
    l->height = page_height(a.page);
    stand(l);
    return a;
}

/* What there is to say of the class, where a play has no bar. */
static void draw_class(const struct lesson *l, struct frame *f, bool plays) {
    struct learner *who = l->view.app->learner;
    struct session_open_step open;
    char *line = plays ? NULL : session_class_line(who);
    if (!line && !plays && session_class_open_step(who, &open))
        line = base_format("Open for all: %s  %s. Press %s to go there.", open.lesson, open.title,
                           l->input.does->typing && !l->looking ? "Alt-g" : "G");
    if (line) screen_frame_put(f, f->all_rows - 2, 1, PAGE_DIM, 0, line);
    free(line);
}

/* Begins the body lower if page and input leave rows free. A play has none to leave. */
static void begin_lower(struct lesson *l, struct frame *f, int rows, bool plays) {
    int lower = plays ? 0 : screen_frame_lower(f, rows), room = rows < f->rows ? f->rows - rows : 0;
    if (l->columns != f->columns || l->rows != f->all_rows) l->lower = -1;
    if (l->lower < 0 || plays) l->lower = lower;
    if (l->lower > room) l->lower = room;
    screen_frame_begin(f, l->lower);
}

/* The rows that an input may take next to a page that does not fit with it. A question that takes
 * at most half of the window stays whole above it. */
static int most_rows(const struct lesson *l, const struct frame *f) {
    int from, to, least = PAGE_LEAST;
    if (screen_page_question(screen_lesson_page(l), &from, &to) && to - from + 1 > least &&
        to - from + 1 <= (f->rows + 1) / 2)
        least = to - from + 1;
    return f->rows - least;
}

void screen_lesson_draw(struct view *v, struct frame *f) {
    struct lesson *l = (struct lesson *)v;
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    l->input.motion = v->app->look.motion;
    if (ask && ask->play) screen_player_see(&l->input.player, ask, l->input.motion);
    int body = f->rows;
    f->rows = body - screen_player_takes(ask, f, f->width - 1);
    struct layers a = lay_out(l, f);
    if (l->height > f->rows) f->rows = body - screen_player_takes(ask, f, f->width - MORE);
    int rows = page_height(a.input), gap = rows > 0;
    begin_lower(l, f, l->height + gap + rows, ask && ask->play);
    int most = most_rows(l, f);
    l->folded = folds(l, f, rows);
    l->takes = gap + (rows < most ? rows : most);
    if (l->folded) rows = gap = 0;
    if (rows > most && l->height + gap + rows > f->rows) rows = most;
    l->capacity = f->rows - rows - gap;
    note_size(l, f);
    follow(l);
    if (!l->folded && hides_question(l)) {
        l->folded = true;
        rows = gap = 0;
        l->capacity = f->rows;
        follow(l);
    }
    int left = l->height - l->shown, used = left < l->capacity ? left : l->capacity;
    l->below = below_input(l, f, rows);
    l->below_by = rows + gap;
    if (session_is_forward(l->session))
        draw_forward_title(l, f);
    else
        draw_title(l, f);
    draw_page(l, f, a.page);
    put_ways(l, f, a.page);
    put_terms(l, f);
    int under = l->below >= 0 ? l->below : used + gap;
    if (rows > 0) put_input(l, f, a.input, &a.spot, f->top + under, rows);
    screen_frame_more(f, l->top > 0, more_below(l) || l->folded);
    draw_class(l, f, ask && ask->play);
    if (ask && ask->play)
        screen_player_draw(&l->input.player, ask, l->input.motion, f, f->all_rows - 2,
                           f->width - (l->height > l->capacity ? MORE : 1));
    screen_frame_begin(f, -l->lower);
    f->rows = body;
    screen_pane_draw(&l->pane, f, &l->outline, l->over ? NULL : l->here, &v->app->look);
    page_free(a.input);
}
