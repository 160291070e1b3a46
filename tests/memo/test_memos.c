/* Memos as people write them: the verdict that an expert gives each, and that only head lines,
 * claims and marks were added to what they wrote. */
#include "memo/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *file;
    bool passes;
    const char *verdict;
    /* figures that are rightly shown to look at again */
    size_t again;
    /* of the memo as its author wrote it */
    uint64_t hash;
} memos[] = {
    /* clang-format off */
    {"01-lesson-numbers", true, "The decision fits", 0, 0x3db184be89664baa},
    {"03-optimistic-40g", false, "it does not fit", 0, 0xe3a7d8ce72aae84d},
    {"05-gib", true, "The decision fits", 0, 0xd17e26da56506ce0},
    {"07-no-figures", false, "required claims are missing", 0, 0x7b16e04089e109bc},
    {"09-tables", true, "The decision fits", 0, 0x8e98d50fc5b14124},
    {"11b-lora", true, "The decision fits", 0, 0xee841756efc12e12},
    {"13-no-scenario", false, "no scenario is declared", 0, 0xa90f5ef6e9acdb67},
    {"15-measured-activations", true, "The decision fits", 0, 0xf706419f87ebdf75},
    {"17-rfc-34b-megatron", true, "The decision fits", 0, 0x1857e6c42bbe42a7},
    {"18-offload-email", true, "The decision fits", 0, 0x38d9ad7b83207dfa},
    {"19-8bit-adam", true, "The decision fits", 0, 0xb99dec6e544e9cd7},
    {"21-design-doc", true, "The decision fits", 0, 0xff3a2295ef1f7fe6},
    {"a-letter", true, "The decision fits", 0, 0x3ea09af77001ef6b},
    {"accumulated", false, "not every claim holds", 0, 0xe8be61a887167d1a},
    {"answer-last", true, "The decision fits", 0, 0x04e472d8efad5736},
    {"arrows", true, "The decision fits", 0, 0xac402abc44527bc8},
    {"bold-labels", true, "The decision fits", 0, 0xe5a4d8db2aad7f01},
    {"both-units", true, "The decision fits", 0, 0x07858cfeecacb5a4},
    {"by-comparison", false, "not every claim holds", 0, 0x7a136b2b4e8912fd},
    {"by-mail", true, "The decision fits", 0, 0xa473a3106e29965f},
    {"by-phase", true, "The decision fits", 0, 0x990c0e620a333a48},
    {"bytes-each", true, "The decision fits", 0, 0x03bc3782dde78913},
    {"decimal-commas", true, "The decision fits", 0, 0x410f4a7eabccd886},
    {"decision-record", true, "The decision fits", 0, 0x0c1c8812978d736b},
    {"deepspeed-7b", true, "The decision fits", 0, 0x62cbbc5f2b16eca0},
    {"deepspeed-contradictory", false, "not every claim holds", 0, 0x178784b77648a502},
    {"deepspeed-json", true, "The decision fits", 0, 0x5db696ea8d84b12c},
    {"deltas", true, "The decision fits", 0, 0xf596a1f392853b6f},
    {"derived", true, "The decision fits", 0, 0x2b6f82696d381cf4},
    {"does-not-fit", false, "it does not fit", 0, 0xa7c90d6d2ed03648},
    {"ds-config", true, "The decision fits", 0, 0x61834e6bd723de39},
    {"first-memo", false, "not every claim holds", 0, 0xa3be013836ddecef},
    {"fits-anyway", false, "not every claim holds", 0, 0xf81260fde2b5ed90},
    {"for-management", true, "The decision fits", 0, 0xbfd08f2bce709042},
    {"four-3090s", true, "The decision fits", 0, 0x870d14c244548690},
    {"four-4090s", true, "The decision fits", 0, 0x232f7868d80c25e9},
    {"fp32-v100", true, "The decision fits", 0, 0x438ad16374657cc6},
    {"fsdp2-blocks", true, "The decision fits", 0, 0x0e1fd5d1c0f8c3cf},
    {"fsdp2-two-nodes", true, "The decision fits", 0, 0x41ef5094431ca398},
    {"fsdp2-wrapped", true, "The decision fits", 0, 0x73ce2d4086d2cef2},
    {"gathered-forgotten", false, "it does not fit", 0, 0x6aa285d1c797207b},
    {"gib-as-gb", false, "not every claim holds", 0, 0x9911ecbb7cc79c6c},
    {"gib-throughout", true, "The decision fits", 0, 0x16c975a6aa9c48f4},
    {"good-13b", true, "The decision fits", 0, 0x0e659d7cff553509},
    {"heron-proposal", true, "The decision fits", 0, 0x097b37c514c6752b},
    {"in-latex", true, "The decision fits", 0, 0xbc065dbcc1ebfa94},
    {"in-megabytes", true, "The decision fits", 0, 0x211a45f1f66be15d},
    {"in-words", true, "The decision fits", 0, 0x319cf52337c754f1},
    {"junior-30b", true, "The decision fits", 0, 0xcaf280a97468ccae},
    {"ledger-first", false, "a section is empty", 0, 0x86ad43220902d17d},
    {"long-context", false, "it does not fit", 0, 0x00e937d3e031693e},
    {"mail-fsdp2-7b", true, "The decision fits", 0, 0x6578a0c3c8108f09},
    {"megatron-mistral", true, "The decision fits", 0, 0xb767c58c07b6fdcd},
    {"megatron-too-big", false, "it does not fit", 0, 0x777d6c2890933f2d},
    {"neox-two-nodes", true, "The decision fits", 0, 0x344d5b96dde43b53},
    {"nested-bullets", true, "The decision fits", 0, 0xcfd01663078876cb},
    {"no-master", false, "not every claim holds", 1, 0x68828101bcb29b1f},
    {"no-numbers", false, "required claims are missing", 0, 0x6ba5dca535b667cc},
    {"no-risk", true, "The decision fits", 0, 0x497b0e2fad025cf8},
    {"nothing-turned-on", true, "The decision fits", 0, 0x099c54e95d6c5fd3},
    {"offload-3b", true, "The decision fits", 0, 0xd2c09d370eff8cb6},
    {"offload-anyway", false, "it offloads, which the scenario rules out", 0, 0x3573750cc4f4cede},
    {"on-h200", true, "The decision fits", 0, 0xbd7757f0c9c86b55},
    {"one-wide-table", true, "The decision fits", 0, 0x2af0c697ae3dcda4},
    {"other-way", true, "The decision fits", 0, 0x184dbb821b4f5b39},
    {"pairing-notes", true, "The decision fits", 0, 0x107b8cde3f0c4711},
    {"pcie-node", true, "The decision fits", 0, 0x3a5dd312eac78d20},
    {"peak-in-gib", false, "not every claim holds", 0, 0x68414db66da806b4},
    {"per-node-network", false, "it misses the deadline", 0, 0xbacfad76c959d6eb},
    {"percent-and-rates", false, "not every claim holds", 0, 0x4546718a2f114b46},
    {"plain-text", true, "The decision fits", 0, 0xa647f26d0a832bb7},
    {"questions-answers", true, "The decision fits", 0, 0xdfd4263c585d13ec},
    {"ratios", true, "The decision fits", 0, 0x22cb2f3633d0c2ea},
    {"review-style", true, "The decision fits", 0, 0x6c0f6de588d5849a},
    {"rfc-yi", true, "The decision fits", 0, 0x30547e1762fc2498},
    {"second-thoughts", false, "a line of its head cannot be read", 0, 0x9f52c3b139b2f693},
    {"seventy-billion", true, "The decision fits", 0, 0x334668d8dccf43e9},
    {"seventy-on-64", true, "The decision fits", 0, 0xaa0ef40b0a14e103},
    {"several-mistakes", false, "not every claim holds", 0, 0x5ac08858d317aaef},
    {"sizing", true, "The decision fits", 0, 0xfb516464e38cf782},
    {"slack-post", true, "The decision fits", 0, 0x3e6c06582c437608},
    {"slow-link", true, "The decision fits", 0, 0xaa9c7bb38f871051},
    {"small-cards", true, "The decision fits", 0, 0x4e7344bd66ff1fa9},
    {"spelled-out", true, "The decision fits", 0, 0x6cf91821d7ea0f83},
    {"splendid", false, "it does not fit", 0, 0x5b7d95644073986d},
    {"spreadsheet", false, "not every claim holds", 0, 0x7666016aa9412b1d},
    {"stage-columns", true, "The decision fits", 0, 0xc1d3300bb1557513},
    {"stage1-recompute", true, "The decision fits", 0, 0xd626a57bc6202c90},
    {"stages-as-rows", true, "The decision fits", 0, 0x47101b2da87e2e8a},
    {"steering-group", true, "The decision fits", 0, 0xa30230a1710cd437},
    {"subtly-wrong", false, "not every claim holds", 1, 0x2b6f6d5fb8513e84},
    {"swapped-stages", false, "not every claim holds", 0, 0xe1efd87a1c2229ae},
    {"tables", true, "The decision fits", 0, 0x1728b1354ba440a9},
    {"terse", true, "The decision fits", 0, 0x392a5b08ea48a534},
    {"terse-70b", false, "not every claim holds", 0, 0x7199990e21119b84},
    {"thirty-two-gpus", true, "The decision fits", 0, 0xd474bc14175a5ba7},
    {"three-stages", true, "The decision fits", 0, 0x08eab9fecb7d221d},
    {"tight-mistral", true, "The decision fits", 0, 0x5fb5d28245627c23},
    {"two-nodes-ethernet", true, "The decision fits", 0, 0x8497000b513f3ca4},
    {"undivided", false, "not every claim holds", 0, 0xf905c7f098baf9ef},
    {"units-mixed", false, "not every claim holds", 0, 0xb6121f45c8416b47},
    {"v100-tables", true, "The decision fits", 0, 0x13c6a98577b9d691},
    {"with-offload", true, "The decision fits", 0, 0x1c17cf1bc82e28cf},
    {"with-ranges", true, "The decision fits", 0, 0x175e5f719926a57a},
    {"workstation-8b", true, "The decision fits", 0, 0x0aa9b8e94c29e7ac},
    {"wrong-heads", false, "not every claim holds", 5, 0xfcb8a6806a0f21a2},
    /* clang-format on */
};

