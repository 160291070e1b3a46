/* board: what the teacher says to the room, read and written. */
#include "classroom/board.h"
#include "hash/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 16 };

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool refuse(struct base_message *m, const char *what) {
    return base_fail_at(m, CLASSROOM_BOARD, 0,
                        "%s: `zerotutor class watch` of this version did not write this", what);
}

static bool take_nudges(struct classroom_board *b, const json_t *all, struct base_message *m) {
    size_t i;
    const json_t *one;
    if (json_array_size(all) > CLASSROOM_NUDGES) return refuse(m, "\"nudges\" has too many");
    json_array_foreach(all, i, one) {
        struct classroom_nudge *n = &b->nudge[i];
        base_line_copy(n->id, sizeof n->id, base_json_text(one, "id", ""));
        base_line_copy(n->to, sizeof n->to, base_json_text(one, "to", ""));
        base_line_copy(n->text, sizeof n->text, base_json_text(one, "text", ""));
        n->at = base_json_int(one, "at", 0);
        if (!*n->id || !*n->text) return refuse(m, "\"nudges\" has one without an id or a text");
    }
    b->nudges = json_array_size(all);
    return true;
}

static bool take_open(struct classroom_board *b, const json_t *open, struct base_message *m) {
    base_line_copy(b->lesson, sizeof b->lesson, base_json_text(open, "lesson", ""));
    base_line_copy(b->step, sizeof b->step, base_json_text(open, "step", ""));
    bool whole = (*b->lesson != '\0') == (*b->step != '\0');
    return whole || refuse(m, "\"open\" needs a lesson and a step");
}

static enum classroom_round round_of(const json_t *vote) {
    if (strcmp(base_json_text(vote, "round", ""), "shown") == 0) return CLASSROOM_SHOWN;
    return base_json_int(vote, "round", 1) == 2 ? CLASSROOM_TALKED : CLASSROOM_ALONE;
}

static bool take_vote(struct classroom_board *b, const json_t *vote, struct base_message *m) {
    struct classroom_vote *v = &b->vote;
    const json_t *options = json_object_get(vote, "options");
    int64_t right = base_json_int(vote, "right", 0);
    size_t n = json_array_size(options);
    if (!json_is_object(vote)) return true;
    base_line_copy(v->id, sizeof v->id, base_json_text(vote, "id", ""));
    base_line_copy(v->question, sizeof v->question, base_json_text(vote, "question", ""));
    if (!*v->id || n < 2 || n > CLASSROOM_OPTIONS || right < 0 || right > (int64_t)n)
        return refuse(m, "\"vote\" needs an id, two to nine options and a right one among them");
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(options, i));
        base_line_copy(v->option[i], sizeof v->option[i], text ? text : "");
    }
    v->options = n;
    v->round = round_of(vote);
    v->right = (int)right;
    return true;
}

static bool take_exit(struct classroom_board *b, const json_t *exit, struct base_message *m) {
    const json_t *items = json_object_get(exit, "items");
    size_t n = json_array_size(items);
    if (!json_is_object(exit)) return true;
    base_line_copy(b->exit.id, sizeof b->exit.id, base_json_text(exit, "id", ""));
    if (!*b->exit.id || n < 1 || n > CLASSROOM_EXITS)
        return refuse(m, "\"exit\" needs an id and one to three items");
    for (size_t i = 0; i < n; i++) {
        const char *item = json_string_value(json_array_get(items, i));
        base_line_copy(b->exit.item[i], sizeof b->exit.item[i], item ? item : "");
        if (!*b->exit.item[i]) return refuse(m, "\"exit\" has an item without a name");
    }
    b->exit.items = n;
    b->exit.at = base_json_int(exit, "at", 0);
    return true;
}

static bool take(struct classroom_board *b, const json_t *json, struct base_message *m) {
    if (strcmp(base_json_text(json, "zerotutor", ""), "board") != 0)
        return refuse(m, "this is not a board");
    if (base_json_int(json, "format", 0) != 1)
        return base_fail_at(m, CLASSROOM_BOARD, 0,
                            "a newer zerotutor wrote this board; install that version");
    return take_nudges(b, json_object_get(json, "nudges"), m) &&
           take_open(b, json_object_get(json, "open"), m) &&
           take_vote(b, json_object_get(json, "vote"), m) &&
           take_exit(b, json_object_get(json, "exit"), m);
}

