// The engines' load: one connection that asks for a small document again and again, or publishes to topics whose
// subscribers count what arrives.
//
//     messages -p PORT -i PIDS -g PATH [-k CONNECTIONS]                     GET
//     messages -p PORT -i PIDS -n SUBSCRIBERS -t TOPICS [-b BYTES]          POST /pub/tN → WebSocket /ws/tN
//
// Further: [-s SECONDS] [-w WARM-UP]. The next request follows the last one's answer; the next message follows when
// every subscriber of the last one has it, so that nobody ever queues. Prints one line of `name=value`.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common.h"

struct connection {
    int fd, is_subscriber;
    struct inbox inbox;
};

static struct connection *connections;
static int connection_count, poller;
static uint64_t answers, delivered;
static char request[8192];
static int request_length;

static void add(int fd, int is_subscriber, struct inbox inbox) {
    struct connection *connection = &connections[connection_count];
    *connection = (struct connection){fd, is_subscriber, inbox};
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)connection_count++};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
}

static void subscribe(int port, int index, int topics) {
    char path[32];
    struct inbox inbox = {0};
    int fd = connect_to(port, index);
    snprintf(path, sizeof path, "/ws/t%d", index % topics);
    ws_upgrade(fd, port, path, "", &inbox);
    add(fd, 1, inbox);
}

static void came(struct connection *connection) {
    if (!inbox_fill(&connection->inbox, connection->fd)) fail("the server closed a connection");
    if (connection->is_subscriber) {
        struct frame frame;
        while (ws_frame(&connection->inbox, &frame)) {
            delivered += frame.opcode == 1 || frame.opcode == 2;
            inbox_drop(&connection->inbox, frame.total);
        }
        return;
    }
    int status;
    const char *body;
    size_t length = http_response(&connection->inbox, &status, &body);
    if (!length) return;
    if (status / 100 != 2) fail("answered %d", status);
    answers++;
    inbox_drop(&connection->inbox, length);
    if (request_length) send_all(connection->fd, request, (size_t)request_length);
}

static void run_once(void) {
    struct epoll_event events[512];
    int count = epoll_wait(poller, events, 512, 100);
    for (int i = 0; i < count; i++) came(&connections[events[i].data.u64]);
}

int main(int count, char **arguments) {
    struct server server = {0};
    const char *path = NULL;
    int port = 0, parallel = 1, subscribers = 0, topics = 1, bytes = 200;
    double seconds = 4, warm_up = 1;
    for (int option; (option = getopt(count, arguments, "p:i:g:k:n:t:b:s:w:")) != -1;) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'i': server_parse(&server, optarg); break;
        case 'g': path = optarg; break;
        case 'k': parallel = atoi(optarg); break;
        case 'n': subscribers = atoi(optarg); break;
        case 't': topics = atoi(optarg); break;
        case 'b': bytes = atoi(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        default: return 64;
    }
    raise_file_limit();
    poller = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc((size_t)(subscribers + parallel), sizeof *connections);
    uint64_t memory = server_memory(&server);
    for (int i = 0; i < subscribers; i++) subscribe(port, i, topics);
    usleep(200000);
    double each = subscribers ? ((double)server_memory(&server) - (double)memory) / subscribers : 0;
    if (path)
        request_length = snprintf(
            request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    for (int i = 0; i < (path ? parallel : 1); i++) {
        add(connect_to(port, subscribers + i), 0, (struct inbox){0});
        if (path) send_all(connections[subscribers + i].fd, request, (size_t)request_length);
    }
    int publisher = connections[subscribers].fd;
    char body[4096];
    if (bytes >= (int)sizeof body) fail("too long");
    memset(body, 'x', sizeof body);

    uint64_t begin = now() + (uint64_t)(warm_up * 1e9), end = begin + (uint64_t)(seconds * 1e9);
    uint64_t began = 0, answers_before = 0, delivered_before = 0, cpu = 0, own = 0, published = 0, expected = 0;
    while (now() < end) {
        if (!began && now() >= begin) {
            began = now();
            answers_before = answers;
            delivered_before = delivered;
            cpu = server_cpu(&server);
            own = own_cpu();
        }
        if (!path && answers == published && delivered == expected) {
            char post[5000];
            int length = snprintf(
                post, sizeof post,
                "POST /pub/t%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/plain\r\n"
                "Content-Length: %d\r\n\r\n%.*s",
                (int)(published % (uint64_t)topics), port, bytes, bytes, body);
            send_all(publisher, post, (size_t)length);
            published++;
            expected += (uint64_t)(subscribers / topics);
        }
        run_once();
    }
    double elapsed = (double)(now() - began) / 1e9;
    double done = path ? (double)(answers - answers_before) : (double)(delivered - delivered_before);
    printf("per_second=%.1f cpu_us=%.4f client_load=%.3f bytes_per_subscriber=%.0f\n", done / elapsed,
           (double)(server_cpu(&server) - cpu) / 1e3 / done, (double)(own_cpu() - own) / 1e9 / elapsed, each);
    return 0;
}
