extension Schema {
    /// API tokens, by digest.
    static let apiTokens = Migration(
        name: "API tokens", expands: false,
        script: """
            CREATE TABLE api_tokens (
                token BLOB PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                scopes TEXT NOT NULL,
                networks TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                used_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX api_tokens_of_account ON api_tokens (account, id);
            CREATE INDEX api_tokens_by_end ON api_tokens (expires_at);
            """)

    /// Which factors the makers of API tokens had shown. For existing tokens this is unknown, so they count as made
    /// with a password alone.
    static let tokenFactors = Migration(
        name: "factors of API tokens", expands: false,
        script: "ALTER TABLE api_tokens ADD COLUMN factors TEXT NOT NULL DEFAULT 'one';")

    /// Accounts through which institutions' programs act, with their institutions and scopes. An access token names the
    /// secret for which it was issued.
    static let serviceAccounts = Migration(
        name: "service accounts", expands: false,
        script: """
            ALTER TABLE accounts ADD COLUMN service_of TEXT REFERENCES institutions (id);
            ALTER TABLE accounts ADD COLUMN service_scopes TEXT NOT NULL DEFAULT '';
            CREATE INDEX service_accounts ON accounts (service_of, id) WHERE service_of IS NOT NULL;
            ALTER TABLE api_tokens ADD COLUMN granted_by TEXT;
            """)

    /// When service accounts ended, so that they can be deleted eventually. Those that have already ended count as
    /// ended now.
    static let endsOfServiceAccounts = Migration(
        name: "ends of service accounts", expands: false,
        script: """
            ALTER TABLE accounts ADD COLUMN service_ended_at INTEGER;
            UPDATE accounts SET service_ended_at = unixepoch() * 1000000
            WHERE service_of IS NOT NULL AND disabled = 1;
            CREATE INDEX ended_service_accounts ON accounts (service_of, service_ended_at)
            WHERE service_ended_at IS NOT NULL;
            """)
}
