// What Glibc's Swift overlay leaves out. Each line says what it is for.
#pragma once

#include <fcntl.h>        // O_NONBLOCK, O_CLOEXEC: accept4 takes their values
#include <sys/epoll.h>    // the event loop
#include <sys/eventfd.h>  // waking a loop from another thread
#include <signal.h>       // SIGKILL
#include <sys/ioctl.h>    // ioctl takes any number of arguments, and so is hidden from Swift
#include <linux/sockios.h> // SIOCOUTQ
#include <spawn.h>        // posix_spawn_file_actions_t
#include <sys/prctl.h>    // no new privileges, end with the parent, capabilities, names of threads
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

// How many cores this process may use, which a container may have limited; 0 where the kernel does not say. The C library
// declares sched_getaffinity and its macros for _GNU_SOURCE only.
static inline int clinux_usable_cores(void) {
    unsigned long mask[128] = {0};
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long word = 0; word < bytes / (long)sizeof mask[0]; word++) count += __builtin_popcountl(mask[word]);
    return count;
}

// How many bytes written to a TCP socket its other end has not acknowledged yet; one that ends counts as a byte.
static inline int clinux_unacknowledged(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

// Names the calling thread for tools; prctl takes any number of arguments, and so is hidden from Swift.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Closes everything from a descriptor on in a spawned process; declared for _DEFAULT_SOURCE only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

// A session of its own for a spawned process: POSIX_SPAWN_SETSID, declared for _GNU_SOURCE only.
static const int clinux_spawn_session = 0x80;

// What the launcher of schemes needs; it runs before there is a second thread.

// fork is not for Swift programs with threads, and so hidden from Swift.
static inline int clinux_fork(void) { return fork(); }

// The one call that starts a scheme. The filter compares all 64 bits of both outer arguments, of which the kernel looks
// at the lower 32 only: the upper ones are the launcher's secret.
static inline int clinux_exec(
    unsigned long long folder, const char *path, char *const arguments[], char *const environment[],
    unsigned long long flags) {
    return (int)syscall(SYS_execveat, folder, path, arguments, environment, flags);
}

// Namespaces of one's own.
static const int clinux_new_user = 0x10000000;
static const int clinux_new_processes = 0x20000000;
static const int clinux_new_network = 0x40000000;
static const int clinux_new_ipc = 0x08000000;
static const int clinux_new_names = 0x04000000;
static inline int clinux_unshare(int kinds) { return (int)syscall(SYS_unshare, kinds); }

// What a process may use of itself.
static inline int clinux_limit(int resource, unsigned long long value) {
    const unsigned long long both[2] = {value, value};
    return (int)syscall(SYS_prlimit64, 0, resource, both, (void *)0);
}
static const int clinux_limit_space = RLIMIT_AS;
static const int clinux_limit_core = RLIMIT_CORE;
static const int clinux_limit_file = RLIMIT_FSIZE;
static const int clinux_limit_files = RLIMIT_NOFILE;
static const int clinux_limit_threads = RLIMIT_NPROC;
static const int clinux_limit_queues = RLIMIT_MSGQUEUE;

// Closes everything from a descriptor on that is not about to be closed by the start of a program anyway.
static inline int clinux_close_all_from(unsigned from) {
    return (int)syscall(SYS_close_range, from, ~0U, 0);
}

static inline int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int clinux_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

// Gives up every capability, for good where that is allowed.
static inline int clinux_drop_capabilities(void) {
    for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    const struct { unsigned version; int process; } head = {0x20080522, 0};
    const struct { unsigned effective, permitted, inheritable; } none[2] = {{0, 0, 0}, {0, 0, 0}};
    return (int)syscall(SYS_capset, &head, none);
}

// A supplementary group list of none; declared for _DEFAULT_SOURCE only.
static inline int clinux_drop_groups(void) { return (int)syscall(SYS_setgroups, 0, (void *)0); }
static inline int clinux_become(unsigned identity) {
    if (syscall(SYS_setresgid, identity, identity, identity) != 0) return -1;
    return (int)syscall(SYS_setresuid, identity, identity, identity);
}

// To name a file without opening it: O_PATH, declared for _GNU_SOURCE only.
static const int clinux_path_alone = 010000000;

// Landlock. The structs are spelled out, because the headers of Debian 12 are older than what kernels know.
static inline int clinux_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, (void *)0, 0, 1);
}
static inline int clinux_landlock_create(
    unsigned long long files, unsigned long long network, unsigned long long scoped, unsigned long size) {
    const unsigned long long rules[3] = {files, network, scoped};
    return (int)syscall(SYS_landlock_create_ruleset, rules, size, 0);
}
static inline int clinux_landlock_allow(int rules, int beneath, unsigned long long access) {
    const struct { unsigned long long access; int beneath; } __attribute__((packed)) rule = {access, beneath};
    return (int)syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
}
static inline int clinux_landlock_restrict(int rules) {
    return (int)syscall(SYS_landlock_restrict_self, rules, 0);
}

// A descriptor that becomes readable when a child ends.
static inline int clinux_watch(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// The file of the library or program that a symbol belongs to; NULL where that is not known. dladdr is declared for
// _GNU_SOURCE only, which must not be defined here.
extern int dladdr(const void *symbol, void *place);
static inline const char *clinux_file_of(const void *symbol) {
    struct { const char *file; void *base; const char *name; void *address; } place = {0};
    return dladdr(symbol, &place) == 0 ? 0 : place.file;
}
