/* Addresses as text, and the network interface that NCCL will take for its own connections. Inside
 * the lab only. */
#ifndef LAB_INTERFACE_H
#define LAB_INTERFACE_H

#include <stdbool.h>
#include <sys/socket.h>

enum { LAB_INTERFACE_SIZE = 64 };
/* Its name, and its address. By NCCL_SOCKET_IFNAME and NCCL_SOCKET_FAMILY, or else by NCCL's own
 * order: ib*, then all others, then docker* and virbr*, and the loopback last (NCCL 2.28,
 * misc/socket.cc, ncclFindInterfaces; docs, NCCL_SOCKET_IFNAME). False if there is none. */
bool lab_interface(char name[LAB_INTERFACE_SIZE], struct sockaddr_storage *address);

enum { LAB_ADDRESS_SIZE = 64 };
/* Writes a socket's address as numbers, without its port. Returns `out`. */
const char *lab_address_text(const struct sockaddr_storage *a, char out[LAB_ADDRESS_SIZE]);

#endif
