extension Schema {
    /// Which issuers vouch for the second factor of their people.
    static let vouching = Migration(
        name: "vouching", expands: false,
        script: """
            ALTER TABLE identities ADD COLUMN vouches INTEGER NOT NULL DEFAULT 0;
            """)

    /// Links made before vouching was recorded: their issuers are presumed to vouch until the next sign-in.
    static let presumedVouching = Migration(
        name: "presumed vouching", expands: false, script: "UPDATE identities SET vouches = 2 WHERE vouches = 0;")

    /// Which issuers vouched for the second factor of sessions and API tokens. Where an account has one such issuer it
    /// was that one, else the one with which the session was opened; where it is not known, it counts as none.
    static let vouchers = Migration(
        name: "vouchers of sessions and API tokens", expands: false,
        script: ["sessions", "api_tokens"].map { table in
            """
            ALTER TABLE \(table) ADD COLUMN voucher TEXT;
            UPDATE \(table) SET voucher = (
                SELECT min(issuer) FROM identities WHERE account = \(table).account AND vouches <> 0
                GROUP BY account HAVING count(*) = 1)
            WHERE factors = 'vouched';

            """
        }.joined() + """
            UPDATE sessions SET voucher = (
                SELECT session_origins.issuer FROM session_origins
                JOIN identities ON identities.account = sessions.account AND identities.issuer = session_origins.issuer
                WHERE session = sessions.id AND vouches <> 0)
            WHERE factors = 'vouched' AND voucher IS NULL;
            UPDATE sessions SET factors = 'one' WHERE factors = 'vouched' AND voucher IS NULL;
            UPDATE api_tokens SET factors = 'one' WHERE factors = 'vouched' AND voucher IS NULL;
            """)

    /// The sender of each mail, so that the mails of one sender can be counted.
    static let mailSenders = Migration(
        name: "mail senders", expands: false,
        script: """
            ALTER TABLE mails ADD COLUMN sender TEXT REFERENCES accounts (id) ON DELETE SET NULL;
            CREATE INDEX mails_of_sender ON mails (sender, kind, created_at) WHERE sender IS NOT NULL;
            """)
}
