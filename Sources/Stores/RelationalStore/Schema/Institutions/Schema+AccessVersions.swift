extension Schema {
    /// Access versions of accounts, institutions and programs, which replace one version for the whole store. A subject
    /// without a row has not changed since it was created.
    static let accessVersions = Migration(
        name: "access versions", expands: false,
        script: """
            CREATE TABLE access_versions (
                kind TEXT NOT NULL,
                id TEXT NOT NULL,
                version INTEGER NOT NULL,
                PRIMARY KEY (kind, id)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE store DROP COLUMN access_version;
            """)
}
