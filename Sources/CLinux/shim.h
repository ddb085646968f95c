// What Glibc's Swift overlay leaves out. Each line says what it is for.
#pragma once

#include <fcntl.h>        // O_NONBLOCK, O_CLOEXEC: accept4 takes their values
#include <sys/epoll.h>    // the event loop
#include <sys/eventfd.h>  // waking a loop from another thread
#include <spawn.h>        // posix_spawn_file_actions_t
#include <sys/resource.h> // RLIMIT_AS
#include <sys/syscall.h>  // SYS_accept4, SYS_prlimit64
#include <unistd.h>       // syscall

// The epoll flags as plain numbers: Swift sees an enum without operators, and one of its members does not fit int.
static const unsigned clinux_readable = EPOLLIN;
static const unsigned clinux_writable = EPOLLOUT;
static const unsigned clinux_failed = EPOLLERR;
static const unsigned clinux_hung_up = EPOLLHUP;
static const unsigned clinux_peer_ended = EPOLLRDHUP;
static const unsigned clinux_edge_triggered = EPOLLET;

// An epoll instance that no child process inherits.
static inline int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

// epoll_ctl without its struct: Swift cannot write into its union in one expression.
static inline int clinux_epoll_add(int epoll, int fd, unsigned events, unsigned long data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline int clinux_epoll_change(int epoll, int fd, unsigned events, unsigned long data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

static inline int clinux_epoll_remove(int epoll, int fd) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, 0);
}

// A counter to wake a loop with; its flags are an enum in C.
static inline int clinux_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// accept4 is declared for _GNU_SOURCE only, which must not be defined here; the address is a sockaddr of any family.
static inline int clinux_accept(int listener, void *address, unsigned *length) {
    return (int)syscall(SYS_accept4, listener, address, length, O_NONBLOCK | O_CLOEXEC);
}

// What a child process may take, set from outside: the address space in bytes, and no core files.
// The struct is spelled out because prlimit and rlimit64 are declared for _GNU_SOURCE only.
static inline int clinux_confine(int pid, unsigned long long memory) {
    const unsigned long long space[2] = {memory, memory};
    const unsigned long long nothing[2] = {0, 0};
    if (syscall(SYS_prlimit64, pid, RLIMIT_AS, space, (void *)0) != 0) return -1;
    return (int)syscall(SYS_prlimit64, pid, RLIMIT_CORE, nothing, (void *)0);
}

// Gives the calling thread the lowest rank: it runs where no other wants the processor, and makes way at once for one
// that wakes. To Linux a thread is what POSIX calls a process here, and 0 the one that calls.
static inline int clinux_make_way(void) {
    return setpriority(PRIO_PROCESS, 0, 19);
}

// Closes everything from a descriptor on in a spawned process; declared for _DEFAULT_SOURCE only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
