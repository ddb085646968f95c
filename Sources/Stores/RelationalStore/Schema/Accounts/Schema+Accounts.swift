extension Schema {
    /// People, their sign-ins and their links. An administrator's search reads `search`.
    static let accounts = Migration(
        name: "accounts", expands: false,
        script: """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY,
                created_at INTEGER NOT NULL,
                login TEXT NOT NULL UNIQUE,
                display_name TEXT NOT NULL,
                description TEXT NOT NULL,
                gender TEXT NOT NULL,
                hue INTEGER NOT NULL,
                locale TEXT NOT NULL,
                sharing TEXT NOT NULL,
                role TEXT,
                disabled INTEGER NOT NULL,
                picture TEXT,
                password TEXT,
                search TEXT NOT NULL
            ) STRICT;
            CREATE INDEX accounts_with_role ON accounts (role) WHERE role IS NOT NULL;

            CREATE TABLE pictures (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                format TEXT NOT NULL,
                bytes BLOB NOT NULL
            ) STRICT;

            CREATE TABLE sessions (
                token BLOB PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                last_seen_at INTEGER NOT NULL,
                source TEXT NOT NULL,
                client TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sessions_of_account ON sessions (account, id);
            CREATE INDEX sessions_by_end ON sessions (expires_at);

            CREATE TABLE devices (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                token BLOB NOT NULL,
                seen_at INTEGER NOT NULL,
                PRIMARY KEY (account, token)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE one_time_tokens (
                token BLOB PRIMARY KEY,
                purpose TEXT NOT NULL,
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX one_time_tokens_of_account ON one_time_tokens (account);

            CREATE INDEX audit_by_subject ON audit (subject);
            """)

    /// Clients' names for the devices from which people sign in.
    static let deviceNames = Migration(
        name: "device names", expands: false, script: "ALTER TABLE sessions ADD COLUMN device TEXT;")
}
