extension Schema {
    /// What rules over providers' claims grant; what people gave stands in `memberships`, with how they gave it.
    static let grants = Migration(
        name: "grants",
        script: """
            CREATE TABLE grants (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                issuer TEXT NOT NULL,
                claim TEXT NOT NULL,
                value TEXT NOT NULL,
                role TEXT NOT NULL,
                programs TEXT NOT NULL,
                since INTEGER NOT NULL,
                until INTEGER NOT NULL,
                PRIMARY KEY (institution, account, issuer, claim, value)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX grants_of_account ON grants (account);
            CREATE INDEX grants_by_end ON grants (until);
            ALTER TABLE memberships ADD COLUMN origin TEXT NOT NULL DEFAULT 'hand';
            """)

    /// By what institutions know their members on paper. They stand apart, because a membership may rest on grants of
    /// people, of rules, or of both.
    static let studentNumbers = Migration(
        name: "student numbers",
        script: """
            CREATE TABLE student_numbers (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                number TEXT NOT NULL,
                PRIMARY KEY (institution, account),
                UNIQUE (institution, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX student_numbers_of_account ON student_numbers (account);
            """)
}
