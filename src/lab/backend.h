/* What this program was built with: kinds of devices, and for each of them how ranks reach each
 * other. zerolab.c walks this table and names neither. backends.c has the table of zerolab,
 * cuda/backends.c that of zerolab-cuda. */
#ifndef LAB_BACKEND_H
#define LAB_BACKEND_H

#include "lab/comm.h"
#include "lab/device.h"
#include "lab/options.h"

#include <stdio.h>

struct lab_json;

/* How the ranks of a device reach each other. */
struct lab_way {
    enum lab_transport comm;
    /* ranks are threads of one process, not processes */
    bool threads;
    /* Threads: what they share, made once before they start. */
    void *(*share)(const struct lab_options *o, struct lab_message *m);
    void (*unshare)(void *shared);
    /* Processes that meet (lab/meet.h) before they run: makes ready what the comm stands on, and
     * says its version, in which all must agree. NULL: they need no meeting. */
    bool (*prepare)(const struct lab_options *o, uint32_t rank, uint32_t *version,
                    struct lab_message *m);
    /* The rank's comm, for its device, which outlives it. `shared`: see share; of processes that
     * meet, the struct lab_meet. */
    struct lab_comm *(*open)(const struct lab_options *o, struct lab_device *device, void *shared,
                             uint32_t rank, struct lab_message *m);
};
/* A kind of device. */
struct lab_backend {
    enum lab_kind kind;
    const struct lab_way *way;
    size_t ways;
    /* Whether `needed` such devices are here. Asked in the launcher, in which nothing may be
     * initialised that a fork does not survive. False with one line. NULL: always. */
    bool (*find)(uint32_t needed, struct lab_message *m);
    /* `local`: the rank's number among the processes on this machine; of threads, the device's
     * number. */
    struct lab_device *(*open)(const struct lab_options *o, uint32_t local, struct lab_message *m);
    /* What such devices here are called; NULL: what the machine itself is called. */
    void (*hardware)(char *out, size_t size);
    /* Members of `versions` in the start event, and elements of `devices` of --probe; NULL:
     * none. */
    void (*versions)(const struct lab_options *o, struct lab_json *j);
    /* A line for who reads a run, of what makes it slower than need be; "" if nothing does. NULL:
     * nothing does. */
    void (*note)(char *out, size_t size);
    void (*probe)(struct lab_json *j);
    /* Times one rank's BLAS alone, loaded as these options load it, or (o: NULL) as this process
     * has it. Returns GFLOP/s; 0 if that failed. NULL: it has no BLAS to time. */
    double (*gflops)(const struct lab_options *o);
};
/* All of them. */
const struct lab_backend *lab_backends(size_t *count);
/* What was asked for; NULL with one line where this program was built without it. */
const struct lab_backend *lab_backend_for(const struct lab_options *o, struct lab_message *m);
const struct lab_way *lab_way_for(const struct lab_backend *b, const struct lab_options *o,
                                  struct lab_message *m);

/* Writes what the run is on: "NVIDIA H200", "Intel …, 2 cores". */
void lab_machine(const struct lab_options *o, char *out, size_t size);
/* Writes the members of `versions`. */
void lab_versions(const struct lab_options *o, struct lab_json *j);
/* Writes what makes the run slower than it need be, for a person. "" if nothing does. */
void lab_machine_note(const struct lab_options *o, char *out, size_t size);
/* Times the BLAS, for about 10 ms: GFLOP/s of one rank's, alone. 0: not known, or nothing is to be
 * multiplied. */
double lab_machine_gflops(const struct lab_options *o);
/* Returns "real", "shared processor" or "emulated link". */
const char *lab_times(const struct lab_options *o);
/* Whether ranks share a processor. Under an emulated link its times are not a cluster's either. */
bool lab_crowded(const struct lab_options *o);
void lab_probe(FILE *f);

#endif
