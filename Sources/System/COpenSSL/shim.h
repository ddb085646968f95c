// OpenSSL 3. Each line says what it is for.
#pragma once

// SHA256_CTX is a plain struct: a digest under way is a Swift value, copied and dropped without an allocation.
// OpenSSL 3 marks it as the old interface in favour of EVP, whose contexts live on the heap; it is not going away.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/core_names.h>   // the names of a key's parameters
#include <openssl/crypto.h>       // comparison in constant time
#include <openssl/err.h>          // reasons of failures
#include <openssl/evp.h>          // public keys and signatures; AES-GCM
#include <openssl/hmac.h>         // HMAC with SHA-1, which one-time codes are made with
#include <openssl/param_build.h>  // keys from their numbers
#include <openssl/rsa.h>          // padding of RSA signatures
#include <openssl/sha.h>          // SHA-256; SHA-1 for the WebSocket handshake
#include <openssl/ssl.h>          // TLS

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

// A public key of that type. Parameters keep pointers to their names, which a Swift string would not keep in place.
static inline EVP_PKEY *copenssl_public_key(const char *type, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// An RSA key of its modulus and exponent, both as big-endian bytes; NULL when it is none.
static inline EVP_PKEY *copenssl_rsa_key(
    const unsigned char *modulus, int modulus_length, const unsigned char *exponent, int exponent_length) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_length, NULL);
    if (builder != NULL && n != NULL && e != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        key = copenssl_public_key("RSA", builder);
    BN_free(e);
    BN_free(n);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// A key of a point on P-256 in its uncompressed form; NULL for a point that is not on the curve.
static inline EVP_PKEY *copenssl_p256_key(const unsigned char *point, size_t length) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, length) == 1)
        key = copenssl_public_key("EC", builder);
    OSSL_PARAM_BLD_free(builder);
    return key;
}
