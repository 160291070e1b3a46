/* memo_check: what the check found in a memo, and where in its text that is. */
#include "screen/memo.h"

#include <stdlib.h>

/* ── headings ──────────────────────────────────────────────────────────────────────────────────*/
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

/* Where a section is written: at the end of its heading, at the memo's end if it has no such
 * heading yet; what belongs to no section is at the top. */
static size_t place_of_section(const struct writer *m, enum memo_section s) {
    size_t at = m->editor.text.length;
    if (s == MEMO_SECTIONS) return 0;
    (void)last_heading(m, m->editor.text.length, s, &at);
    return at;
}

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
int screen_writer_gravity(const struct memo_finding *f) {
    enum memo_kind kind = f->kind;
    if (kind == MEMO_MISSING) return WRITER_OPEN;
    if (kind == MEMO_AGAIN) return WRITER_OPEN + 1;
    if (memo_is_open(kind)) return WRITER_GRAVEST;
    return kind == MEMO_FOREIGN || kind == MEMO_NOTE || kind == MEMO_ROUNDED ||
           kind == MEMO_CHECKED || f->differs;
}

bool screen_writer_is_open(const struct memo_finding *f) {
    return memo_is_open(f->kind);
}

size_t screen_writer_place_of(const struct writer *m, const struct memo_finding *f) {
    const struct editor *e = &m->editor;
    if (f->line <= 0) return place_of_section(m, f->section);
    size_t line = screen_editor_line_at(e, f->line), end = screen_editor_line_end(e, line);
    return line + (size_t)f->column < end ? line + (size_t)f->column : end;
}

size_t screen_writer_finding_here(const struct writer *m) {
    const struct memo_report *r = &m->report;
    size_t place = m->editor.at;
    if (!m->reported) return 0;
    if (m->found < r->count && screen_writer_place_of(m, &r->finding[m->found]) == place)
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

/* ── the check ─────────────────────────────────────────────────────────────────────────────────*/
void screen_writer_check(struct writer *m) {
    struct base_message why = {0};
    int64_t began = base_ticks();
    if (m->reported) memo_free(&m->report);
    m->reported =
        memo_read(screen_editor_text(&m->editor), m->editor.text.length, m->with, &m->report, &why);
    if (!m->reported) {
        memo_free(&m->report);
        screen_writer_set_trouble(m, &why);
        m->scene.known = false;
    } else {
        screen_writer_scene_read(&m->scene, &m->report, m->course);
        m->stale = true;
    }
    m->checked = m->editor.revision;
    m->found = m->report.count;
    m->checking = base_ticks() - began;
}
