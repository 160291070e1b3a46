/* formula: what a formula's signs and brackets hold together, so that it can be heard. Voices leave
 * brackets out, and "2 times N minus 1 over N" has three meanings. So
 *
 *   a bracket          is "the quantity N minus 1,", up to its pause; with pauses within it, "open
 *                      bracket, … close bracket,". Its unit belongs to it.
 *   + and −            follow a pause where they join a product: "16 psi over N, plus units".
 *   ×, ÷ and /         follow one if a divisor or a bracket ends there: "7 over 8, times S".
 *   =                  follows one if there was one on its left.
 *
 * Brackets of a sentence stay. */
#include "voice/inside.h"

#include <ctype.h>
#include <string.h>

/* ── signs ─────────────────────────────────────────────────────────────────────────────────────*/
/* Whether a word is a number, with or without letters behind it, or one letter, as in formulas. */
static bool is_operand(const char *word, size_t n) {
    return n == 1 || (n > 1 && isdigit((unsigned char)*word));
}
static bool is_operand_before(const char *text, const char *end) {
    const char *from = end;
    while (from > text && isalnum((unsigned char)from[-1])) from--;
    if (from == end) return end > text && (end[-1] == ')' || (unsigned char)end[-1] >= 0x80);
    bool in_name = from > text && strchr("-/", from[-1]); /* "ZeRO-2/3" */
    return is_operand(from, (size_t)(end - from)) && !in_name;
}
static bool is_operand_behind(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n])) n++;
    return is_operand(at, n) || *at == '(' || (unsigned char)*at >= 0x80;
}

static const char POINT[] = " · ";
/* "t · p" is a product; between words the point separates. */
static bool is_separator(const char *text, const char *at) {
    if (strncmp(at, POINT, sizeof POINT - 1) != 0) return false;
    return !is_operand_before(text, at) || !is_operand_behind(at + sizeof POINT - 1);
}

/* "S/N", "(N − 1)/N", "n / N", but not "MB/s". */
static bool is_fraction(const char *text, const char *at) {
    if (*at != '/' || at == text) return false;
    bool apart = voice_follows(text, at, " ") && at[1] == ' ';
    return is_operand_before(text, at - apart) && is_operand_behind(at + 1 + apart);
}

/* What a sign does, the one that holds together most first. */
enum sign { NONE, TIMES, OVER, PLUS, EQUALS };
static enum sign sign_at(const char *text, const char *at) {
    static const struct {
        const char *sign;
        enum sign is;
    } all[] = {{"×", TIMES}, {"·", TIMES}, {"÷", OVER}, {"+", PLUS}, {"−", PLUS}, {"=", EQUALS}};
    if (at > text && is_separator(text, at - 1)) return NONE;
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (strncmp(at, all[i].sign, strlen(all[i].sign)) == 0) return all[i].is;
    return is_fraction(text, at) ? OVER : NONE;
}

static bool calculates(const char *text, const char *at) {
    enum sign is = sign_at(text, at);
    return *at == '/' || (is != NONE && is != EQUALS);
}

/* Whether a sign of a formula ends before `at`, perhaps with a blank between. */
static bool follows_sign(const char *text, const char *at) {
    if (voice_follows(text, at, " ")) at--;
    while (at > text && ((unsigned char)*--at & 0xc0) == 0x80) continue;
    return calculates(text, at);
}

/* Whether a formula ends at `at`, by a mark of the sentence or by what relates it to another. */
static bool breaks_at(const char *text, const char *at) {
    static const char *const words[] = {" and ", " or ", "→", "≤", "≥", "≈"};
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return true;
    bool mark = *at && strchr(",;:.?!", *at) && strchr(" \n", at[1]);
    return *at == '\n' || mark || is_separator(text, at);
}

/* ── brackets ──────────────────────────────────────────────────────────────────────────────────*/
/* The end of the bracket that opens at `at`, or the beginning of the one that closes there; NULL if
 * the line has none. */
static const char *end_of_bracket(const char *at) {
    for (int depth = 0; *at && *at != '\n'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at;
    }
    return NULL;
}
static const char *begin_of_bracket(const char *text, const char *at) {
    for (int depth = 0; *at != '\n'; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0) return at;
        if (at == text) break;
    }
    return NULL;
}

