/* What the driver knows of a GPU, by NVML, which is opened at run time: no header, no library is
 * needed to build. Where there is none, nothing is known, and the lab goes on. Prototypes and
 * values are those of NVIDIA's NVML API reference. */
#ifndef LAB_CUDA_NVML_H
#define LAB_CUDA_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab_nvml;
/* 0: not known. */
struct lab_nvml_reading {
    double power_w;
    uint32_t sm_mhz;
};
/* The GPU on this PCI bus id ("0000:1B:00.0"). NULL where there is no NVML, or it does not know the
 * GPU. */
struct lab_nvml *lab_nvml_open(const char *bus);
void lab_nvml_close(struct lab_nvml *n);
/* Bytes in use by everybody, without what the driver reserves for itself; false where not known. It
 * is asked apart from the rest, which may take the driver milliseconds: this is asked at every
 * allocation. */
bool lab_nvml_used(struct lab_nvml *n, uint64_t *used);
void lab_nvml_read(struct lab_nvml *n, struct lab_nvml_reading *out);
/* "580.159.03"; "" where not known. */
void lab_nvml_driver(struct lab_nvml *n, char *out, size_t size);
/* NVLinks that are up; −1 where not known. */
int lab_nvml_links(struct lab_nvml *n);

#endif
