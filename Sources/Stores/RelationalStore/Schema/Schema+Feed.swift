extension Schema {
    /// Events for feeds, the position that their projector has reached in the logs, the outcomes that records have
    /// met, what accounts have seen and chosen, mails that are due, and announcements. Feeds begin with this version:
    /// what was logged before makes no event.
    ///
    /// Events are numbered in the order in which they are stored, which is not that of their times. Rows are kept in
    /// that order, so that a slice of the logs fills few pages; only the index of streams has a page for each stream.
    ///
    /// A notice that is due covers the events from number `first` on; `since` is the time of the earliest. Its `turn`
    /// rises with each event that joins it.
    static let feed = Migration(
        name: "feed", expands: false,
        script: """
            CREATE TABLE feed_events (
                number INTEGER PRIMARY KEY,
                stream TEXT NOT NULL,
                shown INTEGER NOT NULL,
                at INTEGER NOT NULL,
                id TEXT NOT NULL,
                types INTEGER NOT NULL,
                actor TEXT,
                object TEXT,
                institution TEXT,
                program TEXT,
                version INTEGER,
                change INTEGER,
                former INTEGER,
                job INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX feed_events_of_stream ON feed_events (stream, shown, at, id);
            CREATE INDEX feed_events_of_actor ON feed_events (actor) WHERE actor IS NOT NULL;

            CREATE TABLE feed_progress (
                changes INTEGER NOT NULL,
                audit INTEGER NOT NULL,
                events INTEGER NOT NULL
            ) STRICT;
            INSERT INTO feed_progress (changes, audit, events)
            SELECT (SELECT ifnull(max(seq), 0) FROM changes), (SELECT ifnull(max(seq), 0) FROM audit), 0;

            CREATE TABLE feed_outcomes (
                record TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
                met TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE feed_seen (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE notice_choices (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                muted INTEGER NOT NULL,
                now INTEGER NOT NULL,
                daily INTEGER NOT NULL,
                figures INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX notice_choices_by_mail ON notice_choices (account) WHERE now <> 0 OR daily <> 0;

            CREATE TABLE notices_due (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                pace TEXT NOT NULL,
                at INTEGER NOT NULL,
                turn INTEGER NOT NULL,
                first INTEGER NOT NULL,
                since INTEGER NOT NULL,
                PRIMARY KEY (account, pace)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX notices_by_time ON notices_due (at);

            CREATE TABLE announcements (
                id TEXT PRIMARY KEY,
                institution TEXT NOT NULL REFERENCES institutions (id) ON DELETE CASCADE,
                text TEXT NOT NULL,
                at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX announcements_of_institution ON announcements (institution);
            CREATE INDEX audit_of_announcements ON audit (scope, at) WHERE action = 'announcement.made';
            """)

    /// The acts of classes that events tell of, and the place that their projector has reached in the ledgers. What was
    /// entered before makes no event.
    static let classNews = Migration(
        name: "class news", expands: false,
        script: """
            ALTER TABLE feed_events ADD COLUMN act TEXT;
            ALTER TABLE feed_progress ADD COLUMN classes INTEGER NOT NULL DEFAULT 0;
            UPDATE feed_progress SET classes = (SELECT ifnull(max(seq), 0) FROM class_changes);
            CREATE INDEX corrections_waiting ON corrections (number) WHERE decision = 'waiting';
            """)

    /// How many changes an event stands for: those of one record within a second. Its place in the log is that of the
    /// last one, and `former` that of the change before the first one.
    static let bursts = Migration(
        name: "bursts", expands: true, script: "ALTER TABLE feed_events ADD COLUMN count INTEGER NOT NULL DEFAULT 1;")
}
