/* Shares of the card and of the step, "78 % of the card", and the tokens of a step: numbers without a unit of their own that say something the
 * engine knows. */
#include "memo_around.h"

#include <math.h>
#include <string.h>

struct share {
    struct memo *m;
    size_t block, at, end; /* the number, and what follows it */
    struct memo_range sentence;
    struct account_training training;
};

/* Of what the sentence says last before the number, else first after it; NULL: nothing. */
static const struct memo_mention *said(const struct share *s, enum memo_says says) {
    const struct memo *m = s->m;
    const struct memo_mention *found = NULL;
    for (size_t k = memo_mention_from(m, s->sentence.first);
         k < m->mentions && m->mention[k].first < s->sentence.end; k++) {
        if (m->mention[k].says != says) continue;
        if (found && m->mention[k].first > s->at) break;
        found = &m->mention[k];
    }
    return found;
}

/* The decision, as the sentence changes it; false where that leaves doubt. */
static bool settle(struct share *s) {
    static const enum memo_says open[] = {MEMO_KEEPS, MEMO_RECIPE,  MEMO_CARD,     MEMO_OVER,
                                          MEMO_WIDE,  MEMO_OFFLOAD, MEMO_CONDITION};
    static const struct {
        enum memo_says says;
        size_t offset;
    } counts[] = {
        {MEMO_GPUS,     offsetof(struct account_training, gpus)      },
        {MEMO_BATCH,    offsetof(struct account_training, batch)     },
        {MEMO_ROUNDS,   offsetof(struct account_training, accumulate)},
        {MEMO_SEQUENCE, offsetof(struct account_training, seq)       },
    };
    static const enum memo_says staged = MEMO_STAGE;
    const struct memo_mention *stage = said(s, MEMO_STAGE);
    if (!stage) stage = memo_over(s->m, &s->m->block[s->block], memo_mention_says, &staged);
    s->training = s->m->report->chosen;
    if (stage) s->training.stage = (uint8_t)stage->value;
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        const struct memo_mention *x = said(s, counts[i].says);
        uint32_t value = x && x->value >= 1 && x->value <= 1e6 ? (uint32_t)x->value : 0;
        if (value) memcpy((char *)&s->training + counts[i].offset, &value, sizeof value);
    }
    for (size_t i = 0; i < BASE_COUNT(open); i++)
        if (memo_says(s->m, s->sentence, open[i])) return false;
    return true;
}

static struct study_memo_finding *put(const struct share *s, enum study_memo_kind kind) {
    struct study_memo_finding *f =
        memo_find(s->m, kind, s->block, (struct memo_range){s->at, s->end});
    const struct memo_token *first = &s->m->text.token[s->at],
                            *last = &s->m->text.token[s->end - 1];
    snprintf(f->figure, sizeof f->figure, "%.*s", (int)(last->start + last->length - first->start),
             s->m->text.raw + first->start);
    return f;
}

/* "A step takes 1.55 s: two thirds of it" */
static bool is_after_step(const struct share *s) {
    const struct memo *m = s->m;
    struct memo_range r = memo_sentence(m, &m->block[s->block], s->at);
    size_t k = memo_mention_from(m, s->at);
    while (k > 0 && (m->mention[k - 1].says != MEMO_ABOUT || m->mention[k - 1].end > s->at)) k--;
    const struct memo_mention *x = k ? &m->mention[k - 1] : NULL;
    return x && x->first >= r.first && (enum memo_what)x->value == MEMO_STEP;
}

/* ── percent ─────────────────────────────────────────────────────────────────────────────────────*/
enum whole { NO_WHOLE, CARD, STEP };
static enum whole whole_after(const struct share *s) {
    static const struct {
        const char *phrase;
        enum whole whole;
    } rows[] = {
        {"of the card",      CARD},
        {"of the gpu",       CARD},
        {"of a gpu",         CARD},
        {"of gpu memory",    CARD},
        {"of the memory",    CARD},
        {"of the usable",    CARD},
        {"of usable",        CARD},
        {"of capacity",      CARD},
        {"of the capacity",  CARD},
        {"of each card",     CARD},
        {"full",             CARD},
        {"of the step",      STEP},
        {"of a step",        STEP},
        {"of step time",     STEP},
        {"of each step",     STEP},
        {"of the iteration", STEP},
    };
    static const char *const it[] = {"of it", "of that", "of this", NULL};
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        if (memo_is_phrase(&s->m->text, s->end, rows[i].phrase)) return rows[i].whole;
    return memo_is_any(&s->m->text, s->end, it) && is_after_step(s) ? STEP : NO_WHOLE;
}

