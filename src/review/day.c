/* day.c: local days. They are counted by the calendar, not in steps of 24 hours, since a day on
 * which clocks change has 23 or 25 of them. */
#include "review/day.h"

#include <time.h>

/* Days since 1 January 1970 in the Gregorian calendar. Months count from March, so that a leap day
 * is the last day of its year. */
static int64_t days_from(int64_t year, int64_t month, int64_t day) {
    int64_t y = year - (month <= 2), m = (month + 9) % 12;
    int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * m + 2) / 5 + day - 1 -
           719468;
}

int64_t review_day(int64_t time, int rollover) {
    time_t t = (time_t)time;
    struct tm local = {0};
    if (!localtime_r(&t, &local)) return 0;
    int64_t day = days_from((int64_t)local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
    return day - (local.tm_hour < rollover);
}
