/* memo: a memo being written. It is saved and checked in the pauses of typing; other programs may write it meanwhile. */
#include "screen/memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAVE_MS = 800, /* the file is behind no longer than that … */
    BREATH_MS =
        200, /* … and is brought up to date when so long nothing is typed, since a disk may be slow */
    PAUSE_MS = 600, /* so long nothing is typed before it is checked … */
    PATIENCE = 4    /* … and so many times as long as a check takes */
};

static struct memo *memo_of(const struct view *v) {
    return (struct memo *)v;
}

static void set_trouble(struct memo *m, const struct base_message *why) {
    char text[700];
    free(m->trouble);
    m->trouble = why ? base_dup(base_message_text(why, text, sizeof text)) : NULL;
}

void memo_tell(struct memo *m, const char *words) {
    app_notice(m->view.app, base_dup(words));
}

/* ── the file ────────────────────────────────────────────────────────────────────────────────────*/
/* What cannot be shown must not be written over: what is typed here stays here. */
static void lock(struct memo *m, const struct base_message *why) {
    m->locked = true;
    set_trouble(m, why);
    memo_tell(m, m->trouble);
}

void memo_look(struct memo *m) {
    struct base_message why = {0};
    switch (sitting_memo_look(m->file, &why)) {
    case SITTING_MEMO_CHANGED: memo_met(m); break;
    case SITTING_MEMO_UNREADABLE: lock(m, &why); break;
    default: break;
    }
}

bool memo_save(struct memo *m) {
    struct base_message why = {0};
    if (m->editor.revision == m->saved) return true;
    if (m->clash) return false;
    unsigned revision = m->editor.revision;
    m->unsaved = base_ticks();
    switch (sitting_memo_save(m->file, editor_text(&m->editor), m->editor.text.length, &why)) {
    case SITTING_MEMO_CHANGED: memo_met(m); return !m->clash;
    case SITTING_MEMO_UNREADABLE: lock(m, &why); return false;
    case SITTING_MEMO_UNWRITTEN:
        set_trouble(m, &why);
        memo_tell(m, m->trouble);
        return false;
    default: break;
    }
    m->saved = revision;
    m->unsaved = 0;
    set_trouble(m, NULL);
    return true;
}

/* ── the check ───────────────────────────────────────────────────────────────────────────────────*/
int memo_gravity(enum study_memo_kind kind) {
    static const int gravity[STUDY_MEMO_KINDS] = {
        [STUDY_MEMO_RIGHT] = 0,
        [STUDY_MEMO_ROUNDED] = 1,
        [STUDY_MEMO_MISSING] = MEMO_OPEN,
        [STUDY_MEMO_UNIT] = MEMO_GRAVEST,
        [STUDY_MEMO_UNSUPPORTED] = 3,
        [STUDY_MEMO_WRONG] = MEMO_GRAVEST,
        [STUDY_MEMO_CONTRADICTORY] = MEMO_GRAVEST,
    };
    return gravity[kind];
}

bool memo_is_open(const struct study_memo_finding *f) {
    return memo_gravity(f->kind) >= MEMO_OPEN;
}

size_t memo_finding_here(const struct memo *m) {
    const struct study_memo_report *r = &m->report;
    size_t at, place = m->editor.at;
    if (!m->reported) return 0;
    if (m->found < r->count && memo_place_of(m, &r->finding[m->found], &at) && at == place)
        return m->found;
    int line = editor_line_of(&m->editor, place);
    size_t column = place - editor_line_at(&m->editor, line);
    for (size_t i = 0; i < r->count; i++) {
        const struct study_memo_finding *f = &r->finding[i];
        size_t first = (size_t)f->column;
        if (f->line == line && f->length > 0 && column >= first &&
            column <= first + (size_t)f->length)
            return i;
    }
    return r->count;
}

size_t memo_open_findings(const struct memo *m) {
    size_t open = 0;
    for (size_t i = 0; m->reported && i < m->report.count; i++)
        open += memo_is_open(&m->report.finding[i]);
    return open;
}

void memo_check(struct memo *m) {
    struct study_memo_evidence runs = sitting_evidence(desk_store(m->view.app->desk));
    struct base_message why = {0};
    int64_t began = base_ticks();
    if (m->reported) study_memo_free(&m->report);
    m->reported =
        study_memo_check(editor_text(&m->editor), m->editor.text.length, &runs, &m->report, &why);
    if (!m->reported) {
        study_memo_free(&m->report);
        set_trouble(m, &why);
        m->scene.known = false;
    } else {
        memo_scene_read(&m->scene, &m->report);
    }
    m->checked = m->editor.revision;
    m->found = m->report.count;
    m->checking = base_ticks() - began;
}

/* ── headings ────────────────────────────────────────────────────────────────────────────────────*/
/* The section whose heading the line at a place is. */
static enum study_memo_section heading_of(const struct memo *m, size_t line) {
    const char *s = editor_text(&m->editor) + line;
    size_t n = editor_line_end(&m->editor, line) - line;
    int i = 0;
    if (*s != '#') return STUDY_MEMO_SECTIONS;
    for (; i < STUDY_MEMO_SECTIONS; i++) {
        const char *title = study_memo_section_title((enum study_memo_section)i);
        if (memmem(s, n, title, strlen(title))) break;
    }
    return (enum study_memo_section)i;
}

