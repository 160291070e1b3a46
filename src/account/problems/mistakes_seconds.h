/* Mistakes with how long it takes. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_SECONDS_H
#define ACCOUNT_MISTAKES_SECONDS_H

#define SECONDS_MISTAKES(X)                                                                        \
    X("link-bits", "the link's bits were read as bytes",                                           \
      "Network links are sold in bits: 400 Gb/s are 50 GB/s.", account_slip_scale_factor,          \
      ACCOUNT_RATE, 8, SECONDS, 0, ACCOUNT_NO_UNIT)                                                \
    X("link-eighth", "the link's bytes were divided by 8",                                         \
      "This rate is in bytes already; only a rate in bits, with a small b, is divided by 8.",      \
      account_slip_scale_factor, ACCOUNT_RATE, 0.125, SECONDS, 3, ACCOUNT_NO_UNIT)                 \
    X("both-directions", "the rate of both directions was used",                                   \
      "Data sheets add the two directions up: 900 GB/s are 450 in and 450 out, and what a rank "   \
      "sends goes one way.",                                                                       \
      account_slip_sheet_rate, ACCOUNT_RATE, 2, SECONDS, 0, ACCOUNT_NO_UNIT)                       \
    X("one-adapter", "one network adapter was counted for the whole node",                         \
      "A communicator that holds all GPUs of a node reaches all the adapters of the node.",        \
      account_slip_rate_of, ACCOUNT_RATE, 0, SECONDS, 0, ACCOUNT_NO_UNIT)                          \
    X("array-by-adapter", "the array was divided by one adapter's rate",                           \
      "All adapters of a node work, and what they carry is the array times the collective's "      \
      "factor.",                                                                                   \
      account_slip_by_adapter, ACCOUNT_RATE, 0, SECONDS, 1, ACCOUNT_NO_UNIT)                       \
    X("inside-link", "the link inside the node was used",                                          \
      "The ring leaves the node, and its slowest link sets the pace.", account_slip_rate_of,       \
      ACCOUNT_RATE, 1, SECONDS, 0, ACCOUNT_NO_UNIT)                                                \
    X("wire-rate", "the data sheet's rate was used",                                               \
      "Collectives reach less than the wire: protocol and synchronisation take their part.",       \
      account_slip_sheet_rate, ACCOUNT_RATE, 1, SECONDS, 1, ACCOUNT_NO_UNIT)                       \
    X("no-latency", "the latency was forgotten",                                                   \
      "Each collective costs its steps' latency before a byte has arrived; for small arrays that " \
      "is most of the time.",                                                                      \
      account_slip_drop_product, ACCOUNT_OF_LATENCY, 0, SECONDS, 0, ACCOUNT_NO_UNIT)               \
    X("latency-only", "only the latency was counted",                                              \
      "The bytes take their time too: divide them by the rate.", account_slip_keep_product,        \
      ACCOUNT_OF_LATENCY, 0, SECONDS, 0, ACCOUNT_NO_UNIT)

#endif
