/* Sentences put into a memo that is right otherwise, and what is found of one of their figures. */
#ifndef TEST_MEMO_SENTENCES_H
#define TEST_MEMO_SENTENCES_H

#include "study/study.h"

struct memo_sentence {
    const char *sentence, *figure; /* as the report writes it */
    enum study_memo_kind kind;     /* MISSING: the figure is no claim */
    const char *says;              /* within what is found */
};
/* All of them as one cmocka group; how many tests failed. */
int memo_sentences_run(const char *name, const struct memo_sentence *sentences, size_t count);

#endif
