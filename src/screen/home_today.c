/* screen_home_today: what comes back today, and the days that were kept. */
#include "screen/home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEEK = 7, KEPT_LEAST = 2 /* days that are worth telling */ };

void screen_home_today_read(struct home *h) {
    struct learner_due due = session_learner_due(h->view.app->learner);
    struct base_text t = {0};
    size_t fading = due.count - due.fresh;
    if (fading > 0) base_text_printf(&t, "%zu fading", fading);
    if (due.fresh > 0) base_text_printf(&t, "%s%zu new", fading > 0 ? ", " : "", due.fresh);
    for (size_t i = 0; i < due.names; i++)
        base_text_printf(&t, "%s%s", i == 0 ? ": " : ", ", due.name[i]);
    free(h->fading);
    h->fading = base_text_take(&t);
    h->due = due.count;
    h->due_minutes = due.minutes;
    h->due_next = due.next;
    h->streak = due.streak;
    for (size_t i = 0; i < session_learner_course(h->view.app->learner)->lessons; i++)
        h->recall[i] = h->progress[i].standing == LEARNER_DONE
                           ? session_learner_recall(h->view.app->learner, i)
                           : (double)NAN;
}

int screen_home_percent(double recall) {
    return (int)lround(100 * recall);
}

struct home_sign screen_home_recall_sign(double recall) {
    if (recall < 0.7) return (struct home_sign){"◔", PAGE_WARN};
    if (recall < 0.9) return (struct home_sign){"◕", PAGE_GOOD};
    return (struct home_sign){"●", PAGE_GOOD};
}

int screen_home_today_draw(const struct home *h, struct frame *f, int row) {
    if (h->due == 0) return 0;
    char *minutes = base_format("%d min", h->due_minutes);
    int column = screen_frame_put(f, row, 1, PAGE_ACCENT, PAGE_BOLD, "Review") + 1;
    column = screen_frame_put(f, row, column, PAGE_STRONG, 0, minutes) + 2;
    char *fading = screen_frame_cut(h->fading, f->width - column - 4, h->view.app->look.ascii);
    screen_frame_put(f, row, column, PAGE_DIM, 0, fading);
    screen_frame_put_right(f, row, PAGE_KEY, "r");
    screen_frame_zone(f, row, 0, f->width, 'r', 0);
    free(fading);
    free(minutes);
    return 1;
}

void screen_home_rest_draw(const struct home *h, struct frame *f, int row, int column) {
    if (h->due > 0 || h->due_next == 0) return;
    char *text = h->due_next == 1
                     ? base_dup("The next review is tomorrow.")
                     : base_format("The next review is in %lld days.", (long long)h->due_next);
    char *cut = screen_frame_cut(text, f->width - column - 1, h->view.app->look.ascii);
    screen_frame_put(f, row, column, PAGE_DIM, 0, cut);
    free(cut);
    free(text);
}

/* In days, then in weeks. */
void screen_home_title_draw(const struct home *h, struct frame *f) {
    char day[32], *title = NULL;
    time_t now = (time_t)base_now();
    struct tm local = {0};
    localtime_r(&now, &local);
    strftime(day, sizeof day, "%a %e %b", &local);
    bool weeks = h->next == session_learner_course(h->view.app->learner)->lessons;
    int64_t kept = weeks ? h->streak / WEEK : h->streak;
    bool told = kept >= KEPT_LEAST && screen_look_streak(h->view.app);
    title = told ? base_format("%s   %lld %s", day, (long long)kept, weeks ? "weeks" : "days")
                 : base_dup(day);
    screen_frame_title(f, "zerotutor", title);
    free(title);
}
