/* job: the learner's own training is typed in, checked by the engine, and kept. */
#include "screen/editor.h"
#include "screen/pane.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

/* rows of the field, in which a whole scenario can be seen, on a screen with so many */
enum { FIELD_ROWS = 2, HIGH = 14, STAGES_LAST = 3 };

struct job {
    struct view view;
    struct editor field;
    /* why the last line could not be taken; "" if it was not tried */
    struct base_message wrong;
};

static struct job *job_of(const struct view *v) {
    return (struct job *)v;
}

/* A paragraph below what is there. */
static int say(struct frame *f, int row, unsigned role, const char *text, bool ascii) {
    struct page *p = page_new(f->width, ascii);
    int width = f->width < FRAME_PROSE ? f->width : FRAME_PROSE;
    page_markdown(p, (struct page_flow){.indent = 1, .width = width - 2, .role = role}, text);
    screen_frame_window(f, p, 0, f->top + f->rows - row, row, f->left);
    int rows = page_height(p);
    page_free(p);
    return row + rows + 1;
}

/* The job under each stage, next to its card. The caller's. */
static json_t *figure_of(const struct learner_job *job) {
    json_t *bars = json_array();
    struct account_training t = job->training;
    for (t.stage = 0; t.stage <= STAGES_LAST; t.stage++)
        json_array_append_new(bars,
                              json_pack("{so so sb}", "label", json_sprintf("stage %u", t.stage),
                                        "training", page_training_json(&t), "peak", 1));
    json_t *limit = t.card ? json_string(t.card->name) : json_integer((json_int_t)job->budget);
    return json_pack("{ss so so}", "kind", "stack", "bars", bars, "limit", limit);
}

/* As thick as there is room for below what is said; nothing if there is none. */
static void put_figure(const struct learner_job *job, struct frame *f, int row,
                       const struct look *look) {
    int rows = f->top + f->rows - row;
    json_t *figure = figure_of(job);
    struct page *p = page_new(f->width - 2, look->ascii);
    if (screen_pane_figure(p, figure, rows, look))
        screen_frame_window(f, p, 0, rows, row, f->left + 1);
    page_free(p);
    json_decref(figure);
}

static void job_draw(struct view *v, struct frame *f) {
    struct job *j = job_of(v);
    bool ascii = v->app->look.ascii;
    struct learner_job kept;
    screen_frame_title(f, "My job", "kept with your record");
    int row = say(f, f->top, PAGE_PLAIN,
                  "What do you want to train, and on what? Name a model or its parameters, the "
                  "GPUs and the card:",
                  ascii);
    page_put(f->page, row, f->left + 1, PAGE_ACCENT, 0, "▸");
    int rows = f->rows < HIGH ? 1 : FIELD_ROWS;
    struct editor_spot at =
        screen_editor_draw(&j->field, f->page, row, f->left + 3, f->width - 5, rows, NULL, NULL);
    screen_frame_cursor(f, at.row, at.column - f->left);
    row += rows + 1;
    if (*j->wrong.what) row = say(f, row, PAGE_BAD, j->wrong.what, ascii);
    row = say(f, row, PAGE_DIM,
              "For example `Llama 3.1 8B, 4 × RTX 4090`, or `--model llama-3.1-8b --gpus 4 --gpu "
              "rtx-4090` as for `zerotutor mem`. Leave it empty to forget your job.",
              ascii);
    if (!session_learner_job(v->app->learner, &kept)) return;
    char *words = session_job_words(&kept);
    char *text = base_format("**%s**, %s\n\n%s", kept.name, kept.step, words);
    row = say(f, row, PAGE_PLAIN, text, ascii);
    put_figure(&kept, f, row, &v->app->look);
    free(text);
    free(words);
}

static unsigned keep(struct view *v, const struct key *k) {
    struct job *j = job_of(v);
    (void)k;
    j->wrong = (struct base_message){0};
    const char *text = screen_editor_text(&j->field);
    return session_learner_set_job(v->app->learner, text, &j->wrong) ? VIEW_LEAVE : VIEW_REDRAW;
}

static void job_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_TYPING] = true;
}

static unsigned job_key(struct view *v, const struct key *k) {
    return screen_editor_key(&job_of(v)->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static enum frame_layout job_layout(const struct view *v) {
    (void)v;
    return FRAME_GROWS;
}

static void job_close(struct view *v) {
    screen_editor_free(&job_of(v)->field);
    free(v);
}

static const struct action ACTIONS[] = {
    {"check", "Enter", 0, keep, "Check it, keep it, and go back"},
    {"back", "Esc", 0, screen_action_leave, "Go back; nothing changes"},
};

static const struct view_operations JOB = {
    .name = "My job",
    .about = "The training that you are here for. Home shows what it needs per GPU, sliders in "
             "lessons can start from it, and one review a week asks about it.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = job_layout,
    .state = job_state,
    .draw = job_draw,
    .key = job_key,
    .close = job_close,
};

struct view *screen_view_job(struct app *app, const struct view_request *r,
                             struct base_message *m) {
    (void)r, (void)m;
    struct job *j = base_alloc(sizeof *j);
    j->view = (struct view){&JOB, app};
    screen_editor_field(&j->field, EDITOR_LINE, NULL);
    char *line = session_learner_job_line(app->learner);
    if (line) screen_editor_replace(&j->field, 0, 0, line, strlen(line));
    free(line);
    return &j->view;
}
