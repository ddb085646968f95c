// The floor of the main job's storage: the same rows, written in groups by plain C, with nothing computed.
//
//     commit FOLDER [SECONDS] [GROUP]
//
// Each "grade" reads a record's row, inserts a row of `changes` and updates the row of `records` with documents of the
// size that the sample year has; GROUP of them (64) share a transaction with synchronous=FULL, as in the server.
// Prints `grades_per_second=… cpu_us=…`.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { WRITERS = 64, TREE = 5600, STANDING = 2350, MEMOIR = 240 };

static sqlite3 *database;

static void check(int code) {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) fail("SQLite: %s", sqlite3_errmsg(database));
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static void step(sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {}
    check(code);
    check(sqlite3_reset(statement));
}

static void text(sqlite3_stmt *statement, int place, const char *bytes, int count) {
    check(sqlite3_bind_text(statement, place, bytes, count, SQLITE_STATIC));
}

static const char *identifier(int number) {
    static char id[40];
    snprintf(id, sizeof id, "01a1fe60-b4ba-7687-a288-%012d", number);
    return id;
}

int main(int count, char **arguments) {
    if (count < 2) fail("commit FOLDER [SECONDS] [GROUP]");
    double seconds = count > 2 ? atof(arguments[2]) : 4;
    int group = count > 3 ? atoi(arguments[3]) : 64;
    char path[512];
    snprintf(path, sizeof path, "%s/floor.db", arguments[1]);
    check(sqlite3_open(path, &database));
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("CREATE TABLE records (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, chain BLOB NOT NULL,"
        " tree TEXT NOT NULL, standing TEXT NOT NULL) STRICT");
    run("CREATE TABLE changes (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, version INTEGER NOT NULL,"
        " at INTEGER NOT NULL, account TEXT NOT NULL, before TEXT, after TEXT, digest BLOB NOT NULL,"
        " chain BLOB NOT NULL) STRICT");
    static char tree[TREE], standing[STANDING], memoir[MEMOIR], digest[32];
    memset(tree, 't', TREE);
    memset(standing, 's', STANDING);
    memset(memoir, 'm', MEMOIR);
    sqlite3_stmt *add = prepare("INSERT INTO records VALUES (?, 1, ?, ?, ?)");
    sqlite3_stmt *find = prepare("SELECT rowid, version, chain, tree FROM records WHERE id = ?");
    sqlite3_stmt *note = prepare(
        "INSERT INTO changes (record, version, at, account, before, after, digest, chain)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    sqlite3_stmt *keep = prepare("UPDATE records SET version = ?, chain = ?, tree = ?, standing = ? WHERE rowid = ?");
    for (int i = 0; i < WRITERS; i++) {
        text(add, 1, identifier(i), -1);
        check(sqlite3_bind_blob(add, 2, digest, sizeof digest, SQLITE_STATIC));
        text(add, 3, tree, TREE);
        text(add, 4, standing, STANDING);
        step(add);
    }
    uint64_t began = now(), end = began + (uint64_t)(seconds * 1e9), cpu = own_cpu(), done = 0;
    while (now() < end) {
        run("BEGIN IMMEDIATE");
        for (int i = 0; i < group; i++, done++) {
            const char *id = identifier((int)(done % WRITERS));
            text(find, 1, id, -1);
            check(sqlite3_step(find));
            sqlite3_int64 row = sqlite3_column_int64(find, 0), version = sqlite3_column_int64(find, 1) + 1;
            if (sqlite3_column_bytes(find, 3) != TREE) fail("a document changed its size");
            check(sqlite3_reset(find));
            text(note, 1, id, -1);
            check(sqlite3_bind_int64(note, 2, version));
            check(sqlite3_bind_int64(note, 3, (sqlite3_int64)(now() / 1000)));
            text(note, 4, identifier(0), -1);
            text(note, 5, memoir, MEMOIR);
            text(note, 6, memoir, MEMOIR);
            check(sqlite3_bind_blob(note, 7, digest, sizeof digest, SQLITE_STATIC));
            check(sqlite3_bind_blob(note, 8, digest, sizeof digest, SQLITE_STATIC));
            step(note);
            check(sqlite3_bind_int64(keep, 1, version));
            check(sqlite3_bind_blob(keep, 2, digest, sizeof digest, SQLITE_STATIC));
            text(keep, 3, tree, TREE);
            text(keep, 4, standing, STANDING);
            check(sqlite3_bind_int64(keep, 5, row));
            step(keep);
        }
        run("COMMIT");
    }
    double elapsed = (double)(now() - began) / 1e9;
    printf("grades_per_second=%.1f cpu_us=%.3f\n", (double)done / elapsed, (double)(own_cpu() - cpu) / 1e3 / (double)done);
    return 0;
}