bool classroom_board_read(const struct classroom_folder *f, struct classroom_board *out,
                          struct base_message *m) {
    struct classroom_file got;
    *out = (struct classroom_board){.nudges = 0};
    if (!classroom_read(f, CLASSROOM_TOP, CLASSROOM_BOARD, classroom_teacher(f), FILE_MOST, &got,
                        m)) {
        bool none = errno == ENOENT;
        if (none && m) *m = (struct base_message){.line = 0};
        return none;
    }
    json_t *json = base_json_read(got.text, got.length, CLASSROOM_BOARD, m);
    bool taken = json && take(out, json, m);
    if (!taken) *out = (struct classroom_board){.nudges = 0};
    json_decref(json);
    free(got.text);
    return taken;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *give_vote(const struct classroom_vote *v) {
    json_t *options = json_array();
    for (size_t i = 0; i < v->options; i++)
        json_array_append_new(options, json_string(v->option[i]));
    json_t *vote = json_pack("{ss ss so si}", "id", v->id, "question", v->question, "options",
                             options, "right", v->right);
    json_object_set_new(vote, "round",
                        v->round == CLASSROOM_SHOWN ? json_string("shown")
                                                    : json_integer((json_int_t)v->round));
    return vote;
}

static json_t *give_exit(const struct classroom_exit *e) {
    json_t *items = json_array();
    for (size_t i = 0; i < e->items; i++) json_array_append_new(items, json_string(e->item[i]));
    return json_pack("{ss so sI}", "id", e->id, "items", items, "at", (json_int_t)e->at);
}

bool classroom_board_write(const struct classroom_folder *f, const struct classroom_board *b,
                           struct base_message *m) {
    json_t *nudges = json_array();
    for (size_t i = 0; i < b->nudges; i++) {
        const struct classroom_nudge *n = &b->nudge[i];
        json_array_append_new(nudges, json_pack("{ss ss ss sI}", "id", n->id, "to", n->to, "text",
                                                n->text, "at", (json_int_t)n->at));
    }
    json_t *open =
        *b->lesson ? json_pack("{ss ss}", "lesson", b->lesson, "step", b->step) : json_null();
    json_t *json =
        json_pack("{ss si so so so so}", "zerotutor", "board", "format", 1, "nudges", nudges,
                  "open", open, "vote", *b->vote.id ? give_vote(&b->vote) : json_null(), "exit",
                  *b->exit.id ? give_exit(&b->exit) : json_null());
    char *text = json_dumps(json, JSON_INDENT(1)), *lines = base_format("%s\n", text);
    bool wrote = classroom_write(f, CLASSROOM_TOP, CLASSROOM_BOARD, 0644, lines, strlen(lines), m);
    free(lines);
    free(text);
    json_decref(json);
    return wrote;
}

/* ── nudges ────────────────────────────────────────────────────────────────────────────────────*/
/* "" for all. Marks of two nudges to one learner differ. */
static void mark_of(const char *id, const char *handin, char out[CLASSROOM_WORD]) {
    char hex[HASH_HEX];
    hash_hex(id, handin, strlen(handin), hex);
    snprintf(out, CLASSROOM_WORD, "%.*s", *handin ? CLASSROOM_NAME - 1 : 0, hex);
}

bool classroom_board_nudge(struct classroom_board *b, const char *handin, const char *text,
                           int64_t at, struct base_message *m) {
    struct classroom_nudge n = {.at = at};
    base_line_copy(n.text, sizeof n.text, text);
    if (n.text[strspn(n.text, " ")] == '\0')
        return base_fail(m, "type the line that the learners are to see");
    classroom_random_name(n.id);
    mark_of(n.id, handin, n.to);
    if (b->nudges == CLASSROOM_NUDGES)
        memmove(b->nudge, b->nudge + 1, --b->nudges * sizeof *b->nudge);
    b->nudge[b->nudges++] = n;
    return true;
}

bool classroom_nudge_is_to(const struct classroom_nudge *n, const char *handin) {
    char mark[CLASSROOM_WORD];
    mark_of(n->id, handin, mark);
    return *handin && strcmp(n->to, mark) == 0;
}

const struct classroom_nudge *classroom_board_nudge_to(const struct classroom_board *b,
                                                       const char *handin) {
    for (size_t i = b->nudges; i-- > 0;)
        if (!*b->nudge[i].to || classroom_nudge_is_to(&b->nudge[i], handin)) return &b->nudge[i];
    return NULL;
}
