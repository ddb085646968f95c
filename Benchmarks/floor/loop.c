// The floor of the engines: one thread, one epoll, and nothing that is not needed for the answer. It parses just enough
// of HTTP to find the end of a request and sends with send(); no limits, no time-outs, no back-pressure, no checks.
//
//     loop PORT          GET /json · POST /pub/TOPIC · GET /ws/TOPIC (WebSocket)
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"

enum { TOPICS = 1 << 15, NAME = 32, CONNECTIONS = 1 << 17, REQUEST = 1 << 16 };

struct topic {
    char name[NAME];
    int *subscribers, count, capacity;
};

static struct topic topics[TOPICS];
static struct topic *topic_of[CONNECTIONS];  // of a subscriber

// Open addressing: the table is far larger than what is asked of it.
static struct topic *topic_named(const char *name, size_t length) {
    unsigned hash = 2166136261u;
    if (length >= NAME) length = NAME - 1;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    for (;; hash++) {
        struct topic *topic = &topics[hash % TOPICS];
        if (topic->name[0] == 0) memcpy(topic->name, name, length);
        if (!strncmp(topic->name, name, length) && topic->name[length] == 0) return topic;
    }
}

static void put(int fd, const void *bytes, size_t count) {
    if (send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)count) fail("a reader is too slow");
}

static void publish(struct topic *topic, const char *body, size_t length) {
    unsigned char frame[REQUEST + 4] = {0x81};
    size_t head = 2;
    if (length < 126) {
        frame[1] = (unsigned char)length;
    } else {
        frame[1] = 126;
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
        head = 4;
    }
    memcpy(frame + head, body, length);
    for (int i = 0; i < topic->count; i++) put(topic->subscribers[i], frame, head + length);
}

static void subscribe(int fd, struct topic *topic, const char *head, size_t length) {
    static const char magic[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char *key = memmem(head, length, "Sec-WebSocket-Key: ", 19), joined[64], accept[40], response[256];
    unsigned char digest[SHA_DIGEST_LENGTH];
    if (!key || key + 43 > head + length) fail("no key");
    memcpy(joined, key + 19, 24);
    memcpy(joined + 24, magic, 36);
    SHA1((unsigned char *)joined, 60, digest);
    EVP_EncodeBlock((unsigned char *)accept, digest, sizeof digest);
    int count = snprintf(
        response, sizeof response,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n", accept);
    put(fd, response, (size_t)count);
    if (topic->count == topic->capacity) {
        topic->capacity = topic->capacity ? topic->capacity * 2 : 1;
        topic->subscribers = realloc(topic->subscribers, (size_t)topic->capacity * sizeof(int));
    }
    topic->subscribers[topic->count++] = fd;
    topic_of[fd] = topic;
}

// Answers the first request; how many bytes it had, 0 while it is incomplete.
static size_t answer(int fd, const char *bytes, size_t count) {
    char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = (size_t)(end - bytes) + 4;
    if (!memcmp(bytes, "GET /json", 9)) {
        static const char response[] =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"
            "{\"message\":\"hello\",\"n\":123}";
        put(fd, response, sizeof response - 1);
        return head;
    }
    if (!memcmp(bytes, "GET /ws/", 8)) {
        const char *name = bytes + 8;
        subscribe(fd, topic_named(name, strcspn(name, " ")), bytes, head);
        return head;
    }
    if (!memcmp(bytes, "POST /pub/", 10)) {
        static const char response[] = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
        char *field = memmem(bytes, head, "Content-Length: ", 16);
        size_t length = field ? strtoul(field + 16, NULL, 10) : 0;
        if (count < head + length) return 0;
        const char *name = bytes + 10;
        publish(topic_named(name, strcspn(name, " ")), bytes + head, length);
        put(fd, response, sizeof response - 1);
        return head + length;
    }
    fail("unknown request: %.40s", bytes);
}

static void leave(int fd) {
    struct topic *topic = topic_of[fd];
    for (int i = 0; topic && i < topic->count; i++)
        if (topic->subscribers[i] == fd) topic->subscribers[i] = topic->subscribers[--topic->count];
    topic_of[fd] = NULL;
    close(fd);
}

static void serve(int fd) {
    static char bytes[REQUEST];
    ssize_t count = recv(fd, bytes, sizeof bytes - 1, MSG_DONTWAIT);
    if (count <= 0) {
        if (count == 0 || errno != EAGAIN) leave(fd);
        return;
    }
    if (topic_of[fd]) return;
    bytes[count] = 0;
    for (size_t used = 0, length; used < (size_t)count; used += length)
        if (!(length = answer(fd, bytes + used, (size_t)count - used))) fail("a request came in pieces");
}

int main(int count, char **arguments) {
    int port = count > 1 ? atoi(arguments[1]) : 8080, yes = 1;
    raise_file_limit();
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) fail("listen");
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[512];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(poller, events, 512, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                serve(events[i].data.fd);
                continue;
            }
            int fd;
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0 && fd < CONNECTIONS) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = fd};
                epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
            }
        }
    }
}
