// The floor of the main job's storage in PostgreSQL: the statements of a group, sent by plain C, with nothing computed.
//
//     commit_postgres URL SECONDS GROUP TREE STANDING FIGURES
//
// The database has the tables of the server (gradecast migrate). A group of GROUP (64) "grades" takes two round trips, as
// in the server: one begins, takes the writers' lock and reads what the grades rest on; one inserts a row of `changes` and
// updates the row of `records` for each, and commits. The last three name files with the documents of a record and the
// figures of a change, as the server has stored them.
// Prints `grades_per_second=… cpu_us=… grades=…`.
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { MEMOIR = 240, GREATEST = 64 };

static const char *foresee =
    "SELECT nextval((SELECT pg_get_serial_sequence('changes', 'seq')::regclass)),"
    " coalesce(school.version, 0), coalesce(course.version, 0), who.id, who.version,"
    " kept.account, kept.key, kept.digest, kept.at, kept.kind, kept.body, kept.revision,"
    " stored.institution, stored.id, stored.program, stored.program_version, stored.student, stored.created_at,"
    " stored.full_version, stored.released_version, stored.last_change, stored.chain, stored.tree, stored.standing,"
    " stored.released_tree, stored.released_standing"
    " FROM unnest(string_to_array($1, ' ', ''), string_to_array($2, ' ', ''), string_to_array($3, ' ', ''),"
    " string_to_array($4, ' ', '')) AS asked (record, account, keeper, key)"
    " LEFT JOIN records AS stored ON stored.id = asked.record"
    " LEFT JOIN access_versions AS who ON who.kind = 'account' AND who.id = asked.account"
    " LEFT JOIN access_versions AS school ON school.kind = 'institution' AND school.id = stored.institution"
    " LEFT JOIN access_versions AS course ON course.kind = 'program' AND course.id = stored.program"
    " LEFT JOIN idempotency AS kept ON kept.account = asked.keeper AND kept.key = asked.key";
static const char *append =
    "INSERT INTO changes (seq, previous, institution, record, full_version, released_version, at, account, source,"
    " operation, entry, before, after, figures, digest, chain)"
    " VALUES ($1, $2, 'floor', $3, $4, $4, $5, 'writer', '127.0.0.1', 'patch', 'entry', $6, $6, $7, $8, $8)";
static const char *update =
    "UPDATE records SET program_version = 1, full_version = $1, released_version = $1, last_change = $2, chain = $3,"
    " tree = $4, standing = $5, released_tree = NULL, released_standing = NULL WHERE id = $6";
static const char *mark =
    "INSERT INTO writers (name, groups) VALUES ('floor', $1) ON CONFLICT (name) DO UPDATE SET groups = excluded.groups";

static PGconn *connection;

static void check(PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC)
        fail("PostgreSQL: %s", PQerrorMessage(connection));
}

static void run(const char *sql) {
    PGresult *result = PQexec(connection, sql);
    check(result);
    PQclear(result);
}

static void prepare(const char *name, const char *sql, int count) {
    // bigint 20, text 25, bytea 17
    static const Oid queries[] = {25, 25, 25, 25}, appends[] = {20, 20, 25, 20, 20, 25, 25, 17};
    static const Oid updates[] = {20, 20, 17, 25, 25, 25}, marks[] = {20};
    const Oid *types = count == 4 ? queries : count == 8 ? appends : count == 6 ? updates : marks;
    PGresult *result = PQprepare(connection, name, sql, count, types);
    check(result);
    PQclear(result);
}

// One statement of a pipeline; numbers are sent in binary form, as the server sends them.
struct values {
    const char *pointers[8];
    int lengths[8], formats[8], count;
    uint64_t numbers[8];
};

static void number(struct values *values, uint64_t value) {
    int place = values->count++;
    values->numbers[place] = __builtin_bswap64(value);
    values->pointers[place] = (const char *)&values->numbers[place];
    values->lengths[place] = 8;
    values->formats[place] = 1;
}

static void bytes(struct values *values, const char *text, int length) {
    int place = values->count++;
    values->pointers[place] = text;
    values->lengths[place] = length;
    values->formats[place] = 1;
}

static void queue(const char *name, const struct values *values) {
    if (!PQsendQueryPrepared(
            connection, name, values->count, values->pointers, values->lengths, values->formats, 1))
        fail("PostgreSQL: %s", PQerrorMessage(connection));
}

static void queue_text(const char *sql) {
    if (!PQsendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1))
        fail("PostgreSQL: %s", PQerrorMessage(connection));
}

// Sets the mark, and reads the answers up to it; the one that returns rows is left to the caller.
static PGresult *answers(void) {
    if (!PQpipelineSync(connection)) fail("PostgreSQL: %s", PQerrorMessage(connection));
    PGresult *rows = NULL;
    for (;;) {
        PGresult *result = PQgetResult(connection);
        if (!result) continue;  // the end of one command
        check(result);
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_TUPLES_OK && PQnfields(result) > 1) rows = result;
        else PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) return rows;
    }
}

