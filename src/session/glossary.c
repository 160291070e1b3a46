/* glossary: the terms that a lesson may use, and where a text has them. */
#include "session/inside.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A word for a term: every page is looked through for all of them. */
struct word {
    const char *text;
    /* its capitals must be there; it is short for the term, where a text has that in full */
    bool exact, brief;
    /* the entry's place */
    size_t which;
    /* the next one that begins with the same letter, from 1; 0: none */
    size_t next;
};
struct session_glossary {
    struct learner *learner;
    /* references of its own: the lesson's terms, then those of the lessons before it, the nearest
     * first */
    json_t *entries;
    /* the place of the lesson in the course, while the course's glossary was not read yet */
    size_t lesson;
    bool waits;
    /* the entries' words; the first for each letter, from 1 */
    struct word *word;
    size_t words, first[UCHAR_MAX + 1];
};

void session_glossary_close(struct session_glossary *g) {
    if (!g) return;
    json_decref(g->entries);
    free(g->word);
    free(g);
}

bool session_glossary_waits(const struct session_glossary *g) {
    return g->waits;
}

/* ── its words ─────────────────────────────────────────────────────────────────────────────────*/
static bool has_capital(const char *s) {
    while (*s && !isupper((unsigned char)*s)) s++;
    return *s;
}

static void add_word(struct session_glossary *g, const char *text, size_t which, bool brief) {
    if (!text || !*text) return;
    size_t *first = &g->first[tolower((unsigned char)*text)];
    g->word = base_grow(g->word, g->words + 1, sizeof *g->word);
    g->word[g->words++] = (struct word){text, has_capital(text), brief, which, *first};
    *first = g->words;
}

static void add_words(struct session_glossary *g, const char *name, size_t which) {
    size_t k;
    const json_t *word;
    bool brief = strcmp(name, "short") == 0;
    json_array_foreach(json_object_get(json_array_get(g->entries, which), name), k, word)
        add_word(g, json_string_value(word), which, brief);
}

