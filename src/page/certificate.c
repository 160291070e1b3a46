/* certificate: what answers show, on a page that is read, printed and saved from one text. */
#include "page/internal.h"

#include <stdlib.h>
#include <string.h>

enum { DATE = 40 };

enum date { DAY, MONTH, YEAR }; /* "22 Dec", "22 December", "22 December 2026" */
static const char *date(const char *iso, enum date form, char out[DATE]) {
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    int year = 0, month = 0, day = 0;
    bool read = sscanf(iso, "%4d-%2d-%2d", &year, &month, &day) == 3 && month > 0 && month <= 12;
    if (read && form < YEAR)
        snprintf(out, DATE, form == DAY ? "%d %.3s" : "%d %s", day, months[month - 1]);
    else if (read)
        snprintf(out, DATE, "%d %s %d", day, months[month - 1], year);
    else
        snprintf(out, DATE, "%s", "an unknown day");
    return out;
}

static const char *text(const json_t *from, const char *name) {
    return base_json_text(from, name, "");
}

static int whole(const json_t *from, const char *name) {
    return (int)base_json_int(from, name, 0);
}

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

static bool has_dates(const json_t *says) {
    return base_json_bool(says, "dates", true);
}

/* Names come from files of others: nothing in them is Markdown. */
static void add_literally(struct base_text *t, const char *words) {
    for (; *words; words++) {
        if (strchr("\\`*_[]<>#|!&~", *words)) base_text_puts(t, "\\");
        base_text_add(t, words, 1);
    }
}

/* ── what is shown ─────────────────────────────────────────────────────────────────────────────*/
static void add_area(struct base_text *t, const json_t *area, bool dates) {
    char day[DATE];
    double today = base_json_number(area, "today", 0);
    int helped = whole(area, "helped");
    base_text_puts(t, "| ");
    add_literally(t, text(area, "area"));
    base_text_printf(t, " | %d of %d | %d%% | ", whole(area, "right"), whole(area, "first_tries"),
                     base_percent(today));
    if (helped > 0)
        base_text_printf(t, "%d time%s", helped, plural(helped));
    else
        base_text_puts(t, "–");
    if (dates) base_text_printf(t, " | %s", date(text(area, "last"), DAY, day));
    base_text_puts(t, " |\n");
}

static void add_areas(struct base_text *t, const json_t *says) {
    const json_t *areas = json_object_get(says, "areas"), *area;
    size_t i;
    if (json_array_size(areas) == 0) return;
    base_text_puts(t, has_dates(says)
                          ? "| Shown | First tries right | Chance today | Helped | Last |\n"
                            "| --- | ---: | ---: | --- | ---: |\n"
                          : "| Shown | First tries right | Chance today | Helped |\n"
                            "| --- | ---: | ---: | --- |\n");
    json_array_foreach(areas, i, area) add_area(t, area, has_dates(says));
    base_text_puts(t, "\n");
}

static void add_memo(struct base_text *t, const json_t *says) {
    const json_t *memo = json_object_get(says, "memo");
    int claims = whole(memo, "claims"), runs = whole(memo, "runs");
    if (!json_is_object(memo)) return;
    base_text_puts(t, "**Memo:** ");
    add_literally(t, text(memo, "case"));
    base_text_printf(t, ", stage %d. %d claim%s held.", whole(memo, "stage"), claims,
                     plural(claims));
    if (runs > 0) base_text_printf(t, " It quotes %d run%s of the lab.", runs, plural(runs));
    base_text_puts(t, "\n\n");
}

/* Of a lesson without any answer nothing was skipped: most are just not begun. */
static bool is_untouched(const json_t *lesson) {
    return whole(lesson, "left") == whole(lesson, "of");
}

static void add_skipped(struct base_text *t, const json_t *says) {
    const json_t *lesson, *all = json_object_get(says, "skipped");
    size_t i, skipped = 0, untouched = 0;
    base_text_puts(t, "**Skipped:** ");
    json_array_foreach(all, i, lesson) {
        if (is_untouched(lesson)) continue;
        base_text_printf(t, "%s%d of %d questions in %s", skipped++ ? ", " : "",
                         whole(lesson, "left"), whole(lesson, "of"), text(lesson, "lesson"));
    }
    base_text_puts(t, skipped ? ".\n\n" : "nothing.\n\n");
    json_array_foreach(all, i, lesson) if (is_untouched(lesson)) base_text_printf(
        t, "%s%s", untouched++ ? ", " : "**Nothing answered in:** ", text(lesson, "lesson"));
    if (untouched) base_text_puts(t, ".\n\n");
}

static void add_outgrown(struct base_text *t, const json_t *says) {
    const json_t *mistake = json_object_get(says, "outgrown");
    int times = whole(mistake, "times");
    if (!json_is_object(mistake)) return;
    base_text_puts(t, "**Hardest, and outgrown:** ");
    add_literally(t, text(mistake, "name"));
    base_text_printf(t, " (%d time%s).\n\n", times, plural(times));
}

