extension Schema {
    /// Which issuers vouch for the second factor of their people.
    static let vouching = Migration(
        name: "vouching",
        script: """
            ALTER TABLE identities ADD COLUMN vouches INTEGER NOT NULL DEFAULT 0;
            """)

    /// Links made before vouching was recorded: their issuers are presumed to vouch until the next sign-in.
    static let presumedVouching = Migration(
        name: "presumed vouching", script: "UPDATE identities SET vouches = 2 WHERE vouches = 0;")

    /// The sender of each mail, so that the mails of one sender can be counted.
    static let mailSenders = Migration(
        name: "mail senders",
        script: """
            ALTER TABLE mails ADD COLUMN sender TEXT REFERENCES accounts (id) ON DELETE SET NULL;
            CREATE INDEX mails_of_sender ON mails (sender, kind, created_at) WHERE sender IS NOT NULL;
            """)
}
