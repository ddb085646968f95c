extension Schema {
    /// Short-lived secrets that are used once. Those of a kind are numbered in the order of issue.
    static let oneUseTokens = Migration(
        name: "one-use tokens",
        script: """
            CREATE TABLE one_use_tokens (
                kind TEXT NOT NULL,
                number INTEGER NOT NULL,
                token BLOB NOT NULL UNIQUE,
                expires_at INTEGER NOT NULL,
                session BLOB,
                account TEXT,
                name TEXT,
                begun_at INTEGER,
                PRIMARY KEY (kind, number)
            ) STRICT, WITHOUT ROWID;
            """)
}