static bool is_part_of(enum memo_what what, enum whole whole) {
    if (whole == CARD)
        return what >= MEMO_STATES && what <= MEMO_SPARE && what != MEMO_USABLE &&
               what != MEMO_LABEL;
    return (what >= MEMO_SENT && what <= MEMO_REDUCES) ||
           (what >= MEMO_COMM && what <= MEMO_UPDATE);
}

/* "leaves 22 % of the card", "22 % of the card free" */
static bool is_left(const struct share *s) {
    enum { BEFORE = 2, AFTER = 6 };
    static const char *const leaves[] = {"leave", "leaves", "leaving", NULL};
    const struct memo *m = s->m;
    for (size_t n = 1; n <= BEFORE && s->sentence.first + n <= s->at; n++)
        if (memo_is_any(&m->text, s->at - n, leaves)) return true;
    for (size_t k = memo_mention_from(m, s->end); k < m->mentions; k++) {
        const struct memo_mention *x = &m->mention[k];
        bool near = x->first < s->end + AFTER && x->first < s->sentence.end;
        if (!near || memo_is_mark(&m->text, x->first - 1, ',')) return false;
        if (x->says == MEMO_ABOUT && x->value == MEMO_SPARE) return true;
    }
    return false;
}

/* What the share is of: the last thing said before it that can be a part of the whole. */
static enum memo_what part_of(const struct share *s, enum whole whole) {
    enum memo_what found = MEMO_NOTHING;
    if (whole == CARD && is_left(s)) return MEMO_SPARE;
    for (size_t k = memo_mention_from(s->m, s->sentence.first);
         k < s->m->mentions && s->m->mention[k].end <= s->at; k++) {
        const struct memo_mention *x = &s->m->mention[k];
        enum memo_what what = x->says == MEMO_ABOUT ? (enum memo_what)x->value : MEMO_NOTHING;
        if (is_part_of(what, whole))
            found = what >= MEMO_SENT && what <= MEMO_REDUCES ? MEMO_COMM : what;
    }
    return found;
}

static double size_of(const struct share *s, enum whole whole) {
    double value[MEMO_VALUES];
    enum memo_what what = whole == CARD ? MEMO_USABLE : MEMO_STEP;
    return memo_values(s->m, what, &s->training, value) ? value[0] : 0;
}

static void judge_percent(const struct share *s, enum whole whole, bool sure) {
    static const double rough = 0.011;
    const struct memo_token *t = &s->m->text.token[s->at];
    enum memo_what part = part_of(s, whole);
    bool named = part != MEMO_NOTHING;
    double value[MEMO_VALUES], all = size_of(s, whole), share = t->value / 100;
    if (!named && whole == STEP) return;
    if (!named) part = MEMO_PEAK;
    size_t n = memo_values(s->m, part, &s->training, value);
    if (!n || all <= 0) return;
    double exposed[MEMO_VALUES]; /* what is left of communication once the rest is hidden */
    size_t k = part == MEMO_COMM ? memo_values(s->m, MEMO_EXPOSED, &s->training, exposed) : 0;
    bool holds = false;
    for (size_t i = 0; i < n; i++) holds |= fabs(value[i] / all - share) <= rough;
    for (size_t i = 0; i < k; i++) holds |= fabs(exposed[i] / all - share) <= rough;
    struct study_memo_finding *f = put(s, holds           ? STUDY_MEMO_RIGHT
                                          : sure && named ? STUDY_MEMO_WRONG
                                                          : STUDY_MEMO_UNSUPPORTED);
    memo_say(f, "%s: %.3g %% of %s", memo_what_name(part), 100 * value[0] / all,
             whole == CARD ? "usable memory" : "the step");
}

/* "within 5 %", "± 5 %", "5–10 %": no share of anything. */
static bool is_margin(const struct share *s) {
    static const char *const words[] = {"within", "by", "than", "every", NULL};
    static const char *const other[] = {"mfu", "arithmetic", "flops", "fragmentation", NULL};
    const struct memo_text *t = &s->m->text;
    if (s->at == s->sentence.first) return false;
    bool mark = t->token[s->at - 1].kind == MEMO_MARK && t->token[s->at - 1].mark != ':' &&
                t->token[s->at - 1].mark != '(' && t->token[s->at - 1].mark != ',' &&
                t->token[s->at - 1].mark != '~' && t->token[s->at - 1].mark != 0x2248;
    return mark || memo_has_any(s->m, (struct memo_range){s->at - 1, s->at}, words) ||
           memo_has_any(s->m, s->sentence, other);
}

