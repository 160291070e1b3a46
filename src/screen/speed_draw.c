/* speed_draw: the speed challenge as it looks in each of its states. */
#include "screen/speed.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUE_COLUMN = 14,
    WHAT_COLUMN = 40,
    NARROW = 70,
    SECOND = 1000,
    FIELD_WIDTH = 24,
    UNIT_GAP = 1,
    BAR_MOST = 40,
    /* columns in which words wrap, at least */
    WRAPPED = 30,
    /* rows of a body that has room for answers before the question */
    LOW = 14,
    /* rows that a round takes of a higher body, and those with which its clock is thicker */
    ROUND = 26,
    /* what is above the rows of the class's table, with blank ones */
    TABLE = 8,
    HIGH = 32
};

static const struct lesson_speed *round_of(const struct speed *s) {
    return session_speed_round(s->round);
}

static struct page_flow flow_of(const struct page *p, unsigned role) {
    return (struct page_flow){.indent = 1, .width = page_width(p) - 2, .role = role};
}

static void put_text(struct page *p, unsigned role, char *text) {
    page_text(p, flow_of(p, role), text);
    free(text);
}

/* ── the choices ───────────────────────────────────────────────────────────────────────────────*/
static const char *label_of(size_t row) {
    static const char *const labels[SPEED_ROWS] = {"subject", "clock", "answer"};
    return labels[row];
}

static char *value_of(const struct lesson_speed_options *o, size_t row) {
    if (row == 0) return base_dup(lesson_speed_subject_title(o->subject));
    if (row == 2) return base_dup(o->choose ? "pick a size" : "type a number");
    if (o->ms == 0) return base_dup("no clock");
    return base_format("%lld seconds", (long long)(o->ms / SECOND));
}

static const char *what_of(const struct lesson_speed_options *o, size_t row) {
    if (row == 0) return o->subject == LESSON_SPEED_ALL ? "mixed, rising by level" : "";
    if (row == 1) return o->ms == 0 ? "a dozen questions" : "";
    return o->choose ? "one of four" : "a number or a sum";
}

static void lay_choice(const struct speed *s, struct page *p, size_t i) {
    bool here = i == s->list.at;
    int row = page_height(p);
    char *value = value_of(&s->options, i);
    if (here) page_put(p, row, 2, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 4, here ? PAGE_STRONG : PAGE_PLAIN, 0, label_of(i));
    page_put(p, row, VALUE_COLUMN, PAGE_DIM, 0, here ? "◂" : " ");
    int end = page_put(p, row, VALUE_COLUMN + 2, here ? PAGE_ACCENT : PAGE_PLAIN, 0, value);
    if (here) page_put(p, row, end + 1, PAGE_DIM, 0, "▸");
    if (page_width(p) >= NARROW)
        page_put(p, row, WHAT_COLUMN, PAGE_DIM, 0, what_of(&s->options, i));
    free(value);
}

static const char ABOUT[] =
    "Napkin arithmetic on what you learned. An answer counts if it is within **10%**, even if it "
    "is in GiB for GB. The numbers are chosen so that every other known mistake is at least 25% "
    "away. A wrong answer costs only time, and it comes back at the end without a clock. Nothing "
    "here counts for reviews.";

static char *say_past(const struct session_speed_past *past) {
    if (past->rounds == 0) return base_dup("No round of this kind yet.");
    return base_format("Your best of %zu round%s: %zu right.", past->rounds,
                       past->rounds == 1 ? "" : "s", past->best);
}

