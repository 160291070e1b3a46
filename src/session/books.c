/* books: the glossary and the questions that people ask, which lie next to the lessons, and what
 * can be opened of them and of the course: an entry. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *file, *list, *name;
} books[SESSION_BOOKS] = {
    [SESSION_GLOSSARY] = {"lessons/glossary.lua", "terms", "term"},
    [SESSION_QUESTIONS] = {"lessons/questions.lua", "questions", "id"},
};

const char *session_kind_name(enum session_kind k) {
    static const char *const names[SESSION_KINDS] = {
        [SESSION_TERM] = "term",         [SESSION_QUESTION] = "question",
        [SESSION_LESSON] = "lesson",     [SESSION_STEP] = "step",
        [SESSION_MYTH] = "myth",         [SESSION_CARD] = "card",
        [SESSION_BOOKMARK] = "bookmark", [SESSION_NOTE] = "note",
        [SESSION_LAB] = "lab",           [SESSION_COMMAND] = "command",
    };
    return names[k];
}

static bool are_texts(const json_t *list) {
    size_t i;
    const json_t *text;
    json_array_foreach(list, i, text) {
        if (!json_is_string(text)) return false;
    }
    return true;
}

/* The book's list in what its file says, a reference; NULL if it has none. A record that others
 * wrote may say anything in the file's place. */
static json_t *list_of(enum session_book b, const json_t *told) {
    size_t i;
    const json_t *entry;
    json_t *list = json_object_get(told, books[b].list);
    json_array_foreach(list, i, entry) {
        bool fits = json_is_object(entry) && are_texts(json_object_get(entry, "also")) &&
                    are_texts(json_object_get(entry, "short")) &&
                    are_texts(json_object_get(entry, "see"));
        if (!fits) return NULL;
    }
    return json_incref(list);
}

json_t *session_book_read(struct learner *who, enum session_book b, struct base_message *m) {
    char *path = base_share_path(books[b].file);
    json_t *told = session_told(who ? session_learner_store(who) : NULL, path, m),
           *list = list_of(b, told);
    if (told && !list)
        base_fail_at(m, path, 0, "this file has no %s: install zerotutor again", books[b].list);
    json_decref(told);
    free(path);
    return list;
}

bool session_book_is_near(struct learner *who, enum session_book b) {
    struct learner_book *kept = session_learner_book(who, b);
    if (kept->tried) return true;
    char *path = base_share_path(books[b].file);
    json_t *told = session_told_kept(session_learner_store(who), path);
    kept->list = list_of(b, told);
    kept->tried = kept->list != NULL;
    json_decref(told);
    free(path);
    return kept->tried;
}

const json_t *session_book(struct learner *who, enum session_book b, struct base_message *m) {
    struct learner_book *kept = session_learner_book(who, b);
    if (!kept->list && (m || !kept->tried)) kept->list = session_book_read(who, b, m);
    kept->tried = true;
    return kept->list;
}

/* ── the first lesson ──────────────────────────────────────────────────────────────────────────*/
bool session_first_waits(struct learner *who, size_t i) {
    return !session_learner_was_read(who, i) || !session_learner_book(who, SESSION_GLOSSARY)->tried;
}

void session_first_read(struct learner *who, size_t i) {
    if (session_learner_was_read(who, i))
        session_book(who, SESSION_GLOSSARY, NULL);
    else
        session_learner_lesson(who, i);
}

/* ── entries ───────────────────────────────────────────────────────────────────────────────────*/
const char *session_book_name(enum session_book b, const json_t *entry) {
    return base_json_text(entry, books[b].name, "");
}

/* The entry of this name (case-insensitive); NULL if there is none, or with the message filled. */
static const json_t *find_entry(struct learner *who, enum session_book b, const char *name,
                                struct base_message *m) {
    size_t i;
    const json_t *entry, *book = session_book(who, b, m);
    json_array_foreach(book, i, entry) {
        if (strcasecmp(session_book_name(b, entry), name) == 0) return entry;
    }
    return NULL;
}

static struct session_entry *new_entry(enum session_kind kind, const char *name,
                                       const char *title) {
    struct session_entry *e = base_alloc(sizeof *e);
    e->kind = kind;
    e->name = base_dup(name);
    e->title = base_dup(title);
    return e;
}

static void lead_to(struct session_entry *e, const char *lesson, const char *step) {
    if (lesson && *lesson) e->lesson = base_dup(lesson);
    if (step && *step) e->step = base_dup(step);
}

void session_entry_close(struct session_entry *e) {
    if (!e) return;
    json_decref(e->figure);
    json_decref(e->related);
    free(e->name);
    free(e->title);
    free(e->text);
    free(e->lesson);
    free(e->step);
    free(e);
}

