/* Mistakes with units. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_UNITS_H
#define ACCOUNT_MISTAKES_UNITS_H

#define UNIT_MISTAKES(X)                                                                           \
    X("gib-for-gb", "the number is right in binary units",                                         \
      "1 GiB is 2^30 bytes, and 1 GB is 1e9: they differ by 7 %.", account_slip_binary, 0, 0,      \
      SIZED | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                      \
    X("gb-for-gib", "the number is right in decimal units",                                        \
      "1 GB is 1e9 bytes, and 1 GiB is 2^30: they differ by 7 %.", account_slip_decimal, 0, 0,     \
      SIZED | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                      \
    X("twin-unit", "the other unit was written behind the right number",                           \
      "1 GB is 1e9 bytes, and 1 GiB is 2^30: they differ by 7 %.", account_slip_twin, 0, 0, SIZED, \
      1, ACCOUNT_UNIT_WRITTEN)                                                                     \
    X("backwards", "the conversion went the wrong way",                                            \
      "A GiB is larger than a GB, so the same bytes make fewer of them.", account_slip_backwards,  \
      0, 0, SIZED | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                \
    X("bits", "the number is right in bits", "A byte is 8 bits; memory is counted in bytes.",      \
      account_slip_factor, 0, 8, SIZED | CONVERT, 3, ACCOUNT_UNIT_TAKEN)                           \
    X("eighth", "it is an eighth, as if it were in bits",                                          \
      "A small b is bits and a capital B bytes: Gb is an eighth of GB, and sizes here are bytes.", \
      account_slip_factor, 0, 0.125, SIZED | CONVERT, 4, ACCOUNT_UNIT_TAKEN)                       \
    X("thousand-times", "it is a thousand times too large",                                        \
      "A prefix was slipped: K, M, G and T are each a thousand apart.", account_slip_factor, 0,    \
      1000, SIZED | CONVERT | LARGEST | SECONDS, 0, ACCOUNT_UNIT_TAKEN)                            \
    X("thousandth", "it is a thousand times too small",                                            \
      "A prefix was slipped: K, M, G and T are each a thousand apart.", account_slip_factor, 0,    \
      0.001, SIZED | CONVERT | LARGEST | SECONDS, 0, ACCOUNT_UNIT_TAKEN)                           \
    X("1024-times", "it is 1024 times too large",                                                  \
      "A prefix was slipped: KiB, MiB, GiB and TiB are each 1024 apart.", account_slip_prefix, 0,  \
      1024, SIZED | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                \
    X("1024th", "it is 1024 times too small",                                                      \
      "A prefix was slipped: KiB, MiB, GiB and TiB are each 1024 apart.", account_slip_prefix, 0,  \
      1 / 1024.0, SIZED | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                          \
    X("ten-times", "a decimal place slipped",                                                      \
      "The digits are right and the point is not: it is ten times too large.",                     \
      account_slip_factor, 0, 10, SIZED | RATE | CONVERT | LARGEST | SECONDS, 3, ACCOUNT_NO_UNIT)  \
    X("tenth", "a decimal place slipped",                                                          \
      "The digits are right and the point is not: it is ten times too small.",                     \
      account_slip_factor, 0, 0.1, SIZED | RATE | CONVERT | LARGEST | SECONDS, 3, ACCOUNT_NO_UNIT)

#endif
