extension Schema {
    /// Identities that issuers vouch for, and the assertions already used: each is accepted once.
    static let identities = Migration(
        name: "identities", expands: false,
        script: """
            CREATE TABLE identities (
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                linked_at INTEGER NOT NULL,
                PRIMARY KEY (issuer, subject),
                UNIQUE (account, issuer)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE used_assertions (
                digest BLOB PRIMARY KEY,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX used_assertions_by_end ON used_assertions (expires_at);
            """)
}
