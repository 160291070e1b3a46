/* classroom/kept.h: what the teacher collected. kept/HEX.handin is a copy of a hand-in, which grows
 * as long as the hand-in goes on from it. One that was cut or edited adds nothing, and takes
 * nothing away: what it lacks is listed. One that goes on otherwise is kept as kept/HEX.2.handin
 * and so on, and all of them are graded together. kept/collected.json says when how much was first
 * seen:
 *
 *     {"zerotutor":"collected","format":1,"handins":{HEX:{"account":"ada",
 *      "seen":[[12,1795430000],[40,1795433600]],      answers, and the file server's time
 *      "seen.2":[…],                                  of kept/HEX.2.handin
 *      "gone":[{"says"}]}}} */
#ifndef CLASSROOM_KEPT_H
#define CLASSROOM_KEPT_H

#include "classroom/handin.h"

#define CLASSROOM_COLLECTED "collected.json"
enum { CLASSROOM_HANDINS_MOST = 10000 };

/* Copies what is new in handins/ to kept/. The answer, the caller's: {"handins","new",
 * "answers","reports","listed":[{"handin","account"?,"kind","says"}…]}: `reports` counts those that
 * are new (reports.h), `listed` is what a teacher should look at. A hand-in that cannot be read
 * stops no other. NULL with the message filled. */
json_t *classroom_collect(const struct classroom_folder *f, const struct classroom_settings *s,
                          struct base_message *m);
/* What collected.json says; {} if nothing was collected yet. The caller's; NULL with the message
 * filled. */
json_t *classroom_collected(const struct classroom_folder *f, struct base_message *m);
/* The name of a version in kept/, from 1; the caller's. There are as many as files of such names.
 */
char *classroom_kept_name(const char *handin, size_t version);
/* When answer `i` (from 0) of a version was first seen; 0: it was not. */
int64_t classroom_collected_seen(const json_t *collected, const char *handin, size_t version,
                                 size_t i);
/* The hand-ins of each account: {"ada":[HEX…]}, the caller's; and one that is not this one, NULL if
 * there is none. */
json_t *classroom_collected_accounts(const json_t *collected);
const char *classroom_collected_other(const json_t *accounts, const char *account,
                                      const char *handin);
#endif
