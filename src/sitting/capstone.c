/* capstone: the lab of that name for the course's own scenario. */
#include "sitting/inside.h"

struct trial_capstone *lab_of_course(struct base_message *m) {
    struct memo_scenario course;
    memo_scenario_vary(0, &course);
    return trial_capstone_new(&course.training, course.card_bytes, TRIAL_ALL_STAGES, trial_room(),
                              m);
}
