extension Schema {
    /// Which issuers vouch for a second factor of the people whom they know.
    static let vouching = Migration(
        name: "vouching",
        script: """
            ALTER TABLE identities ADD COLUMN vouches INTEGER NOT NULL DEFAULT 0;
            """)

    /// Links that were made before it was noted who vouches: their issuers are presumed to until the next sign-in.
    static let presumedVouching = Migration(
        name: "presumed vouching", script: "UPDATE identities SET vouches = 2 WHERE vouches = 0;")

    /// Who had a mail sent, so that the mails of one sender can be counted.
    static let mailSenders = Migration(
        name: "mail senders",
        script: """
            ALTER TABLE mails ADD COLUMN sender TEXT REFERENCES accounts (id) ON DELETE SET NULL;
            CREATE INDEX mails_of_sender ON mails (sender, kind, created_at) WHERE sender IS NOT NULL;
            """)
}
