/* Settings as a teacher types them: what is set, what is listed, what is refused and why. */
#include "classroom/classroom.h"

#include "base/scratch.h"

#include <string.h>

enum { NOW = 1795521600 }; /* 2026-11-24 12:00 UTC */

static char *text_of(const struct classroom_settings *s, const char *name) {
    for (size_t i = 0; classroom_setting_at(i); i++)
        if (strcmp(classroom_setting_at(i)->name, name) == 0) return classroom_setting_text(s, i);
    return NULL;
}

static void what_was_typed_is_listed_as_one_would_type_it(void **state) {
    static const struct {
        const char *name, *value, *listed;
    } rows[] = {
        {"name", "sys-26", "sys-26"},
        {"lessons", "1.1:15,1.2,lab stage-ladder:18", "1.1:15,1.2,lab stage-ladder:18"},
        {"begins", "12:00", "2026-11-25 12:00"},
        {"begins", "12:01", "2026-11-24 12:01"},
        {"ends", "+90m", "2026-11-24 13:30"},
        {"begins", "now", "2026-11-24 12:00"},
        {"ends", "2026-12-01 09:00", "2026-12-01 09:00"},
        {"ends", "never", "never"},
        {"due", "1.1@12:30", "1.1@2026-11-24 12:30"},
        {"due", "1.2@+2h", "1.1@2026-11-24 12:30,1.2@2026-11-24 14:00"},
        {"due", "1.1@never", "1.2@2026-11-24 14:00"},
        {"lessons", "1.2:10,1.3", "1.2:10,1.3"}, /* a lesson that stays keeps its deadline */
        {"due", "1.3@12:40", "1.2@2026-11-24 14:00,1.3@2026-11-24 12:40"},
        {"extend", "ada+30m", "ada+30m"},
        {"extend", "eve/1.1+1d", "ada+30m,eve/1.1+1440m"},
        {"extend", "ada+0m", "eve/1.1+1440m"},
        {"extend", "4000000001+10m", "eve/1.1+1440m,uid 4000000001+10m"},
        {"extend", "uid 4000000001+20m", "eve/1.1+1440m,uid 4000000001+20m"},
        {"extend", "4000000001+0m", "eve/1.1+1440m"},
        {"late", "20", "20"},
        {"counts", "best", "best"},
        {"assistants", "bob,carol", "bob,carol"},
        {"gpus", "2", "2"},
        {"cores", "16", "16"},
        {"ranks", "4", "4"},
        {"minutes", "5", "5"},
        {"gigabytes", "80", "80"},
        {"slurm", "yes", "yes"},
        {"slurm", "debug", "debug"},
        {"slurm", "no", "no"},
        {"synchronised", "yes", "yes"},
    };
    struct classroom_settings s;
    (void)state;
    classroom_settings_new(&s, "x");
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        if (!classroom_set(&s, rows[i].name, rows[i].value, NOW, &m))
            fail_msg("%s=%s: %s", rows[i].name, rows[i].value, m.what);
        char *listed = text_of(&s, rows[i].name);
        assert_string_equal(listed, rows[i].listed);
        free(listed);
    }
}

static void what_cannot_be_set_changes_nothing(void **state) {
    static const struct {
        const char *name, *value, *says;
    } rows[] = {
        {"colour", "red", "unknown setting"},
        {"name", "", "one line"},
        {"name", "a\033b", "one line"},
        {"ends", "noon", "not a time"},
        {"ends", "12:30 or so", "not a time"},
        {"ends", "+5", "not a time"},
        {"due", "1.1", "LESSON@TIME"},
        {"due", "9.9@12:00", "not a lesson of this class"},
        {"extend", "ada", "ACCOUNT+30m"},
        {"extend", "ada+x", "ACCOUNT+30m"},
        {"extend", "+30m", "ACCOUNT+30m"},
        {"extend", "ada/+30m", "ACCOUNT+30m"},
        {"extend", "a\033b+30m", "cannot be a name"},
        {"lessons", "1.1,1\t2", "cannot be a name"},
        {"lessons", ":15", "cannot be a name"},
        {"lessons", "1.1,1.2,1.1", "twice"},
        {"assistants", "b\nob", "cannot be a name"},
        {"late", "101", "from 0 to 100"},
        {"late", "ten", "from 0 to 100"},
        {"counts", "all", "first, best or last"},
        {"cores", "0", "from 1"},
        {"lessons", "1.1:0", "from 1"},
        {"slurm", "", "partition"},
        {"slurm", "../gpu", "partition"},
        {"synchronised", "maybe", "yes or no"},
    };
    struct classroom_settings s, before;
    (void)state;
    classroom_settings_new(&s, "x");
    before = s;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        assert_false(classroom_set(&s, rows[i].name, rows[i].value, NOW, &m));
        if (!strstr(m.what, rows[i].says)) fail_msg("%s: %s", rows[i].value, m.what);
        assert_memory_equal(&s, &before, sizeof s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_typed_is_listed_as_one_would_type_it),
        cmocka_unit_test(what_cannot_be_set_changes_nothing),
    };
    return cmocka_run_group_tests_name("settings as typed", tests, NULL, NULL);
}
