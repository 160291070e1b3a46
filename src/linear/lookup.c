/* lookup: terms, questions, notes and search, as lines. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LEAST = 2 };

/* ── entries ───────────────────────────────────────────────────────────────────────────────────*/
static void print_related(struct talk *t, const struct session_entry *e) {
    struct base_text text = {0};
    size_t i;
    const json_t *name;
    json_array_foreach(e->related, i, name)
        base_text_printf(&text, "%s%s", i ? ", " : "See also: ", json_string_value(name));
    if (text.s) base_text_puts(&text, ".");
    if (text.s) linear_print_markdown(t, PAGE_DIM, text.s);
    base_text_free(&text);
}

/* A term is spelt in its title: that it is heard otherwise is what its text says. */
static void put_title(struct page *p, struct page_flow f, enum session_kind kind,
                      const char *title) {
    bool spoken = page_spoken(p);
    page_set_spoken(p, spoken && kind != SESSION_TERM);
    page_text(p, f, title);
    page_set_spoken(p, spoken);
}

static void print_entry(struct talk *t, const struct session_entry *e) {
    struct page *p = linear_print_begin(t);
    put_title(p, (struct page_flow){.role = PAGE_TITLE}, e->kind, e->title);
    page_blank(p, 1);
    linear_print_page(t, p);
    linear_print_markdown(t, PAGE_PLAIN, e->text);
    if (e->figure) linear_print_figure(t, NULL, e->figure);
    print_related(t, e);
    char *leads = session_entry_leads(t->learner, e);
    char *text = leads ? base_format("Taught in %s.", leads) : NULL;
    if (text) linear_print_markdown(t, PAGE_DIM, text);
    free(text);
    free(leads);
}

static bool asks(const struct talk *t) {
    return t->session && lesson_question_open(session_dialogue(t->session));
}

static bool open_entry(struct talk *t, enum session_kind kind, const char *name) {
    struct base_message m = {0};
    struct session_entry *e = session_entry_open(t->learner, kind, name, asks(t), &m);
    if (e)
        print_entry(t, e);
    else
        linear_complain(t, &m);
    session_entry_close(e);
    return e != NULL;
}

/* ── lists ─────────────────────────────────────────────────────────────────────────────────────*/
struct listing {
    struct talk *talk;
    struct page *page;
    /* there are more than can be opened */
    bool cut;
    /* titles alone */
    bool bare;
    /* only titles that begin so */
    const char *begins;
};

static char *copy_of(const char *s) {
    return s ? base_dup(s) : NULL;
}

/* Whether lines are read; if not, one command of the shell was run, which ends here. */
static bool reads_lines(const struct talk *t) {
    return t->session || t->asks_lesson;
}

/* "  3  shard (term, 1.3)" and a line of its words under it. Of a list that is heard, and in which
 * nothing was searched for, the titles are enough, and of terms their names. */
static void list_hit(void *to, const struct session_hit *h) {
    struct listing *l = to;
    struct talk *t = l->talk;
    if (strncasecmp(h->title, l->begins, strlen(l->begins)) != 0) return;
    l->cut = t->found_count == LINEAR_FOUND;
    if (l->cut) return;
    t->found[t->found_count++] =
        (struct linear_found){h->kind, base_dup(h->name), copy_of(h->lesson), copy_of(h->step)};
    bool alone = (l->bare && h->kind == SESSION_TERM) || h->kind == SESSION_COMMAND;
    char *title = alone
                      ? base_dup(h->title)
                      : base_format("%s (%s, %s)", h->title, session_kind_name(h->kind), h->place);
    int row = page_height(l->page);
    put_title(l->page, (struct page_flow){.indent = 5, .role = PAGE_STRONG}, h->kind, title);
    page_printf(l->page, row, 1, PAGE_ACCENT, "%3zu", t->found_count);
    if (*h->excerpt && !l->bare)
        page_text(l->page, (struct page_flow){.indent = 5, .role = PAGE_DIM}, h->excerpt);
    free(title);
}

