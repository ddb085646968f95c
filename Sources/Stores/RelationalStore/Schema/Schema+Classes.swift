extension Schema {
    /// Classes, their rows, and the ledger of their acts.
    ///
    /// Rows are found by the numbers of class and enrolment, so that a cell writes one page of them. Each line of
    /// `class_changes` names the one before it in its class and the one before it of its row.
    static let classes = Migration(
        name: "classes", expands: false,
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
        name: "class ledger numbers", expands: false,
        script: "CREATE UNIQUE INDEX class_changes_of_class ON class_changes (class, number);")

    /// How a class posts new lines, and in which of them a grader enters results.
    static let classSettings = Migration(
        name: "class settings", expands: false,
        script: """
            ALTER TABLE classes ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE class_staff ADD COLUMN lines TEXT;
            """)

    /// Changes of results after a class has ended, which a second person approves.
    static let corrections = Migration(
        name: "corrections", expands: false,
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
        name: "class due days", expands: false,
        script: """
            ALTER TABLE classes ADD COLUMN next_due INTEGER;
            CREATE INDEX classes_due ON classes (next_due) WHERE next_due IS NOT NULL;
            """)

    /// The last due day of each class that was dealt with, so that none is dealt with twice.
    static let doneDueDays = Migration(
        name: "done due days", expands: false, script: "ALTER TABLE classes ADD COLUMN done_due INTEGER;")

    /// What staff write about results.
    static let classComments = Migration(
        name: "class comments", expands: false,
        script: """
            CREATE TABLE class_comments (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                class INTEGER NOT NULL REFERENCES classes (number),
                enrolment INTEGER NOT NULL,
                line INTEGER NOT NULL,
                account TEXT,
                at INTEGER NOT NULL,
                audience TEXT NOT NULL,
                text TEXT NOT NULL
            ) STRICT;
            CREATE INDEX class_comments_of_row ON class_comments (enrolment, number);
            CREATE INDEX class_comments_of_account ON class_comments (account, number) WHERE account IS NOT NULL;
            """)

    /// The years, terms and periods of institutions, and to which of them classes belong. `calendar` counts their changes, so
    /// that documents of classes follow.
    static let terms = Migration(
        name: "terms", expands: false,
        script: """
            CREATE TABLE terms (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                id TEXT NOT NULL,
                kind TEXT NOT NULL,
                parent TEXT,
                title TEXT NOT NULL,
                first_day INTEGER NOT NULL,
                last_day INTEGER NOT NULL,
                locked INTEGER NOT NULL,
                PRIMARY KEY (institution, id)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE institutions ADD COLUMN calendar INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE classes ADD COLUMN term TEXT;
            CREATE INDEX classes_of_term ON classes (term) WHERE term IS NOT NULL;
            """)

    /// The classes of an institution are listed for its registrars.
    static let classesOfInstitutions = Migration(
        name: "classes of institutions", expands: true,
        script: "CREATE INDEX classes_of_institution ON classes (institution, id);")

    /// In which section of a class a student is.
    static let sections = Migration(
        name: "sections", expands: false, script: "ALTER TABLE enrolments ADD COLUMN section TEXT;")

    /// What is marked anonymously: by codes, which only the class's secret ties to students.
    static let sealedCells = Migration(
        name: "sealed cells", expands: false,
        script: """
            ALTER TABLE classes ADD COLUMN secret BLOB;
            CREATE TABLE sealed_cells (
                class INTEGER NOT NULL REFERENCES classes (number),
                line INTEGER NOT NULL,
                code TEXT NOT NULL,
                cell TEXT NOT NULL,
                PRIMARY KEY (class, line, code)
            ) STRICT, WITHOUT ROWID;
            """)

    /// The groups of classes, in which of them students are, and to which of them graders are limited.
    static let groups = Migration(
        name: "groups", expands: false,
        script: """
            CREATE TABLE class_groups (
                class INTEGER NOT NULL REFERENCES classes (number),
                id TEXT NOT NULL,
                in_set TEXT NOT NULL,
                title TEXT NOT NULL,
                PRIMARY KEY (class, id)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE enrolments ADD COLUMN in_groups TEXT;
            ALTER TABLE class_staff ADD COLUMN for_groups TEXT;
            """)

    /// The status that an entry has since its student left the class.
    static let leavings = Migration(
        name: "leavings", expands: false, script: "ALTER TABLE enrolments ADD COLUMN left_as TEXT;")

    /// The lines whose results students saw an act change; see ``SeenLines``.
    static let seenLines = Migration(
        name: "seen lines", expands: false, script: "ALTER TABLE class_changes ADD COLUMN seen TEXT;")

    /// A record is read with the rows of its classes.
    static let enrolmentsOfRecords = Migration(
        name: "enrolmentsOfRecords", expands: false, script: "CREATE INDEX enrolments_of_record ON enrolments (record);"
    )
}
