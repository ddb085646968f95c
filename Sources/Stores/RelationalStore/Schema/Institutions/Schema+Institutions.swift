extension Schema {
    /// Institutions, their members and their programs. A teacher's programs are stored as identifiers separated by
    /// spaces.
    static let institutions = Migration(
        name: "institutions", expands: false,
        script: """
            CREATE TABLE institutions (
                id TEXT PRIMARY KEY,
                created_at INTEGER NOT NULL,
                slug TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                locale TEXT NOT NULL,
                open INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE memberships (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                role TEXT NOT NULL,
                programs TEXT NOT NULL,
                since INTEGER NOT NULL,
                PRIMARY KEY (institution, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX memberships_of_account ON memberships (account);

            CREATE TABLE invitations (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                id TEXT NOT NULL,
                token BLOB NOT NULL UNIQUE,
                role TEXT NOT NULL,
                programs TEXT NOT NULL,
                created_by TEXT,
                expires_at INTEGER NOT NULL,
                PRIMARY KEY (institution, id)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE programs (
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                id TEXT NOT NULL UNIQUE,
                revision INTEGER NOT NULL,
                scheme TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                title TEXT NOT NULL,
                entry TEXT NOT NULL,
                newest INTEGER,
                effective_from INTEGER,
                draft_preset TEXT,
                draft_configuration TEXT,
                draft_edited_at INTEGER,
                PRIMARY KEY (institution, id)
            ) STRICT;

            CREATE TABLE program_versions (
                institution TEXT NOT NULL,
                program TEXT NOT NULL,
                number INTEGER NOT NULL,
                preset TEXT,
                configuration TEXT NOT NULL,
                effective_from INTEGER NOT NULL,
                published_at INTEGER NOT NULL,
                published_by TEXT,
                records TEXT NOT NULL,
                rehearsal TEXT,
                PRIMARY KEY (institution, program, number),
                FOREIGN KEY (institution, program) REFERENCES programs (institution, id) ON DELETE CASCADE
            ) STRICT;
            """)

    /// Short names that institutions had: rules and links name institutions by them, so no other one ever gets them.
    static let formerSlugs = Migration(
        name: "former slugs", expands: false,
        script: """
            CREATE TABLE former_slugs (
                slug TEXT PRIMARY KEY,
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX former_slugs_of_institution ON former_slugs (institution);
            """)
}
