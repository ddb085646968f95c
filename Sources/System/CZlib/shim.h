// DEFLATE. Each line says what it is for.
#pragma once

#include <zlib.h>

// zlib's openers are macros that add its version. A negative window means bare DEFLATE, without zlib's head and sum.
static inline int czlib_deflate_open(z_stream *stream, int window) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -window, 8, Z_DEFAULT_STRATEGY);
}

// 16 more means gzip, with its head and sum.
static inline int czlib_gzip_open(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_open(z_stream *stream) {
    return inflateInit2(stream, -15);
}

// Whether all that was read is whole blocks: zlib tells in a bit of a field that is for other things.
static inline int czlib_is_between_blocks(const z_stream *stream) {
    return (stream->data_type & 128) != 0;
}
