/* The recipe a memo names: "DeepSpeed 0.14", "PyTorch FSDP", "Megatron-LM", "the ZeRO paper". */
#include "memo.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *word, *recipe; /* the longer stands before one that it holds */
} names[] = {
    {"fsdp2",       "fsdp2"    },
    {"fsdp 2",      "fsdp2"    },
    {"fully_shard", "fsdp2"    },
    {"fsdp",        "fsdp1"    },
    {"deepspeed",   "deepspeed"},
    {"deep speed",  "deepspeed"},
    {"megatron",    "megatron" },
    {"zero paper",  "paper"    },
    {"paper",       "paper"    },
};

/* `words` is in lower case. */
static bool is_word(const char *words, const char *word) {
    const char *at = strstr(words, word);
    return at && (at == words || !isalnum((unsigned char)at[-1]));
}

bool memo_recipe_named(const char *words, uint8_t *recipe) {
    struct account_row rows[16];
    struct account_training t = account_training_default();
    size_t count = account_recipes_list(rows, BASE_COUNT(rows));
    const char *name = NULL;
    for (size_t i = 0; i < BASE_COUNT(names) && !name; i++)
        if (is_word(words, names[i].word)) name = names[i].recipe;
    for (size_t i = 0; i < count && !name; i++)
        if (is_word(words, rows[i].name)) name = rows[i].name;
    if (!name || !account_set(&t, "recipe", name, NULL)) return false;
    *recipe = t.recipe;
    return true;
}

const char *memo_recipe_list(char *out, size_t size) {
    struct account_row rows[16];
    size_t count = account_recipes_list(rows, BASE_COUNT(rows)), n = 0;
    *out = '\0';
    for (size_t i = 0; i < count && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "", rows[i].name);
    return out;
}
