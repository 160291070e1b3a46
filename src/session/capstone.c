/* capstone: the lab of that name for the course's own scenario. */
#include "session/inside.h"

struct experiment_capstone *session_lab_of_course(struct base_message *m) {
    struct memo_scenario course;
    memo_scenario_vary(0, &course);
    return experiment_capstone_new(&course.training, course.card_bytes, EXPERIMENT_ALL_STAGES,
                                   experiment_capacity_here(), m);
}
