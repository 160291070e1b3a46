/* map: the ideas of the course as lines: how well each is known, and what it rests on. */
#include "linear/inside.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)LEARNER_SOLID == (int)PAGE_SOLID && (int)LEARNER_WEAK == (int)PAGE_WEAK &&
                   (int)LEARNER_NOT_MET == (int)PAGE_NOT_MET,
               "the strengths are the same in both");

static void put_rests(struct page *p, struct page_flow f, const struct lesson_ideas *all,
                      const struct lesson_idea *idea) {
    struct base_text t = {0};
    for (size_t i = 0; i < idea->rest_count; i++)
        base_text_printf(&t, "%s%s", i ? ", " : "rests on ", all->idea[idea->rests[i]].title);
    if (t.s) page_text(p, f, t.s);
    base_text_free(&t);
}

/* "**three stages** (1.3): weak, first try 62% likely right, 40% in 30 days", the caller's. */
static char *idea_words(const struct lesson_idea *idea, const struct learner_idea *known) {
    struct base_text t = {0};
    base_text_printf(&t, "**%s** (%s): %s", idea->title, idea->lesson,
                     page_strength_words((enum page_strength)known->strength));
    if (!isnan(known->today))
        base_text_printf(&t, ", first try %d%% likely right, %d%% in 30 days",
                         base_percent(known->today), base_percent(known->month));
    return base_text_take(&t);
}

static void put_idea(struct page *p, const struct lesson_ideas *all, size_t i,
                     const struct learner_idea *known, const struct learner_asks *asks) {
    const struct lesson_idea *idea = &all->idea[i];
    char *words = idea_words(idea, known);
    int row = page_height(p);
    page_markdown(p, (struct page_flow){.indent = 3}, words);
    if (!page_spoken(p)) page_strength_put(p, row, 1, (enum page_strength)known->strength);
    free(words);
    if (*known->slip) {
        char *slip = base_format("last slip: %s", known->slip);
        page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, slip);
        free(slip);
    }
    if (asks->due)
        page_printf(p, page_height(p), 3, PAGE_DIM, "%zu due: type %s%s", asks->due,
                    LEARNER_REVIEW_OF, idea->id);
    else if (asks->early)
        page_printf(p, page_height(p), 3, PAGE_DIM, "to review it now, type %s%s",
                    LEARNER_REVIEW_OF, idea->id);
    put_rests(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, all, idea);
}

static bool has_percentages(struct learner *who, const struct lesson_ideas *all) {
    for (size_t i = 0; i < all->count; i++)
        if (!isnan(session_learner_idea(who, &all->idea[i]).today)) return true;
    return false;
}

bool linear_map_draw(struct learner *who, struct page *p, struct base_message *m) {
    struct lesson_ideas all;
    struct learner_asks asks[LESSON_IDEAS_MOST];
    int phase = -1;
    if (!session_learner_map(who, &all, m)) return false;
    session_learner_ideas_due(who, &all, asks);
    if (has_percentages(who, &all)) {
        page_text(
            p, (struct page_flow){.role = PAGE_DIM},
            "A percentage estimates how likely your next first try at a new problem is right.");
        page_blank(p, 1);
    }
    for (size_t i = 0; i < all.count; i++) {
        struct learner_idea known = session_learner_idea(who, &all.idea[i]);
        if (all.idea[i].phase != phase) {
            phase = all.idea[i].phase;
            if (i > 0) page_blank(p, 1);
            page_printf(p, page_height(p), 1, PAGE_TITLE, page_spoken(p) ? "Phase %d: %s" : "%d %s",
                        phase + 1, all.column[phase]);
        }
        put_idea(p, &all, i, &known, &asks[i]);
    }
    lesson_ideas_free(&all);
    return true;
}