static void draw_choosing(struct speed *s, struct frame *f) {
    struct page *about = page_new(f->width, s->view.app->look.ascii),
                *list = page_new(f->width, s->view.app->look.ascii),
                *past = page_new(f->width, s->view.app->look.ascii);
    int rows[SPEED_ROWS];
    screen_frame_title(f, "Speed challenge", "");
    page_markdown(about, flow_of(about, PAGE_PLAIN), ABOUT);
    for (size_t i = 0; i < SPEED_ROWS; i++) {
        rows[i] = page_height(list);
        lay_choice(s, list, i);
    }
    put_text(past, PAGE_DIM, say_past(&s->past));
    int height = page_height(about), rest = f->rows - height - SPEED_ROWS - TABLE;
    char *class =
        rest > 2 ? session_speed_table(s->view.app->learner, &s->options, (size_t)rest - 2) : NULL;
    if (class) {
        page_blank(past, 1);
        page_markdown(past, flow_of(past, PAGE_PLAIN), class);
    }
    free(class);
    int left = f->rows - SPEED_ROWS - 2;
    if (height > left) height = left;
    screen_frame_begin(f, screen_frame_lower(f, height + SPEED_ROWS + 2 + page_height(past)));
    screen_frame_window(f, about, 0, height, f->top, f->left);
    s->back = f->left + VALUE_COLUMN;
    screen_list_show(&s->list, f, list, rows, f->top + height + 1, SPEED_ROWS);
    int room = f->rows - height - SPEED_ROWS - 2;
    screen_frame_window(f, past, 0, room > 1 ? room : 1, f->top + height + SPEED_ROWS + 2, f->left);
    page_free(past);
    page_free(list);
    page_free(about);
}

/* ── a question ────────────────────────────────────────────────────────────────────────────────*/
static char *say_score(const struct speed *s) {
    const struct lesson_speed *r = round_of(s);
    struct base_text t = {0};
    if (lesson_speed_row(r) > 1) base_text_printf(&t, "%zu in a row", lesson_speed_row(r));
    if (s->past.best > 0) base_text_printf(&t, "%sbest %zu", t.length ? "   " : "", s->past.best);
    return base_text_take(&t);
}

static void draw_title(const struct speed *s, struct frame *f) {
    char *left = base_format("Speed  %s", lesson_speed_subject_title(s->options.subject)),
         *right = s->at == SPEED_AGAIN || s->at == SPEED_TOLD
                      ? base_format("missed, %zu of %zu", lesson_speed_nth(round_of(s)),
                                    lesson_speed_missed(round_of(s)))
                      : say_score(s);
    screen_frame_title(f, left, right);
    free(right);
    free(left);
}

/* The bar, and the seconds that are left; without a clock, which question it is. */
static void lay_clock(const struct speed *s, struct page *p, int thick) {
    const struct lesson_speed *r = round_of(s);
    int64_t left = lesson_speed_left(r, s->seen);
    int row = page_height(p), cells = page_width(p) - 12;
    if (left < 0) {
        put_text(p, PAGE_DIM,
                 base_format("question %zu of %d, no clock",
                             lesson_speed_tally(r, LESSON_SPEED_ALL).asked + 1,
                             LESSON_SPEED_UNTIMED));
        return;
    }
    long long seconds = (left + SECOND - 1) / SECOND;
    int full = (int)((int64_t)cells * left / s->options.ms);
    for (int k = 0; k < cells * thick; k++) {
        bool filled = k % cells < full;
        page_put(p, row + k / cells, 1 + k % cells, filled ? PAGE_ACCENT : PAGE_DIM, 0,
                 filled ? "█" : "░");
    }
    page_printf(p, row + (thick - 1) / 2, cells + 3, PAGE_STRONG, "%3lld s", seconds);
}

static void lay_options(const struct lesson_speed_question *q, struct page *p) {
    for (size_t i = 0; i < LESSON_SPEED_OPTIONS; i++) {
        int row = page_height(p);
        page_printf(p, row, 3, PAGE_KEY, "%zu", i + 1);
        page_put(p, row, 6, PAGE_STRONG, 0, q->option[i]);
    }
}

/* Where the field or the first option lies on the page. */
static int lay_question(struct speed *s, struct page *p) {
    const struct lesson_speed_question *q = lesson_speed_asked(round_of(s));
    page_markdown(p, flow_of(p, PAGE_STRONG), s->at == SPEED_AGAIN ? q->ask : q->brief);
    page_blank(p, 1);
    int row = page_height(p);
    if (s->options.choose) {
        lay_options(q, p);
        return row;
    }
    page_put(p, row, 3 + FIELD_WIDTH + UNIT_GAP, PAGE_DIM, 0, account_unit_name(q->unit));
    page_put(p, row, 1, PAGE_ACCENT, 0, "▸");
    return row;
}

