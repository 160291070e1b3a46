/* session/certificate.h: what a learner has shown, so that others can verify it. session.h includes
 * this.
 *
 * Earned when every check of the course was passed, no skill that was tried is weak today (below
 * 0.7), and a memo passed. It is a file of all answers as they were typed, each chained to the one
 * before; verifying it judges them again with the engine, draws their numbers again from the
 * lessons and the learner's seed, and derives what it says. It proves that answers fit questions,
 * and not who typed them. Whoever has a program can make another; a countersignature is a name. */
#ifndef SESSION_CERTIFICATE_H
#define SESSION_CERTIFICATE_H

#include "base/base.h"

struct learner;

/* What the record shows now, as JSON that page_certificate() draws; the caller's:
 *   {"name"?,"today":"2026-12-22","from"?,"to"?,"earned":false,
 *    "areas":[as in session_learner_study(), with "helped" and "last":"2026-12-19"…],
 *    "phases":[{"phase","title","earned"}…], "skipped":[{"lesson","left","of"}…],
 *    "memo":{"case","stage","claims","runs"}|null, "outgrown":a mistake|null,
 *    "missing":[{"what","next"}…], "dates":whether the page shows days}
 * Of a file also "answers", "before" (those to earlier versions of their questions), "fingerprint"
 * and "countersigned":[{"name","day"}…]. */
json_t *session_certificate(struct learner *who);
/* The name that it is made out to; "" forgets it. False with the message filled. */
bool session_learner_set_name(struct learner *who, const char *name, struct base_message *m);
/* Whether pages of the learner's own certificate show its days. The file that can be verified
 * always has the time of each answer. False with the message filled. */
bool session_learner_show_dates(struct learner *who, bool shown, struct base_message *m);
/* Makes the file's text, the caller's, and what it says; also of one that is not earned yet. NULL
 * with the message filled. */
char *session_certificate_make(struct learner *who, size_t *length, json_t **says,
                               struct base_message *m);
enum session_proven {
    SESSION_HOLDS,
    /* the message names the first answer that was changed */
    SESSION_CHANGED,
    /* it is no certificate, cut off, newer or too large; or it could not be judged now */
    SESSION_REFUSED
};
/* Verifies a file, whoever wrote it, without a record. `says`: what it shows, the caller's; NULL
 * unless it holds. */
enum session_proven session_certificate_verify(const char *path, json_t **says,
                                               struct base_message *m);
/* The same, and adds a name and today below it. */
enum session_proven session_certificate_countersign(const char *path, const char *name,
                                                    json_t **says, struct base_message *m);

#endif
