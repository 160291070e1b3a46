/* network.c: whether a file stands on a network file system. Write-ahead logs share memory between
 * programs, which works on one machine only (sqlite.org/wal.html). The one file of this module that
 * asks the system. */
#include "store/inside.h"

#ifdef __linux__
#include <sys/vfs.h>

/* The numbers are those of statfs(2) and linux/magic.h. FUSE is here because sshfs and its kin hide
 * behind it, 9p because virtual machines share folders by it: a rollback journal is right on all of
 * them, only slower. */
static const uint64_t network_types[] = {
    0x6969,     /* NFS */
    0x517B,     /* SMB */
    0xFE534D42, /* SMB 2 */
    0xFF534D42, /* CIFS */
    0x564C,     /* NCP */
    0x5346414F, /* AFS */
    0x6B414653, /* kAFS */
    0x73757245, /* Coda */
    0x01021997, /* 9p */
    0x65735546, /* FUSE */
    0x00C36400, /* Ceph */
    0x0BD00BD0, /* Lustre */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0x7461636F, /* OCFS2 */
    0x01161970, /* GFS2 */
    0x786F4256, /* VirtualBox's shared folders */
};

bool store_network_type(uint64_t type) {
    for (size_t i = 0; i < BASE_COUNT(network_types); i++)
        if (network_types[i] == type) return true;
    return false;
}

bool store_network_path(const char *path) {
    struct statfs fs;
    /* Some of the numbers have their top bit set, and f_type is signed on some machines. */
    return statfs(path, &fs) == 0 && store_network_type((uint64_t)fs.f_type & UINT32_MAX);
}
#else
/* POSIX does not tell the type. A rollback journal is right everywhere. */
bool store_network_type(uint64_t type) {
    (void)type;
    return true;
}

bool store_network_path(const char *path) {
    (void)path;
    return true;
}
#endif