/* A text after a gap, cut to what is left of the row; nothing if that is next to nothing. Where it
 * ends. */
static int put_rest(struct page *p, int row, int column, unsigned role, const char *text) {
    char *cut = page_cut(text, page_width(p) - column - 3, page_ascii(p));
    if (base_width(cut) > 8) column = page_put(p, row, column + 2, role, 0, cut);
    free(cut);
    return column;
}

/* What was asked and which mistake that is, in as many rows as they take. */
static void put_whole(struct page *p, int row, int column, const struct lesson_speed_result *r) {
    struct page *words = page_new(page_width(p) - column - 3, page_ascii(p));
    page_text(words, (struct page_flow){.role = PAGE_PLAIN}, r->about);
    int end = page_measure(words, r->about) + 2;
    if (page_height(words) == 1 && end + page_measure(words, r->remark) <= page_width(words))
        page_put(words, 0, end, PAGE_DIM, 0, r->remark);
    else
        page_text(words, (struct page_flow){.role = PAGE_DIM}, r->remark);
    page_paste(p, words, row, column + 2);
    page_free(words);
}

/* "✗ 37.4 GB   you: 50   4 s   13B on 16 GPUs, all states at stage 2   the gradients were not
 * divided": in one row, or whole: what does not fit behind the numbers, or below them. */
static void lay_result(struct page *p, const struct lesson_speed_result *r, bool whole) {
    int row = page_height(p), column;
    char *said = !*r->typed ? base_dup("skipped")
                            : base_format("you: %s", r->said ? r->said : r->typed),
         *cut = page_cut(said, 24, page_ascii(p));
    page_put(p, row, 1, r->right ? PAGE_GOOD : PAGE_BAD, 0, r->right ? "✓" : "✗");
    column = page_put(p, row, 3, PAGE_STRONG, 0, r->truth);
    column = page_put(p, row, column < 17 ? 17 : column + 2, PAGE_PLAIN, 0, cut);
    column = page_printf(p, row, column < 34 ? 34 : column + 2, PAGE_DIM, "%.0f s",
                         (double)r->ms / SECOND);
    bool beside = page_width(p) - column >= WRAPPED;
    if (whole) {
        put_whole(p, beside ? row : row + 1, beside ? column : 1, r);
    } else {
        column = put_rest(p, row, column, PAGE_PLAIN, r->about);
        put_rest(p, row, column, PAGE_DIM, r->remark);
    }
    free(cut);
    free(said);
}

/* The latest first, as many as there is room for. */
static void lay_results(const struct lesson_speed *r, struct page *p, int rows) {
    size_t count = lesson_speed_tally(r, LESSON_SPEED_ALL).asked;
    for (size_t i = count; i-- > 0 && rows-- > 0;) lay_result(p, lesson_speed_result(r, i), false);
}

static void lay_score(const struct speed *s, struct page *p) {
    const struct lesson_speed *r = round_of(s);
    struct lesson_speed_tally t = lesson_speed_tally(r, LESSON_SPEED_ALL);
    char *score = base_format("%zu right   %zu to come back   level %d of %d", t.right,
                              t.asked - t.right, lesson_speed_level(r), LESSON_SPEED_LEVELS),
         *cut = page_cut(score, page_width(p) - 2, page_ascii(p));
    page_put(p, page_height(p), 1, PAGE_DIM, 0, cut);
    free(cut);
    free(score);
}