/* From the last entry to the first, since the word that is added last is looked for first. */
static void list_words(struct session_glossary *g) {
    g->words = 0;
    memset(g->first, 0, sizeof g->first);
    for (size_t i = json_array_size(g->entries); i-- > 0;) {
        add_word(g, base_json_text(json_array_get(g->entries, i), "term", ""), i, false);
        add_words(g, "also", i);
        add_words(g, "short", i);
    }
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static void add_terms_of(struct session_glossary *g, const json_t *book, const char *lesson) {
    size_t i;
    json_t *term;
    json_array_foreach(book, i, term) {
        if (strcmp(base_json_text(term, "lesson", ""), lesson) == 0)
            json_array_append(g->entries, term);
    }
}

/* Of a lesson outside the course every term may be meant. */
void session_glossary_read(struct session_glossary *g) {
    const struct lesson_course *c = session_learner_course(g->learner);
    if (!g->waits) return;
    g->waits = false;
    const json_t *book = session_book(g->learner, SESSION_GLOSSARY, NULL);
    size_t last = g->lesson < c->lessons ? g->lesson + 1 : c->lessons;
    for (size_t i = last; i-- > 0;) add_terms_of(g, book, c->lesson[i].id);
    list_words(g);
}

struct session_glossary *session_glossary_open(const struct session *s) {
    struct session_glossary *g = base_alloc(sizeof *g);
    const struct lesson_course *course = session_learner_course(session_learner(s));
    const char *id = lesson_id(session_lesson(s));
    g->learner = session_learner(s);
    g->lesson = session_learner_find_id(g->learner, id, strlen(id));
    g->entries = json_array();
    json_array_extend(g->entries, (json_t *)session_own_glossary(s));
    g->waits = g->lesson < course->lessons || !json_array_size(g->entries);
    list_words(g);
    if (g->waits && session_book_is_near(g->learner, SESSION_GLOSSARY)) session_glossary_read(g);
    return g;
}

struct session_glossary *session_glossary_whole(struct learner *who) {
    struct session_glossary *g = base_alloc(sizeof *g);
    *g = (struct session_glossary){.learner = who,
                                   .entries = json_array(),
                                   .lesson = session_learner_course(who)->lessons,
                                   .waits = true};
    session_glossary_read(g);
    return g;
}

/* ── finding ───────────────────────────────────────────────────────────────────────────────────*/
/* The bytes of `text` that are the term, where a blank may be a line's end; 0: it does not begin
 * with it. Small letters stand for capitals, too: a sentence may begin with the term. */
static size_t begins_with(const char *text, const char *term, bool exact) {
    size_t n = 0;
    for (; term[n]; n++) {
        unsigned char a = (unsigned char)text[n], b = (unsigned char)term[n];
        bool same = b == ' ' ? isspace(a) : exact ? a == b : tolower(a) == tolower(b);
        if (!same) return 0;
    }
    return n;
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* A file's name goes on after its point. */
static bool goes_on(const char *s) {
    return is_letter(*s) || (*s == '.' && is_letter(s[1]));
}

/* The letters of a plural's end; -1: the word goes on as another one. */
static int plural_at(const char *s) {
    if (!goes_on(s)) return 0;
    if (s[0] == 's' && !goes_on(s + 1)) return 1;
    return s[0] == 'e' && s[1] == 's' && !goes_on(s + 2) ? 2 : -1;
}

/* The bytes of the word, with its plural's end, if the text begins with it; else 0. */
static size_t is_at(const char *text, const struct word *w) {
    size_t n = begins_with(text, w->text, w->exact);
    int more = n ? plural_at(text + n) : -1;
    return more < 0 ? 0 : n + (size_t)more;
}

static bool begins_word(const char *text, const char *s) {
    return is_letter(*s) && (s == text || !is_letter(s[-1]));
}

/* Whether the text has the term in full. */
static bool has_whole(const struct session_glossary *g, const char *text, size_t which) {
    const char *term = base_json_text(json_array_get(g->entries, which), "term", "");
    const struct word whole = {.text = term, .exact = has_capital(term)};
    for (const char *s = text; *s; s++)
        if (begins_word(text, s) && is_at(s, &whole)) return true;
    return false;
}

/* The longest term that begins at `s`: "bus bandwidth" before "bandwidth". Of two that are equally
 * long the one that is short for a term of this text. */
static size_t longest_at(const struct session_glossary *g, const char *text, const char *s,
                         size_t *which) {
    size_t longest = 0;
    bool brief = false;
    for (size_t i = g->first[tolower((unsigned char)*s)]; i > 0; i = g->word[i - 1].next) {
        const struct word *w = &g->word[i - 1];
        size_t n = is_at(s, w);
        bool better = n > longest || (n && n == longest && w->brief && !brief);
        if (!better || (w->brief && !has_whole(g, text, w->which))) continue;
        longest = n;
        brief = w->brief;
        *which = w->which;
    }
    return longest;
}

static bool is_among(const struct session_spot *spot, size_t count, size_t which) {
    size_t i = 0;
    while (i < count && spot[i].which != which) i++;
    return i < count;
}

size_t session_glossary_spots(const struct session_glossary *g, const char *text,
                              struct session_spot *out, size_t most) {
    size_t count = 0, which = 0;
    for (const char *s = text; *s && count < most;) {
        size_t n = begins_word(text, s) ? longest_at(g, text, s, &which) : 0;
        if (n && !is_among(out, count, which))
            out[count++] = (struct session_spot){(size_t)(s - text), n, which};
        s += n ? n : 1;
    }
    return count;
}

struct session_word session_glossary_word(const struct session_glossary *g, size_t which) {
    const json_t *entry = json_array_get(g->entries, which);
    return (struct session_word){base_json_text(entry, "term", ""),
                                 base_json_text(entry, "means", ""),
                                 base_json_text(entry, "lesson", "")};
}

size_t session_glossary_find(const struct session_glossary *g, const char *text,
                             struct session_word *out, size_t most) {
    size_t all = json_array_size(g->entries), count = 0;
    if (!all) return 0;
    struct session_spot *spot = base_grow(NULL, all, sizeof *spot);
    size_t spots = session_glossary_spots(g, text, spot, all);
    for (size_t which = 0; which < all && count < most; which++)
        if (is_among(spot, spots, which)) out[count++] = session_glossary_word(g, which);
    free(spot);
    return count;
}