/* "2(N − 1)", "2 (N − 1)": a bracket behind a number or a letter is multiplied. "Stage 2 (4 + 12)"
 * is a remark. */
static bool is_factor(const char *text, const char *at) {
    if (voice_follows(text, at, " "))
        return voice_is_digit(text, at - 2) && isalpha((unsigned char)at[1]);
    return !follows_sign(text, at) && is_operand_before(text, at);
}

/* What is behind the unit of the bracket that ends at `end`; behind the bracket if it has none. */
static const char *behind_bracket(const char *text, const char *end) {
    struct base_text unit = {0};
    const char *at = end + 1;
    if (strncmp(at, VOICE_BLANK, strlen(VOICE_BLANK)) == 0) at += strlen(VOICE_BLANK);
    if (*at == ' ') at++;
    at += voice_unit_at(text, at, &unit);
    if (unit.length == 0) at = end + 1;
    base_text_free(&unit);
    return at;
}

static bool pauses_within(const char *text, const char *from, const char *to);
/* A bracket of a sentence; a sum of which only the unit is told, "(2 + 4) B"; and brackets of a
 * formula, which have a sign in them, and continue before or behind: without pauses, with them. */
enum bracket { REMARK, UNIT, QUANTITY, BRACKETS };
static enum bracket bracket_at(const char *text, const char *at) {
    const char *end = end_of_bracket(at), *sign = at + 1;
    while (end && sign < end && !calculates(text, sign)) sign++;
    if (!end || sign == end) return REMARK;
    const char *behind = behind_bracket(text, end), *next = behind + (*behind == ' ');
    if (calculates(text, next) || voice_is_word(text, end + 1) || follows_sign(text, at) ||
        is_factor(text, at))
        return pauses_within(text, at + 1, end) ? BRACKETS : QUANTITY;
    return behind > end + 1 ? UNIT : REMARK;
}

/* ── pauses ────────────────────────────────────────────────────────────────────────────────────*/
/* Where that begins, and ends, which a sign at `at` joins: signs from `least` on hold together less
 * and are not part of it. */
static const char *begin_of(const char *text, const char *at, enum sign least) {
    while (at > text) {
        const char *before = at - 1;
        while (before > text && ((unsigned char)*before & 0xc0) == 0x80) before--;
        if (*before == '(') break;
        if (*before == ')') before = begin_of_bracket(text, before);
        if (!before || sign_at(text, before) >= least || breaks_at(text, before)) break;
        at = before;
    }
    return at;
}
static const char *end_of(const char *text, const char *at, enum sign least) {
    while (*at && *at != ')' && sign_at(text, at) < least && !breaks_at(text, at)) {
        const char *end = *at == '(' ? end_of_bracket(at) : NULL;
        at = (end ? end : at) + 1;
    }
    return at;
}

/* The last sign between, outside of brackets; `*behind` is what is behind the last bracket of a
 * formula, NULL if there is none. */
static enum sign last_sign(const char *text, const char *from, const char *to,
                           const char **behind) {
    enum sign last = NONE;
    *behind = NULL;
    for (const char *at = from; at < to; at++) {
        enum sign is = sign_at(text, at);
        const char *end = *at == '(' ? end_of_bracket(at) : NULL;
        if (is != NONE) last = is;
        if (end && bracket_at(text, at) >= QUANTITY) *behind = behind_bracket(text, end);
        if (end) at = end;
    }
    return last;
}

static bool is_product(const char *text, const char *from, const char *to) {
    const char *behind;
    return last_sign(text, from, to, &behind) != NONE || behind;
}

static bool pauses_at_factor(const char *text, const char *at) {
    const char *behind, *end = at - voice_follows(text, at, " ");
    enum sign last = last_sign(text, begin_of(text, at, PLUS), end, &behind);
    bool number = *at == '/' && end == at; /* "14 GB ÷ 3/4" */
    return (last == OVER && !number) || behind == end;
}

static bool pauses_at_term(const char *text, const char *at) {
    const char *from = begin_of(text, at, PLUS), *to = end_of(text, at + 1, PLUS);
    bool first = from + strspn(from, " ") == at; /* "−3" */
    return !first && (is_product(text, from, at) || is_product(text, at + 1, to));
}

