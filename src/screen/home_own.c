/* screen_home_own: what is the learner's own on home: where a lesson was left, the job, and the
 * case of the week. */
#include "screen/home.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 17 /* where it begins, behind a label */, NARROW = 60 };

static int least(int a, int b) {
    return a < b ? a : b;
}

static bool is_blank(const struct page *p, int row, int column) {
    return strcmp(page_cell(p, row, column)->text, " ") == 0;
}

/* Ends a row by … behind its last word that leaves room for that. */
static void put_more(struct page *p, int row) {
    int room = page_width(p) - page_measure(p, "…"), end = page_width(p);
    while (end > 0 && is_blank(p, row, end - 1)) end--;
    while (end > room) {
        while (end > 0 && !is_blank(p, row, end - 1)) end--;
        while (end > 0 && is_blank(p, row, end - 1)) end--;
    }
    end = page_put(p, row, end, PAGE_DIM, 0, "…");
    while (end < page_width(p)) end = page_put(p, row, end, PAGE_PLAIN, 0, " ");
}

/* A label, and Markdown beside it in up to `most` rows; how many it took. */
static int put(const struct home *h, struct frame *f, int row, int most, const char *label,
               const char *text) {
    int column = f->width < NARROW ? 3 : TEXT, down = f->width < NARROW ? 1 : 0;
    if (most <= down) return 0;
    struct page *p = page_new(f->width - column - 1, h->view.app->look.ascii);
    page_set_colours(p, h->view.app->look.colours);
    page_markdown(p, (struct page_flow){.width = page_width(p)}, text);
    int rows = least(page_height(p), most - down);
    if (rows < page_height(p)) put_more(p, rows - 1);
    screen_frame_put(f, row, 1, PAGE_ACCENT, 0, label);
    screen_frame_window(f, p, 0, rows, row + down, f->left + column);
    page_free(p);
    return rows + down;
}

/* ── where it was left ─────────────────────────────────────────────────────────────────────────*/
int screen_home_left_draw(const struct home *h, struct frame *f, int row, int most) {
    if (!h->left.title || most < 2) return 0;
    char *text = base_format("**%s** was next.%s%s", h->left.title,
                             h->left.said ? " Before it: " : "", h->left.said ? h->left.said : "");
    int rows = put(h, f, row + 1, least(most - 1, 2), "Where you were", text);
    for (int i = 1; i <= rows; i++)
        screen_frame_zone(f, row + i, 0, f->width, PRESS_NONE, HOME_LEFT_TARGET);
    free(text);
    return rows + 1;
}

/* ── the case, and the job ─────────────────────────────────────────────────────────────────────*/
enum { OWN = TEXT + 2, COMPLAINT = 3 };

/* Its first paragraph, which is a quote. */
static struct page *lay_complaint(const struct home *h, const struct frame *f) {
    int width = f->width < FRAME_PROSE ? f->width : FRAME_PROSE;
    struct page *p = page_new(width - COMPLAINT - 2, h->view.app->look.ascii);
    const char *from = h->week.ask + strspn(h->week.ask, "> "), *end = strstr(from, "\n\n");
    char *text = base_format("%.*s", end ? (int)(end - from) : (int)strlen(from), from);
    page_markdown(p, (struct page_flow){.width = page_width(p), .role = PAGE_DIM}, text);
    free(text);
    return p;
}

int screen_home_case_rows(const struct home *h, const struct frame *f, int room) {
    if (!h->has_case || h->week.answered || f->width < NARROW) return 0;
    struct page *p = lay_complaint(h, f);
    int rows = page_height(p);
    page_free(p);
    return rows <= room ? rows + (rows < room) : 0;
}

static void put_complaint(const struct home *h, struct frame *f, int row, int rows) {
    struct page *p = lay_complaint(h, f);
    screen_frame_window(f, p, 0, rows, row, f->left + COMPLAINT);
    for (int i = 0; i < rows; i++) screen_frame_zone(f, row + i, 0, f->width, 'C', 0);
    page_free(p);
}

