extension Schema {
    /// Addresses of accounts, requests for password resets, and mails. A mail that no longer waits has no `due_at`; it
    /// is kept for a day without its particulars, so that recent mails can be counted.
    static let mails = Migration(
        name: "mails", expands: false,
        script: """
            CREATE TABLE emails (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                address TEXT,
                confirmed_at INTEGER,
                pending TEXT,
                token BLOB UNIQUE,
                pending_ends INTEGER,
                language TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE reset_wishes (
                number INTEGER PRIMARY KEY,
                login TEXT NOT NULL UNIQUE,
                source TEXT NOT NULL,
                at INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE mails (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                recipient TEXT NOT NULL,
                recipient_key TEXT NOT NULL,
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                subject TEXT,
                language TEXT NOT NULL,
                particulars TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                due_at INTEGER,
                leased_until INTEGER,
                attempts INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX mails_to_recipient ON mails (recipient_key, kind, created_at);
            CREATE INDEX mails_of_account ON mails (account, kind, created_at);
            CREATE INDEX mails_of_subject ON mails (subject) WHERE subject IS NOT NULL;
            """)

    /// From which account or device a password's reset was asked for; empty for a guest without either.
    static let resetAskers = Migration(
        name: "askers of resets", expands: false,
        script: """
            ALTER TABLE reset_wishes RENAME TO earlier_wishes;
            CREATE TABLE reset_wishes (
                number INTEGER PRIMARY KEY,
                login TEXT NOT NULL,
                account TEXT NOT NULL,
                device BLOB NOT NULL,
                source TEXT NOT NULL,
                at INTEGER NOT NULL,
                UNIQUE (login, account, device)
            ) STRICT;
            INSERT INTO reset_wishes (number, login, account, device, source, at)
            SELECT number, login, '', x'', source, at FROM earlier_wishes;
            DROP TABLE earlier_wishes;
            """)
}
