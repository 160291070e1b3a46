/* racing: the class's table of the speed challenge: opting in by a nickname, and the table in
 * words. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ── the nickname ──────────────────────────────────────────────────────────────────────────────*/
struct nick {
    char name[CLASSROOM_NICK];
    int try;
};

/* The last one counts. */
static void take_nickname(void *to, const struct lesson_answer *a) {
    struct nick *n = to;
    classroom_nickname(n->name, base_json_text(a->problem, "nickname", ""));
    n->try = a->try;
}

static struct nick read_nickname(struct learner *who) {
    struct nick n = {.try = 0};
    struct lesson_journal j = store_journal(session_learner_store(who));
    j.answers(j.self, CLASSROOM_NICKNAME, take_nickname, &n, NULL);
    return n;
}

char *session_nickname(struct learner *who) {
    struct nick n = read_nickname(who);
    return session_in_class(who) && *n.name ? base_dup(n.name) : NULL;
}

/* Whether another of the table has it, or an account of this machine. */
static bool is_taken(const struct learner *who, const char *own, const char *name) {
    const struct session_class *in = session_in_class(who);
    struct classroom_races all = {0};
    struct classroom_folder *f = classroom_open(in->folder, NULL);
    bool taken = strcmp(name, in->account) != 0 && classroom_is_account(name);
    if (f) classroom_races_read(f, &all, NULL);
    for (size_t i = 0; i < all.count; i++)
        taken =
            taken || (strcasecmp(all.race[i].nickname, name) == 0 && strcasecmp(own, name) != 0);
    classroom_races_free(&all);
    classroom_close(f);
    return taken;
}

bool session_set_nickname(struct learner *who, const char *name, struct base_message *m) {
    struct nick now = read_nickname(who);
    char clean[CLASSROOM_NICK] = "";
    if (!session_in_class(who))
        return base_fail(
            m, "you are not in a class that is running now: the table belongs to a class");
    if (name) classroom_nickname(clean, name);
    if (name && strcmp(clean, name) != 0)
        return base_fail(m, "a nickname has at most %d characters, and no invisible ones",
                         CLASSROOM_NICK_CELLS);
    if (name && !*clean) return base_fail(m, "a nickname needs a letter");
    if (name && is_taken(who, now.name, clean))
        return base_fail(m, "the nickname %s is taken: choose another", clean);
    struct lesson_journal j = store_journal(session_learner_store(who));
    json_t *problem = json_pack("{ss}", "nickname", clean);
    struct lesson_answer a = {.item = CLASSROOM_NICKNAME,
                              .line = "",
                              .try = now.try + 1,
                              .problem = problem,
                              .typed = "",
                              .verdict = "noted",
                              .mistake = ""};
    bool kept = j.answer(j.self, &a, m);
    json_decref(problem);
    if (kept) session_speed_hand_in(who);
    return kept;
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static bool is_like(const struct classroom_race *r, const struct lesson_speed_options *o) {
    return r->ms == o->ms && r->choose == o->choose &&
           strcmp(r->subject, lesson_speed_subject_name(o->subject)) == 0;
}

/* Markdown that says just that: a nickname is another account's text. */
static void add_plain(struct base_text *t, const char *text) {
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*_{}[]()#+-!<>|~$&", *c)) base_text_puts(t, "\\");
        base_text_add(t, c, 1);
    }
}

static void add_race(struct base_text *t, const struct classroom_race *r, size_t place, bool own) {
    base_text_printf(t, "| %zu | %s", place, own ? "**" : "");
    add_plain(t, r->nickname);
    base_text_printf(t, "%s | %+d | %d | %d | %d |\n", own ? "**" : "", r->best - r->first,
                     r->first, r->best, r->rounds);
}

/* The first so many of this kind, and one's own wherever it is. */
static void add_table(struct base_text *t, const struct classroom_races *all,
                      const struct lesson_speed_options *o, const char *nickname, size_t most) {
    size_t place = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct classroom_race *r = &all->race[i];
        bool own = strcmp(r->nickname, nickname) == 0;
        if (!is_like(r, o)) continue;
        if (++place == 1)
            base_text_puts(t, "| | nickname | gained | first | best | rounds |\n"
                              "|--:|:--|--:|--:|--:|--:|\n");
        if (place <= most || own) add_race(t, r, place, own);
    }
}

static void add_own(struct base_text *t, struct learner *who, const struct lesson_speed_options *o,
                    const char *nickname) {
    struct session_speed_past p = session_speed_past(who, o);
    add_plain(t, nickname);
    if (p.rounds == 0)
        base_text_puts(t, ", you have no round of this kind in this class yet.\n\n");
    else if (p.best == p.first)
        base_text_printf(t, ", your first round had %zu right, and it is still your best.\n\n",
                         p.first);
    else
        base_text_printf(t, ", your best round rose from %zu right answers to %zu.\n\n", p.first,
                         p.best);
}

char *session_speed_table(struct learner *who, const struct lesson_speed_options *o, size_t most) {
    struct learner_class *c = session_learner_classwork(who);
    struct base_text t = {0};
    struct classroom_races all = {0};
    char *nickname = session_nickname(who);
    if (!c->in) return NULL;
    if (!nickname)
        return base_dup("Your class has a table by nickname, for those who want one: `zerotutor "
                        "class nickname NAME`.");
    add_own(&t, who, o, nickname);
    struct classroom_folder *f = classroom_open(c->in->folder, NULL);
    if (f && classroom_races_read(f, &all, NULL)) add_table(&t, &all, o, nickname, most);
    classroom_close(f);
    classroom_races_free(&all);
    free(nickname);
    return base_text_take(&t);
}
