/* verdict.c: what the words of a verdict count as. */
#include "lesson/verdict.h"

#include <string.h>

bool lesson_verdict_right(const char *verdict) {
    return strcmp(verdict, VERDICT_RIGHT) == 0 || strcmp(verdict, "rounded") == 0;
}

bool lesson_verdict_graded(const char *verdict) {
    return strcmp(verdict, VERDICT_UNREADABLE) != 0 && strcmp(verdict, VERDICT_NOTED) != 0;
}
