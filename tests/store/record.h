/* record.h: what the tests of the store share: an answer to give, and ways to look at a file. */
#ifndef TESTS_STORE_RECORD_H
#define TESTS_STORE_RECORD_H

#include "base/scratch.h"
#include "store/store.h"

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

/* Opens or fails the test. */
struct store *record_open(const char *path);
/* An answer to try number `try` of "1.1/ddp-7b": its texts and numbers follow from the number. */
bool record_answer(struct store *s, int try, struct base_message *m);
/* How many answers are kept of "1.1/ddp-7b", each checked against what record_answer() gives; the
 * tries are in order without a gap from 1 on. */
int record_count(struct store *s);
/* How many entries of a folder there are. */
int record_names_in(const char *folder);
/* Runs SQL on the file past the store. */
void record_sql(const char *path, const char *sql);
/* What SQLite says to it, the caller's; NULL if it is content. */
char *record_sql_error(const char *path, const char *sql);
/* The first column of the first row. */
int64_t record_number(const char *path, const char *sql);
/* Asserts that the file is as `before` says, which is freed. */
void record_assert_same(const char *path, char *before, size_t length);

#endif
