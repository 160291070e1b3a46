/* Hostile memos: whatever a text says, it is checked in bounded time or refused with a reason. */
#include "memo/memo.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct memo_report r;
    struct base_message m = {0};
    struct base_text t = {0};
    size_t typed;
    char *text = base_alloc(size + 1);
    memcpy(text, data, size);
    if (memo_read(text, size, NULL, &r, &m)) {
        free(memo_words(&r, 12));
        memo_sensitivity(&r, &t);
        memo_trap(&r, &t);
        for (size_t i = 0; memo_complete(&r, text, i, &typed); i++) {
        }
    } else if (!*m.what) {
        abort();
    }
    memo_free(&r);
    base_text_free(&t);
    free(text);
    return 0;
}
