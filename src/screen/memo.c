/* memo: the view of a memo being written: its keys, and what is done in the pauses of typing, when
 * it is saved and checked. */
#include "screen/memo.h"
#include "screen/scratch.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* the file is behind no longer than that … */
    SAVE_MS = 800,
    /* … and is brought up to date when so long nothing is typed, since a disk may be slow */
    BREATH_MS = 200,
    /* a check no longer than that is made after each key; */
    QUICK_MS = 15,
    /* for others, and for the planner, so long nothing must be typed … */
    PAUSE_MS = 600,
    /* … and so many times as long as a check takes */
    PATIENCE = 4
};

enum { WHEEL = 3, EACH_PANEL = (1 << WRITER_PANELS) - 1 };
/* what may hold of it */
enum {
    WRITES = VIEW_OWN,
    /* the calculator has the cursor, and not the memo … */
    SUMS,
    /* … and has not shown its result yet, */
    WORKS,
    /* or has, and can write it into the memo */
    OFFERS,
    /* the words that are looked for have the cursor */
    FINDS,
    /* the others: while the memo has it */
    TO_MEND,
    /* findings that have no room */
    MORE,
    /* another program's text is in the file */
    CLASH,
    TAKES_BACK,
    MAKES_AGAIN,
    /* one at a time, except while words are looked for */
    PANELS
};

static struct writer *writer_of(const struct view *v) {
    return (struct writer *)v;
}

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static int64_t save_due(const struct writer *m) {
    int64_t breath = m->typed + BREATH_MS, last = m->unsaved + SAVE_MS;
    return breath < last && !m->trouble ? breath : last;
}

