extension Schema {
    /// Passkeys by credential identifier, and the user handles by which authenticators know accounts.
    static let passkeys = Migration(
        name: "passkeys", expands: false,
        script: """
            CREATE TABLE passkeys (
                id TEXT PRIMARY KEY,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                credential BLOB NOT NULL UNIQUE,
                public_key BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                name TEXT NOT NULL,
                counter INTEGER NOT NULL,
                used_at INTEGER,
                refused_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX passkeys_of_account ON passkeys (account, id);

            CREATE TABLE user_handles (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                handle BLOB NOT NULL UNIQUE
            ) STRICT, WITHOUT ROWID;
            """)
}
