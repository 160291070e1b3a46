/* What people write around a number: "it is … per GPU". None of it changes what the number says. */
#ifndef ACCOUNT_PHRASES_H
#define ACCOUNT_PHRASES_H

/* Where the number begins: behind "= ", "~", "about", "the answer is", "each GPU keeps". */
const char *account_skip_opening(const char *s);
/* Behind "per GPU", "/rank", "each", "in all", "of memory", "(per step)"; `s` itself if none of
 * these stands there. */
const char *account_skip_tail(const char *s);

#endif
