/* practice: what comes back today, what the learner can do, and rounds against the clock. */
#ifndef SESSION_PRACTICE_H
#define SESSION_PRACTICE_H

#include "session/learner.h"

/* What comes back today: things that are due and new ones of finished lessons, as many as fit into
 * a day. It is derived from the answers. */
enum { LEARNER_NAMES = 4 };
struct learner_due {
    size_t count, fresh;
    /* of those that are not new, what is likely recalled in less than seven of ten cases, or was
     * missed the last time, and what is in nine of ten, as on the map; the others fade. A prompt is
     * not told. */
    size_t weak, solid;
    /* the problem about the learner's job is among them: once a week, and never alone */
    bool job;
    int minutes;
    /* in how many days more comes; 0 if nothing ever does */
    int64_t next;
    /* days in a row that were kept, one missed day a week forgiven */
    int64_t streak;
    /* the same in weeks from Monday on, in which one answer keeps the week */
    int64_t weeks;
    /* titles of things that fade, or if nothing does, of what is new; they live until the next
     * call */
    size_t names;
    const char *name[LEARNER_NAMES];
};
struct learner_due session_learner_due(struct learner *who);
/* The same for a prompt, without names: reads the record (NULL: the one in use) and writes nothing.
 * Nothing is due if there is no record. False with the message filled if it cannot be read. */
bool session_due(const char *store_path, struct learner_due *out, struct base_message *m);
/* The day that comes in so many days, at least one: "tomorrow", "Friday", "12 days from now". The
 * caller's. */
char *session_day_name(int64_t days);
/* A review needs the lessons that it asks from, and each takes some milliseconds to run. So that it
 * opens without a wait they are read before, one a call, as session_learner_due() found them:
 * whether one is left, and that one. Then what is mastered, if many answers are new. */
bool session_review_waits(struct learner *who);
void session_review_read(struct learner *who);
/* The hour at which the learner's days begin: the setting of this name, "0" to "23", or four in the
 * morning. Reviews, the streak and the cases go by these days. */
#define SESSION_ROLLOVER "rollover"
int session_learner_rollover(struct learner *who);
/* How many minutes of review a day has: the setting of this name, or five. What does not fit waits
 * for the next days. */
#define SESSION_REVIEW_MINUTES "review-minutes"
/* "Wed 25 Nov": the day of now, of days that begin at that hour. The caller's. */
char *session_today_name(int rollover);
/* What the learner suspended, in the order of the items: "1.1/ddp-7b" and its title, which live
 * during the call of `each`. And takes one back, so that it is asked again; false with the message
 * filled if it is not suspended, or that cannot be kept. */
size_t session_learner_suspended(struct learner *who,
                                 void (*each)(void *to, const char *item, const char *title),
                                 void *to);
bool session_learner_unsuspend(struct learner *who, const char *item, struct base_message *m);
/* How much of a lesson's problems and myths the learner is likely to recall today, from 0 to 1:
 * what was missed the last time it was asked on a new day counts nothing, since only the first try
 * of a day tells. NaN if none was answered. Cards are left out, since no one checks them. */
double session_learner_recall(struct learner *who, size_t i);
/* What the learner can do, by skill: the stage, quantity and unit that the engine finds in a
 * problem. The ideas of a lesson, which it asks by choosing, are one skill. Areas follow each
 * other, and skills of one area. */
enum { LEARNER_AHEAD = 30 };
struct learner_skill {
    /* "gradients at stage 2, in GB"; of ideas, "1.3  Three things are replicated" */
    char name[128];
    const char *area;
    /* skills follow each other by it, and then by their names */
    int order;
    /* first tries on a day, those that were right, and those of them after a hint */
    int tries, right, helped;
    /* since the last one */
    int64_t days_ago;
    /* the probability of a right first try, as review/mastery.h estimates it: today, and in each of
     * LEARNER_AHEAD days without practice */
    double likely[LEARNER_AHEAD + 1];
    /* the same when this week began; NaN if nothing had been tried */
    double on_monday;
};
/* The skills that were tried, the caller's to free(); how many. */
size_t session_learner_skills(struct learner *who, struct learner_skill **out);
/* The same with mistakes and time as JSON, the caller's; page_study() draws it:
 *   {"today":"2026-11-23","ahead":30,
 *    "areas":[{"area","today","in_30_days","first_tries","right",
 *              "skills":[{"skill","today","in_30_days","first_tries","right","helped",
 *                         "days_ago"}…]}…],
 *    "fades":[0.81,0.8…]   the mean of all skills today and in each of 30 days without practice
 *    "mistakes":[{"id","name","times","days_ago","since","happens"}…]   the most frequent first
 *    "days":[{"day":"2026-11-23","days_ago","answers","minutes"}…]      those with answers
 *    "phases":[{"phase":1,"title","earned"}…]}
 * Probabilities are from 0 to 1. "since" counts first tries without the mistake. */
json_t *session_learner_study(struct learner *who);
/* The same once the course is done, with the best round of the speed challenge and whether a memo
 * passed; page_milestones() draws it. "on_monday" is as "today", when this week began, of areas
 * that had been tried:
 *   {"areas":[{… "on_monday":0.6}…] … "best":{"right","seconds","subject"}|null,
 *    "memo":{"passed","lesson"}|null} */
json_t *session_learner_milestones(struct learner *who);
/* Whether a phase was earned: its check was passed, in placement or after the lessons. What was
 * skipped or only read earns nothing. */
