/* session/certificate.h: what a learner has shown, so that others can verify it. session.h includes
 * this.
 *
 * Earned when every check of the course was passed, no area of what was tried is weak today (below
 * 0.7, the mean of its skills), and a memo passed. It is a file of all answers as they were typed,
 * each chained to the one before; verifying it judges them again with the engine, draws their
 * numbers again from the lessons and the learner's seed, and derives what it says. It proves that
 * answers fit questions, and not who typed them. Any program can make such a file, and a
 * countersignature is only a name. */
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

/* A certificate that was made or read. session_certified_free() frees it. */
struct session_certified {
    /* its lines */
    char *text;
    size_t length;
    /* the link of the last of them */
    char last[65];
    /* what it shows; NULL unless it holds */
    json_t *says;
    /* Of a file that is a page which carries the lines: the whole file; how it was printed,
     * {"form","ascii","dates","program"}; whether it is the page that was printed. */
    char *whole;
    size_t bytes;
    json_t *page;
    bool fits;
    /* the page's own line, its SHA-256 as it is, and how many lines stand above the certificate's
     */
    char *line, sha256[65];
    int above;
};
void session_certified_free(struct session_certified *c);
/* Makes one of the record, also one that is not earned yet. False with the message filled. */
bool session_certificate_make(struct learner *who, struct session_certified *c,
                              struct base_message *m);
/* A page that was printed of it, so that it carries its lines; the caller's. `page`: how it was
 * printed, as above; "form" is one of txt, md, html and pdf. */
char *session_certificate_carry(const struct session_certified *c, const json_t *page,
                                const char *printed, size_t n, size_t *length);
enum session_proven {
    SESSION_HOLDS,
    /* the message names what was changed, the first of it */
    SESSION_CHANGED,
    /* it is no certificate, cut off, newer or too large; or it could not be judged now */
    SESSION_REFUSED
};
/* Verifies the certificate in a file from any source, without a record. If the file is a page, the
 * caller checks the page, since it can print another to compare. */
enum session_proven session_certificate_verify(const char *path, struct session_certified *c,
                                               struct base_message *m);
/* Adds a name and today to one that holds. */
bool session_certificate_countersign(struct session_certified *c, const char *name,
                                     struct base_message *m);

#endif
