extension Schema {
    /// Which build computed which records, for schemes that run in their own processes.
    ///
    /// `computed` has a row for each record of such schemes and none for others, whose changes therefore cost no more.
    /// `shapes` has the shape by which a version's records were judged, so that a later build can be compared with it.
    static let executables = Migration(
        name: "executables", expands: false,
        script: """
            CREATE TABLE computed (
                record TEXT PRIMARY KEY,
                program TEXT NOT NULL,
                executable TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX computed_by ON computed (program, executable);
            CREATE TABLE shapes (
                program TEXT NOT NULL REFERENCES programs (id) ON DELETE CASCADE,
                version INTEGER NOT NULL,
                shape TEXT NOT NULL,
                PRIMARY KEY (program, version)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE changes ADD COLUMN executable TEXT;
            ALTER TABLE sweeps ADD COLUMN executable TEXT;
            ALTER TABLE sweeps ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;
            """)
}