/* The last heading up to a place, of the section that is wanted or of any; `at` is its end. */
static enum study_memo_section last_heading(const struct memo *m, size_t until,
                                            enum study_memo_section wanted, size_t *at) {
    enum study_memo_section found = STUDY_MEMO_SECTIONS;
    for (size_t line = 0; line <= until && line < m->editor.text.length;) {
        enum study_memo_section s = heading_of(m, line);
        size_t end = editor_line_end(&m->editor, line);
        if (s != STUDY_MEMO_SECTIONS && (wanted == STUDY_MEMO_SECTIONS || s == wanted)) {
            found = s;
            *at = end;
        }
        line = end + 1;
    }
    return found;
}

enum study_memo_section memo_section_at(const struct memo *m, size_t at) {
    size_t end;
    return last_heading(m, at, STUDY_MEMO_SECTIONS, &end);
}

bool memo_heading(const struct memo *m, enum study_memo_section s, size_t *at) {
    return s != STUDY_MEMO_SECTIONS && last_heading(m, m->editor.text.length, s, at) == s;
}

/* ── time ────────────────────────────────────────────────────────────────────────────────────────*/
static int64_t save_due(const struct memo *m) {
    int64_t breath = m->typed + BREATH_MS, last = m->unsaved + SAVE_MS;
    return breath < last && !m->trouble ? breath : last;
}

static int64_t check_due(const struct memo *m) {
    int64_t pause = PATIENCE * m->checking;
    return m->typed + (pause > PAUSE_MS ? pause : PAUSE_MS);
}

static bool to_save(const struct memo *m) {
    return m->editor.revision != m->saved && !m->locked && !m->clash;
}

static bool to_check(const struct memo *m) {
    return m->editor.revision != m->checked;
}

/* Who types without a pause is not waited for. */
void memo_typed(struct memo *m) {
    m->typed = base_ticks();
    if (!to_save(m)) return;
    if (!m->unsaved) m->unsaved = m->typed;
    if (m->typed >= m->unsaved + SAVE_MS) memo_save(m);
}

static unsigned memo_tick(struct view *v, const struct key *k) {
    struct memo *m = memo_of(v);
    int64_t now = base_ticks();
    if (k->code == PRESS_WATCHED) {
        unsigned before = m->editor.revision;
        memo_look(m);
        return m->editor.revision != before || m->locked || m->clash ? VIEW_REDRAW : VIEW_HANDLED;
    }
    bool saves = to_save(m) && now >= save_due(m), checks = to_check(m) && now >= check_due(m);
    if (saves) memo_save(m);
    if (checks) memo_check(m);
    return saves || checks ? VIEW_REDRAW : VIEW_HANDLED;
}

static int memo_watch(const struct view *v) {
    return sitting_memo_fd(memo_of(v)->file);
}

static int memo_pace(const struct view *v) {
    const struct memo *m = memo_of(v);
    int64_t due = INT64_MAX, now = base_ticks();
    if (to_save(m)) due = save_due(m);
    if (to_check(m) && check_due(m) < due) due = check_due(m);
    if (due == INT64_MAX) return -1;
    return due > now ? (int)(due - now) : 0;
}

/* ── the view ────────────────────────────────────────────────────────────────────────────────────*/
/* The terminal went away, perhaps: what was typed is kept before all else. */
static void memo_close(struct view *v) {
    struct memo *m = memo_of(v);
    if (!memo_save(m)) memo_keep(m);
    if (m->reported) study_memo_free(&m->report);
    memo_scene_free(&m->scene);
    editor_free(&m->editor);
    field_free(&m->sum);
    find_free(&m->find);
    sitting_memo_close(m->file);
    free(m->trouble);
    free(m);
}

static void memo_wake(struct view *v) {
    memo_of(v)->asked = false;
}

static const char *memo_now(const struct view *v) {
    return sitting_memo_file(memo_of(v)->file);
}

static const struct view_operations MEMO = {
    .name = "The memo",
    .about =
        "Write it here or in an editor of your own: it is a file, saved as you type. Each figure "
        "is "
        "held against the engine for the scenario and the recipe that the memo names. Markdown "
        "is welcome.",
    .actions = memo_actions,
    .count = MEMO_ACTIONS,
    .pane = true,
    .now = memo_now,
    .state = memo_state,
    .draw = memo_draw,
    .key = memo_key,
    .tick = memo_tick,
    .watch = memo_watch,
    .pace = memo_pace,
    .wake = memo_wake,
    .close = memo_close,
};

struct view *view_memo(struct app *app, const char *path, const char *begins,
                       struct base_message *m) {
    if (!sitting_memo_begin(path, begins, m)) return NULL;
    struct sitting_memo *file = sitting_memo_open(path, EDITOR_MOST, m);
    if (!file) return NULL;
    struct memo *memo = base_alloc(sizeof *memo);
    *memo = (struct memo){
        .view = {&MEMO, app},
          .file = file, .panel = MEMO_PANELS
    };
    size_t n;
    const char *text = sitting_memo_text(file, &n);
    editor_set(&memo->editor, text, n);
    memo->saved = memo->editor.revision;
    memo_check(memo);
    return &memo->view;
}
