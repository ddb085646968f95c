extension Schema {
    /// Rehearsals and the progress of imports, which had a file of their own beside the store.
    static let work = Migration(
        name: "work",
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
}
