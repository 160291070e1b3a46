/* Cells. The tables are libunistring's, asked as for UTF-8, so that the answer does not depend on the locale. */
#include "base/base.h"

#include <string.h>
#include <uniwidth.h>

enum { SOFT_HYPHEN = 0xAD };

int base_code_width(uint32_t code) {
    if (code >= 0x20 && code < 0x7F) return 1; /* nearly all of them: no need to ask */
    if (code == SOFT_HYPHEN) return 1;         /* terminals draw it; libunistring says 0 */
    int width = uc_width((ucs4_t)code, "UTF-8");
    return width > 0 ? width : 0;
}

int base_width(const char *s) {
    const char *end = s + strlen(s);
    int cells = 0;
    while (s < end) cells += base_code_width(base_utf8_next(&s, end));
    return cells;
}
