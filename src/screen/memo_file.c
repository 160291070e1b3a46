/* memo_file: the memo's file: saved, watched, and what happens if another program writes it too. No
 * text is lost: until the learner has chosen between two, nothing is saved. */
#include "screen/memo.h"

#include <stdlib.h>
#include <string.h>

const char *screen_writer_last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void screen_writer_set_trouble(struct writer *m, const struct base_message *why) {
    char text[700];
    free(m->trouble);
    m->trouble = why ? base_dup(base_message_text(why, text, sizeof text)) : NULL;
}

static void tell(struct writer *m, const char *words) {
    screen_app_notice(m->view.app, base_dup(words));
}

/* ── another program wrote it while it was written here ────────────────────────────────────────*/
static void take_over(struct writer *m) {
    size_t n;
    const char *text = session_memo_text(m->file, &n);
    screen_editor_become(&m->editor, text, n);
    m->saved = m->editor.revision;
    m->unsaved = 0;
    m->locked = m->clash = false;
    free(m->trouble);
    m->trouble = NULL;
}

/* Whether there is something here that the file never had. */
static bool has_own(const struct writer *m) {
    size_t n;
    const char *theirs = session_memo_text(m->file, &n);
    return m->editor.revision != m->saved &&
           (n != m->editor.text.length || memcmp(theirs, screen_editor_text(&m->editor), n) != 0);
}

static void meet(struct writer *m) {
    if (!has_own(m)) {
        take_over(m);
        tell(m, "Another program changed the memo. This is its text.");
        return;
    }
    m->clash = true;
    m->locked = false;
    free(m->trouble);
    m->trouble = base_dup("another program changed the file");
    tell(
        m,
        "Another program changed this memo while you were writing, so your text is not saved. "
        "Press Ctrl-B to keep both: your text goes into another file, and the other program's text "
        "is shown here. Press Ctrl-Q to overwrite it with yours. Or keep writing and choose "
        "later.");
}

/* ── saving ────────────────────────────────────────────────────────────────────────────────────*/
/* What cannot be shown must not be written over: what is typed here stays here. */
static void lock(struct writer *m, const struct base_message *why) {
    m->locked = true;
    screen_writer_set_trouble(m, why);
    tell(m, m->trouble);
}

void screen_writer_look(struct writer *m) {
    struct base_message why = {0};
    switch (session_memo_look(m->file, &why)) {
    case SESSION_MEMO_CHANGED: meet(m); break;
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
    case SESSION_MEMO_CHANGED: meet(m); return !m->clash;
    case SESSION_MEMO_UNREADABLE: lock(m, &why); return false;
    case SESSION_MEMO_UNWRITTEN:
        screen_writer_set_trouble(m, &why);
        tell(m, m->trouble);
        return false;
    default: break;
    }
    m->saved = revision;
    m->unsaved = 0;
    screen_writer_set_trouble(m, NULL);
    return true;
}

/* ── choosing between two texts ────────────────────────────────────────────────────────────────*/
unsigned screen_writer_take_theirs(struct view *v, const struct key *k) {
    struct writer *m = (struct writer *)v;
    struct base_message why = {0};
    (void)k;
    char *kept =
        session_memo_keep(m->file, screen_editor_text(&m->editor), m->editor.text.length, &why);
    if (kept) {
        take_over(m);
        screen_app_notice(v->app,
                          base_format("Your text is in %s. This is the other program's text.",
                                      screen_writer_last_name(kept)));
    } else {
        tell(m, why.what);
    }
    free(kept);
    return VIEW_REDRAW;
}

unsigned screen_writer_overwrite(struct view *v, const struct key *k) {
    struct writer *m = (struct writer *)v;
    (void)k;
    m->clash = false;
    if (screen_writer_save(m)) tell(m, "Your text has replaced the other program's.");
    return VIEW_REDRAW;
}

/* The terminal may be gone: who closed it cannot be asked any more. */
void screen_writer_keep(struct writer *m) {
    struct base_message why = {0};
    char *kept =
        session_memo_keep(m->file, screen_editor_text(&m->editor), m->editor.text.length, &why);
    screen_app_part(m->view.app, kept
                                     ? base_format("The memo was not saved: %s. Your text is in %s",
                                                   m->trouble ? m->trouble : "", kept)
                                     : base_format("The memo is not saved: %s", why.what));
    free(kept);
}
