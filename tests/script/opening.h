/* opening: lessons from text, for the tests of this module. */
#ifndef TESTS_SCRIPT_OPENING_H
#define TESTS_SCRIPT_OPENING_H

#include "script/script.h"

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A lesson that must open; fails the test with the message if it does not. */
struct script *opening_good(const char *text);
/* Its function `fn`, called with `seed`; must give a value, the caller's. */
json_t *opening_call(struct script *s, int fn, uint64_t seed);
/* A lesson with one problem, whose vary has this body. */
char *opening_with_vary(const char *form, const char *body);
/* How many descriptors this process has open. */
int opening_descriptors(void);
/* The one child of this process that runs, a script's worker; 0 if there is none. */
int opening_worker(void);
/* Whether this process has no children, dead or alive. */
bool opening_childless(void);

#endif
