/* scratch: paper to calculate on next to a lesson. */
#include "screen/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 10000000 };

/* ── sums ──────────────────────────────────────────────────────────────────────────────────────*/
static void put_other(struct base_text *t, double value, enum account_unit unit) {
    char out[48];
    enum account_unit other = unit == ACCOUNT_UNIT_GIB  ? ACCOUNT_UNIT_GB
                              : unit == ACCOUNT_UNIT_GB ? ACCOUNT_UNIT_GIB
                                                        : ACCOUNT_UNIT_NONE;
    if (other == ACCOUNT_UNIT_NONE) return;
    base_text_printf(t, " = %s", account_print(out, sizeof out, value, other, 5));
}

char *screen_scratch_sum(const char *text) {
    struct account_reading r;
    struct account_error e;
    struct base_text t = {0};
    char out[48];
    if (!account_read_answer(text, &r, &e)) return NULL;
    enum account_unit unit = r.explicit_unit ? r.unit : ACCOUNT_UNIT_NONE;
    if (unit == ACCOUNT_UNIT_NONE && r.value >= LARGE) unit = ACCOUNT_UNIT_GB;
    if (unit == ACCOUNT_UNIT_NONE) return base_format("%.10g", r.value);
    base_text_puts(&t, account_print(out, sizeof out, r.value, unit, 5));
    put_other(&t, r.value, unit);
    return base_text_take(&t);
}

/* ── the paper ─────────────────────────────────────────────────────────────────────────────────*/
void screen_scratch_begin(struct scratch *s) {
    *s = (struct scratch){0};
    screen_editor_field(&s->field, EDITOR_LINE, &s->history);
}

void screen_scratch_free(struct scratch *s) {
    for (size_t i = 0; i < s->lines; i++) free(s->line[i]);
    screen_editor_free(&s->field);
    screen_editor_forget(&s->history);
    *s = (struct scratch){0};
}

/* The oldest line goes where there is no room. */
static void keep(struct scratch *s, char *line) {
    if (s->lines == SCRATCH_LINES) {
        free(s->line[0]);
        memmove(s->line, s->line + 1, --s->lines * sizeof *s->line);
    }
    s->line[s->lines++] = line;
}

static void work_out(struct scratch *s) {
    const char *text = screen_editor_text(&s->field);
    char *sum = *text ? screen_scratch_sum(text) : NULL;
    if (!sum) return;
    screen_editor_remember(&s->history, text);
    keep(s, base_format("%s = %s", text, sum));
    free(sum);
    screen_editor_field(&s->field, EDITOR_LINE, &s->history);
}

bool screen_scratch_key(struct scratch *s, const struct key *k) {
    if (k->code != PRESS_ENTER) return screen_editor_key(&s->field, k);
    work_out(s);
    return true;
}

void screen_scratch_click(struct scratch *s, int target, int column) {
    size_t i = (size_t)(target - SCRATCH_TARGET);
    if (target == SCRATCH_FIELD)
        screen_editor_point(&s->field, 0, column);
    else if (i < s->lines)
        screen_editor_become(&s->field, s->line[i],
                             (size_t)(strstr(s->line[i], " = ") - s->line[i]));
}

/* What is typed so far comes to, below it. */
static void say_sum(const struct scratch *s, struct page *p) {
    const char *text = screen_editor_text(&s->field);
    char *sum = *text ? screen_scratch_sum(text) : NULL;
    char *line = sum ? base_format("= %s", sum)
                     : base_dup(*text ? "cannot be read yet" : "such as (80G - 2*7G)/4");
    page_text(p, (struct page_flow){.role = sum ? PAGE_STRONG : PAGE_DIM}, line);
    free(line);
    free(sum);
}

struct editor_spot screen_scratch_draw(struct scratch *s, struct page *p) {
    struct editor_spot spot = {.row = -1};
    for (size_t i = 0; i < s->lines; i++) {
        s->row[i] = page_height(p);
        page_text(p, (struct page_flow){0}, s->line[i]);
    }
    s->row[s->lines] = page_height(p);
    if (s->open) {
        spot =
            screen_editor_draw(&s->field, p, page_height(p), 0, page_width(p) - 1, 1, NULL, NULL);
        say_sum(s, p);
    } else {
        page_text(p, (struct page_flow){.role = PAGE_DIM},
                  s->lines ? "F4 continues here." : "F4 calculates here.");
    }
    return spot;
}
