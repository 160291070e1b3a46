/* Reads a GPU's state through NVML, which is opened at run time, so that the build needs neither
 * header nor library. Without NVML nothing is known, and the lab runs all the same. Prototypes and
 * values are those of NVIDIA's NVML API reference. */
#ifndef LAB_CUDA_NVML_H
#define LAB_CUDA_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab_nvml;
/* 0 if unknown. */
struct lab_nvml_reading {
    double power_w;
    uint32_t sm_mhz;
};
/* The GPU with this PCI bus id ("0000:1B:00.0"). NULL without NVML, or if NVML does not know the
 * GPU. */
struct lab_nvml *lab_nvml_open(const char *bus);
void lab_nvml_close(struct lab_nvml *n);
/* Bytes in use by all processes, without those that the driver reserves for itself. False if
 * unknown. This is a query of its own because it runs at every allocation, and the rest may take
 * the driver milliseconds. */
bool lab_nvml_used(struct lab_nvml *n, uint64_t *used);
void lab_nvml_read(struct lab_nvml *n, struct lab_nvml_reading *out);
/* "580.159.03"; "" if unknown. */
void lab_nvml_driver(struct lab_nvml *n, char *out, size_t size);
/* NVLinks that are up; −1 if unknown. */
int lab_nvml_links(struct lab_nvml *n);

#endif
