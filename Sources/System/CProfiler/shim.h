#pragma once

#include <gperftools/profiler.h>  // samples of the stacks of all threads
#include <linux/memfd.h>          // MFD_CLOEXEC
#include <sys/syscall.h>          // SYS_memfd_create
#include <unistd.h>               // syscall

// A file in memory, which ends with its descriptor. memfd_create is declared for _GNU_SOURCE only, which must not be
// defined here.
static inline int cprofiler_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "profile", MFD_CLOEXEC);
}
