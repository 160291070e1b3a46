/* What a card really gives: the label, the driver's total and PyTorch's differ. The figures and
 * their sources are in data/hardware.json. */
#include "account/numbers/text.h"
#include "account/training/catalogue.h"

uint64_t account_card_bytes_by(const struct account_card *card, enum account_reporter by) {
    const uint64_t bytes[ACCOUNT_REPORTERS] = {card->torch_bytes, card->driver_bytes,
                                               card->label_bytes};
    return by < ACCOUNT_REPORTERS ? bytes[by] : 0;
}

enum account_reporter account_card_reporter(const struct account_card *card) {
    enum account_reporter by = ACCOUNT_BY_TORCH;
    while (by < ACCOUNT_BY_LABEL && !account_card_bytes_by(card, by)) by++;
    return by;
}

uint64_t account_card_bytes(const struct account_card *card) {
    return account_card_bytes_by(card, account_card_reporter(card));
}

const char *account_reporter_name(enum account_reporter by) {
    static const char *const names[] = {"PyTorch reports", "the driver reports", "the label says"};
    return names[by < ACCOUNT_REPORTERS ? by : ACCOUNT_BY_LABEL];
}

static const double binary = 1 << 30;

static void add_report(struct account_text *out, const char *who, uint64_t bytes) {
    account_add(out, "%s reports ", who);
    account_add_bytes(out, (double)bytes);
    account_add(out, " (");
    account_add_value(out, (double)bytes, ACCOUNT_UNIT_GIB, 4);
    account_add(out, ")");
}

const char *account_card_explain(const struct account_card *card, char *out, size_t size) {
    struct account_text t = account_text(out, size);
    double label = (double)card->label_bytes / 1e9;
    bool binary_label = (double)card->driver_bytes == label * binary;
    account_add(&t, "The label's %s GB ", account_number(&t, label).text);
    if (binary_label) {
        account_add(&t, "means %s GiB, which is ", account_number(&t, label).text);
        account_add_bytes(&t, (double)card->driver_bytes);
    } else if (card->driver_bytes) {
        account_add(&t, "is rounded: ");
        add_report(&t, "the driver", card->driver_bytes);
    } else {
        account_add(&t, "is all that is known of it");
    }
    account_add(&t, ".");
    if (!card->torch_bytes) return out;
    add_report(&t, " PyTorch", card->torch_bytes);
    account_add(&t, ": CUDA keeps the rest.");
    return out;
}