/* Whoever listens is told first how long a list of terms is. */
static void say_count(struct talk *t, const char *begins) {
    size_t n = t->found_count;
    char *text =
        *begins ? base_format("%zu term%s with `%s`.", n, n == 1 ? " begins" : "s begin", begins)
                : base_format("%zu terms.%s", n,
                              reads_lines(t) ? " Type `:glossary s` for those that begin "
                                               "with s."
                                             : "");
    if (t->words && n > 0) linear_print_markdown(t, PAGE_DIM, text);
    free(text);
}

/* Those of all whose titles begin so. */
static size_t list_part(struct talk *t, unsigned kinds, const char *words, const char *begins) {
    struct listing l = {.talk = t,
                        .page = linear_print_begin(t),
                        .bare = t->words && *words == '\0',
                        .begins = begins};
    linear_forget_found(t);
    session_search(t->learner,
                   &(struct session_query){.words = words, .kinds = kinds, .whole = true}, list_hit,
                   &l);
    if (kinds == 1u << SESSION_TERM) say_count(t, begins);
    if (l.cut) page_text(l.page, (struct page_flow){.indent = 5}, "There are more.");
    page_blank(l.page, t->found_count > 0);
    linear_print_page(t, l.page);
    return t->found_count;
}

static size_t list(struct talk *t, unsigned kinds, const char *words) {
    return list_part(t, kinds, words, "");
}

static void say_open(struct talk *t) {
    if (reads_lines(t))
        linear_print_markdown(t, PAGE_DIM, "Type `:open` and a number to open one of these.");
}

/* ── what a line asks for ──────────────────────────────────────────────────────────────────────*/
/* What these tell might be the answer to the question that is open. */
static bool must_wait(struct talk *t) {
    if (!asks(t)) return false;
    linear_print_markdown(t, PAGE_DIM,
                          "A question is open: answer it or skip it first, because this might show "
                          "the answer. `:glossary` explains words.");
    return true;
}

static bool look_glossary(struct talk *t, const char *term) {
    if (t->session && lesson_card_unturned(session_dialogue(t->session))) {
        linear_print_markdown(t, PAGE_DIM,
                              "Press Enter to turn the card first, because the glossary may tell "
                              "what is on its back.");
        return true;
    }
    struct base_message m = {0};
    struct session_entry *e =
        *term ? session_entry_open(t->learner, SESSION_TERM, term, asks(t), &m) : NULL;
    if (e) print_entry(t, e);
    session_entry_close(e);
    if (e) return true;
    if (list_part(t, 1u << SESSION_TERM, "", term) == 0) {
        linear_complain(t, &m);
        linear_print_markdown(t, PAGE_DIM, "`:glossary` lists all terms.");
        return false;
    }
    linear_print_markdown(t, PAGE_DIM,
                          reads_lines(t)
                              ? "Type `:open` and a number, or `:glossary` and a term, for what it "
                                "means."
                              : "Run `zerotutor glossary TERM` for a term's formula and lesson.");
    return true;
}

static bool look_questions(struct talk *t, const char *which) {
    if (must_wait(t)) return true;
    if (*which) return open_entry(t, SESSION_QUESTION, which);
    list(t, 1u << SESSION_QUESTION, "");
    linear_print_markdown(t, PAGE_DIM,
                          reads_lines(t) ? "Type `:questions` and a number for the answer."
                                         : "Run `zerotutor questions NUMBER` for the answer.");
    return true;
}

static bool look_search(struct talk *t, const char *words) {
    if (must_wait(t)) return true;
    if (strlen(words) < LEAST) {
        linear_print_markdown(t, PAGE_BAD, "Say what to search for: `:search all-gather`.");
        return false;
    }
    if (list(t, 0, words) == 0) linear_print_markdown(t, PAGE_PLAIN, "Nothing found.");
    if (t->found_count > 0) say_open(t);
    return t->found_count > 0;
}

static bool look_notes(struct talk *t, const char *words) {
    if (list(t, 1u << SESSION_NOTE | 1u << SESSION_BOOKMARK, words) > 0)
        say_open(t);
    else
        linear_print_markdown(
            t, PAGE_PLAIN,
            reads_lines(t)
                ? "There are no bookmarks or notes yet. In a lesson, `:bookmark` sets one, and "
                  "`:note` with some words writes a note."
                : "There are no bookmarks or notes yet. In a lesson on the screen, press `b` to "
                  "set "
                  "a bookmark and `A` to write a note. Line by line, type `:bookmark`, or `:note` "
                  "and your words.");
    return true;
}

