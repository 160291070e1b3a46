/* notes.c: bookmarks and notes. Rows are only added: the latest row of a step says what it has. */
#include "store/inside.h"

#include <string.h>

enum { NUMBER, WHEN, KIND, LESSON, STEP, TITLE, TEXT };

static const char *const kinds[] = {[STORE_BOOKMARK] = "bookmark", [STORE_NOTE] = "note"};

bool store_note_keep(struct store *s, const struct store_note *n, struct base_message *m) {
    if (strlen(n->text) > STORE_NOTE_MOST)
        return base_fail(m, "this note is longer than %d bytes: make two of it", STORE_NOTE_MOST);
    struct sql q = store_sql_begin(s->db, "INSERT INTO note (time, kind, lesson, step, title, text)"
                                          " VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    store_sql_int(&q, 1, base_now());
    store_sql_text(&q, 2, kinds[n->kind]);
    store_sql_text(&q, 3, n->lesson);
    store_sql_text(&q, 4, n->step);
    store_sql_text(&q, 5, n->title);
    store_sql_text(&q, 6, n->text);
    return store_sql_write(s->db, &q) || store_sql_fail(s->db, s->path, "keep the note", m);
}

static void hand_over(const struct sql *q, void (*each)(void *to, const struct store_note *n),
                      void *to) {
    bool bookmark = strcmp(store_sql_column(q, KIND), kinds[STORE_BOOKMARK]) == 0;
    each(to, &(struct store_note){.number = sqlite3_column_int64(q->statement, NUMBER),
                                  .when = sqlite3_column_int64(q->statement, WHEN),
                                  .kind = bookmark ? STORE_BOOKMARK : STORE_NOTE,
                                  .lesson = store_sql_column(q, LESSON),
                                  .step = store_sql_column(q, STEP),
                                  .title = store_sql_column(q, TITLE),
                                  .text = store_sql_column(q, TEXT)});
}

bool store_notes(struct store *s, const char *lesson, const char *step,
                 void (*each)(void *to, const struct store_note *n), void *to,
                 struct base_message *m) {
    struct sql q = store_sql_begin(
        s->db, "SELECT id, time, kind, lesson, step, title, text FROM note WHERE id IN"
               " (SELECT max(id) FROM note WHERE (?1 IS NULL OR lesson = ?1)"
               "  AND (?2 IS NULL OR step = ?2) GROUP BY kind, lesson, step)"
               " AND text <> '' ORDER BY id DESC");
    store_sql_text(&q, 1, lesson);
    store_sql_text(&q, 2, step);
    while (store_sql_row(&q)) hand_over(&q, each, to);
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the notes", m);
}
