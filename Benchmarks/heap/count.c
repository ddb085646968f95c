/* Counts what a program asks of the heap: preloaded, it counts and passes every call on.
 *
 * HEAP_COUNTS names a file; each process makes one of its own, with its number behind the name. The file is shared
 * memory, so counts are read while the program runs, without asking it anything. Its words are 64 bits wide:
 *
 *   0  calls of malloc, calloc, realloc and their kin
 *   1  bytes asked for
 *   2  written by a reader: while it is not 0, the stack of every call is kept as well
 *   3  stacks kept
 *   4… a stack each, in SLOT words: bytes, number of frames, return addresses from the innermost
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = 4, SLOT = 64, SLOTS = 1 << 16 };

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t *counts;
/* Walking a stack may allocate by itself. */
static _Thread_local int is_walking;

__attribute__((constructor)) static void start(void) {
    const char *name = getenv("HEAP_COUNTS");
    if (!name) return;
    char path[4096];
    if (snprintf(path, sizeof path, "%s.%d", name, (int)getpid()) >= (int)sizeof path) return;
    void *frames[1];
    backtrace(frames, 1); /* loads what it needs, now rather than within malloc */
    size_t size = (HEAD + (size_t)SLOT * SLOTS) * sizeof *counts;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, (off_t)size) == 0) {
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) counts = memory;
    }
    close(file);
}

static __attribute__((noinline)) void keep_stack(size_t size) {
    if (is_walking) return;
    is_walking = 1;
    uint64_t place = atomic_fetch_add_explicit(&counts[3], 1, memory_order_relaxed);
    if (place < SLOTS) {
        void *frames[SLOT - 2];
        int depth = backtrace(frames, SLOT - 2);
        _Atomic uint64_t *slot = counts + HEAD + place * SLOT;
        for (int index = 0; index < depth; index++) slot[2 + index] = (uint64_t)frames[index];
        slot[0] = size;
        slot[1] = (uint64_t)depth;
    }
    is_walking = 0;
}

static inline void count(size_t size) {
    if (!counts) return;
    atomic_fetch_add_explicit(&counts[0], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts[1], size, memory_order_relaxed);
    if (atomic_load_explicit(&counts[2], memory_order_relaxed)) keep_stack(size);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(size);
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