/* A term by another word for it, too. */
static const json_t *find_term(struct learner *who, const char *word, struct base_message *m) {
    const json_t *found = find_entry(who, SESSION_GLOSSARY, word, m), *entry;
    size_t i, k;
    json_t *also;
    if (found) return found;
    json_array_foreach(session_book(who, SESSION_GLOSSARY, NULL), i, entry) {
        json_array_foreach(json_object_get(entry, "also"), k, also) {
            if (strcasecmp(json_string_value(also), word) == 0) return entry;
        }
    }
    return NULL;
}

/* While a question is open the formula might be its answer, and is left out. */
static struct session_entry *open_term(struct learner *who, const char *name, bool brief,
                                       struct base_message *m) {
    const json_t *term = find_term(who, name, m);
    if (!term) return NULL;
    struct base_text text = {0};
    const char *formula = base_json_text(term, "formula", NULL),
               *example = base_json_text(term, "example", NULL);
    base_text_puts(&text, base_json_text(term, "means", ""));
    if (formula && !brief) base_text_printf(&text, "\n\n`%s`", formula);
    if (example && !brief) base_text_printf(&text, "\n\n%s", example);
    const char *title = session_book_name(SESSION_GLOSSARY, term);
    struct session_entry *e = new_entry(SESSION_TERM, title, title);
    e->text = base_text_take(&text);
    e->related = json_incref(json_object_get(term, "see"));
    lead_to(e, base_json_text(term, "lesson", NULL), base_json_text(term, "step", NULL));
    return e;
}

/* By its id or its number, from 1. */
static struct session_entry *open_question(struct learner *who, const char *name,
                                           struct base_message *m) {
    const json_t *book = session_book(who, SESSION_QUESTIONS, m);
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    const json_t *q =
        *end ? find_entry(who, SESSION_QUESTIONS, name, m) : json_array_get(book, number - 1);
    if (!q) return NULL;
    struct session_entry *e =
        new_entry(SESSION_QUESTION, base_json_text(q, "id", ""), base_json_text(q, "ask", ""));
    e->text = base_dup(base_json_text(q, "answer", ""));
    e->figure = json_incref(json_object_get(q, "figure"));
    lead_to(e, base_json_text(q, "lesson", NULL), base_json_text(q, "step", NULL));
    return e;
}

/* The lesson of "1.3/four-stages", and in *id what follows; NULL if there is none. */
static const struct lesson *lesson_of(struct learner *who, const char *name, const char **id) {
    size_t n = strcspn(name, "/"), at = session_learner_find_entry(who, name, n);
    bool there = name[n] && at < session_learner_entries(who);
    const struct loaded *l = there ? session_learner_lesson(who, at) : NULL;
    *id = name + n + (name[n] != '\0');
    return l ? l->lesson : NULL;
}

static struct session_entry *open_whole(struct learner *who, const char *id) {
    size_t at = session_learner_find_entry(who, id, strlen(id));
    if (at == session_learner_entries(who)) return NULL;
    const struct lesson_entry *c = session_learner_entry(who, at);
    const struct loaded *l = session_learner_lesson(who, at);
    const char *goal = l ? lesson_goal(l->lesson) : "";
    struct session_entry *e = new_entry(SESSION_LESSON, id, c->title);
    e->text =
        *goal ? base_format("After it you can %s.", goal) : base_dup(lesson_kind_says(c->kind));
    return e;
}

static struct session_entry *open_card(struct learner *who, const char *name) {
    const char *id;
    size_t step;
    const struct lesson *l = lesson_of(who, name, &id);
    const json_t *card = l ? lesson_card(l, id, &step) : NULL;
    if (!card) return NULL;
    struct session_entry *e = new_entry(SESSION_CARD, name, base_json_text(card, "front", ""));
    e->text = base_dup(base_json_text(card, "back", ""));
    lead_to(e, lesson_id(l), NULL);
    return e;
}

const char *session_step_told(const struct lesson *l, size_t i) {
    static const char *const told[LESSON_STEP_KINDS] = {
        [LESSON_SAY] = "text",     [LESSON_FIGURE] = "text", [LESSON_EXPLORE] = "text",
        [LESSON_WORKED] = "text",  [LESSON_RECAP] = "text",  [LESSON_PREDICT] = "ask",
        [LESSON_PROBLEM] = "ask",  [LESSON_MYTH] = "claim",  [LESSON_SAY_ALOUD] = "ask",
        [LESSON_ANIMATE] = "text", [LESSON_LAB] = "text",    [LESSON_READ] = "text",
        [LESSON_MEMO] = "text",
    };
    return told[lesson_step_kind(l, i)];
}

