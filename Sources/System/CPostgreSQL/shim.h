// libpq 15. What Swift cannot import from libpq-fe.h; each line says what it is for.
#pragma once

#include <libpq-fe.h>

// The fields of an error, which the header names by characters.
static const int cpostgresql_state = PG_DIAG_SQLSTATE;
static const int cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY;
static const int cpostgresql_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int cpostgresql_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int cpostgresql_table = PG_DIAG_TABLE_NAME;

// Bytes that TLS has decrypted and libpq has not read yet. poll(2) does not see them, and libpq 15 may leave some behind when
// a record is longer than the room in its buffer.
struct ssl_st;
extern int SSL_pending(const struct ssl_st *session);
static inline int cpostgresql_pending(PGconn *connection) {
    const struct ssl_st *session = (const struct ssl_st *)PQsslStruct(connection, "OpenSSL");
    return session == 0 ? 0 : SSL_pending(session);
}
