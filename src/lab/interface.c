#include "lab/interface.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a list of NCCL_SOCKET_IFNAME's form has the name: "eth,ib" prefixes, "=eth0" whole names,
 * "^…" all others. A ":port" is ignored. */
static bool listed(const char *list, const char *name) {
    bool others = *list == '^', found = false;
    if (others) list++;
    bool whole = *list == '=';
    if (whole) list++;
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        size_t length = strcspn(list, ",:");
        if (length && strncmp(name, list, length) == 0 && (!whole || !name[length])) found = true;
    }
    return found != others;
}
static bool fits(const struct ifaddrs *a, const char *list) {
    const char *family = getenv("NCCL_SOCKET_FAMILY");
    const struct sockaddr_in6 *six = (const void *)a->ifa_addr;
    if (!a->ifa_addr || !(a->ifa_flags & IFF_UP) || !listed(list, a->ifa_name)) return false;
    if (family && strcmp(family, "AF_INET") == 0) return a->ifa_addr->sa_family == AF_INET;
    if (a->ifa_addr->sa_family == AF_INET6) return !IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    return a->ifa_addr->sa_family == AF_INET && !(family && strcmp(family, "AF_INET6") == 0);
}
static const struct ifaddrs *first_of(const struct ifaddrs *all, const char *list) {
    while (all && !fits(all, list)) all = all->ifa_next;
    return all;
}
bool lab_interface(char name[LAB_INTERFACE_SIZE], struct sockaddr_storage *address) {
    static const char *const order[] = {"ib", "^docker,lo,virbr", "docker", "lo", "virbr"};
    const char *given = getenv("NCCL_SOCKET_IFNAME");
    struct ifaddrs *all = NULL;
    const struct ifaddrs *found = NULL;
    if (getifaddrs(&all)) return false;
    if (given && strlen(given) > 1) found = first_of(all, given);
    for (size_t i = 0; !(given && strlen(given) > 1) && i < 5 && !found; i++)
        found = first_of(all, order[i]);
    if (found) {
        bool six = found->ifa_addr->sa_family == AF_INET6;
        *address = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
        memcpy(address, found->ifa_addr,
               six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
        (void)snprintf(name, LAB_INTERFACE_SIZE, "%s", found->ifa_name);
    }
    freeifaddrs(all);
    return found != NULL;
}
const char *lab_address_text(const struct sockaddr_storage *a, char out[LAB_ADDRESS_SIZE]) {
    socklen_t size =
        a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (getnameinfo((const struct sockaddr *)a, size, out, LAB_ADDRESS_SIZE, NULL, 0,
                    NI_NUMERICHOST))
        (void)snprintf(out, LAB_ADDRESS_SIZE, "nowhere");
    return out;
}
