/* config: a Hugging Face config.json, read as a model. */
#ifndef COMMAND_CONFIG_H
#define COMMAND_CONFIG_H

#include "account/account.h"
#include "base/base.h"

/* Sets the training's shape and exact count from the file, and names no model. What would change
 * the count and is not understood is refused, as are architectures that are not known; the training
 * is then as it was. */
bool command_config_read(const char *file, struct account_training *t, struct base_message *m);

#endif
