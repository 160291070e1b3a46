/* glossary: the terms that a lesson may use, and where a text has them. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct session_glossary {
    struct learner *learner;
    /* references of its own: the lesson's terms, then those of the lessons before it, the nearest
     * first */
    json_t *entries;
    /* the place of the lesson in the course, while the course's glossary was not read yet */
    size_t lesson;
    bool waits;
};

void session_glossary_close(struct session_glossary *g) {
    if (!g) return;
    json_decref(g->entries);
    free(g);
}

bool session_glossary_waits(const struct session_glossary *g) {
    return g->waits;
}

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
    if (g->waits && session_book_is_near(g->learner, SESSION_GLOSSARY)) session_glossary_read(g);
    return g;
}

/* ── finding ───────────────────────────────────────────────────────────────────────────────────*/
static bool has_capital(const char *s) {
    while (*s && !isupper((unsigned char)*s)) s++;
    return *s;
}

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

/* The letters of a plural's end; -1: the word goes on as another one. */
static int plural_at(const char *s) {
    if (!is_letter(*s)) return 0;
    if (s[0] == 's' && !is_letter(s[1])) return 1;
    return s[0] == 'e' && s[1] == 's' && !is_letter(s[2]) ? 2 : -1;
}

/* The bytes of the term, with its plural's end, if the text begins with it; else 0. */
static size_t is_at(const char *text, const char *term) {
    size_t n = *term ? begins_with(text, term, has_capital(term)) : 0;
    int more = n ? plural_at(text + n) : -1;
    return more < 0 ? 0 : n + (size_t)more;
}

/* The same for any word for it. */
static size_t entry_at(const char *text, const json_t *entry) {
    size_t best = is_at(text, base_json_text(entry, "term", "")), i;
    const json_t *also;
    json_array_foreach(json_object_get(entry, "also"), i, also) {
        size_t n = is_at(text, json_string_value(also));
        if (n > best) best = n;
    }
    return best;
}

/* The longest term that begins there: "bus bandwidth" before "bandwidth". */
static size_t longest_at(const struct session_glossary *g, const char *text, size_t *which) {
    size_t i, longest = 0;
    const json_t *entry;
    json_array_foreach(g->entries, i, entry) {
        size_t n = entry_at(text, entry);
        if (n <= longest) continue;
        longest = n;
        *which = i;
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
        bool begins = is_letter(*s) && (s == text || !is_letter(s[-1]));
        size_t n = begins ? longest_at(g, s, &which) : 0;
        if (n && !is_among(out, count, which))
            out[count++] = (struct session_spot){(size_t)(s - text), n, which};
        s += n ? n : 1;
    }
    return count;
}

struct session_word session_glossary_word(const struct session_glossary *g, size_t which) {
    const json_t *entry = json_array_get(g->entries, which);
    return (struct session_word){base_json_text(entry, "term", ""),
                                 base_json_text(entry, "means", "")};
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