static bool bookmark(struct talk *t, const char *rest) {
    struct base_message m = {0};
    bool set = t->session && !session_bookmarked(t->session);
    (void)rest;
    if (!t->session)
        linear_print_markdown(t, PAGE_DIM, "Open a lesson first: a bookmark belongs to a step.");
    else if (session_bookmark(t->session, set, &m))
        linear_print_markdown(t, PAGE_DIM,
                              set ? "This step has a bookmark now; `:notes` lists them."
                                  : "The bookmark is removed.");
    else
        linear_complain(t, &m);
    return true;
}

static void show_note(struct talk *t) {
    char *note = session_note(t->session);
    linear_print_markdown(t, note ? PAGE_PLAIN : PAGE_DIM,
                          note ? note
                               : "This step has no note. `:note` with some words writes one.");
    free(note);
}

static bool note(struct talk *t, const char *text) {
    struct base_message m = {0};
    bool none = strcmp(text, "none") == 0;
    if (!t->session) {
        linear_print_markdown(t, PAGE_DIM, "Open a lesson first: a note belongs to a step.");
    } else if (!*text) {
        show_note(t);
    } else if (session_note_keep(t->session, none ? "" : text, &m)) {
        linear_print_markdown(
            t, PAGE_DIM,
            none ? "The note is removed."
                 : "Noted. `:notes` lists your notes, and `:note none` removes this one.");
    } else {
        linear_complain(t, &m);
    }
    return true;
}

void linear_report(struct talk *t, const char *words) {
    struct base_message m = {0};
    char *told, *path = t->speed ? session_speed_report(t->speed, words, &told, &m)
                                 : session_report(t->session, words, &told, &m);
    char *text =
        path ? base_format("Reported in `%s`.%s%s", path, told ? " " : "", told ? told : "") : NULL;
    if (path)
        linear_print_markdown(t, PAGE_PLAIN, text);
    else
        linear_complain(t, &m);
    free(text);
    free(told);
    free(path);
}

static bool report(struct talk *t, const char *words) {
    if (t->session)
        linear_report(t, words);
    else
        linear_print_markdown(t, PAGE_DIM, "Open a lesson first: a report is about a step.");
    return true;
}

/* One of those that were listed last. */
static bool open_found(struct talk *t, const char *which) {
    char *end;
    unsigned long n = strtoul(which, &end, 10);
    const struct linear_found *f = n && n <= t->found_count && !*end ? &t->found[n - 1] : NULL;
    if (!f) {
        linear_print_markdown(t, PAGE_BAD,
                              t->found_count ? "Type `:open` and one of the numbers listed last."
                                             : "Nothing is listed: try `:search` and some words.");
        return false;
    }
    bool reads = f->kind == SESSION_TERM || f->kind == SESSION_QUESTION ||
                 f->kind == SESSION_CARD || f->kind == SESSION_COMMAND;
    if (reads) return open_entry(t, f->kind, f->name);
    free(t->onwards);
    free(t->onwards_step);
    t->onwards = base_dup(f->lesson);
    t->onwards_step = copy_of(f->step);
    return true;
}

static const struct {
    const char *name;
    bool (*look)(struct talk *t, const char *rest);
} looks[] = {
    {":glossary", look_glossary}, {":search", look_search}, {":questions", look_questions},
    {":notes", look_notes},       {":bookmark", bookmark},  {":note", note},
    {":open", open_found},        {":report", report},
};

bool linear_look_up(struct talk *t, const char *line, bool *found) {
    size_t n = strcspn(line, " ");
    for (size_t i = 0; i < BASE_COUNT(looks); i++) {
        if (strlen(looks[i].name) != n || strncmp(looks[i].name, line, n) != 0) continue;
        bool there = looks[i].look(t, line + n + strspn(line + n, " "));
        if (found) *found = there;
        return true;
    }
    return false;
}

void linear_look_up_end(struct talk *t) {
    linear_forget_found(t);
    free(t->onwards);
    free(t->onwards_step);
}
