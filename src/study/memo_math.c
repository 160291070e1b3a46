/* Formulas as LaTeX writes them, in as many bytes as people would write: "$2 \times 13\,\text{GB}$" becomes "2 × 13 GB" and blanks. */
#include "memo.h"

#include <ctype.h>
#include <string.h>

enum { WIDEST = 400 }; /* of a formula, bytes */

static const struct {
    const char *name, *sign;
} commands[] = {
    {"times",      "\xc3\x97"    },
    {"cdot",       "\xc2\xb7"    },
    {"div",        "\xc3\xb7"    },
    {"pm",         "\xc2\xb1"    },
    {"approx",     "\xe2\x89\x88"},
    {"simeq",      "\xe2\x89\x88"},
    {"sim",        "~"           },
    {"le",         "\xe2\x89\xa4"},
    {"leq",        "\xe2\x89\xa4"},
    {"ge",         "\xe2\x89\xa5"},
    {"geq",        "\xe2\x89\xa5"},
    {"lt",         "<"           },
    {"gt",         ">"           },
    {"to",         ""            },
    {"rightarrow", ""            },
    {"Rightarrow", ""            },
    {"text",       ""            },
    {"textbf",     ""            },
    {"textrm",     ""            },
    {"mathrm",     ""            },
    {"mathbf",     ""            },
    {"mathit",     ""            },
    {"frac",       ""            },
    {"dfrac",      ""            },
    {"tfrac",      ""            },
    {"left",       ""            },
    {"right",      ""            },
    {"quad",       ""            },
};

static char *closing(char *open) {
    int depth = 0;
    for (char *s = open; *s && *s != '\n' && s - open < WIDEST; s++) {
        depth += (*s == '{') - (*s == '}');
        if (depth == 0) return s;
    }
    return NULL;
}

/* "{182}{8}" as "182/8", "{2 + 12}{8}" as "(2 + 12)/8" */
static void put_fraction(char *open, char *close) {
    bool sum =
        memchr(open, '+', (size_t)(close - open)) || memchr(open, '-', (size_t)(close - open));
    char *under = close[1] == '{' ? closing(close + 1) : NULL;
    if (!under) return;
    *open = sum ? '(' : ' ';
    *close = sum ? ')' : '/';
    close[1] = sum ? '/' : ' ';
    *under = ' ';
}

/* What the command at `s` is written as; its last byte takes the sign's last. */
static void put_command(char *s) {
    size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t k = 0; k < BASE_COUNT(commands); k++) {
        const char *name = commands[k].name, *sign = commands[k].sign;
        if (strlen(name) != n || memcmp(s + 1, name, n) != 0) continue;
        memset(s, ' ', n + 1);
        memcpy(s + n + 1 - strlen(sign), sign, strlen(sign));
        char *open = s + n + 1, *close = *open == '{' ? closing(open) : NULL;
        if (close && strstr(name, "frac")) {
            put_fraction(open, close);
            return;
        }
        if (close) *open = *close = ' ';
        return;
    }
    static const char spaces[] = ",;:! ()[]";
    if (n == 0 && s[1] && strchr(spaces, s[1])) s[0] = s[1] = ' ';
    if (s[1] == '%') s[0] = ' ';
}

/* "$240$ GB/s", and not "$240 and $300" */
static void blank_dollars(char *own) {
    for (char *s = own; (s = strchr(s, '$')); s++) {
        if (s[1] == '$') {
            s[0] = s[1] = ' ';
            continue;
        }
        if (isspace((unsigned char)s[1])) continue;
        char *end = s + 1;
        while (*end && *end != '$' && *end != '\n' && end - s < WIDEST) end++;
        bool closes =
            *end == '$' && !isspace((unsigned char)end[-1]) && !isdigit((unsigned char)end[1]);
        if (closes) *s = *end = ' ';
        if (closes) s = end;
    }
}

void memo_blank_math(char *own) {
    blank_dollars(own);
    for (char *s = own; (s = strchr(s, '\\')); s++) put_command(s);
    for (char *s = own; (s = strstr(s, "_{")); s++) {
        char *close = closing(s + 1);
        if (close) s[1] = *close = ' ';
    }
}
