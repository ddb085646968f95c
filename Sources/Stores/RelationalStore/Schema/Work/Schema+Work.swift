extension Schema {
    /// Rehearsals whose findings are still to be deleted, a slice at a time.
    static let forgottenRehearsals = Migration(
        name: "forgotten rehearsals", expands: false,
        script: """
            CREATE TABLE forgotten_rehearsals (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
            """)

    /// Rehearsals and the progress of imports, which used to be in a separate file beside the store.
    static let work = Migration(
        name: "work", expands: false,
        script: """
            CREATE TABLE rehearsals (
                id TEXT PRIMARY KEY,
                program TEXT NOT NULL,
                subject TEXT NOT NULL,
                executable TEXT,
                published INTEGER,
                published_configuration TEXT NOT NULL,
                proposed_configuration TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                state TEXT NOT NULL,
                digest TEXT,
                done INTEGER NOT NULL,
                total INTEGER NOT NULL,
                figures INTEGER NOT NULL,
                letters INTEGER NOT NULL,
                outcomes INTEGER NOT NULL,
                bars INTEGER NOT NULL,
                records INTEGER NOT NULL,
                refused INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX rehearsals_of_program ON rehearsals (program, id);

            CREATE TABLE rehearsed (
                rehearsal TEXT NOT NULL,
                record TEXT NOT NULL,
                version INTEGER NOT NULL,
                rows TEXT,
                PRIMARY KEY (rehearsal, record)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX rehearsed_noteworthy ON rehearsed (rehearsal, record) WHERE rows IS NOT NULL;

            CREATE TABLE imports (
                id TEXT PRIMARY KEY,
                program TEXT NOT NULL,
                account TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                key TEXT,
                digest BLOB,
                total INTEGER NOT NULL,
                state TEXT NOT NULL,
                done INTEGER NOT NULL,
                accepted INTEGER NOT NULL,
                refused INTEGER NOT NULL,
                rows TEXT
            ) STRICT;
            CREATE INDEX imports_of_key ON imports (account, key) WHERE key IS NOT NULL;
            """)

    /// The listed rows of imports, with the record and student of each, so that they are deleted together with these.
    /// Rows listed before lack this information and are deleted, as are rehearsals' findings in records that no longer
    /// exist.
    static let importRows = Migration(
        name: "import rows", expands: false,
        script: """
            CREATE TABLE import_rows (
                import TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                record TEXT,
                student TEXT,
                text TEXT NOT NULL,
                PRIMARY KEY (import, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX import_rows_of_record ON import_rows (record) WHERE record IS NOT NULL;
            CREATE INDEX import_rows_of_student ON import_rows (student) WHERE student IS NOT NULL;
            ALTER TABLE imports DROP COLUMN rows;
            ALTER TABLE imports ADD COLUMN ended_at INTEGER;
            UPDATE imports SET ended_at = started_at WHERE state <> 'running';

            CREATE INDEX rehearsed_of_record ON rehearsed (record) WHERE rows IS NOT NULL;
            UPDATE rehearsed SET rows = NULL
                WHERE rows IS NOT NULL AND NOT EXISTS (SELECT 1 FROM records WHERE id = record);
            """)
}
