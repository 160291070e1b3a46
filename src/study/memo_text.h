/* A memo as tokens: words, numbers (also those in words), marks, and where blocks end. */
#ifndef STUDY_MEMO_TEXT_H
#define STUDY_MEMO_TEXT_H

#include "study/study.h"

enum memo_token_kind {
    MEMO_WORD,   /* letters first, digits after: "a100", "full_shard", "ψ" */
    MEMO_NUMBER, /* "48.75", "13e9", "7,800", "forty-nine" */
    MEMO_MARK,   /* one character: its code is in `mark` */
    MEMO_STOP,   /* a sentence ends */
    MEMO_BLOCK   /* a paragraph, an item, a cell or a heading ends */
};
struct memo_token {
    enum memo_token_kind kind;
    uint32_t start, length; /* bytes of the text */
    int line;
    uint32_t mark;
    double value;  /* NUMBER */
    int digits;    /* significant ones, as written */
    int last;      /* the power of ten of the last digit written: −2 in 48.75 */
    bool glued;    /* no blank before it */
    bool is_stage; /* a row of a table whose first column is headed "stage" */
};
struct memo_text {
    const char *raw;
    char *lower; /* the same bytes, ASCII letters in lower case */
    size_t length;
    struct memo_token *token;
    size_t tokens, room;
    bool commas; /* of decimals; points part thousands */
};
/* Reads text[from, to) and adds its tokens; `line` is that of `from`. */
void memo_text_open(struct memo_text *t, const char *raw, size_t length);
void memo_text_add(struct memo_text *t, size_t from, size_t to, int line);
void memo_text_end(struct memo_text *t, enum memo_token_kind kind, int line);
void memo_text_close(struct memo_text *t);
bool memo_is_mark(const struct memo_text *t, size_t i, uint32_t mark);
/* Whether token `i` is this word (or its plural in s). */
bool memo_is_word(const struct memo_text *t, size_t i, const char *word, size_t length);
/* How many tokens from `i` on are this phrase, words parted by single blanks; hyphens between them are passed over. 0: they are not. */
size_t memo_is_phrase(const struct memo_text *t, size_t i, const char *phrase);
/* Whether one of these phrases, a list that NULL ends, stands there. */
bool memo_is_any(const struct memo_text *t, size_t i, const char *const *phrases);

/* The number at `s` (before `end`), or NULL; "7,800" has a thousands' comma, "48,75" a decimal one. */
const char *memo_read_number(const char *s, const char *end, bool commas, struct memo_token *out);
/* Whether a text has decimal commas throughout: "48,75 GB", "1,2 s". */
bool memo_writes_commas(const char *s, size_t length);
/* Numbers in words, from token `first` on, become one token each. */
void memo_fold_words(struct memo_text *t, size_t first);

#endif
