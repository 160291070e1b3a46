#include "account/tables.h"
#include "account/text.h"

const struct account_model *account_models(size_t *count) {
    *count = account_model_rows_count;
    return account_model_rows;
}

const struct account_card *account_cards(size_t *count) {
    *count = account_card_rows_count;
    return account_card_rows;
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
