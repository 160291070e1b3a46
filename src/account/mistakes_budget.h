/* Mistakes with the memory there is. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_BUDGET_H
#define ACCOUNT_MISTAKES_BUDGET_H

#define BUDGET_MISTAKES(X)                                                                         \
    X("psi-as-bytes", "the parameters were counted as bytes",                                      \
      "A count of parameters is no size: each takes several bytes.", account_slip_no_bytes, 0, 1,  \
      BYTES | LARGEST, 3, ACCOUNT_NO_UNIT)                                                         \
    X("label-bytes", "the label's bytes were used",                                                \
      "The label rounds: a training can use the bytes that PyTorch or the driver reports.",        \
      account_slip_label, 0, 0, LARGEST | FEWEST, 0, ACCOUNT_NO_UNIT)                              \
    X("usable-bytes", "the bytes that PyTorch reports were used",                                  \
      "The bytes on the label are asked for here.", account_slip_usable, 0, ACCOUNT_BY_TORCH,      \
      LARGEST | FEWEST, 0, ACCOUNT_NO_UNIT)                                                        \
    X("driver-bytes", "the driver's bytes were used",                                              \
      "The bytes on the label are asked for here.", account_slip_usable, 0, ACCOUNT_BY_DRIVER,     \
      LARGEST | FEWEST, 0, ACCOUNT_NO_UNIT)                                                        \
    X("budget-unit", "GB and GiB were confused in the memory there is",                            \
      "1 GB is 1e9 bytes and 1 GiB is 2^30: they differ by 7 %.", account_slip_budget_unit, 0, 0,  \
      LARGEST | FEWEST, 1, ACCOUNT_NO_UNIT)                                                        \
    X("budget-converted", "the memory there is was converted, and taken in the old unit",          \
      "Parameters times bytes come out in bytes: divide what the unit says in bytes, GB by 1e9 "   \
      "and GiB by 2^30.",                                                                          \
      account_slip_budget_converted, 0, 0, LARGEST | FEWEST, 1, ACCOUNT_NO_UNIT)

#endif
