/* Phrases before and behind a number that do not change what it says. */
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Behind the first of these phrases that stands at `s`, or NULL. */
static const char *skip_one(const char *s, const char *const *phrases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *end = account_skip_phrase(s, phrases[i]);
        if (end) return end;
    }
    return NULL;
}

/* ── before it ─────────────────────────────────────────────────────────────────────────────────*/

/* Signs that say "now it comes", and the colon behind "answer:". */
static const char *skip_sign(const char *s) {
    static const char *const signs[] = {"=", "~", "≈", ":", ",", "#"};
    for (size_t i = 0; i < COUNT(signs); i++)
        if (strncmp(s, signs[i], strlen(signs[i])) == 0) return s + strlen(signs[i]);
    return NULL;
}

static const char *skip_word(const char *s) {
    static const char *const words[] = {
        "it's",      "that's",     "i'd",       "it",       "that",
        "this",      "is",         "are",       "they",     "the",
        "a",         "an",         "answer",    "result",   "total",
        "sum",       "so",         "i",         "we",       "you",
        "get",       "got",        "have",      "has",      "think",
        "say",       "guess",      "would",     "will",     "should",
        "be",        "makes",      "gives",     "comes",    "to",
        "about",     "around",     "roughly",   "approx",   "approximately",
        "circa",     "ca",         "nearly",    "almost",   "exactly",
        "precisely", "just",       "only",      "some",     "maybe",
        "perhaps",   "hence",      "therefore", "at least", "at most",
        "up to",     "in all",     "in total",  "each",     "every",
        "gpu",       "rank",       "card",      "node",     "keeps",
        "holds",     "needs",      "takes",     "sends",    "receives",
        "stores",    "altogether", "stays",     "stay",     "there",
        "must",      "it'll",      "its",       "element",  "index",
        "number",    "begins",     "starts",    "at",       "from"};
    const char *end = skip_one(s, words, COUNT(words));
    return end && *end == '.' ? end + 1 : end; /* "ca." */
}

const char *account_skip_opening(const char *s) {
    const char *next;
    s = account_skip(s);
    while ((next = skip_sign(s)) || (next = skip_word(s))) s = account_skip(next);
    return s;
}

/* ── behind it ─────────────────────────────────────────────────────────────────────────────────*/

/* "per GPU", "on each rank", "/ step" */
static const char *skip_per(const char *s) {
    static const char *const per[] = {"per",       "a",        "an",      "each",     "every",
                                      "on each",   "on every", "on one",  "on a",     "for each",
                                      "for every", "for one",  "in each", "in every", "in one",
                                      "in a",      "by each",  "of each", "from each"};
    static const char *const things[] = {
        "GPU",       "rank",        "card",  "device", "worker",     "process",
        "node",      "machine",     "host",  "server", "step",       "optimizer step",
        "iteration", "micro-batch", "layer", "block",  "microbatch", "training step"};
    const char *end = *s == '/' ? s + 1 : skip_one(s, per, COUNT(per));
    return end ? skip_one(account_skip(end), things, COUNT(things)) : NULL;
}

static const char *skip_of(const char *s) {
    static const char *const of[] = {
        "of memory",      "of GPU memory", "of host memory", "of model states",
        "of model state", "of the states", "of states",      "of weights",
        "of parameters",  "of gradients",  "of activations", "of logits",
        "of traffic",     "of data",       "of transfers",   "of optimizer states"};
    return skip_one(s, of, COUNT(of));
}

static const char *skip_remark(const char *s) {
    static const char *const remarks[] = {
        "each",         "in total", "in all",  "total",   "together",     "altogether",
        "all together", "overall",  "or so",   "or more", "at least",     "at most",
        "i think",      "i guess",  "roughly", "approx",  "approximately"};
    return skip_one(s, remarks, COUNT(remarks));
}

/* One of them, with or without parentheses around it. */
static const char *skip_one_tail(const char *s) {
    bool open = *s == '(';
    const char *at = account_skip(*s == '(' || *s == ',' ? s + 1 : s), *end = skip_per(at);
    if (!end) end = skip_of(at);
    if (!end) end = skip_remark(at);
    if (!end || !open) return end;
    end = account_skip(end);
    return *end == ')' ? end + 1 : NULL;
}

const char *account_skip_tail(const char *s) {
    for (const char *end; (end = skip_one_tail(account_skip(s)));) s = end;
    return s;
}