static void read_percent(struct share *s) {
    const struct memo_text *t = &s->m->text;
    bool percent = memo_is_mark(t, s->at + 1, '%') || memo_is_phrase(t, s->at + 1, "percent");
    if (!percent) return;
    s->sentence = memo_sentence(s->m, &s->m->block[s->block], s->at);
    s->end = s->at + 2;
    enum whole whole = whole_after(s);
    if (whole == NO_WHOLE || is_margin(s)) return;
    bool sure = settle(s);
    judge_percent(s, whole, sure);
}

/* ── "half of the step is communication" ─────────────────────────────────────────────────────────*/
/* What stands at once after it. */
static enum memo_what part_after(const struct share *s, size_t i) {
    static const char *const passed[] = {"is", "goes", "to",  "into", "spent",
                                         "on", "in",   "the", NULL};
    enum { MOST = 4 };
    const struct memo *m = s->m;
    if (!memo_is_phrase(&m->text, i, "is") && !memo_is_phrase(&m->text, i, "goes"))
        return MEMO_NOTHING;
    for (size_t n = 0; n < MOST && memo_is_any(&m->text, i, passed); n++) i++;
    size_t k = memo_mention_from(m, i);
    const struct memo_mention *x = k < m->mentions ? &m->mention[k] : NULL;
    if (!x || x->first != i || x->says != MEMO_ABOUT || x->end < s->sentence.end)
        return MEMO_NOTHING; /* "is communication and the update" */
    enum memo_what what = (enum memo_what)x->value;
    if (!is_part_of(what, STEP)) return MEMO_NOTHING;
    return what >= MEMO_SENT && what <= MEMO_REDUCES ? MEMO_COMM : what;
}

/* How far the nearest of its values is off. */
static double off_by(const struct share *s, enum memo_what part, double share, double *first) {
    double value[MEMO_VALUES], exposed[MEMO_VALUES], all = size_of(s, STEP), off = HUGE_VAL;
    size_t n = all > 0 ? memo_values(s->m, part, &s->training, value) : 0;
    size_t k = n && part == MEMO_COMM ? memo_values(s->m, MEMO_EXPOSED, &s->training, exposed) : 0;
    for (size_t i = 0; i < n; i++) off = fmin(off, fabs(value[i] / all - share));
    for (size_t i = 0; i < k; i++) off = fmin(off, fabs(exposed[i] / all - share));
    *first = n ? value[0] / all : 0;
    return off;
}

/* "Communication is about", "exposed communication takes": what begins the sentence, and stands right before the share. */
static enum memo_what part_before(const struct share *s) {
    static const char *const passed[] = {"is",      "are",    "takes",  "take", "makes",
                                         "make",    "up",     "about",  "some", "roughly",
                                         "only",    "nearly", "almost", "eats", "costs",
                                         "another", "still",  "around", NULL};
    const struct memo *m = s->m;
    size_t i = s->at;
    while (i > s->sentence.first && memo_is_any(&m->text, i - 1, passed)) i--;
    size_t first = s->sentence.first + (memo_is_phrase(&m->text, s->sentence.first, "the") ? 1 : 0);
    size_t k = memo_mention_from(m, first);
    const struct memo_mention *x = k < m->mentions ? &m->mention[k] : NULL;
    if (!x || i == s->at || x->first != first || x->end != i || x->says != MEMO_ABOUT)
        return MEMO_NOTHING;
    enum memo_what what = (enum memo_what)x->value;
    if (!is_part_of(what, STEP)) return MEMO_NOTHING;
    return what >= MEMO_SENT && what <= MEMO_REDUCES ? MEMO_COMM : what;
}

/* "half of the step without overlap" says more than that. */
static bool is_last(const struct share *s) {
    const struct memo_text *t = &s->m->text;
    enum { REACH = 4 };
    size_t i = s->end;
    while (i < s->sentence.end && i < s->end + REACH && t->token[i].kind == MEMO_WORD) i++;
    return i >= s->sentence.end || memo_is_mark(t, i, ',');
}

static enum memo_what part_beside(const struct share *s) {
    size_t after = s->end;
    while (after < s->sentence.end && !memo_is_phrase(&s->m->text, after, "is") &&
           !memo_is_phrase(&s->m->text, after, "goes") && after < s->end + 4)
        after++;
    enum memo_what part = part_after(s, after);
    return part != MEMO_NOTHING || !is_last(s) ? part : part_before(s);
}

static double fraction_at(struct share *s) {
    static const struct {
        const char *phrase;
        double share;
    } rows[] = {
        {"half",       0.5   },
        {"a third",    1. / 3},
        {"1 third",    1. / 3},
        {"2 thirds",   2. / 3},
        {"a quarter",  0.25  },
        {"1 quarter",  0.25  },
        {"3 quarters", 0.75  },
        {"a fifth",    0.2   },
        {"1 fifth",    0.2   },
        {"4 fifths",   0.8   },
        {"a sixth",    1. / 6},
        {"1 sixth",    1. / 6},
        {"an eighth",  0.125 },
        {"a tenth",    0.1   },
        {"1 tenth",    0.1   },
        {"9 tenths",   0.9   },
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        size_t n = memo_is_phrase(&s->m->text, s->at, rows[i].phrase);
        s->end = s->at + n;
        if (n) return rows[i].share;
    }
    return 0;
}

