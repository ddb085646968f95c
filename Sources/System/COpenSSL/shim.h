// OpenSSL 3. Each line says what it is for.
#pragma once

// SHA256_CTX is a plain struct: a digest under way is a Swift value, copied and dropped without an allocation.
// OpenSSL 3 marks it as the old interface in favour of EVP, whose contexts live on the heap; it is not going away.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>  // comparison in constant time
#include <openssl/err.h>     // reasons of failures
#include <openssl/sha.h>     // SHA-256; SHA-1 for the WebSocket handshake
#include <openssl/ssl.h>     // TLS

// OpenSSL's setters of a context are macros over SSL_CTX_ctrl, and its options macros with arguments; Swift sees neither.

// TLS 1.2 and 1.3 alone.
static inline int copenssl_set_least_version(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// Compression leaks what it compresses; renegotiation lets a client spend the server's time.
static inline void copenssl_forbid_weaknesses(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
}

// A write sends what it can, may be repeated from another place in memory, and a connection at rest has no buffers.
static inline void copenssl_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}

// The longest record, and with it the size of the write buffer.
static inline int copenssl_set_record_length(SSL_CTX *context, long length) {
    return (int)SSL_CTX_set_max_send_fragment(context, length);
}

// Header and body of a record in one call to the kernel.
static inline void copenssl_read_ahead(SSL_CTX *context) {
    SSL_CTX_set_read_ahead(context, 1);
}

// Sessions are resumed by tickets, which the client keeps; nothing is to grow here.
static inline void copenssl_keep_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