/* A check that takes no longer than a key may is made after each; a longer one waits for a
 * pause. */
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
static void typed(struct writer *m) {
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

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
static void go_to(struct writer *m, size_t finding) {
    screen_editor_go(&m->editor, screen_writer_place_of(m, &m->report.finding[finding]));
    m->found = finding;
    m->skipped = (struct writer_place){0};
    m->calculating = false;
}

/* a finding and where it is: several may be at one place */
struct stop {
    size_t at, finding;
};

static bool is_before(struct stop a, struct stop b) {
    return a.at < b.at || (a.at == b.at && a.finding < b.finding);
}

/* The nearest behind the one at the cursor, else the first. */
static unsigned next_finding(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    if (m->editor.revision != m->checked) screen_writer_check(m);
    size_t count = m->reported ? m->report.count : 0;
    struct stop here = {m->editor.at, screen_writer_finding_here(m)}, next = {0, count},
                first = {0, count}, stop;
    for (stop.finding = 0; stop.finding < count; stop.finding++) {
        const struct memo_finding *f = &m->report.finding[stop.finding];
        if (!screen_writer_is_open(f)) continue;
        stop.at = screen_writer_place_of(m, f);
        if (first.finding == count || is_before(stop, first)) first = stop;
        if (is_before(here, stop) && (next.finding == count || is_before(stop, next))) next = stop;
    }
    if (first.finding == count) return VIEW_REDRAW;
    go_to(m, next.finding < count ? next.finding : first.finding);
    if (!m->has_pane) m->panel = WRITER_FINDINGS;
    return VIEW_REDRAW;
}

/* Those that have no room; behind the last the first again. */
static unsigned more_findings(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    m->skipped = m->next;
    return VIEW_REDRAW;
}

/* ── panels ────────────────────────────────────────────────────────────────────────────────────*/
/* Under the text each has its turn, next to it those that had no room; then none has. */
static bool has_turn(const struct writer *m) {
    return !m->has_pane || m->panel == WRITER_PANELS || m->left_out >> m->panel & 1;
}

static unsigned next_panel(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    int count = WRITER_PANELS + 1, by = k->code == PRESS_BACKTAB ? count - 1 : 1;
    do m->panel = (enum writer_panel)(((int)m->panel + by) % count);
    while (!has_turn(m));
    m->calculating = m->panel == WRITER_CALCULATOR;
    return VIEW_REDRAW;
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/
/* What all names that go on share beyond what is typed; the first of them is in `first`. */
static size_t shared_end(const struct writer *m, const char *line, const char **first,
                         struct base_text *all) {
    size_t typed = 0, shared = 0;
    const char *name;
    for (size_t i = 0; (name = memo_complete(&m->report, line, i, &typed)); i++) {
        if (i == 0) *first = name, shared = strlen(name);
        while (strncasecmp(*first, name, shared) != 0) shared--;
        base_text_printf(all, "%s%s", i ? ", " : "", name);
    }
    *first = *first ? *first + typed : NULL;
    return shared > typed ? shared - typed : 0;
}

/* Writes on what is typed of a name, in the head and in the table of Figures; elsewhere Tab turns
 * the panels. */
static unsigned complete(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    size_t from =
        screen_editor_line_at(&m->editor, screen_editor_line_of(&m->editor, m->editor.at));
    struct base_text all = {0};
    const char *first = NULL;
    if (m->editor.revision != m->checked) screen_writer_check(m);
    char *line =
        base_format("%.*s", (int)(m->editor.at - from), screen_editor_text(&m->editor) + from);
    size_t n = m->reported ? shared_end(m, line, &first, &all) : 0;
    if (n) {
        screen_editor_replace(&m->editor, m->editor.at, m->editor.at, first, n);
        typed(m);
    } else if (first) {
        screen_app_notice(v->app, base_dup(all.s));
    }
    base_text_free(&all);
    free(line);
    return first ? VIEW_REDRAW : next_panel(v, k);
}

static unsigned calculate(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    m->calculating = !m->calculating;
    m->panel = m->calculating ? WRITER_CALCULATOR : WRITER_PANELS;
    m->offers = false;
    return VIEW_REDRAW;
}

/* The result, and only when that was seen the memo. */
static unsigned work_out(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    char *sum = screen_scratch_sum(screen_editor_text(&m->sum));
    m->offers = sum != NULL;
    free(sum);
    return VIEW_REDRAW;
}

/* What it makes of it, without the other unit. */
static unsigned put_sum(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    char *sum = screen_scratch_sum(screen_editor_text(&m->sum));
    if (!sum) return VIEW_REDRAW;
    char *other = strstr(sum, " = ");
    size_t n = other ? (size_t)(other - sum) : strlen(sum);
    m->editor.joins = false;
    screen_editor_replace(&m->editor, m->editor.at, m->editor.at, sum, n);
    m->editor.joins = false;
    screen_app_notice(v->app,
                      base_format("%.*s is in the memo now, at line %d. F9 takes it back.", (int)n,
                                  sum, screen_editor_line_of(&m->editor, m->editor.at)));
    free(sum);
    typed(m);
    return calculate(v, k);
}

/* ── finding words ─────────────────────────────────────────────────────────────────────────────*/
static unsigned find_words(struct view *v, const struct key *k) {
    (void)k;
    screen_find_open(&writer_of(v)->find, &writer_of(v)->editor);
    return VIEW_REDRAW;
}

static unsigned found_words(struct view *v, const struct key *k) {
    (void)k;
    screen_find_close(&writer_of(v)->find, &writer_of(v)->editor);
    return VIEW_REDRAW;
}

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
static unsigned save_now(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    if (screen_writer_save(m) && !v->app->notice)
        screen_app_notice(v->app, base_format("Saved, as always: %s", session_memo_file(m->file)));
    return VIEW_REDRAW;
}

struct errand {
    struct writer *memo;
    struct base_message why;
    bool done;
};

static void edit_elsewhere(void *to) {
    struct errand *e = to;
    e->done = session_memo_edit(session_memo_file(e->memo->file), &e->why);
}

static unsigned own_editor(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    struct errand e = {.memo = m};
    struct terminal *t = v->app->terminal;
    (void)k;
    if (!screen_writer_save(m)) return VIEW_REDRAW;
    if (!t->does->lend) {
        screen_app_notice(v->app, base_dup("An editor needs a terminal."));
        return VIEW_REDRAW;
    }
    t->does->lend(t, edit_elsewhere, &e);
    if (!e.done) screen_app_notice(v->app, base_dup(e.why.what));
    screen_writer_look(m);
    screen_writer_check(m);
    return VIEW_REDRAW;
}

static unsigned leave(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    (void)k;
    if (m->asked || screen_writer_save(m)) return VIEW_LEAVE;
    m->asked = true;
    screen_app_notice(v->app, base_format("The memo is not saved: %s. Press Esc again to leave and "
                                          "keep your text in another file, any other key to stay.",
                                          m->trouble ? m->trouble : ""));
    return VIEW_REDRAW;
}

/* ── typing ────────────────────────────────────────────────────────────────────────────────────*/
static unsigned undo(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    screen_editor_key(&m->editor, k);
    typed(m);
    return VIEW_REDRAW;
}

static unsigned key_of_sum(struct writer *m, const struct key *k) {
    if (k->code == PRESS_CLICK && k->target == WRITER_FIELD)
        screen_editor_point(&m->sum, 0, k->column - m->field.column);
    else if (!screen_editor_key(&m->sum, k))
        return VIEW_IGNORED;
    m->offers = false;
    return VIEW_REDRAW;
}

static unsigned click(struct writer *m, const struct key *k) {
    if (k->target >= 0) screen_find_close(&m->find, &m->editor);
    if (k->target == WRITER_TEXT) {
        m->calculating = false;
        screen_editor_point(&m->editor, k->row - m->text.row, k->column - m->text.column);
    } else if (k->target == WRITER_FIELD) {
        m->calculating = true;
        return key_of_sum(m, k);
    } else if (k->target >= WRITER_FINDING && m->reported &&
               (size_t)(k->target - WRITER_FINDING) < m->report.count) {
        go_to(m, (size_t)(k->target - WRITER_FINDING));
    } else {
        return VIEW_IGNORED;
    }
    return VIEW_REDRAW;
}

static unsigned writer_key(struct view *v, const struct key *k) {
    struct writer *m = writer_of(v);
    m->asked = false;
    if (k->code == PRESS_CLICK) return click(m, k);
    if (k->code == PRESS_WHEEL_UP || k->code == PRESS_WHEEL_DOWN) {
        screen_editor_scroll(&m->editor, k->code == PRESS_WHEEL_UP ? -WHEEL : WHEEL);
        return VIEW_REDRAW;
    }
    if (m->calculating) return key_of_sum(m, k);
    if (m->find.open) return screen_find_key(&m->find, &m->editor, k) ? VIEW_REDRAW : VIEW_IGNORED;
    if (!screen_editor_key(&m->editor, k)) return VIEW_IGNORED;
    m->skipped = (struct writer_place){0};
    if (m->editor.full)
        screen_app_notice(v->app, base_dup("The memo is full: it can hold at most 1 MiB."));
    typed(m);
    return VIEW_REDRAW;
}

static bool is_further(struct writer_place p) {
    return p.item > 0 || p.row > 0;
}

static void writer_state(const struct view *v, struct view_states *s) {
    const struct writer *m = writer_of(v);
    bool finds = !m->calculating && m->find.open, writes = !m->calculating && !finds;
    s->is[VIEW_TYPING] = true;
    s->is[writes ? WRITES : finds ? FINDS : SUMS] = true;
    s->is[m->offers ? OFFERS : WORKS] = m->calculating;
    s->is[TO_MEND] = writes && screen_writer_open_findings(m) > 0;
    s->is[MORE] = writes && (m->has_pane || m->panel == WRITER_FINDINGS) &&
                  (is_further(m->next) || is_further(m->skipped));
    s->is[CLASH] = writes && m->clash;
    s->is[TAKES_BACK] = writes && m->editor.done > 0;
    s->is[MAKES_AGAIN] = writes && m->editor.done < m->editor.changes;
    bool turns = !m->has_pane || m->panel != WRITER_PANELS || m->left_out & EACH_PANEL;
    s->is[PANELS] = turns && !finds;
}

static const struct action ACTIONS[] = {
    {"keep both", "C-b", CLASH, screen_writer_take_theirs,
     "Another program wrote the file: keep yours as NAME~ and show the other text"},
    {"overwrite", "C-q", CLASH, screen_writer_overwrite,
     "Another program wrote the file: overwrite it with yours"},
    {"next finding", "F2 C-t", TO_MEND, next_finding, "Go to the next finding of the check"},
    {"below", "F3 C-o", MORE, more_findings, "Show the next findings; after the last, the first"},
    {NULL, "Tab", WRITES, complete,
     "Complete a name in the head or in Figures; elsewhere: next panel"},
    {"panel", "Tab S-Tab", PANELS, next_panel, "Show the next panel"},
    {"calculate", "F4", WRITES, calculate, "Calculate, as you would type answers"},
    {"find", "C-f", WRITES, find_words, "Search the memo"},
    {"result", "Enter", WORKS, work_out, "Show the result; Enter again writes it into the memo"},
    {"insert", "Enter", OFFERS, put_sum, "Write the result at the memo's cursor"},
    {"back", "Esc F4", SUMS, calculate, "Go back to the memo"},
    {"next", "Enter", FINDS, NULL, "Go to the next match; after the last, the first"},
    {"previous", "Up", FINDS, NULL, "Go to the previous match; before the first, the last"},
    {NULL, "C-f Down", FINDS, NULL, "Go to the next match"},
    {"back", "Esc", FINDS, found_words, "Go back to the memo, at the match"},
    {"own editor", "C-v", WRITES, own_editor, "Open it in your own editor ($EDITOR)"},
    {"undo", "F9 C-x", TAKES_BACK, undo, "Undo the last change"},
    {"redo", "C-r", MAKES_AGAIN, undo, "Redo it"},
    {NULL, "C-s", 0, save_now, "Save now (it is also saved as you type)"},
    {NULL, "Up Down Left Right", WRITES, NULL, "Move; Ctrl-left and Ctrl-right move by words"},
    {NULL, "Enter", WRITES, NULL, "Insert a new line"},
    {NULL, "Home End", WRITES, NULL, "Go to the ends of the row; with Ctrl, of the memo"},
    {NULL, "C-a C-e", WRITES, NULL, "Go to the ends of the line"},
    {NULL, "PgUp PgDn", WRITES, NULL, "Go a page up or down; the wheel scrolls"},
    {NULL, "C-u", WRITES, NULL, "Delete the line up to the cursor"},
    {NULL, "C-w", WRITES, NULL, "Delete the word before the cursor"},
    {NULL, "C-k", WRITES, NULL, "Delete the rest of the line"},
    {NULL, "BS Del", WRITES, NULL, "Delete the character before or under the cursor"},
    {"back", "Esc", WRITES, leave, "Go back; the memo is saved"},
};

/* ── the view ──────────────────────────────────────────────────────────────────────────────────*/
/* The terminal went away, perhaps: what was typed is kept before all else. */
static void writer_close(struct view *v) {
    struct writer *m = writer_of(v);
    if (!screen_writer_save(m)) screen_writer_keep(m);
    if (m->reported) memo_free(&m->report);
    session_checks_free(m->with);
    screen_writer_scene_free(&m->scene);
    screen_editor_free(&m->editor);
    screen_editor_free(&m->sum);
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
    .about = "Write the memo here or in your own editor. It is a Markdown file, saved as you type. "
             "Its head declares the scenario, the decision and the alternatives. The table of "
             "Figures holds your claims, which are judged. Every other figure is looked up.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .pane = true,
    .now = writer_now,
    .state = writer_state,
    .draw = screen_writer_draw,
    .key = writer_key,
    .tick = writer_tick,
    .watch = writer_watch,
    .pace = writer_pace,
    .wake = writer_wake,
    .close = writer_close,
};

struct view *screen_view_memo(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    if (!session_memo_begin(r->name, r->begins, m)) return NULL;
    struct session_memo *file = session_memo_open(r->name, EDITOR_MOST, m);
    if (!file) return NULL;
    struct writer *memo = base_alloc(sizeof *memo);
    *memo = (struct writer){.view = {&MEMO, app},
                            .file = file,
                            .panel = WRITER_PANELS,
                            .course = r->course,
                            .with = session_checks(app->learner)};
    size_t n;
    const char *text = session_memo_text(file, &n);
    screen_editor_set(&memo->editor, text, n);
    screen_editor_field(&memo->sum, EDITOR_LINE, NULL);
    memo->saved = memo->editor.revision;
    memo->with->course = r->course;
    screen_writer_check(memo);
    return &memo->view;
}
