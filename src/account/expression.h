/* Expressions as learners type them. */
#ifndef ACCOUNT_EXPRESSION_H
#define ACCOUNT_EXPRESSION_H

#include "account/account.h"

/* How a B right behind a number is read: 13B is thirteen billion unless bytes must have been meant. */
enum account_b { ACCOUNT_B_BILLION, ACCOUNT_B_BYTE };
bool account_read_expression(const char *text, enum account_b b, struct account_reading *out,
                             struct account_error *e);

#endif
