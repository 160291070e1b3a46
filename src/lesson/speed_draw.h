/* speed_draw.h: one question of the speed challenge. Private to lesson. */
#ifndef LESSON_SPEED_DRAW_H
#define LESSON_SPEED_DRAW_H

#include "lesson/handler.h"

struct lesson_speed_drawn {
    /* a reference */
    json_t *variant;
    /* the step of the pool, and lesson_variant()'s seed */
    size_t family;
    uint64_t seed;
    struct account_problem problem;
    struct account_solution solution;
    struct lesson_speed_question question;
    /* the question in few words, or NULL if only the lesson's words say it; the drawn's */
    char *brief;
    /* alike for questions that differ in their numbers only */
    char kind[ACCOUNT_SKILL_MOST];
    /* with options: base units */
    double option[LESSON_SPEED_OPTIONS];
};
/* What a family's problems are about, by one variant of it on the subject; false if it gives none.
 */
bool lesson_speed_probe(const struct lesson *pool, size_t family, struct lesson_source source,
                        uint64_t *random, enum lesson_speed_subject subject,
                        struct account_problem *out);
/* A variant of the family, or of a worksheet one line, that is on the subject and may be asked;
 * false if none was among many. With `choose` it has options. */
bool lesson_speed_draw(const struct lesson *pool, size_t family, struct lesson_source source,
                       uint64_t *random, enum lesson_speed_subject subject, bool choose,
                       struct lesson_speed_drawn *out);
void lesson_speed_drawn_free(struct lesson_speed_drawn *d);

#endif
