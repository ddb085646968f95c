// Readers of standings who go to another node when theirs dies.
//
//     readers -p PORT -q OTHER -i PIDS -f PLAN [-n TOPICS]
//
// PLAN has a line `token record` for each topic; a connection follows up to TOPICS of one token. Prints `topics=N` once each
// topic's first state has come. From then on it answers pings. Where a connection is lost, it is opened again at OTHER, at
// once, and says what it holds; refused, it is tried again after a random time of at most a second. When all are current
// again, prints one line of `name=value`: times since the first loss, and what it cost the processes of OTHER. Ends without
// a word when its standard input ends.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"

enum { TOKEN = 160, RECORD = 80, EPOCH = 40, SCAN = 20 };

struct topic {
    char record[RECORD], epoch[EPOCH];
    long version;
    int is_current;
};

struct reader {
    char token[TOKEN];
    struct topic *topics;
    int topic_count, fd;
    enum { NEW, CLOSED, CONNECTING, UPGRADING, OPEN } state;
    uint64_t again;  // when to connect, while closed
    struct inbox inbox;
};

static struct reader *readers;
static int reader_count, topic_count, poller, port;
static uint64_t lost_at, refused;
static int waiting;  // topics that are not current
static struct server other;
static uint64_t cpu_before;
static struct samples times;

static void read_plan(const char *path, int most) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s", path);
    char token[TOKEN];
    struct topic topic = {.version = -1};
    struct reader *last = NULL;
    while (fscanf(file, "%159s %79s", token, topic.record) == 2) {
        if (!last || last->topic_count == most || strcmp(last->token, token)) {
            readers = realloc(readers, (size_t)(reader_count + 1) * sizeof *readers);
            last = &readers[reader_count++];
            *last = (struct reader){.fd = -1, .topics = calloc((size_t)most, sizeof topic)};
            strcpy(last->token, token);
        }
        last->topics[last->topic_count++] = topic;
        topic_count++;
    }
    fclose(file);
}

static void close_reader(struct reader *reader, uint64_t delay) {
    close(reader->fd);
    free(reader->inbox.bytes);
    reader->inbox = (struct inbox){0};
    reader->fd = -1;
    reader->state = CLOSED;
    reader->again = now() + delay;
}

static void refuse(struct reader *reader) {
    refused++;
    close_reader(reader, (uint64_t)(drand48() * 1e9));
}

static void watch(struct reader *reader, uint32_t events, int how) {
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)(reader - readers) + 1};
    if (epoll_ctl(poller, how, reader->fd, &event)) fail("epoll_ctl");
}

// Begins a connection; the answer comes as an event.
static void open_reader(struct reader *reader) {
    int index = (int)(reader - readers), yes = 1;
    reader->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (reader->fd < 0) fail("socket");
    setsockopt(reader->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_in source = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001u + (unsigned)index / 8192u)};
    setsockopt(reader->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (bind(reader->fd, (struct sockaddr *)&source, sizeof source)) fail("bind");
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    reader->state = CONNECTING;
    watch(reader, EPOLLOUT, EPOLL_CTL_ADD);
    if (connect(reader->fd, (struct sockaddr *)&target, sizeof target) && errno != EINPROGRESS) refuse(reader);
}

static void ask_upgrade(struct reader *reader) {
    int fault = 0;
    socklen_t size = sizeof fault;
    getsockopt(reader->fd, SOL_SOCKET, SO_ERROR, &fault, &size);
    if (fault) return refuse(reader);
    char text[1024];
    int count = snprintf(
        text, sizeof text,
        "GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: gradecast.live.v1\r\nAuthorization: Bearer %s\r\n\r\n",
        port, reader->token);
    send_all(reader->fd, text, (size_t)count);
    reader->state = UPGRADING;
    watch(reader, EPOLLIN, EPOLL_CTL_MOD);
}

static void subscribe(struct reader *reader) {
    static const char hello[] = "{\"t\":\"hello\",\"client\":\"load/1\"}";
    ws_send(reader->fd, 1, hello, sizeof hello - 1);
    for (int i = 0; i < reader->topic_count; i++) {
        char text[512];
        struct topic *topic = &reader->topics[i];
        int count = snprintf(text, sizeof text, "{\"t\":\"sub\",\"topic\":\"standing/%s\"", topic->record);
        if (topic->version >= 0)
            count += snprintf(
                text + count, sizeof text - (size_t)count, ",\"have\":{\"e\":\"%s\",\"v\":%ld}", topic->epoch, topic->version);
        count += snprintf(text + count, sizeof text - (size_t)count, "}");
        ws_send(reader->fd, 1, text, (size_t)count);
    }
    reader->state = OPEN;
}

// What stands behind a name in the head of a message; NULL where it is missing.
static const char *behind(const struct frame *frame, const char *name) {
    size_t head = frame->length < 256 ? frame->length : 256;
    const char *found = memmem(frame->payload, head, name, strlen(name));
    return found ? found + strlen(name) : NULL;
}

