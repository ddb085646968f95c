// libcurl 7.88. Its setters and getters take arguments of any type, which Swift cannot call; here is one for each type.
#pragma once

#include <curl/curl.h>
#include <netinet/in.h>

// libcurl's own beginning, which must come once and before any thread uses it.
static inline CURLcode ccurl_begin(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// The text is copied by libcurl.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// The body is copied by libcurl, and may hold any bytes.
static inline CURLcode ccurl_set_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

// What receives the bytes of an answer.
static inline CURLcode ccurl_set_receiver(
    CURL *handle, size_t (*receive)(char *bytes, size_t size, size_t count, void *context), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

// What supplies the bytes of a message.
static inline CURLcode ccurl_set_supplier(
    CURL *handle, size_t (*supply)(char *room, size_t size, size_t count, void *context), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, supply);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_READDATA, context) : code;
}

// Whether a connection must turn to TLS before anything is said, or stays as it began; and the oldest TLS that is spoken.
// libcurl declares them as numbers of several types.
static const long ccurl_tls_required = CURLUSESSL_ALL;
static const long ccurl_tls_unused = CURLUSESSL_NONE;
static const long ccurl_tls_oldest = CURL_SSLVERSION_TLSv1_2;

// What opens a connection's socket, or refuses its address.
static inline CURLcode ccurl_set_opener(
    CURL *handle, curl_socket_t (*open)(void *context, curlsocktype purpose, struct curl_sockaddr *address),
    void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context) : code;
}

static inline CURLcode ccurl_status(CURL *handle, long *status) {
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

// The seconds that an answer asks to wait (`Retry-After`), 0 for none.
static inline CURLcode ccurl_retry_after(CURL *handle, long long *seconds) {
    curl_off_t wait = 0;
    CURLcode code = curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &wait);
    *seconds = wait;
    return code;
}

// What is asked now and then whether the transfer goes on; any answer but 0 ends it.
static inline CURLcode ccurl_set_watcher(
    CURL *handle, int (*watch)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watch);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context) : code;
}

// The bytes of the machine that a connection goes to, and how many they are: 4, 16, or 0 for another kind of address.
// libcurl keeps room for every kind behind `addr`, which it declares as the smallest.
static inline const unsigned char *ccurl_host(const struct curl_sockaddr *address, int *count) {
    *count = address->family == AF_INET ? 4 : address->family == AF_INET6 ? 16 : 0;
    return address->family == AF_INET6 ? ((const struct sockaddr_in6 *)&address->addr)->sin6_addr.s6_addr
                                       : (const unsigned char *)&((const struct sockaddr_in *)&address->addr)->sin_addr;
}
