/* migrate.h: from whatever version a file has to this program's. */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include "store/inside.h"

/* The files of data/schema, made by schema.sh: element i leads from version i to i + 1; ends with
 * NULL. */
extern const char *const store_schema[];

enum { APPLICATION_ID = 0x5A547574 }; /* "ZTut", as data/schema/1.sql says */

/* Whether the file may be worked on: empty, or a learner's record of a version in `schema`. Writes
 * nothing. */
bool store_migrate_accepts(sqlite3 *db, const char *path, const char *const *schema,
                           struct base_message *m);
/* compare.c: whether the file has exactly what the first `version` schemas make: tables, indexes,
 * triggers and nothing else. False with the message filled, which names the first difference. */
bool store_compare_schema(sqlite3 *db, const char *path, const char *const *schema, int64_t version,
                          struct base_message *m);
/* compare.c: whether the file has the very schema of this version, by its digest. False says only
 * that it takes store_compare_schema() to tell. */
bool store_compare_known(sqlite3 *db, int64_t version);
/* Whether it has been through all of them. */
bool store_migrate_is_latest(sqlite3 *db, const char *const *schema);
/* Brings the file to the last version of `schema`, in one transaction: wholly or not at all. */
bool store_migrate(sqlite3 *db, const char *path, const char *const *schema,
                   struct base_message *m);

#endif