static uint64_t value(const PGresult *rows, int row, int column) {
    uint64_t read;
    memcpy(&read, PQgetvalue(rows, row, column), sizeof read);
    return __builtin_bswap64(read);
}

struct document {
    char bytes[1 << 16];
    int length;
};

static void load(struct document *document, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot read %s", path);
    document->length = (int)fread(document->bytes, 1, sizeof document->bytes, file);
    fclose(file);
    if (!document->length) fail("%s is empty", path);
}

static char names[GREATEST][40];
static struct document tree, standing, figures;

int main(int count, char **arguments) {
    if (count != 7) fail("commit_postgres URL SECONDS GROUP TREE STANDING FIGURES");
    double seconds = atof(arguments[2]);
    int group = atoi(arguments[3]);
    if (group < 1 || group > GREATEST) fail("a group has 1 to %d grades", GREATEST);
    connection = PQconnectdb(arguments[1]);
    if (PQstatus(connection) != CONNECTION_OK) fail("PostgreSQL: %s", PQerrorMessage(connection));
    static char memoir[MEMOIR], digest[32];
    static char records[GREATEST * 41], accounts[GREATEST * 41], none[GREATEST + 1];
    memset(memoir, 'm', MEMOIR);
    load(&tree, arguments[4]);
    load(&standing, arguments[5]);
    load(&figures, arguments[6]);
    run("DELETE FROM records WHERE institution = 'floor'");
    run("DELETE FROM changes WHERE institution = 'floor'");
    for (int i = 0; i < group; i++) {
        snprintf(names[i], sizeof names[i], "01a1fe60-b4ba-7687-a288-%012d", i);
        const char *name[] = {names[i]};
        PGresult *result = PQexecParams(
            connection,
            "INSERT INTO records (institution, id, program, program_version, student, created_at, full_version,"
            " released_version, last_change, chain, tree, standing)"
            " VALUES ('floor', $1, 'program', 1, 'writer', 0, 1, 1, 0, '', '', '')",
            1, NULL, name, NULL, NULL, 0);
        check(result);
        PQclear(result);
        if (i) strcat(records, " "), strcat(accounts, " "), strcat(none, " ");
        strcat(records, names[i]);
        strcat(accounts, names[group - 1 - i]);
    }
    prepare("foresee", foresee, 4);
    prepare("append", append, 8);
    prepare("update", update, 6);
    prepare("mark", mark, 1);
    if (!PQenterPipelineMode(connection)) fail("no pipeline");
    uint64_t began = now(), end = began + (uint64_t)(seconds * 1e9), cpu = own_cpu(), done = 0, groups = 0;
    while (now() < end) {
        queue_text("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        queue_text("SELECT pg_advisory_xact_lock(5148284406162522114)");
        struct values asked = {.count = 0};
        bytes(&asked, records, (int)strlen(records));
        bytes(&asked, accounts, (int)strlen(accounts));
        bytes(&asked, none, (int)strlen(none));
        bytes(&asked, none, (int)strlen(none));
        queue("foresee", &asked);
        PGresult *rows = answers();
        if (!rows || PQntuples(rows) != group) fail("the records are not there");
        for (int i = 0; i < group; i++, done++) {
            uint64_t seq = value(rows, i, 0), version = value(rows, i, 18) + 1, last = value(rows, i, 20);
            const char *record = PQgetvalue(rows, i, 13);
            int length = PQgetlength(rows, i, 13);
            struct values change = {.count = 0}, kept = {.count = 0};
            number(&change, seq);
            number(&change, last);
            bytes(&change, record, length);
            number(&change, version);
            number(&change, now() / 1000);
            bytes(&change, memoir, MEMOIR);
            bytes(&change, figures.bytes, figures.length);
            bytes(&change, digest, sizeof digest);
            queue("append", &change);
            number(&kept, version);
            number(&kept, seq);
            bytes(&kept, digest, sizeof digest);
            bytes(&kept, tree.bytes, tree.length);
            bytes(&kept, standing.bytes, standing.length);
            bytes(&kept, record, length);
            queue("update", &kept);
        }
        PQclear(rows);
        struct values number_of_group = {.count = 0};
        number(&number_of_group, ++groups);
        queue("mark", &number_of_group);
        queue_text("COMMIT");
        answers();
    }
    double elapsed = (double)(now() - began) / 1e9;
    PQfinish(connection);
    printf(
        "grades_per_second=%.1f cpu_us=%.3f grades=%lu\n", (double)done / elapsed,
        (double)(own_cpu() - cpu) / 1e3 / (double)done, (unsigned long)done);
    return 0;
}
