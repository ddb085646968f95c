// What the load clients share: clocks, the server's processor time and memory, sockets, percentiles, and just enough
// of HTTP and WebSocket to read what servers answer.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Nanoseconds of the monotonic clock.
uint64_t now(void);
// Processor time of this process, in nanoseconds.
uint64_t own_cpu(void);

// The processes of the server under test.
struct server {
    int pids[64];
    int count;
};
// Reads "12,34" into the list.
void server_parse(struct server *server, const char *text);
// User and system time of all its processes, in nanoseconds, from their processor-time clocks.
uint64_t server_cpu(const struct server *server);
// Its anonymous memory (proportional set size), in bytes.
uint64_t server_memory(const struct server *server);

// Ends the program, saying why.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
// A connection to 127.0.0.1; `index` spreads many of them over source addresses.
int connect_to(int port, int index);
// Lets this process open as many files as it may.
void raise_file_limit(void);
// Sends all of it, on a socket that is expected to have room.
void send_all(int fd, const void *bytes, size_t count);

// A list of samples that grows.
struct samples {
    uint32_t *values;
    size_t count, capacity;
};
void samples_add(struct samples *samples, uint64_t nanoseconds);  // kept in steps of 100 ns
// The q-th quantile in microseconds; sorts the samples.
double samples_quantile(struct samples *samples, double q);

// Bytes that came in and are not used up yet.
struct inbox {
    char *bytes;
    size_t count, capacity;
};
// Reads what is there. False at the end of the stream.
int inbox_fill(struct inbox *inbox, int fd);
void inbox_drop(struct inbox *inbox, size_t count);
// Waits for more, and ends the program when nothing comes.
void inbox_wait(struct inbox *inbox, int fd);

// The length of the first response in the inbox, 0 while it is incomplete; its status goes to `status`.
size_t http_response(const struct inbox *inbox, int *status, const char **body);

// A frame from a server, as it lies in the inbox.
struct frame {
    int opcode;
    const char *payload;
    size_t length, total;
};
// Finds the first whole frame; false while there is none.
int ws_frame(const struct inbox *inbox, struct frame *frame);
// Sends one masked text frame.
void ws_send(int fd, int opcode, const char *text, size_t length);
// Sends the upgrade. `more` holds further header lines, each ended by CRLF.
// Returns once it was accepted; what came behind the answer is left in the inbox.
void ws_upgrade(int fd, int port, const char *path, const char *more, struct inbox *inbox);
