/* certificate: what a record shows, as a file that can be verified elsewhere. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* settings */
#define NAME   "name"
#define DATES  "certificate-dates"
#define HIDDEN "hidden"
enum { NAME_MOST = 80, FILE_MOST = 1 << 28 };

/* ── a name ────────────────────────────────────────────────────────────────────────────────────*/
static bool is_name(const char *name, struct base_message *m) {
    size_t n = strlen(name);
    bool plain = n <= NAME_MOST && base_is_line(name, n) && name[strspn(name, " ")] != '\0';
    return plain || base_fail(m, "a name is one line of text, at most %d bytes", NAME_MOST);
}

bool session_learner_set_name(struct learner *who, const char *name, struct base_message *m) {
    struct store *s = session_learner_store(who);
    return *name ? is_name(name, m) && store_set(s, NAME, name, m) : store_set(s, NAME, NULL, m);
}

static char *name_of(struct learner *who) {
    return store_setting(session_learner_store(who), NAME);
}

/* ── dates ─────────────────────────────────────────────────────────────────────────────────────*/
bool session_learner_show_dates(struct learner *who, bool shown, struct base_message *m) {
    return store_set(session_learner_store(who), DATES, shown ? NULL : HIDDEN, m);
}

/* Whether the page of the learner's own record has its days. */
static void put_dates(struct learner *who, json_t *says) {
    char *set = store_setting(session_learner_store(who), DATES);
    json_object_set_new(says, "dates", json_boolean(!set || strcmp(set, HIDDEN) != 0));
    free(set);
}

/* ── of a record ───────────────────────────────────────────────────────────────────────────────*/
static bool was_answered(void *store, const char *item) {
    return store_was_answered(store, item, 0);
}

json_t *session_certificate(struct learner *who) {
    struct store *s = session_learner_store(who);
    char *name = name_of(who);
    struct session_shown shown = {store_journal(s), was_answered, session_mastery(who),
                                  store_seed(s), session_today(who)};
    json_t *says = session_says(who, &shown);
    if (name) json_object_set_new(says, "name", json_string(name));
    put_dates(who, says);
    free(name);
    return says;
}

/* ── of a file ─────────────────────────────────────────────────────────────────────────────────*/
/* The skills that these answers show, into an empty fold. */
static void fold(struct learner *who, const struct session_proof *p, struct learner_mastery *m) {
    struct session_solved *solved = session_solved_new();
    session_mastery_begin(who, m);
    for (size_t i = 0; i < p->answers; i++) {
        const struct proof_answer *a = &p->answer[i];
        struct review_answer r = {.item = a->is.item,
                                  .line = a->is.line,
                                  .verdict = session_proof_verdict(a),
                                  .mistake = a->judged ? a->again.mistake : "",
                                  .try = a->is.try,
                                  .hints = a->is.hints,
                                  .seconds = a->is.seconds,
                                  .typed = *a->is.typed != '\0',
                                  .day = a->day};
        session_mastery_add(m, solved, &r, a->asked);
    }
    session_solved_free(solved);
}

static json_t *signs(const struct session_proof *p) {
    json_t *out = json_array();
    const json_t *sign;
    size_t i;
    json_array_foreach(p->countersigned, i, sign) {
        char *day = session_date(base_json_int(sign, "day", 0));
        json_array_append_new(
            out,
            json_pack("{ss ss}", "name", base_json_text(sign, "countersigned", ""), "day", day));
        free(day);
    }
    return out;
}

/* The first digits of its seal, in fours: enough to see that two pages are of one file. */
static json_t *fingerprint(const char *seal) {
    return json_sprintf("%.4s %.4s %.4s %.4s", seal, seal + 4, seal + 8, seal + 12);
}

static json_t *say(struct learner *who, struct session_proof *p) {
    struct learner_mastery m = {0};
    fold(who, p, &m);
    struct session_shown shown = {session_proof_journal(p), session_proof_answered, m.fold,
                                  (uint64_t)base_json_int(p->head, "seed", 0),
                                  base_json_int(p->head, "day", 0)};
    json_t *says = session_says(who, &shown);
    const char *name = base_json_text(p->head, "name", NULL);
    json_int_t before = 0;
    for (size_t i = 0; i < p->answers; i++) before += p->answer[i].judged && p->answer[i].before;
    if (name && is_name(name, NULL)) json_object_set_new(says, "name", json_string(name));
    json_object_set_new(says, "answers", json_integer((json_int_t)p->answers));
    json_object_set_new(says, "before", json_integer(before));
    json_object_set_new(says, "fingerprint", fingerprint(p->seal));
    json_object_set_new(says, "countersigned", signs(p));
    review_mastery_free(m.fold);
    return says;
}

char *session_certificate_make(struct learner *who, size_t *length, json_t **says,
                               struct base_message *m) {
    struct session_proof p;
    char *text = NULL, *name = name_of(who);
    *says = NULL;
    if (session_proof_take(who, name, &p, m) &&
        session_proof_judge(who, &p, true, m) == SESSION_HOLDS) {
        text = session_proof_write(&p, length);
        *says = say(who, &p);
        put_dates(who, *says);
    }
    session_proof_free(&p);
    free(name);
    return text;
}

/* ── of others ─────────────────────────────────────────────────────────────────────────────────*/
static enum session_proven judge(const char *path, struct learner *who, struct session_proof *p,
                                 struct base_message *m) {
    struct base_message why = {0};
    enum session_proven proven = session_proof_judge(who, p, false, &why);
    if (proven != SESSION_HOLDS) base_fail_at(m, path, 0, "%s", why.what);
    return proven;
}

static enum session_proven verify(const char *path, const char *text, size_t n, struct learner *who,
                                  struct session_proof *p, json_t **says, struct base_message *m) {
    bool edited = false;
    if (!session_proof_read(path, text, n, p, &edited, m))
        return edited ? SESSION_CHANGED : SESSION_REFUSED;
    enum session_proven proven = judge(path, who, p, m);
    if (proven == SESSION_HOLDS) *says = say(who, p);
    return proven;
}

/* `name`: who countersigns it; NULL: nobody. */
static enum session_proven verify_file(const char *path, const char *name, json_t **says,
                                       struct base_message *m) {
    size_t n;
    enum session_proven proven = SESSION_REFUSED;
    struct session_proof p = {0};
    char *text = base_file_read(path, FILE_MOST, &n, m);
    struct learner *who = text ? session_learner_open_course(m) : NULL;
    *says = NULL;
    if (who) proven = verify(path, text, n, who, &p, says, m);
    if (proven == SESSION_HOLDS && name) {
        int64_t today = review_day(base_now(), REVIEW_ROLLOVER);
        char *more = session_proof_countersign(&p, text, name, today);
        json_decref(*says);
        *says = NULL;
        session_proof_free(&p);
        proven = verify(path, more, strlen(more), who, &p, says, m);
        if (proven == SESSION_HOLDS && !base_file_write(path, more, strlen(more), m))
            proven = SESSION_REFUSED;
        free(more);
    }
    session_proof_free(&p);
    if (who) session_learner_close(who);
    free(text);
    return proven;
}

enum session_proven session_certificate_verify(const char *path, json_t **says,
                                               struct base_message *m) {
    return verify_file(path, NULL, says, m);
}

enum session_proven session_certificate_countersign(const char *path, const char *name,
                                                    json_t **says, struct base_message *m) {
    *says = NULL;
    return is_name(name, m) ? verify_file(path, name, says, m) : SESSION_REFUSED;
}
