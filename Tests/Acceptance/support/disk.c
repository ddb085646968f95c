/* A disk that can be watched and can fail, for LD_PRELOAD under the server.

   GRADECAST_DISK_FOLDER  the folder it is about; everything else passes untouched
   GRADECAST_DISK_LOG     a file to which every write, truncation, removal, renaming and sync is appended, in order
   GRADECAST_DISK_FAULT   a file: when its first byte is 'f' writes fail with ENOSPC, when it is 's' syncs fail
                          with EIO; when it is not there, nothing fails */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3, REMOVE = 4, RENAME = 5 };

struct record {
    uint32_t operation, name;
    uint64_t offset, size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The name below the folder of a path, "" for the folder itself; NULL for what lies elsewhere, and for the index of the
   write-ahead log, which is rebuilt. */
static const char *inside(const char *path) {
    const char *folder = getenv("GRADECAST_DISK_FOLDER");
    size_t prefix = folder ? strlen(folder) : 0, length = strlen(path);
    if (!folder || strncmp(path, folder, prefix) || (path[prefix] && path[prefix] != '/')) return NULL;
    if (length > 4 && !strcmp(path + length - 4, "-shm")) return NULL;
    return path + prefix + (path[prefix] == '/');
}

/* The same for an open file. */
static const char *watched(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return inside(path);
}

static int fails(char kind) {
    const char *path = getenv("GRADECAST_DISK_FAULT");
    int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0) return 0;
    char found = 0;
    ssize_t count = read(descriptor, &found, 1);
    close(descriptor);
    return count == 1 && found == kind;
}

static void note(uint32_t operation, const char *name, uint64_t offset, const void *bytes, size_t size) {
    static int log = -1;
    const char *path = getenv("GRADECAST_DISK_LOG");
    if (!path) return;
    if (log < 0) log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct record record = {operation, (uint32_t)strlen(name), offset, operation == WRITE || operation == RENAME ? size : 0};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)name, record.name}, {(void *)bytes, record.size}};
    if (writev(log, parts, 3) != (ssize_t)(sizeof record + record.name + record.size)) abort();
}

static ssize_t put(int descriptor, const void *bytes, size_t size, off64_t offset, int moves) {
    char path[4096];
    const char *name = watched(descriptor, path, sizeof path);
    if (name && fails('f')) {
        errno = ENOSPC;
        return -1;
    }
    if (!name) return moves ? REAL(write)(descriptor, bytes, size) : REAL(pwrite64)(descriptor, bytes, size, offset);
    pthread_mutex_lock(&lock);
    if (moves) offset = lseek64(descriptor, 0, SEEK_CUR);
    ssize_t count = moves ? REAL(write)(descriptor, bytes, size) : REAL(pwrite64)(descriptor, bytes, size, offset);
    if (count > 0) note(WRITE, name, (uint64_t)offset, bytes, (size_t)count);
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t write(int descriptor, const void *bytes, size_t size) { return put(descriptor, bytes, size, 0, 1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t at) { return put(descriptor, bytes, size, at, 0); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t at) {
    return put(descriptor, bytes, size, at, 0);
}

static int cut(int descriptor, off64_t size) {
    char path[4096];
    const char *name = watched(descriptor, path, sizeof path);
    pthread_mutex_lock(&lock);
    int result = REAL(ftruncate64)(descriptor, size);
    if (name && result == 0) note(TRUNCATE, name, (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t size) { return cut(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return cut(descriptor, size); }

/* What was written before the call is on the disk when the note of it is in the log. */
static int flush(int descriptor, int (*real)(int)) {
    char path[4096];
    const char *name = watched(descriptor, path, sizeof path);
    if (name && fails('s')) {
        errno = EIO;
        return -1;
    }
    pthread_mutex_lock(&lock);
    int result = real(descriptor);
    if (name && result == 0) note(SYNC, name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int descriptor) { return flush(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return flush(descriptor, REAL(fdatasync)); }

/* The new name stands where a write has its bytes. */
int rename(const char *old, const char *new) {
    char from[4096], to[4096];
    const char *name = realpath(old, from) ? inside(from) : NULL;
    pthread_mutex_lock(&lock);
    int result = REAL(rename)(old, new);
    const char *other = name && result == 0 && realpath(new, to) ? inside(to) : NULL;
    if (other) note(RENAME, name, 0, other, strlen(other));
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    char whole[4096];
    const char *name = realpath(path, whole) ? inside(whole) : NULL;
    pthread_mutex_lock(&lock);
    int result = REAL(unlink)(path);
    if (name && result == 0) note(REMOVE, name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}
