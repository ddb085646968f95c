extension Schema {
    /// Leases on the work that runs beside requests, and the bodies of running imports. Work left unfinished by an
    /// earlier version lacks what it needs to resume and counts as failed.
    static let leases = Migration(
        name: "leases", expands: false,
        script: """
            ALTER TABLE sweeps RENAME TO bulk_changes;
            ALTER TABLE bulk_changes ADD COLUMN lease_owner TEXT;
            ALTER TABLE bulk_changes ADD COLUMN lease_token TEXT;
            ALTER TABLE bulk_changes ADD COLUMN lease_ends_at INTEGER;

            ALTER TABLE rehearsals ADD COLUMN lease_owner TEXT;
            ALTER TABLE rehearsals ADD COLUMN lease_token TEXT;
            ALTER TABLE rehearsals ADD COLUMN lease_ends_at INTEGER;
            ALTER TABLE rehearsed ADD COLUMN program_version INTEGER;
            UPDATE rehearsals SET state = 'failed' WHERE state = 'running';
            CREATE INDEX rehearsals_open ON rehearsals (id) WHERE state = 'running';

            ALTER TABLE imports ADD COLUMN lease_owner TEXT;
            ALTER TABLE imports ADD COLUMN lease_token TEXT;
            ALTER TABLE imports ADD COLUMN lease_ends_at INTEGER;
            ALTER TABLE imports ADD COLUMN source TEXT NOT NULL DEFAULT '';
            ALTER TABLE imports ADD COLUMN reading TEXT NOT NULL DEFAULT '';
            ALTER TABLE imports ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
            UPDATE imports SET state = 'failed', ended_at = unixepoch() * 1000000 WHERE state = 'running';
            CREATE INDEX imports_open ON imports (id) WHERE state = 'running';

            CREATE TABLE import_bodies (
                import TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                bytes BLOB NOT NULL,
                PRIMARY KEY (import, number)
            ) STRICT;
            """)
}