/* Asked of every token, so the cheap question comes first. */
static bool may_be_fraction(const struct memo_text *t, size_t i) {
    static const char *const first[] = {"half", "a", "an", NULL};
    return t->token[i].kind == MEMO_NUMBER || memo_is_any(t, i, first);
}

/* A word for a share is no number: it holds of what is near it, and is called wrong only of what is far from it. */
static void read_fraction(struct share *s) {
    static const double widest = 0.1, relative = 0.4, farthest = 0.15;
    static const char *const than[] = {"than", "not", NULL};
    double share = fraction_at(s), first = 0;
    double near = fmin(widest, relative * share), far = fmin(farthest, 2 * near);
    if (share <= 0 || whole_after(s) != STEP) return;
    s->sentence = memo_sentence(s->m, &s->m->block[s->block], s->at);
    bool denied = s->at > s->sentence.first && memo_is_any(&s->m->text, s->at - 1, than);
    if (denied || memo_is_quoted(s->m, s->at)) return;
    enum memo_what part = part_beside(s);
    bool sure = settle(s);
    double off = part != MEMO_NOTHING ? off_by(s, part, share, &first) : HUGE_VAL;
    if (s->m->efficiency > 0 && off <= 1) { /* as the memo assumes it */
        double assumed;
        s->training.efficiency = s->m->efficiency;
        off = fmin(off, off_by(s, part, share, &assumed));
    }
    if (off > 1 || (off > near && (off < far || !sure))) return;
    struct study_memo_finding *f = put(s, off <= near ? STUDY_MEMO_RIGHT : STUDY_MEMO_WRONG);
    memo_say(f, "%s: %.3g %% of the step", memo_what_name(part), 100 * first);
}

/* ── tokens of a step ────────────────────────────────────────────────────────────────────────────*/
static void read_tokens(struct share *s) {
    static const double most = 1e8;
    static const char *const steps[] = {
        "per step",     "a step",         "each step",    "every step",
        "step process", "step processes", "global batch", NULL};
    static const char *const parts[] = {"micro", "sequence", "per gpu",    "each gpu",
                                        "a gpu", "rank",     "microbatch", NULL};
    const struct memo_text *t = &s->m->text;
    double said_tokens = t->token[s->at].value;
    struct memo_unit unit;
    if (!memo_is_phrase(t, s->at + 1, "token") || memo_unit_at(s->m, s->at + 1, &unit)) return;
    s->sentence = memo_sentence(s->m, &s->m->block[s->block], s->at);
    static const char *const rates[] = {"minute", "hour", "day", "second", NULL};
    bool rate = memo_has_any(s->m, (struct memo_range){s->at + 2, s->at + 4}, rates);
    if (said_tokens > most || rate || !memo_has_any(s->m, s->sentence, steps)) return;
    s->end = s->at + 2;
    bool sure = settle(s);
    const struct account_training *a = &s->training;
    double micro = (double)a->batch * a->seq, all = micro * a->gpus * a->accumulate;
    const double truths[] = {all, micro * a->accumulate, micro, a->seq};
    bool part = memo_has_any(s->m, s->sentence, parts), holds = false;
    for (size_t i = 0; i < (part ? BASE_COUNT(truths) : 1); i++)
        holds |= fabs(said_tokens / truths[i] - 1) <= 0.005;
    struct study_memo_finding *f = put(s, holds  ? STUDY_MEMO_RIGHT
                                          : sure ? STUDY_MEMO_WRONG
                                                 : STUDY_MEMO_UNSUPPORTED);
    memo_say(f, "a step has %.0f tokens: %u GPUs × %u sequences × %u tokens", all, a->gpus,
             a->batch * a->accumulate, a->seq);
}

void memo_judge_shares(struct memo *m) {
    if (!m->report->decided) return;
    for (size_t b = 0; b < m->blocks; b++) {
        struct share s = {.m = m, .block = b};
        if (m->block[b].cell || m->block[b].is_heading) continue;
        for (s.at = m->block[b].tokens.first; s.at + 1 < m->block[b].tokens.end; s.at++) {
            if (may_be_fraction(&m->text, s.at)) read_fraction(&s);
            if (m->text.token[s.at].kind != MEMO_NUMBER) continue;
            read_percent(&s);
            read_tokens(&s);
        }
    }
}
