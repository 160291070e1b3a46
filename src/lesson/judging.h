/* lesson/judging.h: problems read, fresh numbers drawn, and lint, which does both over many
 * seeds. */
#ifndef LESSON_JUDGING_H
#define LESSON_JUDGING_H

#include "account/account.h"
#include "lesson/data.h"
#include "memo/memo.h"

/* Reads a problem from its JSON: {"kind":"bytes","training":{…},"quantity":"model_state",
 * "unit":"GB",…}. */
bool lesson_problem_read(const json_t *json, struct account_problem *out, struct base_message *m);
/* A legal variant of a step that varies: asks the source with seeds derived from `seed` until one
 * is legal (64 at most). */
json_t *lesson_variant(const struct lesson *l, size_t step, struct lesson_source source,
                       uint64_t seed, struct base_message *m);
/* The seed that lesson_variant() asks the source with first. */
uint64_t lesson_variant_seed(uint64_t seed);
/* The seed of a try: hash of the learner's seed, the item, and the try's number. */
uint64_t lesson_seed(uint64_t learner, const char *item, int try);
/* Whether lesson_try() may give a try this seed. */
bool lesson_seed_fits(uint64_t seed, uint64_t learner, const char *item, int try);
/* The variant of a try: the first draw from its seed, or another one if that has the answer of a
 * neighbouring try. So two tries in a row differ if the step has several answers at all. The same
 * (learner, item, try) always gives the same variant. lesson_variant() makes it again from `seed`.
 * The caller owns it. NULL with the reason. */
json_t *lesson_try(const struct lesson *l, size_t step, struct lesson_source source,
                   uint64_t learner, int try, uint64_t *seed, struct base_message *m);

/* Whether a try has the answer of an earlier one: of few answers, some come back. */
bool lesson_repeats(const struct lesson *l, size_t step, struct lesson_source source,
                    uint64_t learner, int try);

/* A solution as Markdown, and a value with four digits in the unit; both the caller's. */
char *lesson_working_all(const struct account_solution *s);
/* All its lines, those that a worksheet leaves blank with a question mark; `sheet` NULL: a worked
 * example, which begins with its first line. The caller's. */
char *lesson_working_begun(const struct account_solution *s, const json_t *sheet);
char *lesson_working_value(double value, enum account_unit unit);
/* An answer, as it is said to have been read: no digit before the point is rounded away. */
char *lesson_typed_value(double value, enum account_unit unit);
/* A line's value in bytes; 0 if it does not measure a size. */
double lesson_working_bytes(const struct account_line *l);

/* What the form that asked it says of an answer that was kept: as in lesson_answer. */
struct lesson_again {
    char verdict[16], mistake[160];
    double value;
};
/* Judges an answer to a problem or a myth once more, as it was typed, with the numbers that it was
 * kept with; no lesson is asked. `line`: the answers to earlier lines of the same worksheet. False
 * if that is not such an answer, or if only the whole worksheet can be judged. */
bool lesson_judge_again(const struct lesson_answer *a, const struct lesson_answer *line,
                        size_t lines, struct lesson_again *out);
/* The figure of a wrong answer next to the right one, pile by pile and as bars, the caller's. NULL
 * if the number is not a sum of piles, or if it is not known which bytes were counted. */
json_t *lesson_contrast(const struct account_problem *p, const char *typed);
/* Whether a memo that was checked passes on the case that the answer was kept for. */
bool lesson_memo_passes(const struct memo_report *r, const struct lesson_answer *a,
                        uint64_t learner);
/* Whether two variants ask the same: the same problem for the engine, or the same right choice,
 * places or bins of as many options. Their wording may differ. */
bool lesson_same_question(const json_t *a, const json_t *b);

/* Lint: checks a lesson, with `seeds` seeds per varying step. Calls `report` with each finding and
 * returns their number. For each varying step, calls `worst` with the pair of answers that are
 * hardest to tell apart, as a line of text. */
size_t lesson_lint(const struct lesson *l, struct lesson_source source, int seeds,
                   void (*report)(void *to, const struct base_message *m),
                   void (*worst)(void *to, const char *line), void *to);

#endif
