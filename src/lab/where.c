/* A moment in words. Units are numbered as the model numbers them, so the words need no model. */
#include "lab/ledger.h"

#include <stdio.h>

static void unit_text(char *out, size_t size, int unit, uint32_t layers) {
    uint32_t u = (uint32_t)unit;
    if (unit == 0)
        (void)snprintf(out, size, " embeddings");
    else if (u <= layers)
        (void)snprintf(out, size, " block %u", u - 1);
    else
        (void)snprintf(out, size, u == layers + 1 ? " last norm" : " head");
}

const char *lab_where_text(char *out, size_t size, const struct lab_where *w, uint32_t layers) {
    static const char *const phases[] = {"init", "forward", "backward", "update"};
    char unit[24] = "";
    if (w->unit >= 0) unit_text(unit, sizeof unit, w->unit, layers);
    (void)snprintf(out, size, "%s%s", phases[w->phase], unit);
    return out;
}
