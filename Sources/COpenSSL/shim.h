// OpenSSL 3. Each line says what it is for.
#pragma once

// SHA256_CTX is a plain struct: a digest under way is a Swift value, copied and dropped without an allocation.
// OpenSSL 3 marks it as the old interface in favour of EVP, whose contexts live on the heap; it is not going away.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>  // comparison in constant time
#include <openssl/err.h>     // reasons of failures
#include <openssl/sha.h>     // SHA-256; SHA-1 for the WebSocket handshake
#include <openssl/ssl.h>     // TLS
