#include "common.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time)) return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t now(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t own_cpu(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

void server_parse(struct server *server, const char *text) {
    char *copy = strdup(text), *rest = copy;
    for (char *part; (part = strsep(&rest, ",")) && server->count < 64;)
        if (*part) server->pids[server->count++] = atoi(part);
    free(copy);
}

uint64_t server_cpu(const struct server *server) {
    uint64_t sum = 0;
    for (int i = 0; i < server->count; i++) {
        clockid_t clock;
        if (clock_getcpuclockid(server->pids[i], &clock) == 0) sum += read_clock(clock);
    }
    return sum;
}

uint64_t server_memory(const struct server *server) {
    uint64_t sum = 0;
    for (int i = 0; i < server->count; i++) {
        char path[64], line[256];
        snprintf(path, sizeof path, "/proc/%d/smaps_rollup", server->pids[i]);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        unsigned long kilobytes;
        while (fgets(line, sizeof line, file))
            if (sscanf(line, "Pss_Anon: %lu kB", &kilobytes) == 1) sum += kilobytes * 1024;
        fclose(file);
    }
    return sum;
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    exit(1);
}

void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int connect_to(int port, int index) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0) fail("socket");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    // Each source address has its own ports, so a few of them carry any number of connections.
    struct sockaddr_in source = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001u + (unsigned)index / 16384u)};
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&source, sizeof source)) fail("bind");
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&target, sizeof target)) fail("connect to port %d", port);
    return fd;
}

void send_all(int fd, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t sent = send(fd, next, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) fail("send");
        next += sent;
        count -= (size_t)sent;
    }
}

void samples_add(struct samples *samples, uint64_t nanoseconds) {
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 4096;
        samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
        if (!samples->values) fail("out of memory");
    }
    uint64_t value = nanoseconds / 100;
    samples->values[samples->count++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double samples_quantile(struct samples *samples, double q) {
    if (samples->count == 0) return 0;
    qsort(samples->values, samples->count, sizeof *samples->values, ascending);
    return samples->values[(size_t)((double)(samples->count - 1) * q)] / 10.0;
}

int inbox_fill(struct inbox *inbox, int fd) {
    if (inbox->capacity - inbox->count < 4096) {
        inbox->capacity = inbox->capacity ? inbox->capacity * 2 : 16384;
        inbox->bytes = realloc(inbox->bytes, inbox->capacity);
        if (!inbox->bytes) fail("out of memory");
    }
    ssize_t count = recv(fd, inbox->bytes + inbox->count, inbox->capacity - inbox->count - 1, MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    inbox->count += (size_t)count;
    inbox->bytes[inbox->count] = 0;
    return count > 0;
}

void inbox_drop(struct inbox *inbox, size_t count) {
    inbox->count -= count;
    memmove(inbox->bytes, inbox->bytes + count, inbox->count);
    if (inbox->count == 0) {  // an idle connection holds no memory of ours
        free(inbox->bytes);
        *inbox = (struct inbox){0};
    } else {
        inbox->bytes[inbox->count] = 0;
    }
}

void inbox_wait(struct inbox *inbox, int fd) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, 10000) != 1) fail("no answer within ten seconds");
    if (!inbox_fill(inbox, fd)) fail("a connection was closed");
}

size_t http_response(const struct inbox *inbox, int *status, const char **body) {
    if (inbox->count < 16) return 0;
    char *end = memmem(inbox->bytes, inbox->count, "\r\n\r\n", 4);
    if (!end) return 0;
    *status = atoi(inbox->bytes + 9);
    size_t head = (size_t)(end - inbox->bytes) + 4, length = 0;
    for (char *line = inbox->bytes; line < end; line = (char *)memmem(line, (size_t)(end + 2 - line), "\r\n", 2) + 2)
        if (!strncasecmp(line, "content-length:", 15)) length = strtoul(line + 15, NULL, 10);
    *body = inbox->bytes + head;
    return head + length <= inbox->count ? head + length : 0;
}

int ws_frame(const struct inbox *inbox, struct frame *frame) {
    const unsigned char *bytes = (const unsigned char *)inbox->bytes;
    if (inbox->count < 2) return 0;
    size_t head = 2, length = bytes[1] & 0x7f;
    if (length >= 126) {
        size_t size = length == 126 ? 2 : 8;
        if (inbox->count < 2 + size) return 0;
        length = 0;
        for (size_t i = 0; i < size; i++) length = length << 8 | bytes[2 + i];
        head += size;
    }
    if (inbox->count < head + length) return 0;
    *frame = (struct frame){bytes[0] & 0x0f, inbox->bytes + head, length, head + length};
    return 1;
}

void ws_send(int fd, int opcode, const char *text, size_t length) {
    char frame[4096] = {(char)(0x80 | opcode)};  // a mask of zeros leaves the payload as it is
    size_t head = 2;
    if (length + 8 > sizeof frame) fail("message too long");
    if (length < 126) {
        frame[1] = (char)(0x80 | length);
    } else {
        frame[1] = (char)(0x80 | 126);
        frame[2] = (char)(length >> 8);
        frame[3] = (char)length;
        head = 4;
    }
    memset(frame + head, 0, 4);
    memcpy(frame + head + 4, text, length);
    send_all(fd, frame, head + 4 + length);
}

void ws_upgrade(int fd, int port, const char *path, const char *more, struct inbox *inbox) {
    char text[1024];
    int count = snprintf(
        text, sizeof text,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
        path, port, more);
    send_all(fd, text, (size_t)count);
    int status;
    const char *body;
    size_t length;
    while (!(length = http_response(inbox, &status, &body))) inbox_wait(inbox, fd);
    if (status != 101) fail("the upgrade was answered %d", status);
    inbox_drop(inbox, length);
}
