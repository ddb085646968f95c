extension Schema {
    /// Access versions of accounts, institutions and programs, in place of one for the whole store. What has no row has not
    /// changed since it was made.
    static let accessVersions = Migration(
        name: "access versions",
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
