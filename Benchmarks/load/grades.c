// The main job's load: writers that each change a grade of their own record again and again, and for each of them one
// subscriber to the record's standing.
//
//     grades -p PORT -i PIDS -f PLAN [-k FIELD | -g] [-s SECONDS] [-w WARM-UP] [-r GRADES-PER-SECOND] [-c CONNECTIONS]
//
// PLAN has a line `token record entry` for each writer; -k says in which field of the entry grades stand. With -g grades
// are cells of classes: PLAN has lines `token class enrolment line reader`, and the subscriber, whose token is `reader`,
// follows the grid. Without -r every writer sends its next grade as soon as the
// last one is answered; with it, grades are sent at that rate, by whichever writer is free. -c opens further idle
// subscribers, `connections` for each line, and tells what memory each costs. Prints one line of `name=value`.
//
// A frame is timed from the moment its grade was sent, so that "sent → frame" is no less than "commit → frame", and
// from the moment the answer came, which is after the commit.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common.h"

enum { TOKEN = 160, IDENTIFIER = 80, WINDOW = 256, REST = 6 };

struct writer {
    char token[TOKEN], record[IDENTIFIER], entry[IDENTIFIER], line[IDENTIFIER], reader[TOKEN];
    int http, socket;
    struct inbox answers, frames;
    int waits;                       // for an answer
    long version, seen;              // of the last answer, of the last frame
    uint64_t sent[WINDOW];           // when, by version modulo WINDOW
    uint64_t first[WINDOW];          // when its answer or its frame came, whichever was first
    uint64_t sending;
};

static struct writer *writers;
static int writer_count, port, poller;
static uint64_t grades, delivered, number, late;
static int measuring, subscribing = 1, in_grids;
static const char *field = "grade";
static struct samples answer_times, frame_times, push_times;

enum { HTTP, SOCKET, TIMER };  // what an event is about: writer << 2 | one of these

static void watch(int fd, uint64_t tag) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = tag};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
}

static void read_plan(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s", path);
    struct writer writer = {.seen = -1};
    while (fscanf(file, "%159s %79s %79s", writer.token, writer.record, writer.entry) == 3) {
        if (!in_grids) strcpy(writer.reader, writer.token);
        else if (fscanf(file, "%79s %159s", writer.line, writer.reader) != 2) fail("%s", path);
        writers = realloc(writers, (size_t)(writer_count + 1) * sizeof *writers);
        writers[writer_count++] = writer;
    }
    fclose(file);
}

static void send_grade(struct writer *writer) {
    char body[192], request[1024];
    uint64_t grade = number++ * 37 % 2001;  // 0.00 … 20.00, never twice the same in a row
    const char *before = in_grids ? "{\"cells\":{\"" : "{\"fields\":{\"";
    const char *path = in_grids ? "/v1/classes/%s/rows/%s" : "/v1/records/%s/entries/%s";
    char target[256];
    snprintf(target, sizeof target, path, writer->record, writer->entry);
    int length = snprintf(
        body, sizeof body, "%s%s\":%s%d.%02d%s", before, in_grids ? writer->line : field,
        in_grids ? "{\"value\":" : "", (int)(grade / 100), (int)(grade % 100), in_grids ? "}}}" : "}}");
    int count = snprintf(
        request, sizeof request,
        "PATCH %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
        "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
        target, port, writer->token, length, body);
    writer->waits = 1;
    writer->sending = now();
    send_all(writer->http, request, (size_t)count);
}

static long version_in(const char *text, size_t length, const char *name) {
    const char *found = memmem(text, length, name, strlen(name));
    return found ? strtol(found + strlen(name), NULL, 10) : -1;
}

static void answer_came(struct writer *writer) {
    if (!inbox_fill(&writer->answers, writer->http)) fail("the server closed a writer's connection");
    int status;
    const char *body;
    size_t length = http_response(&writer->answers, &status, &body);
    if (length == 0) return;
    uint64_t time = now();
    if (status != 200) fail("a grade was answered: %.600s", writer->answers.bytes);
    long version = version_in(body, (size_t)(writer->answers.bytes + length - body), in_grids ? "\"v\":" : "\"version\":");
    if (version < 0) fail("an answer without version: %.600s", body);
    writer->version = version;
    // The frame may have come first: then it is timed here.
    if (writer->seen >= version && measuring) {
        samples_add(&frame_times, writer->first[version % WINDOW] - writer->sending);
        samples_add(&push_times, 0);
    }
    writer->sent[version % WINDOW] = writer->sending;
    writer->first[version % WINDOW] = time;
    writer->waits = 0;
    inbox_drop(&writer->answers, length);
    grades++;
    if (measuring) samples_add(&answer_times, time - writer->sending);
}

