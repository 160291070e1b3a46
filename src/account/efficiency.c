/* How much of the arithmetic is left when data must come first. */
#include "account/account.h"

/* ZeRO-Infinity, arXiv:2104.07857, section 4, equation 6: compute time ÷ (compute time + communication time), with nothing overlapped.
 * `ait` in operations a byte, `rate` in bytes a second, `flops` the peak. For parameters and gradients ait is s · b, for the optimizer's
 * states s · b ÷ 4, for activation checkpoints 24 · h · (layers between two). */
double account_efficiency(double ait, double rate, double flops) {
    double served = ait * rate;
    return served + flops > 0 ? served / (served + flops) : 0;
}
