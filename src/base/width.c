/* Cells, as curses counts them: wcwidth() of the running C library. What that does not know (in a
 * locale without UTF-8 nearly everything, in any locale what was not yet assigned when it was made)
 * libunistring's tables tell. */
#include "base/base.h"

#include <string.h>
#include <uniwidth.h>
#include <wchar.h>

enum { SOFT_HYPHEN = 0xAD };

int base_code_width(uint32_t code) {
    if (code >= 0x20 && code < 0x7F) return 1; /* nearly all of them: no need to ask */
    if (code == SOFT_HYPHEN) return 1;         /* terminals draw it; libunistring says 0 */
    int width = wcwidth((wchar_t)code);
    if (width < 0) width = uc_width((ucs4_t)code, "UTF-8");
    return width > 0 ? width : 0;
}

int base_width(const char *s) {
    const char *end = s + strlen(s);
    int cells = 0;
    while (s < end) cells += base_code_width(base_utf8_next(&s, end));
    return cells;
}
