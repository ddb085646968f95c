// Many calls to the kernel in one. Each line says what it is for.
#pragma once

#include <sys/select.h>   // before liburing.h, which sets _XOPEN_SOURCE: fd_set has to look as it does to Glibc
#include <liburing.h>     // the ring, by the library that its makers keep
#include <sys/socket.h>   // flags of a send

// Queues a send that moves all bytes or says how many it could, never waits, and is silent when all went well.
// WAITALL makes a short send a failure, which is told; DONTWAIT makes it fail at once instead of being tried again.
static inline void curing_prepare_send(
    struct io_uring_sqe *entry, int socket, const void *bytes, size_t count, unsigned index) {
    io_uring_prep_send(entry, socket, bytes, count, MSG_DONTWAIT | MSG_WAITALL | MSG_NOSIGNAL);
    entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
    entry->user_data = index;
}

// What the kernel has to tell, oldest first; NULL when there is no more. liburing 2.3 loops over it by macros.
static inline struct io_uring_cqe *curing_next(struct io_uring *ring) {
    struct io_uring_cqe *entry = NULL;
    return io_uring_peek_cqe(ring, &entry) == 0 ? entry : NULL;
}
