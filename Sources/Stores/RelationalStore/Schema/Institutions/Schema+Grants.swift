import Database
import Institutions

extension Schema {
    /// Grants made by rules over providers' claims. Those made by people are in `memberships`, with how they were made.
    static let grants = Migration(
        name: "grants", expands: false,
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

    /// Student numbers. They have a table of their own, because a membership may rest on grants of people, of rules, or
    /// of both.
    static let studentNumbers = Migration(
        name: "student numbers", expands: false,
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

    /// The forms in which student numbers are compared. Members whose numbers differed in their typed form alone keep them;
    /// such a number names neither.
    static let studentNumberKeys = Migration(
        name: "keys of student numbers", expands: false,
        script: """
            ALTER TABLE student_numbers ADD COLUMN key TEXT NOT NULL DEFAULT '';
            CREATE INDEX student_numbers_by_key ON student_numbers (institution, key);
            """
    ) { connection in
        let rows = try connection.all("SELECT institution, account, number FROM student_numbers") { row in
            (row.text(0), row.text(1), row.text(2))
        }
        for (institution, account, number) in rows {
            try connection.run(
                "UPDATE student_numbers SET key = ? WHERE institution = ? AND account = ?",
                .text(StudentNumber.key(number) ?? number), .text(institution), .text(account))
        }
    }
}
