/* days: the learner's days and weeks, as far as they are over by the clock of this moment. */
#include "session/inside.h"

#include <time.h>

int session_rollover(struct store *s) {
    int64_t hour;
    bool set = session_kept_count(s, SESSION_ROLLOVER, &hour);
    return set && hour < REVIEW_HOURS ? (int)hour : REVIEW_ROLLOVER;
}

int session_learner_rollover(struct learner *who) {
    return session_rollover(session_learner_store(who));
}

int64_t session_today(struct learner *who) {
    return review_day(base_now(), session_learner_rollover(who));
}

int64_t session_today_began(struct learner *who) {
    enum { HOUR = 3600 };
    int64_t late = (int64_t)session_learner_rollover(who) * HOUR;
    time_t then = (time_t)(base_now() - late);
    struct tm local = {0};
    localtime_r(&then, &local);
    local.tm_hour = local.tm_min = local.tm_sec = 0;
    local.tm_isdst = -1;
    return (int64_t)mktime(&local) + late;
}

char *session_today_name(int rollover) {
    enum { DAY = 86400 };
    char day[32] = "";
    time_t noon = (time_t)(review_day(base_now(), rollover) * DAY + DAY / 2);
    struct tm t = {0};
    if (gmtime_r(&noon, &t)) strftime(day, sizeof day, "%a %e %b", &t);
    return base_dup(day);
}

int64_t session_week(struct learner *who) {
    return review_week(session_today(who));
}

char *session_week_item(int64_t day, const char *what, const char *name) {
    return base_format("%s/%lld/%s", what, (long long)review_week(day), name);
}

char *session_day_name(int64_t days) {
    enum { WEEK = 7, DAY = 86400 };
    char day[16];
    time_t then = (time_t)(base_now() + days * DAY);
    struct tm local = {0};
    if (days >= WEEK) return base_format("%lld days from now", (long long)days);
    localtime_r(&then, &local);
    strftime(day, sizeof day, "%A", &local);
    return base_dup(days == 1 ? "tomorrow" : day);
}
