// The engines' load: connections that ask for a small document again and again, or publish to topics whose subscribers
// count what arrives.
//
//     messages -p PORT -i PIDS -g PATH [-k CONNECTIONS]                         GET
//     messages -p PORT -i PIDS -n SUBSCRIBERS -t TOPICS [-b BYTES] [-k CONNECTIONS] [-N PORT]
//                                        POST /pub/tN → WebSocket /ws/tN; with -N, NATS: PUB tN to that port
//
// Further: [-s SECONDS] [-w WARM-UP]. On each connection the next request follows the last one's answer, and no more
// messages are under way than there are connections, so that nobody queues for long. Prints one line of `name=value`.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common.h"

struct connection {
    int fd, is_subscriber, is_waiting;
    struct inbox inbox;
};

static struct connection *connections;
static int connection_count, poller;
static uint64_t answers, delivered;
static int speaks_nats;

static void add(int fd, int is_subscriber, struct inbox inbox) {
    struct connection *connection = &connections[connection_count];
    *connection = (struct connection){fd, is_subscriber, 0, inbox};
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)connection_count++};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
}

// Counts the messages among NATS's words: "MSG topic id length", a line end, so many bytes, a line end.
static int nats_messages(const char *text, size_t length) {
    int count = 0;
    for (const char *end = text + length, *line = text, *next; line < end; line = next) {
        if (!(next = memchr(line, '\n', (size_t)(end - line)))) break;
        next++;
        if (strncmp(line, "MSG ", 4)) continue;
        const char *size = next;
        while (size > line && size[-1] != ' ') size--;
        next += strtoul(size, NULL, 10) + 2;
        count++;
    }
    return count;
}

static void subscribe(int port, int index, int topics) {
    char text[64];
    struct inbox inbox = {0};
    struct frame frame;
    int fd = connect_to(port, index), count = snprintf(text, sizeof text, "/ws/t%d", index % topics);
    ws_upgrade(fd, port, speaks_nats ? "/" : text, "", &inbox);
    if (speaks_nats) {
        count = snprintf(text, sizeof text, "CONNECT {\"verbose\":false}\r\nSUB t%d 1\r\nPING\r\n", index % topics);
        ws_send(fd, 1, text, (size_t)count);
        for (int is_ready = 0; !is_ready;) {
            while (!ws_frame(&inbox, &frame)) inbox_wait(&inbox, fd);
            is_ready = memmem(frame.payload, frame.length, "PONG", 4) != NULL;
            inbox_drop(&inbox, frame.total);
        }
    }
    add(fd, 1, inbox);
}

static void came(struct connection *connection) {
    struct inbox *inbox = &connection->inbox;
    if (!inbox_fill(inbox, connection->fd)) fail("the server closed a connection");
    if (connection->is_subscriber) {
        struct frame frame;
        while (ws_frame(inbox, &frame)) {
            if (frame.opcode == 1 || frame.opcode == 2)
                delivered += speaks_nats ? (uint64_t)nats_messages(frame.payload, frame.length) : 1;
            inbox_drop(inbox, frame.total);
        }
    } else if (speaks_nats) {
        // A publisher hears greetings and pings only.
        if (memmem(inbox->bytes, inbox->count, "PING", 4)) send_all(connection->fd, "PONG\r\n", 6);
        inbox_drop(inbox, inbox->count);
    } else {
        int status;
        const char *body;
        size_t length = http_response(inbox, &status, &body);
        if (!length) return;
        if (status / 100 != 2) fail("answered %d", status);
        answers++;
        connection->is_waiting = 0;
        inbox_drop(inbox, length);
    }
}

static void run_once(void) {
    struct epoll_event events[512];
    int count = epoll_wait(poller, events, 512, 100);
    for (int i = 0; i < count; i++) came(&connections[events[i].data.u64]);
}

static void publish(struct connection *connection, uint64_t topic, const char *body, int bytes) {
    char text[5000];
    const char *form = speaks_nats
        ? "PUB t%d %d\r\n%.*s\r\n"
        : "POST /pub/t%d HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%.*s";
    int length = snprintf(text, sizeof text, form, (int)topic, bytes, bytes, body);
    send_all(connection->fd, text, (size_t)length);
    connection->is_waiting = !speaks_nats;
}

int main(int count, char **arguments) {
    struct server server = {0};
    const char *path = NULL;
    int port = 0, parallel = 1, subscribers = 0, topics = 1, bytes = 200, nats_port = 0;
    double seconds = 4, warm_up = 1;
    for (int option; (option = getopt(count, arguments, "p:i:g:k:n:t:b:s:w:N:")) != -1;) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'i': server_parse(&server, optarg); break;
        case 'g': path = optarg; break;
        case 'k': parallel = atoi(optarg); break;
        case 'n': subscribers = atoi(optarg); break;
        case 't': topics = atoi(optarg); break;
        case 'b': bytes = atoi(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        case 'N': nats_port = atoi(optarg); break;
        default: return 64;
    }
    speaks_nats = nats_port > 0;
    raise_file_limit();
    poller = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc((size_t)(subscribers + parallel), sizeof *connections);
    uint64_t memory = server_memory(&server);
    for (int i = 0; i < subscribers; i++) subscribe(port, i, topics);
    usleep(200000);
    double each = subscribers ? ((double)server_memory(&server) - (double)memory) / subscribers : 0;
    for (int i = 0; i < parallel; i++) {
        add(connect_to(speaks_nats ? nats_port : port, subscribers + i), 0, (struct inbox){0});
        if (speaks_nats) send_all(connections[subscribers + i].fd, "CONNECT {\"verbose\":false}\r\n", 27);
    }
    char body[4096], request[8192];
    if (bytes >= (int)sizeof body) fail("too long");
    memset(body, 'x', sizeof body);
    int request_length = path
        ? snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port) : 0;

    uint64_t begin = now() + (uint64_t)(warm_up * 1e9), end = begin + (uint64_t)(seconds * 1e9);
    uint64_t began = 0, answers_before = 0, delivered_before = 0, cpu = 0, own = 0, published = 0;
    uint64_t each_reaches = (uint64_t)(subscribers / topics);
    while (now() < end) {
        if (!began && now() >= begin) {
            began = now();
            answers_before = answers;
            delivered_before = delivered;
            cpu = server_cpu(&server);
            own = own_cpu();
        }
        for (int i = subscribers; i < connection_count; i++) {
            struct connection *connection = &connections[i];
            if (connection->is_waiting) continue;
            if (path) {
                send_all(connection->fd, request, (size_t)request_length);
                connection->is_waiting = 1;
            } else if (published * each_reaches < delivered + (uint64_t)parallel * each_reaches) {
                publish(connection, published++ % (uint64_t)topics, body, bytes);
            }
        }
        run_once();
    }
    double elapsed = (double)(now() - began) / 1e9;
    double done = path ? (double)(answers - answers_before) : (double)(delivered - delivered_before);
    printf("per_second=%.1f cpu_us=%.4f client_load=%.3f bytes_per_subscriber=%.0f\n", done / elapsed,
           (double)(server_cpu(&server) - cpu) / 1e3 / done, (double)(own_cpu() - own) / 1e9 / elapsed, each);
    return 0;
}