/* "(N − 1)/N of all": words go on behind the divisor of a bracket. */
static bool pauses_at_words(const char *text, const char *at) {
    const char *from = at;
    if (*at != ' ' || !isalpha((unsigned char)at[1])) return false;
    while (from > text && isalnum((unsigned char)from[-1])) from--;
    if (from == at || !voice_follows(text, from, ")/")) return false;
    const char *open = begin_of_bracket(text, from - 2);
    return open && bracket_at(text, open) >= QUANTITY;
}

bool voice_formula_pauses(const char *text, const char *at) {
    switch (sign_at(text, at)) {
    case NONE: return pauses_at_words(text, at);
    case TIMES:
    case OVER: return pauses_at_factor(text, at);
    case PLUS: return pauses_at_term(text, at);
    case EQUALS: return pauses_within(text, begin_of(text, at, EQUALS), at);
    }
    return false;
}

static bool pauses_within(const char *text, const char *from, const char *to) {
    for (const char *at = from; at < to; at++) {
        const char *end = *at == '(' ? end_of_bracket(at) : NULL;
        bool comma = *at == ',' && breaks_at(text, at);
        if (comma || voice_formula_pauses(text, at)) return true;
        if (end && bracket_at(text, at) >= QUANTITY) return true;
        if (end) at = end;
    }
    return false;
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
/* Each of these returns how much of `at` in `text` it has said; 0: nothing. */

static size_t slash_at(const char *text, const char *at, struct base_text *out) {
    if (!is_fraction(text, at)) return 0;
    voice_say(out, "over", at + 1);
    return 1;
}

static size_t point_at(const char *text, const char *at, struct base_text *out) {
    if (!is_separator(text, at)) return 0;
    base_text_puts(out, ", ");
    return sizeof POINT - 1;
}

static size_t opening_at(const char *text, const char *at, struct base_text *out) {
    enum bracket is = *at == '(' ? bracket_at(text, at) : REMARK;
    if (is == REMARK) return 0;
    if (is >= QUANTITY && is_factor(text, at)) voice_say(out, "times", at + 1);
    if (is == QUANTITY) voice_say(out, "the quantity", at + 1);
    if (is == BRACKETS) voice_say(out, "open bracket,", at + 1);
    return 1;
}

/* What a product counts is heard with it, "2(N − 1) hops", as is a unit. */
static size_t closing_at(const char *text, const char *at, struct base_text *out) {
    const char *open = *at == ')' ? begin_of_bracket(text, at) : NULL;
    enum bracket is = open ? bracket_at(text, open) : REMARK;
    if (is == REMARK) return 0;
    bool counts = is_factor(text, open) && at[1] == ' ' && isalpha((unsigned char)at[2]) &&
                  isalpha((unsigned char)at[3]);
    bool ends = !at[1] || strchr("\n.,;:!?)", at[1]) || behind_bracket(text, at) > at + 1;
    if (is == BRACKETS) {
        voice_pause(out);
        voice_say(out, "close bracket", at + 1);
    }
    if (is >= QUANTITY && !ends && !counts) voice_pause(out);
    if (voice_is_word(text, at + 1)) voice_say(out, "times", at + 1);
    return 1;
}

/* "⌈n / N⌉". */
static size_t ceiling_at(const char *text, const char *at, struct base_text *out) {
    static const char opens[] = "⌈", closes[] = "⌉";
    (void)text;
    if (strncmp(at, closes, strlen(closes)) == 0) {
        voice_pause(out);
        return strlen(closes);
    }
    if (strncmp(at, opens, strlen(opens)) != 0) return 0;
    voice_say(out, "the ceiling of", at + strlen(opens));
    return strlen(opens);
}

size_t voice_formula_at(const char *text, const char *at, struct base_text *out) {
    static size_t (*const tries[])(const char *, const char *, struct base_text *) = {
        slash_at, point_at, opening_at, closing_at, ceiling_at};
    size_t took = 0;
    for (size_t i = 0; took == 0 && i < BASE_COUNT(tries); i++) took = tries[i](text, at, out);
    return took;
}
