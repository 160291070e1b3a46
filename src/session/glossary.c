/* glossary: the terms that lessons explain, and which of them a text has. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct session_glossary {
    struct learner *learner;
    /* references of its own */
    json_t *entries;
    /* so many lessons of the course, from the first, were not read yet */
    size_t unread;
};

struct session_glossary *session_glossary_open(const struct session *s) {
    struct session_glossary *g = base_alloc(sizeof *g);
    const struct lesson_course *course = session_learner_course(session_learner(s));
    const char *id = lesson_id(session_lesson(s));
    size_t i = session_learner_find_id(session_learner(s), id, strlen(id));
    g->learner = session_learner(s);
    g->entries = json_array();
    json_array_extend(g->entries, (json_t *)session_own_glossary(s));
    g->unread = i < course->lessons ? i : 0;
    return g;
}

void session_glossary_close(struct session_glossary *g) {
    if (!g) return;
    json_decref(g->entries);
    free(g);
}

bool session_glossary_waits(const struct session_glossary *g) {
    return g->unread > 0;
}

void session_glossary_read(struct session_glossary *g) {
    if (!g->unread) return;
    const struct loaded *l = session_learner_lesson(g->learner, --g->unread);
    if (l && l->glossary) json_array_extend(g->entries, l->glossary);
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

/* Whether the word ends there, or goes on as a plural. */
static bool ends_at(const char *s) {
    return !is_letter(*s) || (s[0] == 's' && !is_letter(s[1])) ||
           (s[0] == 'e' && s[1] == 's' && !is_letter(s[2]));
}

static bool occurs(const char *text, const char *term) {
    bool exact = has_capital(term);
    for (const char *s = text; *term && *s; s++) {
        size_t n = s > text && is_letter(s[-1]) ? 0 : begins_with(s, term, exact);
        if (n && ends_at(s + n)) return true;
    }
    return false;
}

static bool is_among(const struct session_word *words, size_t count, const char *term) {
    size_t i = 0;
    while (i < count && strcasecmp(words[i].term, term) != 0) i++;
    return i < count;
}

size_t session_glossary_find(const struct session_glossary *g, const char *text,
                             struct session_word *out, size_t most) {
    size_t i, count = 0;
    const json_t *entry;
    json_array_foreach(g->entries, i, entry) {
        const char *term = base_json_text(entry, "term", "");
        if (count == most) break;
        if (is_among(out, count, term) || !occurs(text, term)) continue;
        out[count++] = (struct session_word){term, base_json_text(entry, "means", "")};
    }
    return count;
}
