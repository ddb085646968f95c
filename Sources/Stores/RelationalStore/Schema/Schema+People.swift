extension Schema {
    /// Whether who blocks somebody saw the person then.
    static let unseenBlocks = Migration(
        name: "unseen blocks", expands: false, script: "ALTER TABLE blocks ADD COLUMN seen INTEGER NOT NULL DEFAULT 1;")

    /// Sharing choices for records, and whether institutions allow sharing. The accounts' own column `sharing` was
    /// never read, and its values are not taken as consent.
    static let sharing = Migration(
        name: "sharing", expands: false,
        script: """
            CREATE TABLE shared_records (
                record TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
                institution TEXT NOT NULL,
                owner TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                what TEXT NOT NULL,
                audiences TEXT NOT NULL,
                since INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX shared_records_of_owner ON shared_records (owner, record);
            CREATE INDEX shared_records_of_institution ON shared_records (institution);

            ALTER TABLE institutions ADD COLUMN sharing TEXT NOT NULL DEFAULT 'allowed';
            ALTER TABLE accounts DROP COLUMN sharing;
            """)

    /// Follows and blocks, and people's choices about being found and followed.
    static let friends = Migration(
        name: "friends", expands: false,
        script: """
            CREATE TABLE follows (
                follower TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                followed TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                state TEXT NOT NULL,
                since INTEGER NOT NULL,
                PRIMARY KEY (follower, followed)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX follows_of_followed ON follows (followed, state, follower);

            CREATE TABLE follow_requests (
                number INTEGER PRIMARY KEY,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX follow_requests_of_account ON follow_requests (account, at);

            CREATE TABLE follow_links (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                token BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE blocks (
                blocker TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                blocked TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                since INTEGER NOT NULL,
                PRIMARY KEY (blocker, blocked)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX blocks_of_blocked ON blocks (blocked);

            ALTER TABLE accounts ADD COLUMN discoverable INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE accounts ADD COLUMN followers TEXT NOT NULL DEFAULT 'approve';
            ALTER TABLE accounts ADD COLUMN lists TEXT NOT NULL DEFAULT 'none';
            """)

    /// The time zones of institutions.
    static let timeZones = Migration(
        name: "time zones", expands: false,
        script: "ALTER TABLE institutions ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';")
}
