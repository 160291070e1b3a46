/* note: a learner's note on a step, or a report of what is wrong with it, written over the lesson.
 */
#include "screen/editor.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 5, HEAD = 2 };
enum { NOTE_FIELD = 1 };

struct note {
    struct view view;
    /* of the view below, one of them; only reports are about a round */
    struct session *session;
    const struct session_speed *speed;
    bool reports;
    /* that takes reports, too; or NULL */
    const struct session_class *in;
    struct editor field;
    struct editor_spot at;
    int row, column;
};

static struct note *note_of(const struct view *v) {
    return (struct note *)v;
}

static void note_draw(struct view *v, struct frame *f) {
    struct note *n = note_of(v);
    int top = f->all_rows - 2 - ROWS;
    for (int row = top - HEAD; row < f->all_rows - 1; row++)
        for (int c = 0; c < f->width; c++) page_put(f->page, row, f->left + c, PAGE_PLAIN, 0, " ");
    page_rule(f->page, top - HEAD, f->left + 1, f->width - 2);
    char *class = n->in ? base_format(" and to the class %s", n->in->settings.name) : NULL,
         *asks = base_format("What is wrong %s? It goes into a file%s",
                             n->speed ? "with the last question" : "here", class ? class : "");
    screen_frame_put(f, top - 1, 2, PAGE_TITLE, 0, n->reports ? asks : "Your note on this step");
    free(asks);
    free(class);
    n->row = top;
    n->column = f->left + 2;
    n->at = screen_editor_draw(&n->field, f->page, top, n->column, f->width - 4, ROWS, NULL, NULL);
    for (int r = 0; r < ROWS; r++)
        screen_frame_zone(f, top + r, 2, f->width - 4, PRESS_NONE, NOTE_FIELD);
    screen_frame_cursor(f, n->at.row, n->at.column - f->left);
}

enum { KEEPS = VIEW_OWN, REPORTS }; /* what may hold of it */

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
/* Esc keeps it, too: nothing that was written is lost. An empty note is none. */
static unsigned keep(struct view *v, const struct key *k) {
    struct note *n = note_of(v);
    struct base_message m = {0};
    (void)k;
    const char *text = screen_editor_text(&n->field);
    if (!session_note_keep(n->session, text[strspn(text, " \n")] ? text : "", &m)) {
        screen_app_notice(v->app, base_format("The note is not saved: %s", m.what));
        return VIEW_REDRAW;
    }
    return VIEW_LEAVE;
}

static unsigned report(struct view *v, const struct key *k) {
    struct note *n = note_of(v);
    struct base_message m = {0};
    (void)k;
    const char *words = screen_editor_text(&n->field);
    char *told, *path = n->speed ? session_speed_report(n->speed, words, &told, &m)
                                 : session_report(n->session, words, &told, &m);
    screen_app_notice(v->app, told   ? base_format("Reported. %s", told)
                              : path ? base_format("Reported in %s", path)
                                     : base_format("Not reported: %s", m.what));
    bool done = path != NULL;
    free(told);
    free(path);
    return done ? VIEW_LEAVE : VIEW_REDRAW;
}

struct errand {
    const char *path;
    struct base_message why;
    bool done;
};

static void edit_elsewhere(void *to) {
    struct errand *e = to;
    e->done = session_memo_edit(e->path, &e->why);
}

/* In a file of its own, which is taken back and removed. */
static bool edit_file(struct note *n, struct errand *e) {
    const char *text = screen_editor_text(&n->field);
    size_t length;
    if (!base_make_dirs(base_home(), &e->why) ||
        !base_file_write(e->path, text, strlen(text), &e->why))
        return false;
    n->view.app->terminal->does->lend(n->view.app->terminal, edit_elsewhere, e);
    char *came = base_file_read(e->path, EDITOR_LONG, &length, &e->why);
    unlink(e->path);
    if (!came) return false;
    while (length && came[length - 1] == '\n') came[--length] = '\0';
    char *clean = base_clean_dup(came, length, EDITOR_LONG);
    for (char *c = clean; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    screen_editor_become(&n->field, clean, strlen(clean));
    free(clean);
    free(came);
    return e->done;
}

static unsigned own_editor(struct view *v, const struct key *k) {
    char *path = base_format("%s/note-%ld.txt", base_home(), (long)getpid());
    struct errand e = {.path = path};
    (void)k;
    if (!v->app->terminal->does->lend)
        screen_app_notice(v->app, base_dup("An editor needs a terminal."));
    else if (!edit_file(note_of(v), &e))
        screen_app_notice(v->app, base_dup(e.why.what));
    free(path);
    return VIEW_REDRAW;
}

static void note_state(const struct view *v, struct view_states *s) {
    s->is[VIEW_TYPING] = true;
    s->is[((const struct note *)v)->reports ? REPORTS : KEEPS] = true;
}

static unsigned note_key(struct view *v, const struct key *k) {
    struct note *n = note_of(v);
    if (k->code == PRESS_CLICK && k->target == NOTE_FIELD) {
        screen_editor_point(&n->field, k->row - n->row, k->column - n->column);
        return VIEW_REDRAW;
    }
    return screen_editor_key(&n->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct action ACTIONS[] = {
    {"save", "Enter", KEEPS, keep, "Keep the note and go back; an empty one is removed"},
    {"back", "Esc", KEEPS, keep, "Keep the note and go back; an empty one is removed"},
    {"report", "Enter", REPORTS, report, "Write the report, and go back"},
    {"back", "Esc", REPORTS, screen_action_leave, "Go back without a report"},
    {"own editor", "C-v", 0, own_editor, "Write it in your own editor ($EDITOR)"},
};

static void note_close(struct view *v) {
    screen_editor_free(&note_of(v)->field);
    free(v);
}

static const struct view_operations NOTE = {
    .name = "Your note",
    .about = "A note belongs to its step. It is shown next to the step, and B at home lists all. A "
             "report goes into a new file, with the question, its numbers and your answer. In a "
             "class that runs now it also goes to your teacher.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .over = true,
    .state = note_state,
    .draw = note_draw,
    .key = note_key,
    .close = note_close,
};

struct view *screen_view_note(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    struct note *n = base_alloc(sizeof *n);
    (void)m;
    n->view = (struct view){&NOTE, app};
    n->session = r->session;
    n->speed = r->asked_by;
    n->reports = r->reports;
    n->in = session_in_class(app->learner);
    screen_editor_field(&n->field, STORE_NOTE_MOST, NULL);
    char *text = n->reports ? NULL : session_note(r->session);
    if (text) screen_editor_replace(&n->field, 0, 0, text, strlen(text));
    free(text);
    return &n->view;
}