static void state_came(struct reader *reader, const struct frame *frame) {
    const char *record = behind(frame, "\"topic\":\"standing/"), *epoch = behind(frame, "\"e\":\""), *version = behind(frame, "\"v\":");
    if (!record || !epoch || !version) fail("a state without a name or a version: %.*s", (int)frame->length, frame->payload);
    struct topic *topic = reader->topics;
    while (topic < reader->topics + reader->topic_count && strncmp(topic->record, record, strlen(topic->record))) topic++;
    if (topic == reader->topics + reader->topic_count) fail("a state that nobody asked for");
    long newest = strtol(version, NULL, 10);
    size_t length = (size_t)(strchr(epoch, '"') - epoch);
    if (length >= EPOCH) fail("an epoch of %zu characters", length);
    if (topic->version > newest && !strncmp(topic->epoch, epoch, length)) fail("a version that is older than the one before");
    topic->version = newest;
    memcpy(topic->epoch, epoch, length);
    topic->epoch[length] = 0;
    if (topic->is_current) return;
    topic->is_current = 1;
    waiting--;
    if (lost_at) samples_add(&times, now() - lost_at);
}

static void message_came(struct reader *reader, const struct frame *frame) {
    const char *number;
    char text[64];
    if (frame->opcode == 9) ws_send(reader->fd, 10, frame->payload, frame->length);
    else if (behind(frame, "\"t\":\"state\"")) state_came(reader, frame);
    else if (!lost_at && behind(frame, "\"t\":\"ping\"") && (number = behind(frame, "\"n\":"))) {
        int count = snprintf(text, sizeof text, "{\"t\":\"pong\",\"n\":%ld}", strtol(number, NULL, 10));
        ws_send(reader->fd, 1, text, (size_t)count);
    } else if (behind(frame, "\"t\":\"e")) fail("a reader was told: %.*s", (int)frame->length, frame->payload);
}

// The node is dead: all that it served have to be served again.
static void lose_all(void) {
    lost_at = now();
    cpu_before = server_cpu(&other);
    waiting = topic_count;
    for (struct reader *reader = readers; reader < readers + reader_count; reader++)
        for (int i = 0; i < reader->topic_count; i++) reader->topics[i].is_current = 0;
}

// A loss is what happens to a reader that has been served; whoever is turned away before that is refused.
static void lose(struct reader *reader) {
    if (reader->state != OPEN) return refuse(reader);
    if (!lost_at) lose_all();
    close_reader(reader, 0);
    open_reader(reader);
}

static void bytes_came(struct reader *reader) {
    if (!inbox_fill(&reader->inbox, reader->fd)) return lose(reader);
    if (reader->state == UPGRADING) {
        int status;
        const char *body;
        size_t length = http_response(&reader->inbox, &status, &body);
        if (!length) return;
        if (status == 429 || status == 503) return refuse(reader);
        if (status != 101) fail("the upgrade was answered %d", status);
        inbox_drop(&reader->inbox, length);
        subscribe(reader);
    }
    struct frame frame;
    while (ws_frame(&reader->inbox, &frame)) {
        if (frame.opcode == 8) return lose(reader);
        message_came(reader, &frame);
        inbox_drop(&reader->inbox, frame.total);
    }
}

// False once the standard input has ended.
static int run_once(void) {
    struct epoll_event events[512];
    int count = epoll_wait(poller, events, 512, SCAN);
    for (int i = 0; i < count; i++) {
        if (events[i].data.u64 == 0) return 0;
        struct reader *reader = &readers[events[i].data.u64 - 1];
        if (reader->state == CONNECTING) ask_upgrade(reader);
        else bytes_came(reader);
    }
    static uint64_t scanned;
    uint64_t time = now();
    if (time < scanned + SCAN * 1000000u) return 1;
    scanned = time;
    for (struct reader *reader = readers; reader < readers + reader_count; reader++)
        if (reader->state == CLOSED && reader->again <= time) open_reader(reader);
    return 1;
}

int main(int count, char **arguments) {
    const char *plan = NULL;
    int topics = 1, other_port = 0;
    for (int option; (option = getopt(count, arguments, "p:q:i:f:n:")) != -1;) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'q': other_port = atoi(optarg); break;
        case 'i': server_parse(&other, optarg); break;
        case 'f': plan = optarg; break;
        case 'n': topics = atoi(optarg); break;
        default: return 64;
    }
    if (!plan || !port || topics < 1) fail("readers -p PORT -q OTHER -i PIDS -f PLAN [-n TOPICS]");
    raise_file_limit();
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event input = {.events = EPOLLIN | EPOLLHUP};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input)) fail("standard input");
    read_plan(plan, topics);
    // One after the other: how fast strangers are served is another question.
    for (int i = 0; i < reader_count; i++) {
        waiting += readers[i].topic_count;
        open_reader(&readers[i]);
        while (waiting) if (!run_once()) return 0;
    }
    if (refused) fail("%lu connections were refused before anything happened", refused);
    printf("topics=%d\n", topic_count);
    fflush(stdout);
    port = other_port ? other_port : port;
    while (!lost_at || waiting) if (!run_once()) return 0;
    double cpu = (double)(server_cpu(&other) - cpu_before);
    printf("again_p50=%.1f again_p99=%.1f again_last=%.1f cpu_us=%.1f refused=%lu\n", samples_quantile(&times, .5),
           samples_quantile(&times, .99), samples_quantile(&times, 1), cpu / 1e3 / (double)times.count, refused);
    return 0;
}
