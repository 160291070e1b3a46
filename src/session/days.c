/* days: the learner's days and weeks, as far as they are over by the clock of this moment. */
#include "session/inside.h"

int session_learner_rollover(struct learner *who) {
    int64_t hour;
    bool set = session_learner_count(who, SESSION_ROLLOVER, &hour);
    return set && hour < REVIEW_HOURS ? (int)hour : REVIEW_ROLLOVER;
}

int64_t session_today(struct learner *who) {
    return review_day(base_now(), session_learner_rollover(who));
}

int64_t session_week(struct learner *who) {
    return review_week(session_today(who));
}

char *session_week_item(struct learner *who, const char *what, const char *name) {
    return base_format("%s/%lld/%s", what, (long long)session_week(who), name);
}
