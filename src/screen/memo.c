/* memo: a memo being written. It is saved and checked in the pauses of typing; other programs may write it meanwhile. */
#include "screen/memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAVE_MS = 800, /* the file is behind no longer than that … */
    BREATH_MS =
        200, /* … and is brought up to date when so long nothing is typed, since a disk may be slow */
    QUICK_MS = 15,  /* a check no longer than that is made after each key; */
    PAUSE_MS = 600, /* for others, and for the planner, so long nothing must be typed … */
    PATIENCE = 4    /* … and so many times as long as a check takes */
};

static struct writer *writer_of(const struct view *v) {
    return (struct writer *)v;
}

static void set_trouble(struct writer *m, const struct base_message *why) {
    char text[700];
    free(m->trouble);
    m->trouble = why ? base_dup(base_message_text(why, text, sizeof text)) : NULL;
}

void screen_writer_tell(struct writer *m, const char *words) {
    screen_app_notice(m->view.app, base_dup(words));
}

/* ── the file ────────────────────────────────────────────────────────────────────────────────────*/
/* What cannot be shown must not be written over: what is typed here stays here. */
static void lock(struct writer *m, const struct base_message *why) {
    m->locked = true;
    set_trouble(m, why);
    screen_writer_tell(m, m->trouble);
}

void screen_writer_look(struct writer *m) {
    struct base_message why = {0};
    switch (session_memo_look(m->file, &why)) {
    case SESSION_MEMO_CHANGED: screen_writer_met(m); break;
    case SESSION_MEMO_UNREADABLE: lock(m, &why); break;
    default: break;
    }
}

bool screen_writer_save(struct writer *m) {
    struct base_message why = {0};
    if (m->editor.revision == m->saved) return true;
    if (m->clash) return false;
    unsigned revision = m->editor.revision;
    m->unsaved = base_ticks();
    switch (
        session_memo_save(m->file, screen_editor_text(&m->editor), m->editor.text.length, &why)) {
    case SESSION_MEMO_CHANGED: screen_writer_met(m); return !m->clash;
    case SESSION_MEMO_UNREADABLE: lock(m, &why); return false;
    case SESSION_MEMO_UNWRITTEN:
        set_trouble(m, &why);
        screen_writer_tell(m, m->trouble);
        return false;
    default: break;
    }
    m->saved = revision;
    m->unsaved = 0;
    set_trouble(m, NULL);
    return true;
}

/* ── the check ───────────────────────────────────────────────────────────────────────────────────*/
int screen_writer_gravity(enum memo_kind kind) {
    if (kind == MEMO_MISSING) return WRITER_OPEN;
    if (kind == MEMO_AGAIN) return WRITER_OPEN + 1;
    if (memo_is_open(kind)) return WRITER_GRAVEST;
    return kind == MEMO_FOREIGN || kind == MEMO_NOTE || kind == MEMO_ROUNDED ||
           kind == MEMO_CHECKED;
}

bool screen_writer_is_open(const struct memo_finding *f) {
    return memo_is_open(f->kind);
}

size_t screen_writer_finding_here(const struct writer *m) {
    const struct memo_report *r = &m->report;
    size_t at, place = m->editor.at;
    if (!m->reported) return 0;
    if (m->found < r->count && screen_writer_place_of(m, &r->finding[m->found], &at) && at == place)
        return m->found;
    int line = screen_editor_line_of(&m->editor, place);
    size_t column = place - screen_editor_line_at(&m->editor, line);
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        size_t first = (size_t)f->column;
        if (f->line == line && f->length > 0 && column >= first &&
            column <= first + (size_t)f->length)
            return i;
    }
    return r->count;
}

size_t screen_writer_open_findings(const struct writer *m) {
    size_t open = 0;
    for (size_t i = 0; m->reported && i < m->report.count; i++)
        open += screen_writer_is_open(&m->report.finding[i]);
    return open;
}

void screen_writer_check(struct writer *m) {
    struct base_message why = {0};
    int64_t began = base_ticks();
    if (m->reported) memo_free(&m->report);
    m->reported =
        memo_read(screen_editor_text(&m->editor), m->editor.text.length, m->with, &m->report, &why);
    if (!m->reported) {
        memo_free(&m->report);
        set_trouble(m, &why);
        m->scene.known = false;
    } else {
        screen_writer_scene_read(&m->scene, &m->report, m->course);
        m->stale = true;
    }
    m->checked = m->editor.revision;
    m->found = m->report.count;
    m->checking = base_ticks() - began;
}

/* ── headings ────────────────────────────────────────────────────────────────────────────────────*/
/* The section whose heading the line at a place is. */
static enum memo_section heading_of(const struct writer *m, size_t line) {
    const char *s = screen_editor_text(&m->editor) + line;
    size_t n = screen_editor_line_end(&m->editor, line) - line;
    return *s == '#' ? memo_section_of(s, n) : MEMO_SECTIONS;
}

/* The last heading up to a place, of the section that is wanted or of any; `at` is its end. */
static enum memo_section last_heading(const struct writer *m, size_t until,
                                      enum memo_section wanted, size_t *at) {
    enum memo_section found = MEMO_SECTIONS;
    for (size_t line = 0; line <= until && line < m->editor.text.length;) {
        enum memo_section s = heading_of(m, line);
        size_t end = screen_editor_line_end(&m->editor, line);
        if (s != MEMO_SECTIONS && (wanted == MEMO_SECTIONS || s == wanted)) {
            found = s;
            *at = end;
        }
        line = end + 1;
    }
    return found;
}

