/* lint_print: what lint found. */
#include "command/lint.h"

void lint_print(const struct lint_lesson *l, bool verbose) {
    for (size_t i = 0; i < l->findings; i++) {
        char text[sizeof l->finding[i].what + sizeof l->finding[i].file + 16];
        printf("%s\n", base_message_text(&l->finding[i], text, sizeof text));
    }
    for (size_t i = 0; verbose && i < l->worsts; i++) printf("%s: %s\n", l->name, l->worst[i]);
    if (l->findings == 0) printf("%s: lesson %s, %zu steps: fine\n", l->name, l->id, l->steps);
}

json_t *lint_json(const struct lint_lesson *l) {
    json_t *findings = json_array(), *worst = json_array();
    for (size_t i = 0; i < l->findings; i++) {
        const struct base_message *m = &l->finding[i];
        json_array_append_new(
            findings, json_pack("{ss si ss}", "file", m->file, "line", m->line, "what", m->what));
    }
    for (size_t i = 0; i < l->worsts; i++) json_array_append_new(worst, json_string(l->worst[i]));
    return json_pack("{ss ss sI so so}", "file", l->name, "id", l->id, "steps",
                     (json_int_t)l->steps, "findings", findings, "worst", worst);
}
