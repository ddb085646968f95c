extension Schema {
    /// Invitations addressed to an account rather than to the bearer of a token, and whether former members may still
    /// read their records.
    static let offers = Migration(
        name: "offers", expands: false,
        script: """
            ALTER TABLE invitations ADD COLUMN account TEXT REFERENCES accounts (id) ON DELETE CASCADE;
            CREATE UNIQUE INDEX invitations_of_account ON invitations (account, institution)
                WHERE account IS NOT NULL;
            ALTER TABLE institutions ADD COLUMN keeps_reading INTEGER NOT NULL DEFAULT 1;
            """)
}
