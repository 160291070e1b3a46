/* A memo's check from its bytes to its verdict. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

/* Where the text stops being text, or SIZE_MAX. */
static size_t first_junk(const char *text, size_t length) {
    const char *s = text, *end = text + length;
    while (s < end) {
        const char *at = s;
        uint32_t code = base_utf8_next(&s, end);
        bool broken = code == 0xFFFD && !(s - at == 3 && memcmp(at, "\xef\xbf\xbd", 3) == 0);
        bool control = code < 0x20 && code != '\n' && code != '\t' && code != '\r' && code != '\f';
        if (broken || control) return (size_t)(at - text);
    }
    return SIZE_MAX;
}

static int line_of(const char *text, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++) line += text[i] == '\n';
    return line;
}

static bool is_text(const char *text, size_t length, struct base_message *m) {
    if (length > STUDY_MEMO_BYTES)
        return base_fail(m, "the memo has %zu bytes: at most %d are read; a memo is a few pages",
                         length, STUDY_MEMO_BYTES);
    size_t junk = first_junk(text, length);
    if (junk == SIZE_MAX) return true;
    return base_fail(m, "byte %zu, in line %d, is no text: a memo is Markdown in UTF-8", junk + 1,
                     line_of(text, junk));
}

static void check(struct memo *m, char *text, size_t length) {
    memo_text_open(&m->text, text, length);
    m->text.commas = memo_writes_commas(text, length);
    memo_read_quotes(m, text, length);
    memo_read_blocks(m, text, length);
    if (!m->report->has_scenario) return;
    memo_read_mentions(m);
    memo_decide(m);
    memo_read_figures(m);
    memo_judge_figures(m);
    memo_judge_sentences(m);
    memo_settle_quotes(m);
    memo_rubric(m);
}

static void no_scenario(struct memo *m) {
    struct study_memo_report *r = m->report;
    if (!r->scenario_line)
        memo_find_missing(
            m, STUDY_MEMO_SECTIONS,
            "the scenario: one line that says what is trained on what, like \"Scenario: 13e9 "
            "parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence 2048, "
            "micro-batch 1\"");
    for (size_t i = 0; i < r->count; i++) r->kinds[r->finding[i].kind]++;
    snprintf(r->verdict, sizeof r->verdict, "Does not pass: %s",
             r->scenario_line ? "its scenario cannot be read, so no figure can be checked."
                              : "it names no scenario, so no figure can be checked.");
}

bool study_memo_check(const char *text, size_t length, const struct study_memo_evidence *runs,
                      struct study_memo_report *out, struct base_message *message) {
    *out = (struct study_memo_report){.scenario = {.recipe = "paper"}};
    if (!is_text(text, length, message)) return false;
    struct memo *m = base_alloc(sizeof *m);
    char *own = memo_blank(text, length);
    m->report = out;
    m->runs = runs;
    check(m, own, length);
    if (!out->has_scenario) no_scenario(m);
    memo_text_close(&m->text);
    free(m->block);
    free(m->mention);
    free(m->figure);
    free(m->quote);
    free(m);
    free(own);
    return true;
}
