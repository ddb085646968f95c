extension Schema {
    /// Counts of failed sign-ins, which each process used to keep in memory.
    static let signInFailures = Migration(
        name: "sign-in failures", expands: false,
        script: """
            CREATE TABLE sign_in_failures (
                subject BLOB NOT NULL,
                source BLOB NOT NULL,
                count INTEGER NOT NULL,
                until INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                PRIMARY KEY (subject, source)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sign_in_failures_by_end ON sign_in_failures (expires_at);
            """)
}
