extension Schema {
    /// Classes, their rows, and the ledger of their acts.
    ///
    /// Rows are found by the numbers of class and enrolment, so that a cell writes one page of them. Each line of
    /// `class_changes` names the one before it in its class and the one before it of its row.
    static let classes = Migration(
        name: "classes",
        script: """
            CREATE TABLE classes (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                institution TEXT NOT NULL,
                program TEXT NOT NULL,
                title TEXT NOT NULL,
                state TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                version INTEGER NOT NULL,
                structure INTEGER NOT NULL,
                lines INTEGER NOT NULL,
                last_change INTEGER NOT NULL,
                chain BLOB NOT NULL
            ) STRICT;
            CREATE INDEX classes_of_program ON classes (program, id);

            CREATE TABLE class_structures (
                class INTEGER NOT NULL REFERENCES classes (number),
                structure INTEGER NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (class, structure)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE class_staff (
                class INTEGER NOT NULL REFERENCES classes (number),
                account TEXT NOT NULL,
                role TEXT NOT NULL,
                PRIMARY KEY (class, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX class_staff_of_account ON class_staff (account);

            CREATE TABLE enrolments (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                class INTEGER NOT NULL REFERENCES classes (number),
                student TEXT,
                record TEXT NOT NULL,
                entry TEXT NOT NULL,
                since INTEGER NOT NULL,
                withdrawn INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX enrolments_of_class ON enrolments (class, number);
            CREATE INDEX enrolments_of_student ON enrolments (student) WHERE student IS NOT NULL;

            CREATE TABLE class_rows (
                class INTEGER NOT NULL,
                enrolment INTEGER NOT NULL,
                version INTEGER NOT NULL,
                last_change INTEGER NOT NULL,
                cells TEXT NOT NULL,
                PRIMARY KEY (class, enrolment)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE class_changes (
                seq INTEGER PRIMARY KEY,
                class INTEGER NOT NULL,
                number INTEGER NOT NULL,
                previous INTEGER,
                row_previous INTEGER,
                enrolment TEXT,
                version INTEGER NOT NULL,
                at INTEGER NOT NULL,
                account TEXT NOT NULL,
                source TEXT NOT NULL,
                operation TEXT NOT NULL,
                reason TEXT,
                before TEXT,
                after TEXT,
                erased INTEGER NOT NULL DEFAULT 0,
                digest BLOB NOT NULL,
                chain BLOB NOT NULL
            ) STRICT;
            """)

    /// Finds a line of a class's ledger by its number: a page of the ledger begins there, and an act is taken back without
    /// walking through those after it.
    static let classLedgerNumbers = Migration(
        name: "class ledger numbers",
        script: "CREATE UNIQUE INDEX class_changes_of_class ON class_changes (class, number);")

    /// How a class posts new lines, and in which of them a grader enters results.
    static let classSettings = Migration(
        name: "class settings",
        script: """
            ALTER TABLE classes ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE class_staff ADD COLUMN lines TEXT;
            """)

    /// Changes of results after a class has ended, which a second person approves.
    static let corrections = Migration(
        name: "corrections",
        script: """
            CREATE TABLE corrections (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                class INTEGER NOT NULL REFERENCES classes (number),
                account TEXT NOT NULL,
                at INTEGER NOT NULL,
                reason TEXT NOT NULL,
                cells TEXT NOT NULL,
                decision TEXT NOT NULL,
                decided_by TEXT,
                decided_at INTEGER
            ) STRICT;
            CREATE INDEX corrections_of_class ON corrections (class, number);
            """)

    /// The day after which empty cells of a class become missing, by which classes are found whose day is over.
    static let classDueDays = Migration(
        name: "class due days",
        script: """
            ALTER TABLE classes ADD COLUMN next_due INTEGER;
            CREATE INDEX classes_due ON classes (next_due) WHERE next_due IS NOT NULL;
            """)
}
