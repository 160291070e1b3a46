/* Whether a figure says a value, as honestly as its digits do. */
#include "memo.h"

#include <math.h>

enum { FULL_DIGITS = 3 };
static const double same = 0.005, hedged = 0.03, coarse = 0.1, widest = 0.25;

/* Within half of the last digit; of one or two digits only where that is not a tenth of it. */
static bool rounds_to(const struct memo_figure *f, double truth) {
    double off = fabs(f->low - truth);
    return off <= f->half && off <= coarse * truth;
}

static enum memo_match match_range(const struct memo_figure *f, double truth) {
    if (truth < f->low - f->half || truth > f->high + f->half) return MEMO_NO_MATCH;
    return f->high - f->low <= widest * truth ? MEMO_EXACTLY : MEMO_TOO_WIDE;
}

enum memo_match memo_match(const struct memo_figure *f, double truth) {
    if (f->range) return match_range(f, truth);
    double off = fabs(f->low - truth) / truth;
    if (off <= same) return MEMO_EXACTLY;
    if (f->bound == MEMO_AT_MOST && truth <= f->low && off <= widest) return MEMO_EXACTLY;
    if (f->bound == MEMO_AT_LEAST && truth >= f->low && off <= widest) return MEMO_EXACTLY;
    if (f->hedged && (off <= hedged || rounds_to(f, truth))) return MEMO_EXACTLY;
    if (!rounds_to(f, truth)) return MEMO_NO_MATCH;
    return f->digits >= FULL_DIGITS ? MEMO_EXACTLY : MEMO_ROUGHLY;
}
