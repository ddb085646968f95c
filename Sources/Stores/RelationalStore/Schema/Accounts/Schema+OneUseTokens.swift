extension Schema {
    /// Short-lived secrets that are used once. Those of a kind are numbered in the order of issue.
    static let oneUseTokens = Migration(
        name: "one-use tokens", expands: false,
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

    /// For whom one-use tokens count, as digests, and how many each has: a row without a source counts a network, one
    /// without either all of a kind. Whatever is under way must begin again.
    static let oneUseHolders = Migration(
        name: "holders of one-use tokens", expands: false,
        script: """
            DELETE FROM one_use_tokens;
            ALTER TABLE one_use_tokens ADD COLUMN network BLOB NOT NULL DEFAULT x'';
            ALTER TABLE one_use_tokens ADD COLUMN source BLOB NOT NULL DEFAULT x'';
            CREATE INDEX one_use_tokens_of_source ON one_use_tokens (kind, network, source, number);

            CREATE TABLE one_use_counts (
                kind TEXT NOT NULL,
                network BLOB NOT NULL,
                source BLOB NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (kind, network, source)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX one_use_networks ON one_use_counts (kind, count) WHERE source = x'' AND network <> x'';
            CREATE INDEX one_use_sources ON one_use_counts (kind, network, count) WHERE source <> x'';
            """)
}