static int put_case(const struct home *h, struct frame *f, int row) {
    const char *right = h->week.answered ? "answered" : "C";
    char *text = base_format("“%s”", h->week.title);
    char *cut = page_cut(text, f->width - OWN - 3 - base_width(right), h->view.app->look.ascii);
    screen_frame_put(f, row, 1, PAGE_ACCENT, 0, "Case of the week");
    screen_frame_put(f, row, OWN, PAGE_PLAIN, 0, cut);
    screen_frame_put_right(f, row, h->week.answered ? PAGE_DIM : PAGE_KEY, right);
    screen_frame_zone(f, row, 0, f->width, 'C', 0);
    free(cut);
    free(text);
    return 1;
}

static int put_class(const struct home *h, struct frame *f, int row) {
    char *cut = page_cut(h->class_hours, f->width - OWN - 1, h->view.app->look.ascii);
    screen_frame_put(f, row, 1, PAGE_ACCENT, 0, "Your class");
    screen_frame_put(f, row, OWN, PAGE_PLAIN, 0, cut);
    free(cut);
    return 1;
}

static int put_feedback(const struct home *h, struct frame *f, int row) {
    char *cut = page_cut(h->feedback, f->width - OWN - 4, h->view.app->look.ascii);
    screen_frame_put(f, row, 1, PAGE_ACCENT, 0, "Feedback");
    screen_frame_put(f, row, OWN, PAGE_PLAIN, 0, cut);
    screen_frame_put_right(f, row, PAGE_KEY, "F");
    screen_frame_zone(f, row, 0, f->width, 'F', 0);
    free(cut);
    return 1;
}

/* Its name in a row, if there is room for that, and what it needs in another. */
static void put_job(const struct home *h, struct frame *f, int row, bool both) {
    static const unsigned roles[] = {
        [ACCOUNT_FITS] = PAGE_GOOD, [ACCOUNT_TIGHT] = PAGE_WARN, [ACCOUNT_TOO_LARGE] = PAGE_BAD};
    screen_frame_put(f, row, 1, PAGE_ACCENT, 0, "My job");
    screen_frame_zone(f, row, 0, f->width, 'J', 0);
    if (!h->job_words) {
        char *cut = page_cut("Keep here what you want to train, and on what.", f->width - OWN - 4,
                             h->view.app->look.ascii);
        screen_frame_put(f, row, OWN, PAGE_DIM, 0, cut);
        free(cut);
        screen_frame_put_right(f, row, PAGE_KEY, "J");
        return;
    }
    if (both) {
        int column = screen_frame_put(f, row, OWN, PAGE_STRONG, 0, h->job.name) + 2;
        if (column + base_width(h->job.step) < f->width)
            screen_frame_put(f, row, column, PAGE_DIM, 0, h->job.step);
        screen_frame_zone(f, ++row, 0, f->width, 'J', 0);
    }
    screen_frame_put(f, row, OWN, roles[h->job.fit], 0, h->job_words);
}

int screen_home_own_rows(const struct home *h, const struct frame *f, int most) {
    int job = h->job_words ? 2 : 1;
    if (f->width < NARROW || most < 2) return 0;
    return least(job + h->has_case + (h->feedback != NULL) + (h->class_hours != NULL) + 1, most);
}

void screen_home_own_draw(const struct home *h, struct frame *f, int row, int rows, int told) {
    rows -= told;
    bool class = h->class_hours && rows > 2, back = h->feedback && rows - class > 2,
         week = h->has_case && rows - class - back > 2,
         both = h->job_words && rows - class - back - week > 2;
    if (rows == 0) return;
    row++;
    if (class) row += put_class(h, f, row);
    if (back) row += put_feedback(h, f, row);
    if (week) row += put_case(h, f, row);
    if (told > 0) put_complaint(h, f, row, told);
    row += told;
    put_job(h, f, row, both);
}