/* The field and the options take clicks. */
static void put_places(struct speed *s, struct frame *f, int row) {
    if (s->options.choose) {
        for (int i = 0; i < LESSON_SPEED_OPTIONS; i++)
            screen_frame_zone(f, row + i, 1, f->width - 2, (uint32_t)('1' + i), i);
        return;
    }
    s->field_row = row;
    s->field_column = f->left + 3;
    struct editor_spot at =
        screen_editor_draw(&s->field, f->page, row, s->field_column, FIELD_WIDTH, 1, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
    screen_frame_zone(f, row, 3, FIELD_WIDTH, PRESS_NONE, SPEED_FIELD);
}

/* Where a round is played: in a high window not at its top, and no lower than the eye follows. */
struct board {
    int top, rows, thick;
};

static struct board board_of(const struct frame *f) {
    int rows = f->rows < HIGH ? f->rows : ROUND;
    return (struct board){f->top + (f->rows - rows) / 3, rows, f->rows < HIGH ? 1 : 2};
}

static void draw_asking(struct speed *s, struct frame *f) {
    struct board b = board_of(f);
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    bool timed = s->at == SPEED_ASKING;
    if (timed) lay_clock(s, p, b.thick);
    if (timed && b.rows >= LOW) page_blank(p, 1);
    int row = lay_question(s, p), room = b.rows - page_height(p) - 3;
    if (timed && room >= 0) {
        page_blank(p, 1);
        lay_results(round_of(s), p, room);
        page_blank(p, b.rows - 1 - page_height(p));
        lay_score(s, p);
    }
    /* in a low window the clock and the question's first lines give way */
    int over = page_height(p) - b.rows, top = over > 0 ? over : 0;
    screen_frame_window(f, p, top, b.rows, b.top, f->left);
    put_places(s, f, b.top + row - top);
    page_free(p);
}

static void draw_paused(const struct speed *s, struct frame *f) {
    struct board b = board_of(f);
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    lay_clock(s, p, b.thick);
    page_blank(p, 1);
    put_text(p, PAGE_PLAIN, base_dup("Paused. The clock is stopped and the question is hidden."));
    page_blank(p, 1);
    lay_results(round_of(s), p, b.rows - page_height(p) - 2);
    screen_frame_window(f, p, 0, b.rows, b.top, f->left);
    page_free(p);
}

/* ── how it went ───────────────────────────────────────────────────────────────────────────────*/
static void lay_best(const struct speed *s, struct page *p, size_t right) {
    if (s->past.rounds == 0)
        put_text(p, PAGE_DIM, base_dup("This was your first round of this kind."));
    else if (right > s->past.best)
        put_text(p, PAGE_GOOD,
                 base_format("That is your best. Your best before was %zu.", s->past.best));
    else if (s->past.best > 0)
        put_text(p, PAGE_DIM, base_format("Your best before was %zu.", s->past.best));
}

static void lay_bar(struct page *p, const char *label, size_t right, size_t most, bool now) {
    int row = page_height(p), room = page_width(p) - 20, cells = room < BAR_MOST ? room : BAR_MOST;
    int full = most > 0 ? (int)((size_t)cells * right / most) : 0;
    page_put(p, row, 1, now ? PAGE_STRONG : PAGE_DIM, 0, label);
    for (int i = 0; i < full; i++)
        page_put(p, row, 13 + i, now ? PAGE_ACCENT : PAGE_DIM, 0, now ? "█" : "▒");
    page_printf(p, row, 14 + full, now ? PAGE_STRONG : PAGE_DIM, "%zu", right);
}

/* The rounds before it and this one, to one scale. */
static void lay_bars(const struct speed *s, struct page *p, size_t right) {
    size_t most = right;
    if (s->past.count == 0) return;
    page_blank(p, 1);
    for (size_t i = 0; i < s->past.count; i++)
        if (s->past.latest[i] > most) most = s->past.latest[i];
    for (size_t i = 0; i < s->past.count; i++)
        lay_bar(p, i == 0 ? "before" : "", s->past.latest[i], most, false);
    lay_bar(p, "this round", right, most, true);
}

/* Right of asked, and seconds for each answer, by subject. */
static void lay_subjects(const struct lesson_speed *r, struct page *p) {
    enum lesson_speed_subject slowest = lesson_speed_slowest(r);
    page_blank(p, 1);
    for (unsigned i = LESSON_SPEED_ALL + 1; i < LESSON_SPEED_SUBJECTS; i++) {
        enum lesson_speed_subject subject = (enum lesson_speed_subject)i;
        struct lesson_speed_tally t = lesson_speed_tally(r, subject);
        if (t.asked == 0) continue;
        int row = page_height(p);
        page_put(p, row, 1, PAGE_PLAIN, 0, lesson_speed_subject_title(subject));
        page_printf(p, row, 24, PAGE_PLAIN, "%zu of %zu", t.right, t.asked);
        int end =
            page_printf(p, row, 33, PAGE_DIM, "%.0f s%s", (double)t.ms / (double)t.asked / SECOND,
                        page_width(p) < NARROW ? "" : " each");
        if (subject == slowest) page_put(p, row, end + 2, PAGE_WARN, 0, "slowest");
    }
    if (slowest != LESSON_SPEED_ALL)
        put_text(p, PAGE_PLAIN, base_dup(lesson_speed_subject_advice(slowest)));
}

static void lay_missed(const struct lesson_speed *r, struct page *p) {
    if (lesson_speed_missed(r) == 0) return;
    page_blank(p, 1);
    put_text(p, PAGE_DIM, base_dup("Missed:"));
    for (size_t i = 0; lesson_speed_result(r, i); i++)
        if (!lesson_speed_result(r, i)->right) lay_result(p, lesson_speed_result(r, i), true);
}

static void draw_over(struct speed *s, struct frame *f) {
    const struct lesson_speed *r = round_of(s);
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    struct lesson_speed_tally t = lesson_speed_tally(r, LESSON_SPEED_ALL);
    char *score = t.asked == 0
                      ? base_dup("You answered nothing. This round is not kept.")
                      : base_format("**%zu right** of %zu, in %lld s.", t.right, t.asked,
                                    (long long)((lesson_speed_spent(r, 0) + SECOND / 2) / SECOND));
    page_markdown(p, flow_of(p, PAGE_PLAIN), score);
    free(score);
    if (t.asked > 0) {
        lay_best(s, p, t.right);
        lay_bars(s, p, t.right);
        lay_subjects(r, p);
        lay_missed(r, p);
    }
    screen_frame_begin(f, screen_frame_lower(f, page_height(p)));
    s->last = page_height(p) > f->rows ? page_height(p) - f->rows : 0;
    if (s->scrolled > s->last) s->scrolled = s->last;
    screen_frame_window(f, p, s->scrolled, f->rows, f->top, f->left);
    screen_frame_more(f, s->scrolled > 0, s->scrolled < s->last);
    page_free(p);
}

static void draw_told(struct speed *s, struct frame *f) {
    struct page *p = page_new(f->width, s->view.app->look.ascii);
    char *solution = lesson_speed_solution(round_of(s));
    page_markdown(p, flow_of(p, PAGE_DIM), lesson_speed_asked(round_of(s))->ask);
    page_blank(p, 1);
    page_markdown(p, flow_of(p, PAGE_PLAIN), solution);
    free(solution);
    screen_frame_begin(f, screen_frame_lower(f, page_height(p)));
    s->last = page_height(p) > f->rows ? page_height(p) - f->rows : 0;
    if (s->scrolled > s->last) s->scrolled = s->last;
    screen_frame_window(f, p, s->scrolled, f->rows, f->top, f->left);
    screen_frame_more(f, s->scrolled > 0, s->scrolled < s->last);
    page_free(p);
}

void screen_speed_draw(struct view *v, struct frame *f) {
    struct speed *s = (struct speed *)v;
    s->seen = base_ticks();
    if (s->at == SPEED_CHOOSING) {
        draw_choosing(s, f);
        return;
    }
    draw_title(s, f);
    if (s->at == SPEED_ASKING || s->at == SPEED_AGAIN)
        draw_asking(s, f);
    else if (s->at == SPEED_PAUSED)
        draw_paused(s, f);
    else if (s->at == SPEED_TOLD)
        draw_told(s, f);
    else
        draw_over(s, f);
}