enum memo_section screen_writer_section_at(const struct writer *m, size_t at) {
    size_t end;
    return last_heading(m, at, MEMO_SECTIONS, &end);
}

bool screen_writer_heading(const struct writer *m, enum memo_section s, size_t *at) {
    return s != MEMO_SECTIONS && last_heading(m, m->editor.text.length, s, at) == s;
}

/* ── time ────────────────────────────────────────────────────────────────────────────────────────*/
static int64_t save_due(const struct writer *m) {
    int64_t breath = m->typed + BREATH_MS, last = m->unsaved + SAVE_MS;
    return breath < last && !m->trouble ? breath : last;
}

/* A check that takes no longer than a key may is made after each; a longer one waits for a pause. */
static int64_t check_due(const struct writer *m) {
    return m->typed + (m->checking <= QUICK_MS ? 0 : PATIENCE * m->checking + PAUSE_MS);
}

static bool to_plan(const struct writer *m) {
    return m->stale && m->reported;
}

static int64_t plan_due(const struct writer *m) {
    return m->typed + PAUSE_MS;
}

static bool to_save(const struct writer *m) {
    return m->editor.revision != m->saved && !m->locked && !m->clash;
}

static bool to_check(const struct writer *m) {
    return m->editor.revision != m->checked;
}

/* Who types without a pause is not waited for. */
void screen_writer_typed(struct writer *m) {
    m->typed = base_ticks();
    if (!to_save(m)) return;
    if (!m->unsaved) m->unsaved = m->typed;
    if (m->typed >= m->unsaved + SAVE_MS) screen_writer_save(m);
}

static unsigned writer_tick(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    int64_t now = base_ticks();
    if (k->code == PRESS_WATCHED) {
        unsigned before = m->editor.revision;
        screen_writer_look(m);
        return m->editor.revision != before || m->locked || m->clash ? VIEW_REDRAW : VIEW_HANDLED;
    }
    bool saves = to_save(m) && now >= save_due(m), checks = to_check(m) && now >= check_due(m);
    if (saves) screen_writer_save(m);
    if (checks) screen_writer_check(m);
    bool plans = to_plan(m) && now >= plan_due(m);
    if (plans) {
        screen_writer_scene_plan(&m->scene, &m->report);
        m->stale = false;
    }
    return saves || checks || plans ? VIEW_REDRAW : VIEW_HANDLED;
}

static int writer_watch(const struct view *v) {
    return session_memo_fd(writer_of(v)->file);
}

static int writer_pace(const struct view *v) {
    const struct writer *m = writer_of(v);
    int64_t due = INT64_MAX, now = base_ticks();
    if (to_save(m)) due = save_due(m);
    if (to_check(m) && check_due(m) < due) due = check_due(m);
    if (to_plan(m) && plan_due(m) < due) due = plan_due(m);
    if (due == INT64_MAX) return -1;
    return due > now ? (int)(due - now) : 0;
}

/* ── the view ────────────────────────────────────────────────────────────────────────────────────*/
/* The terminal went away, perhaps: what was typed is kept before all else. */
static void writer_close(struct view *v) {
    struct writer *m = writer_of(v);
    if (!screen_writer_save(m)) screen_writer_keep(m);
    if (m->reported) memo_free(&m->report);
    session_checks_free(m->with);
    screen_writer_scene_free(&m->scene);
    screen_editor_free(&m->editor);
    screen_field_free(&m->sum);
    screen_find_free(&m->find);
    session_memo_close(m->file);
    free(m->trouble);
    free(m);
}

static void writer_wake(struct view *v) {
    writer_of(v)->asked = false;
}

static const char *writer_now(const struct view *v) {
    return session_memo_file(writer_of(v)->file);
}

static const struct view_operations MEMO = {
    .name = "The memo",
    .about = "Write it here or in an editor of your own: it is a file, saved as you type. Its head "
             "declares the scenario, the decision and the alternatives; the table of Figures holds "
             "your claims, which are judged; every other figure is looked up. Markdown is welcome.",
    .actions = screen_writer_actions,
    .count = WRITER_ACTIONS,
    .pane = true,
    .now = writer_now,
    .state = screen_writer_state,
    .draw = screen_writer_draw,
    .key = screen_writer_key,
    .tick = writer_tick,
    .watch = writer_watch,
    .pace = writer_pace,
    .wake = writer_wake,
    .close = writer_close,
};

struct view *screen_view_memo(struct app *app, const char *path, const char *begins, bool course,
                              struct base_message *m) {
    if (!session_memo_begin(path, begins, m)) return NULL;
    struct session_memo *file = session_memo_open(path, EDITOR_MOST, m);
    if (!file) return NULL;
    struct writer *memo = base_alloc(sizeof *memo);
    *memo = (struct writer){
        .view = {&MEMO, app},
        .file = file,
        .panel = WRITER_PANELS,
        .course = course,
        .with = session_checks(app->desk)
    };
    size_t n;
    const char *text = session_memo_text(file, &n);
    screen_editor_set(&memo->editor, text, n);
    memo->saved = memo->editor.revision;
    memo->with->course = course;
    screen_writer_check(memo);
    return &memo->view;
}
