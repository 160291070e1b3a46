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

bool session_certificate_make(struct learner *who, struct session_certified *c,
                              struct base_message *m) {
    struct session_proof p;
    char *name = name_of(who);
    *c = (struct session_certified){0};
    bool made = session_proof_take(who, name, &p, m) &&
                session_proof_judge(who, &p, SESSION_TO_CERTIFY, m) == SESSION_HOLDS;
    if (made) {
        c->text = session_proof_write(&p, &c->length);
        snprintf(c->last, sizeof c->last, "%s", session_proof_last(&p));
        c->says = say(who, &p);
        put_dates(who, c->says);
    }
    session_proof_free(&p);
    free(name);
    return made;
}

/* ── of others ─────────────────────────────────────────────────────────────────────────────────*/
static enum session_proven judge(const char *path, struct learner *who, struct session_proof *p,
                                 struct base_message *m) {
    struct base_message why = {0};
    enum session_proven proven = session_proof_judge(who, p, SESSION_TO_VERIFY, &why);
    if (proven != SESSION_HOLDS) base_fail_at(m, path, 0, "%s", why.what);
    return proven;
}

static enum session_proven verify(const char *path, struct learner *who,
                                  struct session_certified *c, struct base_message *m) {
    bool edited = false;
    struct session_proof p;
    bool read = session_proof_read(path, c->above, c->text, c->length, &p, &edited, m);
    if (read) snprintf(c->last, sizeof c->last, "%s", session_proof_last(&p));
    read = read && session_certificate_page_fits(path, c, &edited, m);
    enum session_proven proven = read     ? judge(path, who, &p, m)
                                 : edited ? SESSION_CHANGED
                                          : SESSION_REFUSED;
    if (proven == SESSION_HOLDS) c->says = say(who, &p);
    session_proof_free(&p);
    return proven;
}

enum session_proven session_certificate_verify(const char *path, struct session_certified *c,
                                               struct base_message *m) {
    size_t n;
    char *file = base_file_read(path, FILE_MOST, &n, m);
    struct learner *who = file ? session_learner_open_course(m) : NULL;
    enum session_proven proven = SESSION_REFUSED;
    *c = (struct session_certified){0};
    if (file) session_certificate_uncarry(file, n, c);
    if (who) proven = verify(path, who, c, m);
    if (who) session_learner_close(who);
    return proven;
}

bool session_certificate_countersign(struct session_certified *c, const char *name,
                                     struct base_message *m) {
    if (!is_name(name, m)) return false;
    int64_t today = review_day(base_now(), REVIEW_ROLLOVER);
    char *day = session_date(today),
         *more = session_proof_countersign(c->text, c->last, name, today);
    json_array_append_new(json_object_get(c->says, "countersigned"),
                          json_pack("{ss ss}", "name", name, "day", day));
    if (c->text != c->whole) free(c->text);
    c->text = more;
    c->length = strlen(more);
    free(day);
    return true;
}
