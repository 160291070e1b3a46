/* What config's two files share: which architectures are known, and the file while it is read. */
#ifndef COMMAND_CONFIG_INSIDE_H
#define COMMAND_CONFIG_INSIDE_H

#include "command/config.h"

struct config;

/* A switch that changes which weights there are. */
struct config_switch {
    const char *key;
    bool needed;    /* the only value that is counted */
    bool otherwise; /* what the architecture takes where the file does not say */
};
enum { CONFIG_SWITCHES = 4 };

struct config_architecture {
    const char *type;   /* model_type */
    const char *class;  /* in architectures: the one with a language model's head */
    const char *family; /* of account_family_find() */
    bool tied;          /* where tie_word_embeddings is not said */
    bool wide;          /* an MLP of which nothing is said is four times as wide as the model */
    bool
        says_kv_heads; /* where they are not said, the architecture's own number holds, and not that of the heads */
    bool says_head_size;
    bool positions; /* has a table of positions: as long as the context, which must be said */
    const char
        *expert_ffn; /* the key of an expert's width; NULL if the architecture has no experts */
    struct config_switch of[CONFIG_SWITCHES];
    bool (*finish)(struct config *c); /* what is this architecture's alone; NULL if nothing is */
};
extern const struct config_architecture command_config_architectures[];
extern const size_t command_config_architecture_count;

/* A file while it is read. */
struct config {
    const char *file;
    const json_t *json;
    const struct config_architecture *architecture;
    struct account_shape shape;
    struct base_message *message;
};
enum { CONFIG_KEYS = 4 };
struct config_number {
    const char *key[CONFIG_KEYS]; /* the first is what messages name */
    uint32_t most;
};

/* A member that is neither absent nor null. */
const json_t *command_config_member(const struct config *c, const char *key);
bool command_config_has(const struct config *c, const struct config_number *n);
/* A whole number from 1 to the most it may be; false after the message was filled. */
bool command_config_take(const struct config *c, const struct config_number *n, uint32_t *out);
/* The same; what is absent is `otherwise`. */
bool command_config_take_or(const struct config *c, const struct config_number *n,
                            uint32_t otherwise, uint32_t *out);
/* True, false, or `otherwise` where absent; false after the message was filled. */
bool command_config_take_switch(const struct config *c, const char *key, bool otherwise, bool *out);

#endif
