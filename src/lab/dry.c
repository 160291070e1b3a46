/* A dry run: the schedule itself, over a device that computes nothing and a comm that moves nothing. */
#include "lab/comm.h"
#include "lab/device.h"
#include "lab/predict.h"

bool lab_dry_run(const struct lab_options *o, uint32_t rank, const struct lab_sink *sink) {
    struct lab_options dry = *o;
    struct lab_comm *comm = lab_null_comm(rank, o->ranks);
    struct lab_device *device = lab_null_open_for(o);
    dry.dry = true;
    bool well = comm && device && lab_rank_run(&dry, comm, device, sink);
    if (device) device->row->close(device);
    if (comm) comm->row->close(comm);
    return well;
}
