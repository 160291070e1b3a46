/* certificate: what the learner has shown, what is still missing, and the files to take away: the
 * one that others can verify, and printed pages of it. */
#include "screen/editor.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { FIELD = 3 /* rows of the name, when it is typed */, NAME_FIELD = 1 };

struct certificate {
    struct view view;
    json_t *says;
    /* the first row shown, the rows there are, and those that fit */
    int top, height, capacity;
    /* the name is being typed, into this field, which lay there when last drawn */
    bool naming;
    struct editor field;
    int row, column;
    /* what is done once the screen says that it is being done; NULL: nothing */
    void (*due)(struct certificate *c);
};

static struct certificate *certificate_of(const struct view *v) {
    return (struct certificate *)v;
}

static void take_says(struct certificate *c, json_t *says) {
    json_decref(c->says);
    c->says = says;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void draw_field(struct certificate *c, struct frame *f, int row) {
    page_rule(f->page, row, f->left + 1, f->width - 2);
    screen_frame_put(f, row + 1, 2, PAGE_TITLE, 0, "The name that it is made out to");
    c->row = row + 2;
    c->column = f->left + 2;
    struct editor_spot at =
        screen_editor_draw(&c->field, f->page, c->row, c->column, f->width - 4, 1, NULL, NULL);
    screen_frame_zone(f, c->row, 2, f->width - 4, PRESS_NONE, NAME_FIELD);
    screen_frame_cursor(f, at.row, at.column - f->left);
}

static void certificate_draw(struct view *v, struct frame *f) {
    struct certificate *c = certificate_of(v);
    struct page *p = page_new(f->width, v->app->look.ascii);
    page_set_colours(p, v->app->look.colours);
    page_certificate(p, (struct page_flow){.indent = 1, .width = f->width - 2}, c->says);
    c->height = page_height(p);
    screen_frame_begin(f, screen_frame_lower(f, c->height));
    c->capacity = f->rows - (c->naming ? FIELD : 0);
    screen_list_keep_in_view(&c->top, c->height, c->capacity, c->top, c->top + c->capacity);
    screen_frame_title(f, "Certificate",
                       base_json_bool(c->says, "earned", false) ? "earned" : "not earned yet");
    screen_frame_window(f, p, c->top, c->capacity, f->top, f->left);
    if (c->naming)
        draw_field(c, f, f->top + c->capacity);
    else
        screen_frame_more(f, c->top > 0, c->top + c->capacity < c->height);
    page_free(p);
}

/* ── files ─────────────────────────────────────────────────────────────────────────────────────*/
#define NAMED "zerotutor"
static char *path_of(const char *ending) {
    return base_format("%s/" NAMED "%s", base_home(), ending);
}

static bool save_page(const struct app *app, const struct session_certified *made,
                      const char *ending, struct base_message *m) {
    char *path = path_of(ending);
    bool saved = app->save_certificate(made, path, app->look.ascii, m);
    free(path);
    return saved;
}

/* The pages next to the file, which carry it, too; returns what to tell of them, the caller's. */
static char *save_pages(const struct app *app, const struct session_certified *made) {
    static const char *const endings[] = {".html", ".txt", ".pdf"};
    struct base_message m = {0};
    struct base_text told = {0};
    for (size_t i = 0; i < BASE_COUNT(endings) && app->save_certificate; i++) {
        struct base_message why = {0};
        if (save_page(app, made, endings[i], &why))
            base_text_printf(&told, " %s", endings[i]);
        else
            m = why;
    }
    if (*m.what) base_text_printf(&told, ". Not printed: %s", m.what);
    return base_text_take(&told);
}

/* Then the page is that of the file. */
static void save(struct certificate *c) {
    struct app *app = c->view.app;
    struct base_message m = {0};
    struct session_certified made;
    char *path = path_of(".cert");
    if (session_certificate_make(app->learner, &made, &m) &&
        base_file_write(path, made.text, made.length, &m)) {
        char *more = save_pages(app, &made);
        take_says(c, json_incref(made.says));
        screen_app_notice(app, base_format("Saved: %s%s", path, more));
        free(more);
    } else {
        screen_app_notice(app, base_dup(m.what));
    }
    session_certified_free(&made);
    free(path);
}

/* As others would, from the file alone. */
static void verify(struct certificate *c) {
    struct app *app = c->view.app;
    struct base_message m = {0};
    struct session_certified read;
    char *path = path_of(".cert"), text[700];
    if (session_certificate_verify(path, &read, &m) == SESSION_HOLDS)
        screen_app_notice(app, base_format("%s holds: %d answers, fingerprint %s", path,
                                           (int)base_json_int(read.says, "answers", 0),
                                           base_json_text(read.says, "fingerprint", "")));
    else
        screen_app_notice(app, base_dup(base_message_text(&m, text, sizeof text)));
    session_certified_free(&read);
    free(path);
}

/* Both judge every answer again, of a long record for seconds, so the screen says that first. */
static unsigned begin(struct view *v, void (*due)(struct certificate *c), const char *notice) {
    certificate_of(v)->due = due;
    screen_app_notice(v->app, base_dup(notice));
    return VIEW_REDRAW;
}

static unsigned certificate_save(struct view *v, const struct key *k) {
    (void)k;
    return begin(v, save, "Saving: every answer is judged again. A long record takes seconds.");
}

static unsigned certificate_verify(struct view *v, const struct key *k) {
    (void)k;
    return begin(v, verify,
                 "Verifying: every answer is judged again. A long record takes seconds.");
}

static int certificate_pace(const struct view *v) {
    return certificate_of(v)->due ? 0 : -1;
}

static unsigned certificate_tick(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    void (*due)(struct certificate * c) = c->due;
    (void)k;
    if (!due) return VIEW_IGNORED;
    c->due = NULL;
    due(c);
    return VIEW_REDRAW;
}

/* ── what the page says ────────────────────────────────────────────────────────────────────────*/
/* The page of the record again, after it was told something; the notice is the caller's word for
 * it. */
static unsigned tell(struct certificate *c, bool kept, const char *notice,
                     const struct base_message *m) {
    if (kept) take_says(c, session_certificate(c->view.app->learner));
    screen_app_notice(c->view.app, base_dup(kept ? notice : m->what));
    return VIEW_REDRAW;
}

static unsigned hide_dates(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    struct base_message m = {0};
    bool shown = base_json_bool(c->says, "dates", true);
    (void)k;
    bool kept = session_learner_show_dates(v->app->learner, !shown, &m);
    return tell(c, kept,
                shown ? "The page hides its days; zerotutor.cert always has the time of an answer."
                      : "The page shows its days again.",
                &m);
}

static unsigned begin_name(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    const char *name = base_json_text(c->says, "name", "");
    (void)k;
    screen_editor_set(&c->field, name, strlen(name));
    screen_editor_key(&c->field, &(struct key){.code = PRESS_END});
    c->naming = true;
    return VIEW_REDRAW;
}

static unsigned keep_name(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    struct base_message m = {0};
    const char *name = screen_editor_text(&c->field);
    (void)k;
    bool kept = session_learner_set_name(v->app->learner, name[strspn(name, " ")] ? name : "", &m);
    c->naming = !kept;
    return tell(c, kept, "The name is kept; Enter saves the files with it.", &m);
}

static unsigned drop_name(struct view *v, const struct key *k) {
    (void)k;
    certificate_of(v)->naming = false;
    return VIEW_REDRAW;
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static unsigned type(struct certificate *c, const struct key *k) {
    if (k->code == PRESS_CLICK && k->target == NAME_FIELD) {
        screen_editor_point(&c->field, k->row - c->row, k->column - c->column);
        return VIEW_REDRAW;
    }
    return screen_editor_key(&c->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static unsigned certificate_key(struct view *v, const struct key *k) {
    struct certificate *c = certificate_of(v);
    if (c->naming) return type(c, k);
    return screen_scroll_key(k, &c->top, c->capacity, c->height) ? VIEW_REDRAW : VIEW_IGNORED;
}

static void certificate_state(const struct view *v, struct view_states *s) {
    bool naming = certificate_of(v)->naming;
    s->is[naming ? VIEW_TYPING : VIEW_READING] = true;
    s->is[VIEW_SCROLLS] = !naming;
}

static const struct action ACTIONS[] = {
    {"save", "Enter", VIEW_READING, certificate_save,
     "Save it in your folder: to be verified (.cert), as HTML, text and PDF"},
    {"verify", "y", VIEW_READING, certificate_verify,
     "Verify the saved zerotutor.cert now, from the file alone"},
    {"name", "n", VIEW_READING, begin_name, "Put your name on it, or take it off"},
    {"dates", "d", VIEW_READING, hide_dates, "Hide the days on the page, or show them"},
    {"back", "Esc q", VIEW_READING, screen_action_leave, "Go back"},
    {"change", "Enter", VIEW_TYPING, keep_name, "Keep this name; an empty one takes it off"},
    {"back", "Esc", VIEW_TYPING, drop_name, "Leave the name as it was"},
};

static void certificate_close(struct view *v) {
    screen_editor_free(&certificate_of(v)->field);
    json_decref(certificate_of(v)->says);
    free(v);
}

static const struct view_operations CERTIFICATE = {
    .name = "Certificate",
    .about = "A certificate is earned when the check of every phase is passed, no area that you "
             "tried has a chance below 70% today, and a memo passed. Its file carries your answers "
             "as you typed them, and `zerotutor certificate verify` judges them again. HTML, text "
             "and PDF are pages to show, which carry it, too.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = certificate_state,
    .draw = certificate_draw,
    .key = certificate_key,
    .tick = certificate_tick,
    .pace = certificate_pace,
    .close = certificate_close,
};

struct view *screen_view_certificate(struct app *app, const struct view_request *r,
                                     struct base_message *m) {
    (void)r, (void)m;
    struct certificate *c = base_alloc(sizeof *c);
    c->view = (struct view){&CERTIFICATE, app};
    c->says = session_certificate(app->learner);
    screen_editor_field(&c->field, EDITOR_LINE, NULL);
    return &c->view;
}
