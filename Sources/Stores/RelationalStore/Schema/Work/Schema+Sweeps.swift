extension Schema {
    /// Sweeps over a program's records, with their progress.
    static let sweeps = Migration(
        name: "sweeps", expands: false,
        script: """
            CREATE TABLE sweeps (
                institution TEXT NOT NULL,
                id TEXT NOT NULL UNIQUE,
                program TEXT NOT NULL,
                target INTEGER,
                path TEXT,
                account TEXT NOT NULL,
                source TEXT NOT NULL,
                ordered_at INTEGER NOT NULL,
                due_on INTEGER NOT NULL,
                cursor TEXT,
                done INTEGER NOT NULL,
                total INTEGER NOT NULL,
                changed INTEGER NOT NULL,
                refused INTEGER NOT NULL,
                finished_at INTEGER,
                PRIMARY KEY (institution, id),
                FOREIGN KEY (institution, program) REFERENCES programs (institution, id) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX sweeps_of_program ON sweeps (program, ordered_at);
            CREATE INDEX sweeps_open ON sweeps (due_on) WHERE finished_at IS NULL;
            """)
}
