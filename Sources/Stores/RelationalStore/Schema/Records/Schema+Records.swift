extension Schema {
    /// Records and their changes.
    ///
    /// `records` has the short columns first, so that heads and versions are read without the documents after them.
    /// `changes` is the audit trail, the history and the outbox in one: rows are only appended, in the order of their
    /// commits, and outlive their record. Each change refers to the previous one of its record, and the record refers
    /// to the last: an index over records would touch an unrelated page of the file with every change, which took a
    /// quarter of a change's time.
    static let records = Migration(
        name: "records", expands: false,
        script: """
            CREATE TABLE records (
                institution TEXT NOT NULL,
                id TEXT NOT NULL UNIQUE,
                program TEXT NOT NULL,
                program_version INTEGER NOT NULL,
                student TEXT,
                created_at INTEGER NOT NULL,
                full_version INTEGER NOT NULL,
                released_version INTEGER NOT NULL,
                last_change INTEGER NOT NULL,
                chain BLOB NOT NULL,
                tree TEXT NOT NULL,
                standing TEXT NOT NULL,
                released_tree TEXT,
                released_standing TEXT,
                PRIMARY KEY (institution, id)
            ) STRICT;
            CREATE INDEX records_of_student ON records (student, id) WHERE student IS NOT NULL;
            CREATE INDEX records_of_program ON records (program, id);

            CREATE TABLE deleted_records (
                institution TEXT NOT NULL,
                id TEXT NOT NULL,
                full_version INTEGER NOT NULL,
                released_version INTEGER NOT NULL,
                last_change INTEGER NOT NULL,
                chain BLOB NOT NULL,
                at INTEGER NOT NULL,
                PRIMARY KEY (institution, id)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE changes (
                seq INTEGER PRIMARY KEY,
                previous INTEGER,
                institution TEXT NOT NULL,
                record TEXT NOT NULL,
                full_version INTEGER NOT NULL,
                released_version INTEGER,
                at INTEGER NOT NULL,
                account TEXT NOT NULL,
                source TEXT NOT NULL,
                operation TEXT NOT NULL,
                entry TEXT,
                before TEXT,
                after TEXT,
                figures TEXT,
                reason TEXT,
                released_operation TEXT,
                released_entry TEXT,
                released_before TEXT,
                released_after TEXT,
                released_figures TEXT,
                released_reason TEXT,
                erased INTEGER NOT NULL DEFAULT 0,
                digest BLOB NOT NULL,
                chain BLOB NOT NULL
            ) STRICT;
            """)
}
