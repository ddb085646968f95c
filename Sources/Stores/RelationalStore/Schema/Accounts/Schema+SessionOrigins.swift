extension Schema {
    /// The providers through which sessions, and sign-ins waiting for a second factor, were opened; subjects are stored
    /// as digests.
    static let sessionOrigins = Migration(
        name: "session origins", expands: false,
        script: """
            CREATE TABLE session_origins (
                session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
                issuer TEXT NOT NULL,
                subject BLOB NOT NULL,
                name BLOB
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX session_origins_by_subject ON session_origins (issuer, subject);
            CREATE INDEX session_origins_by_name ON session_origins (issuer, name) WHERE name IS NOT NULL;
            ALTER TABLE sign_in_challenges ADD COLUMN issuer TEXT;
            ALTER TABLE sign_in_challenges ADD COLUMN subject BLOB;
            ALTER TABLE sign_in_challenges ADD COLUMN name BLOB;
            """)
}
