/* What figures say in words: amounts, and what things are called. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *page_seconds(double seconds) {
    char out[32];
    account_print(out, sizeof out, seconds, seconds < 1 ? ACCOUNT_UNIT_MS : ACCOUNT_UNIT_SECONDS,
                  3);
    return base_dup(out);
}

char *page_rate(double rate) {
    char out[32];
    account_print(out, sizeof out, rate, ACCOUNT_UNIT_GB_PER_S, 4);
    return base_dup(out);
}

char *page_bytes(double bytes) {
    char out[32];
    account_print_bytes(out, sizeof out, bytes);
    return base_dup(out);
}

char *page_count(double count) {
    char out[32];
    account_print_count(out, sizeof out, count);
    return base_dup(out);
}

char *page_tokens(double count) {
    char digits[32];
    struct base_text out = {0};
    int n = snprintf(digits, sizeof digits, "%.0f", fmin(count, 1e18));
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) base_text_puts(&out, "\u00a0");
        base_text_add(&out, &digits[i], 1);
    }
    return base_text_take(&out);
}

/* The part of the title before its memory: "NVIDIA A100 80GB SXM" is "A100". */
char *page_card_name(const struct account_card *card) {
    static const char *const makers[] = {"NVIDIA ", "AMD ", "Nvidia "};
    const char *title = card->title;
    for (size_t i = 0; i < BASE_COUNT(makers); i++)
        if (!strncmp(title, makers[i], strlen(makers[i]))) title += strlen(makers[i]);
    char *name = base_dup(title);
    for (char *at = strchr(name, ' '); at; at = strchr(at + 1, ' ')) {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits && at[1 + digits] == 'G') {
            at[at[-1] == ',' ? -1 : 0] = '\0';
            break;
        }
    }
    return name;
}

char *page_model_name(const struct account_training *t) {
    char out[32];
    if (t->model && t->model->params == t->params) return base_dup(t->model->title);
    return base_format("%s parameters", account_print_count(out, sizeof out, (double)t->params));
}
