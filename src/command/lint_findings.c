/* What lint found in a lesson: collected, as JSON, and for people. */
#include "command/lint.h"

#include <stdlib.h>

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
void command_lint_add(struct lint_lesson *l, const struct base_message *m) {
    l->finding = base_grow(l->finding, l->findings + 1, sizeof *l->finding);
    l->finding[l->findings] = *m;
    struct base_message *f = &l->finding[l->findings++];
    if (!*f->file) snprintf(f->file, sizeof f->file, "%s", l->path);
}

void command_lint_free(struct lint_lesson *l) {
    for (size_t i = 0; i < l->worsts; i++) free(l->worst[i]);
    free(l->worst);
    free(l->finding);
    free(l->path);
    free(l->name);
}

void command_lint_print(const json_t *found, bool verbose) {
    const json_t *findings = json_object_get(found, "findings"), *one;
    const char *name = base_json_text(found, "file", "");
    size_t i;
    json_array_foreach(findings, i, one) {
        struct base_message m = {0};
        char text[sizeof m.what + sizeof m.file + 16];
        base_fail_at(&m, base_json_text(one, "file", ""), (int)base_json_int(one, "line", 0), "%s",
                     base_json_text(one, "what", ""));
        printf("%s\n", base_message_text(&m, text, sizeof text));
    }
    if (verbose)
        json_array_foreach(json_object_get(found, "worst"), i, one)
            printf("%s: %s\n", name, json_string_value(one));
    if (base_json_bool(found, "book", false) && json_array_size(findings) == 0)
        printf("%s: %zu entries: fine\n", name, (size_t)base_json_int(found, "steps", 0));
    else if (json_array_size(findings) == 0)
        printf("%s: lesson %s, %zu steps: fine\n", name, base_json_text(found, "id", ""),
               (size_t)base_json_int(found, "steps", 0));
    fflush(stdout);
}

json_t *command_lint_json(const struct lint_lesson *l) {
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
