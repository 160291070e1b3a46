#include "classroom/room.h"

struct classroom_folder *room_open(void **state, struct classroom_settings *s) {
    struct base_message m = {0};
    char *path = scratch_path(state, "class");
    struct classroom_folder *f = classroom_make(path, &m);
    assert_non_null(f);
    classroom_settings_new(s, "sys-26");
    assert_true(classroom_settings_write(f, s, &m));
    free(path);
    return f;
}
