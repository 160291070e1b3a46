#include "account/training/tables.h"

/* What an optimizer remembers for each parameter.
 * adamw: two moments (Kingma and Ba, arXiv:1412.6980; Loshchilov and Hutter, arXiv:1711.05101).
 * adam8bit: the two as one byte each, and one fp32 scale a moment for each block of 256 (Dettmers et al., arXiv:2110.02861;
 *   bitsandbytes, optim/optimizer.py), so 2 + 2·4/256 = 2.03125 bytes. bitsandbytes leaves tensors under 4096 elements in fp32;
 *   that is under a thousandth of a model and is not counted.
 * adafactor: with beta1 = None, a row and a column of fp32 sums for each matrix (Shazeer and Stern, arXiv:1804.04235, section 3).
 * sgd-momentum, lion (Chen et al., arXiv:2302.06675), muon (Jordan et al., 2024): one moment. Muon's embeddings, head and norms
 *   are usually left to AdamW; the row counts its one momentum everywhere. */
const struct account_optimizer account_optimizers[] = {
    {"adamw",        "two moments a parameter",                                    "AdamW",             2, 0, 0, false},
    {"adam8bit",     "two 8-bit moments a parameter, an fp32 scale for every 256", "8-bit Adam",        2, 1,
     256,                                                                                                        false},
    {"adafactor",    "row and column sums of each matrix, no first moment",        "Adafactor",         0, 4, 0,
     true                                                                                                             },
    {"sgd-momentum", "one momentum a parameter",                                   "SGD with momentum", 1, 0, 0, false},
    {"lion",         "one momentum a parameter",                                   "Lion",              1, 0, 0, false},
    {"muon",         "one momentum a parameter",                                   "Muon",              1, 0, 0, false},
};
const size_t account_optimizer_count = sizeof account_optimizers / sizeof *account_optimizers;

const struct account_optimizer *account_optimizer_of(const struct account_training *t) {
    return &account_optimizers[t->optimizer < account_optimizer_count ? t->optimizer : 0];
}