/* ── what is missing ───────────────────────────────────────────────────────────────────────────*/
static void add_missing(struct base_text *t, const json_t *says) {
    const json_t *missing = json_object_get(says, "missing"), *one;
    size_t i, n = json_array_size(missing);
    base_text_printf(t, "**Not earned yet.** %zu thing%s missing:\n\n", n,
                     n == 1 ? " is" : "s are");
    json_array_foreach(missing, i, one) {
        base_text_puts(t, "- ");
        add_literally(t, text(one, "what"));
        base_text_printf(t, " Next: `%s`\n", text(one, "next"));
    }
    base_text_puts(t, "\n");
    if (json_array_size(json_object_get(says, "areas")) > 0) base_text_puts(t, "Shown so far:\n\n");
}

/* ── what it proves ────────────────────────────────────────────────────────────────────────────*/
static void add_signs(struct base_text *t, const json_t *says) {
    const json_t *signs = json_object_get(says, "countersigned"), *sign;
    char day[DATE];
    size_t i;
    json_array_foreach(signs, i, sign) {
        base_text_puts(t, i ? "; " : "**Countersigned:** ");
        add_literally(t, text(sign, "name"));
        base_text_printf(t, ", %s", date(text(sign, "day"), YEAR, day));
    }
    if (i > 0)
        base_text_puts(t, ". This is a name that was typed, without a key or a password.\n\n");
}

static void add_proof(struct base_text *t, const json_t *says) {
    int answers = whole(says, "answers"), before = whole(says, "before");
    if (!json_object_get(says, "answers")) {
        base_text_puts(t, "This page alone cannot be verified. `zerotutor certificate -o my.cert` "
                          "saves the file that can.\n");
        return;
    }
    base_text_printf(t,
                     "Recomputed from %d answer%s that the file carries. It proves that the "
                     "answers fit their questions. It does not prove who typed them, nor that "
                     "none was left out.",
                     answers, plural(answers));
    if (before > 0)
        base_text_printf(t,
                         " %d of them were judged with the numbers in the file, because this "
                         "version of the lessons does not draw the same ones.",
                         before);
    base_text_puts(t, "\n\n");
    add_signs(t, says);
    base_text_printf(t,
                     "**Fingerprint:** %s. `zerotutor certificate verify FILE` shows the same one "
                     "for the file that this page is from.\n",
                     text(says, "fingerprint"));
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
static void add_head(struct base_text *t, const json_t *says) {
    const char *name = base_json_text(says, "name", NULL), *from = text(says, "from");
    char first[DATE], last[DATE];
    if (name) {
        base_text_puts(t, "**");
        add_literally(t, name);
        base_text_puts(t, "**");
    }
    if (base_json_bool(says, "earned", false))
        base_text_printf(t, "%s can choose a ZeRO stage and defend it with figures.",
                         name ? "" : "The learner");
    if (t->length > 0) base_text_puts(t, "\n\n");
    const char *to = text(says, "to");
    enum date form = strncmp(from, to, strlen("2026")) == 0 ? MONTH : YEAR;
    if (!has_dates(says)) return;
    if (*from && strcmp(from, to) == 0)
        base_text_printf(t, "%s\n\n", date(to, YEAR, last));
    else if (*from)
        base_text_printf(t, "%s to %s\n\n", date(from, form, first), date(to, YEAR, last));
}

char *page_certificate_words(const json_t *says) {
    struct base_text t = {0};
    add_head(&t, says);
    if (!base_json_bool(says, "earned", false)) add_missing(&t, says);
    add_areas(&t, says);
    add_memo(&t, says);
    if (json_array_size(json_object_get(says, "areas")) > 0) add_skipped(&t, says);
    add_outgrown(&t, says);
    add_proof(&t, says);
    return base_text_take(&t);
}

/* ── its frame ─────────────────────────────────────────────────────────────────────────────────*/
/* An earned one has a frame where there is a width for it; whoever is read to needs none. */
enum { FRAME_LEAST = 60, FRAME_MARGIN = 2 };

static void put_edge(struct page *p, int row, struct page_flow f, const char *left,
                     const char *right) {
    for (int column = 1; column < f.width - 1; column++)
        page_put(p, row, f.indent + column, PAGE_DIM, 0, "─");
    page_put(p, row, f.indent, PAGE_DIM, 0, left);
    page_put(p, row, f.indent + f.width - 1, PAGE_DIM, 0, right);
}

static void frame(struct page *p, struct page_flow f, int top, int bottom) {
    put_edge(p, top, f, "┌", "┐");
    for (int row = top + 1; row < bottom; row++) {
        page_put(p, row, f.indent, PAGE_DIM, 0, "│");
        page_put(p, row, f.indent + f.width - 1, PAGE_DIM, 0, "│");
    }
    put_edge(p, bottom, f, "└", "┘");
}

void page_certificate(struct page *p, struct page_flow f, const json_t *says) {
    char *words = page_certificate_words(says);
    bool framed = base_json_bool(says, "earned", false) && f.width >= FRAME_LEAST;
    struct page_flow inside = f;
    int top = page_height(p);
    if (framed) {
        page_blank(p, 2);
        inside.indent += 1 + FRAME_MARGIN;
        inside.width -= 2 * (1 + FRAME_MARGIN);
    }
    page_markdown(p, inside, words);
    if (framed) frame(p, f, top, page_height(p) + 1);
    free(words);
}