static char *read_memo(const char *name, size_t *length) {
    struct base_message m = {0};
    char *path = base_format("tests/memo/%s.md", name),
         *text = base_file_read(path, 1 << 20, length, &m);
    if (!text) fail_msg("%s", m.what);
    free(path);
    return text;
}

static void each_gets_the_verdict_of_an_expert(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(memos); i++) {
        struct memo_report r;
        struct base_message m = {0};
        size_t length;
        char *text = read_memo(memos[i].file, &length);
        assert_true(memo_read(text, length, NULL, &r, &m));
        if (r.passes != memos[i].passes || !strstr(r.verdict, memos[i].verdict))
            fail_msg("%s: %s", memos[i].file, r.verdict);
        if (r.kinds[MEMO_AGAIN] != memos[i].again)
            fail_msg("%s: %zu figures to look at again", memos[i].file, r.kinds[MEMO_AGAIN]);
        memo_free(&r);
        free(text);
    }
}

/* ── only what may be added was ────────────────────────────────────────────────────────────────*/
static bool begins(const char *line, const char *word) {
    line += strspn(line, "*");
    return strncmp(line, word, strlen(word)) == 0;
}

/* Without the lines that follow the scenario's or the recipe's, without the section Figures and
 * without marks. */
static char *as_written(const char *text) {
    struct base_text out = {0};
    bool head = false;
    const char *figures = strstr(text, "\n\n## Figures\n");
    for (const char *s = text; *s && (!figures || s <= figures); s += strcspn(s, "\n") + 1) {
        size_t n = strcspn(s, "\n");
        bool added =
            begins(s, "Decision: ") || begins(s, "Alternative ") || begins(s, "Activations: ");
        if (head && added) continue;
        head = begins(s, "Scenario:") || begins(s, "Recipe:");
        base_text_printf(&out, "%.*s%s", (int)n, s, s[n] ? "\n" : "");
        if (!s[n]) break;
    }
    return base_text_take(&out);
}

static void nothing_else_was_added_to_what_they_wrote(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(memos); i++) {
        size_t length;
        char *text = read_memo(memos[i].file, &length), *own = as_written(text);
        if (base_hash(0, own) != memos[i].hash)
            fail_msg("%s is no longer what its author wrote:\n%s", memos[i].file, own);
        free(own);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_gets_the_verdict_of_an_expert),
        cmocka_unit_test(nothing_else_was_added_to_what_they_wrote),
    };
    return cmocka_run_group_tests_name("memo/memos", tests, NULL, NULL);
}
