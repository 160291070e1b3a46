/* Reports as lines. Both ends are the same program, so the struct's own bytes are the format. */
#include "lab/report.h"

#include <string.h>

void lab_report_write(const struct lab_report *r, char line[LAB_REPORT_LINE]) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *b = (const unsigned char *)r;
    for (size_t i = 0; i < sizeof *r; i++) {
        line[2 * i] = digits[b[i] >> 4];
        line[2 * i + 1] = digits[b[i] & 15];
    }
    line[2 * sizeof *r] = '\0';
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool lab_report_read(const char *line, struct lab_report *out) {
    unsigned char b[sizeof *out];
    if (strlen(line) != 2 * sizeof *out) return false;
    for (size_t i = 0; i < sizeof *out; i++) {
        int high = digit(line[2 * i]), low = digit(line[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        b[i] = (unsigned char)(high << 4 | low);
    }
    memcpy(out, b, sizeof *out);
    return true;
}
