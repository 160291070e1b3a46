/* A sheet written as a line of arithmetic: terms with the same elements and the same divisor are bracketed together. */
#include "account/problems/grounds.h"

static bool alike(const struct account_term *a, const struct account_term *b) {
    return a->elements == b->elements && a->sharded == b->sharded && a->group == b->group &&
           a->set == b->set;
}

static bool wanted(const struct account_sheet *s, size_t i, uint32_t mask) {
    return mask >> s->term[i].category & 1;
}

static bool is_first(const struct account_sheet *s, size_t i, uint32_t mask) {
    for (size_t j = 0; j < i; j++)
        if (wanted(s, j, mask) && alike(&s->term[j], &s->term[i])) return false;
    return true;
}

/* "2 B" or "(2 + 4 + 8) B" */
static void add_group(struct account_text *t, const struct account_sheet *s, size_t first,
                      uint32_t mask) {
    size_t members = 0;
    for (size_t i = first; i < s->terms; i++)
        members += wanted(s, i, mask) && alike(&s->term[i], &s->term[first]);
    const char *before = members > 1 ? "(" : "";
    for (size_t i = first; i < s->terms; i++) {
        if (!wanted(s, i, mask) || !alike(&s->term[i], &s->term[first])) continue;
        account_add(t, "%s", before);
        account_add_number(t, account_term_rate(&s->term[i]), 7);
        before = " + ";
    }
    account_add(t, members > 1 ? ") B" : " B");
}

static void add_groups(struct account_text *t, const struct account_sheet *s, uint32_t mask,
                       bool counts) {
    const char *before = "";
    for (size_t i = 0; i < s->terms; i++) {
        if (!wanted(s, i, mask) || !is_first(s, i, mask)) continue;
        account_add(t, "%s", before);
        add_group(t, s, i, mask);
        if (counts) {
            account_add(t, " × ");
            account_add_count(t, s->term[i].elements);
        }
        if (s->term[i].sharded) account_add(t, " ÷ %u", account_term_ranks(s, &s->term[i]));
        before = " + ";
    }
    if (!*before) account_add(t, "0 B");
}

void account_add_sheet(struct account_text *t, const struct account_sheet *s, uint32_t mask) {
    add_groups(t, s, mask, true);
}

void account_add_rates(struct account_text *t, const struct account_sheet *s, uint32_t mask) {
    add_groups(t, s, mask, false);
}