static void state_came(struct writer *writer, const struct frame *frame) {
    uint64_t time = now();
    // `"v":` stands in front of the document.
    long version = version_in(frame->payload, frame->length < 256 ? frame->length : 256, "\"v\":");
    if (version < 0) fail("a state without version: %.*s", (int)frame->length, frame->payload);
    if (version <= writer->seen) fail("versions must rise");
    int is_first = writer->seen < 0;
    writer->seen = version;
    if (is_first) return;
    delivered++;
    if (writer->version >= version) {
        if (measuring) {
            samples_add(&frame_times, time - writer->sent[version % WINDOW]);
            samples_add(&push_times, time - writer->first[version % WINDOW]);
        }
    } else {
        writer->first[version % WINDOW] = time;
    }
}

static void message_came(int fd, const struct frame *frame) {
    char text[64];
    if (frame->opcode == 9) {
        ws_send(fd, 10, frame->payload, frame->length);
    } else if (frame->opcode == 8) {
        fail("a subscriber was closed: %.*s", (int)frame->length - 2, frame->payload + 2);
    } else if (memmem(frame->payload, frame->length < 32 ? frame->length : 32, "\"t\":\"ping\"", 10)) {
        int count = snprintf(
            text, sizeof text, "{\"t\":\"pong\",\"n\":%ld}", version_in(frame->payload, frame->length, "\"n\":"));
        ws_send(fd, 1, text, (size_t)count);
    } else if (memmem(frame->payload, frame->length < 32 ? frame->length : 32, "\"t\":\"e", 6)) {
        fail("a subscriber was told: %.*s", (int)frame->length, frame->payload);
    }
}

// Whether a frame brings a document, or the last of the rows that have changed.
static int is_state(const struct frame *frame) {
    const char *kind = in_grids ? "\"t\":\"rows\"" : "\"t\":\"state\"", *more = "\"more\":true}";
    size_t head = frame->length < 32 ? frame->length : 32, tail = frame->length < 16 ? frame->length : 16;
    return frame->opcode == 1 && memmem(frame->payload, head, kind, strlen(kind))
        && !memmem(frame->payload + frame->length - tail, tail, more, strlen(more));
}

static void frames_came(struct writer *writer) {
    if (!inbox_fill(&writer->frames, writer->socket)) fail("the server closed a subscriber");
    struct frame frame;
    while (ws_frame(&writer->frames, &frame)) {
        if (is_state(&frame)) state_came(writer, &frame);
        else message_came(writer->socket, &frame);
        inbox_drop(&writer->frames, frame.total);
    }
}

// Opens a subscriber and waits for its first state, so that no more than one is ever a stranger to the server.
static int subscribe(struct writer *writer, int index, struct inbox *inbox) {
    char text[512];
    int fd = connect_to(port, index);
    struct frame frame;
    ws_upgrade(fd, port, "/v1/live", "Sec-WebSocket-Protocol: gradecast.live.v1\r\n", inbox);
    int count = snprintf(text, sizeof text, "{\"t\":\"hello\",\"token\":\"%s\",\"client\":\"load/1\"}", writer->reader);
    ws_send(fd, 1, text, (size_t)count);
    const char *topic = in_grids ? "grid" : "standing";
    count = snprintf(text, sizeof text, "{\"t\":\"sub\",\"topic\":\"%s/%s\"}", topic, writer->record);
    ws_send(fd, 1, text, (size_t)count);
    for (;;) {
        while (!ws_frame(inbox, &frame)) inbox_wait(inbox, fd);
        if (is_state(&frame)) return fd;  // left in the inbox for whoever reads on
        message_came(fd, &frame);
        inbox_drop(inbox, frame.total);
    }
}

static void run_once(int timeout) {
    struct epoll_event events[256];
    int count = epoll_wait(poller, events, 256, timeout);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < count; i++) {
        uint64_t tag = events[i].data.u64, ticks;
        struct writer *writer = &writers[tag >> 2];
        switch (tag & 3) {
        case HTTP: answer_came(writer); break;
        case SOCKET: frames_came(writer); break;
        case TIMER: if (read((int)(tag >> 2), &ticks, sizeof ticks) < 0 && errno != EAGAIN) fail("timer");
        }
    }
}

static void send_free(void) {
    for (int i = 0; i < writer_count; i++)
        if (!writers[i].waits) send_grade(&writers[i]);
}

