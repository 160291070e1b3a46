/* suite.h: what the tests of reviews share: cmocka, and answers in a line each. */
#ifndef TESTS_REVIEW_SUITE_H
#define TESTS_REVIEW_SUITE_H

#include "base/base.h"
#include "review/review.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const suite_lessons[] = {"1.1", "1.2", "1.3"};

static inline struct review_record *suite_record(void) {
    return review_record_new(suite_lessons, BASE_COUNT(suite_lessons));
}

/* An answer to a problem that took a minute, without hints; `try` follows the day. */
static inline void suite_answer(struct review_record *r, int64_t day, const char *item,
                                const char *verdict) {
    review_record_add(r, &(struct review_answer){.item = item,
                                                 .line = "",
                                                 .verdict = verdict,
                                                 .mistake = "",
                                                 .seconds = 60,
                                                 .typed = true,
                                                 .try = (int)day,
                                                 .day = day});
}

static inline void suite_line(struct review_record *r, int64_t day, const char *item,
                              const char *line, int try) {
    review_record_add(
        r,
        &(struct review_answer){
            .item = item, .line = line, .verdict = "noted", .mistake = "", .try = try, .day = day});
}

#endif