bool session_learner_earned(struct learner *who, size_t phase);
#define LEARNER_REVIEW "review" /* what it is opened by, in the place of a lesson's id */
/* before the id of an idea of the map: what of it is about that idea */
#define LEARNER_REVIEW_OF LEARNER_REVIEW "/"

/* ── drills ────────────────────────────────────────────────────────────────────────────────────*/
/* What to read once the course is done, an extra of this id: whether the course has one, and every
 * lesson of the phases was gone through, or its phase was earned. */
#define LEARNER_ONWARDS "onwards"
bool session_learner_onwards(struct learner *who);
/* Drills, which are opened by these words, in the place of a lesson's id. */
#define LEARNER_EXIT      "exit"      /* the questions at the end of a class */
#define LEARNER_MYTHS     "myths"     /* the claims of lessons that were met: true or false? */
#define LEARNER_INTERVIEW "interview" /* what lessons have explained aloud, against a checklist */
bool session_is_drill_word(const char *word);
/* Whether there is anything for them: a lesson was gone through. */
bool session_learner_drills(struct learner *who);
/* How many seconds an interview gives for each explanation, 0 for as long as it takes. The setting
 * of this name. */
#define SESSION_INTERVIEW "interview"
int session_learner_interview(struct learner *who);
bool session_learner_set_interview(struct learner *who, int seconds, struct base_message *m);

/* ── the speed challenge ───────────────────────────────────────────────────────────────────────*/
/* A round on the lessons that were gone through; on those of the first phase if there is none. A
 * seed of 0 draws other numbers in each round. */
struct session_speed;
struct session_speed *session_speed_open(struct learner *who, const struct lesson_speed_options *o,
                                         struct base_message *m);
void session_speed_close(struct session_speed *s);
struct lesson_speed *session_speed_round(const struct session_speed *s);
struct learner *session_speed_learner(const struct session_speed *s);
/* The subject, the clock and the way to answer that were chosen last, for the next round. */
struct lesson_speed_options session_speed_chosen(struct learner *who);
void session_speed_choose(struct learner *who, const struct lesson_speed_options *o);
/* Keeps how the round went, if anything was answered in it, and only once. The row says "noted":
 * reviews and mastery take no account of it. */
bool session_speed_keep(struct session_speed *s, struct base_message *m);
/* As session_report(), of the question asked last. */
char *session_speed_report(const struct session_speed *s, const char *words, char **told,
                           struct base_message *m);
/* The rounds that were kept of a subject, with the same clock and the same way to answer. */
enum { SESSION_SPEED_LATEST = 5 };
struct session_speed_past {
    size_t rounds;
    /* right answers in the first and in the best of them; and in the latest, the newest last */
    size_t first, best, latest[SESSION_SPEED_LATEST], count;
};
struct session_speed_past session_speed_past(struct learner *who,
                                             const struct lesson_speed_options *o);

/* The class's table of such rounds, as Markdown, the caller's: one's own improvement first, then at
 * most so many rows, and one's own. Who has no nickname reads how to get one. NULL outside of
 * classes. */
char *session_speed_table(struct learner *who, const struct lesson_speed_options *o, size_t most);
/* The nickname under which the learner is in that table, the caller's; NULL: the learner is not. */
char *session_nickname(struct learner *who);
/* Puts the learner in the table; NULL: takes the learner out of it. False with the message filled
 * if the learner is in no class that runs, or the name cannot be shown. */
bool session_set_nickname(struct learner *who, const char *name, struct base_message *m);

/* ── the map ───────────────────────────────────────────────────────────────────────────────────*/
/* Reads lessons/map.json; lesson_ideas_free() frees it. */
bool session_learner_map(struct learner *who, struct lesson_ideas *out, struct base_message *m);
/* How many things a review of an idea asks: those that are due today, or if there are none, those
 * that were asked before and come later. Both 0: there is nothing to review. */
struct learner_asks {
    size_t due, early;
};
/* Fills one for each idea. */
void session_learner_ideas_due(struct learner *who, const struct lesson_ideas *all,
                               struct learner_asks *asks);
enum learner_strength {
    LEARNER_NOT_MET,
    LEARNER_MET,
    LEARNER_PASSED_OVER,
    LEARNER_WEAK,
    LEARNER_FADING,
    LEARNER_SOLID
};
struct learner_idea {
    enum learner_strength strength;
    /* how many of its problems and myths were answered */
    size_t asked;
    /* How likely the next first try is right today, and in thirty days without practice, from 0 to
     * 1: the mean over these, and of each the mean over the skills that it is of, as Progress has
     * them (session_learner_skills()). NaN if none was answered. */
    double today, month;
    /* the mistake that was made last on one of them, named, and how many days ago; "" if none was
     */
    char slip[96];
    int64_t slip_days;
};
struct learner_idea session_learner_idea(struct learner *who, const struct lesson_idea *idea);
/* Finds the drawing that represents an idea: the first one that its lesson shows from the idea's
 * step on, before it asks anything; else the lesson's own. Sliders are where they begin, and a play
 * is at its end. The caller's; NULL if there is none. Runs the lesson if it was not yet. */
json_t *session_idea_figure(struct learner *who, const struct lesson_ideas *all, size_t idea);

/* ── single things that come back ──────────────────────────────────────────────────────────────*/
/* The strings live until the deck is read again. */
struct learner_fading {
    const char *title;
    /* its lesson's id */
    const char *lesson;
    /* How likely it is recalled today, from 0 to 1: 0 if it was missed the last time. NaN: new. */
    double recall;
};
/* Those that are left for today, in the order in which they come; how many. */
size_t session_learner_fading(struct learner *who,
                              void (*each)(void *to, const struct learner_fading *f), void *to);

#endif
