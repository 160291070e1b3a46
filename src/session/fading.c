/* fading: how well single things that come back today are remembered, and what the one that a
 * review asks rests on. */
#include "session/inside.h"

#include <math.h>
#include <string.h>

static struct learner_fading fading_of(struct learner *who, size_t thing) {
    const struct learner_reviews *r = session_learner_reviews(who);
    const struct review_thing *t = &r->deck.thing[thing];
    const struct review_memory *m = review_record_find(r->record, t->item);
    struct learner_fading f = {
        .title = r->deck.title[thing], .lesson = t->lesson, .recall = (double)NAN};
    if (m && m->reviews > 0) f.recall = session_memory_recall(who, m);
    return f;
}

size_t session_learner_fading(struct learner *who,
                              void (*each)(void *to, const struct learner_fading *f), void *to) {
    struct review_pick pick[REVIEW_DAY_MOST];
    size_t count = session_reviews_choose(who, pick);
    for (size_t i = 0; i < count; i++) {
        struct learner_fading f = fading_of(who, pick[i].thing);
        each(to, &f);
    }
    return count;
}

/* Its place in the deck; the deck's count if it is not there. */
static size_t find_thing(const struct learner_deck *d, const char *item) {
    size_t i = 0;
    while (i < d->count && strcmp(d->thing[i].item, item) != 0) i++;
    return i;
}

void session_question_rests(const struct session *s,
                            void (*each)(void *to, const char *title, struct learner_idea idea),
                            void *to) {
    if (!session_is_review(s)) return;
    struct learner *who = session_learner(s);
    const struct learner_deck *d = &session_learner_reviews(who)->deck;
    size_t thing = find_thing(d, lesson_where(session_dialogue(s)));
    struct lesson_ideas all = {0};
    if (thing < d->count && session_learner_map(who, &all, NULL)) {
        size_t i = 0;
        while (i < all.count && !session_is_about(d, &all.idea[i], &d->thing[thing])) i++;
        for (size_t k = 0; i < all.count && k < all.idea[i].rest_count; k++) {
            const struct lesson_idea *below = &all.idea[all.idea[i].rests[k]];
            each(to, below->title, session_learner_idea(who, below));
        }
    }
    lesson_ideas_free(&all);
}
