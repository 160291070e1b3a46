/* fake: a source and a journal in memory, which fail when they are told to. */
#ifndef TESTS_STUDY_FAKE_H
#define TESTS_STUDY_FAKE_H

#include "lesson/lesson.h"

/* Function n gives variants[n], a list; the seed chooses which. A variant {"fail": "words"} fails
 * with these words. */
struct fake_source {
    json_t *variants[8];
    /* so many calls fail from now on; negative: all */
    int broken;
    int calls;
};
struct lesson_source fake_source(struct fake_source *f);

struct fake_row {
    char item[96], line[32], verdict[16], mistake[160], typed[256];
    int try, hints, revision;
    uint64_t seed;
    double value, seconds;
    json_t *problem;
    /* of a run of a lab */
    char outcome[16];
};
struct fake_journal {
    struct fake_row *row;
    size_t rows;
    struct lesson_place place;
    bool no_place, no_reading;
    /* no answer can be kept, once `left` more were */
    bool full;
    int left;
    /* the next answer comes a moment after another program's to the same try, and is refused */
    bool raced;
};
struct lesson_journal fake_journal(struct fake_journal *f);
/* Another program answers. */
void fake_other(struct fake_journal *f, const char *item, const char *line, int try,
                const char *verdict);
void fake_journal_free(struct fake_journal *f);

/* tests/lesson/whole.json: a lesson with one step of every kind, and its variants in `f`. The
 * caller frees both. */
struct lesson *fake_whole(struct fake_source *f);
void fake_source_free(struct fake_source *f);

/* JSON of a test; ends the test program if it cannot be read. */
json_t *fake_json(const char *text);

#endif
