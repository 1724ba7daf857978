/* Loaded before TensorFlow (LD_PRELOAD) into the servers of the book.

   Its functions stand in front of those of the same name, and call them:
   one keeps sockets on loopback, the others count. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* TensorFlow's server listens on all addresses of a machine, whatever its
   cluster's specification says.  Here it gets 127.0.0.1, or the same as an
   IPv6 address, ::ffff:127.0.0.1. */
long guarded; /* calls of `bind` that asked for another address */

int bind(int fd, const struct sockaddr *address, socklen_t size)
{
    static const unsigned char mapped[16] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};
    int (*next)(int, const struct sockaddr *, socklen_t) =
        dlsym(RTLD_NEXT, "bind");
    struct sockaddr_storage local;

    if (size > sizeof local)
        return next(fd, address, size);
    memcpy(&local, address, size);
    if (local.ss_family == AF_INET)
        ((struct sockaddr_in *)&local)->sin_addr.s_addr =
            htonl(INADDR_LOOPBACK);
    if (local.ss_family == AF_INET6)
        memcpy(&((struct sockaddr_in6 *)&local)->sin6_addr, mapped, 16);
    if (memcmp(&local, address, size))
        __atomic_add_fetch(&guarded, 1, __ATOMIC_RELAXED);
    return next(fd, (struct sockaddr *)&local, size);
}

/* How often the C++ library turned a message of a kind into bytes: each
   kind has one function that does it, named here as the linker names it. */
#define COUNT(kind, length)                                               \
    long serialised_##kind;                                               \
    void *kind##_bytes(void *, void *, void *) __asm__(NAME(kind, length)); \
    void *kind##_bytes(void *message, void *to, void *stream)             \
    {                                                                     \
        static void *(*next)(void *, void *, void *);                     \
        if (!next)                                                        \
            next = dlsym(RTLD_NEXT, NAME(kind, length));                  \
        __atomic_add_fetch(&serialised_##kind, 1, __ATOMIC_RELAXED);      \
        return next(message, to, stream);                                 \
    }
#define NAME(kind, length)                    \
    "_ZNK10tensorflow" #length #kind          \
    "18_InternalSerializeEPhPN6google8protobuf2io19EpsCopyOutputStreamE"

COUNT(GraphDef, 8)
COUNT(NodeDef, 7)
COUNT(FunctionDef, 11)
COUNT(AttrValue, 9)
