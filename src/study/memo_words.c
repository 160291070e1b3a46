/* memo_words.c: the report of a memo's check for people, as Markdown. */
#include "study/study.h"

/* What helps most comes first where not all of it is told. */
static const enum study_memo_kind order[] = {STUDY_MEMO_WRONG,         STUDY_MEMO_UNIT,
                                             STUDY_MEMO_CONTRADICTORY, STUDY_MEMO_MISSING,
                                             STUDY_MEMO_UNSUPPORTED,   STUDY_MEMO_ROUNDED};

static void put_rows(const struct study_memo_report *r, struct base_text *t) {
    base_text_puts(t, "\n\n| part | points | of |\n|:--|--:|--:|\n");
    for (size_t i = 0; i < STUDY_MEMO_ROWS; i++)
        base_text_printf(t, "| %s | %d | %d |\n", r->row[i].name, r->row[i].points, r->row[i].most);
    if (r->charged) base_text_printf(t, "| unsupported figures | −%d | |\n", r->charged);
}

static void put_finding(const struct study_memo_finding *f, struct base_text *t) {
    base_text_puts(t, "- ");
    if (f->line > 0) base_text_printf(t, "line %d, ", f->line);
    if (f->figure[0] != '\0') base_text_printf(t, "`%s`, ", f->figure);
    base_text_printf(t, "**%s**: %s\n", study_memo_kind_name(f->kind), f->what);
}

static size_t put_kind(const struct study_memo_report *r, enum study_memo_kind kind, size_t most,
                       struct base_text *t) {
    size_t told = 0;
    for (size_t i = 0; i < r->count && told < most; i++) {
        if (r->finding[i].kind != kind) continue;
        put_finding(&r->finding[i], t);
        told++;
    }
    return told;
}

char *study_memo_words(const struct study_memo_report *r, size_t most) {
    struct base_text t = {0};
    size_t told = 0, all = 0;
    base_text_printf(&t, "%d of 100 points. %s", r->points, r->verdict);
    put_rows(r, &t);
    for (size_t i = 0; i < BASE_COUNT(order); i++) all += r->kinds[order[i]];
    if (all > 0) base_text_puts(&t, "\n");
    for (size_t i = 0; i < BASE_COUNT(order); i++) told += put_kind(r, order[i], most - told, &t);
    if (told < all) base_text_printf(&t, "\nAnd %zu more.\n", all - told);
    return base_text_take(&t);
}
