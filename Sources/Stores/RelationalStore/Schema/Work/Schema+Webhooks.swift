extension Schema {
    /// Webhooks with the places that they have reached in the logs, and the deliveries of the next events.
    ///
    /// A delivery has a moment at which it is due only if none of its subject waits before it. A program of the former
    /// schema sends nothing and leaves all of it alone; a record that it deletes does not say of which program it was.
    static let webhooks = Migration(
        name: "webhooks", expands: true,
        script: """
            CREATE TABLE webhooks (
                id TEXT PRIMARY KEY,
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                title TEXT NOT NULL,
                url TEXT NOT NULL,
                events TEXT NOT NULL,
                program TEXT,
                content TEXT NOT NULL,
                enabled INTEGER NOT NULL,
                stopped TEXT,
                created_at INTEGER NOT NULL,
                secret BLOB NOT NULL,
                former_secret BLOB,
                former_until INTEGER,
                failures INTEGER NOT NULL,
                down_since INTEGER,
                resumes_at INTEGER,
                accepted_at INTEGER,
                refused_at INTEGER,
                refused_why TEXT,
                refused_status INTEGER,
                changes INTEGER NOT NULL,
                audit INTEGER NOT NULL,
                classes INTEGER NOT NULL,
                last_number INTEGER NOT NULL DEFAULT 0,
                served_at INTEGER NOT NULL DEFAULT 0,
                lease_token TEXT,
                lease_ends_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX webhooks_of_institution ON webhooks (institution, id);

            CREATE TABLE webhook_deliveries (
                webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                message TEXT NOT NULL,
                event TEXT NOT NULL,
                subject TEXT NOT NULL,
                log TEXT NOT NULL,
                place INTEGER NOT NULL,
                at INTEGER NOT NULL,
                queued_at INTEGER NOT NULL,
                due_at INTEGER,
                attempts INTEGER NOT NULL,
                why TEXT,
                status INTEGER,
                failed_at INTEGER,
                PRIMARY KEY (webhook, number)
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX webhook_messages ON webhook_deliveries (webhook, message);
            CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due_at) WHERE due_at IS NOT NULL;
            CREATE INDEX webhook_deliveries_of_subject ON webhook_deliveries (webhook, subject, failed_at, number);
            CREATE INDEX webhook_deliveries_of_state ON webhook_deliveries (webhook, failed_at, number);
            CREATE INDEX webhook_dead_letters ON webhook_deliveries (failed_at) WHERE failed_at IS NOT NULL;

            ALTER TABLE deleted_records ADD COLUMN program TEXT;
            """)
}