const char *session_myth_verdict(struct learner *who, const struct lesson *l, size_t i) {
    const json_t *step = lesson_step(l, i);
    char *item = base_format("%s/%s", lesson_id(l), base_json_text(step, "id", ""));
    bool told = store_was_answered(session_learner_store(who), item, 0);
    free(item);
    return !told ? NULL : base_json_bool(step, "truth", false) ? "true" : "false";
}

/* A reader must not take the claim for a statement of the course. */
static char *judge(struct learner *who, const struct lesson *l, size_t i, const char *claim) {
    const char *verdict = session_myth_verdict(who, l, i);
    if (!verdict)
        return base_format("True or false? Lesson %s asks it.\n\n> %s", lesson_id(l), claim);
    return base_format("True or false?\n\n> %s\n\nIt is **%s**. %s", claim, verdict,
                       base_json_text(lesson_step(l, i), "because", ""));
}

/* What the step says openly. */
static struct session_entry *open_step(struct learner *who, enum session_kind kind,
                                       const char *name) {
    const char *id;
    const struct lesson *l = lesson_of(who, name, &id);
    size_t i = l ? lesson_find(l, id) : 0;
    if (!l || i == lesson_steps(l)) return NULL;
    const char *title = base_json_text(lesson_step(l, i), "title", lesson_title(l)),
               *field = session_step_told(l, i);
    struct session_entry *e = new_entry(kind, name, title);
    const char *text = field ? base_json_text(lesson_step(l, i), field, "") : "";
    e->text = kind == SESSION_MYTH ? judge(who, l, i, text) : base_dup(text);
    lead_to(e, lesson_id(l), id);
    return e;
}

struct noted {
    struct learner *who;
    struct session_entry *e;
};

static void take_note(void *to, const struct store_note *n) {
    struct noted *t = to;
    if (t->e || n->kind != STORE_NOTE) return;
    char *name = base_format("%s/%s", n->lesson, n->step);
    t->e = new_entry(SESSION_NOTE, name, *n->title ? n->title : session_note_lesson(t->who, n));
    t->e->text = base_dup(n->text);
    lead_to(t->e, n->lesson, n->step);
    free(name);
}

static struct session_entry *open_note(struct learner *who, const char *name) {
    struct noted t = {.who = who};
    size_t n = strcspn(name, "/");
    char *lesson = base_format("%.*s", (int)n, name);
    if (name[n]) store_notes(session_learner_store(who), lesson, name + n + 1, take_note, &t, NULL);
    free(lesson);
    return t.e;
}

static struct session_entry *open_lab(const char *name) {
    const struct experiment_lab *lab = experiment_lab_find(name);
    if (!lab) return NULL;
    struct session_entry *e = new_entry(SESSION_LAB, name, lab->title);
    e->text = base_dup(lab->about);
    e->lesson = base_format(LEARNER_LAB "/%s", name);
    return e;
}

char *session_command_title(const struct session_command *c) {
    return c->title ? base_dup(c->title) : base_format("zerotutor %s", c->name);
}

static struct session_entry *open_command(struct learner *who, const char *name) {
    size_t count;
    const struct session_command *c = session_learner_commands(who, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(c[i].name, name) != 0) continue;
        char *title = session_command_title(&c[i]);
        struct session_entry *e = new_entry(SESSION_COMMAND, name, title);
        e->text = base_dup(c[i].about);
        free(title);
        return e;
    }
    return NULL;
}

struct session_entry *session_entry_open(struct learner *who, enum session_kind kind,
                                         const char *name, bool brief, struct base_message *m) {
    struct session_entry *e = NULL;
    switch (kind) {
    case SESSION_TERM: e = open_term(who, name, brief, m); break;
    case SESSION_QUESTION: e = open_question(who, name, m); break;
    case SESSION_LESSON: e = open_whole(who, name); break;
    case SESSION_CARD: e = open_card(who, name); break;
    case SESSION_NOTE: e = open_note(who, name); break;
    case SESSION_STEP:
    case SESSION_MYTH:
    case SESSION_BOOKMARK: e = open_step(who, kind, name); break;
    case SESSION_LAB: e = open_lab(name); break;
    case SESSION_COMMAND: e = open_command(who, name); break;
    default: break;
    }
    if (!e && m && !*m->what) base_fail(m, "unknown %s '%.60s'", session_kind_name(kind), name);
    return e;
}

char *session_entry_leads(struct learner *who, const struct session_entry *e) {
    size_t all = session_learner_entries(who),
           i = e->lesson ? session_learner_find_entry(who, e->lesson, strlen(e->lesson)) : all;
    return i < all ? base_format("%s  %s", e->lesson, session_learner_entry(who, i)->title) : NULL;
}
