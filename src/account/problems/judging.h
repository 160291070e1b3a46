/* How the engine judges an answer: the mistakes that it knows, its verdict on the typed text, and
 * where a number comes from. */
#ifndef ACCOUNT_JUDGING_H
#define ACCOUNT_JUDGING_H

#include "account/problems/problems.h"

/* ── mistakes ──────────────────────────────────────────────────────────────────────────────────*/

struct account_mistake {
    /* "no-master" */
    const char *id;
    /* "the fp32 master copy was forgotten" */
    const char *name;
    /* One or two sentences: why it is wrong. */
    const char *explain;
};
const struct account_mistake *account_mistakes(size_t *count);
#define ACCOUNT_MATCHES 4
#define ACCOUNT_OTHERS  3
struct account_match {
    const struct account_mistake *mistake;
    /* The second of two mistakes that together yield it; NULL mostly. */
    const struct account_mistake *also;
    /* Base units: what the mistake yields. */
    double value;
    /* "2 B × 13e9 + (2 + 8) B × 13e9 ÷ 16 = 34.13 GB" */
    char arithmetic[240];
    /* The step in it that went wrong: "moments 8 only: the master copy's 4 are missing". */
    char wrong[200];
};
struct account_diagnosis {
    /* 0: no known mistake yields this; 2 and more: either … or … */
    size_t count;
    struct account_match match[ACCOUNT_MATCHES];
    /* Rarer mistakes that yield the very number of a match: or … */
    size_t others;
    const struct account_mistake *other[ACCOUNT_OTHERS];
};
/* Finds the mistakes that yield `value` (base units) for this problem. If none does, finds a pair
 * of mistakes that does, and several pairs only if one mistake is in all of them. Leaves out a
 * mistake that the variant cannot tell from the truth. */
void account_diagnose(const struct account_problem *p, double value, struct account_diagnosis *out);
/* Names the mistakes of a diagnosis, one of which was made: "the gradients were forgotten"; "either
 * the gradients were forgotten, or the parameters were forgotten"; of pairs "…; and …". Returns
 * `out`. */
const char *account_diagnosis_names(const struct account_diagnosis *d, char *out, size_t size);
/* What one mistake yields for this problem; false if it does not apply or cannot be told from the
 * truth. */
bool account_mistake_value(const struct account_problem *p, const char *id,
                           struct account_match *out);

struct account_separation {
    /* Every mistake in `about` applies and is told from the truth and from the others. */
    bool legal;
    /* What the verdict uses: min(tolerance, a quarter of the distance to the nearest mistake), at
     * least 0.001. */
    double tolerance;
    /* The relative distance of the worst pair, and that pair; "truth" may be one. */
    double distance;
    char a[24], b[24];
    /* The first id in `about` that did not remain. */
    char missing[24];
};
void account_separate(const struct account_problem *p, const char *const *about, size_t count,
                      struct account_separation *out);
/* The relative distance from the truth to the nearest mistake that gives another number: how coarse
 * an estimate may be before it could be a mistake. HUGE_VAL if there is none. Mistakes of the unit
 * alone are left out, since GB and GiB lie 7% apart in every variant. A count that was rounded down
 * is left out too, since an estimate may round. A problem that is about the unit (asked in GiB, or
 * a conversion) has 0, and so has one without an answer. */
double account_clearance(const struct account_problem *p);

/* ── verdicts ──────────────────────────────────────────────────────────────────────────────────*/

enum account_verdict {
    ACCOUNT_RIGHT,
    /* Right to two digits, rounded too early. */
    ACCOUNT_ROUNDED,
    /* The right number in another unit: GiB for GB, bits for bytes. */
    ACCOUNT_WRONG_UNIT,
    ACCOUNT_MISTAKE,
    ACCOUNT_WRONG,
    ACCOUNT_UNREADABLE,
    ACCOUNT_VERDICTS
};
const char *account_verdict_name(enum account_verdict v);
struct account_judgement {
    enum account_verdict verdict;
    /* Base units, as it was read; and the same as text: "34.13 GB". What was read but cannot be an
     * answer is UNREADABLE too, with this text. */
    double value;
    char read_as[64];
    /* Ungraded remark: "13B is a count of parameters; bytes are asked", or why it is unreadable;
     * may be "". */
    char note[200];
    /* Of what could not be read; 0 otherwise. */
    int column;
    /* For MISTAKE and WRONG_UNIT. */
    struct account_diagnosis diagnosis;
    /* For WRONG on a worksheet: the line above that has this number, from 1; 0: none. */
    size_t line;
};
void account_judge(const struct account_problem *p, const char *text,
                   struct account_judgement *out);
/* The same for one line of a worksheet, the lines before it as `given`. */
void account_judge_line(const struct account_problem *p, const struct account_solution *s, size_t i,
                        const double *given, const char *text, struct account_judgement *out);
/* What one mistake yields for a line of the worksheet. False if the mistake does not apply there,
 * or cannot be told from the truth or from another mistake. */
bool account_line_mistake(const struct account_problem *p, const struct account_solution *s,
                          size_t i, const char *id, struct account_match *out);

/* ── whose number is this? ─────────────────────────────────────────────────────────────────────*/

struct account_owner {
    const char *recipe;
    uint8_t stage;
    enum account_unit unit;
    /* NULL: the recipe is right. */
    const struct account_mistake *mistake;
    /* "model_state", "params", "peak" … */
    const char *quantity;
    /* Base units. */
    double value;
    char working[200];
};
/* Finds every recipe, stage, unit, quantity and mistake that yields the number in `text` within
 * half of its last digit, the simplest first. Ignores the training's own recipe and stage. Returns
 * how many there are; fills at most `capacity`. */
size_t account_whose(const struct account_training *t, const char *text, struct account_owner *out,
                     size_t capacity, struct account_error *e);

/* ── where does a guess come from? ─────────────────────────────────────────────────────────────*/

/* A number that people say, and the mistake that makes it. */
struct account_known {
    /* Base units; 0: there is no such number. */
    double value;
    /* Its mistake is NULL if it is the truth. */
    struct account_match match;
    /* Its bytes by category, if the guess is `piled`. */
    struct account_ledger ledger;
};
enum account_guessed {
    ACCOUNT_GUESS_UNREADABLE,
    ACCOUNT_GUESS_RIGHT,
    /* `judged.diagnosis` has the mistakes that give it. */
    ACCOUNT_GUESS_MISTAKE,
    /* Another quantity of the same training, or another recipe's, is as large: `owner`. */
    ACCOUNT_GUESS_OTHER,
    /* Nothing known gives it: it lies between `below` and `above`. */
    ACCOUNT_GUESS_BETWEEN
};
struct account_guess {
    enum account_guessed is;
    struct account_judgement judged;
    struct account_owner owner;
    struct account_known below, above;
    /* For BETWEEN: the guess with the next prefix, if that is near the truth; else 0. */
    double meant;
    /* The problem asks for bytes that categories add up to: `truth` has them. */
    bool piled;
    struct account_ledger truth;
    /* The bytes behind the guess; the total is 0 if they are not known. */
    struct account_ledger yours;
};
/* Explains where a guessed number comes from, and never calls it wrong: a mistake, else a result of
 * account_whose(), else the two known numbers that it lies between. An empty text is not a guess:
 * UNREADABLE, with `truth` filled. */
void account_guess(const struct account_problem *p, const char *text, struct account_guess *out);

#endif