// Sends what is due; true as long as the load keeps up with its rate.
static void send_due(uint64_t start, double rate, uint64_t *due, int *turn, int timer) {
    uint64_t time = now();
    while (start + (uint64_t)((double)*due * 1e9 / rate) <= time) {
        int tried = 0;
        while (tried < writer_count && writers[*turn].waits) {
            *turn = (*turn + 1) % writer_count;
            tried++;
        }
        if (tried == writer_count) {
            late++;
            break;
        }
        send_grade(&writers[*turn]);
        *turn = (*turn + 1) % writer_count;
        ++*due;
    }
    uint64_t next = start + (uint64_t)((double)*due * 1e9 / rate);
    struct itimerspec alarm = {.it_value = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &alarm, NULL);
}

static uint64_t behind(void) {
    uint64_t count = 0;
    for (int i = 0; i < writer_count; i++) count += writers[i].waits || writers[i].seen < writers[i].version;
    return count;
}

static void open_subscribers(int count) {
    for (int i = 0; i < count; i++) {
        struct inbox inbox = {0};
        subscribe(&writers[i % writer_count], i, &inbox);
        free(inbox.bytes);
    }
    sleep(REST);
}

// The first two of each account bring what all share: pages of the store, code that is used for the first time.
static double open_idle(int connections, const struct server *server) {
    open_subscribers(2 * writer_count);
    uint64_t before = server_memory(server);
    open_subscribers(connections * writer_count);
    uint64_t after = server_memory(server);
    return ((double)after - (double)before) / (double)(connections * writer_count);
}

int main(int count, char **arguments) {
    const char *plan = NULL;
    struct server server = {0};
    double seconds = 4, warm_up = 1, rate = 0;
    int connections = 0;
    for (int option; (option = getopt(count, arguments, "p:i:f:s:w:r:c:k:gn")) != -1;) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'i': server_parse(&server, optarg); break;
        case 'f': plan = optarg; break;
        case 's': seconds = atof(optarg); break;
        case 'w': warm_up = atof(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'c': connections = atoi(optarg); break;
        case 'k': field = optarg; break;
        case 'g': in_grids = 1; break;
        case 'n': subscribing = 0; break;
        default: return 64;
    }
    if (!plan || !port) fail("grades -p PORT -i PIDS -f PLAN");
    raise_file_limit();
    read_plan(plan);
    if (connections) {
        printf("bytes_per_subscriber=%.0f\n", open_idle(connections, &server));
        return 0;
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < writer_count; i++) {
        struct writer *writer = &writers[i];
        if (subscribing) {
            writer->socket = subscribe(writer, i, &writer->frames);
            watch(writer->socket, (uint64_t)i << 2 | SOCKET);
            frames_came(writer);
        }
        writer->http = connect_to(port, i);
        watch(writer->http, (uint64_t)i << 2 | HTTP);
    }
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), turn = 0;
    watch(timer, (uint64_t)timer << 2 | TIMER);

    uint64_t start = now(), due = 0, begin = start + (uint64_t)(warm_up * 1e9), end = begin + (uint64_t)(seconds * 1e9);
    uint64_t grades_before = 0, delivered_before = 0, cpu_before = 0, own_before = 0, began = 0;
    while (now() < end) {
        if (!measuring && now() >= begin) {
            measuring = 1;
            began = now();
            grades_before = grades;
            delivered_before = delivered;
            cpu_before = server_cpu(&server);
            own_before = own_cpu();
        }
        if (rate > 0) send_due(start, rate, &due, &turn, timer);
        else send_free();
        run_once(100);
    }
    double elapsed = (double)(now() - began) / 1e9, done = (double)(grades - grades_before);
    double cpu = (double)(server_cpu(&server) - cpu_before), own = (double)(own_cpu() - own_before);
    double pushed = (double)(delivered - delivered_before);
    measuring = 0;
    for (uint64_t patience = now() + 5000000000u; behind() && now() < patience && subscribing;) run_once(50);

    printf("grades=%.0f grades_per_second=%.1f cpu_us=%.3f client_cpu_us=%.3f client_load=%.3f pushed=%.4f behind=%lu late=%lu",
           done, done / elapsed, cpu / 1e3 / done, own / 1e3 / done, own / 1e9 / elapsed, pushed / done,
           subscribing ? behind() : 0, late);
    printf(" answer_p50=%.1f answer_p99=%.1f", samples_quantile(&answer_times, .5), samples_quantile(&answer_times, .99));
    printf(" frame_p50=%.1f frame_p99=%.1f", samples_quantile(&frame_times, .5), samples_quantile(&frame_times, .99));
    printf(" push_p50=%.1f push_p99=%.1f\n", samples_quantile(&push_times, .5), samples_quantile(&push_times, .99));
    return 0;
}
