/* The catalogues, and a row of them by its name or another name for it. */
#include "account/training/tables.h"
#include "account/numbers/text.h"

#include <string.h>

const struct account_model *account_models(size_t *count) {
    *count = account_model_rows_count;
    return account_model_rows;
}

const struct account_card *account_cards(size_t *count) {
    *count = account_card_rows_count;
    return account_card_rows;
}

const struct account_link *account_links(size_t *count) {
    *count = account_link_rows_count;
    return account_link_rows;
}

static const char *real_name(const struct account_alias *aliases, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (account_same(aliases[i].alias, name)) return aliases[i].name;
    return name;
}

const struct account_model *account_model_find(const char *name) {
    name = real_name(account_model_aliases, account_model_aliases_count, name);
    for (size_t i = 0; i < account_model_rows_count; i++)
        if (account_same(account_model_rows[i].name, name)) return &account_model_rows[i];
    return NULL;
}

const struct account_card *account_card_find(const char *name) {
    name = real_name(account_card_aliases, account_card_aliases_count, name);
    for (size_t i = 0; i < account_card_rows_count; i++)
        if (account_same(account_card_rows[i].name, name)) return &account_card_rows[i];
    return NULL;
}

const struct account_link *account_link_find(const char *name) {
    name = real_name(account_link_aliases, account_link_aliases_count, name);
    for (size_t i = 0; i < account_link_rows_count; i++)
        if (account_same(account_link_rows[i].name, name)) return &account_link_rows[i];
    return NULL;
}

/* The first row wins: the catalogue lists a card's usual machine before others. */
const struct account_node *account_node_of(const struct account_card *card) {
    if (!card) return NULL;
    for (size_t i = 0; i < account_node_rows_count; i++)
        if (strcmp(account_node_rows[i].card, card->name) == 0) return &account_node_rows[i];
    return NULL;
}
